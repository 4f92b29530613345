import {
  to = local_file.greeting
  id = "./greeting.txt"
}
