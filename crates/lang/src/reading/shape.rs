//! Reading a value directly as the type of a constraint.

use std::sync::Arc;

use ferroform_value::convert::convert;
use ferroform_value::{NfcString, Object, Set, Type, Typed, Value};

use super::{Source, Start, read};
use crate::defaults::Defaults;
use crate::type_constraint::Constraint;

/// A type constraint, prepared for reading values.
pub(crate) struct Shape<'t> {
    ty: &'t Type,
    defaults: Option<&'t Defaults>,
    kind: Kind<'t>,
}

enum Kind<'t> {
    List(Box<Shape<'t>>),
    Set(Box<Shape<'t>>),
    Map(Box<Shape<'t>>),
    Object {
        attributes: Vec<Attribute<'t>>,
        /// An object with null attributes. Its clones share the table of names.
        template: Object,
    },
    /// The value is read without a type and converted.
    Other,
}

struct Attribute<'t> {
    name: Arc<str>,
    shape: Shape<'t>,
    is_required: bool,
    /// The default, converted to the type of the attribute.
    default: Option<Value>,
}

impl<'t> Shape<'t> {
    /// Prepares a constraint; `None` if the type of its values depends on the value.
    pub(crate) fn new(constraint: &'t Constraint) -> Option<Shape<'t>> {
        if constraint.ty.has_dynamic() {
            return None;
        }
        Shape::of(&constraint.ty, constraint.defaults.as_ref())
    }

    fn of(ty: &'t Type, defaults: Option<&'t Defaults>) -> Option<Shape<'t>> {
        let child = |name: &str| defaults.and_then(|it| it.children().get(name));
        let kind = match ty {
            Type::List(of) => Kind::List(Box::new(Shape::of(of, child(""))?)),
            Type::Set(of) => Kind::Set(Box::new(Shape::of(of, child(""))?)),
            Type::Map(of) => Kind::Map(Box::new(Shape::of(of, child(""))?)),
            Type::Object(types) => {
                let attributes = types.attributes().iter().map(|it| {
                    let shape = Shape::of(&it.ty, child(&it.name))?;
                    let default = defaults.and_then(|defaults| defaults.values().get(&it.name));
                    let default = match default {
                        Some(default) => Some(shape.convert(default.clone())?),
                        None => None,
                    };
                    Some(Attribute { name: it.name.clone(), shape, is_required: !it.optional, default })
                });
                let attributes = attributes.collect::<Option<Vec<_>>>()?;
                let template = attributes.iter().map(|it| (it.name.clone(), Value::Null)).collect();
                Kind::Object { attributes, template }
            }
            Type::Bool | Type::Number | Type::String | Type::Tuple(_) | Type::Dynamic => Kind::Other,
        };
        Some(Shape { ty, defaults, kind })
    }

    /// Applies the defaults to a value and converts it.
    fn convert(&self, it: Typed) -> Option<Value> {
        let it = Typed::resolve(it.value, &it.ty).ok()?;
        let it = match self.defaults {
            Some(defaults) => defaults.apply(it),
            None => it,
        };
        convert(it.value, &it.ty, self.ty).ok().map(|it| it.value)
    }

    /// Reads a value. Sets `has_undeclared` if an object has attributes that its type does not have.
    pub(crate) fn read<S: Source>(&self, source: &mut S, has_undeclared: &mut bool) -> Option<Value> {
        if matches!(self.kind, Kind::Other) && matches!(self.ty, Type::Tuple(_)) {
            // A surplus attribute within a tuple is found in the value.
            *has_undeclared = true;
            return self.convert(read(source)?);
        }
        match (source.start()?, &self.kind) {
            (Start::Value(it), _) => {
                // The attributes of an object that an expression creates are found in its value.
                *has_undeclared |=
                    !matches!(it.value, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_));
                self.convert(it)
            }
            (Start::Sequence, Kind::List(of)) => Some(Value::List(of.elements(source, has_undeclared)?)),
            (Start::Sequence, Kind::Set(of)) => {
                Some(Value::Set(Set::from_iter(of.elements(source, has_undeclared)?)))
            }
            (Start::Mapping, Kind::Map(of)) => of.entries(source, has_undeclared),
            (Start::Mapping, Kind::Object { attributes, template }) => {
                object(attributes, template, source, has_undeclared)
            }
            _ => None,
        }
    }

    fn elements<S: Source>(&self, source: &mut S, has_undeclared: &mut bool) -> Option<Vec<Value>> {
        let mut elements = Vec::new();
        while source.element(elements.is_empty())? {
            elements.push(self.read(source, has_undeclared)?);
        }
        Some(elements)
    }

    fn entries<S: Source>(&self, source: &mut S, has_undeclared: &mut bool) -> Option<Value> {
        let mut entries = std::collections::BTreeMap::new();
        while let Some(key) = source.key(entries.is_empty())? {
            let value = self.read(source, has_undeclared)?;
            if entries.insert(key, value).is_some() && !S::ALLOWS_DUPLICATES {
                return None;
            }
        }
        Some(Value::Map(entries))
    }
}

fn object<S: Source>(
    attributes: &[Attribute<'_>],
    template: &Object,
    source: &mut S,
    has_undeclared: &mut bool,
) -> Option<Value> {
    let mut object = template.clone();
    let mut is_set = vec![false; attributes.len()];
    let mut surplus: Vec<NfcString> = Vec::new();
    let mut is_first = true;
    // Most objects have the attributes in the same order.
    let mut next = 0;
    while let Some(key) = source.key(std::mem::take(&mut is_first))? {
        let has_name = |it: &Attribute<'_>| *it.name == *key;
        let index = match attributes.get(next).is_some_and(has_name) {
            true => Some(next),
            false => attributes.binary_search_by(|it| (*it.name).cmp(&*key)).ok(),
        };
        let Some(index) = index else {
            *has_undeclared = true;
            read(source)?;
            if surplus.contains(&key) && !S::ALLOWS_DUPLICATES {
                return None;
            }
            surplus.push(key);
            continue;
        };
        next = index + 1;
        let attribute = &attributes[index];
        let value = attribute.shape.read(source, has_undeclared)?;
        if std::mem::replace(&mut is_set[index], true) && !S::ALLOWS_DUPLICATES {
            return None;
        }
        *object.get_mut(&attribute.name)? = value;
    }
    for (attribute, is_set) in attributes.iter().zip(is_set) {
        if !is_set && attribute.is_required {
            return None;
        }
        let value = object.get_mut(&attribute.name)?;
        if let (Value::Null, Some(default)) = (&*value, &attribute.default) {
            value.clone_from(default);
        }
    }
    Some(Value::Object(object))
}
