terraform import postgresql_role.app app
