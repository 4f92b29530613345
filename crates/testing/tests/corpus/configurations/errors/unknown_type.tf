# A resource type and a data source that the provider does not have.

# step: validate
resource "corpus_other" "a" {
}
# step: validate
data "corpus_other" "a" {
}
