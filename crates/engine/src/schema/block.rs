//! Blocks: the attributes and nested blocks of an object.
//!
//! A nested attribute is configured with `disks = [{ size = 1 }]`, and a nested block with `disk { size = 1 }`. Blocks
//! are the older form. They are kept for compatibility with existing providers, and protocol 5 does not support nested
//! attributes.

use std::fmt;
use std::sync::{Arc, OnceLock};

use ferroform_value::{Path, Step, Type, Value};

use super::attribute::Attribute;
use super::behavior::Behavior;
use super::description::DescriptionKind;
use super::facts::BlockFacts;
use super::modes::{Mode, Nesting};
use super::relation::{Group, GroupRule, RelatedAttributes};
use crate::timeouts::TimeoutDefaults;
use crate::validator::Validator;

/// The schema of an object: its attributes and nested blocks, in the order of their declaration.
///
/// A block is immutable, so that its type and other derived properties need to be computed only once. A method that
/// adds something takes the block and returns a new one.
#[derive(Clone, Default)]
pub struct Block {
    definition: BlockDefinition,
    facts: OnceLock<Box<BlockFacts>>,
    /// The types of an attribute with this block, for each nesting.
    types: [OnceLock<Type>; 4],
}

/// The part of a [`Block`] that its methods change.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockDefinition {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) blocks: Vec<NestedBlock>,
    pub(crate) description: String,
    pub(crate) description_kind: DescriptionKind,
    pub(crate) deprecated: Option<String>,
    pub(crate) groups: Vec<Group>,
    pub(crate) validators: Vec<Validator<Value>>,
    pub(crate) is_choice: bool,
    pub(crate) timeouts: Option<TimeoutDefaults>,
}

/// A nested block.
#[derive(Clone, Debug)]
pub struct NestedBlock {
    pub(crate) name: Arc<str>,
    pub(crate) nesting: Nesting,
    pub(crate) block: Arc<Block>,
    pub(crate) min_items: u64,
    pub(crate) max_items: u64,
    pub(crate) computed: bool,
    pub(crate) nullable: bool,
    /// The attribute that describes the block, without its description.
    pub(crate) attribute: Attribute,
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
/// assert!(Arc::ptr_eq(rule.blocks()[0].block(), rule.blocks()[1].block()));
/// ```
#[derive(Clone, Debug)]
pub struct Nested {
    pub(crate) nesting: Nesting,
    pub(crate) block: Arc<Block>,
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

    /// How the objects are nested.
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// The block of each object.
    pub fn block(&self) -> &Arc<Block> {
        &self.block
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

    /// The type.
    pub fn ty(self) -> &'a Type {
        match self {
            Member::Attribute(it) => it.ty(),
            Member::Block(it) => it.ty(),
        }
    }

    /// The nesting mode and the schema of the nested objects; `None` for an attribute without nested objects.
    pub fn nested(self) -> Option<(Nesting, &'a Arc<Block>)> {
        match self {
            Member::Attribute(it) => it.nested.as_deref().map(|it| (it.nesting, &it.block)),
            Member::Block(it) => Some((it.nesting, &it.block)),
        }
    }

    /// The behaviors.
    pub fn behavior(self) -> &'a Behavior {
        match self {
            Member::Attribute(it) => it.behavior(),
            Member::Block(it) => it.behavior(),
        }
    }

    /// True if the provider can set the value, not only the configuration or a default.
    pub fn can_be_set_by_provider(self) -> bool {
        match self {
            Member::Attribute(it) => it.can_be_set_by_provider(),
            Member::Block(it) => it.computed,
        }
    }

    /// True if messages must not contain the value, because the attribute is sensitive or write-only.
    pub fn is_masked(self) -> bool {
        matches!(self, Member::Attribute(it) if it.sensitive || it.write_only)
    }

    /// True if the value is null, or that of an omitted block.
    pub fn is_absent(self, value: &Value) -> bool {
        match self {
            Member::Attribute(_) => value.is_null(),
            Member::Block(it) => it.is_absent(value),
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
    /// The name.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// How its objects are nested.
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// The block of each object.
    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// The minimum number of blocks.
    pub fn min_items(&self) -> u64 {
        self.min_items
    }

    /// The maximum number of blocks; 0 if there is no maximum.
    pub fn max_items(&self) -> u64 {
        self.max_items
    }

    /// True if the provider may set the block when the configuration omits it. Terraform before 1.16 does not support
    /// that: with it, the configuration must contain the block.
    pub fn is_computed(&self) -> bool {
        self.computed
    }

    /// True if the Rust type of the field accepts an absent block.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// The type of the block's value: an object, or a list, set or map of objects.
    pub fn ty(&self) -> &Type {
        self.block.nested_type(self.nesting)
    }

    /// The behaviors.
    pub fn behavior(&self) -> &Behavior {
        self.attribute.behavior()
    }

    /// The nested block that an attribute of nested objects describes.
    fn of(mut attribute: Attribute) -> NestedBlock {
        // The check of the schema reports an attribute without nested objects.
        let has_nested_objects = attribute.nested.is_some();
        let nested = attribute.nested.take();
        let Nested { nesting, mut block } = nested.map_or_else(|| Nested::map(Block::new()), |it| *it);
        let deprecated = attribute.behavior().deprecated.clone();
        if !attribute.description.is_empty() || deprecated.is_some() {
            block = Arc::new(Arc::unwrap_or_clone(block).with(|it| {
                if !attribute.description.is_empty() {
                    it.description = std::mem::take(&mut attribute.description);
                    it.description_kind = attribute.description_kind;
                }
                it.deprecated = deprecated.or(it.deprecated.take());
            }));
        }
        attribute.nested = has_nested_objects.then(|| Box::new(Nested { nesting, block: block.clone() }));
        let is_required = nesting == Nesting::Single && attribute.mode == Mode::Required;
        NestedBlock {
            name: attribute.name.clone(),
            nesting,
            block,
            min_items: if is_required { 1 } else { attribute.behavior().min_items },
            max_items: if is_required { 1 } else { attribute.behavior().max_items },
            computed: attribute.mode == Mode::OptionalComputed,
            nullable: attribute.nullable || nesting != Nesting::Single,
            attribute,
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

impl From<BlockDefinition> for Block {
    fn from(definition: BlockDefinition) -> Block {
        Block { definition, ..Block::default() }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.definition.fmt(f)
    }
}

impl Block {
    /// A block without attributes.
    pub fn new() -> Block {
        Block::default()
    }

    /// The block with a changed definition.
    #[must_use]
    pub(crate) fn with(self, change: impl FnOnce(&mut BlockDefinition)) -> Block {
        let mut definition = self.definition;
        change(&mut definition);
        Block::from(definition)
    }

    /// Sets the description, in Markdown.
    #[must_use]
    pub fn description(self, text: impl Into<String>) -> Block {
        self.description_of_kind(text.into(), DescriptionKind::Markdown)
    }

    /// Sets the description, in plain text.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Block {
        self.description_of_kind(text.into(), DescriptionKind::Plain)
    }

    /// Sets the description and its format.
    #[must_use]
    pub fn description_of_kind(self, text: String, kind: DescriptionKind) -> Block {
        self.with(|it| (it.description, it.description_kind) = (text, kind))
    }

    /// Deprecates it: a configuration that uses it gets a warning with this message.
    #[must_use]
    pub fn deprecated(self, message: impl Into<String>) -> Block {
        self.with(|it| it.deprecated = Some(message.into()))
    }

    /// Adds an attribute.
    #[inline]
    #[must_use]
    pub fn attribute(self, attribute: Attribute) -> Block {
        self.with(|it| it.attributes.push(attribute))
    }

    /// Adds several attributes, in their order.
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block};
    /// use ferroform::value::Type;
    ///
    /// let ports = (1..=8).map(|i| Attribute::raw(format!("port_{i}"), Type::Number).optional());
    /// assert_eq!(Block::new().with_attributes(ports).attributes().len(), 8);
    /// ```
    #[must_use]
    pub fn with_attributes(self, attributes: impl IntoIterator<Item = Attribute>) -> Block {
        self.with(|it| it.attributes.extend(attributes))
    }

    /// Replaces each attribute with the result of `change`.
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block, Mode};
    /// use ferroform::value::Type;
    ///
    /// let block = Block::new().attribute(Attribute::raw("name", Type::String));
    /// let optional = block.map_attributes(|it| if &**it.name() == "name" { it.optional() } else { it });
    /// assert_eq!(optional.attributes()[0].mode(), Mode::Optional);
    /// ```
    #[must_use]
    pub fn map_attributes(self, change: impl FnMut(Attribute) -> Attribute) -> Block {
        self.with(|it| it.attributes = std::mem::take(&mut it.attributes).into_iter().map(change).collect())
    }

    /// Adds a validator of each configured object as a whole.
    #[must_use]
    pub fn validator(self, validator: Validator<Value>) -> Block {
        self.with(|it| it.validators.push(validator))
    }

    /// Declares that exactly one of the attributes added so far is set, as in a Rust enum with data.
    #[must_use]
    pub fn choice(self) -> Block {
        let names: Vec<_> = self.attributes().iter().map(|it| it.name.clone()).collect();
        self.with(|it| it.is_choice = true).group(GroupRule::ExactlyOne, names)
    }

    /// Adds a group of attributes that the configuration must or must not set together.
    #[must_use]
    pub fn group<N: Into<Arc<str>>>(self, rule: GroupRule, names: impl IntoIterator<Item = N>) -> Block {
        self.group_with(rule, RelatedAttributes::siblings(names))
    }

    /// Adds a group of attributes of this object and of other objects.
    #[must_use]
    pub fn group_with(self, rule: GroupRule, members: RelatedAttributes) -> Block {
        self.with(|it| it.groups.push(Group { rule, members }))
    }

    /// Adds the attributes, blocks, groups and validators of another block, as if they were declared here.
    #[must_use]
    pub fn flatten(self, other: Block) -> Block {
        let names: Arc<[_]> = other.members().map(|it| it.name().clone()).collect();
        // The validators receive only the attributes of the other block.
        let validator = |it: &Validator<_>| it.clone().for_attributes(names.clone(), other.ty());
        let validators: Vec<_> = other.validators().iter().map(validator).collect();
        let BlockDefinition { attributes, blocks, groups, .. } = other.definition;
        self.with(|it| {
            it.validators.extend(validators);
            it.attributes.extend(attributes);
            it.blocks.extend(blocks);
            it.groups.extend(groups);
        })
    }

    /// Adds a nested block, described by an attribute of nested objects. The nesting of the attribute becomes that of
    /// the block; a map takes its keys from the labels of the blocks. A required single object becomes a required
    /// block.
    #[must_use]
    pub fn block(self, attribute: Attribute) -> Block {
        self.nested_blocks([attribute])
    }

    /// Adds several nested blocks, in their order; see [`block`](Block::block).
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block, Nested};
    ///
    /// let disks = ["system", "data"].map(|name| Attribute::raw_nested(name, Nested::list(Block::new())));
    /// assert_eq!(Block::new().nested_blocks(disks).blocks().len(), 2);
    /// ```
    #[must_use]
    pub fn nested_blocks(self, attributes: impl IntoIterator<Item = Attribute>) -> Block {
        self.with(|it| it.blocks.extend(attributes.into_iter().map(NestedBlock::of)))
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.definition.attributes
    }

    /// The nested blocks.
    pub fn blocks(&self) -> &[NestedBlock] {
        &self.definition.blocks
    }

    /// The description.
    pub fn full_description(&self) -> &str {
        &self.definition.description
    }

    /// The format of the description.
    pub fn description_kind(&self) -> DescriptionKind {
        self.definition.description_kind
    }

    /// The deprecation message, if it is deprecated.
    pub fn deprecation(&self) -> Option<&str> {
        self.definition.deprecated.as_deref()
    }

    /// Groups of attributes that the configuration must or must not set together.
    pub fn groups(&self) -> &[Group] {
        &self.definition.groups
    }

    /// The validators of each configured object as a whole.
    pub fn validators(&self) -> &[Validator<Value>] {
        &self.definition.validators
    }

    /// True if it represents a Rust enum with data: exactly one of its attributes is set.
    pub fn is_choice(&self) -> bool {
        self.definition.is_choice
    }

    /// The operations with timeouts and their defaults, if it is the block inside `timeouts`.
    pub fn timeouts(&self) -> Option<&TimeoutDefaults> {
        self.definition.timeouts.as_ref()
    }

    /// The attribute with this name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes().iter().find(|it| &*it.name == name)
    }

    /// The attributes, followed by the nested blocks.
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.attributes().iter().map(Member::Attribute).chain(self.blocks().iter().map(Member::Block))
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
    /// assert!(matches!(machine.at(&path!(disks[2].size)), Some(Member::Attribute(it)) if &**it.name() == "size"));
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

    /// Visits each attribute and block of an object, with its path and value, and then those of its nested objects.
    /// If `visit` returns false, the nested objects of the attribute or block are skipped.
    ///
    /// ```
    /// use ferroform::schema::{Attribute, Block, Nested};
    /// use ferroform::value::{Type, Value};
    ///
    /// let disk = Block::new().attribute(Attribute::raw("size", Type::Number));
    /// let machine = Block::new().attribute(Attribute::raw_nested("disks", Nested::list(disk)));
    /// let disks = Value::List(vec![Value::object([("size", 1.into())]), Value::object([("size", Value::Null)])]);
    /// let mut nulls = Vec::new();
    /// machine.walk(&Value::object([("disks", disks)]), &mut |path, _, value| {
    ///     nulls.extend(value.is_null().then(|| path.to_string()));
    ///     true
    /// });
    /// assert_eq!(nulls, ["disks[1].size"]);
    /// ```
    pub fn walk(&self, object: &Value, visit: &mut dyn FnMut(&Path, Member<'_>, &Value) -> bool) {
        self.walk_at(&mut Path::ROOT.clone(), object, visit);
    }

    fn walk_at(
        &self,
        path: &mut Path,
        value: &Value,
        visit: &mut dyn FnMut(&Path, Member<'_>, &Value) -> bool,
    ) {
        let Value::Object(object) = value else {
            for (step, it) in value.children() {
                path.push(step);
                self.walk_at(path, it, visit);
                path.pop();
            }
            return;
        };
        for member in self.members() {
            let value = object.get_or_null(member.name());
            path.push(Step::Attribute(member.name().clone()));
            if visit(path, member, value)
                && let Some((_, inside)) = member.nested()
            {
                inside.walk_at(path, value, visit);
            }
            path.pop();
        }
    }

    /// Returns the value with each attribute and block replaced by the result of `change`. In a list, set or map, it
    /// applies to each object.
    pub(crate) fn map_members(&self, value: Value, change: &dyn Fn(Member<'_>, Value) -> Value) -> Value {
        let Value::Object(mut object) = value else {
            return value.map_elements(|_, it| self.map_members(it.clone(), change));
        };
        for member in self.members() {
            if let Some(slot) = object.get_mut(member.name()) {
                *slot = change(member, std::mem::replace(slot, Value::Null));
            }
        }
        Value::Object(object)
    }

    /// The value if it is an object, otherwise an object whose attributes are all null and whose blocks are all absent.
    pub fn object_of(&self, value: &Value) -> Value {
        if let Value::Object(_) = value {
            return value.clone();
        }
        Value::Object(self.members().map(|it| (it.name().clone(), it.absent_value())).collect())
    }

    /// The type of the object.
    pub fn ty(&self) -> &Type {
        self.nested_type(Nesting::Single)
    }

    /// The type of an attribute or nested block with this block.
    pub(super) fn nested_type(&self, nesting: Nesting) -> &Type {
        self.types[nesting as usize].get_or_init(|| match nesting {
            Nesting::Single => Type::object(self.members().map(|it| (it.name().clone(), it.ty().clone()))),
            _ => nesting.of(self.ty().clone()),
        })
    }

    /// The properties of the block and of everything inside it.
    pub(crate) fn facts(&self) -> &BlockFacts {
        self.facts.get_or_init(|| Box::new(BlockFacts::of(self)))
    }

    /// True if the provider may set a value inside.
    pub fn has_computed_inside(&self) -> bool {
        self.facts().has_computed
    }
}
