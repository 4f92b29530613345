# A template in a string.
# tofu: no: it has no function templatestring

# step: apply
locals {
  template = "%%{ for it in names }$${it};%%{ endfor }"
}

output "a" {
  value = templatestring(local.template, { names = ["a", "b"] })
}

output "b" {
  value     = templatestring(local.template, { names = [sensitive("a")] })
  sensitive = true
}
# step: plan
locals {
  template = "$${other}"
}

output "missing" {
  value = templatestring(local.template, { name = "a" })
}
