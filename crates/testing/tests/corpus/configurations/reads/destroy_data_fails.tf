# A data source that cannot be read prevents a destroy.
# show: reads

# step: apply
variable "fail" {
  default = null
}

resource "corpus_thing" "a" {
  name = "a"
}

data "corpus_echo" "e" {
  value = corpus_thing.a.name
  fail  = var.fail
}
# step: apply -destroy
# variable: fail = "read"
# step: plan -destroy -target=corpus_thing.a
# step: apply -destroy -refresh=false
