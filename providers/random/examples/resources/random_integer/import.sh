# The ID consists of the result, the minimum and the maximum.
terraform import random_integer.port 23456,20000,29999

# The seed, if there is one, follows.
terraform import random_integer.port 23456,20000,29999,my-seed
