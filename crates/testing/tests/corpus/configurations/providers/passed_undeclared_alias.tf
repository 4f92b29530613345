# A module call passes a configuration under an alias that the child module does not declare.

# step: validate
module "m" {
  source = "./m"
  providers = {
    corpus.two = corpus
  }
}
# file: m/main.tf
resource "corpus_thing" "a" {
  name = "a"
}

# step: plan
