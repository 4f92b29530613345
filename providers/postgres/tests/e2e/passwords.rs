//! Passwords that are stored nowhere.

use std::fs;
use std::process::Command;

use ferroform_testing::cli::Feature;

use crate::{Outcome, workspace};

#[test]
fn generated_password_is_set_and_not_stored() -> Outcome {
    let features = [Feature::EphemeralResources, Feature::WriteOnlyAttributes];
    let Some((workspace, server, _)) = workspace(&features)? else { return Ok(()) };
    let configuration = |version: u32| {
        format!(
            r#"
            ephemeral "postgresql_password" "a" {{
              length = 40
            }}
            resource "postgresql_role" "a" {{
              name                = "generated"
              login               = true
              password_wo         = ephemeral.postgresql_password.a.password
              password_wo_version = {version}
            }}
            resource "terraform_data" "a" {{
              input            = {version}
              triggers_replace = {version}
              provisioner "local-exec" {{
                command     = "printf %s \"$PASSWORD\" > used-{version}"
                environment = {{
                  PASSWORD = ephemeral.postgresql_password.a.password
                }}
              }}
            }}
            "#
        )
    };
    let mut verifiers = Vec::new();
    for version in [1, 2] {
        workspace.write("main.tf", &configuration(version))?;
        let output = workspace.apply()?.to_string();
        let password = fs::read_to_string(workspace.path().join(format!("used-{version}")))?;
        assert_eq!(password.len(), 40);
        let stored = workspace.run(&["show", "-json"])?.stdout;
        for text in [&output, &stored, &server.log()] {
            assert!(!text.contains(&password), "a password is stored");
        }
        let connection =
            format!("host=127.0.0.1 port={} dbname=postgres user=generated sslmode=require", server.port);
        let mut login = Command::new("psql");
        let login = login.args([&connection, "-c", "SELECT 1"]).env("PGPASSWORD", &password).output()?;
        assert!(login.status.success(), "{}", String::from_utf8_lossy(&login.stderr));
        verifiers
            .push(server.psql("postgres", "SELECT rolpassword FROM pg_authid WHERE rolname = 'generated'"));
    }
    assert!(verifiers.iter().all(|it| it.starts_with("SCRAM-SHA-256$")) && verifiers[0] != verifiers[1]);
    workspace.plan()?.expect_empty()?;
    Ok(())
}
