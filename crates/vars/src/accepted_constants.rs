//! The constants that the validations of a variable accept, as completions of its value.
//!
//! | condition | value | constants |
//! | --- | --- | --- |
//! | `contains(["eu", "us"], var.region)` | `var.region` | `"eu"`, `"us"` |
//! | `var.size == null \|\| contains([1, 2], var.size)` | `var.size` | `1`, `2` |
//! | `alltrue([for it in var.disks : contains(["ssd"], it.kind)])` | `var.disks[0].kind` | `"ssd"` |
//!
//! The constants are suggestions: another operand of the condition can reject them.

use ferroform_lang::condition::{Condition, Operand, OperandRoot, Predicate};
use ferroform_value::{Step, Typed};

/// Returns the constants that conditions of a variable accept for its element or attribute at a path.
pub(crate) fn find<'c>(conditions: &'c [Condition], variable: &str, path: &[Step]) -> Vec<&'c Typed> {
    let mut found = Vec::new();
    let root = OperandRoot::Variable(variable.to_owned());
    conditions.iter().for_each(|it| collect(it, &root, path, &mut found));
    let mut distinct: Vec<&Typed> = Vec::new();
    for constant in found {
        if !distinct.contains(&constant) {
            distinct.push(constant);
        }
    }
    distinct
}

fn collect<'c>(condition: &'c Condition, root: &OperandRoot, path: &[Step], found: &mut Vec<&'c Typed>) {
    match condition {
        Condition::And(conditions) | Condition::Or(conditions) => {
            conditions.iter().for_each(|it| collect(it, root, path, found));
        }
        Condition::Predicate(operand, predicate) if operand.root == *root => {
            match (predicate, find_rest(operand, path)) {
                (Predicate::OneOf(constants), Some([])) => found.extend(constants),
                (Predicate::AllElements(condition), Some([_, rest @ ..])) => {
                    collect(condition, &OperandRoot::Element, rest, found);
                }
                _ => {}
            }
        }
        Condition::Predicate(..) | Condition::Not(_) | Condition::Opaque => {}
    }
}

/// Returns the steps after the path of an operand; `None` if the path does not lead to the operand.
fn find_rest<'p>(operand: &Operand, path: &'p [Step]) -> Option<&'p [Step]> {
    path.strip_prefix(operand.path.steps())
}
