# Splats of lists, single objects, null and unknown values.

# step: apply
variable "nothing" {
  type    = object({ a = string })
  default = null
}

resource "corpus_nested" "a" {
  name  = "a"
  disks = [{ size = 1 }, { size = 2 }]
}

resource "corpus_thing" "b" {
  name  = "b"
  items = corpus_nested.a.disks[*].serial
}

output "sizes" {
  value = corpus_nested.a.disks.*.size
}

output "single" {
  value = corpus_thing.b[*].name
}

output "null" {
  value = var.nothing[*].a
}
