//! Test Terraform providers in milliseconds, without a CLI.
//!
//! [`Core`] runs the real provider and Ferroform's real engine in the test's process, and plays the part of
//! Terraform's core: it proposes new states, plans, applies, reads again, imports, replaces and destroys, and
//! keeps the state. After every step it checks the [`Law`]s that every provider keeps, unasked; a broken one
//! fails the test, and says which, where, what was expected and what came.
//!
//! ```text
//! let core = Core::start::<Local>(config! {});
//! let mut file = core.resource("local_file");
//! file.apply(config! { filename = path, content = "a" });
//! assert_eq!(file.plan(config! { filename = path, content = "b" }).action, Action::Replace);
//! file.destroy();
//! ```
//!
//! Things go wrong outside too. *Lost*: delete the real object and [`refresh`](Instance::refresh). *Drift*:
//! change it and refresh. *Interrupted*: [`stop_at`](Core::stop_at). *Not known yet*:
//! [`plan_with_unknowns`](Instance::plan_with_unknowns) tries every place of a configuration.
//!
//! [`cli`] drives the real `terraform` and `tofu`, for what only they can show.

pub mod cli;

mod around;
mod config;
mod core;
mod data;
mod diff;
mod history;
mod identity;
mod instance;
mod law;
mod lock;
mod log;
mod propose;
mod secrets;
mod show;
mod steps;
mod unknowns;

pub use crate::config::{Configuration, Literal, refined, unknown};
pub use crate::core::Core;
pub use crate::data::DataSource;
pub use crate::diff::{Action, Diff, Snapshot};
pub use crate::history::Source;
pub use crate::instance::Instance;
pub use crate::law::Law;
pub use crate::lock::SchemaLock;
pub use ferroform_engine::CHECKPOINT;
