//! Test Terraform providers in milliseconds without the Terraform CLI, and run the same configurations with the CLI.
//!
//! [`Harness`] runs a provider and Ferroform's engine in the test process and simulates Terraform: it merges the
//! configuration with the prior state, plans, applies, refreshes, imports, replaces and destroys, and keeps the state.
//! After every step, it checks [invariants](Invariant#invariants-of-the-harness) of a provider. A violation fails the test with
//! the invariant, the step, the attribute path, the expected and the actual value.
//!
//! ```no_run
//! # ferroform_testing::provider! { Local {} }
//! use ferroform_testing::{Action, Harness, config};
//!
//! let harness = Harness::start::<Local>(config! {});
//! let mut file = harness.resource("local_file");
//! file.apply(config! { filename = "a.txt", content = "one" });
//!
//! let planned = file.plan(config! { filename = "a.txt", content = "two" });
//! assert_eq!(planned.action, Action::Replace);
//! file.destroy();
//! ```
//!
//! [`Workspace`](workspace::Workspace) does the same for a whole configuration, written as HCL: in process, or with each installed
//! `terraform` and `tofu`. [`check_provider`] needs no configurations from you: it generates them from the schemas, and injects
//! faults.
//!
//! # API by test subject
//!
//! | test subject | API |
//! | --- | --- |
//! | plan, apply, refresh, destroy of a resource | [`Harness::resource`] and the methods of [`Instance`] |
//! | a data source | [`Harness::data_source`] |
//! | a provider for the objects under test | [`provider!`] |
//! | drift | change or delete the remote object, then [`Instance::refresh`] |
//! | unknown values | [`Instance::plan_with_unknowns`], [`Instance::apply_once_known`], [`unknown()`] |
//! | a step that reports an error or is deferred | `try_apply`, `try_read`, `Harness::try_start`, …, which return an [`Outcome`] |
//! | a cancellation (Ctrl-C) | [`Harness::stop_at`], [`Harness::stop_after`] |
//! | import and resource identity | [`Instance::import`], [`Instance::import_by_identity`] |
//! | state upgrades and `moved` blocks | [`Instance::upgrade_state`], [`Instance::move_from`] |
//! | a list resource | [`Harness::list_resource`] |
//! | a state store, with the feature `unstable-state-stores` | `Harness::state_store` |
//! | values and faults that your tests do not cover | [`check_provider`], [`ProviderCheck`] |
//! | deferred actions | [`Harness::allow_deferral`] |
//! | stored states remain readable | [`SchemaLock`] |
//! | whole configurations, in process and by the real `terraform` or `tofu` | [`workspace::Workspace`], [`workspace::Runner`] |
//! | the installed CLIs, their versions and features | [`cli`] |
//! | remote objects that earlier test runs left behind | [`Sweepers`] |
//! | an HTTP API that the provider calls, with the feature `mock` | `mock::Service` |
//! | the RPCs of a provider binary, in any language | [`plugin`] |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod cli;
#[cfg(feature = "mock")]
pub mod mock;
pub mod plugin;
pub mod workspace;

mod action;
mod cancellation;
mod check;
mod cleanup;
mod config;
mod data_source;
mod diagnostic_paths;
mod diff;
mod echo;
mod ephemeral_resource;
mod function;
mod harness;
mod import;
mod instance;
mod instance_state;
mod invariant;
mod leaves;
mod list_resource;
mod log_capture;
mod outcome;
mod provider;
mod render;
mod rpc;
mod schema_lock;
mod sensitive_values;
mod settings;
#[cfg(feature = "unstable-state-stores")]
mod state_store;
mod state_upgrade;
mod sweepers;
mod terraform;
mod unknowns;

pub use crate::action::{Invocation, ProviderAction};
pub use crate::check::{FaultInjection, ProviderCheck, ServiceFault, ViolationReport, check_provider};
pub use crate::config::{Configuration, Literal, refined, unknown};
pub use crate::data_source::DataSource;
pub use crate::diff::{Action, Diff, Snapshot};
pub use crate::echo::Echo;
#[doc(hidden)]
pub use crate::echo::EchoSettings;
pub use crate::ephemeral_resource::{EphemeralResource, OpenResource};
pub use crate::function::Function;
pub use crate::harness::Harness;
pub use crate::instance::Instance;
pub use crate::invariant::Invariant;
pub use crate::list_resource::{ListResource, ListedObject, Listing};
pub use crate::outcome::Outcome;
#[doc(hidden)]
pub use crate::provider::__ascii_lowercase;
pub use crate::schema_lock::SchemaLock;
#[cfg(feature = "unstable-state-stores")]
pub use crate::state_store::{ConfiguredStateStore, StateStore};
pub use crate::state_upgrade::MovedObject;
pub use crate::sweepers::Sweepers;
pub use ferroform_engine::CHECKPOINT;
#[doc(hidden)]
pub use ferroform_engine::attribute_name;
