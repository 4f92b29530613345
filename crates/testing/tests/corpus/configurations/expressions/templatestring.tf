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
# step: plan
locals {
  template = "$${"
}

output "invalid" {
  value = templatestring(local.template, {})
}
# step: plan
locals {
  template = "$${upper(1, 2)}"
}

output "failed" {
  value = templatestring(local.template, {})
}
