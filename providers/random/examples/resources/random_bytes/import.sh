# The ID is the value of `base64`.
terraform import random_bytes.signing_key "q83vASNFZ4mrze8BI0VniQ=="
