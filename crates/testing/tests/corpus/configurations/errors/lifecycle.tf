# Unsupported arguments and blocks of lifecycle.

# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    other = true
  }
}
# step: validate
resource "corpus_thing" "a" {
  name = "a"

  lifecycle {
    create_before_destroy = "maybe"
  }
}
