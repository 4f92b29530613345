//! Judges what the configuration sets together.

use ferroform_value::{Object, Path, Type, Value};

use crate::schema::{Group, Kind, Others, Relation, Together};
use crate::{Diagnostic, Diagnostics};

pub(super) const COMBINATION: &str = "Invalid Attribute Combination";
const MISSING: &str = "Missing Attribute Configuration";

/// What is known of an attribute in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Null,
    Unknown,
    Set,
}

fn status(value: &Value) -> Status {
    match value {
        Value::Unknown(Some(refinements)) if refinements.not_null => Status::Set,
        _ if value.is_unknown() => Status::Unknown,
        _ if value.is_null() => Status::Null,
        _ => Status::Set,
    }
}

/// Where an attribute stands: the root of the configuration with its type, the object that holds it, and the
/// places of both.
pub(super) struct Site<'a> {
    pub(super) root: &'a Value,
    pub(super) root_ty: &'a Type,
    pub(super) object: &'a Object,
    pub(super) place: &'a Path,
    pub(super) name: &'a str,
}

/// Judges an attribute by its relation to others.
pub(super) fn relation(relation: &Relation, site: &Site<'_>, found: &mut Diagnostics) {
    let own = site.place.clone().name(site.name);
    let this = status(site.object.get(site.name).unwrap_or(&Value::Null));
    let others = match others(relation, site, &own) {
        Ok(it) => it,
        Err(error) => {
            let detail = format!("{error}. This is a bug in the provider.");
            return found.push(Diagnostic::error("Invalid Path Expression for Schema").detail(detail));
        }
    };
    let names = || others.iter().map(|(path, _)| format!("\"{path}\"")).collect::<Vec<_>>().join(", ");
    let has = |wanted: Status| others.iter().find(|(_, it)| *it == wanted);
    let mut wrong =
        |detail: String| found.push(Diagnostic::error(COMBINATION).detail(detail).at(own.clone()));
    match relation.kind {
        Kind::ConflictsWith if this == Status::Set => {
            if let Some((other, _)) = has(Status::Set) {
                wrong(format!("\"{own}\" cannot be set together with \"{other}\"."));
            }
        }
        Kind::Requires if this == Status::Set => {
            // What may still turn out to be set is not missing, nor is what is named after it.
            let known = others.iter().take_while(|(_, it)| *it != Status::Unknown);
            for (other, _) in known.filter(|(_, it)| *it == Status::Null) {
                wrong(format!("\"{own}\" needs \"{other}\" to be set too."));
            }
        }
        Kind::ExactlyOneOf if this != Status::Unknown && has(Status::Unknown).is_none() => {
            let set =
                others.iter().filter(|(_, it)| *it == Status::Set).count() + usize::from(this == Status::Set);
            if set != 1 {
                wrong(format!("Exactly one of \"{own}\", {} must be set, but {set} are.", names()));
            }
        }
        Kind::AtLeastOneOf
            if this == Status::Null && has(Status::Unknown).is_none() && has(Status::Set).is_none() =>
        {
            wrong(format!("At least one of \"{own}\", {} must be set.", names()));
        }
        _ => {}
    }
}

/// The others with what is known of them; never the attribute itself.
fn others(
    relation: &Relation,
    site: &Site<'_>,
    own: &Path,
) -> Result<Vec<(Path, Status)>, ferroform_value::Error> {
    let mut all = Vec::new();
    match &relation.others {
        Others::Siblings(names) => {
            for name in names {
                let value = site.object.get(name).unwrap_or(&Value::Null);
                all.push((site.place.clone().name(name.clone()), status(value)));
            }
        }
        Others::Anywhere(patterns) => {
            for pattern in patterns {
                for path in pattern.find(site.root_ty, site.root)? {
                    let status = site.root.at(&path).map_or(Status::Null, status);
                    all.push((path, status));
                }
            }
        }
    }
    all.retain(|(path, _)| path != own);
    Ok(all)
}

/// Judges the attributes of a group.
pub(super) fn group(group: &Group, object: &Object, place: &Path, found: &mut Diagnostics) {
    let all: Vec<(&str, Status)> =
        group.names.iter().map(|it| (&**it, status(object.get(it).unwrap_or(&Value::Null)))).collect();
    let names = |wanted: Status| all.iter().filter(move |(_, it)| *it == wanted).map(|(name, _)| *name);
    let set: Vec<&str> = names(Status::Set).collect();
    let unknown = names(Status::Unknown).next().is_some();
    let listed = all.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let both = set.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(" and ");
    let first = || place.clone().name(set.first().copied().unwrap_or_default());
    let combination = |detail: String| Diagnostic::error(COMBINATION).detail(detail).at(first());
    let wrong = match group.together {
        Together::ExactlyOne if set.len() > 1 => {
            combination(format!("Exactly one of {listed} must be set, but {both} are."))
        }
        Together::ExactlyOne if set.is_empty() && !unknown => {
            missing(place, format!("Exactly one of {listed} must be set, but none is."))
        }
        Together::AtLeastOne if set.is_empty() && !unknown => {
            missing(place, format!("At least one of {listed} must be set, but none is."))
        }
        Together::AtMostOne if set.len() > 1 => {
            combination(format!("At most one of {listed} can be set, but {both} are."))
        }
        Together::AllOrNone if !set.is_empty() && !unknown && set.len() < all.len() => {
            combination(format!("{listed} must be set together or not at all, but only {both} is."))
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
