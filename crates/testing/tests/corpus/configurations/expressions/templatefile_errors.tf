# A template cannot render another one, and its logical operators do not short-circuit, as in the configuration.
# differs: terraform 1.15.5: `&&` and `||` short-circuit since 1.12

# step: plan
output "text" {
  value = templatefile("${path.module}/a.tftpl", { path = path.module })
}
# file: a.tftpl
a ${templatefile("${path}/a.tftpl", { path = path })}
# step: plan
output "text" {
  value = templatefile("${path.module}/b.tftpl", { list = null })
}
# file: b.tftpl
${list != null && length(list) > 0}
# step: plan
output "text" {
  value = templatefile("${path.module}/c.tftpl", {})
}
# file: c.tftpl
${core::templatefile("c.tftpl", {})}
# step: plan
output "text" {
  value = templatefile("${path.module}/d.tftpl", { a = 1 })
}
# file: d.tftpl
${a} ${b}
# step: plan
output "text" {
  value = templatefile("${path.module}/e.tftpl", {})
}
# file: e.tftpl
${
# step: plan
output "text" {
  value = templatefile("${path.module}/f.tftpl", { list = [1] })
}
# file: f.tftpl
%{ for a in list }${upper(a, a)}%{ endfor }
