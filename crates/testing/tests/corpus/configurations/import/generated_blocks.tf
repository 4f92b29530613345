# The generated configuration of blocks.
# show: generated
# differs: terraform 1.15.5: the provider generates the configuration, and omits defaults, since 1.14

# step: apply
resource "corpus_blocks" "a" {
  name = "a"

  owner {
    name  = "o"
    token = "s3cret"
  }
  disk {
    size = 1
    partition {
      label = "p"
    }
  }
  rule {
    port = 80
  }
}
# step: plan -generate-config-out=generated.tf
import {
  to = corpus_blocks.b
  id = "a-1"
}

resource "corpus_blocks" "a" {
  name = "a"

  owner {
    name  = "o"
    token = "s3cret"
  }
  disk {
    size = 1
    partition {
      label = "p"
    }
  }
  rule {
    port = 80
  }
}
