//! Provider-defined functions: their signatures, and the errors that point at an argument.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use ferroform_value::{Path, Step, Type};

use crate::Diagnostics;
use crate::kind::Kind;
use crate::schema::{Attribute, Block, Schema};

/// The parameters of a function, the type of its result, and its documentation.
///
/// The parameters are attributes of a [`Block`], in their order: an attribute has a name, a type, a description and
/// validators. An optional attribute is a parameter that accepts null.
///
/// ```
/// use ferroform_engine::function::FunctionSignature;
/// use ferroform_engine::schema::{Attribute, Block};
/// use ferroform_engine::value::Type;
///
/// // join(separator, items...)
/// let parameters = Block::new()
///     .description("Joins strings.")
///     .attribute(Attribute::raw("separator", Type::String))
///     .attribute(Attribute::raw("items", Type::String));
/// let signature = FunctionSignature::new(parameters, Type::String).variadic();
/// assert_eq!(signature.definition_errors(), Vec::<String>::new());
/// assert_eq!(signature.variadic_parameter().map(|it| &**it.name()), Some("items"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FunctionSignature {
    /// The parameters, and the description of the function.
    pub parameters: Block,
    /// True if the last parameter takes any number of arguments.
    pub is_variadic: bool,
    /// The names of the parameters that accept unknown values.
    pub unknown_allowed: BTreeSet<Arc<str>>,
    /// The type of the result.
    pub result: Type,
    /// A short description, for lists of functions.
    pub summary: String,
}

impl FunctionSignature {
    /// The signature of a function with these parameters and this type of result. The first paragraph of the
    /// description is its summary.
    pub fn new(parameters: Block, result: Type) -> FunctionSignature {
        let summary =
            parameters.full_description().split("\n\n").next().unwrap_or_default().replace('\n', " ");
        FunctionSignature {
            parameters,
            is_variadic: false,
            unknown_allowed: BTreeSet::new(),
            result,
            summary,
        }
    }

    /// Makes the last parameter variadic: it accepts zero or more arguments.
    #[must_use]
    pub fn variadic(mut self) -> FunctionSignature {
        self.is_variadic = true;
        self
    }

    /// Allows unknown values for the parameter of this name. Otherwise Terraform does not call the function while an
    /// argument is unknown.
    #[must_use]
    pub fn allow_unknown(mut self, name: impl Into<Arc<str>>) -> FunctionSignature {
        self.unknown_allowed.insert(name.into());
        self
    }

    /// Sets the summary.
    #[must_use]
    pub fn summary(mut self, text: impl Into<String>) -> FunctionSignature {
        self.summary = text.into();
        self
    }

    /// Appends the descriptions of the attributes of an object to the description of the function, because the protocol has only the
    /// type of the result.
    #[must_use]
    pub fn describe_result(mut self, result: &Block) -> FunctionSignature {
        let described = result.attributes().iter().filter(|it| !it.full_description().is_empty());
        let lines: String = described
            .map(|it| format!("\n- `{}`: {}", it.name(), it.full_description().replace('\n', "\n  ")))
            .collect();
        if !lines.is_empty() {
            let (text, kind) = (self.parameters.full_description(), self.parameters.description_kind());
            let text = format!("{text}\n\nThe result has these attributes:\n{lines}");
            self.parameters = self.parameters.description_of_kind(text.trim_start().to_owned(), kind);
        }
        self
    }

    /// The parameters with one argument each.
    pub fn positional_parameters(&self) -> &[Attribute] {
        let all = self.parameters.attributes();
        match all.split_last() {
            Some((_, positional)) if self.is_variadic => positional,
            _ => all,
        }
    }

    /// The parameter that takes any number of arguments.
    pub fn variadic_parameter(&self) -> Option<&Attribute> {
        self.parameters.attributes().last().filter(|_| self.is_variadic)
    }

    /// The parameter of the argument at this position; `None` if there are too many arguments.
    pub fn parameter_at(&self, position: usize) -> Option<&Attribute> {
        self.positional_parameters().get(position).or_else(|| self.variadic_parameter())
    }

    /// The errors in the signature; empty if it is valid.
    pub fn definition_errors(&self) -> Vec<String> {
        let schema = Schema::new(self.parameters.clone());
        let mut errors: Vec<String> =
            schema.definition_errors_of(Kind::Function).iter().map(|it| format!("parameter {it}")).collect();
        if let Some(block) = self.parameters.blocks().first() {
            errors.push(format!("parameter {} is a block: use a nested attribute", block.name));
        }
        if self.is_variadic && self.parameters.attributes().is_empty() {
            errors.push("the function is variadic, but has no parameter".to_owned());
        }
        for name in &self.unknown_allowed {
            if self.parameters.get(name).is_none() {
                errors.push(format!("allow_unknown refers to the parameter {name}, which does not exist"));
            }
        }
        if has_dynamic_elements(&self.result) {
            errors.push(format!("the result of type {} is a collection with dynamic elements", self.result));
        }
        errors
    }
}

/// True if the type contains a collection whose elements have no type, which Terraform does not accept.
fn has_dynamic_elements(ty: &Type) -> bool {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            element.has_dynamic() || has_dynamic_elements(element)
        }
        Type::Tuple(elements) => elements.iter().any(has_dynamic_elements),
        Type::Object(it) => it.attributes().iter().any(|it| has_dynamic_elements(&it.ty)),
        _ => false,
    }
}

/// The error of a function call. Terraform shows the text after the name of the function, and points at the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionError {
    /// The text, without a period at the end.
    pub text: String,
    /// The position of the argument, which starts at zero; `None` if the error is not about an argument.
    pub argument: Option<usize>,
}

impl FunctionError {
    /// An error that is not about an argument.
    pub fn new(text: impl Into<String>) -> FunctionError {
        FunctionError { text: text.into(), argument: None }
    }

    /// An error about the argument at this position.
    pub fn at(text: impl Into<String>, argument: usize) -> FunctionError {
        FunctionError { text: text.into(), argument: Some(argument) }
    }

    /// The errors among the diagnostics as one error. The first segment of a path is the name of a parameter, and the
    /// second one after a variadic parameter is the index among its arguments.
    pub(crate) fn from_diagnostics(
        signature: &FunctionSignature,
        diagnostics: &Diagnostics,
    ) -> FunctionError {
        let mut text = String::new();
        let mut argument = None;
        for it in diagnostics.errors() {
            let path = it.path.clone().unwrap_or_default();
            let (position, rest) = position(signature, &path);
            argument = argument.or(position);
            let place = if rest.is_root() { String::new() } else { format!("{rest}: ") };
            let message = match it.detail.as_str() {
                "" => it.summary.clone(),
                detail => format!("{}: {detail}", it.summary),
            };
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&place);
            text.push_str(message.strip_suffix('.').unwrap_or(&message));
        }
        FunctionError { text, argument }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.argument {
            Some(argument) => write!(f, "argument {}: {}", argument.saturating_add(1), self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for FunctionError {}

/// The position of the argument that the path refers to, and the rest of the path inside the argument.
fn position(signature: &FunctionSignature, path: &Path) -> (Option<usize>, Path) {
    let steps = path.steps();
    let Some(Step::Attribute(name)) = steps.first() else { return (None, path.clone()) };
    let parameters = signature.parameters.attributes();
    let Some(position) = parameters.iter().position(|it| it.name == *name) else {
        return (None, path.clone());
    };
    let is_variadic = signature.is_variadic && position.saturating_add(1) == parameters.len();
    let rest = |from: usize| steps.iter().skip(from).cloned().collect();
    match steps.get(1) {
        Some(Step::Index(index)) if is_variadic => (Some(position.saturating_add(*index)), rest(2)),
        _ => (Some(position), rest(1)),
    }
}
