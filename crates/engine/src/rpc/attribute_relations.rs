//! Validation of relations between attributes: `conflicts_with`, `exactly_one_of`, `at_least_sum_of`, and others.
//!
//! An unknown value may turn out to be null or set, so it neither satisfies nor violates a relation, unless its
//! refinements exclude null.
//!
//! Example: `exactly_one_of` with the attributes `inline` and `url`.
//!
//! ```text
//! { inline = "a", url = null }      valid
//! { inline = "a", url = "b" }       error at inline: exactly one of them must be set
//! { inline = "a", url = unknown }   valid for now; checked again when url is known
//! { inline = null, url = null }     error
//! ```

use std::cmp::Ordering;

use ferroform_value::{Error, Number, Object, Path, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::failed_check::provider_bug;
use crate::redaction::display::is_sensitive;
use crate::schema::{Block, Group, GroupRule, Member, RelatedAttributes, Relation, RelationKind};
use crate::{Diagnostic, Diagnostics, Pattern};

const INVALID_COMBINATION: &str = "Invalid Attribute Combination";
const MISSING: &str = "Missing Attribute Configuration";

/// Whether the configuration sets an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Null,
    Unknown,
    Set,
}

impl Status {
    fn of(value: &Value) -> Status {
        match value.without_type() {
            Value::Unknown(Some(refinements)) if refinements.is_not_null() => Status::Set,
            Value::Unknown(_) => Status::Unknown,
            Value::Null => Status::Null,
            _ => Status::Set,
        }
    }
}

/// An object in a configuration, and the configuration around it.
pub(crate) struct ObjectContext<'a> {
    /// The schema of the whole configuration.
    pub(crate) block: &'a Block,
    /// The whole configuration.
    pub(crate) root: &'a Value,
    /// The object.
    pub(crate) object: &'a Object,
    /// The path of the object.
    pub(crate) path: &'a Path,
    /// True if Terraform supports write-only attributes.
    pub(crate) write_only_allowed: bool,
}

/// An attribute or block that a relation names, and its configured value.
struct Related<'a> {
    path: Path,
    value: &'a Value,
}

impl Related<'_> {
    fn has_status(&self, status: Status) -> bool {
        Status::of(self.value) == status
    }
}

impl<'a> ObjectContext<'a> {
    fn sibling(&self, name: &str) -> Related<'a> {
        self.related(self.path.clone().name(name), self.object.get(name))
    }

    /// The value at the path. An omitted block counts as null.
    fn related(&self, path: Path, value: Option<&'a Value>) -> Related<'a> {
        let value = match self.block.at(&path) {
            Some(Member::Block(it)) => value.filter(|value| !it.is_absent(value)),
            _ => value,
        };
        Related { path, value: value.unwrap_or(&Value::Null) }
    }

    /// The related attributes, except the attribute at `own_path` itself. Relative patterns start from `own_path`.
    fn all(&self, others: &RelatedAttributes, own_path: &Path) -> Result<Vec<Related<'a>>, Error> {
        let mut all: Vec<Related<'_>> = others.siblings.iter().map(|it| self.sibling(it)).collect();
        for pattern in &others.patterns {
            let absolute = pattern.at(Pattern::from(own_path));
            let absolute = absolute.ok_or_else(|| {
                Error::new(format!("the pattern `{pattern}` at `{own_path}` leads outside of the root"))
            })?;
            for path in absolute.find(self.block.ty(), self.root)? {
                let value = self.root.at(&path);
                all.push(self.related(path, value));
            }
        }
        all.retain(|it| it.path != *own_path);
        Ok(all)
    }
}

fn quoted<'a>(paths: impl IntoIterator<Item = &'a Path>, separator: &str) -> String {
    paths.into_iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(separator)
}

fn invalid_pattern(error: &Error) -> Diagnostic {
    provider_bug("Invalid Path Expression for Schema", error)
}

fn invalid_combination(detail: String) -> Diagnostic {
    Diagnostic::error(INVALID_COMBINATION).detail(detail).of_kind(DiagnosticKind::InvalidCombination)
}

/// Validates the relation of an attribute to others. Adds the errors and warnings.
pub(crate) fn validate_relation(
    relation: &Relation,
    name: &str,
    context: &ObjectContext<'_>,
    diagnostics: &mut Diagnostics,
) {
    let this = context.sibling(name);
    let this_path = &this.path;
    let others = match context.all(&relation.others, this_path) {
        Ok(others) => others,
        Err(error) => return diagnostics.push(invalid_pattern(&error)),
    };
    let first_with = |status: Status| others.iter().find(|it| it.has_status(status));
    let names = || quoted(others.iter().map(|it| &it.path), ", ");
    let mut report = |detail: String| diagnostics.push(invalid_combination(detail).at(this_path.clone()));
    match relation.kind {
        RelationKind::ConflictsWith if this.has_status(Status::Set) => {
            if let Some(Related { path, .. }) = first_with(Status::Set) {
                report(format!("\"{this_path}\" cannot be set together with \"{path}\"."));
            }
        }
        RelationKind::Requires if this.has_status(Status::Set) => {
            // An unknown value may turn out to be set. The values after it are checked once it is known.
            let known = others.iter().take_while(|it| !it.has_status(Status::Unknown));
            for Related { path, .. } in known.filter(|it| it.has_status(Status::Null)) {
                report(format!("\"{path}\" must be set if \"{this_path}\" is set."));
            }
        }
        RelationKind::ExactlyOneOf => {
            let all = [&this].into_iter().chain(&others);
            let set: Vec<&Path> = all.filter(|it| it.has_status(Status::Set)).map(|it| &it.path).collect();
            // Two set values contradict the relation, whatever the unknown values turn out to be.
            let is_decided =
                set.len() > 1 || !this.has_status(Status::Unknown) && first_with(Status::Unknown).is_none();
            if is_decided && set.len() != 1 {
                let found = match &*set {
                    [] => "none is set".to_owned(),
                    set => format!("{} are set", quoted(set.iter().copied(), " and ")),
                };
                report(format!("Exactly one of \"{this_path}\", {} must be set, but {found}.", names()));
            }
        }
        RelationKind::AtLeastOneOf
            if this.has_status(Status::Null)
                && first_with(Status::Unknown).is_none()
                && first_with(Status::Set).is_none() =>
        {
            report(format!("At least one of \"{this_path}\", {} must be set.", names()));
        }
        RelationKind::PreferWriteOnly if context.write_only_allowed && this.has_status(Status::Set) => {
            let detail = format!(
                "The value of \"{this_path}\" is stored in the state. Use the write-only attribute {} instead, which \
                 is not stored.",
                names()
            );
            let summary = "Available Write-Only Attribute Alternative";
            diagnostics.push(Diagnostic::warning(summary).detail(detail).at(this_path.clone()));
        }
        kind if kind.is_numeric() => {
            if let Some(detail) = number_error(kind, &this, &others, context.block) {
                let error = Diagnostic::error("Invalid Attribute Value").detail(detail);
                diagnostics.push(error.at(this_path.clone()));
            }
        }
        _ => {}
    }
}

/// The error about a number that is compared with the sum or product of others; `None` if it is valid, or while one of
/// the numbers is unknown.
fn number_error(
    kind: RelationKind,
    this: &Related<'_>,
    others: &[Related<'_>],
    block: &Block,
) -> Option<String> {
    let Value::Number(number) = this.value.without_type() else { return None };
    let is_product = kind == RelationKind::EqualToProductOf;
    let mut total = Number::from(i64::from(is_product));
    for other in others {
        total = match other.value.without_type() {
            Value::Number(it) if is_product => total.multiply(it).ok()?,
            Value::Number(it) => total.add(it).ok()?,
            Value::Null if !is_product => total,
            _ => return None,
        };
    }
    let order = if is_nearly_equal(number, &total) { Ordering::Equal } else { number.compare(&total) };
    let (is_valid, expected) = match kind {
        RelationKind::AtLeastSumOf => (order != Ordering::Less, "at least the sum"),
        RelationKind::AtMostSumOf => (order != Ordering::Greater, "at most the sum"),
        RelationKind::EqualToSumOf => (order == Ordering::Equal, "the sum"),
        _ => (order == Ordering::Equal, "the product"),
    };
    if is_valid {
        return None;
    }
    let names = quoted(others.iter().map(|it| &it.path), " and ");
    let is_sensitive = others.iter().chain([this]).any(|it| is_sensitive(block, &it.path));
    let values =
        if is_sensitive { String::new() } else { format!(": {}, but it is {number}", rounded(&total)) };
    Some(format!("\"{}\" must be {expected} of {names}{values}.", this.path))
}

/// True if two numbers differ at most by rounding errors. Terraform keeps 512 bits of a fraction, so `0.1 + 0.1 + 0.1`
/// differs from `0.3` in the last bit.
fn is_nearly_equal(number: &Number, total: &Number) -> bool {
    if number == total || number.is_integer() && total.is_integer() {
        return number == total;
    }
    let Ok(difference) = number.subtract(total) else { return false };
    // As floats the numbers may be equal, so the relative difference is compared.
    let relative = difference.divide(total).map_or(f64::INFINITY, |it| it.to_f64());
    relative.abs() < 1e-150
}

/// A sum or product for a message, without rounding errors in the last of the 512 bits.
fn rounded(total: &Number) -> Number {
    let string = Number::from_f64(total.to_f64()).map(|it| it.to_string());
    let rounded = string.and_then(|it| it.parse::<Number>().ok()).filter(|it| is_nearly_equal(it, total));
    rounded.unwrap_or_else(|| total.clone())
}

/// Validates the attributes of a group. Adds the error.
pub(crate) fn validate_group(group: &Group, context: &ObjectContext<'_>, diagnostics: &mut Diagnostics) {
    let all = match context.all(&group.members, context.path) {
        Ok(all) => all,
        Err(error) => return diagnostics.push(invalid_pattern(&error)),
    };
    // Attributes of the object itself are named relative to the object.
    let depth = context.path.steps().len();
    let relative = |path: &Path| match path.steps().get(..depth) {
        Some(start) if start == context.path.steps() => path.steps()[depth..].iter().cloned().collect(),
        _ => path.clone(),
    };
    let names = |related: &[&Related<'_>], separator: &str| {
        quoted(&related.iter().map(|it| relative(&it.path)).collect::<Vec<_>>(), separator)
    };
    let set: Vec<&Related<'_>> = all.iter().filter(|it| it.has_status(Status::Set)).collect();
    let has_unknown = all.iter().any(|it| it.has_status(Status::Unknown));
    let all_names = names(&all.iter().collect::<Vec<_>>(), ", ");
    let set_names = names(&set, " and ");
    let combination = |detail: String| {
        let error = invalid_combination(detail);
        match set.first() {
            Some(first) => error.at(first.path.clone()),
            None => error,
        }
    };
    let error = match group.rule {
        GroupRule::ExactlyOne if set.len() > 1 => {
            combination(format!("Exactly one of {all_names} must be set, but {set_names} are set."))
        }
        GroupRule::ExactlyOne if set.is_empty() && !has_unknown => {
            missing(context.path, format!("Exactly one of {all_names} must be set, but none is set."))
        }
        GroupRule::AtLeastOne if set.is_empty() && !has_unknown => {
            missing(context.path, format!("At least one of {all_names} must be set, but none is set."))
        }
        GroupRule::AtMostOne if set.len() > 1 => {
            combination(format!("At most one of {all_names} can be set, but {set_names} are set."))
        }
        GroupRule::AllOrNone if !set.is_empty() && !has_unknown && set.len() < all.len() => {
            let verb = if set.len() == 1 { "is" } else { "are" };
            combination(format!(
                "Either all or none of {all_names} must be set, but only {set_names} {verb} set."
            ))
        }
        _ => return,
    };
    diagnostics.push(error);
}

/// The error about an object in which no attribute of a group is set. No attribute is at fault, so the path is that of
/// the object.
fn missing(path: &Path, detail: String) -> Diagnostic {
    let missing = Diagnostic::error(MISSING).detail(detail);
    if path.is_root() { missing } else { missing.at(path.clone()) }
}
