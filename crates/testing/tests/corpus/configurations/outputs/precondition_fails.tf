# A precondition of an output that fails during the plan, and one that fails during apply.

# step: plan
variable "one" {
  default = 1
}

output "a" {
  value = 1

  precondition {
    condition     = var.one > 2
    error_message = "One is not greater than two."
  }
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

output "id" {
  value = corpus_thing.a.id

  precondition {
    condition     = corpus_thing.a.size == 11
    error_message = "The size is not 11."
  }
}
