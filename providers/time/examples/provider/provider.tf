variable "release_version" {
  type    = string
  default = "1.2.0"
}

resource "time_static" "release" {
  triggers = {
    # Record a new timestamp each time the version changes.
    version = var.release_version
  }
}

resource "terraform_data" "deployment" {
  # Read the version from `triggers`, so that it changes only together with the timestamp.
  input = {
    version     = time_static.release.triggers.version
    released_at = time_static.release.rfc3339
  }
}
