output "time" {
  value = provider::time::unix_timestamp_parse(1606105443).rfc3339
}
