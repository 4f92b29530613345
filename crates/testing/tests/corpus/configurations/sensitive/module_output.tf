# An output of a module that contains a sensitive value must be sensitive.

# step: plan
module "m" {
  source = "./m"
}
# file: m/main.tf
output "secret" {
  value = sensitive("s3cret")
}
