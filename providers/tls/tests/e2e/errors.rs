//! Error summaries match those of the original.

use crate::{Outcome, workspace};

#[test]
fn error_summaries_match_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let certificate = "validity_period_hours = 1\n  allowed_uses = []\n  private_key_pem = file(\"key\")";
    crate::openssl(&workspace, "genpkey -algorithm ed25519 -out key")?;
    for (kind, name, arguments, summary) in [
        ("resource", "tls_private_key", "algorithm = \"DSA\"", "Invalid Attribute Value Match"),
        (
            "resource",
            "tls_private_key",
            "algorithm = \"RSA\"\n  rsa_bits = 512",
            "Unable to generate Key from configuration",
        ),
        ("resource", "tls_cert_request", "private_key_pem = \"a\"", "Failed to parse private key PEM"),
        (
            "resource",
            "tls_self_signed_cert",
            &format!("{certificate}\n  is_ca_certificate = true"),
            "Invalid Certificate Subject",
        ),
        (
            "resource",
            "tls_self_signed_cert",
            &format!("{certificate}\n  set_authority_key_id = true"),
            "Invalid Certificate Authority",
        ),
        (
            "resource",
            "tls_self_signed_cert",
            &format!("{certificate}\n  ip_addresses = [\"a\"]"),
            "Invalid IP address",
        ),
        ("resource", "tls_self_signed_cert", &format!("{certificate}\n  uris = [\":\"]"), "Invalid URI"),
        ("data", "tls_public_key", "private_key_pem = \"a\"", "Unable to parse private key"),
        ("data", "tls_public_key", "", "Invalid Attribute Combination"),
        ("data", "tls_certificate", "url = \"ftp://a\"", "Invalid URL scheme"),
        ("data", "tls_certificate", "url = \"tls://a\"", "URL malformed"),
        (
            "data",
            "tls_certificate",
            "url = \"tls://127.0.0.1:1\"",
            "Failed to identify fetch peer certificates",
        ),
        ("data", "tls_certificate", "content = \"a\"", "Failed to decoded PEM"),
        ("data", "tls_certificate", "content = file(\"key\")", "Unexpected PEM preamble"),
    ] {
        workspace.write("main.tf", &format!("{kind} \"{name}\" \"a\" {{\n  {arguments}\n}}\n"))?;
        let failed = workspace.run(&["apply", "-auto-approve"])?.expect_failure()?;
        assert!(failed.contains(&format!("Error: {summary}")), "{failed}");
    }
    Ok(())
}
