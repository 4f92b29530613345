//! `local_command` as data source, ephemeral resource and action.

use std::fs;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;
use serde_json::{Value, json};

use crate::{ADDRESS, BINARY, Outcome, workspace};

/// A workspace with the provider, if the CLI has the feature.
fn workspace_for(feature: Feature) -> ferroform_testing::workspace::Result<Option<Workspace>> {
    Cli::for_test_of(&[feature]).map(|cli| Workspace::new(&cli)?.provider(ADDRESS, BINARY)).transpose()
}

#[test]
fn data_source_returns_output_of_command() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        r#"
        resource "local_file" "script" {
          filename = "${path.module}/script.sh"
          content  = "read LINE; echo \"{\\\"read\\\": \\\"$LINE\\\", \\\"count\\\": $#}\""
        }
        data "local_command" "a" {
          command   = "bash"
          arguments = [local_file.script.filename, "one", null, "two"]
          stdin     = "a line\n"
        }
        output "parsed" {
          value = jsondecode(data.local_command.a.stdout)
        }
        "#,
    )?;
    workspace.apply()?;
    assert_eq!(workspace.output("parsed")?, json!({ "read": "a line", "count": 2 }));
    let state = workspace.state()?;
    let values = &state.get("data.local_command.a")?.values;
    assert_eq!((&values["exit_code"], &values["stderr"]), (&json!(0), &Value::Null));
    assert!(workspace.plan()?.is_empty());
    Ok(())
}

#[test]
fn errors_of_data_source_have_phrases_of_the_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (arguments, expected) in [
        ("command = \"notarealcommand\"", "executable file not found"),
        (
            "command = \"bash\"\n  arguments = [\"-c\", \"exit 1\"]",
            "The data source executed the command but received a non-zero exit code.",
        ),
        (
            "command = \"bash\"\n  working_directory = \"/definitely/not/a/real/directory\"",
            "chdir /definitely/not/a/real/directory",
        ),
    ] {
        workspace.write("main.tf", &format!("data \"local_command\" \"a\" {{\n  {arguments}\n}}\n"))?;
        let failed = workspace.run(&["plan"])?.expect_failure()?;
        assert!(failed.contains(expected), "{failed}");
    }
    Ok(())
}

#[test]
fn output_of_ephemeral_resource_is_not_stored() -> Outcome {
    let Some(workspace) = workspace_for(Feature::EphemeralResources)? else { return Ok(()) };
    workspace.write(
        "main.tf",
        r#"
        ephemeral "local_command" "a" {
          command   = "bash"
          arguments = ["-c", "echo -n a-secret; echo run >> runs"]
        }
        resource "terraform_data" "a" {
          input = "stored"
          provisioner "local-exec" {
            command = "test \"$SECRET\" = a-secret && touch used"
            environment = {
              SECRET = ephemeral.local_command.a.stdout
            }
          }
        }
        "#,
    )?;
    workspace.apply()?;
    assert!(workspace.path().join("used").exists());
    assert!(!workspace.run(&["show", "-json"])?.stdout.contains("a-secret"));
    assert!(fs::read_to_string(workspace.path().join("runs"))?.lines().count() >= 1);
    Ok(())
}

/// The action of the scenarios: it appends its standard input and its arguments to a file.
fn action(workspace: &Workspace, config: &str) -> Outcome {
    workspace.write(
        "main.tf",
        &format!(
            r#"
            resource "terraform_data" "a" {{
              lifecycle {{
                action_trigger {{
                  events  = [after_create]
                  actions = [action.local_command.a]
                }}
              }}
            }}
            action "local_command" "a" {{
              config {{
                {config}
              }}
            }}
            "#
        ),
    )?;
    Ok(())
}

#[test]
fn action_runs_command_after_create() -> Outcome {
    let Some(workspace) = workspace_for(Feature::Actions)? else { return Ok(()) };
    let directory = workspace.path().display().to_string();
    fs::write(
        workspace.path().join("script.sh"),
        "NAME=$(cat)\necho \"Hello $NAME!\"\necho \"stdin: $NAME, args: $@, var: $VAR\" > test_file.txt\n",
    )?;
    let config = format!(
        "command = \"bash\"\n  arguments = [\"script.sh\", null, \"1\", \"2\", null]\n  stdin = \"John\"\n  \
         working_directory = \"{directory}\"\n  environment = {{ VAR = \"set\" }}"
    );
    action(&workspace, &config)?;
    let output = workspace.apply()?;
    assert!(output.contains("Hello John!"), "{output}");
    let written = fs::read_to_string(workspace.path().join("test_file.txt"))?;
    assert_eq!(written, "stdin: John, args: 1 2, var: set\n");
    Ok(())
}

#[test]
fn errors_of_action_have_phrases_of_the_original() -> Outcome {
    let Some(workspace) = workspace_for(Feature::Actions)? else { return Ok(()) };
    for (config, expected) in [
        ("command = \"notarealcommand\"", "exec: \"notarealcommand\": executable file not found"),
        (
            "command = \"bash\"\n  arguments = [\"-c\", \"echo 'ru roh' >&2; exit 1\"]",
            "Command Error: ru roh State: exit status 1",
        ),
    ] {
        action(&workspace, config)?;
        let failed = workspace.run(&["apply", "-auto-approve"])?.expect_failure()?;
        assert!(failed.contains(expected), "{failed}");
    }
    Ok(())
}

/// The configuration on the guide's page about actions.
#[test]
fn configuration_of_guide_page_invokes_action() -> Outcome {
    let Some(workspace) = workspace_for(Feature::Actions)? else { return Ok(()) };
    let page = include_str!("../../../../docs/actions.md");
    let example =
        page.split("```hcl\n").nth(1).and_then(|it| it.split("```").next()).ok_or("no configuration")?;
    workspace.write("main.tf", example)?;
    let output = workspace.apply()?;
    assert!(output.contains("released 1.0"), "{output}");
    assert!(workspace.plan()?.is_empty());
    workspace.write("main.tf", &example.replace("1.0", "1.1"))?;
    assert!(workspace.apply()?.contains("released 1.1"));
    let alone = workspace.run(&["apply", "-auto-approve", "-invoke=action.local_command.announce"])?;
    assert!(alone.expect_success()?.contains("released 1.1"));
    Ok(())
}
