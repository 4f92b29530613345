# References to objects that do not exist.

# step: validate
resource "corpus_thing" "a" {
  name = "a"
  text = corpus_thing.b.id
}
# step: validate
output "x" {
  value = var.x
}
# step: validate
output "x" {
  value = local.x
}
# step: validate
output "x" {
  value = module.x.y
}
# step: validate
output "x" {
  value = data.corpus_echo.x.result
}
