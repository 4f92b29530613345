//! Tests with the real `terraform` or `tofu`. Without one on the `PATH`, they are skipped, unless
//! `FERROFORM_E2E=required`.

mod mock;

use ferroform::Provider as _;
use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{PlannedAction, Result, Workspace};
use mock::Mock;
use terraform_provider_directory::Client;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-directory");
const USER: &str = "directory_user.ada";

const CONFIGURATION: &str = r#"
resource "directory_user" "ada" {
  email = "ada@example.com"
  name  = "Ada"
}

data "directory_users" "all" {
  depends_on = [directory_user.ada]
}

output "emails" {
  value = join(",", data.directory_users.all.users[*].email)
}
"#;

#[test]
fn user_lifecycle() -> Result<()> {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let mock = Mock::start();
    let workspace = Workspace::new(&cli)?.provider(Client::ADDRESS, BINARY)?;
    let workspace = workspace.env("DIRECTORY_ENDPOINT", mock.url()).env("DIRECTORY_TOKEN", mock::TOKEN);
    workspace.write("main.tf", CONFIGURATION)?;
    assert_eq!(workspace.plan()?.change(USER)?.action, PlannedAction::Create);
    workspace.apply()?;
    assert_eq!(workspace.state()?.get(USER)?.values["id"], "u-1");
    assert_eq!(workspace.output("emails")?, "ada@example.com");
    assert!(workspace.plan()?.is_empty());
    workspace.destroy()?;
    assert!(mock.users.objects().is_empty());
    Ok(())
}
