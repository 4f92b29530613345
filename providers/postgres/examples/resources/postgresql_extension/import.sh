terraform import postgresql_extension.search shop.pg_trgm
