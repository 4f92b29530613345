//! The scenarios of the original's own acceptance tests that need no certificates or proxies.

use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::server::{Server, ok, response};
use crate::{Outcome, data, workspace};

#[test]
fn response_is_stored_in_state() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let headers = ["Content-Type: text/plain", "X-Single: foobar", "X-Double: 1", "X-Double: 2"];
    let server = Server::start(move |_| response("200 OK", &headers, "1.0.0"));
    let url = server.url("/200");
    workspace.write("main.tf", &data(&format!("url = \"{url}\"")))?;
    workspace.apply()?;
    let state = workspace.state()?;
    assert_eq!(
        state.get("data.http.a")?.values.clone(),
        json!({
            "body": "1.0.0", "ca_cert_pem": null, "client_cert_pem": null, "client_key_pem": null, "id": url,
            "insecure": null, "method": null, "request_body": null, "request_headers": null,
            "request_timeout_ms": null, "response_body": "1.0.0", "response_body_base64": "MS4wLjA=",
            "response_headers": {
                "Content-Length": "5", "Content-Type": "text/plain", "X-Double": "1, 2", "X-Single": "foobar",
            },
            "retry": null, "status_code": 200, "url": url,
        })
    );
    assert!(workspace.plan()?.is_empty());
    Ok(())
}

#[test]
fn binary_body_is_a_warning() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server =
        Server::start(|_| response("200 OK", &["Content-Type: image/gif"], b"GIF89a\x01\x80\x21\xf9\x3b"));
    workspace.write("main.tf", &data(&format!("url = \"{}\"", server.url("/"))))?;
    let output = workspace.run(&["apply", "-auto-approve"])?.expect_success()?;
    assert!(output.contains("Response body is not recognized as UTF-8"), "{output}");
    let state = workspace.state()?;
    let values = &state.get("data.http.a")?.values;
    assert_eq!(values["response_body"], "GIF89a\u{1}\u{fffd}!\u{fffd};");
    assert_eq!(values["response_body_base64"], "R0lGODlhAYAh+Ts=");
    Ok(())
}

#[test]
fn invalid_configurations_have_the_summaries_of_the_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (arguments, expected) in [
        ("method = \"OPTIONS\"", "Error: Invalid Attribute Value Match"),
        ("insecure = true\n  ca_cert_pem = \"a\"", "Error: Invalid Attribute Combination"),
        ("client_cert_pem = \"a\"", "Error: Invalid Attribute Combination"),
        ("request_timeout_ms = 0", "Error: Invalid Attribute Value"),
        ("retry {\n    min_delay_ms = 300\n    max_delay_ms = 200\n  }", "Error: Invalid Attribute Value"),
    ] {
        workspace.write("main.tf", &data(&format!("url = \"http://localhost:1/\"\n  {arguments}")))?;
        let failed = workspace.run(&["validate"])?.expect_failure()?;
        assert!(failed.contains(expected), "{failed}");
    }
    Ok(())
}

#[test]
fn failed_request_is_reported_at_the_line_of_url() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write("main.tf", &data("method = \"GET\"\n  url    = \"http://localhost:1/\""))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    let shown = "Error: Error making request\n\n  with data.http.a,\n  on main.tf line 3, in data \"http\" \"a\":\n   3:   \
                 url    = \"http://localhost:1/\"\n";
    assert!(failed.stderr.contains(shown), "{failed}");
    Ok(())
}

#[test]
fn slow_response_exceeds_the_timeout() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server = Server::start(|_| {
        thread::sleep(Duration::from_secs(2));
        ok("")
    });
    let arguments = format!("url = \"{}\"\n  request_timeout_ms = 50", server.url("/"));
    workspace.write("main.tf", &data(&arguments))?;
    let failed = workspace.run(&["plan"])?.expect_failure()?;
    assert!(failed.contains("Error: Error making request"), "{failed}");
    assert!(failed.contains("The request exceeded the timeout of 50ms."), "{failed}");
    Ok(())
}

#[test]
fn status_code_is_available_to_conditions_and_provisioners() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let server =
        Server::start(|it| if it.target == "/ok" { ok("") } else { response("404 Not Found", &[], "") });
    let check = |path: &str| {
        let condition = "  lifecycle {\n    postcondition {\n      condition = self.status_code == 200\n      \
                         error_message = \"The status is ${self.status_code}.\"\n    }\n  }";
        workspace.write("main.tf", &data(&format!("url = \"{}\"\n{condition}", server.url(path))))?;
        workspace.run(&["plan"])
    };
    check("/ok")?.expect_success()?;
    let failed = check("/missing")?.expect_failure()?;
    assert!(failed.contains("The status is 404."), "{failed}");

    let check = |path: &str| {
        let command = "contains([200, 201], data.http.a.status_code)";
        let resource = format!(
            "resource \"terraform_data\" \"a\" {{\n  triggers_replace = \"{path}\"\n  provisioner \"local-exec\" {{\n    \
             command = {command}\n  }}\n}}\n"
        );
        workspace.write("main.tf", &(data(&format!("url = \"{}\"", server.url(path))) + &resource))?;
        workspace.run(&["apply", "-auto-approve"])
    };
    check("/ok")?.expect_success()?;
    let failed = check("/missing")?.expect_failure()?;
    assert!(failed.contains("Error running command 'false'"), "{failed}");
    Ok(())
}
