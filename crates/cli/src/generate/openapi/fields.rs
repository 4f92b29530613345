//! The fields of a model while it is converted, and the combination of those of a request with those of a response.

use std::collections::HashMap;

use crate::generate::defaults;
use crate::generate::definition::{Collection, Field, Mode, Model, Type, Variant};
use crate::generate::docs::string_literal;
use crate::generate::names::free_name;

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
    pub(super) fn free_name(&self, name: &str) -> String {
        free_name(name, |it| !self.positions.contains_key(it))
    }

    /// Renames a field to this name, or to the first one with a number that no field has. Returns the name.
    pub(super) fn rename(&mut self, name: &str, renamed: &str) -> String {
        let renamed = self.free_name(renamed);
        if let Some(position) = self.positions.remove(name) {
            self.fields[position].name.clone_from(&renamed);
            self.positions.insert(renamed.clone(), position);
        }
        renamed
    }

    /// Adds a field, or the fields of its objects, that only one of several requests or responses contains, so that its value
    /// can be null. `added` receives the name of each added field.
    pub(super) fn add_missing(&mut self, mut field: Field, added: &mut dyn FnMut(&str)) {
        if let Some(known) = self.get_mut(&field.name) {
            return add_missing_inside(&mut known.ty, field.ty, added);
        }
        added(&field.name);
        field.is_always_set = false;
        if field.mode == Mode::Required {
            field.mode = Mode::Optional;
        }
        drop(self.add(field));
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
            // The request only declares that the API ignores it.
            if requested.mode == Mode::Computed {
                *requested = field;
                continue;
            }
            let expected = type_name(&requested.ty);
            let Some(ty) = combine(&mut requested.ty, field.ty.clone(), warn) else {
                widen(requested, &field.ty);
                continue;
            };
            let name = self.free_name(&format!("{}_details", field.name));
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

/// Adds the attributes of the models in a type that another type of the same property does not have.
fn add_missing_inside(ty: &mut Type, other: Type, added: &mut dyn FnMut(&str)) {
    match (ty, other) {
        (Type::Model(model), Type::Model(other)) => {
            let mut fields = FieldList::new(std::mem::take(&mut model.fields));
            other.fields.into_iter().for_each(|it| fields.add_missing(it, added));
            model.fields = fields.into_vec();
        }
        (Type::Nullable(ty), other) => add_missing_inside(ty, other, added),
        (ty, Type::Nullable(other)) => add_missing_inside(ty, *other, added),
        (Type::Collection(_, ty), Type::Collection(_, other)) => add_missing_inside(ty, *other, added),
        _ => {}
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
            None
        }
        (Type::Nullable(requested), returned) => combine(requested, returned, warn),
        (requested, Type::Nullable(returned)) => combine(requested, *returned, warn).map(Type::nullable),
        (Type::Collection(one, requested), Type::Collection(other, returned))
            if (*one == Collection::Map) == (other == Collection::Map) =>
        {
            let differing = combine(requested, *returned, warn)?;
            Some(Type::Collection(other, Box::new(differing)))
        }
        (requested, returned) => (!accepts(requested, &returned)).then_some(returned),
    }
}

/// Makes the type of a field accept the values in a response as well, of which the configuration still accepts only those in
/// the request.
fn widen(requested: &mut Field, returned: &Type) {
    if requested.mode == Mode::Computed {
        return;
    }
    allow_null(&mut requested.ty, returned, &mut |it| requested.validators.push(it));
    let accepted = replace_enum(&mut requested.ty.clone()).unwrap_or_default();
    // A string without known values can be any.
    let is_accepted = |values: Vec<String>| values.iter().all(|it| accepted.contains(it));
    if !replace_enum(&mut returned.clone()).is_some_and(is_accepted) {
        open_enum(requested);
    }
    // The response of an alternative or of a JSON document can contain any strings.
    let is_combined =
        [innermost(&requested.ty), innermost(returned)].iter().all(|it| matches!(it, Type::Model(_)));
    if !is_combined {
        let any = &Type::Scalar("Json");
        for_each_model(&mut requested.ty, &mut |it| it.fields.iter_mut().for_each(|it| widen(it, any)));
    }
}

/// Returns true if one attribute can contain a property and the parameter with the same name: both are primitive, or both
/// are collections.
pub(super) fn is_compatible(property: &Type, parameter: &Type) -> bool {
    let is_json = *property == Type::Scalar("Json");
    [property, parameter].iter().all(|it| Primitive::of(it).is_some())
        || (!is_json && combine(&mut parameter.clone(), property.clone(), &mut |_| ()).is_none())
}

/// Makes the field of a property configurable with the values of a parameter. The type of a property is usually more
/// specific than that of a parameter.
pub(super) fn accept_parameter(field: &mut Field, mut parameter: Field) {
    (field.is_write_only, field.requires_replace) = (false, parameter.requires_replace);
    let mode = match (parameter.mode, field.mode) {
        (Mode::Required, _) => Mode::Required,
        (_, Mode::Computed) => Mode::OptionalComputed,
        (_, mode) => mode,
    };
    if mode == Mode::Required {
        field.default = None;
    }
    if field.mode == Mode::Computed {
        if matches!(field.ty, Type::Enum(_)) && accepts(&parameter.ty, &field.ty) {
            widen(&mut parameter, &field.ty);
            field.ty = parameter.ty.clone();
        }
        if field.ty == parameter.ty {
            field.validators = parameter.validators;
        }
    }
    (field.mode, field.is_always_set) = (mode, false);
}

/// Returns the type of the elements of all collections.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Collection(_, inside) | Type::Nullable(inside) => innermost(inside),
        ty => ty,
    }
}

fn allow_null(requested: &mut Type, returned: &Type, validate: &mut dyn FnMut(String)) {
    match (requested, returned) {
        (Type::Nullable(requested), _) => allow_null(requested, returned, validate),
        (Type::Collection(_, requested), Type::Collection(_, returned)) => {
            let inside = &mut |it| validate(format!("validators::each({it})"));
            allow_null(requested, returned.non_null(), inside);
            let is_nullable = |it: &Type| matches!(it, Type::Nullable(_));
            if is_nullable(returned) && !is_nullable(requested) {
                **requested = std::mem::replace(&mut **requested, Type::Scalar("Json")).nullable();
                validate("validators::no_null_values()".to_owned());
            }
        }
        _ => {}
    }
}

/// Replaces the enum of a field with a string, whose validator accepts the same values in the configuration.
pub(super) fn open_enum(field: &mut Field) {
    if let Some(values) = replace_enum(&mut field.ty) {
        field.validators.push(one_of(&field.ty, &values));
    }
}

/// Replaces the strings with known values in a type with any strings. Returns the known values.
fn replace_enum(ty: &mut Type) -> Option<Vec<String>> {
    match ty {
        Type::Enum(it) if !it.has_data() => {
            let values = it.variants.iter().map(|it| it.name.clone()).collect();
            *ty = Type::Scalar("String");
            Some(values)
        }
        Type::Collection(_, element) | Type::Nullable(element) => replace_enum(element),
        _ => None,
    }
}

/// Returns the validator of strings, or of collections of strings.
fn one_of(ty: &Type, values: &[String]) -> String {
    match ty {
        Type::Collection(_, element) => format!("validators::each({})", one_of(element, values)),
        Type::Nullable(inner) if **inner != Type::Scalar("String") => one_of(inner, values),
        _ => {
            let owned = if *ty == Type::Scalar("String") { "" } else { ".to_owned()" };
            let values = values.iter().map(|it| string_literal(it) + owned);
            format!("validators::one_of([{}])", values.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Completes fields that contain all properties of the requests and responses: their types, modes and order.
pub(super) fn finish(fields: &mut [Field], warn: &mut dyn FnMut(String)) {
    for field in fields.iter_mut() {
        for_each_model(&mut field.ty, &mut |model| finish(&mut model.fields, warn));
        if field.mode == Mode::Computed {
            describe_values(field);
        }
        check_default(field, warn);
        if field.default.is_some() {
            field.mode = Mode::Optional;
        }
    }
    fields.sort_by_key(|it| it.mode);
}

/// Removes a default that the generated code cannot contain.
pub(super) fn check_default(field: &mut Field, warn: &mut dyn FnMut(String)) {
    // A default is stored, and a write-only value is not.
    let is_valid = !field.is_write_only && defaults::option(field, &mut |_| String::new()).is_some();
    if let Some(default) = field.default.take_if(|_| !is_valid) {
        let name = &field.name;
        warn(format!("property {name}: the default {default} is ignored, because it is not supported"));
    }
}

/// Calls the function with each model directly inside the type.
fn for_each_model(ty: &mut Type, visit: &mut dyn FnMut(&mut Model)) {
    match ty {
        Type::Model(model) => visit(model),
        Type::Collection(_, inside) | Type::Nullable(inside) => for_each_model(inside, visit),
        Type::Enum(it) => {
            it.variants.iter_mut().filter_map(|it| it.data.as_mut()).for_each(|it| for_each_model(it, visit));
        }
        Type::Scalar(_) | Type::Tuple(_) => {}
    }
}

/// Replaces the enum of a computed field with a string, because the API may return other values in the future. The
/// description contains the known values.
fn describe_values(field: &mut Field) {
    let Some(values) = replace_enum(&mut field.ty) else { return };
    let code = |it: &String| if it.is_empty() { "`\"\"`".to_owned() } else { format!("`{it}`") };
    let values: Vec<String> = values.iter().map(code).collect();
    let content = &mut field.description.content;
    let separator = if content.is_empty() { "" } else { "\n\n" };
    *content = format!("{content}{separator}Known values: {}.", values.join(", "));
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
