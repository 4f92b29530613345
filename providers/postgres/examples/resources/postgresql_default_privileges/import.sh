# {role}/{database}/{owner}/{object_type}/{schema}, or without the schema
terraform import postgresql_default_privileges.read app/shop/shop_owner/table/public
