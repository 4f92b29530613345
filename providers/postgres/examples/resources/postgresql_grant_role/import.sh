# The member and the group, separated by a slash.
terraform import postgresql_grant_role.bob bob/admins
