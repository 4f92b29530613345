# A refresh-only plan updates the state and changes no object.
# show: calls

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"
}

output "text" {
  value = corpus_thing.a.text
}
# step: apply -refresh-only
# change: main a-1 text "changed"
# step: plan
