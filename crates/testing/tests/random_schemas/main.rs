//! Randomized tests: random schemas, configurations and APIs, checked by the invariants of the harness.
//!
//! The number of a case determines all of its random choices. A case generates a schema and a sequence of
//! configurations with some unknown values. A backend computes values and may return them differently. Each
//! configuration is planned, planned again with every value known, applied and refreshed. The harness checks its
//! invariants after each step, and [`state_preservation`] checks which prior values an update plans.
//! `FERROFORM_CASES=from..to` selects other cases than the default ones:
//!
//! ```text
//! FERROFORM_CASES=5000..15000 cargo test -p ferroform-testing --test random_schemas
//! ```
//!
//! [`coverage`] counts the generated features, so that a feature that is no longer generated fails the test. To add a
//! feature, extend `behavior.rs` (attribute behaviors), `schema.rs` (types and nesting modes), `api_behavior.rs`
//! (behaviors of the API) or `state_preservation.rs` (properties that no invariant covers). The generator avoids
//! documented limitations; a comment there refers to the page.

#[path = "../common/mod.rs"]
mod common;

mod api_behavior;
mod backend;
mod behavior;
mod case;
mod config;
mod coverage;
mod false_positives;
mod mutation;
mod rng;
mod schema;
mod state_preservation;

use std::ops::Range;

use crate::backend::ApiBehavior;
use crate::case::{Case, Failure, Scenario};
use crate::coverage::Coverage;

/// The number of cases that the suite runs for each scenario.
const CASES: u64 = 120;

/// The number of cases in which every feature must be generated.
const MANY_CASES: u64 = 1000;

/// The percentage of values that are unknown in the first plan.
const SOME_UNKNOWNS: u64 = 15;
const MANY_UNKNOWNS: u64 = 40;

#[test]
fn invariants_hold_for_ideal_api() {
    check(Scenario { name: "ideal_api", seed: 0, api_behavior: ApiBehavior::None, unknowns: SOME_UNKNOWNS });
}

#[test]
fn invariants_hold_if_api_normalizes_strings() {
    check(Scenario {
        name: "api_that_normalizes_strings",
        seed: 1,
        api_behavior: ApiBehavior::Normalizes,
        unknowns: SOME_UNKNOWNS,
    });
}

#[test]
fn invariants_hold_if_remote_objects_drift() {
    check(Scenario {
        name: "api_with_drift",
        seed: 2,
        api_behavior: ApiBehavior::Drifts,
        unknowns: SOME_UNKNOWNS,
    });
}

#[test]
fn invariants_hold_if_plan_reorders_sets() {
    check(Scenario {
        name: "plan_that_reorders_sets",
        seed: 3,
        api_behavior: ApiBehavior::Reorders,
        unknowns: SOME_UNKNOWNS,
    });
}

#[test]
fn invariants_hold_with_many_unknown_values() {
    check(Scenario {
        name: "many_unknowns",
        seed: 4,
        api_behavior: ApiBehavior::None,
        unknowns: MANY_UNKNOWNS,
    });
}

fn check(scenario: Scenario) {
    let mut coverage = Coverage::default();
    let cases = cases();
    let run = |number| Case { number, scenario }.run(&mut coverage).err();
    let failures: Vec<Failure> = cases.clone().filter_map(run).collect();
    if !failures.is_empty() {
        panic!("{}", report(&failures));
    }
    println!("{}: {coverage}", scenario.name);
    // Fewer cases do not generate every feature.
    if cases == (0..CASES) || cases.end - cases.start >= MANY_CASES {
        coverage.assert_complete(scenario.api_behavior);
    }
}

/// Returns the failure with the shortest transcript, which is the easiest to understand, and the numbers of all
/// failures.
fn report(failures: &[Failure]) -> String {
    let numbers: Vec<_> = failures.iter().map(|it| it.number.to_string()).collect();
    let shortest = failures.iter().map(|it| &it.report).min_by_key(|it| it.len());
    format!("{}\n\n{} failed: {}", shortest.map_or("", |it| it), failures.len(), numbers.join(", "))
}

fn cases() -> Range<u64> {
    let Ok(range) = std::env::var("FERROFORM_CASES") else { return 0..CASES };
    let ends = range.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("FERROFORM_CASES is {range:?}; expected a range such as 0..1000"))
}
