# The ID consists of the create duration and the destroy duration. Either can be empty.
terraform import time_sleep.account 30s,
terraform import time_sleep.network ,30s
