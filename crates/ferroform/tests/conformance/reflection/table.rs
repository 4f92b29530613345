//! The Rust type for each native type of the cases.

use std::collections::BTreeMap;

use ferroform::value::{Error, Number, Path, Type, Value};
use ferroform::{Attr, Config, Data, Diagnostics, Dynamic, IntoData, Maybe, Unhandled};
use num_bigint::BigInt;
use serde_json::Value as Json;

use super::natives::*;

/// How a native type is read and made here.
pub struct Counterpart {
    /// What is read, as a value of `ty`, where that is fixed.
    pub get: fn(&Data, &Path, Unhandled) -> Result<Value, Diagnostics>,
    pub make: fn(&Json) -> Result<Data, Error>,
    pub ty: Option<Type>,
}

/// A Rust type.
fn rust<T: Attr>() -> Counterpart {
    Counterpart {
        get: |data, at, unhandled| Ok(bare(&data.get_or::<T>(at, unhandled)?.to_value())),
        make: |it| {
            let mut value =
                crate::common::value(it, &T::ty()).ok_or_else(|| Error::new("not a value of the type"))?;
            // A field that the case leaves out is the author's to fill.
            if let (Value::Object(it), Type::Object(types)) = (&mut value, T::ty()) {
                let left_out: Vec<_> =
                    types.attributes().iter().filter(|a| it.get(&a.name).is_none()).collect();
                left_out.into_iter().for_each(|a| drop(it.insert(a.name.clone(), Value::Null)));
            }
            Ok(T::from_value_or(&value, Unhandled::default().null_as_default())?.into_data())
        },
        ty: Some(T::ty()),
    }
}

/// What may be anything, as what it is.
fn bare(value: &Value) -> Value {
    let it = value.clone().transform(&mut |_, it| Ok::<_, Error>(it.without_type().clone()));
    it.unwrap()
}

/// A value with its type, of whatever state: `Data`, where its type is of the kind.
macro_rules! data {
    ($kind:pat, $example:expr) => {
        Counterpart {
            get: |data, at, _| {
                let it = data.at(at)?;
                let error = || Diagnostics::from(Error::new("the type is of another kind").under(at));
                if matches!(it.ty(), $kind) { Ok(it.into_value()) } else { Err(error()) }
            },
            make: |it| Ok(Data::typed($example, crate::common::value(it, &$example).unwrap()).unwrap()),
            ty: None,
        }
    };
}

/// What rustc refuses to make an attribute of; the derive's own refusals are in `tests/ui`.
fn refused() -> Counterpart {
    fn error() -> Error {
        Error::new("does not compile")
    }
    Counterpart { get: |_, at, _| Err(error().under(at).into()), make: |_| Err(error()), ty: None }
}

type Map<T> = BTreeMap<String, T>;
/// In Go a slice and a map can be missing.
type OptVec<T> = Option<Vec<T>>;
type OptMap<T> = Option<Map<T>>;
/// The framework's own value types have three states.
type Three<T> = Maybe<Option<T>>;

/// The type itself, and in the collections that are composed of it.
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

macro_rules! table {
    ($name:expr; composed { $($inner:literal: $composed:ty),+ $(,)? } single { $($single:literal: $rust:ty),+ $(,)? }) => {{
        let name: &str = $name;
        let (outer, inner) = taken_apart(name);
        $(if let Some(it) = composed!(outer.as_slice(), inner == $inner, $composed) {
            return Ok(it);
        })+
        match name {
            $($single => Some(rust::<$rust>()),)+
            _ => None,
        }
    }};
}

/// The collections around a type, from the outside.
fn taken_apart(mut name: &str) -> (Vec<&str>, &str) {
    let mut outer = Vec::new();
    while let Some((it, inside)) =
        name.split_once('<').filter(|(it, _)| matches!(*it, "option" | "vec" | "map"))
        && let Some(inside) = inside.strip_suffix('>')
    {
        outer.push(it);
        name = inside;
    }
    (outer, name)
}

/// The counterpart of the native type of that name.
pub fn counterpart(name: &str) -> Result<Counterpart, String> {
    let found = table! {
        name;
        composed {
            "string": String,
            "bool": bool,
            "i64": i64,
            "f64": f64,
            "struct{a:string}": A,
            "types.String": Three<String>,
            "types.Int64": Three<i64>,
            "types.Bool": Three<bool>,
            "alias<string>": AliasString,
            "any": Option<Dynamic>,
        }
        single {
            "i8": i8,
            "i16": i16,
            "i32": i32,
            "u8": u8,
            "u16": u16,
            "u32": u32,
            "u64": u64,
            "f32": f32,
            "option<i8>": Option<i8>,
            "option<i16>": Option<i16>,
            "option<i32>": Option<i32>,
            "option<u8>": Option<u8>,
            "option<u16>": Option<u16>,
            "option<u32>": Option<u32>,
            "option<u64>": Option<u64>,
            "option<f32>": Option<f32>,
            "bigint": Option<BigInt>,
            "bigfloat": Option<Number>,
            "types.Int32": Three<i32>,
            "types.Float64": Three<f64>,
            "types.Float32": Three<f32>,
            "types.Number": Three<Number>,
            "array2<string>": [String; 2],
            "alias<bool>": AliasBool,
            "alias<i64>": AliasI64,
            "alias<f64>": AliasF64,
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
            // A struct of the framework's values is the view of a configuration.
            "struct{a:types.String}": Config<OptionA>,
            "struct{a:types.String,b:types.Int64}": Config<OptionBoth>,
            "struct{n:types.Object}": Config<AnyN>,
            "struct{n:struct{a:string}}": Nested,
            "struct{n:option<struct{a:string}>}": NestedOption,
            "struct{n:vec<struct{a:string}>}": NestedVec,
            "struct{n:map<struct{a:string}>}": NestedMap,
            "struct{a:string,-:string}": LeftOut,
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
        "channel"
        | "complex"
        | "map_keyed_by_i64<string>"
        | "struct{A:string}"
        | "struct{:string}"
        | "struct{a:string,a:string}"
        | "struct{..struct{a:string},a:string}"
        | "struct{..option<struct{a:string}>,b:option<i64>}" => refused(),
        _ => return Err(format!("no counterpart of {name}")),
    })
}
