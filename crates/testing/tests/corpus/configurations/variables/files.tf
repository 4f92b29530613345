# Values of variables in files: later ones take precedence.

# step: apply
variable "a" { default = "default" }
variable "b" { default = "default" }
variable "c" { default = "default" }

output "all" {
  value = [var.a, var.b, var.c]
}
# file: terraform.tfvars
a = "terraform.tfvars"
b = "terraform.tfvars"
# file: z.auto.tfvars
b = "z.auto.tfvars"
