# Strings with combining characters are normalized.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "e\u0301 ü 🦀"
  tags = { "cafe\u0301" = "x" }
}

output "length" {
  value = length("e\u0301")
}
