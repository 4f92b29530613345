# An output can depend on a resource, which a module's user then waits for.
# show: calls

# step: apply
module "m" {
  source = "./m"
}

resource "corpus_thing" "after" {
  name = "after"
  text = module.m.fixed
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}

output "fixed" {
  value      = "fixed"
  depends_on = [corpus_thing.a]
}
