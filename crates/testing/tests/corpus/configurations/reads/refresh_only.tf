# A refresh reads the objects and data sources once.
# differs: tofu 1.6.2: the plan of an unchanged refresh is empty
# show: reads

# step: apply
resource "corpus_thing" "a" {
  count = 2
  name  = "a${count.index}"
}

data "corpus_thing" "a" {
  id = corpus_thing.a[0].id
}

data "corpus_echo" "e" {
  value = "e"
}

output "text" {
  value = data.corpus_thing.a.text
}
# step: apply -refresh-only
# change: main a0-1 text "changed"
# step: plan -refresh=false
# step: plan -refresh-only
