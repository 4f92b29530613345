//! The JSON values that the validations of a variable accept.
//!
//! A schema rejects a value only if Terraform rejects it as well. So each rule is translated to a set that contains
//! every value for which the condition can be true, and for a negated rule, every value for which it can be false. The
//! conversion to the type of the variable is part of the translation:
//!
//! | condition | type | keywords | reason |
//! | --- | --- | --- | --- |
//! | `var.n >= 1` | `number` | `minimum: 1` | `"5"` is a number as well, and `minimum` does not apply to strings |
//! | `var.s == "1"` | `string` | `enum: ["1", 1]` | the number is converted to a string |
//! | `length(var.s) >= 3` | `string` | `minLength: 3` | a grapheme cluster consists of at least one code point |
//! | `length(var.s) <= 3` | `string` | `maxLength: 3`, or a character outside of ASCII | four code points can be one grapheme cluster |
//! | `length(var.l) <= 3` | `set` | none | duplicates are removed |

use std::ops::Bound;

use ferroform_lang::Defaults;
use ferroform_lang::rule::{Origin, Rule, Subject, Test};
use ferroform_value::{Number, Step, Type, Typed, Value};
use serde_json::json;

use super::admitted::{Admitted, Keywords, unique};
use super::pattern::{ecmascript, quoted};

/// A value with a type, which is a variable or a part of it.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    pub(super) ty: &'t Type,
    pub(super) defaults: Option<&'t Defaults>,
    /// True if a default replaces null.
    pub(super) replaces_null: bool,
}

impl<'t> Place<'t> {
    fn attribute(&self, name: &str) -> Option<Place<'t>> {
        let Type::Object(attributes) = self.ty else { return None };
        Some(Place {
            ty: &attributes.get(name)?.ty,
            defaults: self.defaults.and_then(|it| it.children().get(name)),
            replaces_null: self.defaults.is_some_and(|it| it.values().contains_key(name)),
        })
    }

    /// Returns the elements of a list, set or map.
    fn element(&self) -> Option<Place<'t>> {
        let defaults = self.defaults.and_then(|it| it.children().get(""));
        self.ty.element().map(|ty| Place { ty, defaults, replaces_null: false })
    }
}

/// Returns the JSON types of the values that convert to a type, except for null.
pub(super) fn json_types(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Bool => &["boolean", "string"],
        Type::Number => &["number", "string"],
        Type::String => &["string", "number", "boolean"],
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => &["array"],
        Type::Map(_) | Type::Object(_) => &["object"],
        Type::Dynamic => &["string", "number", "boolean", "array", "object"],
    }
}

/// Translates the rules of a variable.
pub(super) struct Translator<'a> {
    pub(super) variable: &'a str,
    /// True if a part of a rule has no translation.
    pub(super) is_incomplete: bool,
}

impl Translator<'_> {
    /// Returns the values for which the rule can be true.
    pub(super) fn accepted(&mut self, rule: &Rule, variable: Place<'_>) -> Admitted {
        self.rule(rule, true, variable, &Origin::Variable(self.variable.to_owned()))
    }

    /// Returns the values of a place for which the rule can have the result, or null.
    fn rule(&mut self, rule: &Rule, result: bool, of: Place<'_>, origin: &Origin) -> Admitted {
        match rule {
            Rule::Not(rule) => self.rule(rule, !result, of, origin),
            Rule::All(rules) | Rule::Any(rules) => {
                let sets: Vec<Admitted> = rules.iter().map(|it| self.rule(it, result, of, origin)).collect();
                match matches!(rule, Rule::All(_)) == result {
                    true => sets.into_iter().fold(Admitted::everything(), Admitted::and),
                    false => Admitted::any(sets),
                }
            }
            Rule::Test(subject, test) if subject.of == *origin => self.test_of(subject, test, result, of),
            Rule::Test(..) | Rule::Other => self.unknown(),
        }
    }

    /// Returns all values, because a rule has no translation.
    fn unknown(&mut self) -> Admitted {
        self.is_incomplete = true;
        Admitted::everything()
    }

    fn test_of(&mut self, subject: &Subject, test: &Test, result: bool, of: Place<'_>) -> Admitted {
        let mut places = vec![of];
        for step in subject.path.steps() {
            let (Step::Attribute(name), Some(last)) = (step, places.last()) else { return self.unknown() };
            let Some(place) = last.attribute(name) else { return self.unknown() };
            places.push(place);
        }
        let Some(place) = places.pop() else { return self.unknown() };
        let mut admitted = self.test(test, result, place);
        admitted.null |= place.replaces_null;
        // The attribute of a null object is an error. It makes `can` false.
        let is_caught = matches!(test, Test::Matches(_)) && !result;
        let mut types = json_types(place.ty);
        for (step, outer) in subject.path.steps().iter().zip(&places).rev() {
            let Step::Attribute(name) = step else { continue };
            let inner = admitted.into_keywords(types);
            let keywords =
                if inner.is_empty() { json!({}) } else { json!({ "properties": { &**name: inner } }) };
            admitted = Admitted::new(outer.replaces_null || is_caught, keywords);
            types = json_types(outer.ty);
        }
        admitted
    }

    /// Returns the values of a place for which the test can have the result.
    fn test(&mut self, test: &Test, result: bool, place: Place<'_>) -> Admitted {
        let keywords = match (test, place.ty) {
            (Test::Null, _) if result => return Admitted { null: true, rest: None },
            (Test::Null, _) => return Admitted::new(false, json!({})),
            (Test::True, Type::Bool) => return Admitted::new(true, bools(result)),
            (Test::OneOf(values), ty) => match one_of(values, ty, result) {
                // A comparison with null is false.
                Some(keywords) => return Admitted::new(!result, keywords),
                None => None,
            },
            (Test::Range(min, max), Type::Number) => {
                return self.ranges(min, max, result, |min, max| {
                    let mut keywords = Keywords::new();
                    for (bound, [included, excluded]) in
                        [(min, ["minimum", "exclusiveMinimum"]), (max, ["maximum", "exclusiveMaximum"])]
                    {
                        let (keyword, number) = match bound {
                            Bound::Included(it) => (included, it),
                            Bound::Excluded(it) => (excluded, it),
                            Bound::Unbounded => continue,
                        };
                        keywords.insert(keyword.to_owned(), json_number(number)?);
                    }
                    Some(Admitted { null: false, rest: Some(keywords) })
                });
            }
            (Test::Length(min, max), ty) => {
                return self.ranges(min, max, result, |min, max| lengths(ty, min, max));
            }
            (Test::Integer, Type::Number) if result => Some(json!({"multipleOf": 1})),
            (Test::Integer, Type::Number) => Some(json!({"not": {"type": "integer"}})),
            (Test::Matches(it), Type::String) => match matching(ecmascript(it), result) {
                Some(keywords) => return Admitted::new(!result, keywords),
                None => None,
            },
            (Test::StartsWith(it), Type::String) => matching(quoted(it).map(|it| format!("^{it}")), result),
            (Test::EndsWith(it), Type::String) => matching(quoted(it).map(|it| format!("{it}$")), result),
            (Test::Includes(it), Type::String) => matching(quoted(it), result),
            (Test::Each(rule), _) => self.elements(rule, result, result, place),
            (Test::Some(rule), _) => self.elements(rule, result, !result, place),
            _ => None,
        };
        match keywords {
            Some(keywords) => Admitted::new(false, keywords),
            None => {
                self.is_incomplete = true;
                // If the value is null, the test is false or an error.
                Admitted::new(!result, json!({}))
            }
        }
    }

    /// Returns the keywords of a collection: of each element, or of at least one, the rule can have the result.
    fn elements(
        &mut self,
        rule: &Rule,
        result: bool,
        each: bool,
        place: Place<'_>,
    ) -> Option<serde_json::Value> {
        let element = place.element()?;
        if let (Type::Map(_), true, true, Rule::All(rules)) = (place.ty, each, result, rule) {
            let rules = rules.iter().map(|it| self.elements(it, true, true, place));
            let all = rules.map(|it| Some(Admitted::new(true, it?))).collect::<Option<Vec<_>>>()?;
            return all.into_iter().fold(Admitted::everything(), Admitted::and).rest.map(Into::into);
        }
        if matches!(place.ty, Type::Map(_)) && each && tests_key(rule) {
            let key = Place { ty: &Type::String, defaults: None, replaces_null: false };
            let schema = self.rule(rule, result, key, &Origin::Key).into_keywords(&["string"]);
            return Some(json!({ "propertyNames": schema }));
        }
        let admitted = self.rule(rule, result, element, &Origin::Element);
        let schema = admitted.into_keywords(json_types(element.ty));
        match (place.ty, each, schema.is_empty()) {
            (_, true, true) => Some(json!({})),
            (Type::Map(_), true, false) => Some(json!({ "additionalProperties": schema })),
            (_, true, false) => Some(json!({ "items": schema })),
            (Type::Map(_), false, true) => Some(json!({ "minProperties": 1 })),
            (Type::Map(_), false, false) => None,
            (_, false, true) => Some(json!({ "minItems": 1 })),
            (_, false, false) => Some(json!({ "contains": schema })),
        }
    }

    /// Returns the values in a range of numbers or lengths, or outside of it.
    fn ranges(
        &mut self,
        min: &Bound<Number>,
        max: &Bound<Number>,
        result: bool,
        admitted: impl Fn(Bound<&Number>, Bound<&Number>) -> Option<Admitted>,
    ) -> Admitted {
        let complement = |bound: Bound<&Number>| match bound {
            Bound::Included(it) => Some(Bound::Excluded(it.clone())),
            Bound::Excluded(it) => Some(Bound::Included(it.clone())),
            Bound::Unbounded => None,
        };
        let found = if result {
            admitted(min.as_ref(), max.as_ref())
        } else {
            let below = complement(min.as_ref()).map(|it| admitted(Bound::Unbounded, it.as_ref()));
            let above = complement(max.as_ref()).map(|it| admitted(it.as_ref(), Bound::Unbounded));
            [below, above].into_iter().flatten().collect::<Option<_>>().map(Admitted::any)
        };
        found.unwrap_or_else(|| {
            self.is_incomplete = true;
            Admitted::new(false, json!({}))
        })
    }
}

/// Returns true if the rule tests the key of the current element.
fn tests_key(rule: &Rule) -> bool {
    match rule {
        Rule::All(rules) | Rule::Any(rules) => rules.iter().any(tests_key),
        Rule::Not(rule) => tests_key(rule),
        Rule::Test(subject, _) => subject.of == Origin::Key,
        Rule::Other => false,
    }
}

fn bools(it: bool) -> serde_json::Value {
    if it { json!({"enum": [true, "true", "1"]}) } else { json!({"enum": [false, "false", "0"]}) }
}

fn matching(pattern: Option<String>, result: bool) -> Option<serde_json::Value> {
    let pattern = pattern?;
    Some(match result {
        true => json!({ "pattern": pattern }),
        false => json!({"not": {"type": "string", "pattern": pattern}}),
    })
}

/// Returns the JSON number; `None` if it would be rounded.
fn json_number(it: &Number) -> Option<serde_json::Value> {
    let text = it.to_string();
    let number: serde_json::Number = text.parse().ok()?;
    (number.to_string() == text).then_some(number.into())
}

/// Returns the keywords of the values that equal one of the constants after their conversion to the type, or of all
/// others.
fn one_of(values: &[Typed], ty: &Type, result: bool) -> Option<serde_json::Value> {
    let mut all = Vec::new();
    for it in values.iter().filter(|_| ty.element().is_none()) {
        match (&it.value, ty) {
            (Value::String(text), Type::String) => {
                all.push(json!(&**text));
                // Numbers and bools that convert to this string.
                let number = Number::parse(text).ok().filter(|number| number.to_string() == **text);
                if let Some(number) = number {
                    all.push(json_number(&number)?);
                }
                all.extend(["true", "false"].contains(&&**text).then(|| json!(&**text == "true")));
            }
            (Value::Number(it), Type::Number) => all.push(json_number(it)?),
            (Value::Bool(it), Type::Bool) if values.len() == 1 => return Some(bools(*it == result)),
            _ => return None,
        }
    }
    let all = unique(all);
    match (ty, result) {
        (Type::String, false) if all == [json!("")] => Some(json!({"minLength": 1})),
        (Type::String, true) => Some(json!({ "enum": all })),
        // A string can be any spelling of a number.
        (Type::Number, true) => Some(json!({"anyOf": [{ "enum": all }, {"type": "string"}]})),
        (Type::String | Type::Number, false) => Some(json!({"not": { "enum": all }})),
        _ => None,
    }
}

/// Returns the values whose length is in a range; `None` if the length cannot be expressed.
fn lengths(ty: &Type, min: Bound<&Number>, max: Bound<&Number>) -> Option<Admitted> {
    let min = match min {
        Bound::Included(it) => it.to_i64()?,
        Bound::Excluded(it) => it.to_i64()?.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let max = match max {
        Bound::Included(it) => it.to_i64()?,
        Bound::Excluded(it) => it.to_i64()?.saturating_sub(1),
        Bound::Unbounded => i64::MAX,
    };
    if max < min.max(0) {
        return Some(Admitted { null: false, rest: None });
    }
    let [min_keyword, max_keyword] = match ty {
        Type::String => ["minLength", "maxLength"],
        Type::List(_) | Type::Set(_) => ["minItems", "maxItems"],
        Type::Map(_) => ["minProperties", "maxProperties"],
        Type::Bool | Type::Number | Type::Tuple(_) | Type::Object(_) | Type::Dynamic => return None,
    };
    let mut keywords = Keywords::new();
    if min > 0 {
        keywords.insert(min_keyword.to_owned(), min.into());
    }
    match ty {
        _ if max == i64::MAX => {}
        // Several code points can be one grapheme cluster, but not in printable ASCII.
        Type::String if max > 0 => {
            keywords.insert("anyOf".to_owned(), json!([{ max_keyword: max }, {"pattern": "[^ -~]"}]));
        }
        // A set has no duplicates, but the JSON array can have some.
        Type::Set(_) if max > 0 => return None,
        _ => drop(keywords.insert(max_keyword.to_owned(), max.into())),
    }
    Some(Admitted { null: false, rest: Some(keywords) })
}
