//! The nested parts of type constraints.
//!
//! | constraint | step | part |
//! | --- | --- | --- |
//! | `object({ port = number })` | `.port` | `number` |
//! | `tuple([string, bool])` | `[1]` | `bool` |
//! | `list(string)`, `set(string)` | `[0]` | `string` |
//! | `map(string)` | `["key"]`, or `.key` before the conversion | `string` |

use ferroform_lang::Defaults;
use ferroform_lang::type_constraint::Constraint;
use ferroform_value::{Step, Type, Typed};

/// A type constraint, or the part of one that applies to an attribute or element.
#[derive(Clone, Copy)]
pub(crate) struct ConstraintNode<'t> {
    pub(crate) ty: &'t Type,
    defaults: Option<&'t Defaults>,
    /// True if a default replaces null.
    pub(crate) replaces_null: bool,
}

impl<'t> From<&'t Constraint> for ConstraintNode<'t> {
    fn from(constraint: &'t Constraint) -> ConstraintNode<'t> {
        ConstraintNode::new(&constraint.ty, constraint.defaults.as_ref())
    }
}

impl<'t> ConstraintNode<'t> {
    pub(crate) fn new(ty: &'t Type, defaults: Option<&'t Defaults>) -> ConstraintNode<'t> {
        ConstraintNode { ty, defaults, replaces_null: false }
    }

    /// Returns the defaults of the optional attributes of an object, by name.
    pub(crate) fn defaults(&self) -> impl Iterator<Item = (&'t str, &'t Typed)> {
        let defaults = self.defaults.into_iter().flat_map(Defaults::values);
        defaults.map(|(name, default)| (&**name, default))
    }

    /// Replaces missing and null attributes with their defaults.
    pub(crate) fn apply_defaults(&self, value: Typed) -> Typed {
        match self.defaults {
            Some(defaults) => defaults.apply(value),
            None => value,
        }
    }

    /// Returns the default of an attribute.
    pub(crate) fn default(&self, attribute: &str) -> Option<&'t Typed> {
        self.defaults.and_then(|it| it.values().get(attribute))
    }

    /// Returns the part for the elements of a list, set or map.
    pub(crate) fn element(&self) -> Option<ConstraintNode<'t>> {
        self.ty.element().map(|ty| self.nested(ty, ""))
    }

    /// Returns the part for an attribute or element; `None` if the type does not have it.
    pub(crate) fn child(&self, step: &Step) -> Option<ConstraintNode<'t>> {
        match (self.ty, step) {
            (Type::Object(attributes), Step::Attribute(name)) => {
                let node = self.nested(&attributes.get(name)?.ty, name);
                Some(ConstraintNode { replaces_null: self.default(name).is_some(), ..node })
            }
            (Type::Tuple(types), Step::Index(index)) => {
                types.get(*index).map(|ty| self.nested(ty, &index.to_string()))
            }
            (Type::List(_) | Type::Set(_), Step::Index(_))
            | (Type::Set(_), Step::Element(_))
            | (Type::Map(_), Step::Attribute(_) | Step::Key(_)) => self.element(),
            _ => None,
        }
    }

    fn nested(&self, ty: &'t Type, key: &str) -> ConstraintNode<'t> {
        ConstraintNode::new(ty, self.defaults.and_then(|it| it.children().get(key)))
    }
}
