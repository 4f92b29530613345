# The conditions of a data source.

# step: plan
# variable: value = "good"
variable "value" {}

data "corpus_echo" "e" {
  value = var.value

  lifecycle {
    precondition {
      condition     = var.value != "worst"
      error_message = "The worst value."
    }

    postcondition {
      condition     = self.result != "bad"
      error_message = "A bad result."
    }
  }
}

resource "corpus_thing" "a" {
  name = "a"
  text = data.corpus_echo.e.result
}
# step: plan
# variable: value = "bad"
# step: plan
# variable: value = "worst"
