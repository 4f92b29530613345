# The ID is the path of the file.
terraform import local_file.greeting ./greeting.txt
