resource "time_static" "release" {
  triggers = {
    # A new version has a new time.
    version = var.release_version
  }
}

resource "terraform_data" "deployment" {
  # The version is read from the triggers, so that it never changes without the time.
  input = {
    version     = time_static.release.triggers.version
    released_at = time_static.release.rfc3339
  }
}
