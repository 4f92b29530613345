//! The schemas of a document, together with the schemas that they extend.
//!
//! A schema can occur in many others, and schemas can contain each other. So each schema is merged only once for each
//! schema that contains it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::document::{Document, string};

/// The maximum number of references, `allOf`, `oneOf` and `anyOf` inside each other.
const MAX_DEPTH: usize = 128;

/// The keywords that restrict the values of a schema, and can allow null.
const RESTRICTIONS: [&str; 3] = ["type", "enum", "const"];

/// The keywords of a schema that is more than another one with a few options.
const STRUCTURE: [&str; 8] =
    ["properties", "required", "additionalProperties", "items", "uniqueItems", "enum", "const", "format"];

/// The properties of a schema.
pub(super) type Properties<'d> = BTreeMap<&'d str, &'d Value>;

/// The results for the schemas that have been merged, by their addresses in the document.
type Cache<T> = HashMap<*const Value, Rc<T>>;

/// The merged schemas of a document.
#[derive(Debug)]
pub(super) struct Schemas<'d> {
    pub(super) document: &'d Document,
    merged: RefCell<Cache<Merged<'d>>>,
    properties: RefCell<Cache<Properties<'d>>>,
}

/// The keywords of a schema and of the schemas that it extends.
#[derive(Debug, Default)]
pub(super) struct Merged<'d> {
    keywords: HashMap<&'d str, &'d Value>,
    required: BTreeSet<&'d str>,
    /// A property that exists can be null.
    pub(super) is_nullable: bool,
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
        let keyword = if self.contains("enum") { "enum" } else { "const" };
        values(self.get(keyword)).iter().filter(|it| !it.is_null()).collect()
    }

    /// Returns the strings in `enum`, or the one of `const`.
    pub(super) fn allowed_strings(&self) -> Vec<&'d str> {
        self.allowed_values().into_iter().filter_map(Value::as_str).collect()
    }
}

/// The schema of a property that is a different string in each alternative.
static ANY_STRING: LazyLock<Value> = LazyLock::new(|| json!({ "type": "string" }));

impl<'d> Schemas<'d> {
    pub(super) fn new(document: &'d Document) -> Schemas<'d> {
        Schemas { document, merged: RefCell::default(), properties: RefCell::default() }
    }

    /// Returns the keywords of a schema and of the schemas that it extends, where later ones replace earlier ones.
    pub(super) fn merged(&self, schema: &'d Value) -> Rc<Merged<'d>> {
        let merged = self.merge(schema, &mut Cache::new(), 0);
        self.merged.borrow_mut().insert(std::ptr::from_ref(schema), Rc::clone(&merged));
        merged
    }

    /// `inside` contains the schemas inside the one that is being merged. They are not complete if it is inside them.
    fn merge(&self, schema: &'d Value, inside: &mut Cache<Merged<'d>>, depth: usize) -> Rc<Merged<'d>> {
        let key = std::ptr::from_ref(schema);
        if let Some(found) = self.merged.borrow().get(&key).or_else(|| inside.get(&key)) {
            return Rc::clone(found);
        }
        let mut merged = Merged::default();
        let Some(object) = schema.as_object().filter(|_| depth < MAX_DEPTH) else { return merged.into() };
        inside.insert(key, Rc::default());
        for part in self.parts(schema) {
            let part = self.merge(part, inside, depth + 1);
            merged.keywords.extend(&part.keywords);
            merged.required.extend(&part.required);
        }
        for (name, value) in object.iter().filter(|(name, _)| !["$ref", "allOf"].contains(&&***name)) {
            merged.keywords.insert(name, value);
        }
        merged.required.extend(array(schema, "required").filter_map(Value::as_str));
        let has_null = |it: &&str| values(merged.get(it)).iter().any(|value| is_null(it, value));
        let mut alternatives = ["oneOf", "anyOf"].into_iter().flat_map(|it| values(merged.get(it)));
        merged.is_nullable = merged.is_true("nullable")
            || RESTRICTIONS.iter().any(has_null)
            || alternatives.any(|it| self.merge(it, inside, depth + 1).is_nullable);
        let merged = Rc::new(merged);
        inside.insert(key, Rc::clone(&merged));
        merged
    }

    /// Returns the schemas that a schema extends: the one that it refers to, those in its `allOf`, and its only alternative in
    /// addition to null.
    fn parts(&self, schema: &'d Value) -> impl Iterator<Item = &'d Value> {
        let only = self.alternatives(schema).filter(|it| it.len() == 1).into_iter().flatten();
        self.document.target(schema).into_iter().chain(array(schema, "allOf")).chain(only)
    }

    /// Follows references, and schemas that only add options to another one: `{allOf: [X], nullable: true}` and
    /// `{oneOf: [X, {type: "null"}]}`. Returns the last reference, if there is one, and the last schema.
    pub(super) fn resolve(&self, schema: &'d Value) -> (Option<&'d str>, &'d Value) {
        let (mut reference, mut schema) = (None, schema);
        for _ in 0..MAX_DEPTH {
            let mut parts = self.parts(schema);
            let (Some(only), None) = (parts.next(), parts.next()) else { break };
            let is_union = self.alternatives(schema).is_some_and(|it| it.len() > 1);
            if is_union || STRUCTURE.iter().any(|it| schema.get(it).is_some()) {
                break;
            }
            (reference, schema) = (string(schema, "$ref").or(reference), only);
        }
        (reference, schema)
    }

    /// Returns the properties of a schema, of the schemas that it extends, where later ones replace earlier ones, and of its
    /// alternatives.
    pub(super) fn properties(&self, schema: &'d Value) -> Rc<Properties<'d>> {
        let properties = self.collect(schema, &mut Cache::new(), 0);
        self.properties.borrow_mut().insert(std::ptr::from_ref(schema), Rc::clone(&properties));
        properties
    }

    fn collect(
        &self,
        schema: &'d Value,
        inside: &mut Cache<Properties<'d>>,
        depth: usize,
    ) -> Rc<Properties<'d>> {
        let key = std::ptr::from_ref(schema);
        if let Some(found) = self.properties.borrow().get(&key).or_else(|| inside.get(&key)) {
            return Rc::clone(found);
        }
        let mut properties = Properties::default();
        if depth >= MAX_DEPTH {
            return properties.into();
        }
        inside.insert(key, Rc::default());
        for part in self.parts(schema) {
            properties.extend(&*self.collect(part, inside, depth + 1));
        }
        let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties.extend(own.map(|(name, it)| (&**name, it)));
        for alternative in self.alternatives(schema).into_iter().flatten() {
            for (name, property) in self.collect(alternative, inside, depth + 1).iter() {
                let existing = properties.entry(name).or_insert(property);
                // A discriminator has another value in each alternative.
                let is_string = |it| self.merged(it).type_name() == "string";
                if *existing != *property && is_string(existing) && is_string(property) {
                    *existing = &ANY_STRING;
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
        let is_null_schema = |it: &&Value| {
            let schema = self.document.resolve(it).1;
            RESTRICTIONS.iter().any(|keyword| {
                let values = values(schema.get(keyword));
                !values.is_empty() && values.iter().all(|it| is_null(keyword, it))
            })
        };
        Some(all.iter().filter(|it| !is_null_schema(it)).collect())
    }

    /// Returns the names of the required properties, including those that every alternative requires.
    pub(super) fn required(&self, schema: &'d Value) -> BTreeSet<&'d str> {
        let mut found = self.merged(schema).required.clone();
        let alternatives = self.alternatives(self.resolve(schema).1).unwrap_or_default();
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

    /// Returns true if a property has this keyword with the value `true`.
    pub(super) fn is_true(&self, property: &'d Value, keyword: &str) -> bool {
        self.merged(property).is_true(keyword)
    }
}

/// Returns the elements of a keyword that is an array.
fn array<'d>(schema: &'d Value, keyword: &str) -> impl Iterator<Item = &'d Value> + use<'d> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the values of a keyword, which can be an array or a single value.
fn values(keyword: Option<&Value>) -> &[Value] {
    match keyword {
        Some(Value::Array(values)) => values,
        Some(value) => std::slice::from_ref(value),
        None => &[],
    }
}

/// Returns true if a value of one of the `RESTRICTIONS` stands for null.
fn is_null(keyword: &str, value: &Value) -> bool {
    if keyword == "type" { value == "null" } else { value.is_null() }
}
