# Override files can only override what other files declare.
# differs: tofu 1.6.2: it has no removed blocks

# step: validate
variable "a" {
  type    = number
  default = 1
}

resource "corpus_thing" "t" {
  name = "t"
}

module "m" {
  source     = "./m"
  depends_on = [corpus_thing.t]
}
# file: override.tf
variable "b" {
  default = 1
}

locals {
  c = 1
}

output "d" {
  value = 1
}

module "e" {
  source = "./m"
}

resource "corpus_thing" "f" {
  name = "f"
}

data "corpus_echo" "g" {
}

provider "corpus" {
  alias = "h"
}

provider "corpus" {
  service = "i"
}

moved {
  from = corpus_thing.x
  to   = corpus_thing.t
}

import {
  to = corpus_thing.t
  id = "t-1"
}

resource "corpus_thing" "t" {
  depends_on = [module.m]
}

module "m" {
}
# file: m/main.tf
output "x" {
  value = 1
}
# step: validate
# file: override.tf
variable "a" {
  default = "x"
}
# step: validate
# file: override.tf
resource "corpus_thing" "t" {
  other = 1
}
# step: validate
# file: override.tf
removed {
  from = corpus_thing.x
  lifecycle {
    destroy = false
  }
}

check "c" {
  assert {
    condition     = corpus_thing.t.name == "t"
    error_message = "Not t."
  }
}
