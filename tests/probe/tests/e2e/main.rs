//! End-to-end tests of the probe providers with `terraform` or `tofu`.

mod actions;
mod aws_mux;
mod common;
mod debug_mode;
mod element_matching;
mod ephemeral_resources;
mod errors;
mod functions;
mod import;
mod import_by_identity;
mod interrupt;
mod large_state;
mod lifecycle;
mod list_resources;
mod logs;
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
