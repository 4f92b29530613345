# A provider sets the attributes of the ID, and read the others.

# step: apply
import {
  to = corpus_label.a
  id = "imported"
}

resource "corpus_label" "a" {
  name = "imported"
  text = "new"
}
