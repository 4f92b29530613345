# The role, the database, the type, and the schema.
terraform import postgresql_grant.read app/shop/table/public

# In addition, objects and columns, each separated by commas.
terraform import postgresql_grant.prices app/shop/column/public/products/price,currency
