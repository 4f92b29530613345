# Elements of collections convert.

# step: apply
resource "corpus_values" "a" {
  name    = "a"
  numbers = ["1", 2.5]
  flags   = { a = "true", b = false }
  ports   = ["80", 443, 80]
  matrix  = [["a", 1], []]
  groups  = { x = [1, true] }
  point   = { x = "1", y = null }
  points  = [{ x = 1, y = 2 }, { x = 3, y = null }]
}
