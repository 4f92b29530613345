//! Keys in all formats, which OpenSSL and OpenSSH read.

use std::thread;
use std::time::{Duration, Instant};

use expect_test::expect;
use ferroform::path;
use ferroform_testing::{Action, Configuration, config};

use super::{Files, harness, string};

/// One configuration for each kind of key.
fn kinds() -> [(&'static str, Configuration); 6] {
    [
        ("RSA", config! { algorithm = "RSA" }),
        ("ECDSA", config! { algorithm = "ECDSA" }),
        ("ECDSA", config! { algorithm = "ECDSA", ecdsa_curve = "P256" }),
        ("ECDSA", config! { algorithm = "ECDSA", ecdsa_curve = "P384" }),
        ("ECDSA", config! { algorithm = "ECDSA", ecdsa_curve = "P521" }),
        ("ED25519", config! { algorithm = "ED25519" }),
    ]
}

#[test]
fn generated_keys_are_read_by_openssl_and_openssh() {
    let (harness, files) = (harness(), Files::new());
    for (index, (algorithm, config)) in kinds().into_iter().enumerate() {
        let mut key = harness.resource("tls_private_key");
        key.apply(config);
        let get = |name: &str| string(&key, name);
        files.write("key", &get("private_key_pem"));
        files.write("pkcs8", &get("private_key_pem_pkcs8"));
        files.run("openssl pkey -in key -check -noout");
        assert_eq!(files.run("openssl pkey -in key -pubout"), get("public_key_pem"));
        assert_eq!(files.run("openssl pkey -in pkcs8 -pubout"), get("public_key_pem"));
        // The bytes are those of OpenSSL.
        let traditional = if algorithm == "ED25519" { "" } else { " -traditional" };
        assert_eq!(files.run(&format!("openssl pkey -in pkcs8{traditional}")), get("private_key_pem"));
        assert_eq!(files.run("openssl pkcs8 -topk8 -nocrypt -in key"), get("private_key_pem_pkcs8"));
        files.run("openssl pkey -in key -pubout -outform DER -out public");
        assert_eq!(crate::checksum(&files.bytes("public")), get("id"));
        if algorithm == "RSA" {
            assert!(files.run("openssl dgst -r -sha1 public").starts_with(&get("id")));
        }

        let extracted = |config| harness.data_source("tls_public_key").read(config);
        let mut inputs = vec![
            config! { private_key_pem = get("private_key_pem") },
            config! { private_key_pem = get("private_key_pem_pkcs8") },
            config! { private_key_openssh = get("private_key_pem") },
        ];
        if index == 1 {
            // OpenSSH does not support P-224.
            for name in ["private_key_openssh", "public_key_openssh", "public_key_fingerprint_md5"] {
                assert_eq!(get(name), "");
            }
        } else {
            files.write("openssh", &get("private_key_openssh"));
            assert_eq!(files.run("ssh-keygen -y -f openssh"), get("public_key_openssh"));
            let fingerprint = |hash: &str| files.run(&format!("ssh-keygen -l -E {hash} -f openssh"));
            assert!(fingerprint("sha256").contains(&get("public_key_fingerprint_sha256")));
            assert!(fingerprint("md5").contains(&get("public_key_fingerprint_md5")));
            inputs.push(config! { private_key_openssh = get("private_key_openssh") });
        }
        for input in inputs {
            let found = extracted(input);
            assert_eq!(found.get::<String>(path!(algorithm)), algorithm);
            for name in ["id", "public_key_pem", "public_key_openssh", "public_key_fingerprint_md5"] {
                assert_eq!(found.get::<String>(ferroform::value::Path::attribute(name)), get(name));
            }
        }
    }
}

#[test]
fn keys_of_other_programs_are_read() {
    let (harness, files) = (harness(), Files::new());
    files.run("openssl ecparam -name secp384r1 -genkey -noout -out sec1");
    files.run("openssl genpkey -algorithm ed25519 -out pkcs8");
    files.run("openssl genrsa -traditional -out pkcs1 1024");
    let public_key =
        |config| harness.data_source("tls_public_key").read(config).get::<String>(path!(public_key_pem));
    for file in ["sec1", "pkcs8", "pkcs1"] {
        let expected = files.run(&format!("openssl pkey -in {file} -pubout"));
        let text = files.read(file);
        // Text around the block, other line breaks and lines of other lengths.
        let single_line =
            text.replacen("-----\n", "-----\r", 1).replace("\n-----", "\r-----").replace('\n', "");
        for text in [
            &*text,
            &format!("My key\n\n{text}\n"),
            &text.replace('\n', "\r\n"),
            &single_line.replace('\r', "\n"),
        ] {
            assert_eq!(public_key(config! { private_key_pem = text }), expected, "{text}");
        }
    }
    for kind in ["rsa -b 1024", "ecdsa -b 256", "ecdsa -b 384", "ecdsa -b 521", "ed25519"] {
        let name = kind.replace(' ', "");
        files.run(&format!("ssh-keygen -q -t {kind} -N  -f {name}"));
        let found =
            harness.data_source("tls_public_key").read(config! { private_key_openssh = files.read(&name) });
        let expected = files.run(&format!("ssh-keygen -y -f {name}"));
        let expected: Vec<_> = expected.split_whitespace().take(2).collect();
        assert_eq!(found.get::<String>(path!(public_key_openssh)), format!("{}\n", expected.join(" ")));
    }
}

#[test]
fn ephemeral_keys_have_the_same_formats() {
    let harness = harness();
    let key = harness.ephemeral_resource("tls_private_key").open(config! { algorithm = "ECDSA" });
    assert_eq!(key.get::<String>(path!(ecdsa_curve)), "P224");
    assert_eq!(key.get::<u64>(path!(rsa_bits)), 2048);
    let private = key.get::<String>(path!(private_key_pem));
    let public = harness.ephemeral_resource("tls_public_key").open(config! { private_key_pem = private });
    assert_eq!(public.get::<String>(path!(public_key_pem)), key.get::<String>(path!(public_key_pem)));
    assert_eq!(public.get::<String>(path!(algorithm)), "ECDSA");
    assert_eq!(public.get::<String>(path!(id)).len(), 40);
}

#[test]
fn changed_argument_replaces_key() {
    let harness = harness();
    let mut key = harness.resource("tls_private_key");
    let plan = key.apply(config! { algorithm = "ED25519" });
    assert_eq!(plan.action, Action::Create);
    assert_eq!(key.plan(config! { algorithm = "ED25519", rsa_bits = 4096 }).action, Action::Replace);
    assert_eq!(key.plan(config! { algorithm = "ED25519", ecdsa_curve = "P521" }).action, Action::Replace);
    assert_eq!(key.plan_with_unknowns(config! { algorithm = "ED25519", ecdsa_curve = "P224" }), 3);
}

#[test]
fn invalid_keys_are_rejected() {
    let (harness, files) = (harness(), Files::new());
    let apply = |config| harness.resource("tls_private_key").try_apply(config).error().to_string();
    expect![[r#"algorithm: Invalid Attribute Value Match: One of "RSA", "ECDSA", "ED25519" is required, but got "DSA"; did you mean "RSA"?"#]]
        .assert_eq(&apply(config! { algorithm = "DSA" }));
    expect![[r#"ecdsa_curve: Invalid Attribute Value Match: One of "P224", "P256", "P384", "P521" is required, but got "P255"; did you mean "P256"?"#]]
        .assert_eq(&apply(config! { algorithm = "ECDSA", ecdsa_curve = "P255" }));
    let plan = |config| harness.resource("tls_private_key").try_plan(config).error().to_string();
    expect!["rsa_bits: Unable to generate Key from configuration: An RSA key must have at least 1024 bits, but got 512."].assert_eq(&plan(config! { algorithm = "RSA", rsa_bits = 512 }));
    let open = |config| harness.ephemeral_resource("tls_private_key").try_open(config).error().to_string();
    expect!["rsa_bits: Unable to generate Key from configuration: An RSA key must have at least 1024 bits, but got 512."].assert_eq(&open(config! { algorithm = "RSA", rsa_bits = 512 }));
    harness.resource("tls_private_key").plan(config! { algorithm = "ED25519", rsa_bits = 512 });
    harness.resource("tls_private_key").plan(config! { algorithm = "RSA", rsa_bits = 16384 });

    let read = |config| harness.data_source("tls_public_key").try_read(config).error().to_string();
    expect![[r#"private_key_pem: Invalid Attribute Combination: Exactly one of "private_key_pem", "private_key_openssh" must be set, but none is set."#]]
        .assert_eq(&read(config! {}));
    expect!["private_key_pem: Unable to parse private key: The value contains no valid PEM block."]
        .assert_eq(&read(config! { private_key_pem = "does not matter" }));
    files.run("ssh-keygen -q -t ed25519 -N secret -f encrypted");
    expect![[r#"private_key_pem: Unable to parse private key: PEM block type "OPENSSH PRIVATE KEY" is not a supported private key format."#]]
        .assert_eq(&read(config! { private_key_pem = files.read("encrypted") }));
    expect!["private_key_openssh: Unable to parse private key: The private key is encrypted with a passphrase, which is not supported."]
    .assert_eq(&read(config! { private_key_openssh = files.read("encrypted") }));
    files.run("openssl genrsa -traditional -aes128 -passout pass:secret -out traditional 1024");
    files.run("openssl genpkey -algorithm ed25519 -aes128 -pass pass:secret -out pkcs8");
    for file in ["traditional", "pkcs8"] {
        assert_eq!(
            read(config! { private_key_pem = files.read(file) }),
            "private_key_pem: Unable to parse private key: The private key is encrypted with a passphrase, which is not supported."
        );
    }
    let broken = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n";
    expect!["private_key_pem: Unable to parse private key: The private key cannot be decoded: PKCS#1 ASN.1 error: unknown/unsupported ASN.1 DER tag: 0x00 at DER byte 1."].assert_eq(&read(config! { private_key_pem = broken }));
    files.run("openssl ecparam -name secp256k1 -genkey -noout -out other");
    expect!["private_key_pem: Unable to parse private key: Unsupported elliptic curve 1.3.132.0.10."]
        .assert_eq(&read(config! { private_key_pem = files.read("other") }));
}

#[test]
fn interrupted_generation_stops_immediately() {
    let harness = harness();
    let stopping = harness.clone();
    let stop = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        stopping.stop();
    });
    let start = Instant::now();
    // The test binary generates such a key for more than ten seconds.
    let config = config! { algorithm = "RSA", rsa_bits = 8192 };
    let error = harness.resource("tls_private_key").try_apply(config).error().to_string();
    stop.join().unwrap();
    expect!["Operation Canceled: The generation of the key was interrupted. No key was stored."]
        .assert_eq(&error);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn checksum_ignores_leading_and_trailing_white_space() {
    let expected = crate::hex(&<sha1::Sha1 as sha1::Digest>::digest(b"\xff"));
    for bytes in
        [&b"\xff"[..], b" \xff\n", b"\x0b\xff\x0c", b"\xc2\xa0\xff\xc2\x85", b"\xe2\x80\x80\xff\xe3\x80\x80 "]
    {
        assert_eq!(crate::checksum(bytes), expected, "{bytes:?}");
    }
    assert_ne!(crate::checksum(b"\xff\xa0"), expected);
    assert_eq!(crate::checksum(b""), "");
}
