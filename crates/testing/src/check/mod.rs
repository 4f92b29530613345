//! Checks a provider with generated configurations and injected faults.

mod base;
mod candidates;
mod choices;
mod configurations;
mod hcl;
mod intercept;
#[cfg(feature = "unstable-state-stores")]
mod intercepted_stores;
mod leaks;
mod links;
mod pattern;
mod provider_under_test;
mod run;
mod scenarios;
mod search;
mod service;
mod settings;
mod step;
#[cfg(feature = "unstable-state-stores")]
mod store_clients;
mod target;
mod values;

pub use service::{FaultInjection, ServiceFault};
pub use settings::{ProviderCheck, ViolationReport, check_provider};
