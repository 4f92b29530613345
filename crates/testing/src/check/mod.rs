//! Generated trouble for a provider.

mod base;
mod candidates;
mod checker;
mod choices;
mod hcl;
mod intercept;
#[cfg(feature = "unstable-state-stores")]
mod observed_stores;
mod pattern;
mod run;
mod scenarios;
mod search;
mod service;
mod settings;
mod step;
mod target;
mod values;

pub use service::{FaultInjection, ServiceFault};
pub use settings::{ProviderCheck, ViolationReport, check_provider};
