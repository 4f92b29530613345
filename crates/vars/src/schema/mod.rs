//! The JSON Schema of a module's input variables.
//!
//! The schema describes the object in a `.tfvars.json` file. It has one invariant: [`evaluate`](crate::evaluate) rejects
//! every file that the schema rejects. Values that Terraform converts, such as `"80"` for a number, are therefore valid,
//! and a validation that has no equivalent in JSON Schema is listed in a `$comment`.

mod accepted_values;
mod conditions;
mod pattern;

use std::collections::BTreeSet;

use ferroform_lang::body::Variables;
use ferroform_lang::condition::Condition;
use ferroform_lang::expression::LogicalOperators;
use ferroform_value::{Step, Type, Typed, json as value_json};
use serde_json::{Value, json};

use self::accepted_values::{AcceptedValues, Keywords, merge, set_types, to_keywords};
use self::conditions::{Translator, to_json_types};
use crate::constraint_node::ConstraintNode;
use crate::declaration::{Declaration, Validation};
use crate::evaluation::{Evaluation, LoadedSources, SourceTexts, with_valid_module};
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
/// use ferroform_vars::{Request, generate_schema};
///
/// match generate_schema(&Request { directory: "examples/web".into(), ..Request::default() }) {
///     Ok(document) => print!("{document}"),
///     Err(report) => eprint!("{}", report.diagnostics()),
/// }
/// ```
pub fn generate_schema(request: &Request) -> Result<String, Box<Report>> {
    generate(LoadedSources::load_module(request))
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
/// let schema = ferroform_vars::generate_schema_of_sources(&texts).map_err(|report| report.diagnostics())?;
/// let schema: serde_json::Value = serde_json::from_str(&schema).map_err(|error| error.to_string())?;
/// assert_eq!(schema["properties"]["port"]["exclusiveMinimum"], 0);
/// assert_eq!(schema["required"][0], "port");
/// # Ok::<(), String>(())
/// ```
pub fn generate_schema_of_sources(texts: &SourceTexts) -> Result<String, Box<Report>> {
    generate(texts.into())
}

fn generate(loaded: LoadedSources) -> Result<String, Box<Report>> {
    let as_errors = loaded.as_errors;
    let (report, document) = with_valid_module(loaded, |evaluation| {
        let &Evaluation { sources, module, behavior, .. } = evaluation;
        format!("{:#}\n", Builder { sources, module, behavior, as_errors }.build_document())
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
    fn build_document(&self) -> Value {
        let (mut properties, mut required) = (Keywords::new(), Vec::new());
        for (name, declaration) in &self.module.variables {
            properties.insert(name.clone(), self.build_variable_schema(declaration).into());
            required.extend(declaration.is_required().then_some(name));
        }
        let mut document = to_keywords(json!({
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

    fn build_variable_schema(&self, declaration: &Declaration<'_>) -> Keywords {
        let Some(variable) = &declaration.variable else { return Keywords::new() };
        let replaces_null = !variable.nullable && variable.default.is_some();
        let mut node = ConstraintNode::from(&variable.constraint);
        node.replaces_null = replaces_null;
        let mut schema = self.build_type_schema(node, declaration.is_secret);
        let mut accepted =
            AcceptedValues { has_null: variable.nullable || replaces_null, ..AcceptedValues::all() };
        let mut comments = Vec::new();
        for validation in &declaration.validations {
            let mut translator = Translator { variable: &declaration.name, is_incomplete: false };
            let condition = read_condition(self.module, validation, self.behavior.operators);
            let translated = condition.as_ref().map(|it| translator.translate(it, node));
            let translated = translated.unwrap_or_else(AcceptedValues::all);
            if translator.is_incomplete || condition.is_none() {
                comments.push(self.format_comment(validation, translated.has_all_non_null_values()));
            }
            accepted = accepted.intersection(translated);
        }
        merge(&mut schema, accepted.into_keywords(to_json_types(node.ty)));
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
            Some(default) => drop(to_json(default).map(|it| insert("default", it))),
            None => {}
        }
        if !comments.is_empty() {
            insert("$comment", comments.join("\n").into());
        }
        schema
    }

    /// Returns the comment for a validation that the schema does not express.
    fn format_comment(&self, validation: &Validation<'_>, is_whole: bool) -> String {
        let source = &self.sources[validation.location.source];
        let at = source.describe(validation.location.start);
        let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
        let condition = words(&source.text[validation.condition.location.range()]);
        let message = validation.constant_message().map(|it| format!(" ({})", words(&it)));
        let part = if is_whole { "" } else { "a part of " };
        format!(
            "The schema does not express {part}the validation at {at}: {condition}{}",
            message.unwrap_or_default()
        )
    }

    /// Returns the schema of the values that convert to a type, including null.
    fn build_type_schema(&self, node: ConstraintNode<'_>, is_secret: bool) -> Keywords {
        let mut schema = Keywords::new();
        if *node.ty == Type::Dynamic {
            return schema;
        }
        let types = to_json_types(node.ty).iter().chain(&["null"]);
        set_types(&mut schema, types.map(|it| (*it).to_owned()).collect());
        let child = |step: Step| {
            node.child(&step).map_or_else(Keywords::new, |child| self.build_type_schema(child, is_secret))
        };
        let mut insert = |keyword: &str, value: Value| drop(schema.insert(keyword.to_owned(), value));
        match node.ty {
            Type::Bool => insert("pattern", "^(true|false|1|0)$".into()),
            Type::Number => insert("pattern", NUMBER.into()),
            Type::String | Type::Dynamic => {}
            Type::List(_) | Type::Set(_) | Type::Map(_) => {
                let keyword = if matches!(node.ty, Type::Map(_)) { "additionalProperties" } else { "items" };
                let element = node.element().map(|element| self.build_type_schema(element, is_secret));
                if let Some(element) = element.filter(|it| !it.is_empty()) {
                    insert(keyword, element.into());
                }
            }
            Type::Tuple(types) => {
                let elements: Vec<_> = (0..types.len()).map(|index| child(Step::Index(index))).collect();
                insert("minItems", elements.len().into());
                insert("maxItems", elements.len().into());
                // An empty list of schemas is invalid.
                if !elements.is_empty() {
                    insert("prefixItems", elements.into());
                }
            }
            Type::Object(attributes) => {
                let (mut properties, mut required) = (Keywords::new(), Vec::new());
                for attribute in attributes.attributes() {
                    let name = &attribute.name;
                    let step = Step::Attribute(name.clone());
                    let default = node.default(name).filter(|_| !is_secret).map(|default| {
                        node.child(&step)
                            .map_or_else(|| default.clone(), |it| it.apply_defaults(default.clone()))
                    });
                    let mut schema = child(step);
                    if let Some(default) = default.as_ref().and_then(to_json) {
                        schema.insert("default".to_owned(), default);
                    }
                    properties.insert(name.to_string(), schema.into());
                    required.extend((!attribute.optional).then(|| name.to_string()));
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

/// Returns the condition of a validation; `None` if it may not be evaluated for some values.
pub(crate) fn read_condition(
    module: &Module<'_>,
    validation: &Validation<'_>,
    operators: LogicalOperators,
) -> Option<Condition> {
    let expression = validation.condition.expression();
    let (mut constants, mut evaluated, mut errors) = (Variables::default(), BTreeSet::new(), Vec::new());
    let names = (&mut constants, operators);
    module.locals.resolve(&expression.references().locals, names, &mut evaluated, &mut errors);
    expression.to_condition(&constants)
}

/// Returns a default as JSON; `None` for a number that JSON cannot represent.
fn to_json(default: &Typed) -> Option<Value> {
    serde_json::from_slice(&value_json::encode_simple(&default.value).ok()?).ok()
}
