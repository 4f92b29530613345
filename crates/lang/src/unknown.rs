//! Unknown values: their refinements, and comparisons with them.
//!
//! Terraform refines the unknown results of operations, and providers receive the refinements:
//!
//! | expression with the unknown values `name`, `flag` | result |
//! | --- | --- |
//! | `"app-${name}"` | a string that is not null and begins with `app-` |
//! | `flag ? 1 : 3` | a number from 1 to 3 that is not null |
//! | `flag ? tolist(["a"]) : tolist(["b"])` | a list of one unknown string |
//! | `"app-${name}" == null` | `false` |
//! | `length("app-${name}") < 2` | `false` |

use std::cmp::Ordering;
use std::ops::Bound;

use ferroform_value::{Number, RefinementKind, Refinements, Type, Typed, Value};
use unicode_segmentation::UnicodeSegmentation;

/// Returns an unknown value that is not null. A value of the type `any` cannot be refined.
pub(crate) fn not_null(ty: Type) -> Typed {
    refined(ty, Refinements::new())
}

/// Returns an unknown value with these refinements that is not null.
pub(crate) fn refined(ty: Type, refinements: Refinements) -> Typed {
    let value = match ty {
        Type::Dynamic => Value::UNKNOWN,
        // A contradiction cannot occur, because the bounds are those of values.
        _ => refinements.not_null().into_value(&ty).unwrap_or(Value::UNKNOWN),
    };
    Typed::new(ty, value)
}

/// Returns true if a value is not null, and an unknown value cannot become null.
pub(crate) fn is_not_null(it: &Value) -> bool {
    match it {
        Value::Unknown(refinements) => refinements.as_ref().is_some_and(|it| it.is_not_null()),
        it => *it != Value::Null,
    }
}

/// Returns the minimum and maximum number of elements of a collection; `None` if there is no maximum.
pub(crate) fn length_bounds(it: &Value) -> (u64, Option<u64>) {
    match it {
        Value::Unknown(Some(refinements)) => (refinements.min_length(), refinements.max_length()),
        Value::Unknown(None) => (0, None),
        it => {
            let length = it.length().unwrap_or(0) as u64;
            // Unknown elements of a set can become equal to other elements.
            let is_certain = length < 2 || !matches!(it, Value::Set(_)) || it.is_wholly_known();
            (if is_certain { length } else { 1 }, Some(length))
        }
    }
}

/// Returns the length bounds as refinements.
pub(crate) fn with_length((min, max): (u64, Option<u64>)) -> Refinements {
    Refinements::new().with_length((Bound::Included(min), max.map_or(Bound::Unbounded, Bound::Included)))
}

fn number_bounds(it: &Value) -> (Bound<Number>, Bound<Number>) {
    match it {
        Value::Number(it) => (Bound::Included(it.clone()), Bound::Included(it.clone())),
        Value::Unknown(Some(it)) => {
            let (min, max) = it.range();
            (min.cloned(), max.cloned())
        }
        _ => (Bound::Unbounded, Bound::Unbounded),
    }
}

/// Returns the order of two numbers, of which at least one is unknown, if their ranges have no number in common.
pub(crate) fn order_of_ranges(a: &Value, b: &Value) -> Option<Ordering> {
    let is_below = |max: &Bound<Number>, min: &Bound<Number>| match (max, min) {
        (Bound::Included(max) | Bound::Excluded(max), Bound::Included(min) | Bound::Excluded(min)) => {
            max.compare(min).is_lt()
        }
        _ => false,
    };
    let ((a_min, a_max), (b_min, b_max)) = (number_bounds(a), number_bounds(b));
    if is_below(&a_max, &b_min) {
        Some(Ordering::Less)
    } else {
        is_below(&b_max, &a_min).then_some(Ordering::Greater)
    }
}

/// Returns the bound that permits more numbers. `lower` is true for lower bounds.
fn wider(a: Bound<Number>, b: Bound<Number>, lower: bool) -> Bound<Number> {
    fn number(it: &Bound<Number>) -> Option<&Number> {
        match it {
            Bound::Included(it) | Bound::Excluded(it) => Some(it),
            Bound::Unbounded => None,
        }
    }
    let (Some(first), Some(second)) = (number(&a), number(&b)) else { return Bound::Unbounded };
    let order = first.compare(second);
    let is_a = if lower { order.is_lt() } else { order.is_gt() };
    if is_a || order.is_eq() && matches!(a, Bound::Included(_)) { a } else { b }
}

/// Returns the result of a conditional expression whose condition is unknown: a value of the type `ty`, in the range of
/// both results.
pub(crate) fn either(a: &Typed, b: &Typed, ty: Type) -> Typed {
    if a.value == Value::Null && b.value == Value::Null {
        return Typed::new(ty, Value::Null);
    }
    let mut refinements = Refinements::new();
    if is_not_null(&a.value) && is_not_null(&b.value) && ty != Type::Dynamic {
        refinements = refinements.not_null();
    }
    if a.ty == Type::Number && b.ty == Type::Number {
        let ((low, high), (other_low, other_high)) = (number_bounds(&a.value), number_bounds(&b.value));
        refinements = refinements.with_range((wider(low, other_low, true), wider(high, other_high, false)));
    } else if a.ty == b.ty && a.ty.element().is_some() {
        let ((min, max), (other_min, other_max)) = (length_bounds(&a.value), length_bounds(&b.value));
        let max = max.zip(other_max).map(|(a, b)| a.max(b));
        let not_null = refinements.is_not_null();
        refinements = with_length((min.min(other_min), max));
        if not_null {
            refinements = refinements.not_null();
        }
    }
    let value = refinements.into_value(&ty).unwrap_or(Value::UNKNOWN);
    Typed::new(ty, value)
}

/// The maximum length of the prefix of an unknown string, in bytes.
const MAX_PREFIX: usize = 128;

/// Returns the start of a string that remains unchanged if another string follows: its last character can combine with
/// the next one, unless it is a delimiter.
pub(crate) fn known_prefix(string: &str) -> &str {
    let end = (0..=string.len().min(MAX_PREFIX)).rev().find(|it| string.is_char_boundary(*it)).unwrap_or(0);
    let prefix = &string[..end];
    let last = prefix.graphemes(true).next_back().unwrap_or("");
    let is_delimiter = matches!(last.as_bytes(), [it] if b"-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'".contains(it));
    if is_delimiter { prefix } else { &prefix[..prefix.len() - last.len()] }
}

/// Compares two values as the operator `==`; `None` if the result is unknown. Elements are compared up to the first one that
/// is unknown or differs. Terraform compares the attributes of objects and the elements of maps in random order.
pub(crate) fn equal(a: &Typed, b: &Typed) -> Option<bool> {
    equal_values((&a.ty, &a.value), (&b.ty, &b.value))
}

fn equal_values((a_type, a): (&Type, &Value), (b_type, b): (&Type, &Value)) -> Option<bool> {
    let all_equal = |pairs: &mut dyn Iterator<Item = ((&Type, &Value), (&Type, &Value))>| {
        for (a, b) in pairs {
            match equal_values(a, b) {
                Some(true) => {}
                result => return result,
            }
        }
        Some(true)
    };
    match (a, b) {
        (Value::Null, it) | (it, Value::Null) if is_not_null(it) => Some(false),
        (Value::Unknown(_), Value::Unknown(_)) => None,
        (Value::Unknown(refinements), known) | (known, Value::Unknown(refinements)) => {
            let (unknown_type, known_type) = if a.is_unknown() { (a_type, b_type) } else { (b_type, a_type) };
            let is_excluded = refinements.as_ref().is_some_and(|it| excludes(it, known))
                || *known != Value::Null && !known_type.conforms_to(unknown_type);
            is_excluded.then_some(false)
        }
        (Value::Null, _) | (_, Value::Null) => Some(a == b),
        _ if has_unknown_type(a_type, a) || has_unknown_type(b_type, b) => {
            (!a_type.conforms_to(b_type) && !b_type.conforms_to(a_type)).then_some(false)
        }
        _ if a_type != b_type => Some(false),
        (Value::List(a), Value::List(b)) => {
            let element = a_type.element().unwrap_or(&Type::Dynamic);
            if a.len() != b.len() {
                return Some(false);
            }
            all_equal(&mut a.iter().zip(b).map(|(a, b)| ((element, a), (element, b))))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            let types = if let Type::Tuple(it) = a_type { &**it } else { &[] };
            all_equal(&mut types.iter().zip(a).zip(b).map(|((ty, a), b)| ((ty, a), (ty, b))))
        }
        (Value::Object(a), Value::Object(b)) => {
            let types = if let Type::Object(it) = a_type { it.attributes() } else { &[] };
            let pairs = types.iter().zip(a.values()).zip(b.values());
            all_equal(&mut pairs.map(|((it, a), b)| ((&it.ty, a), (&it.ty, b))))
        }
        (Value::Map(a), Value::Map(b)) => {
            let element = a_type.element().unwrap_or(&Type::Dynamic);
            if !a.keys().eq(b.keys()) {
                return Some(false);
            }
            all_equal(&mut a.values().zip(b.values()).map(|(a, b)| ((element, a), (element, b))))
        }
        (Value::Set(a), Value::Set(b)) => (!a.iter().chain(b.iter()).any(Value::is_unknown)).then(|| a == b),
        _ => Some(a == b),
    }
}

/// Returns true if a value is unknown and of the type `any`, or contains such a value.
fn has_unknown_type(ty: &Type, it: &Value) -> bool {
    if !ty.has_dynamic() {
        return false;
    }
    match (ty, it) {
        (Type::Dynamic, it) => it.is_unknown(),
        (Type::Tuple(types), Value::Tuple(it)) => {
            types.iter().zip(it).any(|(ty, it)| has_unknown_type(ty, it))
        }
        (Type::Object(types), Value::Object(it)) => {
            types.attributes().iter().zip(it.values()).any(|(ty, it)| has_unknown_type(&ty.ty, it))
        }
        (ty, it) => {
            let element = ty.element().unwrap_or(&Type::Dynamic);
            it.elements().any(|it| has_unknown_type(element, it))
        }
    }
}

/// Returns true if an unknown value with these refinements cannot become the known value.
fn excludes(refinements: &Refinements, known: &Value) -> bool {
    match (refinements.kind(), known) {
        (RefinementKind::String { prefix }, Value::String(it)) => !it.starts_with(&**prefix),
        (RefinementKind::Number { min, max }, Value::Number(it)) => {
            let below = match min {
                Bound::Included(min) => it.compare(min).is_lt(),
                Bound::Excluded(min) => it.compare(min).is_le(),
                Bound::Unbounded => false,
            };
            let above = match max {
                Bound::Included(max) => it.compare(max).is_gt(),
                Bound::Excluded(max) => it.compare(max).is_ge(),
                Bound::Unbounded => false,
            };
            below || above
        }
        (RefinementKind::Collection { .. }, it) => {
            let (min, max) = length_bounds(it);
            max.is_some_and(|max| max < refinements.min_length())
                || refinements.max_length().is_some_and(|it| it < min)
        }
        _ => false,
    }
}
