//! What is compared otherwise than by its value.

use ferroform_value::{Object, Value};

use crate::planning::said;
use crate::planning::side::Mask;
use crate::schema::{Attribute, Block, NestedBlock};

/// The attributes and blocks with an equality of their own, or in which something has one, which may not show in what
/// they print.
pub(crate) struct Own<'a>(Vec<(usize, Part<'a>)>);

enum Part<'a> {
    Attribute(&'a Attribute),
    Nested(&'a str, &'a Block),
}

impl<'a> Own<'a> {
    pub(crate) fn of(block: &'a Block) -> Own<'a> {
        let attribute = |it: &'a Attribute| match &it.nested {
            _ if it.has_own_equality() => Some(Part::Attribute(it)),
            Some(nested) => has_own(&nested.block).then_some(Part::Nested(&it.name, &nested.block)),
            None => None,
        };
        let nested = |it: &'a NestedBlock| has_own(&it.block).then_some(Part::Nested(&it.name, &it.block));
        let parts = block.attributes.iter().map(attribute).chain(block.blocks.iter().map(nested));
        Own(parts.enumerate().filter_map(|(at, it)| Some((at, it?))).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mask that hides them too.
    pub(crate) fn hidden(&self, mask: &Mask) -> Mask {
        let mut hidden = mask.clone();
        for (at, _) in &self.0 {
            hidden.resize(hidden.len().max(at + 1), false);
            hidden[*at] = true;
        }
        hidden
    }

    /// True where what the mask shows of them means the same.
    pub(crate) fn same(&self, mask: &Mask, prior: &Value, config: &Object) -> bool {
        let null = Value::Null;
        self.0.iter().filter(|(at, _)| mask.get(*at) != Some(&true)).all(|(_, it)| {
            let name = match it {
                Part::Attribute(it) => &*it.name,
                Part::Nested(name, _) => *name,
            };
            let (prior, config) = (prior.attribute(name).unwrap_or(&null), config.get(name).unwrap_or(&null));
            match it {
                Part::Attribute(it) => it.same(prior, config),
                Part::Nested(_, block) => said::agree(block, config, prior),
            }
        })
    }
}

/// True where something in an object has an equality of its own.
pub(crate) fn has_own(block: &Block) -> bool {
    let has =
        |it: &Attribute| it.has_own_equality() || it.nested.as_ref().is_some_and(|it| has_own(&it.block));
    block.attributes.iter().any(has) || block.blocks.iter().any(|it| has_own(&it.block))
}
