//! Functions whose results depend on marks. They are available only if the references of an expression have marks.
//!
//! | function | result |
//! | --- | --- |
//! | `sensitive(value)` | the value with the sensitive mark |
//! | `issensitive(value)` | true if the value as a whole is sensitive |
//! | `ephemeralasnull(value)` | the value, in which null replaces each ephemeral value |

use super::arguments::{Args, CallResult, Function, Treatment, bool};
use crate::marks::{Mark, Marked, Marks};
use ferroform_value::{Path, Type, Value};

pub(crate) const ALL: &[Function] = &[
    ("sensitive", 1..=1, Treatment::Unchanged, |args| Ok(args.marked()?.with(Marks::of(Mark::Sensitive)))),
    ("issensitive", 1..=1, Treatment::Unchanged, issensitive),
    ("ephemeralasnull", 1..=1, Treatment::Unchanged, ephemeralasnull),
];

fn issensitive(args: &mut Args<'_>) -> CallResult {
    let it = args.marked()?;
    if it.marks.has(Mark::Sensitive) {
        return Ok(bool(true));
    }
    // An unknown value can become sensitive.
    Ok(if it.typed.value.is_unknown() { Marked::unknown(Type::Bool) } else { bool(false) })
}

fn ephemeralasnull(args: &mut Args<'_>) -> CallResult {
    let mut it = args.marked()?;
    let paths: Vec<Path> = it.marks.paths(Mark::Ephemeral).cloned().collect();
    for path in paths {
        if let Some(part) = it.typed.value.at_mut(&path) {
            *part = Value::Null;
        }
    }
    Ok(Marked { marks: it.marks.without(Mark::Ephemeral), ..it })
}
