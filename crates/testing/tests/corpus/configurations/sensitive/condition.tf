# A sensitive condition makes the result sensitive.

# step: plan
variable "flag" {
  default   = true
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"
  text = var.flag ? "a" : "b"
}

output "choice" {
  value = var.flag ? "a" : "b"
}
