//! Elements of collections and their counterparts.

use ferroform_value::Value;

use crate::schema::Attribute;

/// The counterpart of a configured element in the prior collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// The prior element with this index. A prior element is the counterpart of at most one element.
    Prior(usize),
    /// None: the element is new, or it cannot be distinguished from others.
    New,
    /// Ambiguous: one of several prior elements or none, depending on an unknown value.
    Ambiguous,
}

/// The elements of a list, set or map, in their order; a single object is one element.
pub(crate) fn elements(value: &Value) -> Vec<&Value> {
    if let Value::Object(_) = value { vec![value] } else { value.elements().collect() }
}

/// True if the prior value is kept in place of the new one: the two are semantically equal, or `suppress_diff`
/// suppresses the difference.
pub(super) fn is_equal(it: &Attribute, prior: &Value, new: &Value) -> bool {
    it.is_semantically_equal(prior, new) || it.is_diff_suppressed(prior, new)
}
