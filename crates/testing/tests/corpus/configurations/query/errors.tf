# Mistakes in query files.
# terraform: 1.14: list resources
# tofu: no: it has no list resources

# step: query
# Nothing is configured.
# file: all.tfquery.hcl
list "corpus_thing" "all" {
  provider = corpus

  config {
    other = 1
  }
}
# step: query
# file: all.tfquery.hcl
list "corpus_other" "all" {
  provider = corpus
}
