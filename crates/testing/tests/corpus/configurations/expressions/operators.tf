# Arithmetic, comparison and logic.

# step: apply
output "arithmetic" {
  value = [1 + 2 * 3, (1 + 2) * 3, 7 % 3, -7 / 2, 2 - -2]
}

output "comparison" {
  value = [1 < 2, 2 <= 2, "a" == "a", 1 == "1", [1] == [1], null == null, { a = 1 } != { a = 2 }]
}

output "logic" {
  value = [true && false, true || false, !true]
}
