//! Judges what the configuration sets together.

use std::cmp::Ordering;

use ferroform_value::{Error, Number, Object, Path, Type, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::redaction::show::is_sensitive;
use crate::schema::{Block, Group, Kind, Member, Others, Relation, Together};
use crate::{Diagnostic, Diagnostics, Pattern};

const COMBINATION: &str = "Invalid Attribute Combination";
const MISSING: &str = "Missing Attribute Configuration";

/// What is known of an attribute in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Null,
    Unknown,
    Set,
}

fn status(value: &Value) -> Status {
    match value.without_type() {
        Value::Unknown(Some(refinements)) if refinements.is_not_null() => Status::Set,
        Value::Unknown(_) => Status::Unknown,
        Value::Null => Status::Null,
        _ => Status::Set,
    }
}

/// The whole configuration, with its schema and type; an object in it, and where that stands.
pub(crate) struct Site<'a> {
    pub(crate) block: &'a Block,
    pub(crate) root: &'a Value,
    pub(crate) root_ty: &'a Type,
    pub(crate) object: &'a Object,
    pub(crate) place: &'a Path,
    /// Where the host knows write-only attributes.
    pub(crate) write_only: bool,
}

/// An attribute that is named, and what the configuration says of it.
struct Named<'a> {
    place: Path,
    value: &'a Value,
}

impl Named<'_> {
    fn is(&self, status: Status) -> bool {
        self::status(self.value) == status
    }
}

impl<'a> Site<'a> {
    fn sibling(&self, name: &str) -> Named<'a> {
        self.named(self.place.clone().name(name), self.object.get(name))
    }

    /// A block that is left out is null, whatever stands for it.
    fn named(&self, place: Path, value: Option<&'a Value>) -> Named<'a> {
        let value = match self.block.at(&place) {
            Some(Member::Block(it)) => value.filter(|value| !it.is_absent(value)),
            _ => value,
        };
        let value = value.unwrap_or(&Value::Null);
        Named { place, value }
    }

    /// Those that are named, where patterns are relative to this place; never the one that stands there itself.
    fn all(&self, others: &Others, here: &Path) -> Result<Vec<Named<'a>>, Error> {
        let mut all: Vec<Named<'_>> = others.siblings.iter().map(|it| self.sibling(it)).collect();
        for pattern in &others.elsewhere {
            let absolute = pattern.at(Pattern::from(here));
            let absolute = absolute.ok_or_else(|| {
                Error::new(format!("`{pattern}` goes up from `{here}` further than to the root"))
            })?;
            for place in absolute.find(self.root_ty, self.root)? {
                let value = self.root.at(&place);
                all.push(self.named(place, value));
            }
        }
        all.retain(|it| it.place != *here);
        Ok(all)
    }
}

fn listed<'a>(places: impl IntoIterator<Item = &'a Path>, with: &str) -> String {
    places.into_iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(with)
}

fn broken(error: &Error) -> Diagnostic {
    let detail = format!("{error}. This is a bug in the provider.");
    Diagnostic::error("Invalid Path Expression for Schema")
        .detail(detail)
        .of_kind(DiagnosticKind::ProviderBug)
}

fn invalid_combination(detail: String) -> Diagnostic {
    Diagnostic::error(COMBINATION).detail(detail).of_kind(DiagnosticKind::InvalidCombination)
}

/// Judges an attribute by its relation to others.
pub(crate) fn relation(relation: &Relation, name: &str, site: &Site<'_>, found: &mut Diagnostics) {
    let this = site.sibling(name);
    let own = &this.place;
    let others = match site.all(&relation.others, own) {
        Ok(it) => it,
        Err(error) => return found.push(broken(&error)),
    };
    let has = |wanted: Status| others.iter().find(|it| it.is(wanted));
    let names = || listed(others.iter().map(|it| &it.place), ", ");
    let mut wrong = |detail: String| found.push(invalid_combination(detail).at(own.clone()));
    match relation.kind {
        Kind::ConflictsWith if this.is(Status::Set) => {
            if let Some(Named { place, .. }) = has(Status::Set) {
                wrong(format!("\"{own}\" cannot be set together with \"{place}\"."));
            }
        }
        Kind::Requires if this.is(Status::Set) => {
            // What may still turn out to be set is not missing, nor is what is named after it.
            let known = others.iter().take_while(|it| !it.is(Status::Unknown));
            for Named { place, .. } in known.filter(|it| it.is(Status::Null)) {
                wrong(format!("\"{own}\" needs \"{place}\" to be set too."));
            }
        }
        Kind::ExactlyOneOf => {
            let set = others.iter().chain([&this]).filter(|it| it.is(Status::Set)).count();
            // With two that are set, no other can mend it.
            let decided = set > 1 || !this.is(Status::Unknown) && has(Status::Unknown).is_none();
            if decided && set != 1 {
                wrong(format!("Exactly one of \"{own}\", {} must be set, but {set} are.", names()));
            }
        }
        Kind::AtLeastOneOf
            if this.is(Status::Null) && has(Status::Unknown).is_none() && has(Status::Set).is_none() =>
        {
            wrong(format!("At least one of \"{own}\", {} must be set.", names()));
        }
        Kind::PreferWriteOnly if site.write_only && this.is(Status::Set) => {
            let detail = format!("What \"{own}\" holds is stored in the state. {} is not.", names());
            let summary = "Available Write-Only Attribute Alternative";
            found.push(Diagnostic::warning(summary).detail(detail).at(own.clone()));
        }
        kind if kind.is_of_numbers() => {
            if let Some(detail) = numbers(kind, &this, &others, site.block) {
                found.push(Diagnostic::error("Invalid Attribute Value").detail(detail).at(own.clone()));
            }
        }
        _ => {}
    }
}

/// What is wrong with a number beside others; nothing as long as one of them is not known.
fn numbers(kind: Kind, this: &Named<'_>, others: &[Named<'_>], block: &Block) -> Option<String> {
    let Value::Number(own) = this.value.without_type() else { return None };
    let is_product = kind == Kind::EqualToProductOf;
    let mut total = Number::from(i64::from(is_product));
    for other in others {
        total = match other.value.without_type() {
            Value::Number(it) if is_product => total.multiply(it).ok()?,
            Value::Number(it) => total.add(it).ok()?,
            Value::Null if !is_product => total,
            _ => return None,
        };
    }
    let order = if is_nearly(own, &total) { Ordering::Equal } else { own.compare(&total) };
    let (fits, wanted) = match kind {
        Kind::AtLeastSumOf => (order != Ordering::Less, "at least the sum"),
        Kind::AtMostSumOf => (order != Ordering::Greater, "at most the sum"),
        Kind::EqualToSumOf => (order == Ordering::Equal, "the sum"),
        _ => (order == Ordering::Equal, "the product"),
    };
    if fits {
        return None;
    }
    let names = listed(others.iter().map(|it| &it.place), " and ");
    let secret = others.iter().chain([this]).any(|it| is_sensitive(block, &it.place));
    let got = if secret { String::new() } else { format!(": {}, but it is {own}", shown(&total)) };
    Some(format!("\"{}\" must be {wanted} of {names}{got}.", this.place))
}

/// True where two numbers differ by no more than what calculating with fractions leaves behind: core keeps 512 bits of
/// a tenth, and three of these are not three tenths to the last bit.
fn is_nearly(own: &Number, total: &Number) -> bool {
    if own == total || own.is_integer() && total.is_integer() {
        return own == total;
    }
    let Ok(difference) = own.subtract(total) else { return false };
    // As floats they may be too small to tell apart, but not how much one is of the other.
    let share = difference.divide(total).map_or(f64::INFINITY, |it| it.to_f64());
    share.abs() < 1e-150
}

/// A sum or product as it is written: the last of 512 bits are nobody's.
fn shown(total: &Number) -> Number {
    let text = Number::from_f64(total.to_f64()).map(|it| it.to_string());
    let rounded = text.and_then(|it| it.parse::<Number>().ok()).filter(|it| is_nearly(it, total));
    rounded.unwrap_or_else(|| total.clone())
}

/// Judges the attributes of a group.
pub(crate) fn group(group: &Group, site: &Site<'_>, found: &mut Diagnostics) {
    let all = match site.all(&group.members, site.place) {
        Ok(it) => it,
        Err(error) => return found.push(broken(&error)),
    };
    // What stands here is called by its name alone.
    let depth = site.place.steps().len();
    let short = |it: &Path| match it.steps().get(..depth) {
        Some(start) if start == site.place.steps() => it.steps()[depth..].iter().cloned().collect(),
        _ => it.clone(),
    };
    let names = |of: &[&Named<'_>], with: &str| {
        listed(&of.iter().map(|it| short(&it.place)).collect::<Vec<_>>(), with)
    };
    let set: Vec<&Named<'_>> = all.iter().filter(|it| it.is(Status::Set)).collect();
    let unknown = all.iter().any(|it| it.is(Status::Unknown));
    let listed = names(&all.iter().collect::<Vec<_>>(), ", ");
    let both = names(&set, " and ");
    let combination = |detail: String| {
        let it = invalid_combination(detail);
        match set.first() {
            Some(first) => it.at(first.place.clone()),
            None => it,
        }
    };
    let wrong = match group.together {
        Together::ExactlyOne if set.len() > 1 => {
            combination(format!("Exactly one of {listed} must be set, but {both} are."))
        }
        Together::ExactlyOne if set.is_empty() && !unknown => {
            missing(site.place, format!("Exactly one of {listed} must be set, but none is."))
        }
        Together::AtLeastOne if set.is_empty() && !unknown => {
            missing(site.place, format!("At least one of {listed} must be set, but none is."))
        }
        Together::AtMostOne if set.len() > 1 => {
            combination(format!("At most one of {listed} can be set, but {both} are."))
        }
        Together::AllOrNone if !set.is_empty() && !unknown && set.len() < all.len() => {
            let is = if set.len() == 1 { "is" } else { "are" };
            combination(format!("{listed} must be set together or not at all, but only {both} {is}."))
        }
        _ => return,
    };
    found.push(wrong);
}

/// There is no attribute to point at: the object that lacks it is the place.
fn missing(place: &Path, detail: String) -> Diagnostic {
    let missing = Diagnostic::error(MISSING).detail(detail);
    if place.is_root() { missing } else { missing.at(place.clone()) }
}
