//! Certificates of servers, with the trusted certificates of the system and the proxies from environment variables.

use serde_json::json;

use ferroform_testing::workspace::Workspace;

use crate::server::Server;
use crate::{Outcome, openssl, workspace};

/// Starts a server with a certificate for this machine.
fn start(workspace: &Workspace) -> Outcome<Server> {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(workspace, &format!("req -x509 {key} -days 1 -subj /CN=ca -keyout ca.key -out ca.pem"))?;
    let name = "-subj /CN=server -addext subjectAltName=IP:127.0.0.1,DNS:server.invalid";
    openssl(workspace, &format!("req {key} {name} -keyout key -out request"))?;
    let copy = "-copy_extensions copy -days 1";
    let certificate = openssl(workspace, &format!("x509 -req -in request -CA ca.pem -CAkey ca.key {copy}"))?;
    let read = |name: &str| std::fs::read_to_string(workspace.path().join(name));
    Ok(Server::tls(&format!("{certificate}{}", read("ca.pem")?), &read("key")?, |_| {
        Some("200 OK".to_owned())
    }))
}

fn configuration(provider: &str, url: &str) -> String {
    format!(
        r#"
        provider "tls" {{
          {provider}
        }}
        data "tls_certificate" "a" {{
          url = "{url}"
        }}
        output "subjects" {{
          value = data.tls_certificate.a.certificates[*].subject
        }}
        "#
    )
}

#[test]
fn certificates_are_verified_and_proxies_of_the_environment_used() -> Outcome {
    for kind in ["none", "http", "socks5"] {
        let Some(workspace) = workspace()? else { return Ok(()) };
        let server = start(&workspace)?;
        let authority = workspace.path().join("ca.pem");
        let workspace = workspace.env("SSL_CERT_FILE", authority).env("SSL_CERT_DIR", "/nonexistent");
        if kind == "none" {
            for scheme in ["https", "tls"] {
                workspace.write("main.tf", &configuration("", &format!("{scheme}://{}", server.address)))?;
                workspace.apply()?;
                assert_eq!(workspace.output("subjects")?, json!(["CN=ca", "CN=server"]));
            }
            continue;
        }
        let proxy = match kind {
            "http" => Server::http_proxy(server.address),
            _ => Server::socks_proxy(server.address),
        };
        let requests = || proxy.requests.lock().map(|it| it.len()).unwrap_or_default();
        let workspace = workspace.env("HTTPS_PROXY", format!("{kind}://me:secret@{}", proxy.address));
        let workspace = workspace.env("NO_PROXY", "excluded.invalid, 192.0.2.0/24");
        for provider in ["", "proxy {\n from_env = true\n }"] {
            workspace.write("main.tf", &configuration(provider, "https://server.invalid"))?;
            workspace.apply()?;
            assert_eq!(workspace.output("subjects")?, json!(["CN=ca", "CN=server"]));
        }
        let used = requests();
        assert!(used >= 2);
        // The host of this machine needs no proxy.
        workspace.write("main.tf", &configuration("", &format!("https://{}", server.address)))?;
        workspace.apply()?;
        for (provider, host) in
            [("", "excluded.invalid"), ("proxy {\n from_env = false\n }", "server.invalid")]
        {
            workspace.write("main.tf", &configuration(provider, &format!("https://{host}")))?;
            let failed = workspace.run(&["plan"])?.expect_failure()?;
            assert!(failed.contains("Failed to identify fetch peer certificates"), "{failed}");
        }
        assert_eq!(requests(), used);
    }
    Ok(())
}
