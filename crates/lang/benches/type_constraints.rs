//! The time to parse a type constraint: `cargo bench -p ferroform-lang`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a program of its own")]

#[path = "../../value/benches/timing/mod.rs"]
mod timing;

use ferroform_lang::type_constraint::Constraint;
use timing::{is_selected, time};

fn main() {
    // As a test, the program only has to compile.
    if std::env::args().any(|it| it == "--test") {
        return;
    }
    let name = "type constraint of 100 attributes";
    if !is_selected(name) {
        return;
    }
    let attribute = |i: usize| match i % 4 {
        0 => format!("  attribute_{i} = string\n"),
        1 => format!("  attribute_{i} = optional(number, {i})\n"),
        2 => format!("  attribute_{i} = optional(list(string), [])\n"),
        _ => format!("  attribute_{i} = map(object({{ a = bool }}))\n"),
    };
    let source = format!("object({{\n{}}})", (0..100).map(attribute).collect::<String>());
    let elapsed = time(|| Constraint::parse(&source).unwrap());
    println!("{name}: {elapsed:.1?} for {} bytes", source.len());
    let plain: String = (0..100).map(|i| format!("  attribute_{i} = string\n")).collect();
    let plain = format!("object({{\n{plain}}})");
    println!("{name}, all strings: {:.1?}", time(|| Constraint::parse(&plain).unwrap()));
}
