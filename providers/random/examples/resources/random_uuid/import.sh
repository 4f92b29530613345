# The ID is the UUID.
terraform import random_uuid.request 5f0c1a52-0b1d-92aa-1c3e-64d0b2f4a6e8
