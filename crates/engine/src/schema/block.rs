//! The attributes and nested blocks of an object.

use std::sync::Arc;

use ferroform_value::{Path, Step, Type, Value};

use super::attribute::Attribute;
use super::behaviour::Behaviour;
use super::description::DescriptionKind;
use super::facts::FactsCell;
use super::relation::{Group, Others, Relation, Together};
use super::terms::{Keep, Mode, Nesting, Replace};
use crate::timeouts::Limits;
use crate::validator::Validator;

/// The attributes and nested blocks of an object, in the order in which they were declared.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The nested blocks: written without `=`, the older form of nested attributes.
    pub blocks: Vec<NestedBlock>,
    /// What it is for.
    pub description: String,
    /// Whether the description is Markdown.
    pub description_kind: DescriptionKind,
    /// What to use instead, where it is deprecated.
    pub deprecated: Option<String>,
    /// Attributes that the configuration sets together, or not.
    pub groups: Vec<Group>,
    /// What each object as a whole must obey, as it stands in the configuration.
    pub rules: Vec<Validator<Value>>,
    /// True where it is an enum with data.
    pub is_choice: bool,
    /// The operations whose time is limited here, where this is what stands inside of timeouts.
    pub limits: Option<Limits>,
    /// What planning has found out about it.
    pub(crate) facts: FactsCell,
}

/// A block inside a block.
#[derive(Clone, Debug)]
pub struct NestedBlock {
    /// Its name.
    pub name: Arc<str>,
    /// One, or several as a list or a set, or by their labels.
    pub nesting: Nesting,
    /// What stands inside.
    pub block: Block,
    /// How many there must be at least.
    pub min_items: u64,
    /// How many there may be at most; 0 for any number.
    pub max_items: u64,
    /// True where the provider makes the objects that the configuration leaves out. A host before Terraform 1.16
    /// cannot do without them: there the configuration has to say them.
    pub computed: bool,
    /// What becomes of what the provider made when something else changes.
    pub keep: Keep,
    /// When a change inside needs a new object.
    pub replace: Replace,
    /// What the whole must obey.
    pub rules: Vec<Validator<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// True where the author's type can do without it.
    pub nullable: bool,
    /// What was said of it that a block cannot be.
    pub refused: Vec<&'static str>,
}

/// The objects inside an attribute.
#[derive(Clone, Debug)]
pub struct Nested {
    /// One, or several, and how.
    pub nesting: Nesting,
    /// What stands inside.
    pub block: Block,
}

impl Nested {
    /// One object.
    pub fn single(block: Block) -> Nested {
        Nested { nesting: Nesting::Single, block }
    }

    /// A list of objects.
    pub fn list(block: Block) -> Nested {
        Nested { nesting: Nesting::List, block }
    }

    /// A set of objects.
    pub fn set(block: Block) -> Nested {
        Nested { nesting: Nesting::Set, block }
    }

    /// A map of objects.
    pub fn map(block: Block) -> Nested {
        Nested { nesting: Nesting::Map, block }
    }
}

/// What a schema has at a place.
#[derive(Clone, Copy, Debug)]
pub enum Member<'a> {
    /// An attribute.
    Attribute(&'a Attribute),
    /// A nested block.
    Block(&'a NestedBlock),
}

impl NestedBlock {
    /// The type of the block's value: an object, or a list, set or map of objects.
    pub fn ty(&self) -> Type {
        self.nesting.of(self.block.ty())
    }

    /// The value that stands for "no such block".
    pub fn absent(&self) -> Value {
        match self.nesting {
            Nesting::List => Value::List(Vec::new()),
            Nesting::Set => Value::set([]),
            Nesting::Map => Value::map::<&str>([]),
            Nesting::Single => Value::Null,
        }
    }

    /// True for the value of a block that the configuration leaves out.
    pub fn is_absent(&self, value: &Value) -> bool {
        value.is_null() || *value == self.absent()
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
        self.description_kind = DescriptionKind::Markdown;
        self
    }

    /// Says what it is for, in plain text: what looks like Markdown is none.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Block {
        let mut made = self.description(text);
        made.description_kind = DescriptionKind::Plain;
        made
    }

    /// Warns who uses it, and says what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Block {
        self.deprecated = Some(instead.into());
        self
    }

    /// Adds an attribute.
    #[inline]
    #[must_use]
    pub fn attribute(mut self, attribute: Attribute) -> Block {
        self.attributes.push(attribute);
        self
    }

    /// Adds several attributes, in their order.
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block};
    /// use ferroform::value::Type;
    ///
    /// let ports = (1..=8).map(|i| Attribute::raw(format!("port_{i}"), Type::Number).optional());
    /// assert_eq!(Block::new().attributes(ports).attributes.len(), 8);
    /// ```
    #[must_use]
    pub fn attributes(mut self, attributes: impl IntoIterator<Item = Attribute>) -> Block {
        self.attributes.extend(attributes);
        self
    }

    /// Exactly one of the attributes so far is set: what an enum with data is.
    #[must_use]
    pub fn choice(mut self) -> Block {
        self.is_choice = true;
        let names: Vec<_> = self.attributes.iter().map(|it| it.name.clone()).collect();
        self.together(Together::ExactlyOne, names)
    }

    /// Says how these attributes go together in the configuration.
    #[must_use]
    pub fn together<N: Into<Arc<str>>>(
        self,
        together: Together,
        names: impl IntoIterator<Item = N>,
    ) -> Block {
        self.together_with(together, Others::siblings(names))
    }

    /// Says how these attributes go together in the configuration, be they here or elsewhere.
    #[must_use]
    pub fn together_with(mut self, together: Together, members: Others) -> Block {
        self.groups.push(Group { together, members });
        self
    }

    /// Adds the attributes and blocks of another, as if they had been declared here.
    #[must_use]
    pub fn flatten(mut self, other: Block) -> Block {
        if !other.rules.is_empty() {
            let names = other.attributes.iter().map(|it| it.name.clone());
            let names: Arc<[_]> = names.chain(other.blocks.iter().map(|it| it.name.clone())).collect();
            // They judge its objects, which are a part of those here.
            let ty = other.ty();
            self.rules.extend(other.rules.into_iter().map(|it| it.of_part(names.clone(), &ty)));
        }
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
        self.groups.extend(other.groups);
        self
    }

    /// Adds a nested block. The nesting follows the attribute's type: an object, or a list, set or map of such,
    /// of which a map takes its keys from labels. A required object is a block that must be there.
    #[must_use]
    pub fn block(mut self, attribute: Attribute) -> Block {
        let misused = [
            (attribute.nested.is_none(), "a block is a model, or a list, set or map of models"),
            (attribute.sensitive, "a block is not sensitive: say it of its attributes"),
            (attribute.write_only, "a block is not write-only: say it of its attributes"),
            (attribute.behaviour().default.is_some(), "a block has no default: say it of its attributes"),
            (
                attribute.is_more_than_block(),
                "a block has no behaviour of its own: say it in the attributes inside",
            ),
            (
                attribute.mode == Mode::Computed,
                "a configuration can always hold a block: one that the provider writes is optional and computed",
            ),
        ];
        let Behaviour { deprecated, keep, replace, rules, relations, min_items, max_items, .. } =
            attribute.behaviour().clone();
        let Attribute { name, mode, .. } = attribute;
        // What is no object is found and named by the check of the schema.
        let nested = attribute.nested.map_or_else(|| Nested::map(Block::new()), |it| *it);
        let nesting = nested.nesting;
        let block = match attribute.description.as_str() {
            "" => nested.block,
            _ => Block {
                description: attribute.description,
                description_kind: attribute.description_kind,
                ..nested.block
            },
        };
        let is_one = nesting == Nesting::Single && mode == Mode::Required;
        self.blocks.push(NestedBlock {
            name,
            nesting,
            min_items: if is_one { 1 } else { min_items },
            max_items: if is_one { 1 } else { max_items },
            computed: mode == Mode::OptionalComputed,
            nullable: attribute.nullable || nesting != Nesting::Single,
            keep,
            block: Block { deprecated: deprecated.or(block.deprecated), ..block },
            replace,
            rules,
            relations,
            refused: misused.into_iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what).collect(),
        });
        self
    }

    /// The attribute of that name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|it| &*it.name == name)
    }

    /// What the schema has at a place; none where there is nothing of its own, such as inside a map of strings.
    ///
    /// ```
    /// use ferroform::path;
    /// use ferroform::schema::{Attribute, AttributeExt as _, Block, Member, Nested};
    ///
    /// let disk = Block::new().attribute(Attribute::of::<u64>("size"));
    /// let machine = Block::new().attribute(Attribute::raw_nested("disks", Nested::list(disk)));
    /// assert!(matches!(machine.at(&path!(disks[2].size)), Some(Member::Attribute(it)) if &*it.name == "size"));
    /// assert!(machine.at(&path!(disks[2])).is_none());
    /// ```
    pub fn at(&self, place: &Path) -> Option<Member<'_>> {
        let (first, rest) = place.steps().split_first()?;
        let Step::Attribute(name) = first else { return None };
        let block = self.blocks.iter().find(|it| it.name == *name);
        let member = self.get(name).map(Member::Attribute).or(block.map(Member::Block))?;
        if rest.is_empty() {
            return Some(member);
        }
        // Into an element, where there are several.
        let rest = rest.iter().skip_while(|it| !matches!(it, Step::Attribute(_))).cloned().collect();
        match member {
            Member::Attribute(it) => it.nested.as_ref()?.block.at(&rest),
            Member::Block(it) => it.block.at(&rest),
        }
    }

    /// The object of a value that Terraform sent: null becomes an object whose attributes are all null.
    pub fn object_of(&self, value: &Value) -> Value {
        if let Value::Object(_) = value {
            return value.clone();
        }
        let attributes = self.attributes.iter().map(|it| (it.name.clone(), Value::Null));
        let blocks = self.blocks.iter().map(|it| (it.name.clone(), it.absent()));
        Value::Object(attributes.chain(blocks).collect())
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
            || self.blocks.iter().any(|it| it.computed || it.block.holds_computed())
    }
}
