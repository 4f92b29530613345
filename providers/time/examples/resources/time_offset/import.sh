# The ID consists of the base time, and of the years, months, days, hours, minutes and seconds. Omit those that the
# configuration omits.
terraform import time_offset.week 2020-02-12T06:36:13Z,,,7,,,
