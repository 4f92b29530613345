//! The engine in process: planning, applying and validating resources of small models.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../full_provider/mod.rs"]
mod full_provider;

mod apply;
mod attribute_behaviors;
mod blocks;
mod contract_checks;
mod custom_types;
mod defaults;
mod descriptions;
mod diagnostics;
mod dynamic_attributes;
mod element_keys;
mod element_matching;
mod guide_examples;
mod large_collections;
mod nested_attributes;
mod nested_sets;
mod object_attributes;
mod plan;
mod plan_with;
mod practitioner_mistakes;
mod replacement;
mod runtime_schema;
mod schema_json;
mod semantic_equality;
mod sensitive_provider_config;
mod sensitive_values;
mod sets;
mod validators;
mod write_only;
