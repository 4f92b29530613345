# A validation of an unknown value is checked during apply.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

module "m" {
  source = "./m"
  id     = corpus_thing.a.id
}
# file: m/main.tf
variable "id" {
  validation {
    condition     = startswith(var.id, "b")
    error_message = "The ID must start with b."
  }
}

resource "corpus_thing" "after" {
  name = "after"
  text = var.id
}
