//! Runs the real `terraform` or `tofu` with locally built providers, without a registry and without a network.
//!
//! ```no_run
//! use ferroform_testing::cli::{Cli, PlannedAction, Result, Workspace};
//!
//! fn file_is_created_and_destroyed(provider: &str) -> Result<()> {
//!     let Some(cli) = Cli::for_test() else { return Ok(()) };
//!     let workspace = Workspace::new(&cli)?.provider("registry.terraform.io/hashicorp/local", provider)?;
//!     workspace.write("main.tf", r#"
//!         resource "local_file" "a" {
//!           filename = "a.txt"
//!           content  = "hello"
//!         }
//!     "#)?;
//!     assert_eq!(workspace.plan()?.change("local_file.a")?.action, PlannedAction::Create);
//!     workspace.apply()?;
//!     assert!(workspace.plan()?.is_empty());
//!     workspace.destroy()?;
//!     Ok(())
//! }
//! ```
//!
//! In an integration test of the provider's package, `env!("CARGO_BIN_EXE_terraform-provider-local")` is the path of
//! the binary. Every step returns a [`Result`] whose error contains the output of the CLI, so tests can use `?`.

mod discovery;
mod error;
mod feature;
mod json;
mod log;
mod plan;
mod process;
mod state;
mod state_file;
mod temporary_directory;
mod validation;
mod workspace;

pub use self::discovery::Cli;
pub use self::error::{Error, Result};
pub use self::feature::{Feature, Product};
pub use self::log::Log;
pub use self::plan::{Plan, PlannedAction, ResourceChange};
pub use self::process::{Output, Running};
pub use self::state::{State, StateObject};
pub use self::state_file::StoredObject;
pub use self::validation::{Diagnostic, Validation};
pub use self::workspace::Workspace;
pub use serde_json::Value as Json;
