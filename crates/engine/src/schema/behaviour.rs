//! How an attribute behaves in a plan, where a function of the author's says so.

use std::fmt;

use ferroform_value::Value;

use super::default::Default;
use super::functions::{Compare, Planner};
use super::relation::Relation;
use super::terms::{Keep, Replace};
use crate::validator::Validator;

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
    pub rules: Vec<Validator<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// How many elements there must be at least, where the configuration sets it.
    pub min_items: u64,
    /// How many elements there may be at most; 0 for any number.
    pub max_items: u64,
    /// The default, if there is one.
    pub default: Option<Default>,
    /// The function of `suppress_diff`.
    pub suppress: Option<Compare>,
    /// True if `suppress_diff` is asked after a read as well.
    pub suppress_on_refresh: bool,
    /// The function of `semantic_eq`.
    pub means: Option<Compare>,
    /// The function of `plan_with`.
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
