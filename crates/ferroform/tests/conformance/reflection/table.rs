//! The Rust type for each native type of the cases.

use std::collections::BTreeMap;

use ferroform::value::{Error, Number, Path, Type, Value};
use ferroform::{Attr, Config, Data, Diagnostics, Dynamic, IntoData, Maybe, Unhandled};
use num_bigint::BigInt;
use serde_json::Value as Json;

use super::natives::*;

/// Reads and writes values of the Rust type that corresponds to a native type.
pub struct Counterpart {
    /// Reads the value at a path. The result has the type `ty` if that is set.
    pub get: fn(&Data, &Path, Unhandled) -> Result<Value, Diagnostics>,
    pub make: fn(&Json) -> Result<Data, Error>,
    pub ty: Option<Type>,
}

/// Returns the counterpart for a Rust type that implements `Attr`.
fn rust<T: Attr>() -> Counterpart {
    Counterpart {
        get: |data, at, unhandled| Ok(concrete(&data.get_or::<T>(at, unhandled)?.to_value())),
        make: |it| {
            let mut value = crate::common::value(&typed_objects(it, &T::ty()), &T::ty())
                .ok_or_else(|| Error::new("not a value of the type"))?;
            // Fields that the case omits are null.
            if let (Value::Object(it), Type::Object(types)) = (&mut value, T::ty()) {
                let omitted: Vec<_> =
                    types.attributes().iter().filter(|a| it.get(&a.name).is_none()).collect();
                omitted.into_iter().for_each(|a| drop(it.insert(a.name.clone(), Value::Null)));
            }
            Ok(T::from_value_or(&value, Unhandled::default().null_as_default())?.into_data())
        },
        ty: Some(T::ty()),
    }
}

/// Gives the objects in dynamic attributes their types. The cases describe them by their strings only.
fn typed_objects(it: &Json, ty: &Type) -> Json {
    let object = |it: &Json| it["map"].as_object().filter(|_| it.get("dyn").is_none()).cloned();
    match (ty, object(it)) {
        (Type::Dynamic, Some(members)) => {
            let types: Json = members.keys().map(|name| (name.clone(), Json::from("string"))).collect();
            serde_json::json!({"dyn": {"type": ["object", types], "value": it}})
        }
        (Type::Object(types), Some(members)) => {
            let of = |name: &str| types.get(name).map_or(Type::Dynamic, |it| it.ty.clone());
            let typed: Json =
                members.iter().map(|(name, it)| (name.clone(), typed_objects(it, &of(name)))).collect();
            serde_json::json!({ "map": typed })
        }
        _ => it.clone(),
    }
}

/// Replaces dynamic values with their concrete values.
fn concrete(value: &Value) -> Value {
    let it = value.clone().transform(&mut |_, it| Ok::<_, Error>(it.without_type().clone()));
    it.unwrap()
}

/// The counterpart for a framework value type without a fixed element type: `Data` whose type matches a pattern.
macro_rules! data {
    ($kind:pat, $example:expr) => {
        Counterpart {
            get: |data, at, _| {
                let it = data.at(at)?;
                let error = || Diagnostics::from(Error::new("the type is of another kind").at(at.clone()));
                if matches!(it.ty(), $kind) { Ok(it.into_value()) } else { Err(error()) }
            },
            make: |it| {
                let value = crate::common::value(it, &$example);
                let value = value.ok_or_else(|| {
                    Error::new(format!("unsupported: {it} is not of the type {}", $example))
                })?;
                Data::typed($example, value).map_err(|it| Error::new(format!("unsupported: {it}")))
            },
            ty: None,
        }
    };
}

/// The native types whose Rust counterparts do not compile.
pub const DO_NOT_COMPILE: [&str; 8] = [
    "channel",
    "complex",
    "map_keyed_by_i64<string>",
    "struct{A:string}",
    "struct{:string}",
    "struct{a:string,a:string}",
    "struct{..struct{a:string},a:string}",
    "struct{..option<struct{a:string}>,b:option<i64>}",
];

/// The counterpart for a type that does not compile as an attribute. The crate `compile-fail` covers the errors of the derive.
fn does_not_compile() -> Counterpart {
    fn error() -> Error {
        Error::new("does not compile")
    }
    Counterpart { get: |_, at, _| Err(error().at(at.clone()).into()), make: |_| Err(error()), ty: None }
}

type Map<T> = BTreeMap<String, T>;
/// A Go slice or map can be nil.
type OptVec<T> = Option<Vec<T>>;
type OptMap<T> = Option<Map<T>>;
/// The framework's value types can be null and unknown.
type FrameworkValue<T> = Maybe<Option<T>>;

/// Matches a type and the collections of that type.
macro_rules! composed {
    ($it:expr, $inner:expr, $rust:ty) => {
        match $it {
            [] if $inner => Some(rust::<$rust>()),
            ["option"] if $inner => Some(rust::<Option<$rust>>()),
            ["vec"] if $inner => Some(rust::<OptVec<$rust>>()),
            ["map"] if $inner => Some(rust::<OptMap<$rust>>()),
            ["vec", "option"] if $inner => Some(rust::<OptVec<Option<$rust>>>()),
            ["map", "option"] if $inner => Some(rust::<OptMap<Option<$rust>>>()),
            ["option", "option"] if $inner => Some(rust::<Option<Option<$rust>>>()),
            ["option", "vec"] if $inner => Some(rust::<Option<OptVec<$rust>>>()),
            ["option", "map"] if $inner => Some(rust::<Option<OptMap<$rust>>>()),
            ["vec", "vec"] if $inner => Some(rust::<OptVec<OptVec<$rust>>>()),
            ["vec", "map"] if $inner => Some(rust::<OptVec<OptMap<$rust>>>()),
            ["map", "vec"] if $inner => Some(rust::<OptMap<OptVec<$rust>>>()),
            ["map", "map"] if $inner => Some(rust::<OptMap<OptMap<$rust>>>()),
            _ => None,
        }
    };
}

/// Matches a type, and the collections of that type that are not nested.
macro_rules! simple {
    ($it:expr, $inner:expr, $rust:ty) => {
        match $it {
            [] if $inner => Some(rust::<$rust>()),
            ["option"] if $inner => Some(rust::<Option<$rust>>()),
            ["vec"] if $inner => Some(rust::<OptVec<$rust>>()),
            ["map"] if $inner => Some(rust::<OptMap<$rust>>()),
            ["array0"] if $inner => Some(rust::<[$rust; 0]>()),
            ["array1"] if $inner => Some(rust::<[$rust; 1]>()),
            ["array2"] if $inner => Some(rust::<[$rust; 2]>()),
            ["array3"] if $inner => Some(rust::<[$rust; 3]>()),
            _ => None,
        }
    };
}

macro_rules! table {
    ($name:expr; composed { $($inner:literal: $composed:ty),+ $(,)? } simple { $($simple:literal: $simple_type:ty),+ $(,)? } single { $($single:literal: $rust:ty),+ $(,)? }) => {{
        let name: &str = $name;
        let (outer, inner) = split_type_name(name);
        $(if let Some(it) = composed!(outer.as_slice(), inner == $inner, $composed) {
            return Ok(it);
        })+
        $(if let Some(it) = simple!(outer.as_slice(), inner == $simple, $simple_type) {
            return Ok(it);
        })+
        match name {
            $($single => Some(rust::<$rust>()),)+
            _ => None,
        }
    }};
}

/// Splits a type name into its collections, outermost first, and the inner type.
fn split_type_name(mut name: &str) -> (Vec<&str>, &str) {
    let mut outer = Vec::new();
    while let Some((it, inside)) = name
        .split_once('<')
        .filter(|(it, _)| matches!(*it, "option" | "vec" | "map") || it.starts_with("array"))
        && let Some(inside) = inside.strip_suffix('>')
    {
        outer.push(it);
        name = inside;
    }
    (outer, name)
}

/// Returns the counterpart of a native type.
pub fn counterpart(name: &str) -> Result<Counterpart, String> {
    let found = table! {
        name;
        composed {
            "string": String,
            "bool": bool,
            "i64": i64,
            "f64": f64,
            "struct{a:string}": A,
            "types.String": FrameworkValue<String>,
            "types.Int64": FrameworkValue<i64>,
            "types.Bool": FrameworkValue<bool>,
            "alias<string>": AliasString,
            "any": Option<Dynamic>,
        }
        simple {
            "string": String,
            "bool": bool,
            "i8": i8,
            "i16": i16,
            "i32": i32,
            "i64": i64,
            "u8": u8,
            "u16": u16,
            "u32": u32,
            "u64": u64,
            "f32": f32,
            "f64": f64,
            "bigint": Option<BigInt>,
            "bigfloat": Option<Number>,
            "struct{a:string}": A,
            "types.String": FrameworkValue<String>,
            "types.Bool": FrameworkValue<bool>,
            "types.Int32": FrameworkValue<i32>,
            "types.Int64": FrameworkValue<i64>,
            "types.Float64": FrameworkValue<f64>,
            "types.Float32": FrameworkValue<f32>,
            "types.Number": FrameworkValue<Number>,
            "alias<string>": AliasString,
            "alias<bool>": AliasBool,
            "alias<i64>": AliasI64,
            "alias<f64>": AliasF64,
            "any": Option<Dynamic>,
        }
        single {
            "alias<vec<string>>": AliasVec,
            "alias<map<string>>": AliasMap,
            "map_keyed_by_alias<string>": Option<BTreeMap<AliasString, String>>,
            "unknownable<string>": Maybe<String>,
            "nullable<string>": Option<String>,
            "converter<string>": Converter,
            "struct{}": Empty,
            "struct{a:option<string>}": OptionA,
            "struct{a:string,b:i64}": Both,
            "struct{a:string,b:option<i64>}": OptionB,
            "struct{a:string,z:string}": OtherZ,
            "struct{b:string}": OtherB,
            "struct{a:any}": AnyA,
            // A struct of framework values corresponds to a configuration view.
            "struct{a:types.String}": Config<OptionA>,
            "struct{a:types.String,b:types.Int64}": Config<OptionBoth>,
            "struct{n:types.Object}": Config<AnyN>,
            "struct{n:struct{a:string}}": Nested,
            "struct{n:option<struct{a:string}>}": NestedOption,
            "struct{n:vec<struct{a:string}>}": NestedVec,
            "struct{n:map<struct{a:string}>}": NestedMap,
            "struct{a:string,-:string}": WithSkippedField,
            "struct{a:string,private:string}": Private,
            "struct{a:string,untagged:string}": Untagged,
            "struct{..struct{a:string},b:option<i64>}": Embedded,
            "struct{..private struct{a:string},b:option<i64>}": Embedded,
        }
    };
    if let Some(found) = found {
        return Ok(found);
    }
    Ok(match name {
        "types.List" => data!(Type::List(_), Type::list(Type::String)),
        "types.Set" => data!(Type::Set(_), Type::set(Type::String)),
        "types.Map" => data!(Type::Map(_), Type::map(Type::String)),
        "types.Object" => data!(Type::Object(_), Type::object([("a", Type::String)])),
        "types.Dynamic" => data!(Type::Dynamic, Type::Dynamic),
        "types.any" => data!(_, Type::Dynamic),
        name if DO_NOT_COMPILE.contains(&name) => does_not_compile(),
        _ => return Err(format!("unsupported: the native type {name} has no counterpart")),
    })
}
