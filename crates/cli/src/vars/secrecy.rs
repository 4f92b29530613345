//! Decides which parts of the sources are secret.
//!
//! The decision is made once for each part of a source, before the first diagnostic is printed. Every diagnostic refers to
//! its text by location, so it cannot show a part that is secret.
//!
//! | part | is secret if |
//! | --- | --- |
//! | the arguments of a `variable` block | a declaration of the variable is sensitive or ephemeral |
//! | the value of a variable in a `.tfvars` file | the variable is secret or not declared |
//! | a value from the environment or the command line | the variable is secret or not declared |
//! | a whole JSON file, or a whole `.tfvars` file with syntax errors | any variable is secret, or not all of them are known |
//!
//! The result of a validation is secret if the expression refers to a secret variable, but its source is not.

use std::ops::Range;

use ferroform_lang::body::Block;

use super::document::Document;
use super::inputs::Origin;
use super::json::{Kind, Node};
use super::module::{Code, Module};
use super::source::{Location, Source};

/// The secret parts of all sources.
#[derive(Debug, Default)]
pub(super) struct Secrecy {
    /// The parts of each source.
    sources: Vec<Vec<Part>>,
}

#[derive(Debug)]
struct Part {
    range: Range<usize>,
    /// True if values that are computed from the part are secret, but not its text.
    values_only: bool,
}

/// The visible part of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Excerpt {
    /// The line must not be shown.
    Hidden,
    /// This part of the line can be shown.
    Visible {
        range: Range<usize>,
        /// True if a secret part follows on the line.
        is_truncated: bool,
    },
}

impl Secrecy {
    /// Determines the secret parts of the files of a module and of its inputs. The inputs follow the files.
    pub(super) fn of(
        sources: &[Source],
        documents: &[Document<'_>],
        module: &Module<'_>,
        files: Range<usize>,
        origins: &[Origin],
    ) -> Secrecy {
        let mut secrecy = Secrecy { sources: sources.iter().map(|_| Vec::new()).collect() };
        for source in files.clone() {
            secrecy.module_file(source, &sources[source].text, &documents[source], module);
        }
        for (source, origin) in (files.end..).zip(origins) {
            secrecy.input(source, &sources[source].text, &documents[source], origin, module);
        }
        for declaration in module.variables.values() {
            for validation in &declaration.validations {
                secrecy.validation(&validation.condition, module);
                secrecy.validation(&validation.message, module);
            }
        }
        secrecy
    }

    fn add(&mut self, source: usize, range: Range<usize>) {
        self.sources[source].push(Part { range, values_only: false });
    }

    fn module_file(&mut self, source: usize, text: &str, document: &Document<'_>, module: &Module<'_>) {
        match document {
            Document::Native(body, _) => {
                let variables = body.blocks.iter().filter(|it| it.name == "variable");
                for block in variables.filter(|it| it.labels.first().is_some_and(|it| module.is_secret(&it.text))) {
                    self.sources[source].push(Part { range: block.header.clone(), values_only: true });
                    for argument in &block.body.arguments {
                        self.add(source, argument.name_at.start..argument.value.at().end);
                    }
                    for nested in block.body.blocks.iter().filter(|it| it.name != "validation") {
                        self.add(source, extent(nested, text));
                    }
                }
            }
            Document::Json(Ok(_)) if module.has_secrets => self.add(source, 0..text.len()),
            Document::Json(_) | Document::Value => {}
        }
    }

    fn input(
        &mut self,
        source: usize,
        text: &str,
        document: &Document<'_>,
        origin: &Origin,
        module: &Module<'_>,
    ) {
        let is_public = |name: &str| module.variables.contains_key(name) && !module.is_secret(name);
        match (origin, document) {
            (Origin::Environment(name) | Origin::Option(name), _) if !is_public(name) => {
                self.add(source, 0..text.len());
            }
            (Origin::File, Document::Native(_, Some(_)) | Document::Json(_)) if module.has_secrets => {
                self.add(source, 0..text.len());
            }
            (Origin::File, Document::Native(body, _)) => {
                for argument in body.arguments.iter().filter(|it| !is_public(it.name)) {
                    self.add(source, argument.name_at.end..argument.value.at().end);
                }
                for block in &body.blocks {
                    self.add(source, block.header.end..extent(block, text).end);
                }
            }
            (Origin::File, Document::Json(Ok(Node { kind: Kind::Object(members), .. }))) => {
                for member in members.iter().filter(|it| !is_public(&it.name)) {
                    self.add(source, member.name_at.end..member.value.at.end);
                }
            }
            _ => {}
        }
    }

    fn validation(&mut self, code: &Code<'_>, module: &Module<'_>) {
        let references = code.expression().references();
        if references.variables.iter().any(|(name, _)| module.is_secret(name)) {
            let part = Part { range: code.location.range(), values_only: true };
            self.sources[code.location.source].push(part);
        }
    }

    /// Returns true if values at the location are secret.
    pub(super) fn is_secret(&self, location: &Location) -> bool {
        let parts = self.sources.get(location.source).map_or(&[][..], Vec::as_slice);
        parts.iter().any(|part| overlap(&part.range, &location.range()))
    }

    /// Returns the visible part of a line that contains the start of the location.
    pub(super) fn excerpt(&self, location: &Location, line: Range<usize>) -> Excerpt {
        let parts = self.sources.get(location.source).map_or(&[][..], Vec::as_slice);
        let secret = parts.iter().filter(|part| !part.values_only && overlap(&part.range, &line));
        let marked = line.start..location.end.clamp(location.start, line.end.max(location.start));
        let mut end = line.end;
        for part in secret {
            if overlap(&part.range, &marked) {
                return Excerpt::Hidden;
            }
            end = end.min(part.range.start);
        }
        Excerpt::Visible { is_truncated: end < line.end, range: line.start..end }
    }
}

/// Returns true if the ranges have a common byte. An empty range overlaps a range that contains or touches it.
fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    if one.is_empty() || other.is_empty() {
        one.start <= other.end && other.start <= one.end
    } else {
        one.start < other.end && other.start < one.end
    }
}

/// Returns the range of a block from its header to the end of its last argument or nested block, or at least to the end of
/// the line.
fn extent(block: &Block<'_>, text: &str) -> Range<usize> {
    let arguments = block.body.arguments.iter().map(|it| it.value.at().end);
    let blocks = block.body.blocks.iter().map(|it| extent(it, text).end);
    let line_end = text[block.header.end..].find('\n').map_or(text.len(), |it| block.header.end + it);
    block.header.start..arguments.chain(blocks).fold(line_end, usize::max)
}
