//! The JSON Schema of a module's input variables.
//!
//! The schema describes the object in a `.tfvars.json` file. It follows one law: a file that the schema rejects is
//! rejected by [`evaluate`](crate::evaluate) as well. Values that Terraform converts, such as `"80"` for a number, are
//! therefore valid, and a validation that has no equivalent in JSON Schema is listed in a `$comment`.

mod admitted;
mod pattern;
mod rules;

use std::collections::BTreeSet;
use std::ffi::OsStr;

use ferroform_lang::Defaults;
use ferroform_lang::body::Variables;
use ferroform_value::{Type, Typed, json as value_json};
use serde_json::{Value, json};

use self::admitted::{Admitted, Keywords, keywords, merge, set_types};
use self::rules::{Place, Translator, json_types};
use crate::declaration::{Declaration, Validation};
use crate::document;
use crate::evaluation::{Reading, SourceTexts, with_module};
use crate::module::Module;
use crate::report::Report;
use crate::request::{AsErrors, Request};
use crate::source::Source;
use crate::target::Behavior;

/// The syntax of a string that converts to a number.
const NUMBER: &str = "^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$";

/// Returns the JSON Schema of a module's input variables, as a JSON document (draft 2020-12). Options and environment
/// variables that set values have no effect.
///
/// If undeclared variables or warnings are errors, the schema rejects undeclared variables or attributes.
///
/// # Errors
///
/// Returns a report with the diagnostics if the module is invalid.
///
/// ```no_run
/// use ferroform_vars::{Request, schema};
///
/// match schema(&Request { directory: "examples/web".into(), ..Request::default() }) {
///     Ok(document) => print!("{document}"),
///     Err(report) => eprint!("{}", report.diagnostics()),
/// }
/// ```
pub fn schema(request: &Request) -> Result<String, Box<Report>> {
    of(Reading::of_module(request))
}

/// Returns the JSON Schema of the input variables of a module in memory.
///
/// # Errors
///
/// Returns a report with the diagnostics if the module is invalid.
///
/// ```
/// let module = "variable \"port\" {\n  type = number\n  validation {\n    condition = var.port > 0\n    error_message = \"No.\"\n  }\n}\n";
/// let texts = ferroform_vars::SourceTexts {
///     module: vec![("main.tf".to_owned(), module.to_owned())],
///     ..Default::default()
/// };
/// let schema = ferroform_vars::schema_of_sources(&texts).map_err(|report| report.diagnostics())?;
/// let schema: serde_json::Value = serde_json::from_str(&schema).map_err(|error| error.to_string())?;
/// assert_eq!(schema["properties"]["port"]["exclusiveMinimum"], 0);
/// assert_eq!(schema["required"][0], "port");
/// # Ok::<(), String>(())
/// ```
pub fn schema_of_sources(texts: &SourceTexts) -> Result<String, Box<Report>> {
    let sources = texts.module.iter().map(|(name, text)| Source::new(name.clone(), text.clone()));
    let mut sources: Vec<Source> = sources.collect();
    document::retain_module_files(&mut sources, |it| OsStr::new(&it.name), true);
    of(Reading { sources, ..Reading::default() })
}

fn of(reading: Reading) -> Result<String, Box<Report>> {
    let as_errors = reading.as_errors;
    let (report, document) = with_module(reading, |sources, _, module, behavior| {
        format!("{:#}\n", Builder { sources, module, behavior, as_errors }.document())
    });
    document.ok_or_else(|| Box::new(report))
}

struct Builder<'a> {
    sources: &'a [Source],
    module: &'a Module<'a>,
    behavior: Behavior,
    as_errors: AsErrors,
}

impl Builder<'_> {
    fn document(&self) -> Value {
        let (mut properties, mut required) = (Keywords::new(), Vec::new());
        for (name, declaration) in &self.module.variables {
            properties.insert(name.clone(), self.variable(declaration).into());
            required.extend(declaration.is_required().then_some(name));
        }
        let mut document = keywords(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "required": required,
        }));
        if self.as_errors.undeclared {
            document.insert("additionalProperties".to_owned(), false.into());
            properties.insert("//".to_owned(), json!({"description": "A comment."}));
        }
        document.insert("properties".to_owned(), properties.into());
        document.into()
    }

    fn variable(&self, declaration: &Declaration<'_>) -> Keywords {
        let Some(variable) = &declaration.variable else { return Keywords::new() };
        let (ty, defaults) = (&variable.constraint.ty, variable.constraint.defaults.as_ref());
        let mut schema = self.of_type(ty, defaults, declaration.is_secret);
        let replaces_null = !variable.nullable && variable.default.is_some();
        let place = Place { ty, defaults, replaces_null };
        let mut admitted = Admitted { null: variable.nullable || replaces_null, ..Admitted::everything() };
        let mut comments = Vec::new();
        for validation in &declaration.validations {
            let mut translator = Translator { variable: &declaration.name, is_incomplete: false };
            let rule = self.rule(validation);
            let accepted =
                rule.as_ref().map_or_else(Admitted::everything, |it| translator.accepted(it, place));
            if translator.is_incomplete || rule.is_none() {
                comments.push(self.comment(validation, accepted.rejects_only_null()));
            }
            admitted = admitted.and(accepted);
        }
        merge(&mut schema, admitted.into_keywords(json_types(ty)));
        let mut insert = |keyword: &str, value: Value| drop(schema.insert(keyword.to_owned(), value));
        let deprecated = declaration.deprecated.as_deref().map(|it| format!("Deprecated: {}", it.trim()));
        if deprecated.is_some() {
            insert("deprecated", true.into());
        }
        let description = [declaration.description.as_deref().map(str::trim), deprecated.as_deref()];
        let description: Vec<&str> = description.into_iter().flatten().collect();
        if !description.is_empty() {
            insert("description", description.join("\n\n").into());
        }
        match &variable.default {
            _ if declaration.is_secret => insert("writeOnly", true.into()),
            Some(default) => drop(default_value(default).map(|it| insert("default", it))),
            None => {}
        }
        if !comments.is_empty() {
            insert("$comment", comments.join("\n").into());
        }
        schema
    }

    /// Returns the rule of a validation; `None` if it may not be evaluated for some values.
    fn rule(&self, validation: &Validation<'_>) -> Option<ferroform_lang::rule::Rule> {
        let expression = validation.condition.expression();
        let (mut constants, mut evaluated, mut errors) = (Variables::default(), BTreeSet::new(), Vec::new());
        let names = (&mut constants, self.behavior.operators);
        self.module.locals.resolve(&expression.references().locals, names, &mut evaluated, &mut errors);
        expression.rule(&constants)
    }

    /// Returns the comment for a validation that the schema does not express.
    fn comment(&self, validation: &Validation<'_>, is_whole: bool) -> String {
        let source = &self.sources[validation.location.source];
        let at = source.describe(validation.location.start);
        let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        let condition = words(&source.text[validation.condition.location.range()]);
        let message = validation.message.expression().constant().ok();
        let message = message.as_ref().and_then(|it| it.value.as_str()).map(|it| format!(" ({})", words(it)));
        let part = if is_whole { "" } else { "a part of " };
        format!(
            "The schema does not express {part}the validation at {at}: {condition}{}",
            message.unwrap_or_default()
        )
    }

    /// Returns the schema of the values that convert to a type, including null.
    fn of_type(&self, ty: &Type, defaults: Option<&Defaults>, is_secret: bool) -> Keywords {
        let mut schema = Keywords::new();
        if *ty == Type::Dynamic {
            return schema;
        }
        set_types(&mut schema, json_types(ty).iter().chain(&["null"]).map(|it| (*it).to_owned()).collect());
        let child = |name: &str| defaults.and_then(|it| it.children().get(name));
        let mut insert = |keyword: &str, value: Value| drop(schema.insert(keyword.to_owned(), value));
        match ty {
            Type::Bool => insert("pattern", "^(true|false|1|0)$".into()),
            Type::Number => insert("pattern", NUMBER.into()),
            Type::String | Type::Dynamic => {}
            Type::List(of) | Type::Set(of) | Type::Map(of) => {
                let keyword = if matches!(ty, Type::Map(_)) { "additionalProperties" } else { "items" };
                let of = self.of_type(of, child(""), is_secret);
                if !of.is_empty() {
                    insert(keyword, of.into());
                }
            }
            Type::Tuple(types) => {
                let element = |(i, ty): (usize, &Type)| self.of_type(ty, child(&i.to_string()), is_secret);
                let elements: Vec<_> = types.iter().enumerate().map(element).collect();
                insert("minItems", elements.len().into());
                insert("maxItems", elements.len().into());
                // An empty list of schemas is invalid.
                if !elements.is_empty() {
                    insert("prefixItems", elements.into());
                }
            }
            Type::Object(attributes) => {
                let (mut properties, mut required) = (Keywords::new(), Vec::new());
                for it in attributes.attributes() {
                    let mut attribute = self.of_type(&it.ty, child(&it.name), is_secret);
                    let default = defaults.and_then(|defaults| defaults.values().get(&it.name));
                    if let Some(default) = default.filter(|_| !is_secret).and_then(default_value) {
                        attribute.insert("default".to_owned(), default);
                    }
                    properties.insert(it.name.to_string(), attribute.into());
                    required.extend((!it.optional).then(|| it.name.to_string()));
                }
                insert("properties", properties.into());
                if !required.is_empty() {
                    insert("required", required.into());
                }
                if self.as_errors.warnings {
                    insert("additionalProperties", false.into());
                }
            }
        }
        schema
    }
}

/// Returns a default as JSON; `None` for a number that JSON cannot represent.
fn default_value(it: &Typed) -> Option<Value> {
    serde_json::from_slice(&value_json::encode_simple(&it.value).ok()?).ok()
}
