# Override files merge arguments and replace nested blocks, in the order of their names.

# step: apply
terraform {
  required_version = ">= 1.0"
}

variable "name" {
  type    = string
  default = "a"

  validation {
    condition     = var.name != "x"
    error_message = "Not x."
  }
}

locals {
  zone = "base"
  kind = "base"
}

provider "corpus" {
  alias   = "other"
  service = "base"
}

resource "corpus_blocks" "b" {
  name = var.name

  disk {
    size = 1
  }
  rule {
    port = 80
  }
}

resource "corpus_thing" "t" {
  provider = corpus.other
  count    = 1
  name     = "t"
  zone     = local.zone
  tags     = { kind = local.kind }

  lifecycle {
    create_before_destroy = true
  }
}

module "m" {
  source = "./missing"
  text   = "base"
}

output "text" {
  description = "A text."
  value       = module.m.text
}
# file: a_override.tf
variable "name" {
  default = "first"
}

locals {
  zone = "first"
}

provider "corpus" {
  alias   = "other"
  service = "override"
}

resource "corpus_blocks" "b" {
  disk {
    size = 2
  }
  dynamic "disk" {
    for_each = [3]
    content {
      size = disk.value
    }
  }
}

module "m" {
  source = "./m"
}
# file: override.tf
terraform {
  required_version = ">= 1.1"
}

variable "name" {
  default = "second"
}

resource "corpus_thing" "t" {
  count = 2
  name  = "t-${count.index}"

  lifecycle {
    ignore_changes = [zone]
  }
}

output "text" {
  value = upper(module.m.text)
}
# file: m/main.tf
variable "text" {}

output "text" {
  value = var.text
}
# step: plan
# remove: override.tf
# remove: a_override.tf
# file: m_override.tf
module "m" {
  source = "./m"
}

provider "corpus" {
  alias   = "other"
  service = "override"
}

resource "corpus_thing" "t" {
  lifecycle {
    ignore_changes        = all
    create_before_destroy = false
  }
}
