//! Drives the real `terraform` or `tofu` with providers that were just built: no registry, no network.
//!
//! ```no_run
//! use ferroform_testing::cli::{PlannedAction, Cli, Result, Workspace};
//!
//! fn a_file_lives_and_dies(provider: &str) -> Result<()> {
//!     let Some(cli) = Cli::for_test() else { return Ok(()) };
//!     let space = Workspace::new(&cli)?.provider("registry.terraform.io/hashicorp/local", provider)?;
//!     space.write("main.tf", r#"
//!         resource "local_file" "a" {
//!           filename = "a.txt"
//!           content  = "hello"
//!         }
//!     "#)?;
//!     assert_eq!(space.plan()?.change("local_file.a")?.action, PlannedAction::Create);
//!     space.apply()?;
//!     assert!(space.plan()?.is_empty());
//!     space.destroy()?;
//!     Ok(())
//! }
//! ```
//!
//! In a test of the provider's package the path of the binary is `env!("CARGO_BIN_EXE_terraform-provider-local")`.
//! Every step answers a [`Result`]; its error holds all that the CLI printed, and is readable as a test's answer.

mod error;
mod find;
mod folder;
mod json;
mod log;
mod plan;
mod process;
mod state;
mod stored;
mod validation;
mod workspace;

pub use self::error::{Error, Result};
pub use self::find::Cli;
pub use self::log::Log;
pub use self::plan::{PlannedAction, Change, Plan};
pub use self::process::{Output, Running};
pub use self::state::{Instance, State};
pub use self::stored::StoredObject;
pub use self::validation::{Problem, Validation};
pub use self::workspace::Workspace;
pub use serde_json::Value as Json;
