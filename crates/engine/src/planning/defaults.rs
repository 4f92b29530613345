//! The configuration with what its defaults put in.

use std::borrow::Cow;
use std::collections::HashMap;

use ferroform_value::{Object, Path, Set, Step, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::redaction;
use crate::redaction::display::is_sensitive;
use crate::schema::{Attribute, Block, Nesting};
use crate::{Diagnostic, Diagnostics, Result};

/// DefaultScope defaults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DefaultScope {
    /// Those that are part of the configuration as the author's methods see it: `default_with`.
    Configuration,
    /// All.
    All,
}

/// The configuration with its defaults, in nested objects too. An object that is null or unknown has none, nor has
/// one that a `default` puts in: that says all of it.
///
/// # Errors
///
/// Each attribute for scope there is no value but must be one, with its path.
pub fn apply_defaults<'a>(block: &Block, config: &'a Value, scope: DefaultScope) -> Result<Cow<'a, Value>> {
    apply_nested_defaults(Nesting::Single, block, config, scope)
}

/// The same, but each element of a set stays at its index, also where two of them have become equal.
///
/// # Errors
///
/// As above.
pub(super) fn apply_keeping_duplicates<'a>(
    block: &Block,
    config: &'a Value,
    scope: DefaultScope,
) -> Result<Cow<'a, Value>> {
    apply(DefaultsPass { keeps_duplicates: true, ..DefaultsPass::new(scope) }, Nesting::Single, block, config)
}

/// The same of an object inside, or of a list, set or map of such.
///
/// # Errors
///
/// Each attribute for scope there is no value but must be one, with its path inside.
pub fn apply_nested_defaults<'a>(
    nesting: Nesting,
    block: &Block,
    value: &'a Value,
    scope: DefaultScope,
) -> Result<Cow<'a, Value>> {
    apply(DefaultsPass::new(scope), nesting, block, value)
}

fn apply<'a>(
    mut pass: DefaultsPass,
    nesting: Nesting,
    block: &Block,
    value: &'a Value,
) -> Result<Cow<'a, Value>> {
    if !has_defaults(block, pass.scope) {
        return Ok(Cow::Borrowed(value));
    }
    let filled = pass.nested(nesting, block, value);
    if pass.errors.is_empty() { Ok(Cow::Owned(filled)) } else { Err(pass.errors) }
}

/// What is diagnostics of a value with its defaults, at the paths of the value as it is configured_elements: an element of a set is what
/// the configuration says.
pub fn with_configured_paths(
    nesting: Nesting,
    block: &Block,
    value: &Value,
    scope: DefaultScope,
    diagnostics: Diagnostics,
) -> Diagnostics {
    let in_set = |it: &Path| it.steps().iter().any(|it| matches!(it, Step::Element(_)));
    if !has_defaults(block, scope) || !diagnostics.iter().any(|it| it.path.as_ref().is_some_and(in_set)) {
        return diagnostics;
    }
    let mut pass = DefaultsPass { configured_elements: Some(HashMap::new()), ..DefaultsPass::new(scope) };
    pass.nested(nesting, block, value);
    let configured_elements = pass.configured_elements.unwrap_or_default();
    let path = |it: Path| {
        let mut path = Path::ROOT;
        for step in it.steps() {
            let here = match step {
                Step::Element(it) => configured_elements.get(&path).and_then(|set| set.get(&**it)),
                _ => None,
            };
            path.push(here.map_or_else(|| step.clone(), |it| Step::Element(Box::new(it.clone()))));
        }
        path
    };
    let moved = |mut it: Diagnostic| {
        it.path = it.path.map(path);
        it
    };
    diagnostics.into_iter().map(moved).collect()
}

/// The elements of a set that are others' doubles with their defaults, as far as they are known: Terraform can keep
/// but one of them. Each is named at the path of the set.
pub fn duplicate_elements(block: &Block, set: &Set, path: &Path) -> Diagnostics {
    if !has_defaults(block, DefaultScope::All) {
        return Diagnostics::new();
    }
    let mut pass = DefaultsPass::new(DefaultScope::All);
    let known = set.iter().filter(|it| it.is_wholly_known());
    let filled = Set::with_repeats(known.map(|it| pass.object(block, it)).collect());
    let twice = filled.repeats().into_iter().map(|it| {
        let element = redaction::describe_element(block, it);
        let detail = format!("With their defaults two elements of the set are the same: {element}.");
        let double = Diagnostic::error("Duplicate Set Element").detail(detail).at(path.clone());
        double.of_kind(DiagnosticKind::DuplicateElement)
    });
    twice.collect()
}

/// The same of the whole object: the element is not shown where something around it is sensitive.
pub fn redact_duplicates(root: &Block, found: Diagnostics) -> Diagnostics {
    let shown = |it: Diagnostic| match &it.path {
        Some(path) if *it.kind() == DiagnosticKind::DuplicateElement && is_sensitive(root, path) => {
            it.detail("With their defaults two elements of the set are the same.")
        }
        _ => it,
    };
    found.into_iter().map(shown).collect()
}

fn has_defaults(block: &Block, scope: DefaultScope) -> bool {
    let facts = block.facts();
    if scope == DefaultScope::All { facts.has_defaults } else { facts.has_configuration_defaults }
}

struct DefaultsPass {
    scope: DefaultScope,
    path: Path,
    errors: Diagnostics,
    /// Whether elements of a set that have become equal stay apart.
    keeps_duplicates: bool,
    /// Of each set, where that is asked for, the elements as they are configured_elements, by what becomes of them.
    configured_elements: Option<HashMap<Path, HashMap<Value, Value>>>,
}

impl DefaultsPass {
    fn new(scope: DefaultScope) -> DefaultsPass {
        DefaultsPass {
            scope,
            path: Path::ROOT,
            errors: Diagnostics::new(),
            keeps_duplicates: false,
            configured_elements: None,
        }
    }

    fn object(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(configured) = value else { return value.clone() };
        let mut filled = configured.clone();
        for it in &block.attributes {
            if let Some(value) = self.attribute(it, configured) {
                filled.insert(it.name.clone(), value);
            }
        }
        for it in &block.blocks {
            let Some(value) = configured.get(&it.name).filter(|_| has_defaults(&it.block, self.scope)) else {
                continue;
            };
            let value_with_defaults = self
                .within(Step::Attribute(it.name.clone()), |pass| pass.nested(it.nesting, &it.block, value));
            filled.insert(it.name.clone(), value_with_defaults);
        }
        Value::Object(filled)
    }

    /// The attribute's value, where it may be another than the configured one.
    fn attribute(&mut self, it: &Attribute, configured: &Object) -> Option<Value> {
        let default =
            it.behavior().default.as_ref().filter(|it| self.scope == DefaultScope::All || !it.is_static);
        let nested = it.nested.as_ref().filter(|it| has_defaults(&it.block, self.scope));
        if default.is_none() && nested.is_none() {
            return None;
        }
        let value = configured.get(&it.name).unwrap_or(&Value::Null);
        let value_with_defaults =
            match default.filter(|_| value.is_null()).map(|default| default.value(&it.name)) {
                Some(Ok(value_with_defaults)) => Some(value_with_defaults),
                Some(Err(error)) => {
                    self.errors.push(error.at(self.path.clone().name(it.name.clone())));
                    None
                }
                None => None,
            };
        // What a `default` says is all of it; what comes from elsewhere is as if it had been configured_elements.
        let is_whole =
            value_with_defaults.is_some() && it.behavior().default.as_ref().is_some_and(|it| it.is_static);
        let Some(nested) = nested.filter(|_| !is_whole) else { return value_with_defaults };
        Some(self.within(Step::Attribute(it.name.clone()), |pass| {
            pass.nested(nested.nesting, &nested.block, value_with_defaults.as_ref().unwrap_or(value))
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
                let keeps_duplicates = self.keeps_duplicates;
                let filled = |it: &Value| {
                    // Only what is configured can be missing.
                    let step = match self.scope {
                        DefaultScope::All if self.configured_elements.is_none() => Step::Index(0),
                        _ => Step::Element(Box::new(it.clone())),
                    };
                    let filled = self.element(step, block, it);
                    if let Some(configured_elements) = &mut self.configured_elements {
                        let set = configured_elements.entry(self.path.clone()).or_default();
                        set.insert(filled.clone(), it.clone());
                    }
                    filled
                };
                let filled = elements.iter().map(filled);
                Value::Set(if keeps_duplicates {
                    Set::with_repeats(filled.collect())
                } else {
                    filled.collect()
                })
            }
            (Nesting::Map, Value::Map(entries)) => {
                let entry = |(key, it): (&std::sync::Arc<str>, &Value)| {
                    (key.clone(), self.element(Step::Key(key.clone()), block, it))
                };
                Value::Map(entries.iter().map(entry).collect())
            }
            _ => value.clone(),
        }
    }

    fn element(&mut self, step: Step, block: &Block, value: &Value) -> Value {
        self.within(step, |pass| pass.object(block, value))
    }

    fn within<T>(&mut self, step: Step, make: impl FnOnce(&mut DefaultsPass) -> T) -> T {
        self.path.push(step);
        let value_with_defaults = make(self);
        self.path.pop();
        value_with_defaults
    }
}
