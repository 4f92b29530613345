//! The configuration with what its defaults put in.

use std::borrow::Cow;
use std::collections::HashMap;

use ferroform_value::{NfcString, Object, Path, Set, Step, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::redaction;
use crate::redaction::show::is_sensitive;
use crate::schema::{Attribute, Block, Nesting};
use crate::{Diagnostic, Diagnostics, Result};

/// Which defaults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that are part of the configuration as the author's methods see it: `default_with`.
    Given,
    /// All.
    All,
}

/// The configuration with its defaults, in nested objects too. An object that is null or unknown has none, nor has
/// one that a `default` puts in: that says all of it.
///
/// # Errors
///
/// Each attribute for which there is no value but must be one, with its place.
pub fn fill<'a>(block: &Block, config: &'a Value, which: Which) -> Result<Cow<'a, Value>> {
    fill_nested(Nesting::Single, block, config, which)
}

/// The same, but each element of a set stays at its index, also where two of them have become equal.
///
/// # Errors
///
/// As above.
pub(super) fn fill_each<'a>(block: &Block, config: &'a Value, which: Which) -> Result<Cow<'a, Value>> {
    fill_with(Fill { keeps_repeats: true, ..Fill::new(which) }, Nesting::Single, block, config)
}

/// The same of an object inside, or of a list, set or map of such.
///
/// # Errors
///
/// Each attribute for which there is no value but must be one, with its place inside.
pub fn fill_nested<'a>(
    nesting: Nesting,
    block: &Block,
    value: &'a Value,
    which: Which,
) -> Result<Cow<'a, Value>> {
    fill_with(Fill::new(which), nesting, block, value)
}

fn fill_with<'a>(
    mut fill: Fill,
    nesting: Nesting,
    block: &Block,
    value: &'a Value,
) -> Result<Cow<'a, Value>> {
    if !has(block, fill.which) {
        return Ok(Cow::Borrowed(value));
    }
    let filled = fill.nested(nesting, block, value);
    if fill.faults.is_empty() { Ok(Cow::Owned(filled)) } else { Err(fill.faults) }
}

/// What is said of a value with its defaults, at the places of the value as it is written: an element of a set is what
/// the configuration says.
pub fn as_written(
    nesting: Nesting,
    block: &Block,
    value: &Value,
    which: Which,
    said: Diagnostics,
) -> Diagnostics {
    let in_set = |it: &Path| it.steps().iter().any(|it| matches!(it, Step::Element(_)));
    if !has(block, which) || !said.iter().any(|it| it.path.as_ref().is_some_and(in_set)) {
        return said;
    }
    let mut fill = Fill { written: Some(HashMap::new()), ..Fill::new(which) };
    fill.nested(nesting, block, value);
    let written = fill.written.unwrap_or_default();
    let place = |it: Path| {
        let mut place = Path::ROOT;
        for step in it.steps() {
            let here = match step {
                Step::Element(it) => written.get(&place).and_then(|set| set.get(&**it)),
                _ => None,
            };
            place.push(here.map_or_else(|| step.clone(), |it| Step::Element(Box::new(it.clone()))));
        }
        place
    };
    let moved = |mut it: Diagnostic| {
        it.path = it.path.map(place);
        it
    };
    said.into_iter().map(moved).collect()
}

/// The elements of a set that are others' doubles with their defaults, as far as they are known: Terraform can keep
/// but one of them. Each is named at the place of the set.
pub fn doubles(block: &Block, set: &Set, place: &Path) -> Diagnostics {
    if !has(block, Which::All) {
        return Diagnostics::new();
    }
    let mut fill = Fill::new(Which::All);
    let known = set.iter().filter(|it| it.is_wholly_known());
    let filled = Set::with_repeats(known.map(|it| fill.object(block, it)).collect());
    let twice = filled.repeats().into_iter().map(|it| {
        let element = redaction::shown(block, it);
        let detail = format!("With their defaults two elements of the set are the same: {element}.");
        let double = Diagnostic::error("Duplicate Set Element").detail(detail).at(place.clone());
        double.of_kind(DiagnosticKind::DuplicateElement)
    });
    twice.collect()
}

/// The same of the whole object: the element is not shown where something around it is sensitive.
pub fn discreet(root: &Block, found: Diagnostics) -> Diagnostics {
    let shown = |it: Diagnostic| match &it.path {
        Some(place) if *it.kind() == DiagnosticKind::DuplicateElement && is_sensitive(root, place) => {
            it.detail("With their defaults two elements of the set are the same.")
        }
        _ => it,
    };
    found.into_iter().map(shown).collect()
}

fn has(block: &Block, which: Which) -> bool {
    let facts = block.facts();
    if which == Which::All { facts.has_defaults } else { facts.has_configuration_defaults }
}

struct Fill {
    which: Which,
    place: Path,
    faults: Diagnostics,
    /// Whether elements of a set that have become equal stay apart.
    keeps_repeats: bool,
    /// Of each set, where that is asked for, the elements as they are written, by what becomes of them.
    written: Option<HashMap<Path, HashMap<Value, Value>>>,
}

impl Fill {
    fn new(which: Which) -> Fill {
        Fill { which, place: Path::ROOT, faults: Diagnostics::new(), keeps_repeats: false, written: None }
    }

    fn object(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(given) = value else { return value.clone() };
        let mut filled = given.clone();
        for it in &block.attributes {
            if let Some(value) = self.attribute(it, given) {
                filled.insert(it.name.clone(), value);
            }
        }
        for it in &block.blocks {
            let Some(value) = given.get(&it.name).filter(|_| has(&it.block, self.which)) else { continue };
            let made = self
                .within(Step::Attribute(it.name.clone()), |fill| fill.nested(it.nesting, &it.block, value));
            filled.insert(it.name.clone(), made);
        }
        Value::Object(filled)
    }

    /// The attribute's value, where it may be another than the given one.
    fn attribute(&mut self, it: &Attribute, given: &Object) -> Option<Value> {
        let default = it.behaviour().default.as_ref().filter(|it| self.which == Which::All || !it.is_fixed);
        let nested = it.nested.as_ref().filter(|it| has(&it.block, self.which));
        if default.is_none() && nested.is_none() {
            return None;
        }
        let value = given.get(&it.name).unwrap_or(&Value::Null);
        let made = match default.filter(|_| value.is_null()).map(|default| default.value(&it.name)) {
            Some(Ok(made)) => Some(made),
            Some(Err(fault)) => {
                self.faults.push(fault.at(self.place.clone().name(it.name.clone())));
                None
            }
            None => None,
        };
        // What a `default` says is all of it; what comes from elsewhere is as if it had been written.
        let is_whole = made.is_some() && it.behaviour().default.as_ref().is_some_and(|it| it.is_fixed);
        let Some(nested) = nested.filter(|_| !is_whole) else { return made };
        Some(self.within(Step::Attribute(it.name.clone()), |fill| {
            fill.nested(nested.nesting, &nested.block, made.as_ref().unwrap_or(value))
        }))
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) -> Value {
        match (nesting, value) {
            (Nesting::Single, Value::Object(_)) => self.object(block, value),
            (Nesting::List, Value::List(elements)) => {
                let elements = elements.iter().enumerate();
                Value::List(elements.map(|(i, it)| self.element(Step::Index(i), block, it)).collect())
            }
            (Nesting::Set, Value::Set(elements)) => {
                let keeps_repeats = self.keeps_repeats;
                let filled = |it: &Value| {
                    // Only what is given can be missing.
                    let step = match self.which {
                        Which::All if self.written.is_none() => Step::Index(0),
                        _ => Step::Element(Box::new(it.clone())),
                    };
                    let filled = self.element(step, block, it);
                    if let Some(written) = &mut self.written {
                        let set = written.entry(self.place.clone()).or_default();
                        set.insert(filled.clone(), it.clone());
                    }
                    filled
                };
                let filled = elements.iter().map(filled);
                Value::Set(if keeps_repeats { Set::with_repeats(filled.collect()) } else { filled.collect() })
            }
            (Nesting::Map, Value::Map(entries)) => {
                let entry = |(key, it): (&NfcString, &Value)| {
                    (key.clone(), self.element(Step::Key(key.clone()), block, it))
                };
                Value::Map(entries.iter().map(entry).collect())
            }
            _ => value.clone(),
        }
    }

    fn element(&mut self, step: Step, block: &Block, value: &Value) -> Value {
        self.within(step, |fill| fill.object(block, value))
    }

    fn within<T>(&mut self, step: Step, make: impl FnOnce(&mut Fill) -> T) -> T {
        self.place.push(step);
        let made = make(self);
        self.place.pop();
        made
    }
}
