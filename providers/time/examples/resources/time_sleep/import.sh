# The ID consists of the duration of the creation and that of the destroy. One of them can be empty.
terraform import time_sleep.account 30s,
terraform import time_sleep.network ,30s
