//! One attribute: its type, who writes it, and how it behaves in a plan.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ferroform_value::{Type, Value};

use super::behaviour::{Compare, Condition};
use super::default::Default;
use super::relation::Relation;
use super::{Block, DescriptionKind};
use crate::rule::{IntoRule, Rule};
use crate::timeouts::{self, Limits};
use crate::view::InProposed;
use crate::{Attr, Maybe};

/// Who writes an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The configuration, always.
    Required,
    /// The configuration, or nobody.
    Optional,
    /// The provider, always.
    Computed,
    /// The configuration, or else the provider.
    OptionalComputed,
}

impl Mode {
    /// True where the provider may write it.
    pub fn is_computed(self) -> bool {
        matches!(self, Mode::Computed | Mode::OptionalComputed)
    }

    /// True where the configuration may write it.
    pub fn is_configurable(self) -> bool {
        self != Mode::Computed
    }
}

/// How objects are nested in an attribute or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// One object.
    Single,
    /// Objects in order.
    List,
    /// Objects without order.
    Set,
    /// Objects by key.
    Map,
}

impl Nesting {
    /// The type of such a nesting of objects of the type.
    pub fn of(self, object: Type) -> Type {
        match self {
            Nesting::Single => object,
            Nesting::List => Type::list(object),
            Nesting::Set => Type::set(object),
            Nesting::Map => Type::map(object),
        }
    }
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

/// What becomes of a computed value when something else in the object changes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// It may change too: unknown until apply.
    #[default]
    Recompute,
    /// It stays as it is, for the life of the object.
    State,
    /// It stays as it is, for the life of the object; where it is null, or the object is new in its
    /// collection, it may still become something.
    NonNullState,
    /// It stays as long as these sibling attributes do.
    Follow(Vec<Arc<str>>),
}

/// When a change of the attribute needs a new object.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Replace {
    /// Never: it is changed in place.
    #[default]
    Never,
    /// Always.
    Always,
    /// When the configuration sets it.
    IfConfigured,
    /// When a function says so.
    If(Condition),
}

/// Tells whether a value is one of the attribute's Rust type, with unknowns anywhere.
pub(crate) type Reads = fn(&Value) -> Result<(), ferroform_value::Error>;

/// An attribute of an object.
#[derive(Clone)]
pub struct Attribute {
    /// Its name.
    pub name: Arc<str>,
    /// Its type on the wire, nested objects included.
    pub ty: Type,
    /// The schema of nested objects, where it holds such.
    pub nested: Option<Box<Nested>>,
    /// Who writes it.
    pub mode: Mode,
    /// What it is for.
    pub description: String,
    /// Whether the description is Markdown.
    pub description_kind: DescriptionKind,
    /// What to use instead, where it is deprecated.
    pub deprecated: Option<String>,
    /// True where Terraform must not show it.
    pub sensitive: bool,
    /// True where it is never stored.
    pub write_only: bool,
    /// What becomes of its computed value when something else changes.
    pub keep: Keep,
    /// When a change of it needs a new object.
    pub replace: Replace,
    /// True where the author's type can hold null, whoever writes it.
    pub nullable: bool,
    /// True where it tells which element of a list or set an object is.
    pub key: bool,
    pub(crate) default: Option<Default>,
    /// What its known values must obey.
    pub rules: Vec<Rule<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// How many elements there must be at least, where the configuration sets it.
    pub min_items: u64,
    /// How many elements there may be at most; 0 for any number.
    pub max_items: u64,
    pub(crate) suppress: Option<Compare>,
    pub(crate) suppress_on_refresh: bool,
    pub(crate) means: Option<Compare>,
    pub(crate) kept: Option<fn(&Value, &Value) -> Value>,
    pub(crate) canonical: Option<fn(&Value) -> Value>,
    pub(crate) reads: Option<Reads>,
    pub(crate) stands_in: Option<fn() -> Value>,
    /// What its type says below every description.
    about: &'static str,
}

impl Attribute {
    /// An attribute of the Rust type `T`: optional where `T` is an `Option`, else required.
    pub fn of<T: Attr>(name: impl Into<Arc<str>>) -> Attribute {
        // Their schema is that of the operations, and without a word on them they are all there.
        if timeouts::is::<T>() {
            return Attribute::timeouts(name, Limits::all());
        }
        let mut made = Attribute::raw(name, T::ty());
        made.nullable = T::NULLABLE;
        if T::NULLABLE {
            made.mode = Mode::Optional;
        }
        made.nested = T::nested().map(Box::new);
        made.reads = Some(reads::<T>);
        made.stands_in = Some(T::placeholder);
        made.about = T::ABOUT;
        made.description = T::ABOUT.to_owned();
        if let Some(nested) = &made.nested {
            made.description.clone_from(&nested.block.description);
            made.description_kind = nested.block.description_kind;
            made.deprecated.clone_from(&nested.block.deprecated);
        }
        if !T::EXACT && made.nested.is_none() {
            made.kept = Some(T::keep);
            made.canonical = Some(T::canonical);
        }
        made
    }

    /// A required attribute of a type that is known only at run time.
    pub fn raw(name: impl Into<Arc<str>>, ty: Type) -> Attribute {
        Attribute {
            name: name.into(),
            ty,
            nested: None,
            mode: Mode::Required,
            description: String::new(),
            description_kind: DescriptionKind::Markdown,
            deprecated: None,
            sensitive: false,
            write_only: false,
            keep: Keep::Recompute,
            replace: Replace::Never,
            nullable: true,
            key: false,
            default: None,
            rules: Vec::new(),
            relations: Vec::new(),
            min_items: 0,
            max_items: 0,
            suppress: None,
            suppress_on_refresh: false,
            means: None,
            kept: None,
            canonical: None,
            stands_in: None,
            reads: None,
            about: "",
        }
    }

    /// A required attribute of nested objects whose schema is known only at run time.
    pub fn raw_nested(name: impl Into<Arc<str>>, nested: Nested) -> Attribute {
        let ty = nested.nesting.of(nested.block.ty());
        Attribute { nested: Some(Box::new(nested)), ..Attribute::raw(name, ty) }
    }

    /// Sets who writes it.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Attribute {
        self.mode = mode;
        self
    }

    /// The configuration writes it, or nobody.
    #[must_use]
    pub fn optional(mut self) -> Attribute {
        self.nullable = true;
        self.mode(Mode::Optional)
    }

    /// The provider writes it.
    #[must_use]
    pub fn computed(self) -> Attribute {
        self.mode(Mode::Computed)
    }

    /// The provider writes it where the configuration does not.
    #[must_use]
    pub fn optional_computed(self) -> Attribute {
        self.mode(Mode::OptionalComputed)
    }

    /// Is never stored, neither in the plan nor in the state.
    #[must_use]
    pub fn write_only(mut self) -> Attribute {
        self.write_only = true;
        self
    }

    /// Is not shown by Terraform.
    #[must_use]
    pub fn sensitive(mut self) -> Attribute {
        self.sensitive = true;
        self
    }

    /// Says what it is for, in Markdown.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Attribute {
        self.description = text.into();
        self.description_kind = DescriptionKind::Markdown;
        if !self.about.is_empty() {
            self.description = format!("{}\n\n{}", self.description, self.about);
        }
        self
    }

    /// Warns who uses it, and says what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Attribute {
        self.deprecated = Some(instead.into());
        self
    }

    /// A change of it needs a new object.
    #[must_use]
    pub fn requires_replace(mut self) -> Attribute {
        self.replace = Replace::Always;
        self
    }

    /// A change of it needs a new object where the configuration sets it.
    #[must_use]
    pub fn requires_replace_if_configured(mut self) -> Attribute {
        self.replace = Replace::IfConfigured;
        self
    }

    /// Its computed value stays for the life of the object.
    #[must_use]
    pub fn use_state_for_unknown(mut self) -> Attribute {
        self.keep = Keep::State;
        self
    }

    /// Its computed value stays for the life of the object, unless it is null.
    #[must_use]
    pub fn use_non_null_state_for_unknown(mut self) -> Attribute {
        self.keep = Keep::NonNullState;
        self
    }

    /// There must be so many elements at least, where the configuration sets it. Of blocks the host is told, and
    /// asks for so many.
    #[must_use]
    pub fn min_items(mut self, min: u64) -> Attribute {
        self.min_items = min;
        self
    }

    /// There may be so many elements at most. Of blocks the host is told.
    #[must_use]
    pub fn max_items(mut self, max: u64) -> Attribute {
        self.max_items = max;
        self
    }

    /// Its computed value stays as long as these siblings do.
    #[must_use]
    pub fn follows<N: Into<Arc<str>>>(mut self, siblings: impl IntoIterator<Item = N>) -> Attribute {
        self.keep = Keep::Follow(siblings.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a rule for its known values: a function, or one of [`rule`](crate::rule).
    #[must_use]
    pub fn validate<T: Attr, How>(mut self, rule: impl IntoRule<T, How>) -> Attribute {
        let rule = rule.into_rule();
        let inner = rule.clone();
        let rule = rule.unless(move |ty| {
            let judged = T::ty();
            let other = judged != *ty && !judged.has_dynamic() && !ty.has_dynamic();
            inner.fault(ty).or_else(|| other.then(|| format!("it is for a {judged}, but this is a {ty}")))
        });
        self.rules.push(rule.erase());
        self
    }

    /// True where the provider writes something inside a nested object.
    pub fn holds_computed(&self) -> bool {
        self.nested.as_ref().is_some_and(|it| it.block.holds_computed())
    }

    /// True where values that differ may mean the same.
    pub(crate) fn has_own_equality(&self) -> bool {
        self.kept.is_some() || self.means.is_some()
    }

    /// True where the attribute can hold the value.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        crate::engine::contract::conforms(value, &self.ty).is_empty()
            && self.reads.is_none_or(|reads| reads(value).is_ok())
    }

    /// What stands in for a value in an object that was only half made.
    pub(crate) fn placeholder(&self) -> Value {
        self.stands_in.map_or_else(|| crate::attr::empty(&self.ty), |it| it())
    }

    /// The new value, with the known one wherever the two mean the same.
    pub(crate) fn keep(&self, known: &Value, new: &Value) -> Value {
        if self.means.as_ref().is_some_and(|same| same(known, new)) {
            return known.clone();
        }
        self.kept.map_or_else(|| new.clone(), |keep| keep(known, new))
    }

    /// True where the new value means the same as the known one.
    pub(crate) fn same(&self, known: &Value, new: &Value) -> bool {
        known == new || self.has_own_equality() && self.keep(known, new) == *known
    }

    /// What every value that means the same prints, as far as its type tells.
    pub(crate) fn canonical<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        self.canonical.map_or(Cow::Borrowed(value), |it| Cow::Owned(it(value)))
    }
}

/// What a plan may hold of the type is what may be written to it: anything may be unknown, and an attribute
/// that nobody has written yet is null.
fn reads<T: Attr>(value: &Value) -> Result<(), ferroform_value::Error> {
    <Maybe<Option<T::In<InProposed>>>>::from_value(value).map(drop)
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attribute")
            .field("name", &self.name)
            .field("ty", &self.ty)
            .field("mode", &self.mode)
            .field("sensitive", &self.sensitive)
            .field("write_only", &self.write_only)
            .field("keep", &self.keep)
            .field("replace", &self.replace)
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}
