//! What a provider's methods have besides their values: time, turns, waiting, deferral, and what the module says.

#![allow(clippy::unwrap_used, reason = "test code")]

#[path = "../common/mod.rs"]
mod common;

mod concurrency;
mod contract;
mod deferral;
mod final_plans;
mod meta;
mod plans;
mod timeouts;
mod waiting;
