# A refresh-only plan reads objects that are no longer configured, and keeps them.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
}
# step: apply -refresh-only
# change: main a-1 size 20
# Nothing is configured.
