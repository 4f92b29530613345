# A module call passes a configuration that the calling module does not declare.

# step: validate
module "m" {
  source = "./m"
  providers = {
    corpus = corpus.nine
  }
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
