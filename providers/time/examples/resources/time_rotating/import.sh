# The ID consists of the base time, and of the years, months, days, hours and minutes. Omit those that the
# configuration omits.
terraform import time_rotating.month 2030-02-12T06:36:13Z,,,30,,

# With `rotation_rfc3339`, the ID consists of the base time and the rotation time.
terraform import time_rotating.month 2030-02-12T06:36:13Z,2030-03-13T06:36:13Z
