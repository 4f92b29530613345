# An unknown input.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}

resource "terraform_data" "d" {
  input = { id = corpus_thing.a.id, fixed = 1 }
}

output "fixed" {
  value = terraform_data.d.output.fixed
}
