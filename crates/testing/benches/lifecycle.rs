//! The time of a lifecycle in the test kit, with all its checks: create, update, replace, destroy.
//!
//! `cargo bench -p ferroform-testing`; add `--profile dev` to measure the profile of tests.

#![allow(missing_docs, reason = "a separate binary")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::changed;
use ferroform_testing::{Action, config};

const LIFECYCLES: usize = 200;

fn main() {
    // `cargo test` only checks that the benchmark compiles.
    if std::env::args().any(|it| it == "--test") {
        return;
    }
    let mut times: Vec<_> = (0..LIFECYCLES)
        .map(|_| {
            let start = Instant::now();
            let mut instance = changed(|_| {});
            let config = |note: &str| {
                config! { name = "a", note = note, tags = ["x", "y"], parts = [{ name = "p" }] }
            };
            instance.apply(config("one"));
            instance.apply(config("two"));
            assert_eq!(instance.apply(config! { name = "b" }).action, Action::Replace);
            instance.destroy();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("a lifecycle: {:.2?}, median of {LIFECYCLES}", times[LIFECYCLES / 2]);
}
