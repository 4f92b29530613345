# Values in a JSON file: large numbers keep their precision, and an error has the position of the value.
# differs: terraform 1.15.5: the last of two values applies, and variables without a value are reported after another error

# step: apply
variable "number" {}

variable "object" {
  type = object({ number = number, text = string })
}

output "number" {
  value = tostring(var.number)
}

output "object" {
  value = [tostring(var.object.number), var.object.text]
}
# file: terraform.tfvars.json
{
  "//": "A comment.",
  "number": 123456789012345678901234567890,
  "object": { "number": 0.1000000000000000055511151231257827, "text": "${not} a \"template\"" }
}
# step: plan
# file: terraform.tfvars.json
{
  "nested": { "number": 1 },
  "number": 1,

  "object": { "number": "x",
    "text": "t" }
}
# step: plan
# file: terraform.tfvars.json
{
  "number": 1,
  "number": 2,
  "object": { "number": 1, "text": "t" }
}
# step: plan
# file: terraform.tfvars.json
[{ "number": 1 }, { "object": { "number": 1, "text": "t" } }]
# step: plan
# file: terraform.tfvars.json
{
  "number": 1,
  "object": { "number": 1, "text": "t",
    "text": "u" }
}
