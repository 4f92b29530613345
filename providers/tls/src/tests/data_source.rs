//! The `tls_certificate` data source.

use expect_test::expect;
use ferroform::path;
use ferroform_testing::{Configuration, Harness, Snapshot, config, unknown};
use hyper_util::client::proxy::matcher::Matcher;

use super::server::Server;
use super::{Files, harness, key, string};
use crate::Tls;
use crate::proxy::ProxySelector;

/// The certificates of an authority and of a server, and the key of both.
struct Chain {
    authority: String,
    server: String,
    key: String,
}

impl Chain {
    fn new(harness: &Harness) -> Chain {
        let key = key(harness);
        let mut authority = harness.resource("tls_self_signed_cert");
        authority.apply(config! {
            private_key_pem = &*key, validity_period_hours = 876000, is_ca_certificate = true, max_path_length = 2,
            allowed_uses = ["cert_signing"],
            subject { common_name = "Root CA", organization = "Test Org", locality = "Here" },
        });
        let authority = string(&authority, "cert_pem");
        let mut request = harness.resource("tls_cert_request");
        request.apply(config! {
            private_key_pem = &*key, ip_addresses = ["127.0.0.1"], subject { common_name = "Server" },
        });
        let mut server = harness.resource("tls_locally_signed_cert");
        server.apply(config! {
            ca_cert_pem = &*authority, ca_private_key_pem = &*key, validity_period_hours = 876000,
            cert_request_pem = string(&request, "cert_request_pem"), allowed_uses = ["server_auth"],
        });
        Chain { authority, server: string(&server, "cert_pem"), key }
    }

    fn serve(&self, respond: fn(&str) -> Option<String>) -> Server {
        Server::tls(&format!("{}{}", self.server, self.authority), &self.key, respond)
    }

    /// Checks that the authority is the first of two certificates.
    fn check(&self, found: &Snapshot) {
        assert_eq!(found.get::<String>(path!(certificates[0].cert_pem)), self.authority);
        assert_eq!(found.get::<String>(path!(certificates[1].cert_pem)), self.server);
    }
}

fn ok(_: &str) -> Option<String> {
    Some("200 OK".to_owned())
}

fn read(harness: &Harness, config: Configuration) -> Snapshot {
    harness.data_source("tls_certificate").read(config)
}

fn error(harness: &Harness, config: Configuration) -> String {
    harness.data_source("tls_certificate").try_read(config).error().to_string()
}

#[test]
fn contents_of_a_certificate_are_read() {
    let (harness, files) = (harness(), Files::new());
    let chain = Chain::new(&harness);
    files.write("cert", &chain.authority);
    let found = read(&harness, config! { content = &*chain.authority });
    let get = |name: &str| found.get::<String>(path!(certificates[0]).name(name));
    assert_eq!(get("signature_algorithm"), "ECDSA-SHA256");
    assert_eq!(get("public_key_algorithm"), "ECDSA");
    assert_eq!((get("issuer"), get("subject")), (get("subject"), "CN=Root CA,O=Test Org,L=Here".to_owned()));
    assert_eq!(
        (get("not_before"), get("not_after")),
        ("2025-01-01T00:00:00Z".into(), "2124-12-08T00:00:00Z".into())
    );
    assert_eq!(get("cert_pem"), chain.authority);
    assert!(found.get::<bool>(path!(certificates[0].is_ca)));
    assert_eq!(found.get::<i64>(path!(certificates[0].max_path_length)), 2);
    assert_eq!(found.get::<u8>(path!(certificates[0].version)), 3);
    let fingerprint =
        files.run("openssl x509 -in cert -noout -fingerprint -sha1").replace(':', "").to_lowercase();
    assert!(fingerprint.contains(&get("sha1_fingerprint")));
    let serial = files.run("openssl x509 -in cert -noout -serial");
    let serial = u128::from_str_radix(serial.trim().trim_start_matches("serial="), 16).unwrap();
    assert_eq!(get("serial_number"), serial.to_string());
    // The checksum of the text that Go prints for the certificates.
    let pem = get("cert_pem").replace('\n', "\\n");
    files.write("text", &format!(
        "[{{\"ECDSA-SHA256\" \"ECDSA\" \"{serial}\" true 2 3 \"CN=Root CA,O=Test Org,L=Here\" \"CN=Root CA,O=Test \
         Org,L=Here\" \"2025-01-01T00:00:00Z\" \"2124-12-08T00:00:00Z\" \"{}\" \"{pem}\"}}]",
        get("sha1_fingerprint")
    ));
    assert!(files.run("openssl dgst -r -sha1 text").starts_with(&found.get::<String>(path!(id))));
}

#[test]
fn certificates_of_other_programs_are_read() {
    let (harness, files) = (harness(), Files::new());
    let certificate = |options: &str, key: &str| {
        files.run(&format!("openssl req -x509 -nodes -keyout key -out cert -days 1 {options} {key}"));
        read(&harness, config! { content = files.read("cert") })
    };
    let subject =
        "-multivalue-rdn -utf8 -subj /emailAddress=a@b.example/O=#a,b/OU=x+CN=Straße/OU=y/CN=z/DC=example";
    let found = certificate(subject, "-newkey rsa:1024 -sha384");
    expect![[r#"CN=z,OU=x+OU=y,O=\#a\,b,0.9.2342.19200300.100.1.25=#13076578616d706c65,1.2.840.113549.1.9.1=#0c0b6140622e6578616d706c65"#]].assert_eq(&found.get::<String>(path!(certificates[0].subject)));
    assert_eq!(found.get::<String>(path!(certificates[0].signature_algorithm)), "SHA384-RSA");
    assert_eq!(found.get::<String>(path!(certificates[0].public_key_algorithm)), "RSA");
    assert_eq!(found.get::<i64>(path!(certificates[0].max_path_length)), -1);

    // Neither basic constraints nor version 3, and a negative serial number.
    files.write("config", "[req]\ndistinguished_name=dn\n[dn]\n");
    let found = certificate("-subj /CN=a -config config -set_serial -129", "-newkey ed25519");
    assert_eq!(found.get::<i64>(path!(certificates[0].max_path_length)), 0);
    assert_eq!(found.get::<String>(path!(certificates[0].serial_number)), "-129");
    assert_eq!(found.get::<String>(path!(certificates[0].signature_algorithm)), "Ed25519");
    let found = certificate("-subj /CN=a -sigopt rsa_padding_mode:pss", "-newkey rsa:1024 -sha256");
    assert_eq!(found.get::<String>(path!(certificates[0].signature_algorithm)), "SHA256-RSAPSS");
}

#[test]
fn certificates_of_servers_are_read() {
    let harness = harness();
    let chain = Chain::new(&harness);
    let server = chain.serve(ok);
    let found =
        read(&harness, config! { url = format!("https://{}/a?b=c", server.address), verify_chain = false });
    chain.check(&found);
    assert_eq!(*server.requests.lock().unwrap(), ["HEAD /a?b=c"]);
    chain.check(&read(&harness, config! { url = format!("tls://{}", server.address), verify_chain = false }));

    // Without a response to HEAD.
    let server = chain.serve(|request| request.starts_with("GET").then(|| "404 Not Found".to_owned()));
    chain.check(&read(
        &harness,
        config! { url = format!("https://{}", server.address), verify_chain = false },
    ));
    assert_eq!(*server.requests.lock().unwrap(), ["HEAD /", "GET /"]);

    // The certificates are those after all redirects.
    let server = chain.serve(|request| match request {
        "HEAD /a" => Some("302 Found\r\nlocation: /b".to_owned()),
        _ => Some("200 OK".to_owned()),
    });
    chain.check(&read(
        &harness,
        config! { url = format!("https://{}/a", server.address), verify_chain = false },
    ));
    assert_eq!(*server.requests.lock().unwrap(), ["HEAD /a", "HEAD /b"]);
}

#[test]
fn proxies_are_used_for_https() {
    let harness = harness();
    let chain = Chain::new(&harness);
    let server = chain.serve(ok);
    let config = || config! { url = "https://example.invalid", verify_chain = false };
    let proxy = Server::http_proxy(server.address);
    let url = format!("http://{}", proxy.address);
    let through =
        Harness::start::<Tls>(config! { proxy { url = &*url, username = "me", password = "p@ss:word" } });
    chain.check(&read(&through, config()));
    expect![[r#"
        [
            "CONNECT example.invalid:443 HTTP/1.1",
            "Proxy-Authorization: Basic bWU6cEBzczp3b3Jk",
        ]
    "#]]
    .assert_debug_eq(&proxy.requests.lock().unwrap());

    let proxy = Server::socks_proxy(server.address);
    let url = format!("socks5://{}", proxy.address);
    let through =
        Harness::start::<Tls>(config! { proxy { url = &*url, username = "me", password = "secret" } });
    chain.check(&read(&through, config()));
    assert_eq!(*proxy.requests.lock().unwrap(), ["me secret example.invalid"]);
    // TLS connections without HTTP use no proxy.
    chain.check(&read(&through, config! { url = format!("tls://{}", server.address), verify_chain = false }));
    assert_eq!(proxy.requests.lock().unwrap().len(), 1);

    let selector = ProxySelector {
        matcher: Matcher::builder().https("http://proxy.test:3128").build(),
        no_proxy: Some("*.test,.foo.example".to_owned()),
    };
    for (host, is_used) in [
        ("a.test", false),
        ("test", true),
        ("foo.example", true),
        ("a.foo.example", false),
        ("localhost", false),
    ] {
        let url = format!("https://{host}/");
        let selected = selector.select(&url.parse().unwrap(), &url.parse().unwrap());
        assert_eq!(selected.is_some(), is_used, "{host}");
    }

    // A proxy that refuses the connection.
    let url = "http://me:secret@127.0.0.1:1";
    let through = Harness::start::<Tls>(config! { proxy { url = url } });
    expect!["url: Failed to identify fetch peer certificates: The request to example.invalid:443 through the proxy 127.0.0.1:1 failed: Tunnel error: failed to create underlying connection: tcp connect error: Connection refused (os error 111)."].assert_eq(&error(&through, config()));

    let none = Harness::start::<Tls>(config! { proxy { from_env = false } });
    let direct = config! { url = format!("https://{}", server.address), verify_chain = false };
    chain.check(&read(&none, direct));
    none.configure(config! { proxy { url = unknown() } });
    let direct = config! { url = format!("https://{}", server.address), verify_chain = false };
    expect![[r#"url: Failed to identify fetch peer certificates: Unknown Proxy: The "proxy" block of the provider configuration is known only after apply."#]].assert_eq(&error(&none, direct));
}

#[test]
fn untrusted_certificates_and_unreachable_servers_are_errors() {
    let harness = harness();
    let server = Chain::new(&harness).serve(ok);
    let address = server.address.to_string();
    for scheme in ["https", "tls"] {
        let error = error(&harness, config! { url = format!("{scheme}://{address}") });
        let expected = format!(
            "url: Failed to identify fetch peer certificates: The request to {address} failed: Invalid peer certificate: UnknownIssuer."
        );
        assert_eq!(error, expected);
    }
    expect!["url: Failed to identify fetch peer certificates: The request to 127.0.0.1:1 failed: Tcp connect error: Connection refused (os error 111)."].assert_eq(&error(&harness, config! { url = "tls://127.0.0.1:1" }));
    // A redirect to a server without certificates.
    let server =
        Chain::new(&harness).serve(|_| Some("301 Moved\r\nlocation: http://example.invalid/".to_owned()));
    let url = format!("https://{}", server.address);
    expect!["url: Failed to identify fetch peer certificates: The server redirected to http://example.invalid/, which does not use HTTPS."]
        .assert_eq(&error(&harness, config! { url = url, verify_chain = false }));
    let server = Chain::new(&harness).serve(|_| Some("301 Moved\r\nlocation: /".to_owned()));
    let url = format!("https://{}", server.address);
    expect!["url: Failed to identify fetch peer certificates: Stopped after 10 redirects."]
        .assert_eq(&error(&harness, config! { url = url, verify_chain = false }));
}

#[test]
fn invalid_arguments_are_rejected() {
    let harness = harness();
    for (config, expected) in [
        (
            config! {},
            expect![[
                r#"url: Invalid Attribute Combination: Exactly one of "url", "content" must be set, but none is set."#
            ]],
        ),
        (
            config! { url = "https://example.com", content = "x", verify_chain = true },
            expect![[r#"
                url: Invalid Attribute Combination: Exactly one of "url", "content" must be set, but "url" and "content" are set.
                verify_chain: Invalid Attribute Combination: "verify_chain" cannot be set together with "content"."#]],
        ),
        (
            config! { url = "ftp://example.com" },
            expect![[
                r#"url: Invalid URL scheme: The scheme of "ftp://example.com" must be one of ["https", "tls"], but got "ftp"."#
            ]],
        ),
        (
            config! { url = "https://" },
            expect![[r#"url: Invalid URL: "https://" is not a valid URL: empty host."#]],
        ),
        (
            config! { url = "https:localhost:18443" },
            expect![[
                r#"url: Invalid URL: "https:localhost:18443" is not a valid URL: it does not begin with a scheme and a host."#
            ]],
        ),
        (
            config! { url = "https:/localhost" },
            expect![[
                r#"url: Invalid URL: "https:/localhost" is not a valid URL: it does not begin with a scheme and a host."#
            ]],
        ),
        (
            config! { url = " https://localhost" },
            expect![[
                r#"url: Invalid URL: " https://localhost" is not a valid URL: it does not begin with a scheme and a host."#
            ]],
        ),
        (
            config! { url = "https://localhost\\a" },
            expect![[
                r#"url: Invalid URL: "https://localhost\\a" is not a valid URL: it contains a control character or a backslash."#
            ]],
        ),
        (
            config! { url = "tls:a" },
            expect![[
                r#"url: Invalid URL: "tls:a" is not a valid URL: it does not begin with a scheme and a host."#
            ]],
        ),
        (
            config! { url = "tls://example.com" },
            expect![
                "url: URL malformed: The URL tls://example.com has no port. With the `tls` scheme, the port is required, such as `tls://example.com:443`."
            ],
        ),
        (
            config! { content = "not a certificate" },
            expect![[r#"content: Failed to decoded PEM: "content" must contain a valid PEM block."#]],
        ),
        (
            config! { content = key(&harness) },
            expect![[
                r#"content: Unexpected PEM preamble: The PEM preamble of a certificate must be "CERTIFICATE", but got "EC PRIVATE KEY"."#
            ]],
        ),
        (
            config! { content = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" },
            expect![
                "content: Unable to parse certificate: unknown/unsupported ASN.1 DER tag: 0x00 at DER byte 1."
            ],
        ),
    ] {
        expected.assert_eq(&error(&harness, config));
    }
    for (config, expected) in [
        (
            config! { proxy { url = "ftp://proxy.example", from_env = true } },
            expect![[r#"
            proxy[0].url: Invalid URL scheme: The scheme of "ftp://proxy.example" must be one of ["http", "https", "socks5"], but got "ftp".
            proxy[0].url: Invalid Attribute Combination: "proxy[0].url" cannot be set together with "proxy[0].from_env".
            proxy[0].from_env: Invalid Attribute Combination: "proxy[0].from_env" cannot be set together with "proxy[0].url"."#]],
        ),
        (
            config! { proxy { username = "a" } },
            expect![[
                r#"proxy[0].username: Invalid Attribute Combination: "proxy[0].url" must be set if "proxy[0].username" is set."#
            ]],
        ),
        (
            config! { proxy { password = "a" } },
            expect![[
                r#"proxy[0].password: Invalid Attribute Combination: "proxy[0].username" must be set if "proxy[0].password" is set."#
            ]],
        ),
        (
            config! { proxy {}, proxy {} },
            expect![
                "proxy: Invalid Attribute Value: At most 1 element is required, but there are 2 elements."
            ],
        ),
    ] {
        expected.assert_eq(&Harness::try_start::<Tls>(config).error().to_string());
    }
}
