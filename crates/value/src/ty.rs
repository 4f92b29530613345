//! Types.

use std::fmt;
use std::sync::Arc;

/// A type of Terraform's language, as it travels over the plugin protocol.
///
/// Cloning is cheap: compound types share their parts.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `number`, see [`Number`](crate::Number).
    Number,
    /// `string`, in Unicode normal form C.
    String,
    /// `any`: the value carries its type, see [`Typed`](crate::Typed).
    Dynamic,
    /// `list(T)`.
    List(Arc<Type>),
    /// `set(T)`.
    Set(Arc<Type>),
    /// `map(T)`, from strings.
    Map(Arc<Type>),
    /// `object({…})`.
    Object(Arc<ObjectType>),
    /// `tuple([…])`.
    Tuple(Arc<[Type]>),
}

impl Type {
    /// `list(element)`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// `set(element)`.
    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    /// `map(element)`.
    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    /// `tuple([elements…])`.
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        let elements = elements.into_iter();
        // The empty one needs no memory.
        Type::Tuple(if elements.size_hint().1 == Some(0) { Arc::default() } else { elements.collect() })
    }

    /// `object({name = type, …})`, without optional attributes. A name given twice keeps its last type.
    pub fn object<N: Into<Arc<str>>>(attributes: impl IntoIterator<Item = (N, Type)>) -> Type {
        Type::Object(Arc::new(ObjectType::new(attributes.into_iter().map(|(name, ty)| Attribute {
            name: name.into(),
            ty,
            optional: false,
        }))))
    }

    /// The element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(it) | Type::Set(it) | Type::Map(it) => Some(it),
            _ => None,
        }
    }

    /// True for `any`, and for a type that holds `any` somewhere inside.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
            Type::List(it) | Type::Set(it) | Type::Map(it) => it.has_dynamic(),
            Type::Object(it) => it.attributes().iter().any(|a| a.ty.has_dynamic()),
            Type::Tuple(it) => it.iter().any(Type::has_dynamic),
        }
    }

    /// The type without marks for optional attributes, at every depth: the type that a value has.
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
            Type::Object(it) => it.attributes().iter().any(|a| a.optional || a.ty.has_optional()),
            Type::Tuple(it) => it.iter().any(Type::has_optional),
        }
    }

    /// True where a value of this type is a value of the type `wanted` as it is: they are the same, up to
    /// what `any` in `wanted` takes in.
    pub fn conforms_to(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (_, Type::Dynamic) => true,
            (Type::List(it), Type::List(wanted))
            | (Type::Set(it), Type::Set(wanted))
            | (Type::Map(it), Type::Map(wanted)) => it.conforms_to(wanted),
            (Type::Tuple(it), Type::Tuple(wanted)) => {
                it.len() == wanted.len() && it.iter().zip(wanted.iter()).all(|(a, b)| a.conforms_to(b))
            }
            (Type::Object(it), Type::Object(wanted)) => {
                let (it, wanted) = (it.attributes(), wanted.attributes());
                let same = |(a, b): (&Attribute, &Attribute)| a.name == b.name && a.ty.conforms_to(&b.ty);
                it.len() == wanted.len() && it.iter().zip(wanted).all(same)
            }
            _ => self == wanted,
        }
    }

    /// The kind of type, for messages about a value: `string`, `list`, `object`, …
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

/// The type as one writes it in the language: `map(list(string))`, `object({a = number})`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool | Type::Number | Type::String => f.write_str(self.kind()),
            Type::Dynamic => f.write_str("any"),
            Type::List(it) => write!(f, "list({it})"),
            Type::Set(it) => write!(f, "set({it})"),
            Type::Map(it) => write!(f, "map({it})"),
            Type::Tuple(it) => {
                f.write_str("tuple([")?;
                for (i, ty) in it.iter().enumerate() {
                    write!(f, "{}{ty}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("])")
            }
            Type::Object(it) => {
                f.write_str("object({")?;
                for (i, a) in it.attributes().iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    if a.optional {
                        write!(f, "{} = optional({})", a.name, a.ty)?;
                    } else {
                        write!(f, "{} = {}", a.name, a.ty)?;
                    }
                }
                f.write_str("})")
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One attribute of an object type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// True where a value may leave it out and gets a null for it.
    pub optional: bool,
}

/// The attributes of an object type, sorted by name, each name once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ObjectType {
    attributes: Vec<Attribute>,
    /// The names of the attributes once more, for the objects of the type to share.
    names: Arc<Vec<Arc<str>>>,
}

impl ObjectType {
    /// An object type of these attributes, in any order. A name given twice keeps its last type.
    pub fn new(attributes: impl IntoIterator<Item = Attribute>) -> ObjectType {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        attributes.reverse();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        attributes.dedup_by(|b, a| a.name == b.name);
        let names = Arc::new(attributes.iter().map(|it| it.name.clone()).collect());
        ObjectType { attributes, names }
    }

    /// The names of the attributes, sorted.
    pub(crate) fn names(&self) -> &Arc<Vec<Arc<str>>> {
        &self.names
    }

    /// The attributes, sorted by name.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The attribute of that name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        let at = self.position(name, usize::MAX)?;
        self.attributes.get(at)
    }

    /// Where the attribute of that name stands. Whoever reads sorted names knows where that is likely to be.
    pub(crate) fn position(&self, name: &str, likely: usize) -> Option<usize> {
        match self.attributes.get(likely) {
            Some(it) if *it.name == *name => Some(likely),
            _ => self.attributes.binary_search_by(|it| (*it.name).cmp(name)).ok(),
        }
    }
}
