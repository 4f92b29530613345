//! The defaults of optional attributes.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform_value::convert::{Mode, convert};
use ferroform_value::{Refinements, Type, Typed, Value, unify};

/// The defaults of the optional attributes of a type constraint, as a tree with the structure of the type.
///
/// The tree has a node for each type that contains a default at any depth.
///
/// ```
/// use ferroform_lang::type_constraint::Constraint;
/// use ferroform_lang::{console, expression};
///
/// let text = "object({log = optional(object({level = optional(string, \"info\")}), {})})";
/// let defaults = Constraint::parse(text)?.defaults.unwrap();
/// assert!(defaults.children()["log"].values().contains_key("level"));
///
/// let applied = defaults.apply(expression::constant("{log = {level = null}}")?);
/// assert_eq!(console::show(&applied), "{\n  \"log\" = {\n    \"level\" = \"info\"\n  }\n}");
/// # Ok::<(), ferroform_lang::Errors>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Defaults {
    pub(crate) ty: Type,
    pub(crate) values: BTreeMap<Arc<str>, Typed>,
    pub(crate) children: BTreeMap<Arc<str>, Defaults>,
}

impl Defaults {
    /// Creates the node of a type; `None` if it has neither values nor children.
    pub(crate) fn node(
        ty: &Type,
        values: BTreeMap<Arc<str>, Typed>,
        children: BTreeMap<Arc<str>, Defaults>,
    ) -> Option<Defaults> {
        (!values.is_empty() || !children.is_empty()).then(|| Defaults { ty: ty.clone(), values, children })
    }

    /// Returns the type of the node, with its optional attributes.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the defaults of the attributes of an object, converted to the types of the attributes.
    pub fn values(&self) -> &BTreeMap<Arc<str>, Typed> {
        &self.values
    }

    /// Returns the nodes of the attributes or elements: by attribute name for an object, by index for a tuple, and
    /// with an empty name for the elements of a collection.
    pub fn children(&self) -> &BTreeMap<Arc<str>, Defaults> {
        &self.children
    }

    /// Replaces missing and null attributes with their defaults. The result is not converted to the type of the
    /// constraint. A value of another structure is returned unchanged, so that the conversion reports the error.
    #[must_use]
    pub fn apply(&self, it: Typed) -> Typed {
        let empty = match &it.value {
            Value::List(it) => it.is_empty(),
            Value::Set(it) => it.is_empty(),
            _ => false,
        };
        if empty {
            return it;
        }
        let original = it.ty.clone();
        match it.into_elements() {
            Ok(it) => to_collection(&original, Typed::tuple(self.elements(it))),
            Err(it) => match it.into_entries() {
                Ok(it) => to_collection(&original, Typed::object(self.attributes(it))),
                Err(it) => it,
            },
        }
    }

    fn elements(&self, values: Vec<Typed>) -> impl Iterator<Item = Typed> {
        values.into_iter().enumerate().map(|(i, it)| {
            let child = match &self.ty {
                Type::Tuple(_) => self.children.get(&*i.to_string()),
                _ => self.children.get(""),
            };
            apply(child, it)
        })
    }

    fn attributes(&self, values: Vec<(Arc<str>, Typed)>) -> BTreeMap<Arc<str>, Typed> {
        let child = |name: &str| match &self.ty {
            Type::Object(_) => self.children.get(name),
            _ => self.children.get(""),
        };
        let values = values.into_iter().map(|(name, it)| {
            let it = apply(child(&name), it);
            (name, it)
        });
        let mut attributes: BTreeMap<Arc<str>, Typed> = values.collect();
        for (name, default) in &self.values {
            match attributes.get_mut(name) {
                Some(it) if it.value == Value::Null => *it = apply(child(name), default.clone()),
                Some(it) => {
                    if default.value != Value::Null {
                        not_null(it);
                    }
                }
                None => drop(attributes.insert(name.clone(), apply(child(name), default.clone()))),
            }
        }
        attributes
    }
}

fn apply(defaults: Option<&Defaults>, it: Typed) -> Typed {
    match defaults {
        Some(defaults) => defaults.apply(it),
        None => it,
    }
}

/// Refines an unknown value as not null, because its default would replace null.
fn not_null(it: &mut Typed) {
    if let (false, Value::Unknown(known)) = (it.ty == Type::Dynamic, &mut it.value) {
        let known = known.take().map_or_else(Refinements::new, |known| *known);
        it.value = Value::unknown(known.not_null());
    }
}

/// Converts a tuple or an object to the kind of collection of the original type, if its elements have a unified type.
fn to_collection(original: &Type, it: Typed) -> Typed {
    let collection: fn(Type) -> Type = match original {
        Type::List(_) => Type::list,
        Type::Set(_) => Type::set,
        Type::Map(_) => Type::map,
        _ => return it,
    };
    let types: Vec<Type> = match &it.ty {
        Type::Tuple(types) => types.to_vec(),
        Type::Object(types) => types.attributes().iter().map(|it| it.ty.clone()).collect(),
        _ => Vec::new(),
    };
    let element = match (&*types, original.element()) {
        ([], Some(element)) => Some(element.clone()),
        (types, _) => unify(types, Mode::Unsafe).map(|it| it.ty),
    };
    let collection = element.map(|element| convert(it.value.clone(), &it.ty, &collection(element)));
    match collection {
        Some(Ok(collection)) => collection,
        _ => it,
    }
}
