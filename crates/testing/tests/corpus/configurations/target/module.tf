# A target can be a module, with the objects on which it depends.

# step: apply -target=module.m
resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "other" {
  name = "other"
}

module "m" {
  source = "./m"
  text   = corpus_thing.a.id
}
# file: m/main.tf
variable "text" {}

resource "corpus_thing" "b" {
  name = "b"
  text = var.text
}

resource "corpus_thing" "c" {
  name = "c"
}
