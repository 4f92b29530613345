//! What the targets share.

use cargo_ferroform::vars::{self, Answer, Texts};
use ferroform_lang::type_constraint;
use ferroform_value::{Type, json};

/// What is answered, with what holds for every answer.
pub fn answer(texts: &Texts) -> Answer {
    let it = vars::answer_to(texts);
    it.to_text();
    json::implied_type(it.to_json().as_bytes()).expect("JSON is written");
    assert!(it.ok || it.said.contains("error: "));
    it
}

/// A type, chosen by the first byte, and the rest of the bytes.
pub fn choose(data: &[u8]) -> Option<(Type, &[u8])> {
    const TYPES: [&str; 12] = [
        "any",
        "string",
        "number",
        "bool",
        "list(any)",
        "set(string)",
        "map(number)",
        "tuple([string, any, bool])",
        "object({a = string, b = number, c = list(any)})",
        "set(object({a = any, b = set(number)}))",
        "map(list(map(any)))",
        "object({a = set(any), b = map(object({c = bool})), d = tuple([number])})",
    ];
    let (first, rest) = data.split_first()?;
    let text = TYPES[usize::from(*first) % TYPES.len()];
    Some((type_constraint::constraint(text).ok()?, rest))
}
