# A missing, an unsupported and a wrong attribute of nested objects.

# step: validate
resource "corpus_nested" "a" {
  name  = "a"
  owner = { mail = "m" }
}
# step: validate
resource "corpus_nested" "a" {
  name  = "a"
  owner = { name = "o", other = 1 }
}
# step: validate
resource "corpus_nested" "a" {
  name  = "a"
  disks = [{ size = "large" }]
}
# step: validate
resource "corpus_nested" "a" {
  name  = "a"
  disks = { size = 1 }
}
