# GET is the default method.
data "http" "version" {
  url = "https://checkpoint-api.hashicorp.com/v1/check/terraform"

  request_headers = {
    Accept = "application/json"
  }

  # Sends the request at most three times, with a timeout of five seconds each.
  request_timeout_ms = 5000
  retry {
    attempts     = 2
    min_delay_ms = 500
  }
}

output "version" {
  value = jsondecode(data.http.version.response_body).current_version
}

# Requests only the status code and the header fields.
data "http" "headers" {
  url    = "https://checkpoint-api.hashicorp.com/v1/check/terraform"
  method = "HEAD"
}

# Sends a search query in the body.
data "http" "search" {
  url    = "https://search.example.com/v1/documents"
  method = "POST"

  request_headers = {
    Content-Type = "application/json"
  }
  request_body = jsonencode({ query = "terraform" })
}
