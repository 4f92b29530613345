//! Functions for several fuzz targets.

use cargo_ferroform::vars::{self, Report, SourceTexts};
use ferroform_lang::type_constraint;
use ferroform_value::{Type, json};

/// Evaluates a module and checks the properties of every report.
pub fn evaluate(texts: &SourceTexts) -> Report {
    let it = vars::evaluate_sources(texts);
    it.to_text();
    json::implied_type(it.to_json().as_bytes()).expect("the values are JSON");
    json::implied_type(it.diagnostics_json().as_bytes()).expect("the diagnostics are JSON");
    assert!(it.is_valid() || it.diagnostics().contains("error: "));
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
