//! The attributes and nested blocks of an object.

use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::attribute::{Attribute, Nested, Nesting, Replace};
use super::relation::{Group, Relation, Together};
use crate::rule::Rule;
use crate::timeouts::Limits;

/// The attributes and nested blocks of an object, in the order in which they were declared.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The nested blocks: written without `=`, the older form of nested attributes.
    pub blocks: Vec<NestedBlock>,
    /// What it is for, in Markdown.
    pub description: String,
    /// What to use instead, where it is deprecated.
    pub deprecated: Option<String>,
    /// Attributes that the configuration sets together, or not.
    pub groups: Vec<Group>,
    /// True where it is an enum with data.
    pub(crate) is_choice: bool,
    /// The operations whose time is limited here, where this is what stands inside of timeouts.
    pub limits: Option<Limits>,
}

/// A block inside a block.
#[derive(Clone, Debug)]
pub struct NestedBlock {
    /// Its name.
    pub name: Arc<str>,
    /// One, or several as a list or a set.
    pub nesting: Nesting,
    /// What stands inside.
    pub block: Block,
    /// How many there must be at least.
    pub min_items: u64,
    /// How many there may be at most; 0 for any number.
    pub max_items: u64,
    /// When a change inside needs a new object.
    pub replace: Replace,
    /// What the whole must obey.
    pub rules: Vec<Rule<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// True where the author's type can do without it.
    pub nullable: bool,
    /// True where something was said of it that only an attribute can be.
    pub(crate) is_more: bool,
}

impl NestedBlock {
    /// The type of the block's value: an object, or a list or set of objects.
    pub fn ty(&self) -> Type {
        self.nesting.of(self.block.ty())
    }

    /// The value that stands for "no such block".
    pub fn absent(&self) -> Value {
        match self.nesting {
            Nesting::List => Value::List(Vec::new()),
            Nesting::Set => Value::set([]),
            Nesting::Single | Nesting::Map => Value::Null,
        }
    }
}

impl Block {
    /// A block without attributes.
    pub fn new() -> Block {
        Block::default()
    }

    /// Says what it is for, in Markdown.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Block {
        self.description = text.into();
        self
    }

    /// Warns who uses it, and says what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Block {
        self.deprecated = Some(instead.into());
        self
    }

    /// Adds an attribute.
    #[must_use]
    pub fn attribute(mut self, attribute: Attribute) -> Block {
        self.attributes.push(attribute);
        self
    }

    /// Says how these attributes go together in the configuration.
    #[must_use]
    pub fn together<N: Into<Arc<str>>>(
        mut self,
        together: Together,
        names: impl IntoIterator<Item = N>,
    ) -> Block {
        self.groups.push(Group { together, names: names.into_iter().map(Into::into).collect() });
        self
    }

    /// Exactly one of the attributes so far is set: what an enum with data is.
    #[must_use]
    pub fn choice(mut self) -> Block {
        self.is_choice = true;
        let names: Vec<_> = self.attributes.iter().map(|it| it.name.clone()).collect();
        self.together(Together::ExactlyOne, names)
    }

    /// Adds the attributes and blocks of another, as if they had been declared here.
    #[must_use]
    pub fn flatten(mut self, other: Block) -> Block {
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
        self.groups.extend(other.groups);
        self
    }

    /// Adds a nested block. The nesting follows the attribute's type: an object, or a list or set of such.
    #[must_use]
    pub fn block(mut self, attribute: Attribute) -> Block {
        let is_more = attribute.is_more_than_block();
        let Attribute { name, description, deprecated, min_items, max_items, .. } = attribute;
        let Attribute { replace, rules, relations, nullable, .. } = attribute;
        // What is no object is found and named by the check of the schema.
        let nested = attribute.nested.map_or_else(|| Nested::map(Block::new()), |it| *it);
        let block = Block { description, deprecated, ..nested.block };
        let nesting = nested.nesting;
        self.blocks.push(NestedBlock {
            name,
            nesting,
            block,
            min_items,
            max_items,
            replace,
            rules,
            relations,
            nullable: nullable || nesting != Nesting::Single,
            is_more,
        });
        self
    }

    /// The attribute of that name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|it| &*it.name == name)
    }

    /// The type of the object.
    pub fn ty(&self) -> Type {
        let attributes = self.attributes.iter().map(|it| (it.name.clone(), it.ty.clone()));
        let blocks = self.blocks.iter().map(|it| (it.name.clone(), it.ty()));
        Type::object(attributes.chain(blocks))
    }

    /// True where the provider writes something inside.
    pub fn holds_computed(&self) -> bool {
        self.attributes.iter().any(|it| it.mode.is_computed() || it.holds_computed())
            || self.blocks.iter().any(|it| it.block.holds_computed())
    }
}
