//! The JSON values that the validations of a variable accept.
//!
//! A schema rejects a value only if Terraform rejects it as well. So each condition is translated to a set that contains
//! every value for which it can be true, and a negated condition to every value for which it can be false. The
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

use ferroform_lang::condition::{Condition, Operand, OperandRoot, Predicate};
use ferroform_value::{Number, Step, Type, Typed, Value};
use serde_json::json;

use super::accepted_values::{AcceptedValues, Keywords, deduplicate};
use super::pattern::{quote, to_ecmascript};
use crate::constraint_node::ConstraintNode;

/// Returns the JSON types of the values that convert to a type, except for null.
pub(super) fn to_json_types(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Bool => &["boolean", "string"],
        Type::Number => &["number", "string"],
        Type::String => &["string", "number", "boolean"],
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => &["array"],
        Type::Map(_) | Type::Object(_) => &["object"],
        Type::Dynamic => &["string", "number", "boolean", "array", "object"],
    }
}

/// Translates the conditions of a variable.
pub(super) struct Translator<'a> {
    pub(super) variable: &'a str,
    /// True if a part of a condition has no translation.
    pub(super) is_incomplete: bool,
}

impl Translator<'_> {
    /// Returns the values for which the condition can be true.
    pub(super) fn translate(
        &mut self,
        condition: &Condition,
        variable: ConstraintNode<'_>,
    ) -> AcceptedValues {
        let root = OperandRoot::Variable(self.variable.to_owned());
        self.translate_condition(condition, true, variable, &root)
    }

    /// Returns the values of a node for which the condition can be `result` or null.
    fn translate_condition(
        &mut self,
        condition: &Condition,
        result: bool,
        node: ConstraintNode<'_>,
        root: &OperandRoot,
    ) -> AcceptedValues {
        match condition {
            Condition::Not(condition) => self.translate_condition(condition, !result, node, root),
            Condition::And(conditions) | Condition::Or(conditions) => {
                let sets = conditions.iter().map(|it| self.translate_condition(it, result, node, root));
                let sets: Vec<AcceptedValues> = sets.collect();
                match matches!(condition, Condition::And(_)) == result {
                    true => sets.into_iter().fold(AcceptedValues::all(), AcceptedValues::intersection),
                    false => AcceptedValues::union(sets),
                }
            }
            Condition::Predicate(operand, predicate) if operand.root == *root => {
                self.translate_operand(operand, predicate, result, node)
            }
            Condition::Predicate(..) | Condition::Opaque => self.accept_all(),
        }
    }

    /// Returns all values, because a condition has no translation.
    fn accept_all(&mut self) -> AcceptedValues {
        self.is_incomplete = true;
        AcceptedValues::all()
    }

    fn translate_operand(
        &mut self,
        operand: &Operand,
        predicate: &Predicate,
        result: bool,
        root: ConstraintNode<'_>,
    ) -> AcceptedValues {
        let (mut node, mut outer_nodes) = (root, Vec::new());
        for step in operand.path.steps() {
            outer_nodes.push((node, step));
            match node.child(step).filter(|_| matches!(node.ty, Type::Object(_))) {
                Some(child) => node = child,
                None => return self.accept_all(),
            }
        }
        let mut accepted = self.translate_predicate(predicate, result, node);
        accepted.has_null |= node.replaces_null;
        // The attribute of a null object is an error. It makes `can` false.
        let is_caught = matches!(predicate, Predicate::MatchesRegex(_)) && !result;
        let mut types = to_json_types(node.ty);
        for (outer, step) in outer_nodes.into_iter().rev() {
            let Step::Attribute(name) = step else { continue };
            let inner = accepted.into_keywords(types);
            let keywords =
                if inner.is_empty() { json!({}) } else { json!({ "properties": { &**name: inner } }) };
            accepted = AcceptedValues::new(outer.replaces_null || is_caught, keywords);
            types = to_json_types(outer.ty);
        }
        accepted
    }

    /// Returns the values of a node for which the predicate can be `result`.
    fn translate_predicate(
        &mut self,
        predicate: &Predicate,
        result: bool,
        node: ConstraintNode<'_>,
    ) -> AcceptedValues {
        let keywords = match (predicate, node.ty) {
            (Predicate::IsNull, _) if result => return AcceptedValues { has_null: true, keywords: None },
            (Predicate::IsNull, _) => return AcceptedValues::new(false, json!({})),
            (Predicate::IsTrue, Type::Bool) => return AcceptedValues::new(true, encode_bool(result)),
            (Predicate::OneOf(values), ty) => match encode_one_of(values, ty, result) {
                // A comparison with null is false.
                Some(keywords) => return AcceptedValues::new(!result, keywords),
                None => None,
            },
            (Predicate::InRange(min, max), Type::Number) => {
                return self.translate_range(min, max, result, |min, max| {
                    let mut keywords = Keywords::new();
                    for (bound, [included, excluded]) in
                        [(min, ["minimum", "exclusiveMinimum"]), (max, ["maximum", "exclusiveMaximum"])]
                    {
                        let (keyword, number) = match bound {
                            Bound::Included(it) => (included, it),
                            Bound::Excluded(it) => (excluded, it),
                            Bound::Unbounded => continue,
                        };
                        keywords.insert(keyword.to_owned(), to_json_number(number)?);
                    }
                    Some(AcceptedValues { has_null: false, keywords: Some(keywords) })
                });
            }
            (Predicate::LengthInRange(min, max), ty) => {
                return self.translate_range(min, max, result, |min, max| accept_lengths(ty, min, max));
            }
            (Predicate::IsInteger, Type::Number) if result => Some(json!({"multipleOf": 1})),
            (Predicate::IsInteger, Type::Number) => Some(json!({"not": {"type": "integer"}})),
            (Predicate::MatchesRegex(pattern), Type::String) => {
                match encode_pattern(to_ecmascript(pattern), result) {
                    Some(keywords) => return AcceptedValues::new(!result, keywords),
                    None => None,
                }
            }
            (Predicate::StartsWith(prefix), Type::String) => {
                encode_pattern(quote(prefix).map(|it| format!("^{it}")), result)
            }
            (Predicate::EndsWith(suffix), Type::String) => {
                encode_pattern(quote(suffix).map(|it| format!("{it}$")), result)
            }
            (Predicate::Contains(it), Type::String) => encode_pattern(quote(it), result),
            (Predicate::AllElements(condition), _) => {
                self.translate_elements(condition, result, result, node)
            }
            (Predicate::AnyElement(condition), _) => {
                self.translate_elements(condition, result, !result, node)
            }
            _ => None,
        };
        match keywords {
            Some(keywords) => AcceptedValues::new(false, keywords),
            None => {
                self.is_incomplete = true;
                // If the value is null, the predicate is false or an error.
                AcceptedValues::new(!result, json!({}))
            }
        }
    }

    /// Returns the keywords of the collections in which the condition can be `result` for each element, or for at least one.
    fn translate_elements(
        &mut self,
        condition: &Condition,
        result: bool,
        each: bool,
        node: ConstraintNode<'_>,
    ) -> Option<serde_json::Value> {
        let element = node.element()?;
        if let (Type::Map(_), true, true, Condition::And(conditions)) = (node.ty, each, result, condition) {
            let conditions = conditions.iter().map(|it| self.translate_elements(it, true, true, node));
            let all =
                conditions.map(|it| Some(AcceptedValues::new(true, it?))).collect::<Option<Vec<_>>>()?;
            return all
                .into_iter()
                .fold(AcceptedValues::all(), AcceptedValues::intersection)
                .keywords
                .map(Into::into);
        }
        if matches!(node.ty, Type::Map(_)) && each && has_key_predicate(condition) {
            let key = ConstraintNode::new(&Type::String, None);
            let schema = self
                .translate_condition(condition, result, key, &OperandRoot::Key)
                .into_keywords(&["string"]);
            return Some(json!({ "propertyNames": schema }));
        }
        let accepted = self.translate_condition(condition, result, element, &OperandRoot::Element);
        let schema = accepted.into_keywords(to_json_types(element.ty));
        match (node.ty, each, schema.is_empty()) {
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
    fn translate_range(
        &mut self,
        min: &Bound<Number>,
        max: &Bound<Number>,
        result: bool,
        accepted: impl Fn(Bound<&Number>, Bound<&Number>) -> Option<AcceptedValues>,
    ) -> AcceptedValues {
        let complement = |bound: Bound<&Number>| match bound {
            Bound::Included(it) => Some(Bound::Excluded(it.clone())),
            Bound::Excluded(it) => Some(Bound::Included(it.clone())),
            Bound::Unbounded => None,
        };
        let found = if result {
            accepted(min.as_ref(), max.as_ref())
        } else {
            let below = complement(min.as_ref()).map(|it| accepted(Bound::Unbounded, it.as_ref()));
            let above = complement(max.as_ref()).map(|it| accepted(it.as_ref(), Bound::Unbounded));
            [below, above].into_iter().flatten().collect::<Option<_>>().map(AcceptedValues::union)
        };
        found.unwrap_or_else(|| {
            self.is_incomplete = true;
            AcceptedValues::new(false, json!({}))
        })
    }
}

/// Returns true if the condition contains a predicate on the key of the current element.
fn has_key_predicate(condition: &Condition) -> bool {
    match condition {
        Condition::And(conditions) | Condition::Or(conditions) => conditions.iter().any(has_key_predicate),
        Condition::Not(condition) => has_key_predicate(condition),
        Condition::Predicate(operand, _) => operand.root == OperandRoot::Key,
        Condition::Opaque => false,
    }
}

fn encode_bool(value: bool) -> serde_json::Value {
    if value { json!({"enum": [true, "true", "1"]}) } else { json!({"enum": [false, "false", "0"]}) }
}

fn encode_pattern(pattern: Option<String>, result: bool) -> Option<serde_json::Value> {
    let pattern = pattern?;
    Some(match result {
        true => json!({ "pattern": pattern }),
        false => json!({"not": {"type": "string", "pattern": pattern}}),
    })
}

/// Returns the JSON number; `None` if it would be rounded.
fn to_json_number(number: &Number) -> Option<serde_json::Value> {
    let text = number.to_string();
    let number: serde_json::Number = text.parse().ok()?;
    (number.to_string() == text).then_some(number.into())
}

/// Returns the keywords of the values that equal one of the constants after their conversion to the type, or of all
/// others.
fn encode_one_of(values: &[Typed], ty: &Type, result: bool) -> Option<serde_json::Value> {
    let mut all = Vec::new();
    for constant in values.iter().filter(|_| ty.element().is_none()) {
        match (&constant.value, ty) {
            (Value::String(text), Type::String) => {
                all.push(json!(&**text));
                // Numbers and bools that convert to this string.
                let number = Number::parse(text).ok().filter(|number| number.to_string() == **text);
                if let Some(number) = number {
                    all.push(to_json_number(&number)?);
                }
                all.extend(["true", "false"].contains(&&**text).then(|| json!(&**text == "true")));
            }
            (Value::Number(it), Type::Number) => all.push(to_json_number(it)?),
            (Value::Bool(it), Type::Bool) if values.len() == 1 => return Some(encode_bool(*it == result)),
            _ => return None,
        }
    }
    let all = deduplicate(all);
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
fn accept_lengths(ty: &Type, min: Bound<&Number>, max: Bound<&Number>) -> Option<AcceptedValues> {
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
        return Some(AcceptedValues { has_null: false, keywords: None });
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
    Some(AcceptedValues { has_null: false, keywords: Some(keywords) })
}
