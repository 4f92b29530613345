# Values of a generated configuration that are empty or contain JSON.
# show: generated
# differs: terraform 1.15.5: the provider generates the configuration, and omits defaults, since 1.14
# differs: tofu 1.6.2: it generates no jsonencode

# step: apply
resource "corpus_thing" "a" {
  name  = "a"
  text  = jsonencode([{ a = 1, "b c" = [true, null] }, { d = {} }])
  tags  = { json = jsonencode({ a = 1 }) }
  items = []
}

resource "corpus_thing" "b" {
  name = "b"
  text = ""
  tags = {}
}

resource "corpus_thing" "c" {
  name = "c"
  text = "12"
}

provider "corpus" {
  alias = "other"
}
# step: plan -generate-config-out=generated.tf
import {
  to = corpus_thing.x
  id = "a-1"
}

resource "corpus_thing" "a" {
  name  = "a"
  text  = jsonencode([{ a = 1, "b c" = [true, null] }, { d = {} }])
  tags  = { json = jsonencode({ a = 1 }) }
  items = []
}

resource "corpus_thing" "b" {
  name = "b"
  text = ""
  tags = {}
}

resource "corpus_thing" "c" {
  name = "c"
  text = "12"
}

provider "corpus" {
  alias = "other"
}
# step: plan -generate-config-out=generated.tf
# remove: generated.tf
import {
  to = corpus_thing.x
  id = "b-1"
}

resource "corpus_thing" "a" {
  name  = "a"
  text  = jsonencode([{ a = 1, "b c" = [true, null] }, { d = {} }])
  tags  = { json = jsonencode({ a = 1 }) }
  items = []
}

resource "corpus_thing" "b" {
  name = "b"
  text = ""
  tags = {}
}

resource "corpus_thing" "c" {
  name = "c"
  text = "12"
}

provider "corpus" {
  alias = "other"
}
# step: plan -generate-config-out=generated.tf
# remove: generated.tf
import {
  to       = corpus_thing.x
  id       = "c-1"
  provider = corpus.other
}

resource "corpus_thing" "a" {
  name  = "a"
  text  = jsonencode([{ a = 1, "b c" = [true, null] }, { d = {} }])
  tags  = { json = jsonencode({ a = 1 }) }
  items = []
}

resource "corpus_thing" "b" {
  name = "b"
  text = ""
  tags = {}
}

resource "corpus_thing" "c" {
  name = "c"
  text = "12"
}

provider "corpus" {
  alias = "other"
}
