//! Replays the recorded behavior of the Go framework, the cases in `vectors/`, against Ferroform.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

#[allow(dead_code, reason = "shared with the tests of another crate")]
#[path = "../../../value/tests/common/mod.rs"]
mod common;
#[path = "../common/test_provider.rs"]
mod test_provider;

mod reflection;
mod server;
mod unrecorded_cases;
