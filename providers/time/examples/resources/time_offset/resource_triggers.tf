resource "time_offset" "support" {
  offset_months = 18

  triggers = {
    version = "1.2.0"
  }
}

output "end_of_support" {
  value = "${time_offset.support.triggers.version} until ${time_offset.support.rfc3339}"
}
