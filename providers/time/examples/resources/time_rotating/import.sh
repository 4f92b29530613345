# The ID consists of the base timestamp, years, months, days, hours and minutes. Leave the position of an omitted argument
# empty.
terraform import time_rotating.month 2030-02-12T06:36:13Z,,,30,,

# With `rotation_rfc3339`, the ID consists of the base timestamp and the rotation timestamp.
terraform import time_rotating.month 2030-02-12T06:36:13Z,2030-03-13T06:36:13Z
