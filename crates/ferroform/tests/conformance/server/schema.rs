//! Builds schemas from their description in the cases.

use std::collections::BTreeMap;

use ferroform::schema::{
    Attribute, AttributeExt as _, Behavior, Block, GroupRule, Keep, Mode, Nested, Nesting, RelatedAttributes,
    Relation, RelationKind, Replace, Schema,
};
use ferroform::validators::{self, Validator};
use ferroform::value::{Error, Path, Type, Value};
use ferroform::view::View;
use ferroform::{Attr, Diagnostic, Pattern};
use serde_json::{Value as Json, json};

use crate::common::{any, ty};
use crate::server::NOT_REPRESENTABLE;

/// A plan modifier that the schema builder has no option for. It runs in the resource's `plan` method.
pub struct Hook {
    pub path: Path,
    pub modifier: Json,
    pub ty: Json,
}

pub fn schema(it: &Json) -> Result<Schema, String> {
    let mut block = block(it)?;
    for check in list(&it["config_validators"]) {
        let group_rule = match check["name"].as_str().unwrap() {
            "exactly_one_of" => GroupRule::ExactlyOne,
            "at_least_one_of" => GroupRule::AtLeastOne,
            "conflicting" => GroupRule::AtMostOne,
            "required_together" => GroupRule::AllOrNone,
            name => return Err(format!("unknown validator: {name}")),
        };
        block = block.group_with(group_rule, related_attributes(&check["paths"])?);
    }
    let version =
        it["version"].as_str().map_or(it["version"].as_i64().unwrap_or(0), |it| it.parse().unwrap());
    Ok(Schema::new(block).version(version))
}

fn list(it: &Json) -> impl Iterator<Item = &Json> {
    it.as_array().into_iter().flatten()
}

fn block(it: &Json) -> Result<Block, String> {
    let mut block = Block::new().description(it["description"].as_str().unwrap_or_default());
    if let Some(message) = it["deprecated"].as_str() {
        block = block.deprecated(message);
    }
    for (name, it) in it["attributes"].as_object().into_iter().flatten() {
        block = block.attribute(attribute(name, it)?);
    }
    for (name, it) in it["blocks"].as_object().into_iter().flatten() {
        let nesting = nesting(it["mode"].as_str().unwrap());
        let attribute = Attribute::raw_nested(name.as_str(), Nested::new(nesting, self::block(it)?));
        let mut attribute = attribute.with_mode(Mode::Optional);
        attribute.behavior_mut().deprecated = it["deprecated"].as_str().map(Into::into);
        for modifier in list(&it["plan_modifiers"]) {
            match modifier["name"].as_str().unwrap() {
                "requires_replace" => attribute.behavior_mut().replace = Replace::Always,
                "requires_replace_if_configured" => add_if_configured(attribute.behavior_mut()),
                // A configured block is never computed, so there is no prior value to keep.
                "use_state_for_unknown" | "use_non_null_state_for_unknown" => {}
                name => return Err(format!("unknown block option: {name}")),
            }
        }
        attribute = list(&it["validators"])
            .try_fold(attribute, |attribute, check| validator(attribute, check, &Json::Null))?;
        block = block.block(attribute);
    }
    Ok(block)
}

fn nesting(mode: &str) -> Nesting {
    match mode {
        "single" => Nesting::Single,
        "list" => Nesting::List,
        "set" => Nesting::Set,
        _ => Nesting::Map,
    }
}

fn attribute(name: &str, it: &Json) -> Result<Attribute, String> {
    let mut attribute = match it.get("nested") {
        Some(nested) => {
            let nesting = nesting(nested["mode"].as_str().unwrap());
            Attribute::raw_nested(name, Nested::new(nesting, block(nested)?))
        }
        None => of_type(name, &it["type"])?,
    };
    let flag = |name: &str| it[name].as_bool().unwrap_or(false);
    if let Some(default) = it.get("default") {
        let value = crate::common::value(default, attribute.ty()).ok_or("a default of another type")?;
        attribute = attribute.default(move || Raw(value.clone()));
    }
    let mode = match (flag("required"), flag("optional"), flag("computed")) {
        (true, false, false) => Mode::Required,
        (false, true, false) => Mode::Optional,
        (false, false, true) => Mode::Computed,
        (false, true, true) => Mode::OptionalComputed,
        _ => return Err(no_such_mode()),
    };
    attribute = attribute.with_mode(mode);
    if mode == Mode::Optional && attribute.mode() != mode {
        return Err(format!("{NOT_REPRESENTABLE}default-is-computed"));
    }
    if flag("sensitive") {
        attribute = attribute.sensitive();
    }
    if flag("write_only") {
        attribute = attribute.write_only();
    }
    attribute = attribute.description(it["description"].as_str().unwrap_or_default());
    attribute.behavior_mut().deprecated = it["deprecated"].as_str().map(Into::into);
    for modifier in list(&it["plan_modifiers"]) {
        match modifier["name"].as_str().unwrap() {
            "requires_replace" => attribute.behavior_mut().replace = Replace::Always,
            "requires_replace_if_configured" => add_if_configured(attribute.behavior_mut()),
            "use_state_for_unknown" => attribute.behavior_mut().keep = Keep::State,
            "use_non_null_state_for_unknown" if attribute.behavior().keep != Keep::State => {
                attribute.behavior_mut().keep = Keep::NonNullState;
            }
            // The resource's `plan` method runs the other modifiers; see `hooks`.
            _ => {}
        }
    }
    list(&it["validators"]).try_fold(attribute, |attribute, check| validator(attribute, check, &it["type"]))
}

/// Of two options about replacement, the one that applies to more changes counts.
fn add_if_configured(behavior: &mut Behavior) {
    if !matches!(behavior.replace, Replace::Always) {
        behavior.replace = Replace::IfConfigured;
    }
}

/// The error for an attribute with a combination of modes that no Ferroform schema has.
pub fn no_such_mode() -> String {
    format!("{NOT_REPRESENTABLE}attribute-has-one-mode")
}

/// Returns an attribute of a type. A Go framework type with its own behavior, such as `int64`, becomes the Rust type with
/// this behavior, alone or in collections.
pub fn of_type(name: &str, it: &Json) -> Result<Attribute, String> {
    let framework_types = ["int64", "int32", "float64", "float32", "ci_string"];
    match framework_types.into_iter().find(|ty| any(it, &|it| it == ty)) {
        None => Ok(Attribute::raw(name, ty(it))),
        Some("int64") => of_framework_type::<i64>(name, it),
        Some("int32") => of_framework_type::<i32>(name, it),
        Some("float64") => of_framework_type::<f64>(name, it),
        Some("float32") => of_framework_type::<f32>(name, it),
        Some(_) => of_framework_type::<AnyCase>(name, it),
    }
}

fn of_framework_type<T: Attr + Clone + PartialEq>(name: &str, it: &Json) -> Result<Attribute, String> {
    type List<T> = Option<Vec<Option<T>>>;
    let (kind, element) = (it[0].as_str(), &it[1]);
    Ok(match kind {
        None => Attribute::of::<Option<T>>(name),
        Some("list") if element.is_string() => Attribute::of::<List<T>>(name),
        Some("set") if element.is_string() => Attribute::of::<Option<ferroform::Set<T>>>(name),
        Some("map") if element.is_string() => Attribute::of::<Option<BTreeMap<String, Option<T>>>>(name),
        Some("list") if element[0] == "list" && element[1].is_string() => {
            Attribute::of::<Option<Vec<List<T>>>>(name)
        }
        Some("object") => objects(name, Nesting::Single, it)?,
        Some(kind @ ("list" | "set" | "map")) if element[0] == "object" => {
            objects(name, nesting(kind), element)?
        }
        _ => return Err(format!("unsupported: the attribute type {it}")),
    })
}

/// Ferroform represents an object attribute whose members have such types as a nested attribute.
fn objects(name: &str, nesting: Nesting, object: &Json) -> Result<Attribute, String> {
    let members = object[1].as_object().into_iter().flatten();
    let block = members.map(|(name, it)| attribute(name, &json!({"type": it, "optional": true})));
    let block = block.collect::<Result<Vec<_>, _>>()?.into_iter().fold(Block::new(), Block::attribute);
    Ok(Attribute::raw_nested(name, Nested::new(nesting, block)))
}

/// The plan modifiers that the schema builder has options for.
const OPTIONS: [&str; 4] = [
    "requires_replace",
    "requires_replace_if_configured",
    "use_state_for_unknown",
    "use_non_null_state_for_unknown",
];
/// The plan modifiers that the `plan` method runs.
const HOOKS: [&str; 6] =
    ["set_value", "set_unknown", "set_private", "requires_replace_always", "add_error", "add_warning"];

/// Returns the plan modifiers that only the `plan` method can run.
pub fn hooks(it: &Json) -> Result<Vec<Hook>, String> {
    let mut hooks = Vec::new();
    for (name, it) in it["attributes"].as_object().into_iter().flatten() {
        for modifier in list(&it["plan_modifiers"]) {
            let named = modifier["name"].as_str().unwrap_or_default();
            let follows_set_unknown = || {
                hooks.last().is_some_and(|it: &Hook| {
                    it.path == Path::attribute(name.as_str()) && it.modifier["name"] == "set_unknown"
                })
            };
            if named.starts_with("use_") && follows_set_unknown() {
                return Err(format!("{NOT_REPRESENTABLE}options-precede-the-plan-method"));
            }
            if HOOKS.contains(&named) {
                let (path, ty) = (Path::attribute(name.as_str()), it["type"].clone());
                hooks.push(Hook { path, modifier: modifier.clone(), ty });
            } else if !OPTIONS.contains(&named) {
                return Err(format!("unsupported: the plan modifier {modifier}"));
            }
        }
    }
    let root = it["attributes"].as_object().into_iter().flatten().map(|(_, it)| &it["nested"]);
    let inside: Vec<&Json> = root.chain([&it["blocks"]]).collect();
    let has_hook =
        |it: &Json| list(&it["plan_modifiers"]).any(|it| !OPTIONS.iter().any(|option| it["name"] == *option));
    match inside.into_iter().any(|it| any(it, &has_hook)) {
        true => Err("unsupported: a plan modifier inside a nested object that is no option".to_owned()),
        false => Ok(hooks),
    }
}

fn validator(mut attribute: Attribute, check: &Json, of: &Json) -> Result<Attribute, String> {
    let name = check["name"].as_str().unwrap();
    let kind = match name {
        "conflicts_with" => Some(RelationKind::ConflictsWith),
        "also_requires" => Some(RelationKind::Requires),
        "exactly_one_of" => Some(RelationKind::ExactlyOneOf),
        "at_least_one_of" => Some(RelationKind::AtLeastOneOf),
        _ => None,
    };
    if let Some(kind) = kind {
        attribute.behavior_mut().relations.push(Relation::new(kind, related_attributes(&check["paths"])?));
        return Ok(attribute);
    }
    if name == "is_required" {
        attribute.behavior_mut().min_items = 1;
        attribute.behavior_mut().max_items =
            u64::from(attribute.nested().is_some_and(|it| it.nesting() == Nesting::Single));
        return Ok(attribute);
    }
    attribute.behavior_mut().validators.push(library_validator(check, of)?);
    Ok(attribute)
}

/// Adapts a library validator to attributes of any type.
fn raw<T>(rule: Validator<T>) -> Validator<Value>
where
    T: 'static,
{
    Validator::new(rule.description().to_owned(), move |it| rule.validate(it)).partial()
}

/// Returns the library validator that a case names. The value determines its type.
fn library_validator(check: &Json, of: &Json) -> Result<Validator<Value>, String> {
    let name = check["name"].as_str().unwrap_or_default();
    let unsupported = |what: &str| format!("unsupported: {what} in the validator {check} of the type {of}");
    let size = |name: &str, default| match &check[name] {
        Json::Null => Ok(default),
        it => string_of(it).parse::<usize>().map_err(|_| unsupported(&format!("the size {it}"))),
    };
    let (min, max) = (size("min", 0), size("max", usize::MAX));
    let strings = || list(&check["values"]).map(string_of).collect::<Vec<_>>();
    let number = |name: &str| {
        let it = string_of(&check[name]);
        it.parse::<ferroform::value::Number>().map_err(|_| unsupported(&format!("the number {it}")))
    };
    // The values of the cases have no type, so that of the attribute determines it.
    let wire_type = (!of.is_null()).then(|| ty(of));
    let values = || match wire_type {
        Some(Type::Number) => {
            list(&check["values"]).map(|it| number_of(it).map(Raw)).collect::<Option<Vec<_>>>()
        }
        Some(Type::Bool) => list(&check["values"]).map(|it| bool_of(it).map(Raw)).collect(),
        _ => None,
    };
    let string = |rule: Validator<String>| raw(rule);
    let sized = |rule: Validator<Vec<Raw>>| raw(rule);
    Ok(match name {
        "length_between" => string(validators::length_between(min?, max?)),
        "length_at_least" => string(validators::length_at_least(min?)),
        "length_at_most" => string(validators::length_at_most(max?)),
        "utf8_length_between" => string(validators::utf8_length_between(min?, max?)),
        "one_of" if wire_type == Some(Type::String) => string(validators::one_of(strings())),
        "none_of" if wire_type == Some(Type::String) => string(validators::none_of(strings())),
        "one_of" => raw::<Raw>(validators::one_of(values().ok_or_else(|| unsupported("the values"))?)),
        "none_of" => raw::<Raw>(validators::none_of(values().ok_or_else(|| unsupported("the values"))?)),
        "one_of_case_insensitive" => string(validators::one_of_case_insensitive(strings())),
        "regex_matches" => string(validators::matches(
            check["pattern"].as_str().ok_or_else(|| unsupported("the pattern"))?,
            check["message"].as_str().unwrap_or_default(),
        )),
        "at_least" => raw(validators::at_least(number("min")?)),
        "at_most" => raw(validators::at_most(number("max")?)),
        "between" => raw(validators::between(number("min")?, number("max")?)),
        "equals" => {
            let it = &check["value"];
            let value = match wire_type {
                Some(Type::String) => Some(Value::string(string_of(it))),
                Some(Type::Number) => number_of(it),
                _ => bool_of(it),
            };
            raw::<Raw>(validators::equals(Raw(value.ok_or_else(|| unsupported("the value"))?)))
        }
        "size_between" => sized(validators::size_between(min?, max?)),
        "size_at_least" => sized(validators::size_at_least(min?)),
        "size_at_most" => sized(validators::size_at_most(max?)),
        "unique_values" => sized(validators::unique_values()),
        "no_null_values" => sized(validators::no_null_values()),
        "keys_are" => {
            let inner: Vec<Validator<Value>> = inner(check)?;
            let key = Validator::<String>::new("", move |it| validate_all(&inner, it));
            let keys: Validator<std::collections::BTreeMap<String, Raw>> = validators::each_key(key);
            Validator::new("", move |it| keys.validate(it)).partial()
        }
        "value_strings_are" => {
            let inner: Vec<Validator<Value>> = inner(check)?;
            let element = Validator::<Raw>::new("", move |it| validate_all(&inner, it));
            let all: Validator<Vec<Raw>> = validators::each(element);
            Validator::new("", move |it| all.validate(it)).partial()
        }
        _ => return Err(unsupported("the name")),
    })
}

/// A string or number of a case as a string.
fn string_of(it: &Json) -> String {
    it.as_str().map_or_else(|| it.to_string(), str::to_owned)
}

fn number_of(it: &Json) -> Option<Value> {
    string_of(it).parse().ok().map(Value::Number)
}

fn bool_of(it: &Json) -> Option<Value> {
    string_of(it).parse().ok().map(Value::Bool)
}

fn inner(check: &Json) -> Result<Vec<Validator<Value>>, String> {
    list(&check["validators"]).map(|it| library_validator(it, &Json::from("string"))).collect()
}

fn validate_all(rules: &[Validator<Value>], value: &Value) -> Result<(), ferroform::Diagnostics> {
    let mut found = ferroform::Diagnostics::new();
    for rule in rules {
        found.ok_or_extend(rule.validate(value));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn related_attributes(paths: &Json) -> Result<RelatedAttributes, String> {
    let pattern = |path: &Json| {
        list(&path["steps"]).try_fold(Pattern::ROOT, |pattern, step| {
            if step["parent"] == true {
                return Ok(pattern.parent());
            }
            if let Some(name) = step["attr"].as_str() {
                return Ok(pattern.name(name));
            }
            if let Some(index) = step["index"].as_str() {
                return Ok(pattern.then(index.parse::<usize>().unwrap()));
            }
            if let Some(key) = step["key"].as_str() {
                return Ok(pattern.then(key));
            }
            let any = ["any_index", "any_key", "any_elem"].iter().any(|it| step[it] == true);
            if any { Ok(pattern.any()) } else { Err(format!("unknown path step: {step}")) }
        })
    };
    Ok(RelatedAttributes::default().and(list(paths).map(pattern).collect::<Result<Vec<_>, _>>()?))
}

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw(pub Value);

impl Attr for Raw {
    type In<V: View> = Self;
    const EXACT: bool = true;

    fn ty() -> Type {
        Type::Dynamic
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        Ok(Raw(value.clone()))
    }

    fn to_value(&self) -> Value {
        self.0.clone()
    }
}

/// A string that is compared without regard to case.
#[derive(Clone, Debug)]
pub struct AnyCase(String);

impl PartialEq for AnyCase {
    fn eq(&self, other: &AnyCase) -> bool {
        let fold = |it: &str| it.to_lowercase().replace('ß', "ss");
        fold(&self.0) == fold(&other.0)
    }
}

impl Attr for AnyCase {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        String::from_value(value).map(AnyCase)
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// Returns the diagnostic that a plan modifier of a case reports.
pub fn planned(severity: &str) -> Diagnostic {
    match severity {
        "add_error" => Diagnostic::error("Planned Error"),
        _ => Diagnostic::warning("Planned Warning"),
    }
}
