//! The content of a sensitive file is in the file and in the state, and nowhere else.

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

fn shows_none(what: &str, text: &str) {
    for secret in SECRETS {
        let line = text.lines().find(|it| it.contains(secret));
        assert_eq!(line, None, "{what} has {secret:?}");
    }
}

#[test]
fn sensitive_content_is_neither_shown_nor_logged() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let space = space.traced();
    let configure = |content: &str| {
        space.write(
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
    let plan = space.plan()?;
    assert!(plan.text().contains("(sensitive value)"), "{}", plan.text());
    shows_none("the plan", plan.text());
    shows_none("the creation", &space.apply_plan(&plan)?.to_string());
    for file in ["a.txt", "b.txt"] {
        assert_eq!(fs::read_to_string(space.path().join(file))?, "content-that-is-secret", "it did arrive");
    }
    shows_none("the state's display", &space.run(&["show"])?.expect_success()?.to_string());
    shows_none("the refresh", space.plan()?.text());
    configure("changed-and-secret")?;
    let plan = space.plan()?;
    assert!(!plan.is_empty());
    shows_none("the plan of a replacement", plan.text());
    shows_none("the replacement", &space.apply_plan(&plan)?.to_string());
    fs::write(space.path().join("a.txt"), "content-that-is-secret")?;
    shows_none("the plan after a drift", space.plan()?.text());
    shows_none("the destruction", &space.destroy()?.to_string());

    // Neither the logs of the CLI nor those of the provider.
    let log = space.log()?;
    assert!(log.of_provider("local").iter().any(|it| it.contains("tf_rpc=ApplyResourceChange")));
    shows_none("the log", log.text());
    Ok(())
}
