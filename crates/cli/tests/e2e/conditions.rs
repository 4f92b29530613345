//! Conditions, both of whose results have a say in the type: also the one that is not chosen, whatever is wrong in
//! it.

use crate::functions::{compare, lines};
use crate::generate::Chance;
use crate::seed;

/// How many conditions are made by chance.
const CONDITIONS: usize = 1500;

/// What they are made of: of each type, and what comes to nothing for each of the reasons that there are.
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

/// An expression with so many levels in it.
fn made(chance: &mut Chance, levels: usize) -> String {
    if levels == 0 || chance.once_in(4) {
        return chance.pick(LEAVES).to_owned();
    }
    let condition = chance.pick(&["true", "false", "\"true\"", "null", "[1][5]"]);
    let step = chance.pick(&[".a", "[0]", "[\"a\"]", "[*]", "[*].a", ".*.a[0]", "[1 + \"x\"]"]);
    let element = chance.pick(&["x", "x.a", "[x]"]);
    let kind = chance.next(12);
    let mut inner = || made(chance, levels - 1);
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
fn conditions_are_as_in_the_program() {
    let texts = [include_str!("expressions/conditions.txt"), include_str!("expressions/splats.txt")];
    let texts: Vec<&str> = texts.into_iter().flat_map(lines).collect();
    let declined = compare("conditions", &texts);
    assert!(declined.is_empty(), "not computed:\n{}", declined.join("\n"));
}

#[test]
fn conditions_by_chance_are_as_in_the_program() {
    let mut chance = Chance::new(seed() + 2);
    let mut condition = || {
        let chosen = chance.pick(&["true", "false"]);
        format!("{chosen} ? {} : {}", made(&mut chance, 2), made(&mut chance, 2))
    };
    let texts: Vec<String> = (0..CONDITIONS).map(|_| condition()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let declined = compare("conditions-by-chance", &texts);
    assert!(declined.len() * 10 <= texts.len(), "too much is left to the program: {}", declined.len());
}
