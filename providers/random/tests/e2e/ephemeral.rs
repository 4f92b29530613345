//! Ephemeral values are passed to other resources, but not stored in state.

use std::fs;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;

use crate::{ADDRESS, BINARY, Outcome};

#[test]
fn ephemeral_values_are_not_stored() -> Outcome {
    let Some(cli) = Cli::for_test_of(&[Feature::EphemeralResources]) else { return Ok(()) };
    let workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    workspace.write(
        "main.tf",
        r#"
        ephemeral "random_password" "a" {
          length      = 30
          special     = false
          min_numeric = 2
        }
        ephemeral "random_bytes" "a" {
          length = 10
        }
        resource "terraform_data" "a" {
          provisioner "local-exec" {
            command = "echo $PASSWORD $HASH $HEX $SPECIAL $MINIMUM > used"
            environment = {
              PASSWORD = ephemeral.random_password.a.result
              HASH     = ephemeral.random_password.a.bcrypt_hash
              HEX      = ephemeral.random_bytes.a.hex
              SPECIAL  = ephemeral.random_password.a.special
              MINIMUM  = ephemeral.random_password.a.min_lower
            }
          }
        }
        "#,
    )?;
    let applied = workspace.apply()?.to_string();
    let used = fs::read_to_string(workspace.path().join("used"))?;
    let values: Vec<&str> = used.split_whitespace().collect();
    let &[password, hash, hex, special, minimum] = &*values else { return Err(used.into()) };
    assert_eq!((password.len(), hex.len(), special, minimum), (30, 20, "false", "0"));
    assert!(bcrypt::verify(password, hash)?);
    let stored = workspace.run(&["show", "-json"])?.stdout;
    for secret in [password, hash, hex] {
        assert!(!stored.contains(secret) && !applied.contains(secret), "{secret}");
    }
    Ok(())
}
