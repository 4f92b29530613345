//! Determines the secret parts of the sources.
//!
//! Each part of a source is classified once, before the first diagnostic is printed. Every diagnostic refers to its
//! source by location, so it cannot show a part that is secret.
//!
//! | part | is secret if |
//! | --- | --- |
//! | the arguments of a `variable` block | a declaration of the variable is sensitive or ephemeral |
//! | the value of a variable in a `.tfvars` file | the variable is secret or not declared |
//! | a value from the environment or the command line | the variable is secret or not declared |
//! | the lines of a JSON file, and of a `.tfvars` file with syntax errors | any variable is secret, or not all of them are known |
//!
//! The result of a validation is secret if the expression refers to a secret variable, but its source is not.
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf".to_owned(), "variable \"token\" {\n  type = number\n  sensitive = true\n}".to_owned())],
//!     values: vec![("terraform.tfvars".to_owned(), "token = \"hunter2\"".to_owned())],
//! });
//! assert!(!report.is_valid());
//! assert!(!report.diagnostics().contains("hunter2") && !report.diagnostics_json().contains("hunter2"));
//! ```

use std::ops::Range;

use ferroform_lang::body::Block;

use crate::declaration::LocatedExpression;
use crate::document::Document;
use crate::inputs::InputOrigin;
use crate::json::{self, members};
use crate::module::Module;
use crate::secrecy::{Redaction, Secrecy};
use crate::source::Source;

impl Secrecy {
    /// Determines the secret parts of the files of a module.
    pub(crate) fn add_module(
        &mut self,
        sources: &[Source],
        documents: &[Document<'_>],
        module: &Module<'_>,
        files: Range<usize>,
    ) {
        for source in files {
            self.add_module_file(source, &sources[source].text, &documents[source], module);
        }
        for location in module.secret_locals.iter().filter_map(|name| module.locals.location(name)) {
            self.redact(location.source, location.range(), Redaction::Value);
        }
        for declaration in module.variables.values() {
            for validation in &declaration.validations {
                self.add_validation(&validation.condition, module);
                self.add_validation(&validation.message, module);
            }
        }
    }

    /// Determines the secret parts of the inputs of a module, whose first source is `from`.
    pub(crate) fn add_inputs(
        &mut self,
        sources: &[Source],
        documents: &[Document<'_>],
        module: &Module<'_>,
        (from, origins): (usize, &[InputOrigin]),
    ) {
        for (source, origin) in (from..).zip(origins) {
            self.add_input(source, &sources[source].text, &documents[source], origin, module);
        }
    }

    fn add_module_file(&mut self, source: usize, text: &str, document: &Document<'_>, module: &Module<'_>) {
        match document {
            Document::Native(body, _) => {
                let variables = body.blocks.iter().filter(|it| it.name == "variable");
                for block in
                    variables.filter(|it| it.labels.first().is_some_and(|it| module.is_secret(&it.text)))
                {
                    self.redact(source, block.header.clone(), Redaction::Value);
                    for argument in &block.body.arguments {
                        let range = argument.name_at.start..argument.value.at().end;
                        self.redact(source, range, Redaction::Everything);
                    }
                    for nested in block.body.blocks.iter().filter(|it| it.name != "validation") {
                        self.redact(source, find_extent(nested, text), Redaction::Everything);
                    }
                }
            }
            Document::Json(Ok(root)) => {
                if module.has_secrets {
                    self.redact_source(source, Redaction::Source);
                }
                let variables = members(root).filter(|it| it.name == "variable");
                for label in
                    variables.flat_map(|it| members(&it.value)).filter(|it| module.is_secret(&it.name))
                {
                    self.redact(source, label.name_at.start..label.value.at.end, Redaction::Everything);
                }
            }
            _ => {}
        }
    }

    fn add_input(
        &mut self,
        source: usize,
        text: &str,
        document: &Document<'_>,
        origin: &InputOrigin,
        module: &Module<'_>,
    ) {
        let is_public = |name: &str| module.variables.contains_key(name) && !module.is_secret(name);
        match (origin, document) {
            (InputOrigin::Environment(name) | InputOrigin::Option(name), _) if !is_public(name) => {
                self.redact_source(source, Redaction::Everything);
            }
            (InputOrigin::File, Document::JsonValues(Err(_))) if module.has_secrets => {
                self.redact_source(source, Redaction::Everything);
            }
            (InputOrigin::File, Document::Values(file, errors)) => {
                if module.has_secrets && errors.is_some() {
                    self.redact_source(source, Redaction::Source);
                }
                for assignment in file.assignments.iter().filter(|it| !is_public(it.name)) {
                    self.redact(
                        source,
                        assignment.name_at.end..assignment.value.at().end,
                        Redaction::Everything,
                    );
                }
                for block in &file.blocks {
                    self.redact(
                        source,
                        block.header.end..find_extent(block, text).end,
                        Redaction::Everything,
                    );
                }
            }
            (InputOrigin::File, Document::JsonValues(Ok(json::JsonVariablesFile::Object(assignments)))) => {
                if module.has_secrets {
                    self.redact_source(source, Redaction::Source);
                }
                for assignment in assignments.iter().filter(|it| !is_public(&it.name)) {
                    self.redact(
                        source,
                        assignment.name_at.end..assignment.value_at.end,
                        Redaction::Everything,
                    );
                }
            }
            (InputOrigin::File, Document::JsonValues(Ok(json::JsonVariablesFile::Other(_))))
                if module.has_secrets =>
            {
                self.redact_source(source, Redaction::Everything);
            }
            _ => {}
        }
    }

    fn add_validation(&mut self, expression: &LocatedExpression<'_>, module: &Module<'_>) {
        if module.has_secret_reference(expression) {
            self.redact(expression.location.source, expression.location.range(), Redaction::Value);
        }
    }
}

/// Returns the range of a block from its header to the end of its last argument or nested block, or at least to the end
/// of the line.
fn find_extent(block: &Block<'_>, text: &str) -> Range<usize> {
    let arguments = block.body.arguments.iter().map(|it| it.value.at().end);
    let blocks = block.body.blocks.iter().map(|it| find_extent(it, text).end);
    let line_end = text[block.header.end..].find('\n').map_or(text.len(), |it| block.header.end + it);
    block.header.start..arguments.chain(blocks).fold(line_end, usize::max)
}
