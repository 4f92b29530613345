//! The operations of the option `timeouts`.

use syn::Ident;

/// The operations by name, with the variants of `ferroform::timeouts::Operation`.
pub(crate) const OPERATIONS: [(&str, &str); 13] = [
    ("create", "Create"),
    ("read", "Read"),
    ("update", "Update"),
    ("delete", "Delete"),
    ("invoke", "Invoke"),
    ("open", "Open"),
    ("renew", "Renew"),
    ("close", "Close"),
    ("list", "List"),
    ("write", "Write"),
    ("lock", "Lock"),
    ("unlock", "Unlock"),
    ("default", "Default"),
];

/// The variant for the name of an operation.
pub(crate) fn operation(name: &Ident) -> Option<&'static str> {
    OPERATIONS.iter().find(|(it, _)| name == it).map(|(_, variant)| *variant)
}
