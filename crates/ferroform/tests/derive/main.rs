//! The derive macros and the conversions between Rust types and values.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

#[path = "../common/mod.rs"]
mod common;

mod conversion;
mod conversion_messages;
mod data_access;
mod enums_and_newtypes;
mod enums_with_data;
mod library_types;
mod lossless_conversion;
mod model;
mod placeholders;
mod round_trips;
mod standard_types;
