//! End-to-end tests of the probe providers with `terraform` or `tofu`.

mod actions;
mod aws_mux;
mod common;
mod element_matching;
mod ephemeral_resources;
mod errors;
mod functions;
mod import;
mod import_by_identity;
mod interrupt;
mod lifecycle;
mod list_resources;
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
