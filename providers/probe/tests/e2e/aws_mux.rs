//! A provider that is muxed with the AWS provider, which is written in Go. The tests run only if `FERROFORM_TEST_GO_PROVIDER` is
//! the path of the AWS provider.

use std::env;
use std::io::{self, Write as _};

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;

use crate::common::Outcome;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-aws");

/// The provider's configuration, with which it requires neither credentials nor a network connection.
const PROVIDER: &str = r#"
    provider "aws" {
      region                      = "eu-central-1"
      access_key                  = "none"
      secret_key                  = "none"
      skip_credentials_validation = true
      skip_metadata_api_check     = true
      skip_region_validation      = true
      skip_requesting_account_id  = true
    }
"#;

/// A workspace with the muxed provider, or `None` if the CLI does not have the features or there is no AWS provider.
fn workspace(features: &[Feature]) -> Result<Option<Workspace>, Box<dyn std::error::Error>> {
    let program = env::var_os("FERROFORM_TEST_GO_PROVIDER").filter(|it| !it.is_empty());
    let Some(program) = program else {
        // Not `eprintln!`, which the test runner captures.
        io::stderr().write_all(b"skipped: FERROFORM_TEST_GO_PROVIDER is not set\n")?;
        return Ok(None);
    };
    let Some(cli) = Cli::for_test_of(features) else { return Ok(None) };
    let workspace = Workspace::new(&cli)?.provider("registry.terraform.io/ferroform/aws", BINARY)?;
    let workspace = workspace.env("FERROFORM_TEST_GO_PROVIDER", program);
    workspace.write("provider.tf", PROVIDER)?;
    Ok(Some(workspace))
}

#[test]
fn configuration_uses_types_of_both_processes() -> Outcome {
    let Some(space) = workspace(&[])? else { return Ok(()) };
    space.write(
        "main.tf",
        "resource \"aws_iam_access_key\" \"a\" {\n  user   = \"a\"\n  status = \"Sleeping\"\n}\n",
    )?;
    let validation = space.validate()?;
    let errors: Vec<_> = validation.diagnostics.iter().map(|it| it.summary.as_str()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("status"), "{errors:?}");

    space.write(
        "main.tf",
        r#"
        resource "aws_s3_bucket" "logs" {
          bucket = "muxed-logs"
          tags   = { note = aws_note.logs.text }
        }
        resource "aws_note" "logs" {
          name = "logs"
          text = "The bucket of the logs."
        }
        "#,
    )?;
    assert!(space.validate()?.diagnostics.is_empty());
    let plan = space.plan()?;
    let changes: Vec<_> = plan.changes().iter().map(|it| it.address.as_str()).collect();
    assert_eq!(changes, ["aws_note.logs", "aws_s3_bucket.logs"]);
    assert!(plan.change("aws_s3_bucket.logs")?.is_unknown("arn"));

    // Without the bucket, which can only be created at AWS.
    space.write("main.tf", "resource \"aws_note\" \"logs\" {\n  name = \"logs\"\n}\n")?;
    space.apply()?;
    assert_eq!(space.state()?.get("aws_note.logs")?.values["region"], "eu-central-1");
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

#[test]
fn functions_of_both_processes_are_called() -> Outcome {
    let Some(space) = workspace(&[Feature::ProviderFunctions])? else { return Ok(()) };
    space.write(
        "main.tf",
        r#"
        output "note" {
          value = provider::aws::note_id("logs")
        }
        output "service" {
          value = provider::aws::arn_parse("arn:aws:s3:::logs").service
        }
        "#,
    )?;
    space.apply()?;
    assert_eq!(space.output("note")?, "note/logs");
    assert_eq!(space.output("service")?, "s3");
    Ok(())
}

#[test]
fn object_is_imported_by_identity_in_front_of_another_provider() -> Outcome {
    let Some(space) = workspace(&[Feature::ResourceIdentity])? else { return Ok(()) };
    space.write(
        "main.tf",
        r#"
        import {
          to       = aws_note.logs
          identity = { name = "logs" }
        }
        resource "aws_note" "logs" {
          name = "logs"
        }
        "#,
    )?;
    space.apply()?;
    assert_eq!(space.state()?.get("aws_note.logs")?.values["name"], "logs");
    Ok(())
}
