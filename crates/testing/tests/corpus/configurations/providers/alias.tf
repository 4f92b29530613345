# Two configurations of one provider.

# step: apply
provider "corpus" {
  service = "one"
}

provider "corpus" {
  alias   = "two"
  service = "two"
}

resource "corpus_thing" "a" {
  name = "a"
}

resource "corpus_thing" "b" {
  provider = corpus.two
  name     = "b"
}

data "corpus_echo" "e" {
  provider = corpus.two
}
