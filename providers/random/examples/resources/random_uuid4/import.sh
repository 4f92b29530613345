# The ID is the UUID.
terraform import random_uuid4.request 5f0c1a52-0b1d-42aa-9c3e-64d0b2f4a6e8
