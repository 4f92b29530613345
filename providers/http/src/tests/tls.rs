//! TLS: server certificates and client certificates, and proxies.

use expect_test::expect;
use ferroform::path;
use ferroform_testing::config;

use super::{errors, read};
use crate::server::certificates::{Authority, Identity, expired, self_signed, server};
use crate::server::{Server, ok, redirect};

fn https(identity: &Identity) -> Server {
    Server::with_tls(server(identity, None), |_| ok("secure"))
}

/// The error if the server certificate is rejected. The request is not retried.
fn rejected(server: &Server, ca: Option<&str>) -> String {
    let config = config! { url = server.url("/"), ca_cert_pem = ca, retry { attempts = 2 } };
    let error = errors(config).to_string();
    assert!(error.starts_with("url: Error making request: ") && !error.contains("attempts"), "{error}");
    assert!(server.requests().is_empty());
    error
}

fn accepted(server: &Server, ca: &str) {
    let read = read(config! { url = server.url("/"), ca_cert_pem = ca });
    assert_eq!(read.get::<String>(path!(response_body)), "secure");
}

#[test]
fn certificate_of_unknown_ca_is_rejected() {
    let (authority, other) = (Authority::new(), Authority::new());
    let server = https(&authority.issue("localhost"));
    rejected(&server, None);
    rejected(&server, Some(&other.pem()));
    accepted(&server, &authority.pem());
    // A document with several certificates and other content.
    let key = authority.issue("localhost").key;
    accepted(&server, &format!("Bundle\n{key}{}{}", other.pem(), authority.pem()));
}

#[test]
fn trusted_server_certificate_is_accepted() {
    for is_ca in [true, false] {
        let identity = self_signed("localhost", is_ca);
        accepted(&https(&identity), &identity.certificate);
        let other = self_signed("localhost", is_ca);
        rejected(&https(&other), Some(&identity.certificate));
    }
    let issued = Authority::new().issue("localhost");
    accepted(&https(&issued), &issued.certificate);
}

#[test]
fn certificate_for_another_host_is_rejected() {
    let authority = Authority::new();
    let server = https(&authority.issue("example.com"));
    let error = rejected(&server, Some(&authority.pem()));
    assert!(error.contains("example.com"), "{error}");
    let own = self_signed("example.com", true);
    assert!(rejected(&https(&own), Some(&own.certificate)).contains("example.com"));
}

#[test]
fn expired_certificate_is_rejected() {
    let own = expired("localhost");
    let error = rejected(&https(&own), Some(&own.certificate));
    assert!(error.contains("expired"), "{error}");
}

#[test]
fn insecure_request_accepts_every_certificate() {
    for identity in [self_signed("example.com", true), expired("example.com"), Authority::new().issue("a")] {
        let read = read(config! { url = https(&identity).url("/"), insecure = true });
        assert_eq!(read.get::<String>(path!(response_body)), "secure");
    }
    let error = errors(config! { url = https(&self_signed("localhost", true)).url("/"), insecure = false });
    assert!(error.to_string().starts_with("url: Error making request: "), "{error}");
}

#[test]
fn client_certificate_is_sent() {
    let authority = Authority::new();
    let tls = server(&authority.issue("localhost"), Some(&authority.pem()));
    let server = Server::with_tls(tls, |_| ok("secure"));
    let client = authority.issue("client");
    let other = Authority::new().issue("client");
    let with = |certificate: Option<&str>, key: Option<&str>| {
        config! {
            url = server.url("/"),
            ca_cert_pem = authority.pem(),
            client_cert_pem = certificate,
            client_key_pem = key,
        }
    };
    let body: String = read(with(Some(&client.certificate), Some(&client.key))).get(path!(response_body));
    assert_eq!(body, "secure");
    let error = errors(with(None, None)).to_string();
    assert!(error.starts_with("url: Error making request: ") && error.contains("ertificate"), "{error}");
    let error = errors(with(Some(&other.certificate), Some(&other.key))).to_string();
    assert!(error.starts_with("url: Error making request: "), "{error}");

    let summary = "error creating x509 key pair: ";
    let error = errors(with(Some(&client.certificate), Some(&other.key))).to_string();
    assert!(error.starts_with(&format!("client_cert_pem: {summary}")), "{error}");
}

#[test]
fn invalid_client_certificate_or_key_is_an_error() {
    let client = Authority::new().issue("client");
    let with = |certificate: &str, key: &str| {
        errors(config! { url = "https://localhost:1/", client_cert_pem = certificate, client_key_pem = key })
            .to_string()
    };
    let error = with("invalid", &client.key);
    expect!["client_cert_pem: error creating x509 key pair: `client_cert_pem` contains no valid PEM-encoded certificate. A certificate begins with `-----BEGIN CERTIFICATE-----` and ends with `-----END CERTIFICATE-----`."].assert_eq(&error);
    let broken = "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n";
    let error = with(broken, &client.key);
    expect!["client_cert_pem: error creating x509 key pair: The certificate in `client_cert_pem` cannot be parsed."].assert_eq(&error);
    const EXPECTED: &str = "client_key_pem: error creating x509 key pair: `client_key_pem` must contain an unencrypted RSA, P-256, P-384 or Ed25519 private key in PEM \
                            format: PKCS#8, PKCS#1 or SEC 1.";
    let traditional =
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nYQ==\n-----END RSA PRIVATE KEY-----\n";
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nYQ==\n-----END ENCRYPTED PRIVATE KEY-----\n";
    for key in ["invalid", "", &client.certificate, traditional, encrypted] {
        assert_eq!(with(&client.certificate, key), EXPECTED);
    }
    let broken = "-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n";
    let error = with(&client.certificate, broken);
    expect!["client_key_pem: error creating x509 key pair: `client_key_pem` must contain an unencrypted RSA, P-256, P-384 or Ed25519 private key in PEM format: PKCS#8, PKCS#1 or SEC 1."].assert_eq(&error);
}

#[test]
fn invalid_ca_certificate_is_an_error() {
    let error = errors(config! { url = "https://localhost:1/", ca_cert_pem = "invalid" }).to_string();
    expect!["ca_cert_pem: Error configuring TLS client: `ca_cert_pem` contains no valid PEM-encoded certificate. A certificate begins with `-----BEGIN CERTIFICATE-----` and ends with `-----END CERTIFICATE-----`."].assert_eq(&error);
    let broken = "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n";
    let broken = errors(config! { url = "https://localhost:1/", ca_cert_pem = broken }).to_string();
    expect![
        "ca_cert_pem: Error configuring TLS client: `ca_cert_pem` contains no certificate that can be parsed."
    ]
    .assert_eq(&broken);
}

#[test]
fn redirect_from_https_to_http_has_no_referer() {
    let target = Server::start(|_| ok(""));
    let location = target.url("/");
    let tls = server(&self_signed("localhost", true), None);
    let server = Server::with_tls(tls, move |_| redirect(302, &location));
    read(config! { url = server.url("/"), insecure = true });
    assert_eq!(target.request().header("Referer"), None);
}

#[test]
fn no_proxy_matches_hosts_like_go() {
    let matches = |no_proxy: &str, url: &str| {
        let url: reqwest::Url = url.parse().unwrap();
        crate::no_proxy::is_excluded(no_proxy, url.host_str().unwrap(), url.port_or_known_default().unwrap())
    };
    for (element, url, expected) in [
        ("*", "http://example.com/", true),
        ("example.com", "http://example.com/", true),
        ("example.com", "http://WWW.example.com/", true),
        (" Example.COM ", "http://example.com/", true),
        ("example.com", "http://myexample.com/", false),
        (".example.com", "http://example.com/", false),
        (".example.com", "http://www.example.com/", true),
        ("*.example.com", "http://www.example.com/", true),
        ("*.example.com", "http://example.com/", false),
        ("example.com:8080", "http://example.com/", false),
        ("example.com:8080", "http://example.com:8080/", true),
        ("example.com:port", "http://example.com/", false),
        ("example.com:", "http://example.com/", true),
        ("*example.com", "http://example.com/", false),
        (":80", "http://example.com/", false),
        ("example.com:443", "https://example.com/", true),
        ("10.0.0.0/8", "http://10.1.2.3/", true),
        ("10.0.0.0/8", "http://11.1.2.3/", false),
        ("10.0.0.0/8", "http://example.com/", false),
        ("10.1.2.3", "http://10.1.2.3/", true),
        ("10.1.2.3:80", "http://10.1.2.3/", true),
        ("10.1.2.3:81", "http://10.1.2.3/", false),
        ("fe80::1", "http://[fe80::1]/", true),
        ("[fe80::1]:80", "http://[fe80::1]/", true),
        ("[fe80::1]:81", "http://[fe80::1]/", false),
        ("", "http://example.com/", false),
    ] {
        assert_eq!(matches(element, url), expected, "{element:?} and {url}");
    }
}
