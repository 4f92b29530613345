# The data sources of a module that depends on a resource are read during apply.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

module "m" {
  source     = "./m"
  depends_on = [corpus_thing.a]
}

output "result" {
  value = module.m.result
}
# file: m/main.tf
data "corpus_echo" "e" {
  value = "in module"
}

output "result" {
  value = data.corpus_echo.e.result
}
