//! One file for each RPC of the provider protocol, named after it.
pub mod apply_resource_change;
pub mod caller;
mod checkpoint;
pub mod configure_provider;
pub mod generate_resource_config;
pub mod get_provider_schema;
pub mod import_resource_state;
pub mod move_resource_state;
pub mod plan_resource_change;
pub mod read_data_source;
pub mod read_resource;
mod sensitive_values;
mod upgrade_resource_identity;
pub mod upgrade_resource_state;
pub mod validate_config;
