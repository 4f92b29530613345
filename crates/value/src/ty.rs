//! The types of Terraform's language.

use std::sync::Arc;

/// A type of Terraform's language, as the plugin protocol transmits it.
///
/// `Display` prints a type as a type constraint, and `FromStr` parses one. Cloning is cheap, because clones share the
/// nested types. The enum is exhaustive: the plugin protocol defines exactly these types.
///
/// ```
/// use ferroform_value::Type;
///
/// let ty = Type::object([("name", Type::String), ("ports", Type::list(Type::Number))]);
/// assert_eq!(ty.to_string(), "object({name = string, ports = list(number)})");
/// assert_eq!("object({ports = list(number), name = string})".parse(), Ok(ty));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `number`, see [`Number`](crate::Number).
    Number,
    /// `string`, in Unicode normal form C.
    String,
    /// `any`: the value contains its own type; see [`Typed`](crate::Typed).
    Dynamic,
    /// `list(T)`.
    List(Arc<Type>),
    /// `set(T)`.
    Set(Arc<Type>),
    /// `map(T)`. The keys are strings.
    Map(Arc<Type>),
    /// `object({…})`.
    Object(Arc<ObjectType>),
    /// `tuple([…])`.
    Tuple(Arc<[Type]>),
}

impl Type {
    /// Returns the type `list(element)`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// Returns the type `set(element)`.
    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    /// Returns the type `map(element)`.
    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    /// Returns the type `tuple([elements…])`.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        let elements = elements.into_iter();
        // An empty slice requires no allocation.
        Type::Tuple(if elements.size_hint().1 == Some(0) { Arc::default() } else { elements.collect() })
    }

    /// Returns the type `object({name = type, …})` without optional attributes. If a name occurs more than once, the
    /// last type applies.
    pub fn object<N: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (N, Type)>) -> Type {
        Type::Object(Arc::new(ObjectType::new(
            attributes.into_iter().map(|(name, ty)| Attribute::new(name, ty)),
        )))
    }

    /// Returns the element type of a list, set or map; `None` for any other type.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(it) | Type::Set(it) | Type::Map(it) => Some(it),
            _ => None,
        }
    }

    /// Returns true if the type is `any` or contains `any` at any depth.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
            Type::List(it) | Type::Set(it) | Type::Map(it) => it.has_dynamic(),
            Type::Object(it) => it.has_dynamic,
            Type::Tuple(it) => it.iter().any(Type::has_dynamic),
        }
    }

    /// Returns the type without optional attributes, at every depth. The type of a value has no optional attributes.
    #[must_use]
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        match self {
            Type::List(it) => Type::list(it.without_optional()),
            Type::Set(it) => Type::set(it.without_optional()),
            Type::Map(it) => Type::map(it.without_optional()),
            Type::Tuple(it) => Type::tuple(it.iter().map(Type::without_optional)),
            Type::Object(it) => {
                Type::object(it.attributes().iter().map(|a| (a.name.clone(), a.ty.without_optional())))
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic => self.clone(),
        }
    }

    fn has_optional(&self) -> bool {
        match self {
            Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
            Type::List(it) | Type::Set(it) | Type::Map(it) => it.has_optional(),
            Type::Object(it) => it.has_optional,
            Type::Tuple(it) => it.iter().any(Type::has_optional),
        }
    }

    /// Returns true if every value of this type is also a value of the type `expected`, without conversion: the types
    /// are equal, except that `any` in `expected` accepts every type.
    ///
    /// ```
    /// use ferroform_value::Type;
    ///
    /// let names = Type::list(Type::String);
    /// assert!(names.conforms_to(&Type::list(Type::Dynamic)));
    /// assert!(!names.conforms_to(&Type::set(Type::String)));
    /// ```
    pub fn conforms_to(&self, expected: &Type) -> bool {
        match (self, expected) {
            (_, Type::Dynamic) => true,
            (Type::List(it), Type::List(expected))
            | (Type::Set(it), Type::Set(expected))
            | (Type::Map(it), Type::Map(expected)) => it.conforms_to(expected),
            (Type::Tuple(it), Type::Tuple(expected)) => {
                it.len() == expected.len() && it.iter().zip(expected.iter()).all(|(a, b)| a.conforms_to(b))
            }
            (Type::Object(it), Type::Object(expected)) => {
                let (it, expected) = (it.attributes(), expected.attributes());
                let conforms = |(a, b): (&Attribute, &Attribute)| a.name == b.name && a.ty.conforms_to(&b.ty);
                it.len() == expected.len() && it.iter().zip(expected).all(conforms)
            }
            _ => self == expected,
        }
    }

    /// Returns the kind of type, for messages: `string`, `list`, `object`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Number => "number",
            Type::String => "string",
            Type::Dynamic => "dynamic",
            Type::List(_) => "list",
            Type::Set(_) => "set",
            Type::Map(_) => "map",
            Type::Object(_) => "object",
            Type::Tuple(_) => "tuple",
        }
    }
}

/// An attribute of an object type.
///
/// ```
/// use std::sync::Arc;
///
/// use ferroform_value::{Attribute, ObjectType, Type};
///
/// let attributes = [Attribute::new("name", Type::String), Attribute::new("port", Type::Number).optional()];
/// let ty = Type::Object(Arc::new(ObjectType::new(attributes)));
/// assert_eq!(ty.to_string(), "object({name = string, port = optional(number)})");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Attribute {
    /// The name.
    pub name: Arc<str>,
    /// The type.
    pub ty: Type,
    /// True if a conversion sets a missing attribute to null instead of reporting an error.
    pub optional: bool,
}

impl Attribute {
    /// Creates a required attribute.
    pub fn new(name: impl Into<Arc<str>>, ty: Type) -> Attribute {
        Attribute { name: name.into(), ty, optional: false }
    }

    /// Makes the attribute optional.
    #[must_use]
    pub fn optional(self) -> Attribute {
        Attribute { optional: true, ..self }
    }
}

/// The attributes of an object type, sorted by name. Each name occurs once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ObjectType {
    attributes: Vec<Attribute>,
    /// The names of the attributes, which objects of the type share.
    names: Arc<Vec<Arc<str>>>,
    /// True if the type contains `any`. It is computed once, because callers ask for it at every depth of a type.
    has_dynamic: bool,
    /// True if the type contains an optional attribute, itself or at any depth.
    has_optional: bool,
}

impl ObjectType {
    /// Creates an object type from attributes in any order. If a name occurs more than once, the last attribute
    /// applies.
    pub fn new(attributes: impl IntoIterator<Item = Attribute>) -> ObjectType {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        attributes.reverse();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        attributes.dedup_by(|b, a| a.name == b.name);
        let names = Arc::new(attributes.iter().map(|it| it.name.clone()).collect());
        let has_dynamic = attributes.iter().any(|it| it.ty.has_dynamic());
        let has_optional = attributes.iter().any(|it| it.optional || it.ty.has_optional());
        ObjectType { attributes, names, has_dynamic, has_optional }
    }

    /// Returns the names of the attributes, sorted.
    pub(crate) fn names(&self) -> &Arc<Vec<Arc<str>>> {
        &self.names
    }

    /// Returns the attributes, sorted by name.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns the attribute with this name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        let at = self.position(name.as_bytes(), usize::MAX)?;
        self.attributes.get(at)
    }

    /// Returns the index of the attribute with this name. `likely` is checked first, because a decoder of sorted
    /// names can predict the index.
    pub(crate) fn position(&self, name: &[u8], likely: usize) -> Option<usize> {
        match self.attributes.get(likely) {
            Some(it) if it.name.as_bytes() == name => Some(likely),
            _ => self.attributes.binary_search_by(|it| it.name.as_bytes().cmp(name)).ok(),
        }
    }
}
