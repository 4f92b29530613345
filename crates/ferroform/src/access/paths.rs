//! Places: which type one has, what stands there, and how something gets there.

use ferroform_value::{Error, Path, Step, Type, Value};

use ferroform_engine::schema::ValueCheck;

use crate::schema::{Attribute, Block};

/// The type of what stands at the place.
pub(super) fn type_at<'a>(ty: &'a Type, place: &Path) -> Result<&'a Type, Error> {
    place.steps().iter().try_fold(ty, step_type).map_err(|e| e.under(place))
}

fn step_type<'a>(ty: &'a Type, step: &Step) -> Result<&'a Type, Error> {
    let found = match (ty, step) {
        (Type::Object(it), Step::Attribute(name)) => it.get(name).map(|it| &it.ty),
        (Type::List(it), Step::Index(_))
        | (Type::Map(it), Step::Key(_))
        | (Type::Set(it), Step::Element(_)) => Some(&**it),
        (Type::Tuple(types), Step::Index(i)) => types.get(*i),
        _ => None,
    };
    found.ok_or_else(|| {
        let step = Path::from_iter([step.clone()]);
        Error::new(format!("there is no such place: a value of the type {ty} has no `{step}`"))
    })
}

/// What stands at the place: null where there is nothing, unknown where something on the way is.
pub(super) fn value_at<'a>(value: &'a Value, place: &Path) -> &'a Value {
    place.steps().iter().fold(value, inside)
}

fn inside<'a>(value: &'a Value, step: &Step) -> &'a Value {
    match value {
        Value::Unknown(_) => &Value::UNKNOWN,
        _ => value.step(step).unwrap_or(&Value::Null),
    }
}

/// What stands at the place, and its type. Where any type may be, the value says which one it is.
pub(super) fn found<'a>(
    ty: &'a Type,
    value: &'a Value,
    place: &Path,
) -> Result<(&'a Type, &'a Value), Error> {
    let mut found = (ty, value);
    for step in place.steps() {
        if let (Type::Dynamic, Value::Dynamic(it)) = found {
            found = (&it.ty, &it.value);
        }
        found = (step_type(found.0, step).map_err(|e| e.under(place))?, inside(found.1, step));
    }
    Ok(found)
}

/// Finds the only thing that can be wrong with writing to a place that the type has: a list with a gap.
pub(super) fn writable(value: &Value, place: &Path) -> Result<(), Error> {
    for (depth, step) in place.steps().iter().enumerate() {
        let Step::Index(i) = step else { continue };
        let list: Path = place.steps()[..depth].iter().cloned().collect();
        let len = match value_at(value, &list) {
            Value::List(it) => it.len(),
            Value::Tuple(_) => continue,
            _ => 0,
        };
        if *i > len {
            let message =
                format!("the next element of this list is [{len}], so there cannot be one at [{i}]");
            return Err(Error::new(message).under(&list));
        }
    }
    Ok(())
}

/// Puts the value at the place, which the type has and which is [`writable`].
///
/// # Errors
///
/// Where an element of a set would become one that is there already; nothing is changed then.
pub(super) fn write(value: &mut Value, ty: &Type, steps: &[Step], new: Value) -> Result<(), Error> {
    let Some((step, rest)) = steps.split_first() else {
        *value = new;
        return Ok(());
    };
    if let Value::Null | Value::Unknown(_) = value {
        *value = opened(ty, value);
    }
    let done = match (value, ty, step) {
        (Value::Object(it), Type::Object(types), Step::Attribute(name)) => {
            let Some(ty) = types.get(name) else { return Ok(()) };
            if it.get(name).is_none() {
                it.insert(name.clone(), Value::Null);
            }
            it.get_mut(name).map_or(Ok(()), |inside| write(inside, &ty.ty, rest, new))
        }
        (Value::Map(it), Type::Map(ty), Step::Key(key)) => {
            write(it.entry(key.clone()).or_insert(Value::Null), ty, rest, new)
        }
        (Value::List(it), Type::List(ty), Step::Index(i)) => {
            if *i == it.len() {
                it.push(Value::Null);
            }
            it.get_mut(*i).map_or(Ok(()), |inside| write(inside, ty, rest, new))
        }
        (Value::Tuple(it), Type::Tuple(types), Step::Index(i)) => match (it.get_mut(*i), types.get(*i)) {
            (Some(inside), Some(ty)) => write(inside, ty, rest, new),
            _ => Ok(()),
        },
        (Value::Set(it), Type::Set(ty), Step::Element(element)) => {
            let mut all: Vec<Value> = it.iter().cloned().collect();
            let at = all.iter().position(|it| *it == **element);
            let mut made = at.map_or_else(|| (**element).clone(), |at| all.remove(at));
            let written = write(&mut made, ty, rest, new);
            if written.is_ok() && made.is_wholly_known() && all.contains(&made) {
                Err(Error::new("the set has this element already"))
            } else {
                all.insert(at.unwrap_or(all.len()), made);
                *it = all.into_iter().collect();
                written
            }
        }
        _ => Ok(()),
    };
    done.map_err(|e| e.below(step.clone()))
}

/// A known value for something to be put into. What nobody writes stays as the whole was: null or unknown.
fn opened(ty: &Type, was: &Value) -> Value {
    let part = if was.is_unknown() { Value::UNKNOWN } else { Value::Null };
    match ty {
        Type::Object(it) => Value::object(it.attributes().iter().map(|it| (it.name.clone(), part.clone()))),
        Type::Tuple(it) => Value::Tuple(vec![part; it.len()]),
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::Map(Default::default()),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => was.clone(),
    }
}

/// The rule of the innermost attribute on the way to the place, with how many steps lead to it.
pub(super) fn rule_at(block: &Block, steps: &[Step]) -> Option<(ValueCheck, usize)> {
    let (first, rest) = steps.split_first()?;
    let Step::Attribute(name) = first else { return None };
    let attribute = block.get(name);
    let nested = match attribute {
        Some(it) => it.nested.as_ref().map(|it| &it.block),
        None => block.blocks.iter().find(|it| it.name == *name).map(|it| &it.block),
    };
    let elements = rest.iter().take_while(|it| !matches!(it, Step::Attribute(_))).count();
    let inner = nested.and_then(|it| rule_at(it, &rest[elements..]));
    match inner {
        Some((rule, depth)) => Some((rule, depth + elements + 1)),
        None => attribute.and_then(Attribute::value_check).map(|rule| (rule, 1)),
    }
}
