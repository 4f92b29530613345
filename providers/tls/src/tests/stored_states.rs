//! State of all versions of the original, with keys and certificates of OpenSSL and OpenSSH.

use ferroform::path;
use ferroform_testing::{Action, config};
use serde_json::json;

use super::{Files, harness, string};

#[test]
fn keys_of_schema_version_0_are_upgraded_without_changes() {
    let (harness, files) = (harness(), Files::new());
    files.run("openssl ecparam -name prime256v1 -genkey -noout -out sec1");
    let pem = files.read("sec1");
    files.run("ssh-keygen -q -t ecdsa -b 256 -N  -f openssh");
    for openssh in [None, Some(""), Some(&*files.read("openssh"))] {
        let mut key = harness.resource("tls_private_key");
        // Version 3.2 added the key in OpenSSH format and the SHA256 fingerprint.
        let state = json!({
            "algorithm": "ECDSA", "rsa_bits": 2048, "ecdsa_curve": "P256", "private_key_pem": pem,
            "private_key_openssh": openssh, "public_key_pem": files.run("openssl pkey -in sec1 -pubout"),
            "public_key_openssh": "x", "public_key_fingerprint_md5": "x", "id": "x",
        });
        key.upgrade_state(0, &state.to_string());
        assert_eq!(string(&key, "private_key_pem"), pem);
        assert_eq!(
            string(&key, "private_key_pem_pkcs8"),
            files.run("openssl pkcs8 -topk8 -nocrypt -in sec1")
        );
        assert_eq!(string(&key, "public_key_pem"), files.run("openssl pkey -in sec1 -pubout"));
        if let Some(openssh) = openssh.filter(|it| !it.is_empty()) {
            assert_eq!(string(&key, "private_key_openssh"), openssh, "a stored value is kept");
        } else {
            files.write("upgraded", &string(&key, "private_key_openssh"));
            assert_eq!(files.run("ssh-keygen -y -f upgraded"), string(&key, "public_key_openssh"));
        }
        let plan = key.plan(config! { algorithm = "ECDSA", ecdsa_curve = "P256" });
        assert_eq!(plan.action, Action::NoOp, "{plan}");
    }
}

#[test]
fn invalid_key_in_state_of_version_0_is_an_error() {
    let state =
        r#"{"algorithm": "RSA", "rsa_bits": 2048, "ecdsa_curve": "P224", "private_key_pem": "secret"}"#;
    let error = harness().resource("tls_private_key").try_upgrade_state(0, state).error().to_string();
    assert!(error.contains("Unable to parse key from PEM") && !error.contains("secret"), "{error}");
}

/// The certificate attributes that all versions stored.
fn certificate() -> serde_json::Value {
    json!({
        "allowed_uses": ["key_encipherment"], "cert_pem": "x", "dns_names": null, "early_renewal_hours": 0, "id": "1",
        "ip_addresses": null, "is_ca_certificate": false, "ready_for_renewal": false, "set_subject_key_id": false,
        "subject": [{ "common_name": "a", "country": null, "locality": null, "organization": null,
            "organizational_unit": null, "postal_code": null, "province": null, "serial_number": null,
            "street_address": null }],
        "uris": null, "validity_end_time": "2025-06-01T00:00:00.123456789+02:00", "validity_period_hours": 8760,
        "validity_start_time": "2024-06-01T00:00:00.123456789+02:00",
    })
}

#[test]
fn certificates_of_all_versions_produce_empty_plan() {
    let (harness, files) = (harness(), Files::new());
    files.run("openssl ecparam -name prime256v1 -genkey -noout -out key");
    let key = files.read("key");
    // Versions before 4 store a checksum instead of a key.
    let checksum = crate::checksum(key.as_bytes());
    let with = |base: &serde_json::Value, values: serde_json::Value| {
        let mut state = base.clone();
        state.as_object_mut().unwrap().extend(values.as_object().unwrap().clone());
        state
    };
    let base = certificate();
    let empty = json!([{ "common_name": "a", "country": "", "locality": "", "organization": "",
        "organizational_unit": "", "postal_code": "", "province": "", "serial_number": "", "street_address": [] }]);
    let states = [
        // 1.0, without the attributes that version 2 added
        json!({ "private_key_pem": checksum, "key_algorithm": "ECDSA", "subject": empty, "is_ca_certificate": null,
            "set_subject_key_id": null }),
        // 2.2 and 3.4
        json!({ "private_key_pem": checksum, "key_algorithm": "ECDSA", "subject": empty, "is_ca_certificate": null,
            "set_subject_key_id": null, "set_authority_key_id": null }),
        // 4.0
        json!({ "private_key_pem": key, "key_algorithm": "ECDSA", "set_authority_key_id": false }),
        // 4.2.0 and 4.2.1
        json!({ "private_key_pem": key, "key_algorithm": "ECDSA", "set_authority_key_id": false, "max_path_length": -1 }),
        json!({ "private_key_pem": key, "key_algorithm": "ECDSA", "set_authority_key_id": false, "max_path_length": null }),
    ];
    for (index, values) in states.iter().enumerate() {
        let mut state = with(&base, values.clone());
        if index == 0 {
            for name in ["uris", "set_subject_key_id", "ready_for_renewal"] {
                state.as_object_mut().unwrap().remove(name);
            }
        }
        let mut certificate = harness.resource("tls_self_signed_cert");
        certificate.upgrade_state(0, &state.to_string());
        certificate.refresh();
        let config = |key: &str| {
            config! {
                private_key_pem = key, validity_period_hours = 8760, allowed_uses = ["key_encipherment"],
                subject { common_name = "a" },
            }
        };
        let plan = certificate.plan(config(&key));
        assert_eq!(plan.action, Action::NoOp, "{values}: {plan}");
        assert_eq!(certificate.plan(config("other")).action, Action::Replace);

        let mut request = harness.resource("tls_cert_request");
        let state = json!({ "cert_request_pem": "x", "id": "x", "dns_names": null, "ip_addresses": null, "uris": null,
            "private_key_pem": values["private_key_pem"], "key_algorithm": "ECDSA",
            "subject": values.get("subject").unwrap_or(&base["subject"]) });
        request.upgrade_state(0, &state.to_string());
        request.refresh();
        let plan = request.plan(config! { private_key_pem = &*key, subject { common_name = "a" } });
        assert_eq!(plan.action, Action::NoOp, "{values}: {plan}");

        let mut local = harness.resource("tls_locally_signed_cert");
        let pem = values["private_key_pem"].clone();
        let mut state = with(
            &base,
            json!({ "ca_key_algorithm": "ECDSA", "ca_cert_pem": pem, "ca_private_key_pem": pem,
            "cert_request_pem": pem }),
        );
        state.as_object_mut().unwrap().remove("subject");
        local.upgrade_state(0, &state.to_string());
        let plan = local.plan(config! {
            ca_cert_pem = &*key, ca_private_key_pem = &*key, cert_request_pem = &*key, validity_period_hours = 8760,
            allowed_uses = ["key_encipherment"],
        });
        assert_eq!(plan.action, Action::NoOp, "{values}: {plan}");
        assert_eq!(local.state().get::<String>(path!(id)), "1");
    }
}
