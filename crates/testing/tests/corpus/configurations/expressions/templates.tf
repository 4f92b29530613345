# Heredocs, directives and escapes in templates.

# step: apply
variable "names" {
  default = ["a", "b"]
}

output "heredoc" {
  value = <<-EOT
    Names:
    %{ for i, name in var.names ~}
      ${i}: ${name}
    %{ endfor ~}
    end
  EOT
}

output "plain" {
  value = <<EOT
  keeps ${"indentation"}
EOT
}

output "condition" {
  value = "%{ if length(var.names) > 1 }many%{ else }few%{ endif }"
}

output "escapes" {
  value = "$${a} %%{b} \t\"\u00e9\""
}
