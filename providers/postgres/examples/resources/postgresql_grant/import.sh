# The role, the database, the type, and the schema.
terraform import postgresql_grant.read app/shop/table/public
