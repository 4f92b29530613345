//! States that HashiCorp's provider stored produce an empty plan.

use std::fs;

use ferroform_testing::workspace::{PlannedAction, StoredObject, Workspace};
use serde_json::{Value, json};

use crate::{Outcome, openssl, workspace};

const CONFIGURATION: &str = r#"
resource "tls_private_key" "a" {
  algorithm   = "ECDSA"
  ecdsa_curve = "P256"
}
resource "tls_self_signed_cert" "a" {
  private_key_pem       = file("key")
  validity_period_hours = 876000
  allowed_uses          = ["server_auth"]
  subject {
    common_name = "a"
  }
}
resource "tls_cert_request" "a" {
  private_key_pem = file("key")
  dns_names       = ["a.example"]
  subject {
    common_name = "a"
  }
}
resource "tls_locally_signed_cert" "a" {
  ca_private_key_pem    = file("key")
  ca_cert_pem           = file("cert")
  cert_request_pem      = file("request")
  validity_period_hours = 876000
  allowed_uses          = ["server_auth"]
}
"#;

/// Writes a key, a certificate and a CSR that OpenSSL generates.
fn workspace_with_files() -> Outcome<Option<Workspace>> {
    let Some(workspace) = workspace()? else { return Ok(None) };
    openssl(&workspace, "ecparam -name prime256v1 -genkey -noout -out key")?;
    openssl(&workspace, "req -x509 -key key -subj /CN=a -days 36500 -out cert")?;
    openssl(&workspace, "req -new -key key -subj /CN=a -out request")?;
    workspace.write("main.tf", CONFIGURATION)?;
    Ok(Some(workspace))
}

/// The states of the four resources. `stored` returns what the state contains for the text of a file.
fn objects(
    workspace: &Workspace,
    version: u64,
    stored: fn(&Workspace, &str) -> Outcome<String>,
    omitted: &Value,
    more: &Value,
) -> Outcome<Vec<StoredObject>> {
    let read = |name: &str| fs::read_to_string(workspace.path().join(name));
    let mut key = json!({
        "algorithm": "ECDSA", "ecdsa_curve": "P256", "rsa_bits": 2048, "private_key_pem": read("key")?,
        "public_key_pem": openssl(workspace, "pkey -in key -pubout")?, "public_key_openssh": "ecdsa-sha2-nistp256 x\n",
        "public_key_fingerprint_md5": "aa:bb", "id": "0123",
    });
    if version == 1 {
        key["private_key_openssh"] = "x".into();
        key["private_key_pem_pkcs8"] = "x".into();
        key["public_key_fingerprint_sha256"] = "SHA256:x".into();
    }
    let mut subject = json!({ "common_name": "a", "street_address": omitted.as_str().map(|_| json!([])) });
    for name in [
        "country",
        "locality",
        "organization",
        "organizational_unit",
        "postal_code",
        "province",
        "serial_number",
    ] {
        subject[name] = omitted.clone();
    }
    let with = |base: Value, more: &Value| {
        let mut all = base;
        for (name, value) in more.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        all
    };
    let certificate = with(
        json!({
            "allowed_uses": ["server_auth"], "cert_pem": read("cert")?, "early_renewal_hours": 0, "id": "1",
            "ready_for_renewal": false, "validity_period_hours": 876000,
            "validity_start_time": "2024-06-01T00:00:00.123456789+02:00",
            "validity_end_time": "2124-06-01T00:00:00.123456789+02:00",
        }),
        more,
    );
    let names = |dns_names: Value| {
        json!({
            "private_key_pem": null, "key_algorithm": "ECDSA", "subject": [subject], "dns_names": dns_names,
            "ip_addresses": null, "uris": null,
        })
    };
    let mut self_signed = with(certificate.clone(), &names(Value::Null));
    let mut request =
        with(names(json!(["a.example"])), &json!({ "cert_request_pem": read("request")?, "id": "0123" }));
    self_signed["private_key_pem"] = stored(workspace, "key")?.into();
    request["private_key_pem"] = stored(workspace, "key")?.into();
    let mut local = with(certificate, &json!({ "ca_key_algorithm": "ECDSA" }));
    for (name, file) in
        [("ca_private_key_pem", "key"), ("ca_cert_pem", "cert"), ("cert_request_pem", "request")]
    {
        local[name] = stored(workspace, file)?.into();
    }
    // OpenTofu 1.6 stores only values that are sensitive in the configuration.
    let is_tofu = workspace.cli().name() == "tofu";
    let sensitive =
        |object: StoredObject, names: &[&str]| if is_tofu { object } else { object.sensitive(names) };
    let secrets = ["private_key_pem", "private_key_openssh", "private_key_pem_pkcs8"];
    Ok(vec![
        sensitive(
            StoredObject::new("tls_private_key.a", version, key),
            if version == 0 { &secrets[..1] } else { &secrets },
        ),
        sensitive(StoredObject::new("tls_self_signed_cert.a", 0, self_signed), &["private_key_pem"]),
        sensitive(StoredObject::new("tls_cert_request.a", 0, request), &["private_key_pem"]),
        sensitive(StoredObject::new("tls_locally_signed_cert.a", 0, local), &["ca_private_key_pem"]),
    ])
}

fn check_no_change(workspace: &Workspace, objects: &[StoredObject]) -> Outcome {
    workspace.write_state(objects)?;
    let plan = workspace.plan()?;
    assert_eq!(plan.changes().len(), 4, "{}", plan.text());
    assert!(plan.changes().iter().all(|it| it.action == PlannedAction::NoOp), "{}", plan.text());
    workspace.apply()?;
    assert!(workspace.plan()?.is_empty());
    let state = workspace.state()?;
    assert_eq!(state.get("tls_self_signed_cert.a")?.values["id"], "1");
    Ok(())
}

fn text(workspace: &Workspace, name: &str) -> Outcome<String> {
    Ok(fs::read_to_string(workspace.path().join(name))?)
}

/// Versions before 4 store the SHA1 checksum of a text, without white space at its ends.
fn checksum(workspace: &Workspace, name: &str) -> Outcome<String> {
    workspace.write("trimmed", text(workspace, name)?.trim())?;
    Ok(openssl(workspace, "dgst -r -sha1 trimmed")?.split(' ').next().ok_or("no checksum")?.to_owned())
}

#[test]
fn states_of_versions_before_4_produce_empty_plan() -> Outcome {
    // They had omitted arguments as null, or as empty strings in blocks.
    let Some(workspace) = workspace_with_files()? else { return Ok(()) };
    let objects = objects(&workspace, 0, checksum, &json!(""), &json!({}))?;
    check_no_change(&workspace, &objects)?;
    // The upgrade adds the formats that the old version did not have.
    let state = workspace.state()?;
    let key = &state.get("tls_private_key.a")?.values;
    assert_eq!(key["private_key_pem_pkcs8"], openssl(&workspace, "pkcs8 -topk8 -nocrypt -in key")?);
    assert_eq!(key["private_key_pem"], text(&workspace, "key")?);
    Ok(())
}

#[test]
fn states_of_version_4_produce_empty_plan() -> Outcome {
    let defaults =
        json!({ "is_ca_certificate": false, "set_subject_key_id": false, "set_authority_key_id": false });
    let mut with_limit = defaults.clone();
    with_limit["max_path_length"] = json!(-1);
    // Versions before 4.2 had no limit, and version 4.2.0 stored a default.
    for more in [defaults, with_limit] {
        let Some(workspace) = workspace_with_files()? else { return Ok(()) };
        let objects = objects(&workspace, 1, text, &Value::Null, &more)?;
        check_no_change(&workspace, &objects)?;
        let state = workspace.state()?;
        assert_eq!(state.get("tls_private_key.a")?.values["private_key_openssh"], "x");
    }
    Ok(())
}
