//! The fields of a model while it is converted, and the combination of those of a request with those of a response.

use std::collections::HashMap;

use crate::generate::definition::{Collection, Field, Type, Variant};

/// Fields with different names.
#[derive(Debug, Default)]
pub(super) struct FieldList {
    fields: Vec<Field>,
    positions: HashMap<String, usize>,
}

impl FieldList {
    pub(super) fn new(fields: Vec<Field>) -> FieldList {
        let mut list = FieldList::default();
        fields.into_iter().for_each(|it| drop(list.add(it)));
        list
    }

    /// Adds a field. Returns it if another field has its name.
    pub(super) fn add(&mut self, field: Field) -> Option<Field> {
        if self.positions.contains_key(&field.name) {
            return Some(field);
        }
        self.positions.insert(field.name.clone(), self.fields.len());
        self.fields.push(field);
        None
    }

    pub(super) fn get(&self, name: &str) -> Option<&Field> {
        self.positions.get(name).map(|position| &self.fields[*position])
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Field> {
        self.positions.get(name).map(|position| &mut self.fields[*position])
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        self.fields.iter_mut()
    }

    /// Returns this name, or the first one with a number that no field has.
    pub(super) fn free_name(&self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = [name.clone()].into_iter().chain(numbered);
        // The numbers never end, so a name is always found.
        names.find(|it| !self.positions.contains_key(it)).unwrap_or(name)
    }

    /// Renames a field to this name, or to the first one with a number that no field has. Returns the name.
    pub(super) fn rename(&mut self, name: &str, renamed: String) -> String {
        let renamed = self.free_name(renamed);
        if let Some(position) = self.positions.remove(name) {
            self.fields[position].name.clone_from(&renamed);
            self.positions.insert(renamed.clone(), position);
        }
        renamed
    }

    pub(super) fn into_vec(self) -> Vec<Field> {
        self.fields
    }

    /// Adds the computed fields of a response to those of a request. If the type of a property differs, the value in the
    /// response is another attribute: `image` is a string, and `image_details` is the object that the API returns.
    pub(super) fn add_response(&mut self, returned: Vec<Field>, warn: &mut dyn FnMut(String)) {
        for field in returned {
            let Some(requested) = self.get_mut(&field.name) else {
                drop(self.add(field));
                continue;
            };
            let expected = type_name(&requested.ty);
            let Some(ty) = combine(&mut requested.ty, field.ty.clone(), warn) else { continue };
            let name = self.free_name(format!("{}_details", field.name));
            warn(format!(
                "property {}: {expected} in the request, but {} in the response; the attribute {name} contains the value in \
                 the response",
                field.name,
                type_name(&ty)
            ));
            drop(self.add(Field { name, ty, ..field }));
        }
    }
}

/// Adds the attributes of the models in a response to those in a request. Returns the type in the response if a value of
/// the type in the request cannot contain it.
fn combine(requested: &mut Type, returned: Type, warn: &mut dyn FnMut(String)) -> Option<Type> {
    match (requested, returned) {
        (Type::Model(requested), Type::Model(returned)) => {
            let mut fields = FieldList::new(std::mem::take(&mut requested.fields));
            fields.add_response(returned.fields, warn);
            requested.fields = fields.into_vec();
            requested.fields.sort_by_key(|it| it.mode);
            None
        }
        (Type::Collection(one, requested), Type::Collection(other, returned))
            if (*one == Collection::Map) == (other == Collection::Map) =>
        {
            let differing = combine(requested, *returned, warn)?;
            Some(Type::Collection(other, Box::new(differing)))
        }
        (requested, returned) => (!accepts(requested, &returned)).then_some(returned),
    }
}

/// Returns true if values of the second type, which is not a model, can be values of the first one.
fn accepts(requested: &Type, returned: &Type) -> bool {
    let is_alternative = |it: &Variant| match (&it.data, returned) {
        (Some(Type::Model(variant)), Type::Model(returned)) => {
            returned.fields.iter().all(|field| variant.fields.iter().any(|it| it.name == field.name))
        }
        (Some(data), returned) => accepts(data, returned),
        (None, _) => false,
    };
    match (requested, returned) {
        (Type::Scalar("Json"), _) | (_, Type::Scalar("Json")) => true,
        (Type::Enum(it), _) if it.has_data() => it.variants.iter().any(is_alternative),
        _ => Primitive::of(requested).is_some_and(|it| Primitive::of(returned) == Some(it)),
    }
}

/// The primitive types of JSON. Integers are numbers.
#[derive(PartialEq, Eq)]
enum Primitive {
    Bool,
    Number,
    String,
}

impl Primitive {
    fn of(ty: &Type) -> Option<Primitive> {
        match ty {
            Type::Scalar("Json") => None,
            Type::Scalar("bool") => Some(Primitive::Bool),
            Type::Scalar("i32" | "i64" | "u32" | "u64" | "f64") => Some(Primitive::Number),
            Type::Scalar(_) => Some(Primitive::String),
            Type::Enum(it) => (!it.has_data()).then_some(Primitive::String),
            Type::Nullable(it) => Primitive::of(it),
            Type::Model(_) | Type::Collection(..) | Type::Tuple(_) => None,
        }
    }
}

/// Returns the name of a type for a warning.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(_) | Type::Enum(_) if Primitive::of(ty).is_some() => match Primitive::of(ty) {
            Some(Primitive::Bool) => "bool".to_owned(),
            Some(Primitive::Number) => "number".to_owned(),
            _ => "string".to_owned(),
        },
        Type::Scalar(_) => "JSON".to_owned(),
        Type::Enum(it) => {
            let names = it.variants.iter().filter_map(|it| it.data.as_ref()).map(type_name);
            names.collect::<Vec<_>>().join(" or ")
        }
        Type::Model(_) => "object".to_owned(),
        Type::Collection(Collection::List, it) => format!("list({})", type_name(it)),
        Type::Collection(Collection::Set, it) => format!("set({})", type_name(it)),
        Type::Collection(Collection::Map, it) => format!("map({})", type_name(it)),
        Type::Tuple(_) => "tuple".to_owned(),
        Type::Nullable(it) => type_name(it),
    }
}
