# A data source that is removed from the configuration is removed from the state without a change.

# step: apply
data "corpus_echo" "e" {
  value = "x"
}
# step: apply
output "nothing" {
  value = 1
}
