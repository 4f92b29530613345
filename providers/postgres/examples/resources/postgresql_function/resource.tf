resource "postgresql_function" "increment" {
  name       = "increment"
  database   = "shop"
  schema     = "public"
  returns    = "integer"
  language   = "plpgsql"
  volatility = "IMMUTABLE"

  arg {
    name = "i"
    type = "integer"
  }

  body = <<-EOT
    BEGIN
      RETURN i + 1;
    END;
  EOT
}
