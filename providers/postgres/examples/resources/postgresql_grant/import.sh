# {role}/{database}/{object_type}/{schema}
terraform import postgresql_grant.read app/shop/table/public

# {role}/{database}/{object_type}/{schema}/{objects}/{columns}, with commas between objects and between columns
terraform import postgresql_grant.prices app/shop/column/public/products/price,currency
