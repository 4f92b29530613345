//! Functions for several fuzz targets.

use ferroform_vars::{Format, Report, SourceTexts};
use ferroform_lang::type_constraint;
use ferroform_value::{Type, json};

/// Evaluates a module and checks the properties of every report.
pub fn evaluate(sources: &SourceTexts) -> Report {
    let it = ferroform_vars::evaluate_sources(sources);
    it.to_text();
    json::implied_type(it.to_json().as_bytes()).expect("the values are JSON");
    json::implied_type(it.diagnostics_json().as_bytes()).expect("the diagnostics are JSON");
    json::implied_type(it.diagnostics_as(Format::Sarif).as_bytes()).expect("the SARIF log is JSON");
    it.diagnostics_as(Format::Junit);
    assert!(it.is_valid() || it.diagnostics().contains("error: "));
    it
}

/// Returns a type that the first byte selects, and the remaining bytes.
pub fn select_type(data: &[u8]) -> Option<(Type, &[u8])> {
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
    let constraint = TYPES[usize::from(*first) % TYPES.len()];
    Some((type_constraint::constraint(constraint).ok()?, rest))
}
