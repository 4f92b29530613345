//! The attributes of a resource as a data source offers them: the provider sets all of them.
//!
//! | in the resource | in the data source |
//! |---|---|
//! | attribute of any mode | computed attribute, with its description, deprecation and sensitivity |
//! | nested attribute | computed nested attribute |
//! | nested block | computed nested attribute; in protocol 5, a computed attribute of the same type |
//! | write-only attribute, `timeouts` | omitted |

use super::{Attribute, Block, Member, Nested};

impl Block {
    /// The attributes as computed ones. Defaults, validators, plan modifiers and relations are dropped, because the
    /// configuration does not set the attributes.
    ///
    /// ```
    /// use ferroform_engine::schema::{Attribute, Block, Mode};
    /// use ferroform_engine::value::Type;
    ///
    /// let name = Attribute::raw("name", Type::String).requires_replace();
    /// let password = Attribute::raw("password", Type::String).write_only();
    /// let computed = Block::new().attribute(name).attribute(password).computed_attributes();
    /// assert_eq!(computed.len(), 1);
    /// assert_eq!(computed[0].mode(), Mode::Computed);
    /// ```
    pub fn computed_attributes(&self) -> Vec<Attribute> {
        let is_timeouts = |it: &Member<'_>| it.nested().is_some_and(|(_, it)| it.timeouts().is_some());
        let attribute =
            |member| match member {
                Member::Attribute(it) => (!it.write_only).then(|| computed(it)),
                Member::Block(it) => {
                    let nested = Nested::new(it.nesting, computed_block(&it.block));
                    let mut attribute = Attribute::raw_nested(it.name.clone(), nested).computed();
                    attribute.copied_block = true;
                    Some(attribute.description_of_kind(
                        it.block.full_description().to_owned(),
                        it.block.description_kind(),
                    ))
                }
            };
        self.members().filter(|it| !is_timeouts(it)).filter_map(attribute).collect()
    }
}

impl Attribute {
    /// True if it is a nested attribute that stands for a block of another schema. Protocol 5, which does not support
    /// nested attributes, gets an attribute of the same type instead.
    pub fn is_copied_block(&self) -> bool {
        self.copied_block
    }
}

fn computed_block(block: &Block) -> Block {
    Block::new()
        .description_of_kind(block.full_description().to_owned(), block.description_kind())
        .with_attributes(block.computed_attributes())
}

fn computed(it: &Attribute) -> Attribute {
    let attribute = match &it.nested {
        Some(nested) => {
            let nested = Nested::new(nested.nesting, computed_block(&nested.block));
            Attribute::raw_nested(it.name.clone(), nested)
        }
        None => Attribute::raw(it.name.clone(), it.ty().clone()),
    };
    let mut attribute = attribute.computed().description_of_kind(it.description.clone(), it.description_kind);
    attribute.sensitive = it.sensitive;
    match &it.behavior().deprecated {
        Some(message) => attribute.deprecated(message.clone()),
        None => attribute,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::schema::DescriptionKind;

    #[test]
    fn copies_of_nested_attributes_and_blocks_keep_plain_descriptions() {
        let disk = || Nested::list(Block::new().plain_description("A *disk*."));
        let outer = Nested::list(Block::new().block(Attribute::raw_nested("inner", disk())));
        let block = Block::new()
            .attribute(Attribute::raw_nested("nested", disk()))
            .block(Attribute::raw_nested("block", disk()))
            .block(Attribute::raw_nested("outer", outer));
        let copy = Arc::new(Block::new().with_attributes(block.computed_attributes()));
        for path in [&["nested"][..], &["block"], &["outer", "inner"]] {
            let descend = |at: Arc<Block>, name: &&str| at.get(name).unwrap().nested().unwrap().block.clone();
            let nested = path.iter().fold(copy.clone(), descend);
            assert_eq!(nested.description_kind(), DescriptionKind::Plain, "{path:?}");
        }
    }
}
