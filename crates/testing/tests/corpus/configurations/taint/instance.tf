# A tainted instance in a module, with create_before_destroy.

# step: apply
module "m" {
  source = "./m"
}
# file: m/main.tf
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"

  lifecycle {
    create_before_destroy = true
  }
}
# step: taint module.m.corpus_thing.a[1]
# step: apply
