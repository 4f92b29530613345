//! Sensitive content is only in the file and in the state, not in plans, output or logs.

use std::fs;

use crate::{Outcome, workspace};

/// All secrets, and the first one in base64 at each of its three possible offsets.
const SECRETS: [&str; 5] = [
    "content-that-is-secret",
    "changed-and-secret",
    "Y29udGVudC10aGF0LWlzLXNlY3Jld",
    "NvbnRlbnQtdGhhdC1pcy1zZWNyZX",
    "jb250ZW50LXRoYXQtaXMtc2VjcmV0",
];

fn assert_no_secret(source: &str, text: &str) {
    for secret in SECRETS {
        let line = text.lines().find(|it| it.contains(secret));
        assert_eq!(line, None, "{source} contains {secret:?}");
    }
}

#[test]
fn sensitive_content_is_neither_shown_nor_logged() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let workspace = workspace.with_trace_log();
    let configure = |content: &str| {
        workspace.write(
            "main.tf",
            &format!(
                r#"
                resource "local_sensitive_file" "a" {{
                  filename = "a.txt"
                  content  = "{content}"
                }}
                data "local_sensitive_file" "a" {{
                  filename = local_sensitive_file.a.filename
                }}
                resource "local_file" "b" {{
                  filename          = "b.txt"
                  sensitive_content = data.local_sensitive_file.a.content
                }}
                "#
            ),
        )
    };

    configure("content-that-is-secret")?;
    let plan = workspace.plan()?;
    assert!(plan.text().contains("(sensitive value)"), "{}", plan.text());
    assert_no_secret("the plan", plan.text());
    assert_no_secret("the creation", &workspace.apply_plan(&plan)?.to_string());
    for file in ["a.txt", "b.txt"] {
        assert_eq!(
            fs::read_to_string(workspace.path().join(file))?,
            "content-that-is-secret",
            "wrong content"
        );
    }
    assert_no_secret("the state's display", &workspace.run(&["show"])?.expect_success()?.to_string());
    assert_no_secret("the refresh", workspace.plan()?.text());
    configure("changed-and-secret")?;
    let plan = workspace.plan()?;
    assert!(!plan.is_empty());
    assert_no_secret("the plan of a replacement", plan.text());
    assert_no_secret("the replacement", &workspace.apply_plan(&plan)?.to_string());
    fs::write(workspace.path().join("a.txt"), "content-that-is-secret")?;
    assert_no_secret("the plan after a drift", workspace.plan()?.text());
    assert_no_secret("the destruction", &workspace.destroy()?.to_string());

    // The log contains the lines of the CLI and of the provider.
    let log = workspace.log()?;
    assert!(log.of_provider("local").iter().any(|it| it.contains("tf_rpc=ApplyResourceChange")));
    assert_no_secret("the log", log.text());
    Ok(())
}
