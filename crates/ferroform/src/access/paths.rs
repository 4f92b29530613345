//! Attribute paths into values: the type and the value at a path, and writing to a path.

use ferroform_value::{Error, Path, Step, Type, Value};

use ferroform_engine::schema::{Member, ValueCheck};

use crate::schema::Block;

/// The type at the path.
pub(super) fn type_at<'a>(ty: &'a Type, path: &Path) -> Result<&'a Type, Error> {
    path.steps().iter().try_fold(ty, step_type).map_err(|e| e.at(path.clone()))
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
        Error::new(format!("there is no such path: a value of the type {ty} has no `{step}`"))
    })
}

/// The value at the path: null if there is none, unknown if a value on the path is unknown.
pub(super) fn value_at<'a>(value: &'a Value, path: &Path) -> &'a Value {
    path.steps().iter().fold(value, step_value)
}

fn step_value<'a>(value: &'a Value, step: &Step) -> &'a Value {
    match value {
        Value::Unknown(_) => &Value::UNKNOWN,
        _ => value.step(step).unwrap_or(&Value::Null),
    }
}

/// The value at the path with its type. A dynamic value has a type of its own.
pub(super) fn typed_value_at<'a>(
    ty: &'a Type,
    value: &'a Value,
    path: &Path,
) -> Result<(&'a Type, &'a Value), Error> {
    let mut found = (ty, value);
    for step in path.steps() {
        found = match resolved(found.0, found.1) {
            // A null or unknown value without a type contains null or unknown values without a type.
            (Type::Dynamic, value @ (Value::Null | Value::Unknown(_))) => (&Type::Dynamic, value),
            (ty, value) => (step_type(ty, step).map_err(|e| e.at(path.clone()))?, step_value(value, step)),
        };
    }
    Ok(found)
}

/// The value and its type, without the wrapper of a dynamic value.
pub(super) fn resolved<'a>(ty: &'a Type, value: &'a Value) -> (&'a Type, &'a Value) {
    match (ty, value) {
        (Type::Dynamic, Value::Dynamic(it)) => (&it.ty, &it.value),
        found => found,
    }
}

/// The number of steps that lead to the first dynamic value on the path, if further steps follow.
pub(super) fn dynamic_prefix(ty: &Type, path: &Path) -> Option<usize> {
    let mut ty = ty;
    for (depth, step) in path.steps().iter().enumerate() {
        if *ty == Type::Dynamic {
            return Some(depth);
        }
        ty = step_type(ty, step).ok()?;
    }
    None
}

/// Rejects a write that would leave a gap in a list. Any other write to a path of the type succeeds.
pub(super) fn check_indexes(value: &Value, path: &Path) -> Result<(), Error> {
    for (depth, step) in path.steps().iter().enumerate() {
        let Step::Index(i) = step else { continue };
        let list: Path = path.steps()[..depth].iter().cloned().collect();
        let len = match value_at(value, &list) {
            Value::List(it) => it.len(),
            Value::Tuple(_) => continue,
            _ => 0,
        };
        if *i > len {
            let message =
                format!("the next element of this list is [{len}], so there cannot be one at [{i}]");
            return Err(Error::new(message).at(list));
        }
    }
    Ok(())
}

/// Writes a value to a path of the type, after [`check_indexes`].
///
/// # Errors
///
/// If an element of a set would become equal to another one. In that case, the value stays unchanged.
pub(super) fn write(value: &mut Value, ty: &Type, steps: &[Step], new: Value) -> Result<(), Error> {
    let Some((step, rest)) = steps.split_first() else {
        *value = new;
        return Ok(());
    };
    if let Value::Null | Value::Unknown(_) = value {
        *value = empty_container(ty, value);
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
            let mut changed = at.map_or_else(|| (**element).clone(), |at| all.remove(at));
            let written = write(&mut changed, ty, rest, new);
            if written.is_ok() && changed.is_wholly_known() && all.contains(&changed) {
                Err(Error::new("the set already contains this element"))
            } else {
                all.insert(at.unwrap_or(all.len()), changed);
                *it = all.into_iter().collect();
                written
            }
        }
        _ => Ok(()),
    };
    done.map_err(|e| e.below(step.clone()))
}

/// A known object or collection to write into. Its attributes are null or unknown, like the value that it replaces.
fn empty_container(ty: &Type, before: &Value) -> Value {
    let part = if before.is_unknown() { Value::UNKNOWN } else { Value::Null };
    match ty {
        Type::Object(it) => Value::object(it.attributes().iter().map(|it| (it.name.clone(), part.clone()))),
        Type::Tuple(it) => Value::Tuple(vec![part; it.len()]),
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::Map(Default::default()),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => before.clone(),
    }
}

/// The check by the Rust type of the innermost attribute on the path, with the number of steps that lead to it.
pub(super) fn native_check_at(block: &Block, steps: &[Step]) -> Option<(ValueCheck, usize)> {
    let (first, rest) = steps.split_first()?;
    let Step::Attribute(name) = first else { return None };
    let member = block.member(name);
    let nested = member.and_then(Member::nested).map(|(_, it)| it);
    let elements = rest.iter().take_while(|it| !matches!(it, Step::Attribute(_))).count();
    let inner = nested.and_then(|it| native_check_at(it, &rest[elements..]));
    match inner {
        Some((check, depth)) => Some((check, depth + elements + 1)),
        None => match member {
            Some(Member::Attribute(it)) => it.value_check().map(|check| (check, 1)),
            Some(Member::Block(_)) | None => None,
        },
    }
}
