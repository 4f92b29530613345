//! The request context: everything that a provider's method receives in addition to values.
//!
//! - `context.rs`: the configured provider, warnings, checkpoints, private state and cancellation.
//! - `settings.rs`: clock, timeout and deadline, deferred actions, provider metadata and the concurrency limit.
//! - `private_state.rs`: the private state of an object, as Terraform stores it.
//! - `open_resource.rs`: ephemeral resources that are open.
//! - `deferral.rs`: reasons for deferrals, and the behavior while the provider is not configured.

pub mod context;
pub mod deferral;
pub mod list_results;
pub(crate) mod open_resource;
pub mod private_state;
pub(crate) mod progress;
pub mod settings;
