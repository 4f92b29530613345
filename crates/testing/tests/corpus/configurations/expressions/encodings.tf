# Functions that encode and decode strings.

# step: apply
output "url" {
  value = [urlencode("a b&c/ä~*"), urlencode("")]
}

output "csv" {
  value = csvdecode("a,b\n1,\"x, \"\"y\"\"\"\n\n2,\n")
}

output "text" {
  value = [for it in ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1"] : textencodebase64("aé", it)]
}

output "decoded" {
  value = textdecodebase64(textencodebase64("aé", "UTF-16LE"), "UTF-16LE")
}

output "uuid" {
  value = [for it in ["dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "url"] : md5(uuidv5(it, "example.com"))]
}

output "hash" {
  value = [md5(5), sha1(true), base64sha256("a")]
}

output "path" {
  value = [pathexpand("a/b"), basename("a/b"), dirname("a/b")]
}
# step: plan
output "few" {
  value = md5()
}
# step: plan
output "many" {
  value = md5("a", "b")
}
# step: plan
output "csv" {
  value = csvdecode("a,b\n1\n")
}
# step: plan
output "uuid" {
  value = uuidv5("other", "a")
}
