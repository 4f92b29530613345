# Without a refresh, drift is not seen.

# step: apply
resource "corpus_thing" "a" {
  name = "a"
  text = "configured"
}
# step: plan -refresh=false
# change: main a-1 text "changed"
# step: plan
