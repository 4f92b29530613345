# Functions of several kinds.

# step: apply
output "strings" {
  value = [upper("a"), join("-", ["a", "b"]), split(",", "a,b"), replace("aXb", "X", "-"), format("%03d|%s", 7, "x"), trimspace(" a ")]
}

output "collections" {
  value = [merge({ a = 1 }, { b = 2 }), concat([1], [2]), flatten([[1], [2, [3]]]), distinct([1, 1, 2]), lookup({ a = 1 }, "b", 0), zipmap(["a"], [1])]
}

output "encoding" {
  value = [jsonencode({ a = [1, null] }), jsondecode("{\"a\": [1, true]}"), base64encode("hi"), sha256("a"), md5("a"), base64sha512("")]
}

output "numbers" {
  value = [max(1, 3, 2), floor(1.9), pow(2, 10), parseint("ff", 16)]
}

output "network" {
  value = [cidrsubnet("10.0.0.0/16", 8, 2), cidrhost("10.0.0.0/24", 5)]
}

output "sets" {
  value = [setunion(["a"], ["b"]), setproduct(["a", "b"], [1]), sort(["b", "a"])]
}
