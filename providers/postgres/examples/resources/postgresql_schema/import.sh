terraform import postgresql_schema.app shop.app
