# A function that the simulation does not have is an error that names it.
# differs: in process: yamlencode is not supported

# step: apply
output "yaml" {
  value = yamlencode({ a = 1 })
}
# step: plan
output "log" {
  value = log(16, 2)
}
