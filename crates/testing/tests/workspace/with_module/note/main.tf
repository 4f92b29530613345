terraform {
  required_providers {
    notes = {
      source = "example/notes"
    }
  }
}

variable "title" {
  type = string
}

variable "text" {
  type = string
}

resource "notes_note" "this" {
  title = var.title
  text  = var.text
}

output "size" {
  value = notes_note.this.size
}
