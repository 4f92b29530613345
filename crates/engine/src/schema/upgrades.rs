//! State upgrades: from states of earlier schema versions to the current schema.

use std::fmt;
use std::sync::Arc;

use ferroform_value::Value;

use super::Schema;
use crate::{Diagnostics, Result};

/// The state upgrades of a resource, each from one schema version to the next.
///
/// `#[attr(version = n, upgrade_from = Old)]` derives it. For a schema that is built at run time:
///
/// ```
/// use ferroform::schema::{Attribute, Block, Schema, Upgrades};
/// use ferroform::value::{Type, Value};
///
/// // In version 0 the size was a string, in version 1 it is a number.
/// let block = Block::new().attribute(Attribute::raw("size", Type::String));
/// let upgrades = Upgrades::oldest(0).step(Schema::new(block), |old| {
///     let size = old.attribute("size").and_then(Value::as_str).and_then(|it| it.parse().ok());
///     Ok(Value::object([("size", Value::from(size.unwrap_or(0_i64)))]))
/// });
/// assert_eq!(upgrades.earlier().map(|it| it.version).collect::<Vec<_>>(), [0]);
/// ```
#[derive(Clone, Default)]
pub struct Upgrades {
    oldest: i64,
    fallback: bool,
    /// The upgrades, the oldest first.
    pub steps: Vec<UpgradeStep>,
}

/// Returns the warnings about the upgrade of an object.
pub(super) type Warn = dyn Fn(&Value) -> Result<Diagnostics> + Send + Sync;

/// Upgrades an object to the next version.
pub(super) type Convert = dyn Fn(&Value) -> Result<Value> + Send + Sync;

/// The upgrade from one schema version to the next.
#[derive(Clone)]
#[non_exhaustive]
pub struct UpgradeStep {
    /// The version that it upgrades from.
    pub version: i64,
    /// Creates the schema of that version, on demand.
    pub schema: Arc<dyn Fn() -> Schema + Send + Sync>,
    /// Upgrades an object to the next version.
    pub convert: Arc<Convert>,
    /// Returns the warnings about the upgrade of an object.
    pub warnings: Option<Arc<Warn>>,
}

impl UpgradeStep {
    /// The upgrade from the version to the next one. `schema` creates the schema of that version.
    pub fn new(
        version: i64,
        schema: impl Fn() -> Schema + Send + Sync + 'static,
        convert: impl Fn(&Value) -> Result<Value> + Send + Sync + 'static,
    ) -> UpgradeStep {
        UpgradeStep { version, schema: Arc::new(schema), convert: Arc::new(convert), warnings: None }
    }
}

impl Upgrades {
    /// No upgrades yet. States before this version are not upgraded.
    pub fn oldest(version: i64) -> Upgrades {
        Upgrades { oldest: version, ..Upgrades::default() }
    }

    /// Adds the upgrade from the version of the schema to the next version.
    #[must_use]
    pub fn step(
        mut self,
        from: Schema,
        convert: impl Fn(&Value) -> Result<Value> + Send + Sync + 'static,
    ) -> Upgrades {
        self.steps.push(UpgradeStep::new(from.version, move || from.clone(), convert));
        self
    }

    /// Passes states without an upgrade to [`AnyResource::upgrade`](crate::provider::AnyResource::upgrade): those of a
    /// version from which no upgrades lead to the current version.
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block, Schema, Upgrades};
    /// use ferroform::value::Type;
    ///
    /// let schema = |version| Schema::new(Block::new().attribute(Attribute::raw("size", Type::Number))).version(version);
    /// // `AnyResource::upgrade` gets the states of the versions 0 to 2.
    /// let upgrades = Upgrades::oldest(0).step(schema(3), |old| Ok(old.clone())).with_fallback();
    /// assert_eq!(schema(4).upgrade_errors(&upgrades), []);
    /// ```
    #[must_use]
    pub fn with_fallback(mut self) -> Upgrades {
        self.fallback = true;
        self
    }

    /// True if states without an upgrade are passed to [`AnyResource::upgrade`](crate::provider::AnyResource::upgrade)
    /// instead of being rejected.
    pub fn has_fallback(&self) -> bool {
        self.fallback
    }

    /// The schemas of the earlier versions, the oldest first.
    pub fn earlier(&self) -> impl Iterator<Item = Schema> {
        self.steps.iter().map(|it| (it.schema)())
    }

    /// The upgrades from that version on, each to the next version; empty if there are none, or if the upgrade from a
    /// later version is missing.
    pub fn from(&self, version: i64) -> &[UpgradeStep] {
        let at = self.steps.iter().position(|it| it.version == version);
        let steps = at.and_then(|at| self.steps.get(at..)).unwrap_or_default();
        let has_gap = steps.windows(2).any(|pair| matches!(pair, [a, b] if b.version != a.version + 1));
        if has_gap { &[] } else { steps }
    }

    /// True if the upgrades lead from one version to the other.
    pub(crate) fn lead(&self, from: i64, to: i64) -> bool {
        self.from(from).last().is_some_and(|it| it.version + 1 == to)
    }

    /// The errors in the upgrades to this version: each must begin at the version at which the one before it ends,
    /// unless a fallback upgrades the other states.
    pub(super) fn errors(&self, current: i64) -> Vec<String> {
        let mut errors = Vec::new();
        let mut reached = self.oldest;
        for step in &self.steps {
            if step.version != reached && !(self.fallback && step.version > reached) {
                let came = step.version;
                errors.push(format!(
                    "expected a state upgrade from version {reached}, but the next one is from version {came}"
                ));
            }
            reached = step.version + 1;
        }
        if reached < current && !self.fallback {
            let fix = format!(
                "add it, or declare that older states are not upgraded: `Upgrades::oldest({current})`"
            );
            errors.push(format!(
                "there is no state upgrade from version {reached} to version {}: {fix}",
                reached + 1
            ));
        } else if reached > current {
            errors.push(format!(
                "there is a state upgrade to version {reached}, but the schema version is {current}"
            ));
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
