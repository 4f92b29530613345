resource "time_offset" "week" {
  offset_days = 7
}

output "in_one_week" {
  value = time_offset.week.rfc3339
}
