//! Attribute behaviors: defaults, validators, plan modifiers, replacement, relations to other attributes.

use std::fmt;

use ferroform_value::Value;

use super::default::AttributeDefault;
use super::functions::{Comparison, PlanFunction};
use super::modes::{Keep, Replace};
use super::relation::Relation;
use crate::validator::Validator;

/// The behaviors of an attribute. Most attributes have none.
// A provider with thousands of types creates and drops hundreds of thousands of attributes, so behaviors are boxed.
#[derive(Clone)]
#[non_exhaustive]
pub struct Behavior {
    /// The deprecation message, if the attribute is deprecated.
    pub deprecated: Option<String>,
    /// The prior value that a plan keeps.
    pub keep: Keep,
    /// When a change requires replacement.
    pub replace: Replace,
    /// The validators of configured values.
    pub validators: Vec<Validator<Value>>,
    /// Relations to other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// The minimum number of elements, if the configuration sets the attribute.
    pub min_items: u64,
    /// The maximum number of elements; 0 if there is no maximum.
    pub max_items: u64,
    /// The default.
    pub default: Option<AttributeDefault>,
    /// The function of `suppress_diff`.
    pub suppress_diff: Option<Comparison>,
    /// True if the function of `suppress_diff` is called after a read as well.
    pub suppress_on_refresh: bool,
    /// The function of `semantic_eq`.
    pub semantic_equality: Option<Comparison>,
    /// The function of `plan_with`.
    pub plan_with: Option<PlanFunction>,
}

impl Behavior {
    pub(super) const NONE: Behavior = Behavior {
        deprecated: None,
        keep: Keep::Recompute,
        replace: Replace::Never,
        validators: Vec::new(),
        relations: Vec::new(),
        min_items: 0,
        max_items: 0,
        default: None,
        suppress_diff: None,
        suppress_on_refresh: false,
        semantic_equality: None,
        plan_with: None,
    };
}

impl fmt::Debug for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Behavior")
            .field("keep", &self.keep)
            .field("replace", &self.replace)
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}
