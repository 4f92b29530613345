# {role}/{grant_role}
terraform import postgresql_grant_role.bob bob/admins
