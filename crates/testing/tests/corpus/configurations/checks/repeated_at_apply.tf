# The checks of a plan are evaluated again during the apply.
# differs: terraform 1.15.5: the plan of a refresh is empty
# differs: tofu 1.6.2: the plan of a refresh is empty

# step: apply
# variable: text = "a"
variable "text" {}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}

check "known" {
  assert {
    condition     = var.text == "b"
    error_message = "The text is ${var.text}."
  }
}

check "planned" {
  assert {
    condition     = corpus_thing.a.text == "b"
    error_message = "The text is ${corpus_thing.a.text}."
  }
}

check "after_apply" {
  assert {
    condition     = corpus_thing.a.length == 2
    error_message = "The length is ${corpus_thing.a.length}."
  }
}
# step: apply
# step: plan
# variable: text = "b"
# step: apply -refresh-only
# step: apply -destroy
