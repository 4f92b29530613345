terraform {
  required_providers {
    http = {
      source = "hashicorp/http"
    }
  }
}

data "http" "version" {
  url = "https://checkpoint-api.hashicorp.com/v1/check/terraform"
}

output "version" {
  value = jsondecode(data.http.version.response_body).current_version
}
