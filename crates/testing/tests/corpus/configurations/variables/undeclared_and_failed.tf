# Values for undeclared variables are warnings of failed steps too.
# differs: tofu 1.6.2: the apply of a plan does not warn

# step: apply
# variable: undeclared = 1
# variable: cfg = {"name": "n"}
variable "cfg" {
  type = object({ name = string })
}

resource "corpus_thing" "a" {
  name = var.cfg.name
  fail = "create"
}
# step: plan
variable "cfg" {
  type = object({ name = string })
}

resource "corpus_thing" "a" {
  name = var.cfg.name
  fail = "plan"
}
# step: apply
variable "cfg" {
  type = object({ name = string })
}
