//! The functions whose results depend only on their arguments, one file for each group.

mod arguments;
mod collections;
mod conversion;
mod decimal;
mod encodings;
mod format;
mod lists;
mod network;
mod numbers;
mod pattern;
mod regex;
mod regex_syntax;
mod sensitivity;
mod sets;
mod strings;
mod times;

use self::arguments::Function;
pub(crate) use self::arguments::{CallError, MANY, invoke};
pub(crate) use self::pattern::Patterns;
pub(crate) use self::regex::is_supported_pattern;

const TABLES: &[&[Function]] = &[
    conversion::ALL,
    collections::ALL,
    lists::ALL,
    sets::ALL,
    strings::ALL,
    format::ALL,
    numbers::ALL,
    network::ALL,
    times::ALL,
    encodings::ALL,
    regex::ALL,
];

/// The functions that handle the errors of their arguments. `call` implements them.
const SPECIAL: [&str; 2] = ["can", "try"];

/// Returns the names of the functions that [`evaluate`](crate::expression::evaluate) supports.
pub fn functions() -> impl Iterator<Item = &'static str> {
    SPECIAL.into_iter().chain(TABLES.iter().copied().flatten().map(|it| it.0))
}

/// Returns the name without the namespace `core::`.
pub(crate) fn plain_name(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// Returns true if the function is supported.
pub(crate) fn is_function(name: &str) -> bool {
    let name = plain_name(name);
    functions().any(|it| it == name)
}

/// Returns the function with this name; `None` for `can` and `try`, which evaluate their arguments themselves. `has_marks`
/// is true if the references of the expression have marks.
pub(crate) fn find(name: &str, has_marks: bool) -> Option<&'static Function> {
    let marks = if has_marks { sensitivity::ALL } else { &[] };
    TABLES.iter().copied().flatten().chain(marks).find(|it| it.0 == name)
}
