//! The objects of a provider, independent of the source that describes them: a schema, an API description or an example.
//!
//! ```text
//! "port": { "type": "number", "optional": true }
//!
//! Field { name: "port", ty: Type::Scalar("Number"), mode: Mode::Optional, … }
//! ```

pub(super) use ferroform_engine::Kind;
pub(super) use ferroform_engine::schema::Mode;
use serde_json::Value;

/// A provider with all objects for which code is generated.
#[derive(Clone, Debug, Default)]
pub(super) struct Provider {
    /// The address: `registry.terraform.io/hashicorp/local`.
    pub(super) address: String,
    /// The configuration of the provider; without fields if there is nothing to configure.
    pub(super) config: Model,
    pub(super) objects: Vec<Object>,
    pub(super) functions: Vec<Function>,
}

impl Provider {
    /// Returns the type of the provider, with which the names of its objects begin.
    pub(super) fn name(&self) -> &str {
        self.address.rsplit('/').next().unwrap_or_default()
    }
}

/// An object with a model, such as a resource.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) kind: Kind,
    /// The full name: `local_file`.
    pub(super) name: String,
    pub(super) model: Model,
    /// The identity of a resource.
    pub(super) identity: Option<Identity>,
    /// A resource can be changed in place.
    pub(super) has_update: bool,
    /// The operations of the API, if they are known.
    pub(super) operations: Vec<Operation>,
}

impl Object {
    /// An object without identity.
    pub(super) fn new(kind: Kind, name: &str, model: Model) -> Object {
        Object {
            kind,
            name: name.to_owned(),
            model,
            identity: None,
            has_update: true,
            operations: Vec::new(),
        }
    }
}

/// An operation of an API that a method calls.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// The Rust method.
    pub(super) method: &'static str,
    /// The request: `GET /servers/{id}`.
    pub(super) request: String,
}

/// The identity of a resource.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) version: i64,
    pub(super) model: Model,
}

/// A function of the provider.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The parameters as required or optional fields.
    pub(super) parameters: Model,
    pub(super) is_variadic: bool,
    /// The summary, if it differs from the first paragraph of the description.
    pub(super) summary: Option<String>,
    pub(super) result: Type,
}

/// A documentation string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Description {
    pub(super) content: String,
    /// True for plain text, false for Markdown.
    pub(super) is_plain: bool,
}

/// A struct with `#[derive(Model)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Model {
    pub(super) description: Description,
    /// The deprecation message, which can be empty.
    pub(super) deprecated: Option<String>,
    /// The schema version.
    pub(super) version: i64,
    /// An SDKv2 provider has written the states of the previous version.
    pub(super) upgrades_from_sdkv2: bool,
    pub(super) fields: Vec<Field>,
}

impl Model {
    /// Returns true if the provider sets a part of the object.
    pub(super) fn has_computed(&self) -> bool {
        self.fields.iter().any(|it| it.mode.is_computed() || it.has_computed_inside())
    }
}

/// A field of a model: an attribute or a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    /// The name in the schema.
    pub(super) name: String,
    pub(super) description: Description,
    pub(super) deprecated: Option<String>,
    pub(super) mode: Mode,
    pub(super) form: Form,
    pub(super) ty: Type,
    pub(super) is_sensitive: bool,
    pub(super) is_write_only: bool,
    /// The minimum number of elements or blocks.
    pub(super) min_items: u64,
    /// The maximum number of elements or blocks; zero means no limit.
    pub(super) max_items: u64,
    /// The default in JSON.
    pub(super) default: Option<Value>,
    /// Validators as Rust expressions.
    pub(super) validators: Vec<String>,
    /// A change requires replacement.
    pub(super) requires_replace: bool,
    /// The provider always sets the attribute, so its type is not an `Option`.
    pub(super) is_always_set: bool,
    /// An update does not change the computed value.
    pub(super) is_unchanged: bool,
}

impl Field {
    /// A field without options.
    pub(super) fn new(name: impl Into<String>, ty: Type, mode: Mode) -> Field {
        Field {
            name: name.into(),
            description: Description::default(),
            deprecated: None,
            mode,
            form: Form::Attribute,
            ty,
            is_sensitive: false,
            is_write_only: false,
            min_items: 0,
            max_items: 0,
            default: None,
            validators: Vec::new(),
            requires_replace: false,
            is_always_set: false,
            is_unchanged: false,
        }
    }

    /// Returns true if a value is required, or the provider or the default always sets it.
    pub(super) fn is_never_null(&self) -> bool {
        self.is_always_set
            || self.mode == Mode::Required
            || self.default.is_some()
            || (self.form == Form::Block && !matches!(self.ty, Type::Model(_)))
    }

    /// Returns true if the provider sets attributes of the nested objects.
    pub(super) fn has_computed_inside(&self) -> bool {
        self.form != Form::Attribute && self.ty.has_computed()
    }
}

/// The form of a field in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Form {
    /// An attribute with a type. A model inside the type is a plain object.
    Attribute,
    /// An attribute whose objects have a schema.
    NestedAttribute,
    /// A block.
    Block,
}

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// A Rust type without type arguments, such as `String` or `Timestamp`.
    Scalar(&'static str),
    Enum(Enum),
    Model(Model),
    Collection(Collection, Box<Type>),
    Tuple(Vec<Type>),
    /// An element that can be null.
    Nullable(Box<Type>),
}

impl Type {
    /// Returns the model of an object, or of the elements of a collection.
    pub(super) fn model(&self) -> Option<&Model> {
        match self {
            Type::Model(model) => Some(model),
            Type::Collection(_, element) => match element.non_null() {
                Type::Model(model) => Some(model),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the type of elements that can be null in addition to the values of this type.
    pub(super) fn nullable(self) -> Type {
        Type::Nullable(Box::new(self))
    }

    /// Returns the type of the elements that are not null.
    pub(super) fn non_null(&self) -> &Type {
        if let Type::Nullable(inner) = self { inner } else { self }
    }

    /// Returns true if values contain objects with a schema: models or enums with data.
    pub(super) fn has_models(&self) -> bool {
        self.has_item(&|it| match it {
            Item::Model(_) => true,
            Item::Enum(it) => it.has_data(),
        })
    }

    /// Returns true if the provider sets an attribute of the nested objects.
    fn has_computed(&self) -> bool {
        self.has_item(&|it| match it {
            Item::Model(it) => it.has_computed(),
            Item::Enum(it) => it.variants.iter().filter_map(|it| it.data.as_ref()).any(Type::has_computed),
        })
    }

    fn has_item(&self, matches: &dyn Fn(Item<'_>) -> bool) -> bool {
        let mut found = false;
        self.for_each_item(&mut |it| found |= matches(it));
        found
    }

    /// Calls the function with each model and enum directly inside the type.
    pub(super) fn for_each_item<'a>(&'a self, visit: &mut dyn FnMut(Item<'a>)) {
        match self {
            Type::Scalar(_) => {}
            Type::Enum(it) => visit(Item::Enum(it)),
            Type::Model(it) => visit(Item::Model(it)),
            Type::Collection(_, element) | Type::Nullable(element) => element.for_each_item(visit),
            Type::Tuple(elements) => elements.iter().for_each(|it| it.for_each_item(visit)),
        }
    }
}

/// A type with a definition of its own in the generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item<'a> {
    Model(&'a Model),
    Enum(&'a Enum),
}

/// An enum with `#[derive(Attr)]`: strings, or attributes of which exactly one is set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Enum {
    pub(super) variants: Vec<Variant>,
}

impl Enum {
    /// Returns true if the variants contain values.
    pub(super) fn has_data(&self) -> bool {
        self.variants.iter().any(|it| it.data.is_some())
    }
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    /// The string, or the name of the attribute.
    pub(super) name: String,
    pub(super) data: Option<Type>,
}

/// A collection type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Collection {
    List,
    Set,
    Map,
}
