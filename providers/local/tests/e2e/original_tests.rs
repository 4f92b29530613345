//! The scenarios of the original provider's own acceptance tests.

use std::fs;

use ferroform_testing::workspace::PlannedAction;

use crate::{Outcome, workspace};

#[test]
fn each_content_attribute_creates_the_file() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    // Terraform and OpenTofu add the host of their own registry.
    workspace.write(
        "providers.tf",
        "terraform {\n  required_providers {\n    local = { source = \"hashicorp/local\" }\n  }\n}\n",
    )?;
    workspace.write("source.txt", "from a file")?;
    for kind in ["local_file", "local_sensitive_file"] {
        let mut before = "";
        for (content, expected) in [
            (r#"content = "some content""#, "some content"),
            (r#"sensitive_content = "some secret""#, "some secret"),
            (r#"content_base64 = "dGhpcyBpcyBiYXNlNjQ=""#, "this is base64"),
            (r#"content_base64 = base64encode("encoded by a function")"#, "encoded by a function"),
            (r#"source = "source.txt""#, "from a file"),
        ] {
            if kind == "local_sensitive_file" && content.starts_with("sensitive_content") {
                continue;
            }
            let text = format!("resource \"{kind}\" \"a\" {{\n  filename = \"a.txt\"\n  {content}\n}}\n");
            workspace.write("main.tf", &text)?;
            let plan = workspace.plan()?;
            let action = if before.is_empty() { PlannedAction::Create } else { PlannedAction::Replace };
            assert_eq!(plan.change(&format!("{kind}.a"))?.action, action);
            workspace.apply_plan(&plan)?;
            assert_eq!(fs::read_to_string(workspace.path().join("a.txt"))?, expected);
            assert!(workspace.plan()?.is_empty());
            before = expected;
        }
        workspace.destroy()?;
        assert!(!workspace.path().join("a.txt").exists());
    }
    Ok(())
}

#[test]
fn invalid_arguments_have_the_summaries_of_the_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for kind in ["local_file", "local_sensitive_file"] {
        for (arguments, expected) in [
            ("", "Error: Invalid Attribute Combination"),
            ("content = \"a\"\n  content_base64 = \"YQ==\"", "Error: Invalid Attribute Combination"),
            ("content = \"a\"\n  file_permission = \"9999\"", "bad mode permission"),
        ] {
            let text = format!("resource \"{kind}\" \"a\" {{\n  filename = \"a.txt\"\n  {arguments}\n}}\n");
            workspace.write("main.tf", &text)?;
            let failed = workspace.run(&["plan"])?.expect_failure()?;
            assert!(failed.contains(expected), "{failed}");
        }
    }
    Ok(())
}

#[test]
fn data_sources_return_content_and_checksums() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write("a.txt", "hello")?;
    for kind in ["local_file", "local_sensitive_file"] {
        let public = |attribute: &str| match kind {
            "local_sensitive_file" => format!("nonsensitive(data.{kind}.a.{attribute})"),
            _ => format!("data.{kind}.a.{attribute}"),
        };
        let (content, base64) = (public("content"), public("content_base64"));
        workspace.write(
            "main.tf",
            &format!(
                r#"
                data "{kind}" "a" {{
                  filename = "a.txt"
                }}
                output "a" {{
                  value = [{content}, {base64}, data.{kind}.a.id, data.{kind}.a.content_md5, data.{kind}.a.content_sha1]
                }}
                "#
            ),
        )?;
        workspace.apply()?;
        let sha1 = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d";
        let expected = ["hello", "aGVsbG8=", sha1, "5d41402abc4b2a76b9719d911017c592", sha1];
        assert_eq!(workspace.output("a")?, serde_json::json!(expected));
    }
    Ok(())
}
