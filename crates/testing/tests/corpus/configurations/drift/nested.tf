# Drift inside of nested attributes.

# step: apply
resource "corpus_nested" "a" {
  name  = "a"
  disks = [{ size = 1 }, { size = 2 }]
}
# step: apply
# change: main a-1 disks [{"size": 1, "mode": "rw", "serial": "a-1/0"}, {"size": 5, "mode": "rw", "serial": "changed"}]
