# A sensitive variable makes the attributes and outputs sensitive that contain it.

# step: apply
variable "token" {
  default   = "s3cret"
  sensitive = true
}

resource "corpus_thing" "a" {
  name = "a"
  text = "token ${var.token}"
  tags = { public = "p", private = var.token }
}

output "token" {
  value     = corpus_thing.a.text
  sensitive = true
}

output "tag" {
  value = corpus_thing.a.tags.public
}
