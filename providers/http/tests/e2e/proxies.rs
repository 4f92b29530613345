//! Proxies that environment variables configure.

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::Workspace;

use crate::server::certificates::{self_signed, server};
use crate::server::{Server, ok, response, socks, tunnel};
use crate::{ADDRESS, BINARY, Outcome, data};

/// Hosts that only the proxy can resolve.
const HTTP: &str = "http://ferroform-proxy-test.invalid/path";
const HTTPS: &str = "https://ferroform-proxy-test.invalid/path";

const NAMES: [&str; 8] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// A workspace with these variables and no other proxies.
fn workspace(variables: &[(&str, &str)]) -> ferroform_testing::workspace::Result<Option<Workspace>> {
    let Some(cli) = Cli::for_test() else { return Ok(None) };
    let mut workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    for name in NAMES {
        let value = variables.iter().find(|it| it.0 == name).map_or("", |it| it.1);
        workspace = workspace.env(name, value);
    }
    Ok(Some(workspace))
}

#[test]
fn http_request_is_sent_to_the_proxy() -> Outcome {
    let proxy = Server::start(|_| ok("from the proxy"));
    let address = proxy.url("").replace("://", "://user:secret@");
    for variables in [[("HTTP_PROXY", &*address)], [("http_proxy", &*address)]] {
        let Some(workspace) = workspace(&variables)? else { return Ok(()) };
        workspace.write("main.tf", &data(&format!("url = \"{HTTP}\"")))?;
        workspace.apply()?;
        assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "from the proxy");
    }
    for request in proxy.requests() {
        assert_eq!(request.target, HTTP);
        assert_eq!(request.header("Proxy-Authorization"), Some("Basic dXNlcjpzZWNyZXQ="));
    }
    Ok(())
}

#[test]
fn https_request_is_sent_through_a_tunnel() -> Outcome {
    let identity = self_signed("ferroform-proxy-test.invalid", true);
    let server = Server::with_tls(server(&identity, None), |_| ok("through a tunnel"));
    let (proxy, requests) = tunnel(server.address);
    // A scheme can be omitted.
    let Some(workspace) = workspace(&[("HTTPS_PROXY", &proxy.to_string())])? else { return Ok(()) };
    workspace.write("server.pem", &identity.certificate)?;
    workspace.write("main.tf", &data(&format!("url = \"{HTTPS}\"\n  ca_cert_pem = file(\"server.pem\")")))?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "through a tunnel");
    let Ok(requests) = requests.lock() else { return Err("a panic of the proxy".into()) };
    assert_eq!(requests[0], "CONNECT ferroform-proxy-test.invalid:443 HTTP/1.1");
    assert_eq!(server.requests()[0].target, "/path");
    Ok(())
}

#[test]
fn error_of_proxy_contains_its_address_without_credentials() -> Outcome {
    let proxy = Server::start(|_| response("403 Forbidden", &[], ""));
    let address = proxy.url("").replace("://", "://user:secret@");
    let Some(workspace) = workspace(&[("HTTPS_PROXY", &address)])? else { return Ok(()) };
    workspace.write("main.tf", &data(&format!("url = \"{HTTPS}\"")))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    let expected = format!("through the proxy localhost:{} failed", proxy.address.port());
    assert!(failed.contains(&expected) && !failed.contains("secret"), "{failed}");
    Ok(())
}

#[test]
fn socks_proxy_resolves_the_name_of_the_host() -> Outcome {
    let server = Server::start(|_| ok("through SOCKS"));
    for scheme in ["socks5", "socks5h"] {
        let (proxy, names) = socks(server.address);
        let Some(workspace) = workspace(&[("HTTP_PROXY", &format!("{scheme}://{proxy}"))])? else {
            return Ok(());
        };
        workspace.write("main.tf", &data(&format!("url = \"{HTTP}\"")))?;
        workspace.apply()?;
        assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "through SOCKS");
        let Ok(names) = names.lock() else { return Err("a panic of the proxy".into()) };
        assert_eq!(names[0], "ferroform-proxy-test.invalid");
    }
    Ok(())
}

#[test]
fn excluded_hosts_and_loopback_addresses_use_no_proxy() -> Outcome {
    let proxy = Server::start(|_| ok("from the proxy"));
    let server = Server::start(|_| ok("direct"));
    let variables = [("HTTP_PROXY", &*proxy.url("")), ("NO_PROXY", "*.invalid")];
    let Some(workspace) = workspace(&variables)? else { return Ok(()) };
    workspace.write("main.tf", &data(&format!("url = \"{}\"", server.url("/"))))?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "direct");
    workspace.write("main.tf", &data(&format!("url = \"{HTTP}\"")))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("dns error"), "{failed}");
    assert!(proxy.requests().is_empty());
    Ok(())
}

#[test]
fn other_variables_have_no_effect() -> Outcome {
    let proxy = Server::start(|_| ok("from the proxy"));
    let address = proxy.url("");
    let Some(workspace) = workspace(&[("ALL_PROXY", &*address), ("HTTPS_PROXY", &*address)])? else {
        return Ok(());
    };
    workspace.write("main.tf", &data(&format!("url = \"{HTTP}\"")))?;
    workspace.run(&["plan"])?.expect_failure()?;
    assert!(proxy.requests().is_empty());
    Ok(())
}

#[test]
fn invalid_proxy_is_ignored() -> Outcome {
    let Some(workspace) = workspace(&[("HTTP_PROXY", "http://user:secret@proxy:port")])? else {
        return Ok(());
    };
    workspace.write("main.tf", &data(&format!("url = \"{HTTP}\"")))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("Error: Error making request") && failed.contains("dns error"), "{failed}");
    assert!(!failed.contains("secret"), "{failed}");
    Ok(())
}
