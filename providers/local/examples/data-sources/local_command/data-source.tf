data "local_command" "date" {
  command   = "date"
  arguments = ["+%Y-%m-%d"]
}

output "today" {
  value = trimspace(data.local_command.date.stdout)
}
