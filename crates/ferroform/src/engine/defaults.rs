//! The configuration with what its defaults put in.

use std::borrow::Cow;

use ferroform_value::{Object, Path, Set, Step, Value};

use crate::schema::{Attribute, Block, Nesting};
use crate::{Diagnostics, Result};

/// Which defaults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that are part of the configuration as the author's methods see it: `default_with`.
    Given,
    /// All.
    All,
}

/// The configuration with its defaults, in nested objects and in the objects of defaults too. An object that is
/// null or unknown has none.
///
/// # Errors
///
/// Each attribute for which there is no value but must be one, with its place.
pub(super) fn fill<'a>(block: &Block, config: &'a Value, which: Which) -> Result<Cow<'a, Value>> {
    if !has(block, which) {
        return Ok(Cow::Borrowed(config));
    }
    let mut fill = Fill { which, place: Path::ROOT, faults: Diagnostics::new() };
    let filled = fill.object(block, config);
    if fill.faults.is_empty() { Ok(Cow::Owned(filled)) } else { Err(fill.faults) }
}

fn has(block: &Block, which: Which) -> bool {
    let attribute = |it: &Attribute| {
        it.default.as_ref().is_some_and(|it| which == Which::All || !it.is_fixed)
            || it.nested.as_ref().is_some_and(|it| has(&it.block, which))
    };
    block.attributes.iter().any(attribute) || block.blocks.iter().any(|it| has(&it.block, which))
}

struct Fill {
    which: Which,
    place: Path,
    faults: Diagnostics,
}

impl Fill {
    fn object(&mut self, block: &Block, value: &Value) -> Value {
        let Value::Object(given) = value else { return value.clone() };
        let mut filled = given.clone();
        for it in &block.attributes {
            self.place.push(Step::Attribute(it.name.clone()));
            if let Some(value) = self.attribute(it, given) {
                filled.insert(it.name.clone(), value);
            }
            self.place.pop();
        }
        for it in &block.blocks {
            let Some(value) = given.get(&it.name).filter(|_| has(&it.block, self.which)) else { continue };
            self.place.push(Step::Attribute(it.name.clone()));
            filled.insert(it.name.clone(), self.nested(it.nesting, &it.block, value));
            self.place.pop();
        }
        Value::Object(filled)
    }

    /// The attribute's value, where it is another than the given one.
    fn attribute(&mut self, it: &Attribute, given: &Object) -> Option<Value> {
        let value = given.get(&it.name).unwrap_or(&Value::Null);
        let default = it.default.as_ref().filter(|it| self.which == Which::All || !it.is_fixed);
        let made = match default.filter(|_| value.is_null()).map(|default| default.value(&it.name)) {
            Some(Ok(made)) => Some(made),
            Some(Err(fault)) => {
                self.faults.push(fault.at(self.place.clone()));
                None
            }
            None => None,
        };
        match &it.nested {
            Some(nested) if has(&nested.block, self.which) => {
                Some(self.nested(nested.nesting, &nested.block, made.as_ref().unwrap_or(value)))
            }
            _ => made,
        }
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value) -> Value {
        match (nesting, value) {
            (Nesting::Single, Value::Object(_)) => self.object(block, value),
            (Nesting::List, Value::List(elements)) => {
                let elements = elements.iter().enumerate();
                Value::List(elements.map(|(i, it)| self.element(Step::Index(i), block, it)).collect())
            }
            (Nesting::Set, Value::Set(elements)) => {
                let filled = |it: &Value| self.element(Step::Element(Box::new(it.clone())), block, it);
                Value::Set(elements.iter().map(filled).collect::<Set>())
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
        self.place.push(step);
        let filled = self.object(block, value);
        self.place.pop();
        filled
    }
}
