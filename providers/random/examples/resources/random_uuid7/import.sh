# The ID is the UUID.
terraform import random_uuid7.request 01987654-3210-7abc-9def-0123456789ab
