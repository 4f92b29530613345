//! Random modules: types, and validations from a grammar.

use std::fmt;

use serde_json::{Map, Value};

use crate::rng::Rng;
use crate::values;

/// A type constraint.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    Primitive(&'static str),
    /// `list`, `set` or `map`.
    Collection(&'static str, Box<Type>),
    Tuple(Vec<Type>),
    Object(Vec<Attribute>),
    Any,
}

#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    /// The default, in HCL.
    default: Option<String>,
}

impl Type {
    fn random(rng: &mut Rng, depth: u32, has_any: bool) -> Type {
        match rng.below(if depth == 0 { 4 } else { 10 }) {
            0 => Type::Primitive("bool"),
            1 if has_any && rng.chance(50) => Type::Any,
            1 | 2 => Type::Primitive("number"),
            3 | 4 => Type::Primitive("string"),
            5..=7 => {
                let kind = rng.one_of(&["list", "set", "map"]);
                Type::Collection(kind, Box::new(Type::random(rng, depth - 1, has_any)))
            }
            8 if rng.chance(40) => {
                Type::Tuple((0..rng.below(3)).map(|_| Type::random(rng, depth - 1, has_any)).collect())
            }
            _ => {
                let names = ["a", "b", "c"];
                let attribute = |name| {
                    let ty = Type::random(rng, depth - 1, has_any);
                    let optional = rng.chance(50);
                    let default = match &ty {
                        Type::Primitive(ty) if optional && rng.chance(50) => Some(match *ty {
                            "bool" => rng.one_of(&["true", "\"false\""]).to_owned(),
                            "number" => rng.one_of(&["0", "3", "\"5\""]).to_owned(),
                            _ => rng.one_of(&["\"\"", "\"dev\"", "7"]).to_owned(),
                        }),
                        Type::Object(_) if optional && rng.chance(20) => Some("null".to_owned()),
                        _ => None,
                    };
                    Attribute { name, ty, optional, default }
                };
                Type::Object(names.into_iter().map(attribute).collect())
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Type::Any => f.write_str("any"),
            Type::Primitive(it) => f.write_str(it),
            Type::Collection(kind, of) => write!(f, "{kind}({of})"),
            Type::Tuple(types) => write!(f, "tuple([{}])", list(types)),
            Type::Object(attributes) => {
                f.write_str("object({ ")?;
                for attribute in attributes {
                    match (&attribute.default, attribute.optional) {
                        (Some(default), _) => {
                            write!(f, "{} = optional({}, {default}), ", attribute.name, attribute.ty)?
                        }
                        (None, true) => write!(f, "{} = optional({}), ", attribute.name, attribute.ty)?,
                        (None, false) => write!(f, "{} = {}, ", attribute.name, attribute.ty)?,
                    }
                }
                f.write_str("})")
            }
        }
    }
}

/// A module with one or two variables.
pub(crate) struct Module {
    /// The version of Terraform before which `&&` and `||` do not short-circuit, or a later one.
    version: &'static str,
    variables: Vec<Variable>,
}

struct Variable {
    name: &'static str,
    ty: Type,
    /// Other arguments, in HCL.
    arguments: String,
    conditions: Vec<String>,
}

impl Module {
    pub(crate) fn random(rng: &mut Rng, has_validations: bool) -> Module {
        // Half of the modules have one short condition, so that its limits are reached often.
        let is_short = has_validations && rng.chance(50);
        let names: &[_] = if is_short || rng.chance(60) { &["x"] } else { &["x", "y"] };
        let depth = if is_short { rng.below(2) as u32 } else { 2 };
        let types = [(); 2].map(|()| Type::random(rng, depth, has_validations));
        let variable = |(name, ty): (&&'static str, &Type)| {
            let ty = ty.clone();
            let mut arguments = String::new();
            // A default that is invalid for a validation would make every file invalid.
            let default = match &ty {
                Type::Primitive("bool") => "true",
                Type::Primitive("number") => rng.one_of(&["1", "3"]),
                Type::Primitive(_) => rng.one_of(&["\"dev\"", "\"\""]),
                Type::Collection("map", _) => "{}",
                Type::Collection(..) => "[]",
                _ => "null",
            };
            let has_default = rng.chance(40);
            if has_default {
                arguments.push_str(&format!("  default = {default}\n"));
            }
            if rng.chance(30) && !(has_default && default == "null") {
                arguments.push_str("  nullable = false\n");
            }
            let count = if is_short { 1 } else { rng.below(if has_validations { 3 } else { 1 }) };
            let root = format!("var.{name}");
            let mut conditions: Vec<String> =
                (0..count).map(|_| condition(rng, &root, &ty, if is_short { 1 } else { 2 })).collect();
            if count > 0 && *name == "x" && names.len() == 2 && rng.chance(50) {
                let other = condition(rng, "var.y", &types[1], 1);
                conditions[0] = format!("({}) {} {other}", conditions[0], rng.one_of(&["&&", "||"]));
            }
            Variable { name, ty, arguments, conditions }
        };
        let variables = names.iter().zip(&types).map(variable).collect();
        Module { version: rng.one_of(&["~> 1.11.0", ">= 1.12"]), variables }
    }

    /// Returns a random variables file, in which most values have the right type.
    pub(crate) fn values(&self, rng: &mut Rng) -> Value {
        let mut file = Map::new();
        for variable in &self.variables {
            if !rng.chance(4) {
                file.insert(variable.name.to_owned(), values::random(rng, &variable.ty));
            }
        }
        if rng.chance(5) {
            file.insert("//".to_owned(), values::any(rng, 1));
        }
        if rng.chance(5) {
            file.insert("undeclared".to_owned(), values::any(rng, 1));
        }
        Value::Object(file)
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "terraform {{\n  required_version = \"{}\"\n}}", self.version)?;
        f.write_str("locals {\n  stages = [\"dev\", \"1\", \"true\"]\n}\n")?;
        for variable in &self.variables {
            write!(f, "variable \"{}\" {{\n  type = {}\n{}", variable.name, variable.ty, variable.arguments)?;
            for condition in &variable.conditions {
                write!(
                    f,
                    "  validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}\n"
                )?;
            }
            f.write_str("}\n")?;
        }
        Ok(())
    }
}

/// Returns a random condition about a value of this type.
fn condition(rng: &mut Rng, of: &str, ty: &Type, depth: u32) -> String {
    if depth > 0 && rng.chance(55) {
        let mut inner = || condition(rng, of, ty, depth - 1);
        let (a, b) = (inner(), inner());
        return match rng.below(11) {
            0 | 1 => format!("{a} && {b}"),
            2 => format!("({a} || {b})"),
            3 => format!("!({a})"),
            4 => format!("({of} == null || {a})"),
            5 => format!("({of} == null ? true : {a})"),
            6 => format!("({a} ? {b} : {})", condition(rng, of, ty, 0)),
            7 => format!("alltrue([{a}, {b}])"),
            8 => format!("anytrue([{a}, {b}])"),
            9 => format!("try({a}, {})", rng.one_of(&["true", "false"])),
            _ => format!("({of} != null && {a})"),
        };
    }
    if rng.chance(8) {
        return rng
            .one_of(&[
                "{} == null",
                "{} != null",
                "length({}) > 1",
                "contains([\"dev\", \"1\"], {})",
                "{} == 3",
                "{}",
                "\"a\" == {}",
                "can(tonumber({}))",
                "can(regex(\"^(?P<a>x)(y)$\", {}))",
                "try({}.a, \"x\") == \"x\"",
                "length(\"${{}}\") > 2",
                "md5({}) != \"\"",
                "can(cidrhost({}, 0))",
                "length(yamldecode({})) > 0",
                "lower({}) == {}",
                "pow({}, 2) > 1",
                "path.module == {}",
            ])
            .replace("{}", of);
    }
    let number = rng.one_of(&["0", "1", "2", "3", "-1", "2.5"]);
    let comparison = rng.one_of(&["==", "!=", "<", "<=", ">", ">="]);
    match ty {
        Type::Any => format!("length({of}) {comparison} {number}"),
        Type::Primitive("bool") => rng.one_of(&["{}", "{} == true", "!{}", "{} != false"]).replace("{}", of),
        Type::Primitive("number") => match rng.below(8) {
            0 | 1 => format!("{of} {comparison} {number}"),
            2 => format!("{number} {comparison} {of}"),
            3 => format!("{of} >= 1 && {of} <= 3"),
            4 => format!("contains([1, 3, 2.5], {of})"),
            5 => rng.one_of(&["floor({}) == {}", "{} == ceil({})", "{} != floor({})"]).replace("{}", of),
            6 => format!("({of} > 2 || {of} < 1)"),
            _ => format!("contains([\"1\", \"3\"], {of})"),
        },
        Type::Primitive(_) => string_condition(rng, of, (comparison, number)),
        Type::Collection(kind, element) => match rng.below(9) {
            0 | 1 => format!("length({of}) {comparison} {number}"),
            2 | 3 => format!("alltrue([for e in {of} : {}])", condition(rng, "e", element, depth)),
            4 => format!("anytrue([for e in {of} : {}])", condition(rng, "e", element, depth)),
            5 => format!(
                "length([for k, e in {of} : e if {}]) {} 0",
                condition(rng, "e", element, 0),
                rng.one_of(&["==", ">", "!=", "<="])
            ),
            6 => format!(
                "alltrue([for e in {of} : {} if {}])",
                condition(rng, "e", element, 0),
                condition(rng, "e", element, 0)
            ),
            7 if *kind == "map" => {
                let key = condition(rng, "k", &Type::Primitive("string"), depth);
                format!("alltrue([for k, e in {of} : {key} && {}])", condition(rng, "e", element, 0))
            }
            _ if *kind != "map" => {
                let values = rng.one_of(&["[\"dev\", \"1\"]", "[1, 3]", "local.stages"]);
                format!("length(setsubtract({of}, {values})) {} 0", rng.one_of(&["==", ">", "!="]))
            }
            _ => format!("contains(keys({of}), \"a\")"),
        },
        Type::Tuple(types) => format!("length({of}) == {}", types.len()),
        Type::Object(attributes) => {
            let attribute = &attributes[rng.below(3) as usize];
            condition(rng, &format!("{of}.{}", attribute.name), &attribute.ty, depth)
        }
    }
}

fn string_condition(rng: &mut Rng, of: &str, (comparison, number): (&str, &str)) -> String {
    let pattern = rng.one_of(&[
        "^[a-z]+$",
        "^\\\\d{1,2}$",
        "[[:upper:]]|^$",
        "^(dev|prod)",
        ".{3}",
        "\\\\w-\\\\w",
        "^[^a-c]*$",
        "(?i)DEV",
        "\\\\bdev",
        "^(?P<s>d)e?v*\\\\z",
        "[&~.-]",
        "\\\\p{L}",
        "[z-a]",
    ]);
    let text = rng.one_of(&["dev", "d", "1", "true", "", "1.5", "v.", "é"]);
    match rng.below(13) {
        0 | 1 => format!("length({of}) {comparison} {number}"),
        2 => format!("contains([\"dev\", \"{text}\", \"true\", \"1\"], {of})"),
        3 => format!("contains(local.stages, {of})"),
        4 => format!("({of} == \"dev\" || \"{text}\" == {of})"),
        5 => format!("{of} != \"{text}\""),
        6 | 7 => format!("can(regex(\"{pattern}\", {of}))"),
        8 => format!("length(regexall(\"{pattern}\", {of})) {} 0", rng.one_of(&[">", "==", "!=", ">=", "<"])),
        9 => format!("startswith({of}, \"{text}\")"),
        10 => format!("endswith({of}, \"{text}\")"),
        11 => format!("strcontains({of}, \"{text}\")"),
        _ => format!(
            "substr({of}, 0, 2) {} \"{}\"",
            rng.one_of(&["==", "!="]),
            rng.one_of(&["de", "d", "", "1"])
        ),
    }
}
