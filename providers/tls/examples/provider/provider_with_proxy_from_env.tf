provider "tls" {
  proxy {
    # The default: HTTPS_PROXY and NO_PROXY determine the proxy.
    from_env = true
  }
}
