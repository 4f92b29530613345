# For expressions: tuples, objects, filters and grouping.

# step: apply
locals {
  users = [
    { name = "a", group = "x" },
    { name = "b", group = "y" },
    { name = "c", group = "x" },
  ]
}

output "names" {
  value = [for user in local.users : upper(user.name) if user.group == "x"]
}

output "by_name" {
  value = { for i, user in local.users : user.name => i }
}

output "by_group" {
  value = { for user in local.users : user.group => user.name... }
}
