output "has_modules" {
  value = provider::local::direxists("${path.module}/modules")
}
