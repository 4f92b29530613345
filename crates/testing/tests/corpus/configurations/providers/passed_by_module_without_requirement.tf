# A module passes a provider that it does not declare.

# step: validate
module "m" {
  source = "./m"
}
# file: m/main.tf
# A module without required_providers.
module "n" {
  source = "../n"
  providers = {
    corpus = corpus
  }
}
# file: n/main.tf
resource "corpus_thing" "a" {
  name = "a"
}
# step: plan
