//! How an attribute behaves in a plan, where a function of the author's says so.

use std::fmt;
use std::sync::Arc;

use ferroform_value::convert::{Availability, availability};
use ferroform_value::{Type, Value};

use super::default::Default;
use super::relation::Relation;
use super::{Attribute, Keep, Mode, Planner, Replace};
use crate::validator::{Rule, other_type};

/// What a function says of two values.
pub(super) type Same = dyn Fn(&Value, &Value) -> bool + Send + Sync;

/// Tells whether there is nothing to be done for two values.
#[derive(Clone)]
pub struct Compare {
    /// The type that it compares.
    pub ty: fn() -> Type,
    /// Compares the older value with the newer one.
    pub same: Arc<Same>,
}

impl Compare {
    /// What the function says of these two.
    pub fn holds(&self, old: &Value, new: &Value) -> bool {
        (self.same)(old, new)
    }
}

/// Judges what the configuration says, what there was before, and what is planned.
pub(super) type Judge = dyn Fn(&Value, &Value, &Value) -> bool + Send + Sync;

/// Tells whether a change of an attribute needs a new object: [`Replace::If`].
#[derive(Clone)]
pub struct Condition {
    /// The type of the change that it judges.
    pub ty: fn() -> Type,
    /// Decides by the configuration, the prior value and the planned value.
    pub judge: Arc<Judge>,
}

impl Condition {
    /// What the function says of the change from one value to the other.
    pub fn holds(&self, config: &Value, prior: &Value, planned: &Value) -> bool {
        (self.judge)(config, prior, planned)
    }
}

/// Two are equal where they are the same.
impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        Arc::ptr_eq(&self.judge, &other.judge)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition")
    }
}

/// What is said of an attribute beyond its type and who writes it. Most have nothing of it.
// Providers with thousands of types make and drop a hundred thousand attributes: what few of them have stands apart.
#[derive(Clone)]
pub struct Behaviour {
    /// What to use instead, where it is deprecated.
    pub deprecated: Option<String>,
    /// What becomes of its computed value when something else changes.
    pub keep: Keep,
    /// When a change of it needs a new object.
    pub replace: Replace,
    /// What its known values must obey.
    pub rules: Vec<Rule<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// How many elements there must be at least, where the configuration sets it.
    pub min_items: u64,
    /// How many elements there may be at most; 0 for any number.
    pub max_items: u64,
    pub default: Option<Default>,
    pub suppress: Option<Compare>,
    pub suppress_on_refresh: bool,
    pub means: Option<Compare>,
    pub plan_with: Option<Planner>,
}

impl Behaviour {
    pub(super) const NOTHING: Behaviour = Behaviour {
        deprecated: None,
        keep: Keep::Recompute,
        replace: Replace::Never,
        rules: Vec::new(),
        relations: Vec::new(),
        min_items: 0,
        max_items: 0,
        default: None,
        suppress: None,
        suppress_on_refresh: false,
        means: None,
        plan_with: None,
    };
}

impl fmt::Debug for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Behaviour")
            .field("keep", &self.keep)
            .field("replace", &self.replace)
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}

impl Attribute {
    /// Asks the function of [`suppress_diff`](Attribute::suppress_diff) after a read too: where it answers true
    /// for what the state has and what was read, the state stays.
    #[must_use]
    pub fn suppress_on_refresh(mut self) -> Attribute {
        self.behaviour_mut().suppress_on_refresh = true;
        self
    }

    /// Tells which element of a list or set an object is, together with the other keys beside it: elements of
    /// the state and the configuration with the same keys are the same element.
    #[must_use]
    pub fn key(mut self) -> Attribute {
        self.key = true;
        self
    }

    /// What its behaviours must not be, with its mode or with each other.
    pub(super) fn wrong_behaviours(&self) -> Vec<String> {
        let only_computed = self.mode == Mode::Computed;
        let compares = self.behaviour().suppress.is_some() || self.behaviour().means.is_some();
        let text = self.behaviour().default.as_ref().is_some_and(|it| it.is_text);
        let all = [
            (
                only_computed && self.behaviour().suppress.is_some(),
                "only the provider writes it, so there is no change of the configuration to suppress",
            ),
            (
                self.write_only && compares,
                "what is write-only is not stored, so there is nothing to compare it with",
            ),
            (
                self.behaviour().suppress_on_refresh && self.behaviour().suppress.is_none(),
                "without `suppress_diff` there is nothing to suppress after a read",
            ),
            (
                only_computed && self.nested.is_some() && matches!(self.behaviour().replace, Replace::If(_)),
                "only the provider writes it: the configuration cannot change it",
            ),
            (
                self.key && (only_computed || self.write_only),
                "a key is what the configuration says and the state holds: it is neither computed nor write-only",
            ),
            (
                text && availability(&Type::String, &self.ty) == Availability::None,
                "an environment variable holds one text, which cannot become a value of its type",
            ),
        ];
        let wrong = all.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why);
        wrong.chain(self.wrong_plan()).map(str::to_owned).collect()
    }

    /// Which of the author's functions are for values of another type.
    pub(super) fn wrong_types(&self) -> Vec<String> {
        let said = self.behaviour();
        let condition = if let Replace::If(it) = &said.replace { Some(it.ty) } else { None };
        let all = [
            ("requires_replace_if", condition),
            ("suppress_diff", said.suppress.as_ref().map(|it| it.ty)),
            ("semantic_eq", said.means.as_ref().map(|it| it.ty)),
            ("plan_with", said.plan_with.as_ref().map(|it| it.ty)),
            ("default_with", said.default.as_ref().and_then(|it| it.ty)),
        ];
        let wrong = all.into_iter().filter_map(|(word, of)| {
            let why = other_type(&of?(), &self.ty)?;
            Some(format!("the function of `{word}` makes no sense: {why}"))
        });
        wrong.collect()
    }

    /// True where it says something that only an attribute can: a block has no value of its own.
    pub(super) fn is_more_than_block(&self) -> bool {
        self.key
            || self.behaviour().suppress.is_some()
            || self.behaviour().means.is_some()
            || self.behaviour().plan_with.is_some()
            || matches!(self.behaviour().replace, Replace::If(_))
    }

    /// True where its computed value may stay though something else changes.
    pub fn is_kept(&self) -> bool {
        self.behaviour().keep != Keep::Recompute
    }

    /// True where its value has parts, of which some may be known and others not.
    pub fn has_parts(&self) -> bool {
        !matches!(self.ty, Type::Bool | Type::Number | Type::String)
    }

    /// True where there is nothing to be done for the change of a value: both are known and not null.
    pub fn suppresses(&self, prior: &Value, new: &Value) -> bool {
        self.behaviour().suppress.as_ref().is_some_and(|f| {
            let comparable = |it: &Value| !it.is_null() && it.is_wholly_known();
            prior != new && comparable(prior) && comparable(new) && f.holds(prior, new)
        })
    }
}
