//! Why there is no conversion between two types.

use super::mode::Mode;
use super::plan::plan;
use crate::conformance::tuple_length;
use crate::error::Error;
use crate::path::Step;
use crate::ty::{ObjectType, Type};

/// Says why no value of the type `from` converts to `to`: what is wanted, and where, as far inside as the types
/// tell.
pub fn mismatch(from: &Type, to: &Type) -> Error {
    match (from, to) {
        (Type::Object(given), Type::Object(wanted)) => {
            objects(given, wanted).unwrap_or_else(|| required(from, to))
        }
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            Error::new(format!("all elements of the {} must have the same type", to.kind()))
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            Error::new("all elements of the map must have the same type")
        }
        (Type::Tuple(given), Type::List(element) | Type::Set(element)) => {
            let bad = given.iter().enumerate().find(|(_, it)| cannot(it, element));
            bad.map_or_else(|| required(from, to), |(i, it)| mismatch(it, element).below(Step::Index(i)))
        }
        (Type::Tuple(given), Type::Tuple(wanted)) if given.len() == wanted.len() => {
            let bad = given.iter().zip(wanted.iter()).enumerate().find(|(_, (given, it))| cannot(given, it));
            bad.map_or_else(
                || required(from, to),
                |(i, (given, wanted))| mismatch(given, wanted).below(Step::Index(i)),
            )
        }
        (Type::Tuple(given), Type::Tuple(wanted)) => tuple_length(wanted.len(), given.len()),
        (Type::Object(given), Type::Map(element)) => {
            let bad = given.attributes().iter().find(|it| cannot(&it.ty, element));
            bad.map_or_else(
                || required(from, to),
                |it| mismatch(&it.ty, element).below(Step::Key(it.name.clone())),
            )
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted) | Type::Set(wanted))
        | (Type::Map(given), Type::Map(wanted)) => {
            let why = mismatch(given, wanted);
            Error::new(format!("the element type of the {} does not fit: {why}", to.kind()))
        }
        _ => required(from, to),
    }
}

fn objects(given: &ObjectType, wanted: &ObjectType) -> Option<Error> {
    let wanted = wanted.attributes();
    let missing: Vec<String> = wanted
        .iter()
        .filter(|it| !it.optional && given.get(&it.name).is_none())
        .map(|it| format!("{:?}", it.name))
        .collect();
    match &*missing {
        [] => {}
        [one] => return Some(Error::new(format!("the attribute {one} is required"))),
        [first @ .., last] => {
            let first = first.join(", ");
            return Some(Error::new(format!("the attributes {first} and {last} are required")));
        }
    }
    wanted.iter().find_map(|it| {
        let given = given.get(&it.name).filter(|given| cannot(&given.ty, &it.ty))?;
        Some(mismatch(&given.ty, &it.ty).below(Step::Attribute(it.name.clone())))
    })
}

fn cannot(from: &Type, to: &Type) -> bool {
    plan(from, to, Mode::Unsafe).is_none()
}

fn required(from: &Type, to: &Type) -> Error {
    Error::mismatch(name(to), name(from))
}

/// The type in words, without what is inside an object or a tuple.
fn name(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "any type".into(),
        Type::List(it) | Type::Set(it) | Type::Map(it) => match &**it {
            Type::Dynamic => format!("a {} of any one type", ty.kind()),
            it => format!("a {} of {}", ty.kind(), plural(it)),
        },
        _ => crate::error::article(ty.kind()),
    }
}

fn plural(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "any one type".into(),
        Type::List(it) | Type::Set(it) | Type::Map(it) => format!("{}s of {}", ty.kind(), plural(it)),
        _ => format!("{}s", ty.kind()),
    }
}
