# A precondition that fails prevents the plan of the object.

# step: apply
# variable: text = "ok"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text

  lifecycle {
    precondition {
      condition     = var.text == "ok"
      error_message = "The text is ${var.text}."
    }
  }
}
# step: plan
# variable: text = "bad"
