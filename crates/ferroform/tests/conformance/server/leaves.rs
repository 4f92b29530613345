//! The leaves in which two objects differ.

use ferroform::value::Value;
use serde_json::Value as Json;

use crate::common::same;

/// A place in which two objects differ.
pub struct Leaf {
    /// The names of the attributes that lead to it.
    pub names: Vec<String>,
    /// Its path, as `path_text` writes one.
    pub place: String,
    /// True for what is in a set, of which the place does not tell which element it is.
    pub in_set: bool,
    pub ours: Value,
    pub theirs: Value,
}

impl Leaf {
    /// True where an object has our value too, in an attribute of that name.
    pub fn is_in(&self, object: &Value) -> bool {
        match (object, &self.names[..]) {
            (Value::Null, _) => false,
            (it, names) => holds(it, names, &self.ours),
        }
    }
}

fn holds(it: &Value, names: &[String], wanted: &Value) -> bool {
    let Some((name, rest)) = names.split_first() else {
        return match it {
            it if same(it, wanted) => true,
            Value::List(all) => all.iter().any(|it| holds(it, names, wanted)),
            Value::Set(all) => all.iter().any(|it| holds(it, names, wanted)),
            Value::Map(all) => all.values().any(|it| holds(it, names, wanted)),
            _ => false,
        };
    };
    match it {
        Value::Object(object) => object.get(name).is_some_and(|it| holds(it, rest, wanted)),
        Value::List(all) => all.iter().any(|it| holds(it, names, wanted)),
        Value::Set(all) => all.iter().any(|it| holds(it, names, wanted)),
        Value::Map(all) => all.values().any(|it| holds(it, names, wanted)),
        _ => false,
    }
}

/// Every place in which they differ. Equal elements of sets are left out; the others stand beside each other in their
/// order.
pub fn leaves(ours: &Value, theirs: &Value) -> Vec<Leaf> {
    let mut walk = Walk { names: Vec::new(), place: String::new(), in_set: false, found: Vec::new() };
    walk.at(ours, theirs);
    walk.found
}

struct Walk {
    names: Vec<String>,
    place: String,
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
                let mut left: Vec<&Value> = b.iter().collect();
                let mut own: Vec<&Value> = a.iter().collect();
                own.retain(|it| {
                    left.iter().position(|other| same(it, other)).map(|at| left.remove(at)).is_none()
                });
                let outside = std::mem::replace(&mut self.in_set, true);
                for (ours, theirs) in own.into_iter().zip(left) {
                    self.step("?", ours, theirs);
                }
                self.in_set = outside;
            }
            _ => self.found.push(Leaf {
                names: self.names.clone(),
                place: self.place.clone(),
                in_set: self.in_set,
                ours: ours.clone(),
                theirs: theirs.clone(),
            }),
        }
    }

    fn step(&mut self, step: &str, ours: &Value, theirs: &Value) {
        let length = self.place.len();
        self.place.push('/');
        self.place.push_str(step);
        self.at(ours, theirs);
        self.place.truncate(length);
    }
}

/// What a case's schema says of the attribute or block to which these names lead.
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

/// True where something in it is so.
pub fn any(it: &Json, is: &dyn Fn(&Json) -> bool) -> bool {
    let inside = match it {
        Json::Array(it) => it.iter().any(|it| any(it, is)),
        Json::Object(it) => it.values().any(|it| any(it, is)),
        _ => false,
    };
    inside || is(it)
}

/// True where a case's object has something at a path. Of the elements of a set nothing is asked.
pub fn is_there(object: &Json, path: &Json) -> bool {
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
