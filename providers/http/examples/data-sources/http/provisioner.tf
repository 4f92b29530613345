data "http" "health" {
  url = "https://app.example.com/health"
}

resource "null_resource" "check" {
  provisioner "local-exec" {
    # The commands `true` and `false`.
    command = contains([200, 204], data.http.health.status_code)
  }
}
