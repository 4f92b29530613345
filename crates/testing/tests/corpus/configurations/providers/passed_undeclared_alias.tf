# A module is passed a configuration with an alias that the module does not declare.

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
