//! Schemas, configurations and services at random, which the kit's laws judge.
//!
//! Each case is known by its number. It makes a schema, and some configurations in a row with parts that are not known
//! at first; a backend fills in what is computed and has its own habits. Each configuration is planned, planned again
//! and applied, and read back; no law may be broken on the way, and what is kept must be what should be.
//! `FERROFORM_CASES=from..to` runs other cases than always:
//!
//! ```text
//! FERROFORM_CASES=5000..15000 cargo test -p ferroform-testing --test any_schema
//! ```
//!
//! What comes up is counted, so that it shows when nothing is tested any more. To have more come up, add it to
//! `behaviour.rs` (what is said of a field), `schema.rs` (types and nestings), `habit.rs` (what services do) or `kept.rs`
//! (what no law says). What is known and documented not to work is kept out by rules that name the page.

#[path = "../common/mod.rs"]
mod common;

mod backend;
mod behaviour;
mod case;
mod config;
mod dice;
mod habit;
mod kept;
mod mutation;
mod schema;
mod tally;

use std::ops::Range;

use crate::backend::Habit;
use crate::case::{Case, Failure, World};
use crate::tally::Tally;

/// How many cases the suite runs of each world.
const CASES: u64 = 120;

/// So many that all must come up in them.
const MANY_CASES: u64 = 1000;

/// How many parts of configurations are unknown at first, in percent.
const SOME: u64 = 15;
const MANY: u64 = 40;

#[test]
fn plain() {
    check(World { name: "plain", seed: 0, habit: Habit::None, unknowns: SOME });
}

#[test]
fn respelling() {
    check(World { name: "respelling", seed: 1, habit: Habit::Respells, unknowns: SOME });
}

#[test]
fn drifting() {
    check(World { name: "drifting", seed: 2, habit: Habit::Drifts, unknowns: SOME });
}

#[test]
fn reordering() {
    check(World { name: "reordering", seed: 3, habit: Habit::Reorders, unknowns: SOME });
}

#[test]
fn many_unknowns() {
    check(World { name: "many_unknowns", seed: 4, habit: Habit::None, unknowns: MANY });
}

fn check(world: World) {
    let mut tally = Tally::default();
    let cases = cases();
    let run = |number| Case { number, world }.run(&mut tally).err();
    let failures: Vec<Failure> = cases.clone().filter_map(run).collect();
    if !failures.is_empty() {
        panic!("{}", report(&failures));
    }
    println!("{}: {tally}", world.name);
    // Of a few other cases it says nothing.
    if cases == (0..CASES) || cases.end - cases.start >= MANY_CASES {
        tally.has_all(world.habit);
    }
}

/// The one that is told in the fewest words, since it is most easily understood, and the numbers of all.
fn report(failures: &[Failure]) -> String {
    let numbers: Vec<_> = failures.iter().map(|it| it.number.to_string()).collect();
    let shortest = failures.iter().map(|it| &it.text).min_by_key(|it| it.len());
    format!("{}\n\n{} failed: {}", shortest.map_or("", |it| it), failures.len(), numbers.join(", "))
}

fn cases() -> Range<u64> {
    let Ok(wanted) = std::env::var("FERROFORM_CASES") else { return 0..CASES };
    let ends = wanted.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("FERROFORM_CASES is {wanted:?}, but should be like 0..1000"))
}
