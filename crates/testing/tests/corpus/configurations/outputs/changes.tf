# Created, changed, unchanged and removed outputs.

# step: apply
output "same" { value = 1 }
output "changed" { value = { a = 1, b = 2 } }
output "removed" { value = [1] }
# step: apply
output "same" { value = 1 }
output "changed" { value = { a = 1, b = 3 } }
output "added" { value = true }
