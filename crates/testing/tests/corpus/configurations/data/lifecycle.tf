# A data source has no create_before_destroy.

# step: validate
data "corpus_echo" "e" {
  value = "x"

  lifecycle {
    create_before_destroy = true
  }
}
