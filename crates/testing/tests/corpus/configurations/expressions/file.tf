# The functions file, fileexists and templatefile.

# step: apply
output "file" {
  value = trimspace(file("${path.module}/data.txt"))
}

output "exists" {
  value = [fileexists("data.txt"), fileexists("other.txt")]
}

output "template" {
  value = trimspace(templatefile("template.tftpl", { names = ["a", "b"] }))
}
# file: data.txt
content of the file
# file: template.tftpl
%{ for name in names }${name};%{ endfor }
