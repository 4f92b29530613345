//! Finds the leaf values in which two objects differ.

use ferroform::value::Value;
use serde_json::Value as Json;

use crate::common::same;

/// A leaf value in which two objects differ.
pub struct Leaf {
    /// The names of the attributes on the path to the leaf.
    pub names: Vec<String>,
    /// The attribute path, formatted by `path_string`.
    pub path: String,
    /// True for a value in a set. The path then does not identify the element.
    pub in_set: bool,
    pub ours: Value,
    pub theirs: Value,
}

impl Leaf {
    /// Returns true if the object contains our value in an attribute of the same name.
    pub fn is_in(&self, object: &Value) -> bool {
        match (object, &self.names[..]) {
            (Value::Null, _) => false,
            (it, names) => contains_at(it, names, &self.ours),
        }
    }
}

fn contains_at(it: &Value, names: &[String], expected: &Value) -> bool {
    let Some((name, rest)) = names.split_first() else {
        return match it {
            it if same(it, expected) => true,
            Value::List(all) => all.iter().any(|it| contains_at(it, names, expected)),
            Value::Set(all) => all.iter().any(|it| contains_at(it, names, expected)),
            Value::Map(all) => all.values().any(|it| contains_at(it, names, expected)),
            _ => false,
        };
    };
    match it {
        Value::Object(object) => object.get(name).is_some_and(|it| contains_at(it, rest, expected)),
        Value::List(all) => all.iter().any(|it| contains_at(it, names, expected)),
        Value::Set(all) => all.iter().any(|it| contains_at(it, names, expected)),
        Value::Map(all) => all.values().any(|it| contains_at(it, names, expected)),
        _ => false,
    }
}

/// Returns all leaves in which two values differ. Equal elements of sets are omitted; the remaining ones are compared
/// in their order.
pub fn leaves(ours: &Value, theirs: &Value) -> Vec<Leaf> {
    let mut walk = Walk { names: Vec::new(), path: String::new(), in_set: false, found: Vec::new() };
    walk.at(ours, theirs);
    walk.found
}

struct Walk {
    names: Vec<String>,
    path: String,
    in_set: bool,
    found: Vec<Leaf>,
}

impl Walk {
    fn at(&mut self, ours: &Value, theirs: &Value) {
        match (ours, theirs) {
            (ours, theirs) if same(ours, theirs) => {}
            (Value::Object(a), Value::Object(b)) => {
                for ((name, ours), (_, theirs)) in a.iter().zip(b.iter()) {
                    self.names.push(name.to_string());
                    self.step(&format!("{:?}", &**name), ours, theirs);
                    self.names.pop();
                }
            }
            (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                for (i, (ours, theirs)) in a.iter().zip(b).enumerate() {
                    self.step(&i.to_string(), ours, theirs);
                }
            }
            (Value::Map(a), Value::Map(b)) if a.keys().eq(b.keys()) => {
                for ((key, ours), theirs) in a.iter().zip(b.values()) {
                    self.step(&format!("{:?}", &**key), ours, theirs);
                }
            }
            (Value::Set(a), Value::Set(b)) if a.len() == b.len() => {
                let mut unmatched: Vec<&Value> = b.iter().collect();
                let mut unmatched_ours: Vec<&Value> = a.iter().collect();
                unmatched_ours.retain(|it| {
                    unmatched
                        .iter()
                        .position(|other| same(it, other))
                        .map(|at| unmatched.remove(at))
                        .is_none()
                });
                let outside = std::mem::replace(&mut self.in_set, true);
                for (ours, theirs) in unmatched_ours.into_iter().zip(unmatched) {
                    self.step("?", ours, theirs);
                }
                self.in_set = outside;
            }
            _ => self.found.push(Leaf {
                names: self.names.clone(),
                path: self.path.clone(),
                in_set: self.in_set,
                ours: ours.clone(),
                theirs: theirs.clone(),
            }),
        }
    }

    fn step(&mut self, step: &str, ours: &Value, theirs: &Value) {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        self.at(ours, theirs);
        self.path.truncate(length);
    }
}

/// Returns the description of an attribute or block in the schema of a case.
pub fn described<'a>(schema: &'a Json, names: &[String]) -> &'a Json {
    names.iter().fold(schema, |at, name| {
        let inside = if at.get("nested").is_some() { &at["nested"] } else { at };
        let attribute = &inside["attributes"][name];
        if attribute.is_null() { &inside["blocks"][name] } else { attribute }
    })
}

pub fn is_unknown(it: &Json) -> bool {
    it.get("unknown").is_some()
}

/// Returns true if the object of a case has a value at a path. Elements of sets are not looked up.
pub fn exists_at(object: &Json, path: &Json) -> bool {
    let mut at = object;
    for step in path.as_array().into_iter().flatten() {
        if step.get("elem").is_some() {
            return true;
        }
        let name = step["attr"].as_str().or(step["key"].as_str());
        let index = step["index"].as_str().and_then(|it| it.parse::<usize>().ok());
        let next = match (name, index) {
            (Some(name), _) => at["map"].get(name),
            (_, Some(index)) => at.get(index),
            _ => None,
        };
        let Some(next) = next else { return false };
        at = next;
    }
    true
}
