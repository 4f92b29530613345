# Without a prefix: the `id`.
terraform import random_id.bucket q83vASNFZ4k

# With a prefix: the prefix, a comma and the `id`.
terraform import random_id.bucket logs-,q83vASNFZ4k
