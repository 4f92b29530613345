//! The methods of a provider throughout the lifecycle of an object: create, read, update, delete, import, upgrade and
//! move.

#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

#[path = "../common/mod.rs"]
mod common;

mod actions;
mod checkpoints;
mod composed_attributes;
mod concurrency_limit;
mod configuration_in_apply;
mod deferred_actions;
mod destroy;
mod detached_contexts;
mod ephemeral_resources;
mod equal_set_elements;
mod final_plans;
mod flattened_plan;
mod floats;
mod functions;
mod generated_configuration;
mod identity;
mod kinds_with_timeouts;
mod late_responses;
mod list_resources;
mod lookups;
mod misbehaving_provider;
mod mixed_models;
mod panics;
mod plan_method;
mod provider_contract;
mod provider_meta;
mod replacement_conditions;
mod resource_moves;
mod sdkv2_states;
mod set_order;
mod state_only;
mod state_stores;
mod state_upgrades;
mod timeouts;
mod upgrade_warnings;
mod views_in_methods;
mod waiting;
