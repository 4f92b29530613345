# Sensitive attributes inside of nested attributes.

# step: apply
resource "corpus_nested" "a" {
  name  = "a"
  owner = { name = "o", token = "s3cret" }
  disks = [{ size = 1, password = "p" }]
}

resource "corpus_thing" "b" {
  name  = "b"
  text  = corpus_nested.a.owner.name
  color = corpus_nested.a.owner.token
  items = corpus_nested.a.disks[*].password
}

output "owner" {
  value     = corpus_nested.a.owner
  sensitive = true
}
