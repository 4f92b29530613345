# Names of meta-arguments of modules are reserved.

# step: validate
variable "count" {}
