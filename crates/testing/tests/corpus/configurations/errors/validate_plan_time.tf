# validate does not evaluate variables: the error appears in the plan.

# step: validate
variable "text" {
  default = "x"
}

resource "corpus_thing" "a" {
  name = "a"
  size = parseint(var.text, 10)
}
# step: plan
