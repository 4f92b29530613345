//! States that HashiCorp's provider has stored plan no change. Terraform reads data sources again and does not upgrade
//! their stored attributes, so each version of the original has schema version 0.

use ferroform_testing::workspace::StoredObject;
use serde_json::json;

use crate::server::{Server, response};
use crate::{Outcome, data, workspace};

#[test]
fn state_of_each_version_plans_no_change() -> Outcome {
    let server = Server::start(|_| response("200 OK", &["Content-Type: text/plain"], "1.0.0"));
    let url = server.url("/");
    let headers = json!({ "Content-Length": "5", "Content-Type": "text/plain" });
    let mut attributes = json!({ "body": "1.0.0", "id": url, "request_headers": null, "url": url });
    // The attributes that each version added.
    let versions = [
        ("1.0", json!({})),
        ("1.2", json!({ "response_headers": headers })),
        ("2.2", json!({ "response_body": "1.0.0" })),
        ("3.0", json!({ "status_code": 200 })),
        ("3.1", json!({ "method": null, "request_body": null })),
        ("3.2", json!({ "ca_cert_pem": null, "insecure": null })),
        ("3.3", json!({ "request_timeout_ms": null, "retry": null })),
        ("3.4", json!({ "response_body_base64": "MS4wLjA=" })),
        ("3.5", json!({ "client_cert_pem": null, "client_key_pem": null })),
    ];
    for (version, added) in versions {
        for (name, value) in added.as_object().into_iter().flatten() {
            attributes[name] = value.clone();
        }
        let Some(workspace) = workspace()? else { return Ok(()) };
        let body = if version == "1.0" || version == "1.2" { "body" } else { "response_body" };
        let configuration = data(&format!("url = \"{url}\""));
        workspace.write("main.tf", &configuration)?;
        workspace.write_state(&[StoredObject::new("data.http.a", 0, attributes.clone())])?;
        let plan = workspace.plan()?;
        assert!(plan.is_empty(), "{version}: {}", plan.text());
        let output = format!("output \"a\" {{\n  value = data.http.a.{body}\n}}\n");
        workspace.write("main.tf", &(configuration + &output))?;
        workspace.apply()?;
        assert_eq!(workspace.output("a")?, "1.0.0", "{version}");
        let state = workspace.state()?;
        assert_eq!(state.get("data.http.a")?.values["response_body_base64"], "MS4wLjA=");
    }
    // The newest version has the attributes of this provider.
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write("main.tf", &data(&format!("url = \"{url}\"")))?;
    workspace.apply()?;
    assert_eq!(workspace.state()?.get("data.http.a")?.values, attributes);
    Ok(())
}
