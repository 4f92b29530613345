resource "time_static" "release" {
  triggers = {
    version = "1.2.0"
  }
}

output "release" {
  value = "${time_static.release.triggers.version} of ${time_static.release.rfc3339}"
}
