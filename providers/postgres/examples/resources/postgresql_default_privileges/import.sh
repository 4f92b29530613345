# The role, the database, the owner, the type, and the schema.
terraform import postgresql_default_privileges.read app/shop/shop_owner/table/public
