# The values of path and terraform.workspace.

# step: apply
output "workspace" {
  value = terraform.workspace
}

output "module" {
  value = path.module
}

output "root" {
  value = path.root
}

module "m" {
  source = "./m"
}

output "of_module" {
  value = module.m.path
}
# file: m/main.tf
output "path" {
  value = path.module
}
