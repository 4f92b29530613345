//! What the targets share.

use ferroform_value::{Type, type_expr};

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
    Some((type_expr::constraint(text).ok()?, rest))
}
