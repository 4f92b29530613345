//! The functions of the language that depend on their arguments only, one file for each group.

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
mod sets;
mod strings;
mod times;

use self::arguments::Function;
pub(crate) use self::arguments::{Args, MANY, Refusal};
pub(crate) use self::pattern::Patterns;

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

/// These look at what went wrong with their arguments, which other functions never see.
const SPECIAL: [&str; 2] = ["can", "try"];

/// The names of the functions that [`evaluate`](crate::expression::evaluate) has.
pub fn functions() -> impl Iterator<Item = &'static str> {
    SPECIAL.into_iter().chain(TABLES.iter().copied().flatten().map(|it| it.0))
}

/// The name without that of the space in which all of these are.
pub(crate) fn plain_name(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// True for a function that can be called here.
pub(crate) fn is_function(name: &str) -> bool {
    let name = plain_name(name);
    functions().any(|it| it == name)
}

/// The function of that plain name; none for `can` and `try`, which evaluate their arguments themselves.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    TABLES.iter().copied().flatten().find(|it| it.0 == name)
}
