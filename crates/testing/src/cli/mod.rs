//! The installed `terraform` and `tofu`, and their runs. A [`Workspace`](crate::workspace::Workspace) uses them
//! with providers that run in the test process or that were just built, without a registry and without a network.
//!
//! ```no_run
//! use ferroform_testing::cli::Cli;
//! use ferroform_testing::workspace::{PlannedAction, Result, Workspace};
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
//! the binary. Every step returns a [`Result`](crate::workspace::Result) whose error contains the output of the CLI, so tests
//! can use `?`.

mod discovery;
mod feature;
mod log;
mod process;

pub use self::discovery::Cli;
pub(crate) use self::discovery::skip;
pub use self::feature::{Feature, Product};
pub use self::log::Log;
pub use self::process::Running;
