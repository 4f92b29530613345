//! Attributes: name, type, mode, description and behaviors.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Object, Path, Step, Type, Value};

use super::behavior::Behavior;
use super::block::Nested;
use super::default::{AttributeDefault, is_empty};
use super::description::DescriptionKind;
use super::modes::{Keep, Mode, Nesting, Replace};
use super::relation::{RelatedAttributes, Relation, RelationKind};
use crate::validator::Hint;

/// Checks whether the Rust type of an attribute can hold a value, which may contain unknown values.
pub type ValueCheck = fn(&Value) -> Result<(), Error>;

/// The functions of an attribute's Rust type, without the type.
#[derive(Debug)]
pub struct RustType {
    /// Checks a value of a plan or a state.
    pub check: ValueCheck,
    /// Checks a value of a configuration.
    pub check_config: ValueCheck,
    /// Checks that the Rust type keeps all elements of the sets in a configured value.
    pub check_sets: ValueCheck,
    /// The placeholder for a missing value, for example in a partially created object.
    pub placeholder: fn() -> Value,
    /// Returns the new value, or the prior value if the two are semantically equal. Applies to the elements of the
    /// value as well.
    pub keep_prior: fn(&Value, &Value) -> Value,
    /// Returns the canonical form of a value.
    pub canonical: fn(&Value) -> Value,
    /// True if different values can be semantically equal.
    pub has_semantic_equality: bool,
    /// Hints at values of the type, for tools that generate values.
    pub hints: fn() -> Vec<Hint>,
    /// The description of attributes of the type that have no description of their own.
    pub type_doc: &'static str,
    /// A string that is appended to the description of every attribute of the type.
    pub type_description: &'static str,
}

/// An attribute.
///
/// ```
/// use ferroform_engine::schema::{Attribute, Mode};
/// use ferroform_engine::value::Type;
///
/// let name = Attribute::raw("name", Type::String).description("The name.").requires_replace();
/// assert_eq!(name.mode(), Mode::Required);
/// let id = Attribute::raw("id", Type::String).computed().use_state_for_unknown();
/// assert!(id.mode().is_computed());
/// ```
#[derive(Clone)]
pub struct Attribute {
    pub(crate) name: Arc<str>,
    /// The type of an attribute that is not nested.
    ty: Type,
    pub(crate) nested: Option<Box<Nested>>,
    pub(crate) mode: Mode,
    /// The mode without the default, if a method has set it.
    declared_mode: Option<Mode>,
    /// True if more than one default is set, which is a schema error.
    has_two_defaults: bool,
    /// The description without the descriptions of the type and of the default.
    pub(super) description: String,
    pub(super) copied_block: bool,
    pub(crate) description_kind: DescriptionKind,
    pub(crate) sensitive: bool,
    pub(crate) write_only: bool,
    pub(crate) fingerprint: bool,
    pub(crate) nullable: bool,
    pub(crate) key: bool,
    /// True if null and the empty value are the same to the provider; see
    /// [`Schema::with_empty_equals_null`](super::Schema::with_empty_equals_null).
    pub(crate) empty_is_null: bool,
    /// The Rust type; `None` for an attribute that is described at run time.
    pub(crate) rust_type: Option<&'static RustType>,
    /// The behaviors; `None` if there are none.
    behavior: Option<Box<Behavior>>,
}

impl Attribute {
    /// A required attribute without a Rust type.
    #[inline]
    pub fn raw(name: impl Into<Arc<str>>, ty: Type) -> Attribute {
        Attribute {
            name: name.into(),
            ty,
            nested: None,
            mode: Mode::Required,
            declared_mode: None,
            has_two_defaults: false,
            description: String::new(),
            copied_block: false,
            description_kind: DescriptionKind::Markdown,
            sensitive: false,
            write_only: false,
            fingerprint: false,
            nullable: true,
            key: false,
            empty_is_null: false,
            rust_type: None,
            behavior: None,
        }
    }

    /// A required nested attribute without a Rust type.
    #[inline]
    pub fn raw_nested(name: impl Into<Arc<str>>, nested: Nested) -> Attribute {
        let nested = Some(Box::new(nested));
        Attribute { nested, ..Attribute::raw(name, Type::Dynamic) }
    }

    /// Describes a nested block of another provider's schema, for [`Block::block`](super::Block::block). A block of a
    /// single object is required if `min_items` is greater than 0.
    pub fn raw_block(name: impl Into<Arc<str>>, nested: Nested, min_items: u64, max_items: u64) -> Attribute {
        let nesting = nested.nesting;
        let attribute = Attribute::raw_nested(name, nested);
        match nesting {
            Nesting::Single if min_items > 0 => attribute,
            Nesting::Single => attribute.optional(),
            _ => attribute.optional().min_items(min_items).max_items(max_items),
        }
    }

    /// The name.
    #[inline]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The nested objects, if it is a nested attribute.
    #[inline]
    pub fn nested(&self) -> Option<&Nested> {
        self.nested.as_deref()
    }

    /// The mode: whether the configuration or the provider sets the value. With a default, it is
    /// [`Mode::OptionalComputed`].
    #[inline]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The format of the description.
    pub fn description_kind(&self) -> DescriptionKind {
        self.description_kind
    }

    /// True if Terraform must not show the value.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive
    }

    /// True if the value is never stored, neither in the plan nor in the state.
    pub fn is_write_only(&self) -> bool {
        self.write_only
    }

    /// True if a fingerprint of the write-only value is stored in private state, by which changes are detected.
    pub fn has_fingerprint(&self) -> bool {
        self.fingerprint
    }

    /// True if the Rust type can hold null.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// True if it is a key: elements of a list or set with equal keys correspond to each other.
    pub fn is_key(&self) -> bool {
        self.key
    }

    /// The type, including that of nested objects.
    ///
    /// ```
    /// use ferroform_engine::schema::{Attribute, Block, Nested};
    /// use ferroform_engine::value::Type;
    ///
    /// let port = Block::new().attribute(Attribute::raw("port", Type::Number));
    /// let listeners = Attribute::raw_nested("listeners", Nested::list(port));
    /// assert_eq!(listeners.ty(), &Type::list(Type::object([("port", Type::Number)])));
    /// ```
    #[inline]
    pub fn ty(&self) -> &Type {
        self.nested.as_ref().map_or(&self.ty, |it| it.block.nested_type(it.nesting))
    }

    /// The behaviors.
    #[inline]
    pub fn behavior(&self) -> &Behavior {
        const NONE: &Behavior = &Behavior::NONE;
        self.behavior.as_deref().unwrap_or(NONE)
    }

    /// True if it has behaviors.
    #[inline]
    pub(super) fn has_behavior(&self) -> bool {
        self.behavior.is_some()
    }

    /// The behaviors, to change them.
    pub fn behavior_mut(&mut self) -> &mut Behavior {
        self.behavior.get_or_insert_with(|| Box::new(Behavior::NONE))
    }

    /// Sets the mode. If the attribute has a default, the mode is the one without the default.
    #[inline]
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Attribute {
        self.declared_mode = Some(mode);
        self.mode = self.mode_with_default();
        self
    }

    /// Sets the default. The attribute becomes optional and computed, and its description names the default unless the
    /// attribute is sensitive.
    #[must_use]
    pub fn with_default(mut self, default: AttributeDefault) -> Attribute {
        self.has_two_defaults |= self.behavior().default.is_some();
        self.behavior_mut().default = Some(default);
        self.mode = self.mode_with_default();
        self
    }

    /// The mode, in whichever order the declared mode and the default were set.
    fn mode_with_default(&self) -> Mode {
        match self.declared_mode.unwrap_or(Mode::Required) {
            Mode::Computed => Mode::Computed,
            _ if self.behavior().default.is_some() => Mode::OptionalComputed,
            mode => mode,
        }
    }

    /// True if the provider can set the value, not only the configuration or a default.
    pub fn can_be_set_by_provider(&self) -> bool {
        self.declared_mode.is_some_and(Mode::is_computed)
    }

    /// True if the configuration or the default must provide a value.
    pub fn requires_value(&self) -> bool {
        self.declared_mode.unwrap_or(Mode::Required) == Mode::Required
    }

    /// The reason why its mode and its defaults contradict each other.
    pub(super) fn default_conflict(&self) -> Option<&'static str> {
        let default = self.behavior().default.as_ref()?;
        match self.declared_mode {
            _ if self.has_two_defaults => Some("an attribute cannot have two defaults"),
            Some(Mode::Computed) => {
                Some("a computed attribute cannot have a default, unless it is optional as well")
            }
            Some(Mode::Required) if default.is_static => Some("a required attribute cannot have a default"),
            _ if self.mode != Mode::OptionalComputed => {
                Some("only an optional and computed attribute can have a default")
            }
            _ => None,
        }
    }

    /// Makes a nested attribute a plain attribute of the same type: an object, or a list, set or map of objects.
    /// Terraform before 1.0 and protocol 5 support it. The behaviors of the nested attributes are lost.
    ///
    /// ```
    /// use ferroform_engine::schema::{Attribute, Block, Nested};
    /// use ferroform_engine::value::Type;
    ///
    /// let port = Block::new().attribute(Attribute::raw("port", Type::Number));
    /// let listeners = Attribute::raw_nested("listeners", Nested::list(port)).object();
    /// assert_eq!(listeners.ty(), &Type::list(Type::object([("port", Type::Number)])));
    /// assert!(listeners.nested().is_none());
    /// ```
    #[must_use]
    pub fn object(mut self) -> Attribute {
        self.ty = self.ty().clone();
        self.nested = None;
        self
    }

    /// Sets the Rust type of the value.
    #[inline]
    #[must_use]
    pub fn rust_type(mut self, rust_type: &'static RustType) -> Attribute {
        self.rust_type = Some(rust_type);
        self
    }

    /// Makes it optional.
    #[inline]
    #[must_use]
    pub fn optional(mut self) -> Attribute {
        self.nullable = true;
        self.with_mode(Mode::Optional)
    }

    /// Declares that the value is never null, like a field that is not an `Option`. The engine rejects a null in
    /// responses of the provider.
    #[inline]
    #[must_use]
    pub fn not_null(mut self) -> Attribute {
        self.nullable = false;
        self
    }

    /// Makes it computed.
    #[inline]
    #[must_use]
    pub fn computed(self) -> Attribute {
        self.with_mode(Mode::Computed)
    }

    /// Makes it optional and computed.
    #[inline]
    #[must_use]
    pub fn optional_computed(self) -> Attribute {
        self.with_mode(Mode::OptionalComputed)
    }

    /// Makes it write-only: its value is stored neither in the plan nor in the state.
    #[inline]
    #[must_use]
    pub fn write_only(mut self) -> Attribute {
        self.write_only = true;
        self
    }

    /// Detects changes of a write-only value by a fingerprint in private state, so that a computed attribute can follow
    /// it.
    ///
    /// The fingerprint has 24 bits of a slow, salted hash. Anyone who can read the state can test candidates against
    /// it, which shortens a list of candidates by a factor of sixteen million. A version attribute next to the
    /// write-only one stores nothing about the value, and is the better choice for most resources.
    #[must_use]
    pub fn fingerprint(mut self) -> Attribute {
        self.fingerprint = true;
        self
    }

    /// Makes it sensitive: Terraform does not show its value.
    #[inline]
    #[must_use]
    pub fn sensitive(mut self) -> Attribute {
        self.sensitive = true;
        self
    }

    /// Sets the description, in Markdown. The description of the Rust type and of the default is appended to it.
    #[inline]
    #[must_use]
    pub fn description(self, text: impl Into<String>) -> Attribute {
        self.description_of_kind(text.into(), DescriptionKind::Markdown)
    }

    /// Sets the description and its format.
    #[must_use]
    pub fn description_of_kind(mut self, text: String, kind: DescriptionKind) -> Attribute {
        self.description = text;
        self.description_kind = kind;
        self
    }

    /// Deprecates it: a configuration that sets it gets a warning with this message.
    #[must_use]
    pub fn deprecated(mut self, message: impl Into<String>) -> Attribute {
        self.behavior_mut().deprecated = Some(message.into());
        self
    }

    /// Requires replacement if the value changes.
    #[inline]
    #[must_use]
    pub fn requires_replace(mut self) -> Attribute {
        self.behavior_mut().replace = Replace::Always;
        self
    }

    /// Requires replacement if the value changes and the configuration sets it.
    #[must_use]
    pub fn requires_replace_if_configured(mut self) -> Attribute {
        self.behavior_mut().replace = Replace::IfConfigured;
        self
    }

    /// Keeps the computed value for the lifetime of the object: [`Keep::State`].
    #[inline]
    #[must_use]
    pub fn use_state_for_unknown(mut self) -> Attribute {
        self.behavior_mut().keep = Keep::State;
        self
    }

    /// Keeps the computed value for the lifetime of the object, unless it is null: [`Keep::NonNullState`].
    #[must_use]
    pub fn use_non_null_state_for_unknown(mut self) -> Attribute {
        self.behavior_mut().keep = Keep::NonNullState;
        self
    }

    /// Sets the minimum number of elements, if the configuration sets the attribute. For blocks, it is part of the
    /// schema that Terraform gets.
    #[must_use]
    pub fn min_items(mut self, min: u64) -> Attribute {
        self.behavior_mut().min_items = min;
        self
    }

    /// Sets the maximum number of elements. For blocks, it is part of the schema that Terraform gets.
    #[must_use]
    pub fn max_items(mut self, max: u64) -> Attribute {
        self.behavior_mut().max_items = max;
        self
    }

    /// Keeps the computed value unless one of these siblings changes: [`Keep::Follow`].
    #[must_use]
    pub fn follows<N: Into<Arc<str>>>(mut self, siblings: impl IntoIterator<Item = N>) -> Attribute {
        self.behavior_mut().keep = Keep::Follow(siblings.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the description, in plain text.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Attribute {
        self.description_of_kind(text.into(), DescriptionKind::Plain)
    }

    /// Adds a relation to attributes of the same object.
    #[must_use]
    pub fn relation<N: Into<Arc<str>>>(
        self,
        kind: RelationKind,
        siblings: impl IntoIterator<Item = N>,
    ) -> Attribute {
        self.relation_to(kind, RelatedAttributes::siblings(siblings))
    }

    /// Adds a relation to attributes of the same object and of other objects.
    #[must_use]
    pub fn relation_to(mut self, kind: RelationKind, others: RelatedAttributes) -> Attribute {
        self.behavior_mut().relations.push(Relation { kind, others });
        self
    }

    /// Calls the function of `suppress_diff` after a read as well: if it returns true for the prior value and the value
    /// that was read, the prior value stays in the state.
    #[must_use]
    pub fn suppress_on_refresh(mut self) -> Attribute {
        self.behavior_mut().suppress_on_refresh = true;
        self
    }

    /// Makes it a key of the elements of a list or set: elements of the configuration and of the state with equal keys
    /// correspond to each other. An object may have several keys, which are compared together.
    #[must_use]
    pub fn key(mut self) -> Attribute {
        self.key = true;
        self
    }

    /// True if a plan may keep the prior value when something else changes.
    pub fn is_kept(&self) -> bool {
        self.behavior().keep != Keep::Recompute
    }

    /// True if a value can be partially known.
    pub fn is_compound(&self) -> bool {
        !matches!(self.ty(), Type::Bool | Type::Number | Type::String)
    }

    /// True if `suppress_diff` suppresses the change. It is called only for two known values that are not null.
    pub fn is_diff_suppressed(&self, prior: &Value, new: &Value) -> bool {
        self.behavior().suppress_diff.as_ref().is_some_and(|function| {
            let is_comparable = |it: &Value| !it.is_null() && it.is_wholly_known();
            prior != new
                && is_comparable(prior)
                && is_comparable(new)
                && function.can_ignore_difference(prior, new)
        })
    }

    /// True if the provider may set a value inside a nested object.
    pub fn has_computed_inside(&self) -> bool {
        self.nested.as_ref().is_some_and(|it| it.block.has_computed_inside())
    }

    /// The check whether its Rust type can hold a value.
    pub fn value_check(&self) -> Option<ValueCheck> {
        self.rust_type.map(|it| it.check)
    }

    /// The errors about everything in a configured value that its Rust type cannot hold. Nested objects are converted
    /// attribute by attribute, so only a null instead of an object and equal elements of a set remain to be reported.
    pub fn conversion_errors(&self, value: &Value) -> Vec<Error> {
        let mut errors = Vec::new();
        if let Some(it) = self.rust_type {
            if self.nested.is_none() || value.elements().any(Value::is_null) {
                conversion_errors(it.check_config, value, &|it| it, &Path::ROOT, &mut errors);
            }
            let merged = (it.check_sets)(value).err();
            // The sets inside nested objects belong to other attributes.
            let merged = merged.filter(|it| self.nested.is_none() || it.path().steps().is_empty());
            errors.extend(merged.filter(|_| errors.is_empty()));
        }
        errors
    }

    /// The Rust type if it has semantic equality. Nested objects are compared attribute by attribute.
    fn semantic_type(&self) -> Option<&'static RustType> {
        self.rust_type.filter(|it| it.has_semantic_equality && self.nested.is_none())
    }

    /// True if its Rust type has semantic equality.
    pub fn has_semantic_type(&self) -> bool {
        self.semantic_type().is_some()
    }

    /// True if different values can be semantically equal, by the Rust type or by `semantic_eq`.
    pub fn has_semantic_equality(&self) -> bool {
        self.has_semantic_type() || self.behavior().semantic_equality.is_some()
    }

    /// True if the attribute can hold the value.
    pub fn accepts(&self, value: &Value) -> bool {
        crate::type_mismatch::conforms_to(value, self.ty())
            && self.value_check().is_none_or(|check| check(value).is_ok())
    }

    /// The hints at valid values, from the validators and the Rust type.
    pub fn hints(&self) -> Vec<Hint> {
        let of_validators = self.behavior().validators.iter().flat_map(|it| it.hints().iter().cloned());
        of_validators.chain(self.rust_type.map(|it| (it.hints)()).unwrap_or_default()).collect()
    }

    /// The placeholder for a missing value, for example in a partially created object.
    pub fn placeholder(&self) -> Value {
        self.rust_type.map_or_else(|| crate::type_mismatch::empty_value(self.ty()), |it| (it.placeholder)())
    }

    /// Returns the new value, or the prior value if the two are semantically equal. Applies to the elements of the
    /// value as well.
    pub fn keep_prior(&self, prior: &Value, new: &Value) -> Value {
        if self.behavior().semantic_equality.as_ref().is_some_and(|it| it.can_ignore_difference(prior, new)) {
            return prior.clone();
        }
        self.semantic_type().map_or_else(|| new.clone(), |it| (it.keep_prior)(prior, new))
    }

    /// True if the two values are semantically equal.
    pub fn is_semantically_equal(&self, prior: &Value, new: &Value) -> bool {
        prior == new || self.has_semantic_equality() && self.keep_prior(prior, new) == *prior
    }

    /// The canonical form of a value, which semantically equal values of the Rust type share.
    pub fn canonical<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        match self.semantic_type() {
            _ if self.empty_is_null && is_empty(value) => Cow::Owned(Value::Null),
            Some(it) => Cow::Owned((it.canonical)(value)),
            None => Cow::Borrowed(value),
        }
    }
}

/// Adds the errors about a part of a value. A conversion ends at the first error, so each part is converted alone:
/// `around` returns the whole value with only this part.
fn conversion_errors(
    check: ValueCheck,
    part: &Value,
    around: &dyn Fn(Value) -> Value,
    path: &Path,
    errors: &mut Vec<Error>,
) {
    let Err(first) = check(&around(part.clone())) else { return };
    let before = errors.len();
    let depth = path.steps().len();
    if first.path().steps().len() > depth {
        let mut inside = |step: Step, it: &Value, alone: &dyn Fn(Value) -> Value| {
            conversion_errors(check, it, &|it| around(alone(it)), &path.clone().then(step), errors);
        };
        match part {
            Value::List(it) => {
                let alone = |it| Value::List(vec![it]);
                it.iter().enumerate().for_each(|(i, it)| inside(Step::Index(i), it, &alone));
            }
            Value::Set(it) => {
                let alone = |it| Value::set([it]);
                it.iter().for_each(|it| inside(Step::Element(Box::new(it.clone())), it, &alone));
            }
            Value::Map(it) => it.iter().for_each(|(key, it)| {
                inside(Step::Key(key.clone()), it, &|it| Value::map([(key.clone(), it)]));
            }),
            // A type does not accept an object without the other attributes, but it accepts unknown ones.
            Value::Object(object) => object.iter().for_each(|(name, it)| {
                let alone = |it: Value| {
                    let names = object.iter().map(|(name, _)| (name.clone(), Value::UNKNOWN));
                    let mut alone: Object = names.collect();
                    alone.insert(name.clone(), it);
                    Value::Object(alone)
                };
                inside(Step::Attribute(name.clone()), it, &alone);
            }),
            _ => {}
        }
    }
    if errors.len() == before {
        let rest: Path = first.path().steps().iter().skip(depth).cloned().collect();
        errors.push(first.with_path(rest.below(path)));
    }
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attribute")
            .field("name", &self.name)
            .field("ty", self.ty())
            .field("mode", &self.mode)
            .field("sensitive", &self.sensitive)
            .field("write_only", &self.write_only)
            .field("fingerprint", &self.fingerprint)
            .field("keep", &self.behavior().keep)
            .field("replace", &self.behavior().replace)
            .field("default", &self.behavior().default)
            .finish_non_exhaustive()
    }
}
