//! The sets of JSON values that validations accept, as JSON Schema keywords.
//!
//! Keywords such as `minLength` do not apply to null, so a set has a flag for null in addition to its keywords:
//!
//! | condition | null | keywords |
//! | --- | --- | --- |
//! | `length(var.name) >= 3` | no | `minLength: 3` |
//! | `var.name == null` | yes | none: there is no other value |
//! | `var.name == null \|\| length(var.name) >= 3` | yes | `minLength: 3` |

use std::collections::HashSet;

use serde_json::{Value, json};

pub(super) type Keywords = serde_json::Map<String, Value>;

/// A set of JSON values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AcceptedValues {
    /// True if the set contains null.
    pub(super) has_null: bool,
    /// The keywords of the other values; `None` if there are none.
    pub(super) keywords: Option<Keywords>,
}

impl AcceptedValues {
    pub(super) fn all() -> AcceptedValues {
        AcceptedValues { has_null: true, keywords: Some(Keywords::new()) }
    }

    pub(super) fn new(has_null: bool, keywords: Value) -> AcceptedValues {
        let Value::Object(keywords) = keywords else { return AcceptedValues::all() };
        AcceptedValues { has_null, keywords: Some(keywords) }
    }

    /// Returns true if the set contains all values, except for null perhaps.
    pub(super) fn has_all_non_null_values(&self) -> bool {
        self.keywords.as_ref().is_some_and(Keywords::is_empty)
    }

    /// Returns the intersection.
    pub(super) fn intersection(self, other: AcceptedValues) -> AcceptedValues {
        let keywords = self.keywords.zip(other.keywords).map(|(mut one, other)| {
            merge(&mut one, other);
            one
        });
        AcceptedValues { has_null: self.has_null && other.has_null, keywords }
    }

    /// Returns the union.
    pub(super) fn union(sets: Vec<AcceptedValues>) -> AcceptedValues {
        let has_null = sets.iter().any(|it| it.has_null);
        let (mut values, mut alternatives) = (Vec::new(), Vec::new());
        for mut keywords in sets.into_iter().filter_map(|it| it.keywords) {
            match (keywords.len(), keywords.get_mut("enum").map(Value::take)) {
                (0, _) => return AcceptedValues { has_null, ..AcceptedValues::all() },
                (1, Some(Value::Array(it))) => values.extend(it),
                (1, _) if matches!(keywords.get("anyOf"), Some(Value::Array(_))) => {
                    if let Some(Value::Array(schemas)) = keywords.remove("anyOf") {
                        alternatives.extend(schemas);
                    }
                }
                (_, Some(values)) => {
                    keywords.insert("enum".to_owned(), values);
                    alternatives.push(keywords.into());
                }
                (_, None) => alternatives.push(keywords.into()),
            }
        }
        if !values.is_empty() {
            alternatives.insert(0, json!({ "enum": deduplicate(values) }));
        }
        let keywords = match alternatives.len() {
            0 | 1 => alternatives.pop().map(to_keywords),
            _ => Some(to_keywords(json!({ "anyOf": alternatives }))),
        };
        AcceptedValues { has_null, keywords }
    }

    /// Returns the keywords of the whole set. `types` are the JSON types that values can have, except for null.
    pub(super) fn into_keywords(self, types: &[&str]) -> Keywords {
        let Some(mut keywords) = self.keywords else {
            return if self.has_null {
                to_keywords(json!({"type": "null"}))
            } else {
                to_keywords(json!({"not": {}}))
            };
        };
        if !self.has_null {
            set_types(&mut keywords, types.iter().map(|it| (*it).to_owned()).collect());
        } else if !can_be_null(&keywords) {
            if let Some(Value::Array(values)) = keywords.get_mut("enum") {
                values.push(Value::Null);
            }
            if !can_be_null(&keywords) {
                return to_keywords(json!({"anyOf": [{"type": "null"}, keywords]}));
            }
        }
        keywords
    }
}

/// Returns the keywords of a JSON object.
pub(super) fn to_keywords(value: Value) -> Keywords {
    if let Value::Object(it) = value { it } else { Keywords::new() }
}

/// Sets the keyword `type`.
pub(super) fn set_types(schema: &mut Keywords, mut types: Vec<String>) {
    let types = if types.len() == 1 { Value::from(types.remove(0)) } else { Value::from(types) };
    schema.insert("type".to_owned(), types);
}

/// Adds keywords, so that the schema matches the intersection.
pub(super) fn merge(schema: &mut Keywords, other: Keywords) {
    for (keyword, value) in other {
        match (keyword.as_str(), schema.get_mut(&keyword), value) {
            (_, Some(present), value) if *present == value => {}
            ("properties", Some(Value::Object(present)), Value::Object(added)) => {
                for (name, added) in added {
                    match (present.get_mut(&name), added) {
                        (Some(Value::Object(present)), Value::Object(added)) => merge(present, added),
                        (_, added) => drop(present.insert(name, added)),
                    }
                }
            }
            (
                "items" | "additionalProperties" | "propertyNames",
                Some(Value::Object(present)),
                Value::Object(added),
            ) => {
                merge(present, added);
            }
            ("allOf", Some(Value::Array(present)), Value::Array(added)) => present.extend(added),
            ("type", Some(present), added) => {
                let (present, added) = (read_types(present), read_types(&added));
                let common: Vec<String> = present.into_iter().filter(|it| added.contains(it)).collect();
                match common.is_empty() {
                    true => merge(schema, to_keywords(json!({"not": {}}))),
                    false => set_types(schema, common),
                }
            }
            (_, Some(_), value) => {
                let all = schema.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.push(json!({ keyword: value }));
                }
            }
            (_, None, value) => drop(schema.insert(keyword, value)),
        }
    }
}

fn read_types(value: &Value) -> Vec<String> {
    match value {
        Value::Array(it) => it.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        it => it.as_str().map(str::to_owned).into_iter().collect(),
    }
}

/// Removes duplicates.
pub(super) fn deduplicate(mut values: Vec<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    values.retain(|it| seen.insert(it.to_string()));
    values
}

/// Returns true if the keywords match null.
fn can_be_null(schema: &Keywords) -> bool {
    let inner = |it: &Value| it.as_object().is_none_or(can_be_null);
    schema.iter().all(|(keyword, value)| match (keyword.as_str(), value) {
        ("enum", Value::Array(values)) => values.contains(&Value::Null),
        ("type", value) => read_types(value).iter().any(|it| it == "null"),
        ("allOf", Value::Array(all)) => all.iter().all(inner),
        ("anyOf", Value::Array(any)) => any.iter().any(inner),
        _ => true,
    })
}
