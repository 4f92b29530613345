//! Random JSON values near the limits of a type. Strings are in Unicode Normalization Form C, and some of their grapheme
//! clusters consist of several code points.

use serde_json::{Map, Number, Value, json};

use crate::modules::Type;
use crate::rng::Rng;

const STRINGS: [&str; 36] = [
    "",
    "d",
    "de",
    "dev",
    "deve",
    "prod",
    "DEV",
    "1",
    "3",
    "2.5",
    "1.0",
    "01",
    "+1",
    "-1",
    "1e1",
    "1.",
    ".5",
    ".",
    "1e",
    "0x1",
    "Inf",
    "inf",
    "true",
    "false",
    "True",
    "0",
    "a-b",
    "a&b",
    "dev\n",
    "\n",
    "\r\n",
    "é",
    "x\u{301}x",
    "👩‍🚀",
    "日本語x",
    "de\u{320}v",
];

/// Returns a value that usually converts to the type.
pub(crate) fn random(rng: &mut Rng, ty: &Type) -> Value {
    if rng.chance(5) {
        return any(rng, 1);
    }
    if rng.chance(8) {
        return Value::Null;
    }
    match ty {
        Type::Any => any(rng, 2),
        Type::Primitive("bool") => match rng.below(4) {
            0 => primitive(rng),
            1 => rng.one_of(&["true", "false", "1", "0"]).into(),
            _ => rng.chance(50).into(),
        },
        Type::Primitive("number") => {
            if rng.chance(70) {
                number(rng)
            } else {
                primitive(rng)
            }
        }
        Type::Primitive(_) => {
            if rng.chance(70) {
                rng.one_of(&STRINGS).into()
            } else {
                primitive(rng)
            }
        }
        Type::Collection("map", of) => {
            let keys = ["dev", "1", "a", "é", "//"];
            let start = rng.below(5) as usize;
            let count = rng.below(6 - start as u64) as usize;
            keys[start..start + count]
                .iter()
                .map(|key| ((*key).to_owned(), random(rng, of)))
                .collect::<Map<_, _>>()
                .into()
        }
        Type::Collection(_, of) => {
            let mut elements: Vec<Value> = Vec::new();
            for _ in 0..rng.below(5) {
                // Sets remove duplicates.
                let previous = elements.last().filter(|_| rng.chance(40)).cloned();
                elements.push(previous.unwrap_or_else(|| random(rng, of)));
            }
            elements.into()
        }
        Type::Tuple(types) => {
            let mut elements: Vec<Value> = types.iter().map(|it| random(rng, it)).collect();
            if rng.chance(10) {
                elements.push(any(rng, 0));
            }
            elements.into()
        }
        Type::Object(attributes) => {
            let mut object = Map::new();
            for attribute in attributes {
                if !rng.chance(if attribute.optional { 30 } else { 4 }) {
                    object.insert(attribute.name.to_owned(), random(rng, &attribute.ty));
                }
            }
            if rng.chance(10) {
                object.insert("undeclared".to_owned(), any(rng, 1));
            }
            object.into()
        }
    }
}

/// Returns a value of any type.
pub(crate) fn any(rng: &mut Rng, depth: u32) -> Value {
    match rng.below(if depth == 0 { 2 } else { 4 }) {
        0 => Value::Null,
        1 => primitive(rng),
        2 => (0..rng.below(4)).map(|_| any(rng, depth - 1)).collect(),
        _ => json!({"a": any(rng, depth - 1), "b": any(rng, depth - 1)}),
    }
}

fn number(rng: &mut Rng) -> Value {
    let text = match rng.chance(40) {
        true => rng.one_of(&["1", "2", "3"]),
        false => rng.one_of(&["0", "1", "4", "-1", "-2", "2.5", "3.5", "1.0", "1e1", "1e300", "0.1"]),
    };
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

fn primitive(rng: &mut Rng) -> Value {
    match rng.below(3) {
        0 => rng.chance(50).into(),
        1 => number(rng),
        _ => rng.one_of(&STRINGS).into(),
    }
}
