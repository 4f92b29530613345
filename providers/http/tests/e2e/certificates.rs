//! TLS with server certificates and client certificates.

use crate::server::certificates::{Authority, self_signed, server};
use crate::server::{Server, ok};
use crate::{Outcome, data, workspace};

#[test]
fn private_ca_and_client_certificate_are_used() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let authority = Authority::new();
    let server =
        Server::with_tls(server(&authority.issue("localhost"), Some(&authority.pem())), |_| ok("secure"));
    let client = authority.issue("client");
    for (name, text) in
        [("ca.pem", authority.pem()), ("client.pem", client.certificate), ("key.pem", client.key)]
    {
        workspace.write(name, &text)?;
    }
    let url = format!("url = \"{}\"", server.url("/"));
    let ca = "ca_cert_pem = file(\"ca.pem\")";
    let identity = "client_cert_pem = file(\"client.pem\")\n  client_key_pem = file(\"key.pem\")";
    workspace.write("main.tf", &data(&format!("{url}\n  {ca}\n  {identity}")))?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "secure");
    for arguments in [format!("{url}\n  {ca}"), format!("{url}\n  {identity}")] {
        workspace.write("main.tf", &data(&arguments))?;
        let failed = workspace.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains("Error: Error making request"), "{failed}");
    }
    workspace
        .write("main.tf", &data(&format!("{url}\n  {ca}\n  {}", identity.replace("key.pem", "ca.pem"))))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("Error: error creating x509 key pair"), "{failed}");
    Ok(())
}

#[test]
fn self_signed_certificate_is_trusted_or_not_verified() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let identity = self_signed("localhost", true);
    let server = Server::with_tls(server(&identity, None), |_| ok("secure"));
    workspace.write("server.pem", &identity.certificate)?;
    let plan = |argument: &str| {
        workspace.write("main.tf", &data(&format!("url = \"{}\"\n  {argument}", server.url("/"))))?;
        workspace.run(&["plan"])
    };
    plan("ca_cert_pem = file(\"server.pem\")")?.expect_success()?;
    plan("insecure = true")?.expect_success()?;
    for argument in ["", "insecure = false"] {
        let failed = plan(argument)?.expect_failure()?;
        assert!(failed.contains("Error: Error making request"), "{failed}");
    }
    let failed = plan("ca_cert_pem = \"invalid\"")?.expect_failure()?;
    assert!(failed.contains("Error: Error configuring TLS client"), "{failed}");
    Ok(())
}

/// On other platforms, these variables have no effect.
#[cfg(target_os = "linux")]
#[test]
fn certificates_of_the_operating_system_are_trusted_by_default() -> Outcome {
    let authority = Authority::new();
    let server = Server::with_tls(server(&authority.issue("localhost"), None), |_| ok("secure"));
    let plain = Server::start(|_| ok("plain"));
    let directory = tempfile::tempdir()?;
    let (file, missing) = (directory.path().join("ca.pem"), directory.path().join("missing"));
    std::fs::write(&file, authority.pem())?;

    let Some(trusting) = workspace()? else { return Ok(()) };
    let trusting = trusting.env("SSL_CERT_FILE", &file).env("SSL_CERT_DIR", &missing);
    trusting.write("main.tf", &data(&format!("url = \"{}\"", server.url("/"))))?;
    trusting.apply()?;
    assert_eq!(trusting.state()?.get("data.http.a")?.values["response_body"], "secure");

    // Without any certificate, only requests that need none succeed.
    let Some(workspace) = workspace()? else { return Ok(()) };
    let workspace = workspace.env("SSL_CERT_FILE", &missing).env("SSL_CERT_DIR", &missing);
    for (url, argument) in [(plain.url("/"), ""), (server.url("/"), "insecure = true")] {
        workspace.write("main.tf", &data(&format!("url = \"{url}\"\n  {argument}")))?;
        workspace.plan()?;
    }
    workspace.write("main.tf", &data(&format!("url = \"{}\"", server.url("/"))))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("No CA certificates were loaded from the system"), "{failed}");
    Ok(())
}
