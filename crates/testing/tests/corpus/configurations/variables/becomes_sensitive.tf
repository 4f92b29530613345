# A variable that becomes sensitive changes no value, but its marks.

# step: apply
variable "text" {
  default = "x"
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}
# step: apply
variable "text" {
  default   = "x"
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.text
}
