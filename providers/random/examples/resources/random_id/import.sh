# The ID is the attribute `id`.
terraform import random_id.bucket q83vASNFZ4k

# The prefix, if there is one, is before a comma.
terraform import random_id.bucket logs-,q83vASNFZ4k
