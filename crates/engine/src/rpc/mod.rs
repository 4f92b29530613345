//! One file for each RPC of the provider protocol, named after it. `validate_config` serves the RPCs that validate a
//! configuration, of every kind. `respond` runs every RPC except CallFunction, and completes its response.
//! `attribute_relations`, `checkpoint`, `rpc_metadata`, `sdkv2_state` and `sensitive_values` are helpers of the RPCs.
//!
//! Every RPC is a method of [`ProviderServer`](crate::ProviderServer) that takes values and returns values and
//! diagnostics. It never fails as a whole: if the provider's method fails, the response carries the error together with
//! the state that Terraform has to keep.

pub mod action;
pub mod apply_resource_change;
mod attribute_relations;
mod call_function;
mod checkpoint;
pub mod configure_provider;
pub mod ephemeral_resource;
pub mod generate_resource_config;
pub mod get_provider_schema;
pub mod import_resource_state;
pub mod list_resource;
pub mod move_resource_state;
pub mod plan_resource_change;
pub mod read_data_source;
pub mod read_resource;
mod respond;
pub mod rpc_metadata;
pub mod sdkv2_state;
mod sensitive_values;
pub mod state_store;
mod upgrade_resource_identity;
pub mod upgrade_resource_state;
pub mod validate_config;
