# coalesce without any value is an error.

# step: plan
output "coalesce" {
  value = coalesce(null, "")
}
