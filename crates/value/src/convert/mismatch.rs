//! Why there is no conversion between two types.

use crate::{ObjectType, Type};

/// Says why no value of the type `from` converts to `to`: what is wanted, as far inside as can be told.
pub fn mismatch(from: &Type, to: &Type) -> String {
    match (from, to) {
        (Type::Object(given), Type::Object(wanted)) => {
            objects(given, wanted).unwrap_or_else(|| required(from, to))
        }
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            format!("all elements of the {} must have the same type", to.kind())
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all elements of the map must have the same type".into()
        }
        (Type::Tuple(given), Type::List(element) | Type::Set(element)) => {
            let bad = given.iter().enumerate().find(|(_, it)| cannot(it, element));
            match bad {
                Some((i, it)) => format!("element {i}: {}", mismatch(it, element)),
                None => format!("all elements must be {}", name(element)),
            }
        }
        (Type::Object(given), Type::Map(element)) => {
            let bad = given.attributes().iter().find(|it| cannot(&it.ty, element));
            match bad {
                Some(it) => format!("element {:?}: {}", it.name, mismatch(&it.ty, element)),
                None => format!("all elements must be {}", name(element)),
            }
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted) | Type::Set(wanted))
        | (Type::Map(given), Type::Map(wanted)) => {
            format!("the element type of the {} does not fit: {}", to.kind(), mismatch(given, wanted))
        }
        _ => required(from, to),
    }
}

fn objects(given: &ObjectType, wanted: &ObjectType) -> Option<String> {
    let wanted = wanted.attributes();
    let missing: Vec<String> = wanted
        .iter()
        .filter(|it| !it.optional && given.get(&it.name).is_none())
        .map(|it| format!("{:?}", it.name))
        .collect();
    match &*missing {
        [] => {}
        [one] => return Some(format!("the attribute {one} is required")),
        [first @ .., last] => {
            return Some(format!("the attributes {} and {last} are required", first.join(", ")));
        }
    }
    wanted.iter().find_map(|it| {
        let given = given.get(&it.name).filter(|given| cannot(&given.ty, &it.ty))?;
        Some(format!("attribute {:?}: {}", it.name, mismatch(&given.ty, &it.ty)))
    })
}

fn cannot(from: &Type, to: &Type) -> bool {
    super::plan(from, to, super::Mode::Unsafe).is_none()
}

fn required(from: &Type, to: &Type) -> String {
    format!("{} is required, but this is {}", name(to), name(from))
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
