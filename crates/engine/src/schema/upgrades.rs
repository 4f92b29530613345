//! How a state of an earlier version becomes one of the current schema.

use std::fmt;
use std::sync::Arc;

use ferroform_value::Value;

use super::Schema;
use crate::Result;

/// The steps from earlier versions of a state's shape to the current one, each to the next version.
///
/// The derive makes it of `#[attr(version = n, upgrade_from = Old)]`. By hand:
///
/// ```
/// use ferroform::schema::{Attribute, Block, Schema, Upgrades};
/// use ferroform::value::{Type, Value};
///
/// // Version 0 had the size as a text, in version 1 it is a number.
/// let block = Block::new().attribute(Attribute::raw("size", Type::String));
/// let upgrades = Upgrades::oldest(0).step(Schema { version: 0, block }, |old| {
///     let size = old.attribute("size").and_then(Value::as_str).and_then(|it| it.parse().ok());
///     Ok(Value::object([("size", Value::from(size.unwrap_or(0_i64)))]))
/// });
/// assert_eq!(upgrades.earlier().map(|it| it.version).collect::<Vec<_>>(), [0]);
/// ```
#[derive(Clone, Default)]
pub struct Upgrades {
    oldest: i64,
    fallback: bool,
    /// The steps, the oldest first.
    pub steps: Vec<Step>,
}

/// Makes the object of one shape of that of another.
pub(super) type Convert = dyn Fn(&Value) -> Result<Value> + Send + Sync;

/// One step: from a version to the next.
#[derive(Clone)]
pub struct Step {
    /// The version that it takes.
    pub version: i64,
    /// What a state of that version looks like. Made when it is needed: few calls ever need it.
    pub schema: Arc<dyn Fn() -> Schema + Send + Sync>,
    /// The object of the next version.
    pub convert: Arc<Convert>,
}

impl Upgrades {
    /// No step yet. States that are older than this version are covered by none.
    pub fn oldest(version: i64) -> Upgrades {
        Upgrades { oldest: version, ..Upgrades::default() }
    }

    /// Adds the step from states of the schema to the next version: an object of the next shape for one of
    /// the schema's.
    #[must_use]
    pub fn step(
        mut self,
        from: Schema,
        convert: impl Fn(&Value) -> Result<Value> + Send + Sync + 'static,
    ) -> Upgrades {
        let (version, schema) = (from.version, Arc::new(move || from.clone()));
        self.steps.push(Step { version, schema, convert: Arc::new(convert) });
        self
    }

    /// States that no step covers are given to [`AnyResource::upgrade`](crate::provider::AnyResource::upgrade).
    #[must_use]
    pub fn with_fallback(mut self) -> Upgrades {
        self.fallback = true;
        self
    }

    /// True where states that no step covers are not simply invalid_options.
    pub fn has_fallback(&self) -> bool {
        self.fallback
    }

    /// The schemas of the earlier versions, the oldest first.
    pub fn earlier(&self) -> impl Iterator<Item = Schema> {
        self.steps.iter().map(|it| (it.schema)())
    }

    /// The steps from that version on; empty where none covers it.
    pub fn from(&self, version: i64) -> &[Step] {
        let at = self.steps.iter().position(|it| it.version == version);
        at.and_then(|at| self.steps.get(at..)).unwrap_or_default()
    }

    /// What is wrong with the steps to this version: each must begin where the one before it ends.
    pub(super) fn errors(&self, current: i64) -> Vec<String> {
        let mut errors = Vec::new();
        let mut reached = self.oldest;
        for step in &self.steps {
            if step.version != reached {
                let came = step.version;
                errors
                    .push(format!("a step from version {reached} is expected, but there is one from {came}"));
            }
            reached = step.version + 1;
        }
        if reached < current {
            let fix = format!("add it, or say that nothing older is upgraded: `Upgrades::oldest({current})`");
            errors.push(format!("there is no step from version {reached} to version {}: {fix}", reached + 1));
        } else if reached > current {
            errors
                .push(format!("there is a step to version {reached}, but the schema's version is {current}"));
        }
        errors
    }
}

impl fmt::Debug for Upgrades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upgrades")
            .field("from", &self.steps.iter().map(|it| it.version).collect::<Vec<_>>())
            .field("oldest", &self.oldest)
            .field("fallback", &self.fallback)
            .finish()
    }
}
