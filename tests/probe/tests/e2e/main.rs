//! End-to-end tests of the probe providers with `terraform` or `tofu`.

mod common;
mod element_matching;
mod errors;
mod functions;
mod import;
mod interrupt;
mod lifecycle;
mod matrix;
mod multiple_providers;
mod nested_attributes;
mod panics;
mod plan_modifiers;
mod plan_with;
mod sensitive_values;
mod state_upgrades_and_moves;
mod timeouts_and_waiting;
mod unknown_provider_config;
mod validation;
