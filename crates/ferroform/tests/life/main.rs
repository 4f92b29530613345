//! What a provider's methods have besides their values: time, turns, waiting, deferral, and what the module says.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "test code")]

#[path = "../common/mod.rs"]
mod common;

mod behind;
mod checkpoints;
mod concurrency;
mod contract;
mod deferral;
mod destroy;
mod final_plans;
mod hooks;
mod late;
mod liar;
mod meta;
mod order;
mod panics;
mod plans;
mod timeouts;
mod waiting;
