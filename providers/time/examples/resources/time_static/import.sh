# The ID is the timestamp.
terraform import time_static.created 2020-02-12T06:36:13Z
