//! What the derive needs for an enum with data: an object of which exactly one attribute is set.

use ferroform_value::{Error, Object, Step, Type, Value};

use ferroform_engine::schema::Block;

/// Used by the derive: the type of the object.
#[doc(hidden)]
pub fn ty(block: Option<Block>) -> Type {
    block.unwrap_or_default().ty()
}

/// Used by the derive: the attribute that is set. One that is not known yet is the one where no other can be.
#[doc(hidden)]
pub fn chosen<'a>(object: Option<&Object>, names: &[&'a str]) -> Result<&'a str, Error> {
    let (set, open) = object.map(|it| split(it, names)).unwrap_or_default();
    match (set.as_slice(), open.as_slice()) {
        ([one], _) | ([], [one]) => Ok(one),
        ([], []) => Err(Error::new(format!("exactly one of {} must be set, but none is", list(names, ", ")))),
        ([], _) => Err(Error::new(format!("it is not known yet which of {} is set", list(names, ", ")))),
        ([first, ..], _) => {
            let said =
                format!("exactly one of {} must be set, but {} are", list(names, ", "), list(&set, " and "));
            Err(Error::new(said).below(Step::Attribute((*first).into())))
        }
    }
}

/// Used by the derive: true where it is not known yet which attribute will be set.
#[doc(hidden)]
pub fn is_undecided(value: &Value, names: &[&str]) -> bool {
    let undecided = |object| {
        let (set, open) = split(object, names);
        set.is_empty() && open.len() > 1
    };
    value.is_unknown() || value.as_object().is_some_and(undecided)
}

/// Used by the derive: the object with that attribute set.
#[doc(hidden)]
pub fn choose(chosen: &str, value: Value, names: &[&str]) -> Value {
    let others = names.iter().filter(|it| **it != chosen).map(|it| (*it, Value::Null));
    Value::object(others.chain([(chosen, value)]))
}

/// The attributes that are set, and those of which it is not known.
fn split<'a>(object: &Object, names: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let of = |name: &&&str| object.get(name).filter(|it| !it.is_null());
    let is_open = |it: &Value| match it {
        Value::Unknown(Some(refinements)) => !refinements.is_not_null(),
        it => it.is_unknown(),
    };
    names.iter().filter(|it| of(it).is_some()).partition(|it| !of(it).is_some_and(is_open))
}

fn list(names: &[&str], between: &str) -> String {
    names.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(between)
}
