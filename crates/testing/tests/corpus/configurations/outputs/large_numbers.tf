# Numbers keep all their digits in the state.

# step: apply
output "big" {
  value = 18446744073709551617
}

output "third" {
  value = 1 / 3
}

output "list" {
  value = [100000000000000000000.5, 1.5e300]
}

resource "terraform_data" "t" {
  input = 1 / 3
}

resource "terraform_data" "u" {
  input = 100000000000000000000.5
}

output "is_same" {
  value = [terraform_data.u.output == 100000000000000000000.5, terraform_data.t.output == 1 / 3]
}
# step: apply
