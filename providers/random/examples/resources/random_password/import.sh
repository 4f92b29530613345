# The ID is the password.
terraform import random_password.database 'correct-horse-battery-42'
