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

use std::ops::RangeInclusive;

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
pub(crate) const SPECIAL: [&str; 2] = ["can", "try"];

/// The functions of Terraform and OpenTofu that are not implemented, with their numbers of arguments.
#[rustfmt::skip]
const UNSUPPORTED: &[(&str, RangeInclusive<usize>)] = &[
    ("abspath", 1..=1), ("base64gunzip", 1..=1), ("base64gzip", 1..=1), ("base64sha256", 1..=1),
    ("base64sha512", 1..=1), ("bcrypt", 1..=MANY), ("cidrcontains", 2..=2), ("convert", 2..=2),
    ("csvdecode", 1..=1), ("file", 1..=1), ("filebase64", 1..=1), ("filebase64sha256", 1..=1),
    ("filebase64sha512", 1..=1), ("fileexists", 1..=1), ("filemd5", 1..=1), ("fileset", 2..=2),
    ("filesha1", 1..=1), ("filesha256", 1..=1), ("filesha512", 1..=1), ("log", 2..=2), ("md5", 1..=1),
    ("pathexpand", 1..=1), ("plantimestamp", 0..=0), ("rsadecrypt", 2..=2), ("sha1", 1..=1), ("sha256", 1..=1),
    ("sha512", 1..=1), ("templatefile", 2..=2), ("templatestring", 2..=2), ("textdecodebase64", 2..=2),
    ("textencodebase64", 2..=2), ("timestamp", 0..=0), ("urldecode", 1..=1), ("uuid", 0..=0), ("uuidv5", 2..=2),
    ("yamldecode", 1..=1), ("yamlencode", 1..=1),
];

/// Returns the names of the functions that [`evaluate`](crate::expression::evaluate) supports.
pub fn functions() -> impl Iterator<Item = &'static str> {
    SPECIAL.into_iter().chain(TABLES.iter().copied().flatten().map(|it| it.0))
}

/// Returns the names of all functions of Terraform and OpenTofu, including those that
/// [`evaluate`](crate::expression::evaluate) does not support.
pub fn known_functions() -> impl Iterator<Item = &'static str> {
    let with_marks = [sensitivity::ALL, conversion::REMOVED].into_iter().flatten().map(|it| it.0);
    functions().chain(with_marks).chain(UNSUPPORTED.iter().map(|it| it.0))
}

/// Returns the number of arguments of a function that is not implemented; `None` if there is no such function.
pub(crate) fn unsupported_arity(name: &str) -> Option<RangeInclusive<usize>> {
    let with_marks = sensitivity::ALL.iter().map(|it| (it.0, it.1.clone()));
    UNSUPPORTED.iter().cloned().chain(with_marks).find(|(it, _)| *it == name).map(|(_, arity)| arity)
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
    TABLES.iter().copied().flatten().chain(marks).chain(conversion::REMOVED).find(|it| it.0 == name)
}
