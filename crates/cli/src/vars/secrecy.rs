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
//! | the lines of a JSON file, and of a `.tfvars` file with syntax errors | any variable is secret, or not all of them are known |
//!
//! The result of a validation is secret if the expression refers to a secret variable, but its source is not.
//!
//! ```
//! use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
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

use super::document::Document;
use super::inputs::Origin;
use super::json::{Kind, Member, Node};
use super::module::{Code, Module};
use super::source::{Location, Source};

/// The secret parts of all sources.
#[derive(Debug, Default)]
pub(super) struct Secrecy {
    sources: Vec<Parts>,
}

/// The secret parts of a source.
#[derive(Debug, Default)]
struct Parts {
    /// The hidden aspects of the whole source.
    whole: Vec<Hides>,
    /// The parts, sorted by their start.
    parts: Vec<Part>,
    /// For each part, the maximum end of the parts up to it.
    max_ends: Vec<usize>,
}

#[derive(Debug)]
struct Part {
    range: Range<usize>,
    hides: Hides,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Hides {
    /// The text of the part, and messages that can quote its value.
    Everything,
    /// The text of the part, because a secret can be on the same line.
    Text,
    /// Messages that can quote the value of the part.
    Value,
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
        let mut secrecy = Secrecy { sources: sources.iter().map(|_| Parts::default()).collect() };
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
        secrecy.sources.iter_mut().for_each(Parts::sort);
        secrecy
    }

    fn hide(&mut self, source: usize, range: Range<usize>, hides: Hides) {
        self.sources[source].parts.push(Part { range, hides });
    }

    fn hide_whole(&mut self, source: usize, hides: Hides) {
        self.sources[source].whole.push(hides);
    }

    fn module_file(&mut self, source: usize, text: &str, document: &Document<'_>, module: &Module<'_>) {
        match document {
            Document::Native(body, _) => {
                let variables = body.blocks.iter().filter(|it| it.name == "variable");
                for block in
                    variables.filter(|it| it.labels.first().is_some_and(|it| module.is_secret(&it.text)))
                {
                    self.hide(source, block.header.clone(), Hides::Value);
                    for argument in &block.body.arguments {
                        let range = argument.name_at.start..argument.value.at().end;
                        self.hide(source, range, Hides::Everything);
                    }
                    for nested in block.body.blocks.iter().filter(|it| it.name != "validation") {
                        self.hide(source, extent(nested, text), Hides::Everything);
                    }
                }
            }
            Document::Json(Ok(root)) => {
                if module.has_secrets {
                    self.hide_whole(source, Hides::Text);
                }
                let variables = members(root).filter(|it| it.name == "variable");
                for label in
                    variables.flat_map(|it| members(&it.value)).filter(|it| module.is_secret(&it.name))
                {
                    self.hide(source, label.name_at.start..label.value.at.end, Hides::Everything);
                }
            }
            Document::Json(Err(_)) | Document::Value => {}
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
                self.hide_whole(source, Hides::Everything);
            }
            (Origin::File, Document::Json(Err(_))) if module.has_secrets => {
                self.hide_whole(source, Hides::Everything);
            }
            (Origin::File, Document::Native(body, errors)) => {
                if module.has_secrets && errors.is_some() {
                    self.hide_whole(source, Hides::Text);
                }
                for argument in body.arguments.iter().filter(|it| !is_public(it.name)) {
                    self.hide(source, argument.name_at.end..argument.value.at().end, Hides::Everything);
                }
                for block in &body.blocks {
                    self.hide(source, block.header.end..extent(block, text).end, Hides::Everything);
                }
            }
            (Origin::File, Document::Json(Ok(root))) => {
                if module.has_secrets {
                    self.hide_whole(source, Hides::Text);
                }
                for member in members(root).filter(|it| !is_public(&it.name)) {
                    self.hide(source, member.name_at.end..member.value.at.end, Hides::Everything);
                }
            }
            _ => {}
        }
    }

    fn validation(&mut self, code: &Code<'_>, module: &Module<'_>) {
        let references = code.expression().references();
        if references.variables.iter().any(|(name, _)| module.is_secret(name)) {
            self.hide(code.location.source, code.location.range(), Hides::Value);
        }
    }

    /// Returns true if values at the location are secret.
    pub(super) fn is_secret(&self, location: &Location) -> bool {
        let Some(parts) = self.sources.get(location.source) else { return false };
        let is_whole = parts.whole.iter().any(|it| *it != Hides::Text);
        is_whole || parts.overlapping(&location.range()).any(|part| part.hides != Hides::Text)
    }

    /// Returns the visible part of a line that contains the start of the location.
    pub(super) fn excerpt(&self, location: &Location, line: Range<usize>) -> Excerpt {
        let Some(parts) = self.sources.get(location.source) else { return Excerpt::Hidden };
        if parts.whole.iter().any(|it| *it != Hides::Value) {
            return Excerpt::Hidden;
        }
        let marked = line.start..location.end.clamp(location.start, line.end.max(location.start));
        let mut end = line.end;
        for part in parts.overlapping(&line).filter(|part| part.hides != Hides::Value) {
            if overlap(&part.range, &marked) {
                return Excerpt::Hidden;
            }
            end = end.min(part.range.start);
        }
        Excerpt::Visible { is_truncated: end < line.end, range: line.start..end }
    }
}

impl Parts {
    fn sort(&mut self) {
        self.parts.sort_by_key(|part| part.range.start);
        let ends = self.parts.iter().scan(0, |max, part| {
            *max = part.range.end.max(*max);
            Some(*max)
        });
        self.max_ends = ends.collect();
    }

    /// Returns the parts that overlap a range. A file can have thousands of parts, so this is a binary search.
    fn overlapping<'a>(&'a self, range: &'a Range<usize>) -> impl Iterator<Item = &'a Part> {
        let end = self.parts.partition_point(|part| part.range.start <= range.end);
        let candidates = self.parts[..end].iter().zip(&self.max_ends[..end]).rev();
        let candidates = candidates.take_while(|(_, max_end)| **max_end >= range.start);
        candidates.map(|(part, _)| part).filter(|part| overlap(&part.range, range))
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

/// Returns the members of an object or of each object in an array; none for any other value.
fn members(node: &Node) -> impl Iterator<Item = &Member> {
    let objects = if let Kind::Array(elements) = &node.kind { elements } else { std::slice::from_ref(node) };
    objects.iter().flat_map(|it| if let Kind::Object(members) = &it.kind { &**members } else { &[] })
}

/// Returns the range of a block from its header to the end of its last argument or nested block, or at least to the end of
/// the line.
fn extent(block: &Block<'_>, text: &str) -> Range<usize> {
    let arguments = block.body.arguments.iter().map(|it| it.value.at().end);
    let blocks = block.body.blocks.iter().map(|it| extent(it, text).end);
    let line_end = text[block.header.end..].find('\n').map_or(text.len(), |it| block.header.end + it);
    block.header.start..arguments.chain(blocks).fold(line_end, usize::max)
}
