# The time and random numbers are unknown until the apply, except for the time of the plan.

# step: apply
output "timestamp" {
  value = length(regexall("^20[0-9-]+T[0-9:]+Z$", timestamp()))
}

output "uuid" {
  value = length(uuid())
}

output "plantimestamp" {
  value = timecmp(plantimestamp(), "2024-01-01T00:00:00Z")
}

resource "corpus_thing" "a" {
  name = "a"
  tags = { length = length(timestamp()) }
}
