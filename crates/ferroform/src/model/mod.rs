//! Models: the structs of provider authors, and their views.

pub(crate) mod attr;
pub(crate) mod composed_attribute;
pub(crate) mod shape;
pub mod timeouts;
pub(crate) mod type_facts;
pub(crate) mod unhandled;
pub mod view;

use std::sync::Arc;

use ferroform_engine::normalization::defaults::{DefaultScope, apply_defaults};
use ferroform_engine::schema::{Block, IdentitySchema, ImportPattern, Schema, Upgrades};
use ferroform_engine::state::overlay::with_placeholders;
use ferroform_engine::{Diagnostics, Maybe};
use ferroform_value::{Error, Object, Step, Value};

use self::attr::{Attr, AttrValue};
use self::composed_attribute::ComposedAttribute;
use self::unhandled::Unhandled;
use self::view::{InArgs, InConfig, InPlanned, InProposed, View};

/// A struct that describes a resource, a data source, the configuration of a provider, or a nested object.
///
/// [`#[derive(Model)]`](derive@crate::Model) implements this trait and documents the options of `#[attr(…)]`.
///
/// ```
/// use ferroform::Model;
///
/// /// A DNS record.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Record {
///     /// The domain name.
///     #[attr(requires_replace)]
///     name: String,
///     /// The time to live in seconds.
///     #[attr(default = 300)]
///     ttl: u32,
///     /// The ID that the service assigns.
///     #[attr(computed, use_state_for_unknown)]
///     id: String,
/// }
///
/// let schema = Record::schema();
/// assert_eq!(schema.block.full_description(), "A DNS record.");
/// assert!(schema.block.get("ttl").is_some());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` to the struct"
)]
pub trait Model: Attr {
    /// The struct in a [view](crate::view): [`Config<M>`](crate::Config), [`Args<M>`](crate::Args),
    /// [`Proposed<M>`](crate::Proposed) or [`Planned<M>`](crate::Planned).
    type View<V: View>: AttrValue;
    /// The struct with every computed field, and no other: the result of `create` and `update`.
    type Computed: Computed;
    /// The resource identity; `()` if the resource has none.
    type Identity: Attr;

    /// Used by the traits of resources, data sources and providers: the model itself. A condition for this type, unlike
    /// one for the model, is not an error of its own if the struct is not a model.
    #[doc(hidden)]
    type __Itself;

    /// The schema version of the states of this model.
    const VERSION: i64 = 0;

    /// Used by the derive: the names of attributes and blocks.
    #[doc(hidden)]
    const NAMES: AttributeNames = AttributeNames { fields: &[], flattened: &[] };

    /// Used by the derive: the attributes with the option `composed`.
    #[doc(hidden)]
    const __COMPOSED: &'static [ComposedAttribute] = &[];

    /// Returns the schema with its version.
    fn schema() -> Schema;

    /// Converts a configuration whose values are all known into the model, with the defaults of omitted attributes.
    /// Returns `Unknown` if any value is unknown. It is made for [`Provider::configure`](crate::Provider::configure):
    ///
    /// ```
    /// use ferroform::{Config, Known, Maybe, Model, Result, Unknown};
    ///
    /// /// The configuration of the provider.
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct Settings {
    ///     endpoint: String,
    ///     #[attr(default = 4)]
    ///     connections: u32,
    /// }
    ///
    /// fn pool_size(config: Config<Settings>) -> Result<Maybe<u32>> {
    ///     let Known(settings) = Settings::from_config(config)? else { return Ok(Unknown) };
    ///     Ok(Known(settings.connections))
    /// }
    ///
    /// let config = Config::<Settings> { endpoint: Known("localhost".into()), connections: Known(None) };
    /// assert_eq!(pool_size(config), Ok(Known(4)));
    /// let config = Config::<Settings> { endpoint: Unknown, connections: Known(None) };
    /// assert_eq!(pool_size(config), Ok(Unknown));
    /// ```
    ///
    /// # Errors
    ///
    /// If a function of `default_with` returns an error, or no value for an attribute that must be set.
    fn from_config(config: Config<Self>) -> Result<Maybe<Self>, Diagnostics>
    where
        Self: Sized,
    {
        let config = config.to_value();
        if !config.is_wholly_known() {
            return Ok(Maybe::Unknown);
        }
        let config = apply_defaults(&Self::schema().block, &config, DefaultScope::All)?;
        Ok(Maybe::Known(Self::from_value(&config)?))
    }

    /// Returns the model as a plan whose values are all known, for a `plan` that computes values from known inputs:
    ///
    /// ```
    /// use ferroform::{Known, Model, Proposed};
    ///
    /// /// A point in time.
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct Parts {
    ///     #[attr(computed)]
    ///     year: i64,
    ///     #[attr(computed)]
    ///     month: i64,
    /// }
    ///
    /// let parts = Parts { year: 2030, month: 1 };
    /// assert_eq!(parts.to_proposed()?, Proposed::<Parts> { year: Known(2030), month: Known(1) });
    /// # Ok::<(), ferroform::value::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an attribute type does not accept its own value: `from_value` rejects the result of `to_value`.
    fn to_proposed(&self) -> Result<Proposed<Self>, Error>
    where
        Self: Sized,
    {
        Proposed::<Self>::from_value(&self.to_value())
    }

    /// Returns the object that an import passes to `read`, without the attributes of the import ID: each attribute is null if its type
    /// allows it, otherwise its static default, and otherwise a [placeholder](crate::guide::glossary#placeholder). In a list resource,
    /// it provides the attributes that the service does not return:
    ///
    /// ```
    /// use ferroform::Model;
    ///
    /// /// A role.
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct Role {
    ///     name: String,
    ///     #[attr(default = true)]
    ///     inherit: bool,
    ///     password: Option<String>,
    /// }
    ///
    /// let role = Role { name: "admin".into(), ..Role::placeholder()? };
    /// assert_eq!(role, Role { name: "admin".into(), inherit: true, password: None });
    /// # Ok::<(), ferroform::value::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an attribute type does not accept its own placeholder.
    fn placeholder() -> Result<Self, Error>
    where
        Self: Sized,
    {
        Self::from_value(&with_placeholders(&Self::schema().block, &Value::Object(Object::default())))
    }

    /// Returns the state upgrades from earlier schema versions.
    fn upgrades() -> Upgrades {
        Upgrades::oldest(Self::VERSION)
    }

    /// Returns the identity schema, if the resource has an identity.
    fn identity() -> Option<IdentitySchema> {
        None
    }

    /// Returns the patterns of import IDs, in the order in which they are tried.
    fn import_patterns() -> Vec<ImportPattern> {
        Vec::new()
    }
}

/// The properties of an attribute or block that relations and `follows` depend on.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AttributeName {
    pub name: &'static str,
    /// Every configuration sets it.
    pub is_always_set: bool,
    /// Only the provider sets it.
    pub is_computed: bool,
    pub is_write_only: bool,
    /// A fingerprint detects the changes of the write-only value.
    pub has_fingerprint: bool,
}

/// The names of the attributes and blocks of a model.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AttributeNames {
    /// The names of its own fields.
    pub fields: &'static [AttributeName],
    /// The names of the flattened models.
    pub flattened: &'static [&'static AttributeNames],
}

impl AttributeNames {
    /// The attribute or block of this name.
    pub const fn find(&self, name: &str) -> Option<AttributeName> {
        let mut i = 0;
        while i < self.fields.len() {
            if equal(self.fields[i].name, name) {
                return Some(self.fields[i]);
            }
            i += 1;
        }
        i = 0;
        while i < self.flattened.len() {
            if let Some(found) = self.flattened[i].find(name) {
                return Some(found);
            }
            i += 1;
        }
        None
    }

    /// Returns true if the model has an attribute or block of this name.
    pub const fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns true if every configuration sets the attribute or block of this name.
    pub const fn is_always_set(&self, name: &str) -> bool {
        matches!(self.find(name), Some(AttributeName { is_always_set: true, .. }))
    }

    /// Returns true if only the provider sets the attribute or block of this name.
    pub const fn is_computed(&self, name: &str) -> bool {
        matches!(self.find(name), Some(AttributeName { is_computed: true, .. }))
    }

    /// Returns true if the attribute of this name is write-only.
    pub const fn is_write_only(&self, name: &str) -> bool {
        matches!(self.find(name), Some(AttributeName { is_write_only: true, .. }))
    }

    /// Returns true if changes of the attribute of this name cannot be detected, because its value is not stored.
    pub const fn is_undetectable(&self, name: &str) -> bool {
        matches!(self.find(name), Some(AttributeName { is_write_only: true, has_fingerprint: false, .. }))
    }

    /// Returns true if the two models have a name in common.
    pub const fn overlaps(&self, other: &AttributeNames) -> bool {
        let mut i = 0;
        while i < other.fields.len() {
            if self.contains(other.fields[i].name) {
                return true;
            }
            i += 1;
        }
        i = 0;
        while i < other.flattened.len() {
            if self.overlaps(other.flattened[i]) {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// String comparison in constants: `==` is not `const` yet.
const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The computed attributes of an object: the result of `create` and `update`.
///
/// `#[derive(Model)]` generates such a struct for each model and implements this trait for it.
///
/// ```
/// use ferroform::{Computed, Model};
///
/// /// A file.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct File {
///     path: String,
///     #[attr(computed)]
///     size: u64,
/// }
///
/// let computed = FileComputed { size: 7 }.into_object();
/// assert_eq!(computed.get("size"), Some(&7.into()));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct of computed attributes",
    label = "expected the struct that `#[derive(Model)]` generates, such as `FileComputed`"
)]
pub trait Computed: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Converts into an object with the computed attributes.
    fn into_object(self) -> Object;
}

/// No attributes: for a provider without configuration.
impl Model for () {
    type View<V: View> = ();
    type Computed = ();
    type Identity = ();
    type __Itself = ();

    fn schema() -> Schema {
        Schema::new(Block::new())
    }
}

impl Computed for () {
    fn into_object(self) -> Object {
        Object::default()
    }
}

/// The object inside a value. `None` if the default value is requested instead; then each field gets its default value.
#[doc(hidden)]
pub fn object_in(value: &Value, unhandled: Unhandled) -> Result<(Option<&Object>, Unhandled), Error> {
    match value {
        Value::Object(object) => Ok((Some(object), unhandled)),
        _ if unhandled.covers(value) => Ok((None, unhandled.null_as_default())),
        _ => Err(ferroform_engine::type_mismatch::mismatch("an object", value)),
    }
}

/// Reads a model from an object. If the object has attributes without a field and a field cannot be read either, the
/// error names both.
#[doc(hidden)]
pub fn read_object<T: Attr>(value: &Value, unhandled: Unhandled) -> Result<T, Error> {
    match (reject_unknown_attributes(value, T::__has_attribute), T::__read_flattened(value, unhandled)) {
        (Ok(()), read) => read,
        (Err(error), Ok(_)) => Err(error),
        (Err(unknown), Err(unreadable)) => Err(Error::new(format!("{unknown}; {unreadable}"))),
    }
}

/// Rejects an object that has attributes without a field.
#[doc(hidden)]
pub fn reject_unknown_attributes(value: &Value, has_field: fn(&str) -> bool) -> Result<(), Error> {
    let Value::Object(object) = value else { return Ok(()) };
    let unknown: Vec<_> = object.iter().map(|(name, _)| name).filter(|name| !has_field(name)).collect();
    match unknown.as_slice() {
        [] => Ok(()),
        [name] => {
            let error = Error::new("there is no field for this attribute");
            Err(error.below(Step::Attribute(Arc::clone(name))))
        }
        names => {
            let names: Vec<&str> = names.iter().map(|it| &***it).collect();
            Err(Error::new(format!("there are no fields for the attributes {}", names.join(", "))))
        }
    }
}

/// The object with these attributes and those of the flattened models.
#[doc(hidden)]
pub fn assemble_object<const N: usize, const M: usize>(
    attributes: [(&'static str, Value); N],
    flattened: [Value; M],
) -> Object {
    let own = attributes.into_iter().map(|(name, value)| (name.into(), value));
    let objects =
        flattened.into_iter().filter_map(|it| if let Value::Object(it) = it { Some(it) } else { None });
    own.chain(objects.flatten()).collect()
}

/// The configuration of `M`: `validate`, `plan` and `configure` receive it. See [`view`].
///
/// ```
/// use ferroform::{Config, Known, Model};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Server { size: Option<u64> }
///
/// /// Returns true if the size is known to be too large.
/// fn is_too_large(config: &Config<Server>) -> bool {
///     matches!(config.size, Known(Some(size)) if size > 64)
/// }
/// ```
pub type Config<M> = <M as Model>::View<InConfig>;
/// The configuration of a data source `M` that is read: all values are known. See [`view`].
///
/// ```
/// use ferroform::{Args, Model};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Image { family: String }
///
/// /// All values are known when a data source is read.
/// fn url(args: &Args<Image>) -> String {
///     format!("/images?family={}", args.family)
/// }
/// ```
pub type Args<M> = <M as Model>::View<InArgs>;
/// The planned state of `M` during planning: `plan` receives and returns it. See [`view`].
///
/// ```
/// use ferroform::{Known, Model, Proposed};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Server { name: String, #[attr(computed)] host_name: String }
///
/// /// Plans the host name as soon as the name is known.
/// fn with_host_name(mut plan: Proposed<Server>) -> Proposed<Server> {
///     if let Known(name) = &plan.name {
///         plan.host_name = Known(format!("{name}.example.com"));
///     }
///     plan
/// }
/// ```
pub type Proposed<M> = <M as Model>::View<InProposed>;
/// The planned state of `M` during apply: `create` and `update` receive it. Only computed values may be unknown. See
/// [`view`].
///
/// ```
/// use ferroform::{Model, Planned};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Server { name: String, #[attr(computed)] id: String }
///
/// /// Inputs are known in `create` and `update`, and computed values can be unknown.
/// fn body(plan: &Planned<Server>) -> String {
///     assert!(plan.id.is_known() || plan.id.is_unknown());
///     format!("name={}", plan.name)
/// }
/// ```
pub type Planned<M> = <M as Model>::View<InPlanned>;
