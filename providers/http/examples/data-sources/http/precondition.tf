data "http" "health" {
  url = "https://app.example.com/health"
}

resource "terraform_data" "deployment" {
  input = "1.0.0"

  lifecycle {
    precondition {
      condition     = contains([200, 204], data.http.health.status_code)
      error_message = "The application is not healthy."
    }
  }
}
