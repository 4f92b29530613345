# The ID is the string.
terraform import random_string.suffix k3m9qa
