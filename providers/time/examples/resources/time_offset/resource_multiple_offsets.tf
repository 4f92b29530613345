resource "time_offset" "warranty" {
  base_rfc3339  = "2024-02-29T12:00:00Z"
  offset_years  = 2
  offset_months = 6
}

output "end_of_warranty" {
  value = time_offset.warranty.rfc3339
}
