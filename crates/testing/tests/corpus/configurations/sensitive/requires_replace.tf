# A sensitive value that requires replacement.

# step: apply
# variable: zone = "a"
variable "zone" {
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"
  zone = var.zone
}
# step: apply
# variable: zone = "b"
