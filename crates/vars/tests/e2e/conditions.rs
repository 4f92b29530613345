//! Conditional expressions, whose type depends on both results, including the one that is not chosen.

use crate::functions::{compare, compare_recorded, lines};
use crate::generate::Rng;
use crate::seed;

/// The number of random conditional expressions.
const CONDITIONS: usize = 1500;

/// Expressions of each type, and invalid expressions of each kind.
const LEAVES: &[&str] = &[
    "null",
    "true",
    "1",
    "\"a\"",
    "\"5\"",
    "[]",
    "{}",
    "tolist([\"x\"])",
    "toset([2])",
    "tomap({ a = 1 })",
    "tostring(null)",
    "jsondecode(\"null\")",
    "[1][5]",
    "{ a = 1 }.b",
    "upper([])",
    "1 + \"x\"",
    "!\"x\"",
    "-true",
    "\"a${null}\"",
    "tonumber(\"x\")",
    "tomap({ a = 1 })[\"b\"]",
    "element([], 0)",
];

/// Returns a random expression with a number of levels.
fn random_expression(rng: &mut Rng, levels: usize) -> String {
    if levels == 0 || rng.once_in(4) {
        return rng.pick(LEAVES).to_owned();
    }
    let condition = rng.pick(&["true", "false", "\"true\"", "null", "[1][5]"]);
    let step = rng.pick(&[".a", "[0]", "[\"a\"]", "[*]", "[*].a", ".*.a[0]", "[1 + \"x\"]"]);
    let element = rng.pick(&["x", "x.a", "[x]"]);
    let kind = rng.next(12);
    let mut inner = || random_expression(rng, levels - 1);
    match kind {
        0 => format!("[{}]", inner()),
        1 => format!("[{}, {}]", inner(), inner()),
        2 => format!("{{ a = {} }}", inner()),
        3 => format!("{{ a = {}, b = {} }}", inner(), inner()),
        4..=6 => format!("({condition} ? {} : {})", inner(), inner()),
        7 | 8 => format!("({}){step}", inner()),
        9 => format!("[for x in {} : {element}]", inner()),
        10 => format!("{{ for x in {} : \"k${{x}}\" => {element} }}", inner()),
        _ => format!("try({}, {})", inner(), inner()),
    }
}

#[test]
fn conditions_return_the_results_of_terraform() {
    let lists = [
        include_str!("../../../lang/tests/function_results/conditions.txt"),
        include_str!("../../../lang/tests/function_results/splats.txt"),
    ];
    let expressions: Vec<&str> = lists.into_iter().flat_map(lines).collect();
    compare_recorded("conditions", &expressions);
}

#[test]
fn random_conditions_return_the_results_of_terraform() {
    let mut rng = Rng::new(seed() + 2);
    let mut condition = || {
        let chosen = rng.pick(&["true", "false"]);
        format!("{chosen} ? {} : {}", random_expression(&mut rng, 2), random_expression(&mut rng, 2))
    };
    let expressions: Vec<String> = (0..CONDITIONS).map(|_| condition()).collect();
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    let declined = compare("random-conditions", &expressions);
    assert!(
        declined.len() * 10 <= expressions.len(),
        "too many conditions are not evaluated: {}",
        declined.len()
    );
}
