//! Ephemeral keys are passed to other resources, but not stored in state.

use std::fs;

use ferroform_testing::cli::{Cli, Feature};
use ferroform_testing::workspace::Workspace;

use crate::{ADDRESS, BINARY, Outcome};

#[test]
fn ephemeral_keys_are_not_stored() -> Outcome {
    let Some(cli) = Cli::for_test_of(&[Feature::EphemeralResources]) else { return Ok(()) };
    let workspace = Workspace::new(&cli)?.provider(ADDRESS, BINARY)?;
    workspace.write(
        "main.tf",
        r#"
        ephemeral "tls_private_key" "a" {
          algorithm   = "ECDSA"
          ecdsa_curve = "P256"
        }
        ephemeral "tls_public_key" "a" {
          private_key_openssh = ephemeral.tls_private_key.a.private_key_openssh
        }
        resource "terraform_data" "a" {
          provisioner "local-exec" {
            command = "echo \"$PRIVATE_KEY\" > key && echo \"$PUBLIC_KEY\" > public"
            environment = {
              PRIVATE_KEY = ephemeral.tls_private_key.a.private_key_pem
              PUBLIC_KEY  = ephemeral.tls_public_key.a.public_key_pem
            }
          }
        }
        "#,
    )?;
    let applied = workspace.apply()?.to_string();
    let expected = crate::openssl(&workspace, "pkey -in key -pubout")?;
    assert_eq!(fs::read_to_string(workspace.path().join("public"))?.trim(), expected.trim());
    let key = fs::read_to_string(workspace.path().join("key"))?;
    let secret = key.lines().nth(1).ok_or("no key")?;
    let stored = workspace.run(&["show", "-json"])?.stdout;
    assert!(!stored.contains(secret) && !applied.contains(secret));
    Ok(())
}
