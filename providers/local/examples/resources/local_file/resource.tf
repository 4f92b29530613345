resource "local_file" "greeting" {
  filename = "${path.module}/greeting.txt"
  content  = "Hello"
}
