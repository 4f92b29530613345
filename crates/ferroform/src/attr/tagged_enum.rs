//! Support for enums with data: an object of which exactly one attribute is set.

use ferroform_value::{Error, Object, Step, Type, Value};

use ferroform_engine::schema::Block;

/// The type of the object.
pub fn tagged_enum_type(block: Option<Block>) -> Type {
    block.unwrap_or_default().ty().clone()
}

/// The name of the attribute that is set. An unknown attribute counts as set if all others are null.
pub fn configured_variant<'a>(object: Option<&Object>, names: &[&'a str]) -> Result<&'a str, Error> {
    let (set, unknown) = object.map(|it| split(it, names)).unwrap_or_default();
    match (set.as_slice(), unknown.as_slice()) {
        ([one], _) | ([], [one]) => Ok(one),
        ([], []) => Err(Error::new(format!("exactly one of {} must be set, but none is", list(names, ", ")))),
        ([], _) => Err(Error::new(format!("it is not known yet which of {} is set", list(names, ", ")))),
        ([first, ..], _) => {
            let message =
                format!("exactly one of {} must be set, but {} are", list(names, ", "), list(&set, " and "));
            Err(Error::new(message).below(Step::Attribute((*first).into())))
        }
    }
}

/// Returns true if it is unknown which attribute will be set.
pub fn is_variant_unknown(value: &Value, names: &[&str]) -> bool {
    let is_undecided = |object| {
        let (set, unknown) = split(object, names);
        set.is_empty() && unknown.len() > 1
    };
    value.is_unknown() || value.as_object().is_some_and(is_undecided)
}

/// The object in which only the attribute of the variant is set.
pub fn variant_value(variant: &str, value: Value, names: &[&str]) -> Value {
    let others = names.iter().filter(|it| **it != variant).map(|it| (*it, Value::Null));
    Value::object(others.chain([(variant, value)]))
}

/// The attributes that are set, and those that may turn out to be null.
fn split<'a>(object: &Object, names: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let value_of = |name: &&&str| object.get(name).filter(|it| !it.is_null());
    let may_be_null = |it: &Value| match it {
        Value::Unknown(Some(refinements)) => !refinements.is_not_null(),
        it => it.is_unknown(),
    };
    names.iter().filter(|it| value_of(it).is_some()).partition(|it| !value_of(it).is_some_and(may_be_null))
}

fn list(names: &[&str], separator: &str) -> String {
    names.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(separator)
}
