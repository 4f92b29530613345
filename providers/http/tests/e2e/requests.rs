//! Requests: methods, retries, redirects, and when they are sent.

use serde_json::json;

use crate::server::{Server, ok, redirect, response};
use crate::{Outcome, data, workspace};

#[test]
fn request_is_sent_as_configured() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server = Server::start(|it| ok(format!("{} {}", it.method, it.body)));
    let arguments = format!(
        "url = \"{}\"\n  method = \"POST\"\n  request_body = jsonencode({{ a = 1 }})\n  request_headers = {{\n    \
         Authorization = \"Bearer token\"\n    Host = \"www.example.com\"\n  }}",
        server.url("/search")
    );
    workspace
        .write("main.tf", &(data(&arguments) + "output \"a\" {\n  value = data.http.a.response_body\n}\n"))?;
    workspace.apply()?;
    assert_eq!(workspace.output("a")?, "POST {\"a\":1}");
    let request = &server.requests()[0];
    assert_eq!(request.header("Authorization"), Some("Bearer token"));
    assert_eq!(request.header("Host"), Some("www.example.com"));
    Ok(())
}

#[test]
fn failed_request_is_retried_twice() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server = Server::start(|it| match it.index {
        0 => Vec::new(),
        1 => response("503 Service Unavailable", &["Retry-After: 0"], ""),
        _ => ok("done"),
    });
    let arguments = |attempts: u64| {
        let url = server.url("/");
        data(&format!("url = \"{url}\"\n  retry {{\n    attempts = {attempts}\n    min_delay_ms = 10\n  }}"))
    };
    workspace.write("main.tf", &arguments(1))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(
        failed.contains("The server returned the status code 503 Service Unavailable. 2 attempts"),
        "{failed}"
    );
    assert_eq!(server.requests().len(), 2);

    let server = Server::start(|it| if it.index < 2 { response("500 Error", &[], "") } else { ok("done") });
    let arguments = format!(
        "url = \"{}\"\n  retry {{\n    attempts = 2\n    min_delay_ms = 10\n    max_delay_ms = 20\n  }}",
        server.url("/")
    );
    workspace.write("main.tf", &data(&arguments))?;
    workspace.plan()?;
    assert_eq!(server.requests().len(), 3);
    workspace.apply()?;
    let state = workspace.state()?;
    let retry = &state.get("data.http.a")?.values["retry"];
    assert_eq!(*retry, json!({ "attempts": 2, "min_delay_ms": 10, "max_delay_ms": 20 }));
    Ok(())
}

#[test]
fn redirect_to_https_keeps_credentials() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let identity = crate::server::certificates::self_signed("localhost", true);
    let https = Server::with_tls(crate::server::certificates::server(&identity, None), |_| ok("secure"));
    let location = https.url("/");
    let http = Server::start(move |_| redirect(301, &location));
    let arguments = format!(
        "url = \"{}\"\n  insecure = true\n  request_headers = {{ Authorization = \"secret\" }}",
        http.url("/")
    );
    workspace.write("main.tf", &data(&arguments))?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("data.http.a")?.values["response_body"], "secure");
    assert_eq!(https.requests()[0].header("Authorization"), Some("secret"));
    Ok(())
}

#[test]
fn request_with_unknown_url_is_sent_during_apply() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server = Server::start(|it| ok(&it.target));
    let text = format!(
        "resource \"terraform_data\" \"a\" {{\n  input = \"{}\"\n}}\noutput \"a\" {{\n  value = \
         data.http.a.response_body\n}}\n",
        server.url("/later")
    );
    workspace.write("main.tf", &(data("url = terraform_data.a.output") + &text))?;
    let plan = workspace.plan()?;
    assert!(server.requests().is_empty());
    workspace.apply_plan(&plan)?;
    assert_eq!(workspace.output("a")?, "/later");
    assert!(workspace.plan()?.is_empty());
    Ok(())
}
