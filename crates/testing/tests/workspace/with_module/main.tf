terraform {
  required_providers {
    notes = {
      source = "example/notes"
    }
  }
}

variable "service" {
  type = string
}

variable "notes" {
  type = map(string)
}

provider "notes" {
  service = var.service
}

module "note" {
  source   = "./note"
  for_each = var.notes

  title = each.key
  text  = each.value
}

output "sizes" {
  value = { for title, note in module.note : title => note.size }
}
