//! Defaults: applies the defaults of attributes to a configuration.
//!
//! A default applies to an attribute that is null, in nested objects too. A null or unknown nested object has no
//! attributes, so no defaults apply inside it. A nested object that itself is a static default is complete, so no
//! defaults apply there either.
//!
//! ```text
//! configuration        { disks = [{ size = null }, { size = 5 }] }   size has the default 1
//! with all defaults    { disks = [{ size = 1 }, { size = 5 }] }
//! ```

use std::borrow::Cow;
use std::collections::HashMap;

use ferroform_value::{Object, Path, Set, Step, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::redaction;
use crate::redaction::display::is_sensitive;
use crate::schema::{Attribute, AttributeDefault, Block, Member, Nesting};
use crate::{Diagnostic, Diagnostics, Result};

/// The scope of the defaults to apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DefaultScope {
    /// The defaults that count as configured: `default_with`. The provider's methods receive them in the configuration.
    Configuration,
    /// All defaults.
    All,
}

/// The configuration with its defaults.
///
/// # Errors
///
/// Returns an error for each attribute that requires a value but has none, at its path.
pub fn apply_defaults<'a>(block: &Block, config: &'a Value, scope: DefaultScope) -> Result<Cow<'a, Value>> {
    apply_nested_defaults(Nesting::Single, block, config, scope)
}

/// The configuration with its defaults, in which every element of a set stays at its index, even if the defaults make
/// two elements equal.
///
/// # Errors
///
/// Returns the same errors as [`apply_defaults`].
pub(super) fn apply_keeping_duplicates<'a>(
    block: &Block,
    config: &'a Value,
    scope: DefaultScope,
) -> Result<Cow<'a, Value>> {
    let pass = DefaultsPass { keeps_duplicates: true, ..DefaultsPass::new(scope) };
    pass.apply(Nesting::Single, block, config)
}

/// A nested object, or a list, set or map of nested objects, with its defaults.
///
/// # Errors
///
/// Returns the same errors as [`apply_defaults`], with paths relative to the value.
pub fn apply_nested_defaults<'a>(
    nesting: Nesting,
    block: &Block,
    value: &'a Value,
    scope: DefaultScope,
) -> Result<Cow<'a, Value>> {
    DefaultsPass::new(scope).apply(nesting, block, value)
}

/// Diagnostics about a value with its defaults, with paths into the configured value: a step to an element of a set
/// contains the element itself, which differs from the element with its defaults.
pub fn with_configured_paths(
    nesting: Nesting,
    block: &Block,
    value: &Value,
    scope: DefaultScope,
    diagnostics: Diagnostics,
) -> Diagnostics {
    let is_in_set = |it: &Path| it.steps().iter().any(|it| matches!(it, Step::Element(_)));
    let is_affected = |it: &Diagnostic| it.path.as_ref().is_some_and(is_in_set);
    if !has_defaults(block, scope) || !diagnostics.iter().any(is_affected) {
        return diagnostics;
    }
    let configured_elements = Some(HashMap::new());
    let mut pass = DefaultsPass { configured_elements, ..DefaultsPass::new(scope) };
    pass.nested(nesting, block, value);
    let configured_elements = pass.configured_elements.unwrap_or_default();
    let configured_path = |path: Path| {
        let mut configured = Path::ROOT;
        for step in path.steps() {
            let element = match step {
                Step::Element(it) => configured_elements.get(&configured).and_then(|set| set.get(&**it)),
                _ => None,
            };
            configured.push(element.map_or_else(|| step.clone(), |it| Step::Element(Box::new(it.clone()))));
        }
        configured
    };
    let with_configured_path = |mut diagnostic: Diagnostic| {
        diagnostic.path = diagnostic.path.map(configured_path);
        diagnostic
    };
    diagnostics.into_iter().map(with_configured_path).collect()
}

/// The errors about known elements of a set that are equal once their defaults are applied, at the path of the set in
/// an object of the block `root`. Terraform keeps only one of them. The errors do not show elements inside sensitive
/// attributes.
pub(crate) fn duplicate_elements(root: &Block, block: &Block, set: &Set, path: &Path) -> Diagnostics {
    if !has_defaults(block, DefaultScope::All) {
        return Diagnostics::new();
    }
    let mut pass = DefaultsPass::new(DefaultScope::All);
    let known = set.iter().filter(|it| it.is_wholly_known());
    let with_defaults = Set::with_duplicates(known.map(|it| pass.object(block, it)).collect());
    let is_sensitive = is_sensitive(root, path);
    let duplicates = with_defaults.duplicates().into_iter().map(|it| {
        let element = match is_sensitive {
            true => String::new(),
            false => format!(": {}", redaction::describe_element(block, it)),
        };
        let detail = format!(
            "Two elements of the set are equal once their defaults are applied{element}. Remove one of them, or set \
             different values."
        );
        let error = Diagnostic::error("Duplicate Set Element").detail(detail).at(path.clone());
        error.of_kind(DiagnosticKind::DuplicateElement)
    });
    duplicates.collect()
}

fn has_defaults(block: &Block, scope: DefaultScope) -> bool {
    let facts = block.facts();
    match scope {
        DefaultScope::All => facts.has_defaults,
        DefaultScope::Configuration => facts.has_configuration_defaults,
    }
}

/// One pass through a configuration that applies defaults.
struct DefaultsPass {
    scope: DefaultScope,
    path: Path,
    errors: Diagnostics,
    /// True if elements of a set stay separate even if they become equal.
    keeps_duplicates: bool,
    /// If requested, the configured elements of each set by the elements with their defaults.
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

    fn apply<'a>(mut self, nesting: Nesting, block: &Block, value: &'a Value) -> Result<Cow<'a, Value>> {
        if !has_defaults(block, self.scope) {
            return Ok(Cow::Borrowed(value));
        }
        let with_defaults = self.nested(nesting, block, value);
        if self.errors.is_empty() { Ok(Cow::Owned(with_defaults)) } else { Err(self.errors) }
    }

    fn object(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(configured) = value else { return value.clone() };
        let mut object = configured.clone();
        for member in block.members() {
            let with_defaults = match member {
                Member::Attribute(it) => self.attribute(it, configured),
                Member::Block(it) if !has_defaults(&it.block, self.scope) => None,
                Member::Block(it) => configured.get(&it.name).map(|value| {
                    let step = Step::Attribute(it.name.clone());
                    self.within(step, |pass| pass.nested(it.nesting, &it.block, value))
                }),
            };
            if let Some(value) = with_defaults {
                object.insert(member.name().clone(), value);
            }
        }
        Value::Object(object)
    }

    /// The value of the attribute if it may differ from the configured one.
    fn attribute(&mut self, attribute: &Attribute, configured: &Object) -> Option<Value> {
        let scope = self.scope;
        let is_in_scope = |it: &&AttributeDefault| scope == DefaultScope::All || !it.is_static;
        let default = attribute.behavior().default.as_ref().filter(is_in_scope);
        let nested = attribute.nested.as_ref().filter(|it| has_defaults(&it.block, scope));
        if default.is_none() && nested.is_none() {
            return None;
        }
        let name = &attribute.name;
        let value = configured.get_or_null(name);
        let default_value = default.filter(|_| value.is_null());
        let default_value = match default_value.map(|it| it.value(name, attribute.requires_value())) {
            Some(Ok(value)) => Some(value),
            Some(Err(error)) => {
                self.errors.push(error.at(self.path.clone().name(name.clone())));
                None
            }
            None => None,
        };
        let is_complete = default_value.is_some() && default.is_some_and(|it| it.is_static);
        let Some(nested) = nested.filter(|_| !is_complete) else { return default_value };
        let value = default_value.as_ref().unwrap_or(value);
        let step = Step::Attribute(name.clone());
        Some(self.within(step, |pass| pass.nested(nested.nesting, &nested.block, value)))
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) -> Value {
        match (nesting, value) {
            (Nesting::Single, Value::Object(_)) => self.object(block, value),
            (Nesting::Set, Value::Set(elements)) => {
                let keeps_duplicates = self.keeps_duplicates;
                let elements: Vec<Value> = elements.iter().map(|it| self.set_element(block, it)).collect();
                Value::Set(match keeps_duplicates {
                    true => Set::with_duplicates(elements),
                    false => elements.into_iter().collect(),
                })
            }
            _ => value.map_elements(|step, it| self.element(step, block, it)),
        }
    }

    fn set_element(&mut self, block: &Block, element: &Value) -> Value {
        // The step is needed only for errors, which defaults that count as configured can have, and to find the
        // element.
        let step = match self.scope {
            DefaultScope::All if self.configured_elements.is_none() => Step::Index(0),
            _ => Step::Element(Box::new(element.clone())),
        };
        let with_defaults = self.element(step, block, element);
        if let Some(configured_elements) = &mut self.configured_elements {
            let set = configured_elements.entry(self.path.clone()).or_default();
            set.insert(with_defaults.clone(), element.clone());
        }
        with_defaults
    }

    fn element(&mut self, step: Step, block: &Block, value: &Value) -> Value {
        self.within(step, |pass| pass.object(block, value))
    }

    fn within<T>(&mut self, step: Step, visit: impl FnOnce(&mut DefaultsPass) -> T) -> T {
        self.path.push(step);
        let result = visit(self);
        self.path.pop();
        result
    }
}
