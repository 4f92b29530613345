# Deposed objects move with their instance.

# step: apply
# variable: zone = "x"
variable "zone" {}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
  fail = "delete"

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# variable: zone = "y"
# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

variable "zone" {}

resource "corpus_thing" "b" {
  name = "a"
  zone = var.zone
  fail = "delete"

  lifecycle {
    create_before_destroy = true
  }
}
# step: plan
variable "zone" {}

resource "corpus_thing" "a" {
  count = 1
  name  = "a"
  zone  = var.zone
  fail  = "delete"

  lifecycle {
    create_before_destroy = true
  }
}
# step: apply
# delete: main a-2
# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.b
}

variable "zone" {}
