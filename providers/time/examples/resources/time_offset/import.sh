# The ID consists of the base timestamp, years, months, days, hours, minutes and seconds. Leave the position of an omitted
# argument empty.
terraform import time_offset.week 2020-02-12T06:36:13Z,,,7,,,
