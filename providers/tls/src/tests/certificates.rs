//! Certificates and CSRs, which OpenSSL verifies.

use std::time::Duration;

use expect_test::{Expect, expect};
use ferroform::path;
use ferroform_testing::{Action, Configuration, Harness, config, unknown};

use super::{Files, harness, key, string};

const HOUR: Duration = Duration::from_secs(3600);

/// A configuration with every argument.
fn everything(key: &str) -> Configuration {
    config! {
        private_key_pem = key,
        dns_names = ["example.com", "*.example.net"],
        ip_addresses = ["127.0.0.2", "2001:db8::1", "::ffff:192.0.2.1"],
        uris = ["spiffe://example-trust-domain/ca", "https://example.com"],
        validity_period_hours = 24,
        early_renewal_hours = 1,
        allowed_uses = ["server_auth", "key_encipherment", "decipher_only", "cert_signing", "ipsec_user", "any_extended"],
        is_ca_certificate = true,
        max_path_length = 0,
        set_authority_key_id = true,
        subject {
            organization = "Exämple, Inc", common_name = "example.com", organizational_unit = "Testing",
            street_address = ["5879 Cotton Link", "Floor 2"], locality = "Pirate Harbor", province = "CA",
            country = "US", postal_code = "95559-1227", serial_number = "2", email_address = "me@example.com",
        },
    }
}

/// The output of OpenSSL without key identifiers, which differ in each run.
fn text(files: &Files, command: &str) -> String {
    let is_key_id =
        |line: &str| line.split(':').all(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_hexdigit()));
    let text = files.run(command);
    let lines = text.lines().filter(|line| !is_key_id(line.trim()));
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn certificate_has_all_extensions_of_the_original() {
    let (harness, files) = (harness(), Files::new());
    let mut certificate = harness.resource("tls_self_signed_cert");
    certificate.apply(everything(&key(&harness)));
    files.write("cert", &string(&certificate, "cert_pem"));
    let names = "keyUsage,extendedKeyUsage,basicConstraints,subjectKeyIdentifier,authorityKeyIdentifier,subjectAltName";
    expect![[r#"
        X509v3 Key Usage: critical
            Key Encipherment, Certificate Sign, Decipher Only
        X509v3 Extended Key Usage:
            TLS Web Server Authentication, IPSec User, Any Extended Key Usage
        X509v3 Basic Constraints: critical
            CA:TRUE, pathlen:0
        X509v3 Subject Key Identifier:
        X509v3 Authority Key Identifier:
        X509v3 Subject Alternative Name:
            DNS:example.com, DNS:*.example.net, IP Address:127.0.0.2, IP Address:2001:DB8:0:0:0:0:0:1, IP Address:192.0.2.1, URI:spiffe://example-trust-domain/ca, URI:https://example.com
    "#]]
    .assert_eq(&text(&files, &format!("openssl x509 -in cert -noout -ext {names}")));
    let subject = "openssl x509 -in cert -noout -nameopt RFC2253,show_type,-esc_msb,utf8 -subject -issuer";
    expect![[r#"
        subject=emailAddress=IA5STRING:me@example.com,serialNumber=PRINTABLESTRING:2,CN=PRINTABLESTRING:example.com,OU=PRINTABLESTRING:Testing,O=UTF8STRING:Exämple\, Inc,postalCode=PRINTABLESTRING:95559-1227,street=PRINTABLESTRING:5879 Cotton Link+street=PRINTABLESTRING:Floor 2,L=PRINTABLESTRING:Pirate Harbor,ST=PRINTABLESTRING:CA,C=PRINTABLESTRING:US
        issuer=emailAddress=IA5STRING:me@example.com,serialNumber=PRINTABLESTRING:2,CN=PRINTABLESTRING:example.com,OU=PRINTABLESTRING:Testing,O=UTF8STRING:Exämple\, Inc,postalCode=PRINTABLESTRING:95559-1227,street=PRINTABLESTRING:5879 Cotton Link+street=PRINTABLESTRING:Floor 2,L=PRINTABLESTRING:Pirate Harbor,ST=PRINTABLESTRING:CA,C=PRINTABLESTRING:US
    "#]].assert_eq(&files.run(subject));
    // The harness starts its clock at this time.
    expect![[r#"
        notBefore=Jan  1 00:00:00 2025 GMT
        notAfter=Jan  2 00:00:00 2025 GMT
    "#]]
    .assert_eq(&files.run("openssl x509 -in cert -noout -dates"));
    assert_eq!(string(&certificate, "validity_start_time"), "2025-01-01T00:00:00Z");
    assert_eq!(string(&certificate, "validity_end_time"), "2025-01-02T00:00:00Z");
    let serial = files.run("openssl x509 -in cert -noout -serial");
    let serial = u128::from_str_radix(serial.trim().trim_start_matches("serial="), 16).unwrap();
    assert_eq!(string(&certificate, "id"), serial.to_string());
    // The encoding matches that of OpenSSL.
    assert_eq!(files.run("openssl x509 -in cert"), string(&certificate, "cert_pem"));
}

#[test]
fn certificate_request_has_all_attributes_of_the_original() {
    let (harness, files) = (harness(), Files::new());
    let mut request = harness.resource("tls_cert_request");
    let config = config! {
        private_key_pem = key(&harness), dns_names = ["example.com"], ip_addresses = ["127.0.0.2"],
        uris = ["spiffe://a/b"], subject { common_name = "a", email_address = "me@example.com" },
    };
    request.apply(config);
    files.write("request", &string(&request, "cert_request_pem"));
    files.run("openssl req -in request -verify -noout");
    let text = files.run("openssl req -in request -noout -text -subject");
    for part in
        ["DNS:example.com, IP Address:127.0.0.2, URI:spiffe://a/b", "CN = a, emailAddress = me@example.com"]
    {
        assert!(text.contains(part), "{text}");
    }
    files.run("openssl req -in request -outform DER -out der");
    assert_eq!(crate::checksum(&files.bytes("der")), string(&request, "id"));
    assert_eq!(string(&request, "key_algorithm"), "ECDSA");

    let mut empty = harness.resource("tls_cert_request");
    empty.apply(config! { private_key_pem = key(&harness), subject {} });
    files.write("request", &string(&empty, "cert_request_pem"));
    let text = files.run("openssl req -in request -verify -noout -text -subject");
    assert!(text.contains("subject=\n") && !text.contains("Alternative"), "{text}");
}

#[test]
fn openssl_verifies_the_signatures_of_all_keys() {
    let (harness, files) = (harness(), Files::new());
    let keys = [
        (config! { algorithm = "RSA" }, "sha256WithRSAEncryption"),
        (config! { algorithm = "ECDSA", ecdsa_curve = "P224" }, "ecdsa-with-SHA256"),
        (config! { algorithm = "ECDSA", ecdsa_curve = "P256" }, "ecdsa-with-SHA256"),
        (config! { algorithm = "ECDSA", ecdsa_curve = "P384" }, "ecdsa-with-SHA384"),
        (config! { algorithm = "ECDSA", ecdsa_curve = "P521" }, "ecdsa-with-SHA512"),
        (config! { algorithm = "ED25519" }, "ED25519"),
    ];
    for (config, signature) in keys {
        let mut key = harness.resource("tls_private_key");
        key.apply(config);
        let key = string(&key, "private_key_pem_pkcs8");
        let mut authority = harness.resource("tls_self_signed_cert");
        authority.apply(config! {
            private_key_pem = &*key, validity_period_hours = 876000, is_ca_certificate = true, max_path_length = -1,
            allowed_uses = ["cert_signing"], subject { organization = "CA" },
        });
        let mut request = harness.resource("tls_cert_request");
        request.apply(config! {
            private_key_pem = &*key, dns_names = ["a.example"], subject { common_name = "a", email_address = "a@a.example" },
        });
        let mut certificate = harness.resource("tls_locally_signed_cert");
        certificate.apply(config! {
            ca_cert_pem = string(&authority, "cert_pem"), ca_private_key_pem = &*key, set_subject_key_id = true,
            cert_request_pem = string(&request, "cert_request_pem"), validity_period_hours = 876000,
            allowed_uses = ["digital_signature", "server_auth"],
        });
        assert_eq!(certificate.state().get::<Option<i64>>(path!(max_path_length)), None);
        files.write("ca", &string(&authority, "cert_pem"));
        files.write("request", &string(&request, "cert_request_pem"));
        files.write("cert", &string(&certificate, "cert_pem"));
        files.run("openssl req -in request -verify -noout");
        files.run("openssl verify -CAfile ca -check_ss_sig -x509_strict ca");
        files.run("openssl verify -CAfile ca -purpose sslserver -verify_hostname a.example cert");
        let text = files.run("openssl x509 -in cert -noout -text");
        for part in
            [signature, "Issuer: O = CA", "Subject: CN = a, emailAddress = a@a.example", "DNS:a.example"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        // The validity ends after 2049, so its end has the other type of time.
        assert!(text.contains("Not After : Dec  8 00:00:00 2124 GMT"), "{text}");
        let key_id = |file: &str, name: &str| {
            let text = files.run(&format!("openssl x509 -in {file} -noout -ext {name}"));
            text.lines().nth(1).unwrap().trim().to_owned()
        };
        assert_eq!(key_id("cert", "authorityKeyIdentifier"), key_id("ca", "subjectKeyIdentifier"));
        assert_eq!(key_id("cert", "subjectKeyIdentifier"), key_id("ca", "subjectKeyIdentifier"));
    }
}

fn short_lived(key: &str, early_renewal_hours: u64) -> Configuration {
    config! {
        private_key_pem = key, validity_period_hours = 10, early_renewal_hours = early_renewal_hours,
        allowed_uses = [], subject { common_name = "a" },
    }
}

#[test]
fn certificate_is_replaced_when_it_is_ready_for_renewal() {
    let harness = harness();
    let key = key(&harness);
    let mut certificate = harness.resource("tls_self_signed_cert");
    certificate.apply(short_lived(&key, 2));
    let id = string(&certificate, "id");

    // Changing the renewal time is an update.
    assert_eq!(certificate.apply(short_lived(&key, 3)).action, Action::Update);
    assert_eq!(string(&certificate, "id"), id);
    harness.clock().advance(HOUR * 7 - Duration::from_secs(1));
    assert_eq!(certificate.plan(short_lived(&key, 3)).action, Action::NoOp);
    certificate.refresh();
    assert!(!certificate.state().get::<bool>(path!(ready_for_renewal)));

    harness.clock().advance(Duration::from_secs(1));
    let plan = certificate.plan(short_lived(&key, 3));
    assert_eq!((plan.action, plan.requires_replace), (Action::Replace, vec![path!(ready_for_renewal)]));
    certificate.refresh();
    assert!(certificate.state().get::<bool>(path!(ready_for_renewal)));
    // A later renewal time removes the need for a renewal.
    assert_eq!(certificate.plan(short_lived(&key, 2)).action, Action::Update);
    harness.clock().advance(HOUR * 3);
    assert_eq!(certificate.plan(short_lived(&key, 0)).action, Action::Replace);
    certificate.apply(short_lived(&key, 3));
    assert_ne!(string(&certificate, "id"), id);
    assert!(!certificate.state().get::<bool>(path!(ready_for_renewal)));
}

#[test]
fn certificate_without_validity_is_always_ready_for_renewal() {
    let harness = harness().skip_check(ferroform_testing::Invariant::PlanIsEmptyAfterApply);
    let key = key(&harness);
    for (validity, early) in [(0, 0), (5, 5), (5, 6)] {
        let config = || {
            config! {
                private_key_pem = &*key, validity_period_hours = validity, early_renewal_hours = early, allowed_uses = [],
            }
        };
        let mut certificate = harness.resource("tls_self_signed_cert");
        certificate.apply(config());
        assert!(certificate.state().get::<bool>(path!(ready_for_renewal)));
        assert_eq!(certificate.plan(config()).action, Action::Replace);
    }
}

#[test]
fn changed_arguments_replace_a_certificate() {
    let harness = harness();
    let key = key(&harness);
    let mut certificate = harness.resource("tls_self_signed_cert");
    let config = |name: &str, hours: u64| {
        config! {
            private_key_pem = &*key, validity_period_hours = hours, allowed_uses = ["server_auth"], dns_names = [name],
            subject { common_name = name },
        }
    };
    certificate.apply(config("a", 10));
    assert_eq!(certificate.plan(config("b", 10)).action, Action::Replace);
    assert_eq!(certificate.plan(config("a", 11)).action, Action::Replace);
    assert_eq!(certificate.plan_with_unknowns(config("a", 10)), 24);
    let other =
        config! { private_key_pem = &*key, validity_period_hours = 10, allowed_uses = ["server_auth"] };
    assert_eq!(certificate.plan(other).action, Action::Replace);
    let unknown_hours = config! {
        private_key_pem = &*key, validity_period_hours = 10, allowed_uses = ["server_auth"], dns_names = ["a"],
        early_renewal_hours = unknown(), subject { common_name = "a" },
    };
    assert_eq!(certificate.plan(unknown_hours).action, Action::Replace);
}

fn check_errors(harness: &Harness, resource: &str, cases: Vec<(Configuration, Expect)>) {
    for (config, expected) in cases {
        expected.assert_eq(&harness.resource(resource).try_apply(config).error().to_string());
    }
}

#[test]
fn invalid_certificates_are_rejected() {
    let harness = harness();
    let key = key(&harness);
    let key = &*key;
    check_errors(
        &harness,
        "tls_self_signed_cert",
        vec![
            (
                config! { private_key_pem = "does not matter", validity_period_hours = -1, early_renewal_hours = -10, allowed_uses = ["x"],
                max_path_length = -2, ip_addresses = [""], uris = [""] },
                expect![[r#"
                    ip_addresses[0]: Invalid Attribute Value Length: A string of at least 1 byte is required, but this has 0 bytes.
                    ip_addresses[0]: Invalid IP address: "" is not a valid IP address.
                    uris[0]: Invalid Attribute Value Length: A string of at least 1 byte is required, but this has 0 bytes.
                    uris[0]: Invalid URI: "" is not a valid URI with a scheme: it has no scheme.
                    validity_period_hours: Invalid Attribute Value: A whole number of at least 0 is required, but got -1.
                    allowed_uses[0]: Invalid Attribute Value Match: One of "any_extended", "cert_signing", "client_auth", "code_signing", "content_commitment", "crl_signing", "data_encipherment", "decipher_only", "digital_signature", "email_protection", "encipher_only", "ipsec_end_system", "ipsec_tunnel", "ipsec_user", "key_agreement", "key_encipherment", "microsoft_commercial_code_signing", "microsoft_kernel_code_signing", "microsoft_server_gated_crypto", "netscape_server_gated_crypto", "ocsp_signing", "server_auth", "timestamping" is required, but got "x".
                    early_renewal_hours: Invalid Attribute Value: A whole number of at least 0 is required, but got -10.
                    max_path_length: Invalid Attribute Value: A whole number between -1 and 255 is required, but got -2."#]],
            ),
            (
                config! { private_key_pem = "does not matter", validity_period_hours = 1, allowed_uses = [], ip_addresses = ["1.2.3"],
                uris = ["/a"] },
                expect![[r#"
                    ip_addresses[0]: Invalid IP address: "1.2.3" is not a valid IP address.
                    uris[0]: Invalid URI: "/a" is not a valid URI with a scheme: it has no scheme."#]],
            ),
            (
                config! { private_key_pem = "does not matter", validity_period_hours = 1, allowed_uses = [], subject {}, subject {} },
                expect![
                    "subject: Invalid Attribute Value: At most 1 element is required, but there are 2 elements."
                ],
            ),
            (
                config! { private_key_pem = "does not matter", validity_period_hours = 1, allowed_uses = [] },
                expect![
                    "private_key_pem: Failed to parse private key PEM: The value contains no valid PEM block."
                ],
            ),
            (
                config! { private_key_pem = key, validity_period_hours = 1, allowed_uses = [], is_ca_certificate = true },
                expect![[
                    r#"subject: Invalid Certificate Subject: A CA certificate requires at least one attribute in its "subject" block."#
                ]],
            ),
            (
                config! { private_key_pem = key, validity_period_hours = 1, allowed_uses = [], set_authority_key_id = true },
                expect![[
                    r#"set_authority_key_id: Invalid Certificate Authority: The certificate has no subject key identifier. Set "set_subject_key_id" to true."#
                ]],
            ),
            (
                config! { private_key_pem = key, validity_period_hours = 100_000_000_000_u64, allowed_uses = [] },
                expect![
                    "validity_period_hours: Failed to create certificate: The validity period must end in the year 9999 or earlier."
                ],
            ),
            (
                config! { private_key_pem = key, validity_period_hours = 1, allowed_uses = [], dns_names = ["ä.example"] },
                expect![[
                    r#"dns_names[0]: Invalid Attribute Value: "ä.example" contains characters that are not ASCII."#
                ]],
            ),
        ],
    );
    check_errors(
        &harness,
        "tls_cert_request",
        vec![
            (
                config! { private_key_pem = "does not matter" },
                expect![
                    "private_key_pem: Failed to parse private key PEM: The value contains no valid PEM block."
                ],
            ),
            (
                config! { private_key_pem = key, dns_names = ["ä.example"], subject { email_address = "ä@example.com" } },
                expect![[r#"
                    dns_names[0]: Invalid Attribute Value: "ä.example" contains characters that are not ASCII.
                    subject[0].email_address: Invalid Attribute Value: "ä@example.com" contains characters that are not ASCII."#]],
            ),
        ],
    );
}

#[test]
fn uris_are_encoded_as_in_go() {
    let (harness, files) = (harness(), Files::new());
    let key = key(&harness);
    for (uri, expected) in [
        ("https://example.org/ü", "https://example.org/%C3%BC"),
        ("spiffe://example.org/a b", "spiffe://example.org/a%20b"),
        ("HTTP://x:99999/%7e?a=[b]|c#d", "http://x:99999/%7e?a=[b]%7Cc#d"),
        ("https://user:a%20b@[2001:db8::1]:80", "https://user:a%20b@[2001:db8::1]:80"),
        ("urn:uuid:ö", "urn:uuid:%C3%B6"),
        ("file:///a\\b", "file:///a%5Cb"),
    ] {
        let mut request = harness.resource("tls_cert_request");
        request.apply(config! { private_key_pem = &*key, uris = [uri] });
        files.write("request", &string(&request, "cert_request_pem"));
        let text = files.run("openssl req -in request -noout -text");
        assert!(text.contains(&format!("URI:{expected}\n")), "{expected}: {text}");
    }
    for (uri, reason) in [
        ("foo://%zz", "two hexadecimal digits must follow each %"),
        ("foo:a%", "two hexadecimal digits must follow each %"),
        ("foo:a%é", "two hexadecimal digits must follow each %"),
        ("/a:b", "it has no scheme"),
        ("1a:b", "it has no scheme"),
        (" http://a", "it has no scheme"),
        ("http://a\n", "it contains a control character"),
        ("http://a:b/", "the port is not a number"),
        ("http://a b/", "invalid domain character"),
        ("http://[::1/", "invalid IPv6 address"),
    ] {
        let config = config! { private_key_pem = &*key, uris = [uri] };
        let error = harness.resource("tls_cert_request").try_plan(config).error().to_string();
        let expected = format!("uris[0]: Invalid URI: {uri:?} is not a valid URI with a scheme: {reason}.");
        assert_eq!(error, expected);
    }
}

#[test]
fn invalid_authorities_are_rejected() {
    let harness = harness();
    let (first, second) = (key(&harness), key(&harness));
    let mut request = harness.resource("tls_cert_request");
    request.apply(config! { private_key_pem = &*first });
    let request = string(&request, "cert_request_pem");
    let mut certificate = harness.resource("tls_self_signed_cert");
    certificate.apply(config! { private_key_pem = &*first, validity_period_hours = 1, allowed_uses = [] });
    let certificate = string(&certificate, "cert_pem");
    let config = |ca: &str, key: &str, request: &str| {
        config! {
            ca_cert_pem = ca, ca_private_key_pem = key, cert_request_pem = request, validity_period_hours = 1,
            allowed_uses = [],
        }
    };
    check_errors(
        &harness,
        "tls_locally_signed_cert",
        vec![
            (
                config(&certificate, &first, "x"),
                expect![
                    "cert_request_pem: Failed to parse certificate request PEM: The value contains no valid PEM block."
                ],
            ),
            (
                config(&certificate, &first, &certificate),
                expect![[
                    r#"cert_request_pem: Failed to parse certificate request PEM: PEM block type "CERTIFICATE REQUEST" required, but got "CERTIFICATE"."#
                ]],
            ),
            (
                config(&certificate, "does not matter", &request),
                expect![
                    "ca_private_key_pem: Failed to parse CA private key PEM: The value contains no valid PEM block."
                ],
            ),
            (
                config(&request, &first, &request),
                expect![[
                    r#"ca_cert_pem: Failed to parse CA certificate PEM: PEM block type "CERTIFICATE" required, but got "CERTIFICATE REQUEST"."#
                ]],
            ),
            (
                config(&certificate, &second, &request),
                expect![[r#"
                    ca_cert_pem: Potentially Invalid Certificate Authority: The certificate in "ca_cert_pem" is not a CA certificate, so clients may reject certificates that it signs.
                    ca_private_key_pem: Failed to create certificate: The key in "ca_private_key_pem" does not match the certificate in "ca_cert_pem"."#]],
            ),
        ],
    );
    let mut signed = harness.resource("tls_locally_signed_cert");
    let applied = signed.apply(config(&certificate, &first, &request));
    expect![[r#"ca_cert_pem: Potentially Invalid Certificate Authority: The certificate in "ca_cert_pem" is not a CA certificate, so clients may reject certificates that it signs."#]].assert_eq(&applied.warnings.to_string());
}
