//! The schemas of a document, together with the schemas in their `allOf`.
//!
//! A schema can occur in many others, and schemas can contain each other. So each schema is merged only once for each
//! schema that contains it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::document::{Document, string};

/// The maximum number of `allOf`, `oneOf` and `anyOf` inside each other.
const MAX_DEPTH: usize = 64;

/// The results for the schemas that have been merged, by their addresses in the document.
type Cache<T> = HashMap<*const Value, Rc<T>>;

/// The merged schemas of a document.
#[derive(Debug)]
pub(super) struct Schemas<'d> {
    pub(super) document: &'d Document,
    merged: RefCell<Cache<Merged<'d>>>,
    properties: RefCell<Cache<Properties<'d>>>,
}

/// The keywords of a schema and of the schemas in its `allOf`.
#[derive(Debug, Default)]
pub(super) struct Merged<'d> {
    keywords: HashMap<&'d str, &'d Value>,
    required: BTreeSet<&'d str>,
}

impl<'d> Merged<'d> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'d Value> {
        self.keywords.get(keyword).copied()
    }

    pub(super) fn contains(&self, keyword: &str) -> bool {
        self.keywords.contains_key(keyword)
    }

    /// Returns a keyword that is a string.
    pub(super) fn string(&self, keyword: &str) -> Option<&'d str> {
        self.get(keyword)?.as_str()
    }

    pub(super) fn is_true(&self, keyword: &str) -> bool {
        self.get(keyword) == Some(&Value::Bool(true))
    }

    /// Returns the type: the only one that is not `null`, or the one that follows from the other keywords.
    pub(super) fn type_name(&self) -> &'d str {
        let name = match self.get("type") {
            Some(Value::String(name)) => Some(&**name),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|it| *it != "null"),
            _ => None,
        };
        match name {
            Some(name) => name,
            None if self.contains("properties") => "object",
            None if self.contains("items") => "array",
            None => match self.allowed_values().first() {
                Some(Value::String(_)) => "string",
                Some(Value::Bool(_)) => "boolean",
                Some(Value::Number(it)) if it.is_i64() => "integer",
                Some(Value::Number(_)) => "number",
                _ => "",
            },
        }
    }

    /// Returns the values of `enum`, or the one of `const`.
    pub(super) fn allowed_values(&self) -> Vec<&'d Value> {
        match self.get("enum") {
            Some(Value::Array(values)) => values.iter().filter(|it| !it.is_null()).collect(),
            _ => self.get("const").into_iter().collect(),
        }
    }

    /// Returns the strings in `enum`, or the one of `const`, without duplicates.
    pub(super) fn allowed_strings(&self) -> Vec<&'d str> {
        let mut known = BTreeSet::new();
        let strings = self.allowed_values().into_iter().filter_map(Value::as_str);
        strings.filter(|it| known.insert(*it)).collect()
    }
}

/// The properties of a schema, each name once.
#[derive(Debug, Default)]
pub(super) struct Properties<'d> {
    list: Vec<(&'d str, &'d Value)>,
    positions: HashMap<&'d str, usize>,
}

impl<'d> Properties<'d> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'d str, &'d Value)> {
        self.list.iter().copied()
    }

    pub(super) fn get(&self, name: &str) -> Option<&'d Value> {
        self.positions.get(name).map(|position| self.list[*position].1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the only property.
    pub(super) fn only(&self) -> Option<&'d Value> {
        match self.list.as_slice() {
            [(_, only)] => Some(only),
            _ => None,
        }
    }

    fn set(&mut self, name: &'d str, property: &'d Value) {
        match self.positions.get(name) {
            Some(position) => self.list[*position].1 = property,
            None => {
                self.positions.insert(name, self.list.len());
                self.list.push((name, property));
            }
        }
    }
}

/// The schema of a property that is a different string in each alternative.
static ANY_STRING: LazyLock<Value> = LazyLock::new(|| json!({ "type": "string" }));

impl<'d> Schemas<'d> {
    pub(super) fn new(document: &'d Document) -> Schemas<'d> {
        Schemas { document, merged: RefCell::default(), properties: RefCell::default() }
    }

    /// Returns the keywords of a schema and of the schemas in its `allOf`, where later ones replace earlier ones.
    pub(super) fn merged(&self, schema: &'d Value) -> Rc<Merged<'d>> {
        let merged = self.merge(schema, &mut Cache::new(), 0);
        let key = std::ptr::from_ref(self.document.resolve(schema).1);
        self.merged.borrow_mut().insert(key, Rc::clone(&merged));
        merged
    }

    /// `inside` contains the schemas inside the one that is being merged. They are not complete if it is inside them.
    fn merge(&self, schema: &'d Value, inside: &mut Cache<Merged<'d>>, depth: usize) -> Rc<Merged<'d>> {
        let (_, schema) = self.document.resolve(schema);
        let key = std::ptr::from_ref(schema);
        if let Some(found) = self.merged.borrow().get(&key).or_else(|| inside.get(&key)) {
            return Rc::clone(found);
        }
        let mut merged = Merged::default();
        let Some(object) = schema.as_object().filter(|_| depth < MAX_DEPTH) else { return merged.into() };
        inside.insert(key, Rc::default());
        for part in array(schema, "allOf") {
            let part = self.merge(part, inside, depth + 1);
            merged.keywords.extend(&part.keywords);
            merged.required.extend(&part.required);
        }
        for (name, value) in object.iter().filter(|(name, _)| *name != "allOf") {
            merged.keywords.insert(name, value);
        }
        merged.required.extend(array(schema, "required").filter_map(Value::as_str));
        let merged = Rc::new(merged);
        inside.insert(key, Rc::clone(&merged));
        merged
    }

    /// Returns the properties of a schema, of the schemas in its `allOf`, where later ones replace earlier ones, and of its
    /// alternatives.
    pub(super) fn properties(&self, schema: &'d Value) -> Rc<Properties<'d>> {
        let properties = self.collect(schema, &mut Cache::new(), 0);
        let key = std::ptr::from_ref(self.document.resolve(schema).1);
        self.properties.borrow_mut().insert(key, Rc::clone(&properties));
        properties
    }

    fn collect(
        &self,
        schema: &'d Value,
        inside: &mut Cache<Properties<'d>>,
        depth: usize,
    ) -> Rc<Properties<'d>> {
        let (_, schema) = self.document.resolve(schema);
        let key = std::ptr::from_ref(schema);
        if let Some(found) = self.properties.borrow().get(&key).or_else(|| inside.get(&key)) {
            return Rc::clone(found);
        }
        let mut properties = Properties::default();
        if depth >= MAX_DEPTH {
            return properties.into();
        }
        inside.insert(key, Rc::default());
        for part in array(schema, "allOf") {
            self.collect(part, inside, depth + 1).iter().for_each(|(name, it)| properties.set(name, it));
        }
        let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        own.for_each(|(name, it)| properties.set(name, it));
        for alternative in self.alternatives(schema).into_iter().flatten() {
            for (name, property) in self.collect(alternative, inside, depth + 1).iter() {
                match properties.get(name) {
                    None => properties.set(name, property),
                    // A discriminator has another value in each alternative.
                    Some(existing) if !std::ptr::eq(existing, property) && existing != property => {
                        let is_string = |it| self.merged(it).type_name() == "string";
                        if is_string(existing) && is_string(property) {
                            properties.set(name, &ANY_STRING);
                        }
                    }
                    Some(_) => {}
                }
            }
        }
        let properties = Rc::new(properties);
        inside.insert(key, Rc::clone(&properties));
        properties
    }

    /// Returns the alternatives of `oneOf` or `anyOf` that are not null.
    pub(super) fn alternatives(&self, schema: &'d Value) -> Option<Vec<&'d Value>> {
        let all = schema.get("oneOf").or(schema.get("anyOf"))?.as_array()?;
        let is_null = |it: &&Value| string(self.document.resolve(it).1, "type") == Some("null");
        Some(all.iter().filter(|it| !is_null(it)).collect())
    }

    /// Returns the names of the required properties, including those that every alternative requires.
    pub(super) fn required(&self, schema: &'d Value) -> BTreeSet<&'d str> {
        let mut found = self.merged(schema).required.clone();
        let alternatives = self.alternatives(self.document.resolve(schema).1).unwrap_or_default();
        if let Some((first, others)) = alternatives.split_first() {
            let mut common = self.merged(first).required.clone();
            for other in others {
                let other = self.merged(other);
                common.retain(|it| other.required.contains(it));
            }
            found.extend(common);
        }
        found
    }

    /// Returns true if a property that exists can be null.
    pub(super) fn is_nullable(&self, schema: &'d Value) -> bool {
        let is_null = |it: &Value| it.is_null() || it == "null";
        let has_null = |it: &Merged<'d>, keyword: &str| match it.get(keyword) {
            Some(Value::Array(values)) => values.iter().any(is_null),
            other => other.is_some_and(is_null),
        };
        let is_null_schema =
            |it: &Merged<'d>| it.is_true("nullable") || has_null(it, "type") || has_null(it, "enum");
        let merged = self.merged(schema);
        let mut alternatives =
            ["oneOf", "anyOf"].into_iter().filter_map(|it| merged.get(it)?.as_array()).flatten();
        is_null_schema(&merged) || alternatives.any(|it| is_null_schema(&self.merged(it)))
    }

    /// Returns true if a property has this keyword with the value `true`.
    pub(super) fn is_true(&self, property: &'d Value, keyword: &str) -> bool {
        self.merged(property).is_true(keyword)
    }
}

/// Returns the elements of a keyword that is an array.
fn array<'d>(schema: &'d Value, keyword: &str) -> impl Iterator<Item = &'d Value> + use<'d> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}
