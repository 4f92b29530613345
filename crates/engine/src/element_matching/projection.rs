//! Projections: the parts of an object by which elements of sets are compared.
//!
//! The *inputs* of an object are the values that only the configuration can set: attributes that are not computed
//! or that have a default, and the same inside nested objects. Inputs are compared in their canonical form.
//!
//! Example: an object with the attributes `port` and `note` (optional), and `id` (computed).
//!
//! ```text
//! object                { port = 80, note = null, id = "1" }
//! projection of inputs  [Whole, Whole, Nothing]
//! key                   [80, null]
//! ```

use std::borrow::Cow;

use ferroform_value::{Object, Set, Value};

use crate::schema::{Attribute, Block, Member, Nesting};

/// The values that identify an element, in the order of the schema. Two keys are comparable if they are keys of the
/// same projection.
pub(crate) type Key<'a> = Vec<Cow<'a, Value>>;

/// The values that a projection contains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectionKind {
    /// The inputs.
    Inputs,
    /// The inputs without those that may keep a prior value. Semantic equality and `suppress_diff` make different
    /// values equal, so these cannot be compared by their values.
    ExactInputs,
    /// The same as `ExactInputs` with the values that the provider sets: for objects that were read or returned.
    ExactValues,
}

impl ProjectionKind {
    fn includes(self, member: Member<'_>) -> bool {
        match (self, member) {
            (ProjectionKind::Inputs, Member::Attribute(it)) => it.is_input(),
            (ProjectionKind::ExactInputs, Member::Attribute(it)) => {
                it.is_input() && !it.can_keep_prior_value()
            }
            (ProjectionKind::ExactValues, Member::Attribute(it)) => {
                !it.write_only && !it.can_keep_prior_value()
            }
            (_, Member::Block(it)) => self == ProjectionKind::ExactValues || !it.computed,
        }
    }
}

/// The values of an object that are compared.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Projection {
    Nothing,
    Whole,
    /// The projection of each member of an object. For a collection, it applies to each element.
    Members(Vec<Projection>),
    /// The parts of the elements of a list or map, in their order.
    Elements(Vec<Projection>),
}

impl Projection {
    /// The projection by which objects of the block are compared.
    pub(crate) fn of(block: &Block, kind: ProjectionKind) -> Projection {
        match block.facts().can_differ_from_configuration {
            true => Projection::without(block, kind, |_| false),
            false => Projection::Whole,
        }
    }

    /// The projection without the members for which `is_omitted` returns true. The argument is the index in
    /// [`Block::members`].
    pub(crate) fn without(
        block: &Block,
        kind: ProjectionKind,
        is_omitted: impl Fn(usize) -> bool,
    ) -> Projection {
        let part = |(at, member): (usize, Member<'_>)| match member.nested() {
            _ if is_omitted(at) || !kind.includes(member) => Projection::Nothing,
            Some((_, inside)) => Projection::of(inside, kind),
            None => Projection::Whole,
        };
        Projection::Members(block.members().enumerate().map(part).collect())
    }

    /// Everything that the configuration sets in an object: its inputs, and the optional and computed values that are
    /// configured. Nested sets are compared by their inputs.
    pub(super) fn configured(block: &Block, config: &Object) -> Projection {
        let part = |member: Member<'_>| match member {
            _ if is_left_to_provider(member, config) => Projection::Nothing,
            // Compared by `has_configured_values`.
            Member::Attribute(it) if it.can_keep_prior_value() => Projection::Nothing,
            _ => member.nested().map_or(Projection::Whole, |(nesting, block)| {
                Projection::configured_nested(nesting, block, config.get_or_null(member.name()))
            }),
        };
        Projection::Members(block.members().map(part).collect())
    }

    fn configured_nested(nesting: Nesting, block: &Block, config: &Value) -> Projection {
        let element = |it: &Value| Projection::configured_nested(Nesting::Single, block, it);
        match config {
            _ if nesting == Nesting::Set => Projection::of(block, ProjectionKind::ExactInputs),
            _ if !block.facts().can_differ_from_configuration => Projection::Whole,
            Value::Object(config) => Projection::configured(block, config),
            Value::List(it) => Projection::Elements(it.iter().map(element).collect()),
            Value::Map(it) => Projection::Elements(it.values().map(element).collect()),
            _ => Projection::Whole,
        }
    }

    /// For each member of the object, whether its part is not wholly known; `None` if all parts are known.
    pub(super) fn unknown_members(&self, block: &Block, object: &Object) -> Option<Vec<bool>> {
        let Projection::Members(parts) = self else { return None };
        if object.values().all(Value::is_wholly_known) {
            return None;
        }
        let is_unknown = |(part, member): (&Projection, Member<'_>)| part.has_unknown_member(member, object);
        let unknown: Vec<bool> = parts.iter().zip(block.members()).map(is_unknown).collect();
        unknown.contains(&true).then_some(unknown)
    }

    fn has_unknown_member(&self, member: Member<'_>, object: &Object) -> bool {
        let value = object.get_or_null(member.name());
        match member.nested() {
            Some((_, block)) => self.has_unknown(block, value),
            None => *self != Projection::Nothing && !value.is_wholly_known(),
        }
    }

    /// True if the projection of a nested value can change once everything is known. Elements of a set may turn out to be
    /// equal, so the number of elements is unknown if an element has an unknown value, even one that the projection omits.
    fn has_unknown(&self, block: &Block, value: &Value) -> bool {
        match (self, value) {
            (Projection::Nothing, _) => false,
            _ if value.is_wholly_known() => false,
            (Projection::Members(parts), Value::Object(object)) => parts
                .iter()
                .zip(block.members())
                .any(|(part, member)| part.has_unknown_member(member, object)),
            (Projection::Members(_), Value::Set(it)) if it.len() > 1 => true,
            (Projection::Members(_), Value::List(_) | Value::Set(_) | Value::Map(_)) => {
                value.elements().any(|it| self.has_unknown(block, it))
            }
            _ => true,
        }
    }

    /// The key of an element.
    pub(crate) fn key<'a>(&self, block: &Block, element: &'a Value) -> Key<'a> {
        match (self, element) {
            (Projection::Members(parts), Value::Object(object)) => {
                let parts = parts.iter().zip(block.members());
                let parts = parts.filter(|(part, _)| **part != Projection::Nothing);
                parts.map(|(part, member)| part.member(member, object)).collect()
            }
            (Projection::Whole, _) => vec![Cow::Borrowed(element)],
            _ => Key::new(),
        }
    }

    fn member<'a>(&self, member: Member<'_>, object: &'a Object) -> Cow<'a, Value> {
        let value = object.get_or_null(member.name());
        match member {
            Member::Attribute(it @ Attribute { nested: None, .. }) => it.canonical(value),
            _ => member.nested().map_or(Cow::Borrowed(value), |(_, block)| self.nested(block, value)),
        }
    }

    /// The part of a nested object, or of the nested objects of a collection, at every depth.
    fn nested<'a>(&self, block: &Block, value: &'a Value) -> Cow<'a, Value> {
        let inside = |it: &Value| self.nested(block, it).into_owned();
        let element = |(part, it): (&Projection, &Value)| part.nested(block, it).into_owned();
        Cow::Owned(match (self, value) {
            (Projection::Members(_), Value::Object(_)) => {
                Value::List(self.key(block, value).into_iter().map(Cow::into_owned).collect())
            }
            // Elements that differ only in computed values are not merged.
            (Projection::Members(_), Value::Set(it)) => {
                Value::Set(Set::with_duplicates(it.iter().map(inside).collect()))
            }
            (Projection::Members(_), _) => value.map_elements(|_, it| inside(it)),
            (Projection::Elements(parts), Value::List(it)) if parts.len() == it.len() => {
                Value::List(parts.iter().zip(it).map(element).collect())
            }
            (Projection::Elements(parts), Value::Map(it)) if parts.len() == it.len() => {
                let elements = parts.iter().zip(it.values()).map(element);
                Value::Map(it.keys().cloned().zip(elements).collect())
            }
            _ => return Cow::Borrowed(value),
        })
    }
}

/// True if the configuration leaves the member to the provider. Write-only values are never stored, so they count as
/// left to the provider.
pub(super) fn is_left_to_provider(member: Member<'_>, config: &Object) -> bool {
    let value = config.get_or_null(member.name());
    match member {
        Member::Attribute(it) => it.write_only || !it.is_input() && value.is_null(),
        Member::Block(it) => it.computed && it.is_absent(value),
    }
}
