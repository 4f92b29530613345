# Without a seed: the `result`, `min` and `max`.
terraform import random_integer.port 23456,20000,29999

# With a seed: the `result`, `min`, `max` and `seed`.
terraform import random_integer.port 23456,20000,29999,my-seed
