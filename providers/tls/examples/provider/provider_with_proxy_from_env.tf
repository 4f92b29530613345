provider "tls" {
  proxy {
    # This is the default: read the proxy from HTTPS_PROXY and NO_PROXY.
    from_env = true
  }
}
