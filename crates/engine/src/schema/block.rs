//! Blocks: the attributes and nested blocks of an object.
//!
//! A nested attribute is configured with `disks = [{ size = 1 }]`, and a nested block with `disk { size = 1 }`. Blocks
//! are the older form. They are kept for compatibility with existing providers, and protocol 5 does not support nested
//! attributes.

use std::sync::Arc;

use ferroform_value::{Path, Step, Type, Value};

use super::attribute::Attribute;
use super::behavior::Behavior;
use super::description::DescriptionKind;
use super::facts::BlockCache;
use super::modes::{Keep, Mode, Nesting, Replace};
use super::relation::{Group, GroupRule, RelatedAttributes, Relation};
use crate::timeouts::TimeoutDefaults;
use crate::validator::Validator;

/// The attributes and nested blocks of an object, in the order of their declaration.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Block {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The nested blocks.
    pub blocks: Vec<NestedBlock>,
    /// The description.
    pub description: String,
    /// The format of the description.
    pub description_kind: DescriptionKind,
    /// The deprecation message, if it is deprecated.
    pub deprecated: Option<String>,
    /// Groups of attributes that the configuration must or must not set together.
    pub groups: Vec<Group>,
    /// The validators of each configured object as a whole.
    pub validators: Vec<Validator<Value>>,
    /// True if it represents a Rust enum with data: exactly one of its attributes is set.
    pub is_choice: bool,
    /// The operations with timeouts and their defaults, if it is the block inside `timeouts`.
    pub timeouts: Option<TimeoutDefaults>,
    /// The type of the object and facts that planning needs at every object, computed once.
    pub(crate) cache: BlockCache,
}

/// A nested block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NestedBlock {
    /// The name.
    pub name: Arc<str>,
    /// How its objects are nested.
    pub nesting: Nesting,
    /// The block of each object.
    pub block: Arc<Block>,
    /// The minimum number of blocks.
    pub min_items: u64,
    /// The maximum number of blocks; 0 if there is no maximum.
    pub max_items: u64,
    /// True if the provider may set the block when the configuration omits it. Terraform before 1.16 does not support
    /// that: with it, the configuration must contain the block.
    pub computed: bool,
    /// The prior value that a plan keeps if the configuration omits the block.
    pub keep: Keep,
    /// When a change of the block requires replacement.
    pub replace: Replace,
    /// The validators of the block.
    pub validators: Vec<Validator<Value>>,
    /// Relations to other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// True if the Rust type of the field accepts an absent block.
    pub nullable: bool,
    /// Options of the attribute that a block does not support; the check of the schema reports them.
    pub invalid_options: Vec<&'static str>,
}

/// The nested objects of an attribute.
///
/// Several attributes and nested blocks can share one block. In a large schema that is built at run time, this saves
/// memory and time.
///
/// ```
/// use std::sync::Arc;
///
/// use ferroform::schema::{Attribute, Block, Nested};
/// use ferroform::value::Type;
///
/// let header = Arc::new(Block::new().attribute(Attribute::raw("name", Type::String)));
/// let rule = Block::new().nested_blocks(["request_header", "response_header"].map(|name| {
///     Attribute::raw_nested(name, Nested::list(header.clone()))
/// }));
/// assert!(Arc::ptr_eq(&rule.blocks[0].block, &rule.blocks[1].block));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Nested {
    /// How the objects are nested.
    pub nesting: Nesting,
    /// The block of each object.
    pub block: Arc<Block>,
}

impl Nested {
    /// Objects with this nesting.
    pub fn new(nesting: Nesting, block: impl Into<Arc<Block>>) -> Nested {
        Nested { nesting, block: block.into() }
    }

    /// A single object.
    pub fn single(block: impl Into<Arc<Block>>) -> Nested {
        Nested::new(Nesting::Single, block)
    }

    /// A list of objects.
    pub fn list(block: impl Into<Arc<Block>>) -> Nested {
        Nested::new(Nesting::List, block)
    }

    /// A set of objects.
    pub fn set(block: impl Into<Arc<Block>>) -> Nested {
        Nested::new(Nesting::Set, block)
    }

    /// A map of objects.
    pub fn map(block: impl Into<Arc<Block>>) -> Nested {
        Nested::new(Nesting::Map, block)
    }
}

/// An attribute or a nested block of a block.
///
/// The enum is exhaustive: a block consists of attributes and nested blocks.
#[derive(Clone, Copy, Debug)]
pub enum Member<'a> {
    /// An attribute.
    Attribute(&'a Attribute),
    /// A nested block.
    Block(&'a NestedBlock),
}

impl<'a> Member<'a> {
    /// The name of the attribute, or the block type.
    pub fn name(self) -> &'a Arc<str> {
        match self {
            Member::Attribute(it) => &it.name,
            Member::Block(it) => &it.name,
        }
    }

    /// The nesting mode and the schema of the nested objects; `None` for an attribute without nested objects.
    pub fn nested(self) -> Option<(Nesting, &'a Arc<Block>)> {
        match self {
            Member::Attribute(it) => it.nested.as_deref().map(|it| (it.nesting, &it.block)),
            Member::Block(it) => Some((it.nesting, &it.block)),
        }
    }

    /// The value if the configuration omits it: null for an attribute, null or an empty collection for a block.
    pub fn absent_value(self) -> Value {
        match self {
            Member::Attribute(_) => Value::Null,
            Member::Block(it) => it.absent(),
        }
    }
}

impl NestedBlock {
    /// The type of the block's value: an object, or a list, set or map of objects.
    pub fn ty(&self) -> Type {
        self.nesting.of(self.block.ty())
    }

    /// The nested block that an attribute of nested objects describes.
    fn of(mut attribute: Attribute) -> NestedBlock {
        let invalid_options = [
            (attribute.nested.is_none(), "a block must be a model, or a list, set or map of models"),
            (attribute.sensitive, "a block cannot be sensitive; mark its attributes as sensitive"),
            (attribute.write_only, "a block cannot be write-only; mark its attributes as write-only"),
            (
                attribute.behavior().default.is_some(),
                "a block cannot have a default; add defaults to its attributes",
            ),
            (
                attribute.has_option_unsupported_by_blocks(),
                "a block does not support this option; add it to the attributes of the block",
            ),
            (
                attribute.mode == Mode::Computed,
                "a block cannot be computed-only; make it optional and computed",
            ),
        ];
        let behavior = attribute.take_behavior();
        let Behavior { deprecated, keep, replace, validators, relations, min_items, max_items, .. } =
            behavior;
        let Attribute { name, mode, .. } = attribute;
        // The check of the schema reports an attribute without nested objects.
        let Nested { nesting, mut block } =
            attribute.nested.map_or_else(|| Nested::map(Block::new()), |it| *it);
        if !attribute.description.is_empty() {
            let block = Arc::make_mut(&mut block);
            block.description = attribute.description;
            block.description_kind = attribute.description_kind;
        }
        if deprecated.is_some() {
            Arc::make_mut(&mut block).deprecated = deprecated;
        }
        let is_required = nesting == Nesting::Single && mode == Mode::Required;
        NestedBlock {
            name,
            nesting,
            min_items: if is_required { 1 } else { min_items },
            max_items: if is_required { 1 } else { max_items },
            computed: mode == Mode::OptionalComputed,
            nullable: attribute.nullable || nesting != Nesting::Single,
            keep,
            block,
            replace,
            validators,
            relations,
            invalid_options: invalid_options
                .into_iter()
                .filter(|(is_used, _)| *is_used)
                .map(|(_, message)| message)
                .collect(),
        }
    }

    /// The value of an omitted block: null, or an empty collection.
    pub fn absent(&self) -> Value {
        match self.nesting {
            Nesting::List => Value::List(Vec::new()),
            Nesting::Set => Value::set([]),
            Nesting::Map => Value::map::<&str>([]),
            Nesting::Single => Value::Null,
        }
    }

    /// True if the value is that of an omitted block.
    pub fn is_absent(&self, value: &Value) -> bool {
        value.is_null() || *value == self.absent()
    }
}

impl Block {
    /// A block without attributes.
    pub fn new() -> Block {
        Block::default()
    }

    /// Sets the description, in Markdown.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Block {
        self.description = text.into();
        self.description_kind = DescriptionKind::Markdown;
        self
    }

    /// Sets the description, in plain text.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Block {
        let mut block = self.description(text);
        block.description_kind = DescriptionKind::Plain;
        block
    }

    /// Deprecates it: a configuration that uses it gets a warning with this message.
    #[must_use]
    pub fn deprecated(mut self, message: impl Into<String>) -> Block {
        self.deprecated = Some(message.into());
        self
    }

    /// Adds an attribute.
    #[inline]
    #[must_use]
    pub fn attribute(mut self, attribute: Attribute) -> Block {
        self.attributes.push(attribute);
        self.cache = BlockCache::default();
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
        self.cache = BlockCache::default();
        self
    }

    /// Declares that exactly one of the attributes added so far is set, as in a Rust enum with data.
    #[must_use]
    pub fn choice(mut self) -> Block {
        self.is_choice = true;
        let names: Vec<_> = self.attributes.iter().map(|it| it.name.clone()).collect();
        self.group(GroupRule::ExactlyOne, names)
    }

    /// Adds a group of attributes that the configuration must or must not set together.
    #[must_use]
    pub fn group<N: Into<Arc<str>>>(self, rule: GroupRule, names: impl IntoIterator<Item = N>) -> Block {
        self.group_with(rule, RelatedAttributes::siblings(names))
    }

    /// Adds a group of attributes of this object and of other objects.
    #[must_use]
    pub fn group_with(mut self, rule: GroupRule, members: RelatedAttributes) -> Block {
        self.groups.push(Group { rule, members });
        self
    }

    /// Adds the attributes, blocks, groups and validators of another block, as if they were declared here.
    #[must_use]
    pub fn flatten(mut self, other: Block) -> Block {
        if !other.validators.is_empty() {
            let names = other.attributes.iter().map(|it| it.name.clone());
            let names: Arc<[_]> = names.chain(other.blocks.iter().map(|it| it.name.clone())).collect();
            // The validators receive only the attributes of the other block.
            let ty = other.ty();
            self.validators
                .extend(other.validators.into_iter().map(|it| it.for_attributes(names.clone(), &ty)));
        }
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
        self.groups.extend(other.groups);
        self.cache = BlockCache::default();
        self
    }

    /// Adds a nested block, described by an attribute of nested objects. The nesting of the attribute becomes that of
    /// the block; a map takes its keys from the labels of the blocks. A required single object becomes a required
    /// block.
    #[must_use]
    pub fn block(mut self, attribute: Attribute) -> Block {
        self.blocks.push(NestedBlock::of(attribute));
        self.cache = BlockCache::default();
        self
    }

    /// Adds several nested blocks, in their order; see [`block`](Block::block).
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block, Nested};
    ///
    /// let disks = ["system", "data"].map(|name| Attribute::raw_nested(name, Nested::list(Block::new())));
    /// assert_eq!(Block::new().nested_blocks(disks).blocks.len(), 2);
    /// ```
    #[must_use]
    pub fn nested_blocks(mut self, attributes: impl IntoIterator<Item = Attribute>) -> Block {
        self.blocks.extend(attributes.into_iter().map(NestedBlock::of));
        self.cache = BlockCache::default();
        self
    }

    /// The attribute with this name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|it| &*it.name == name)
    }

    /// The attributes, followed by the nested blocks.
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.attributes.iter().map(Member::Attribute).chain(self.blocks.iter().map(Member::Block))
    }

    /// The attribute or nested block with this name.
    pub fn member(&self, name: &str) -> Option<Member<'_>> {
        self.members().find(|it| **it.name() == *name)
    }

    /// The attribute or block at a path; `None` for an element and for a path inside a value, such as a map of strings.
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
    pub fn at(&self, path: &Path) -> Option<Member<'_>> {
        let (first, rest) = path.steps().split_first()?;
        let Step::Attribute(name) = first else { return None };
        let member = self.member(name)?;
        if rest.is_empty() {
            return Some(member);
        }
        // The steps to an element of a collection are skipped.
        let rest = rest.iter().skip_while(|it| !matches!(it, Step::Attribute(_))).cloned().collect();
        member.nested()?.1.at(&rest)
    }

    /// The value if it is an object, otherwise an object whose attributes are all null and whose blocks are all absent.
    pub fn object_of(&self, value: &Value) -> Value {
        if let Value::Object(_) = value {
            return value.clone();
        }
        Value::Object(self.members().map(|it| (it.name().clone(), it.absent_value())).collect())
    }

    /// The type of the object. It is computed at the first call, and again after a method has added an attribute or a
    /// block. Do not change the fields of the block after the first call, but those of a clone.
    pub fn ty(&self) -> Type {
        let compute = || {
            let attributes = self.attributes.iter().map(|it| (it.name.clone(), it.ty().clone()));
            let blocks = self.blocks.iter().map(|it| (it.name.clone(), it.ty()));
            Type::object(attributes.chain(blocks))
        };
        self.cache.ty.get_or_init(compute).clone()
    }

    /// True if a value inside is sensitive or write-only. Unlike the facts about the block, it can be called while the
    /// schema is under construction.
    pub(super) fn has_sensitive_inside(&self) -> bool {
        let is_sensitive = |it: &Attribute| {
            let nested = it.nested.as_ref();
            it.sensitive || it.write_only || nested.is_some_and(|it| it.block.has_sensitive_inside())
        };
        self.attributes.iter().any(is_sensitive)
            || self.blocks.iter().any(|it| it.block.has_sensitive_inside())
    }

    /// True if the provider may set a value inside.
    pub fn has_computed_inside(&self) -> bool {
        self.attributes.iter().any(|it| it.mode.is_computed() || it.has_computed_inside())
            || self.blocks.iter().any(|it| it.computed || it.block.has_computed_inside())
    }
}
