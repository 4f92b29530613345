//! A certificate authority and a certificate that it signs.

use ferroform_testing::workspace::PlannedAction;

use crate::{Outcome, openssl, workspace};

fn configuration(early_renewal_hours: u32, common_name: &str) -> String {
    format!(
        r#"
        resource "tls_private_key" "ca" {{
          algorithm = "RSA"
        }}
        resource "tls_self_signed_cert" "ca" {{
          private_key_pem       = tls_private_key.ca.private_key_pem
          is_ca_certificate     = true
          set_authority_key_id  = true
          validity_period_hours = 24
          early_renewal_hours   = {early_renewal_hours}
          allowed_uses          = ["cert_signing"]
          subject {{
            common_name    = "CA"
            street_address = ["1 Main St"]
          }}
        }}
        resource "tls_private_key" "a" {{
          algorithm = "ED25519"
        }}
        resource "tls_cert_request" "a" {{
          private_key_pem = tls_private_key.a.private_key_pem
          dns_names       = ["a.example"]
          ip_addresses    = ["192.0.2.1"]
          uris            = ["spiffe://a/b"]
          subject {{
            common_name = "{common_name}"
          }}
        }}
        resource "tls_locally_signed_cert" "a" {{
          ca_private_key_pem    = tls_private_key.ca.private_key_pem
          ca_cert_pem           = tls_self_signed_cert.ca.cert_pem
          cert_request_pem      = tls_cert_request.a.cert_request_pem
          validity_period_hours = 24
          allowed_uses          = ["server_auth"]
        }}
        data "tls_certificate" "a" {{
          content = tls_locally_signed_cert.a.cert_pem
        }}
        data "tls_public_key" "a" {{
          private_key_pem = tls_private_key.a.private_key_pem
        }}
        output "ca" {{
          value = tls_self_signed_cert.ca.cert_pem
        }}
        output "cert" {{
          value = tls_locally_signed_cert.a.cert_pem
        }}
        output "subject" {{
          value = data.tls_certificate.a.certificates[0].subject
        }}
        output "is_same_key" {{
          value = data.tls_public_key.a.id == tls_private_key.a.id
        }}
        "#
    )
}

#[test]
fn certificates_are_created_updated_replaced_and_destroyed() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write("main.tf", &configuration(0, "a"))?;
    workspace.apply()?;
    for name in ["ca", "cert"] {
        workspace.write(name, workspace.output(name)?.as_str().ok_or("no string")?)?;
    }
    openssl(&workspace, "verify -CAfile ca -purpose sslserver -verify_hostname a.example cert")?;
    assert_eq!(
        (workspace.output("subject")?, workspace.output("is_same_key")?),
        ("CN=a".into(), true.into())
    );
    assert!(workspace.plan()?.is_empty());
    workspace.refresh()?;
    assert!(workspace.plan()?.is_empty());

    workspace.write("main.tf", &configuration(1, "a"))?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("tls_self_signed_cert.ca")?.action, PlannedAction::Update);
    assert_eq!(plan.change("tls_locally_signed_cert.a")?.action, PlannedAction::NoOp);
    workspace.apply_plan(&plan)?;

    workspace.write("main.tf", &configuration(1, "b"))?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("tls_cert_request.a")?.action, PlannedAction::Replace);
    assert_eq!(plan.change("tls_locally_signed_cert.a")?.action, PlannedAction::Replace);
    assert_eq!(plan.change("tls_self_signed_cert.ca")?.action, PlannedAction::NoOp);
    workspace.apply_plan(&plan)?;
    assert_eq!(workspace.output("subject")?, "CN=b");

    // The certificate of the authority has less than 24 hours left.
    workspace.write("main.tf", &configuration(23, "b"))?;
    workspace.apply()?;
    assert!(workspace.plan()?.is_empty());
    workspace.write("main.tf", &configuration(24, "b"))?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("tls_self_signed_cert.ca")?.action, PlannedAction::Replace);
    assert_eq!(plan.change("tls_locally_signed_cert.a")?.action, PlannedAction::Replace);
    workspace.apply_plan(&plan)?;
    workspace.destroy()?;
    assert!(workspace.state()?.is_empty());
    Ok(())
}
