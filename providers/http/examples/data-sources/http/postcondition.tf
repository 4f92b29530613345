data "http" "version" {
  url = "https://checkpoint-api.hashicorp.com/v1/check/terraform"

  lifecycle {
    postcondition {
      condition     = self.status_code == 200
      error_message = "The server returned the status code ${self.status_code}."
    }
  }
}
