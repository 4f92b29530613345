//! The patterns of import IDs and composed attributes, such as `{project}/{name}`.

use syn::{Ident, LitStr};

use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// A pattern of `#[attr(import = "…")]`.
pub(crate) struct Pattern {
    pub(crate) literal: LitStr,
    pub(crate) parts: Vec<Part>,
}

pub(crate) enum Part {
    Literal(String),
    /// The name of a field, and true if it takes the rest of the ID.
    Field(String, bool),
}

impl Pattern {
    /// Parses all patterns of a struct.
    pub(crate) fn read(options: &mut Options, errors: &mut Errors) -> Vec<Pattern> {
        let literals = options.texts(option_names::IMPORT, errors);
        let read = |literal: LitStr| match parts(&literal.value()) {
            Ok(parts) => Some(Pattern { literal, parts }),
            Err(message) => {
                errors.at(literal, message);
                None
            }
        };
        literals.into_iter().filter_map(read).collect()
    }

    /// The names of the fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .filter_map(|it| if let Part::Field(name, _) = it { Some(name.as_str()) } else { None })
    }
}

/// The value of `#[attr(composed = "…")]`.
pub(crate) struct Composed {
    pub(crate) option_name: Ident,
    /// The parts; `None` for those of the first import pattern.
    pub(crate) pattern: Option<Pattern>,
}

impl Composed {
    /// Parses the option of a field.
    pub(crate) fn read(options: &mut Options, errors: &mut Errors) -> Option<Composed> {
        let (option_name, literal) = options.optional_text(option_names::COMPOSED, errors)?;
        let Some(literal) = literal else { return Some(Composed { option_name, pattern: None }) };
        match parts(&literal.value()) {
            Ok(parts) => Some(Composed { option_name, pattern: Some(Pattern { literal, parts }) }),
            Err(message) => {
                errors.at(literal, message);
                None
            }
        }
    }

    /// The pattern of the string: its own, or the first import pattern of the model.
    pub(crate) fn pattern<'a>(&'a self, imports: &'a [Pattern]) -> Option<&'a Pattern> {
        self.pattern.as_ref().or(imports.first())
    }
}

/// Splits a pattern into literals and fields. Two fields are never adjacent.
fn parts(pattern: &str) -> Result<Vec<Part>, &'static str> {
    const BRACES: &str = "write fields in braces: `{name}`";
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some((text, after)) = rest.split_once('{') {
        if !text.is_empty() {
            parts.push(Part::Literal(text.to_owned()));
        } else if !parts.is_empty() {
            return Err("adjacent fields are ambiguous: add a separator, such as `{project}/{name}`");
        }
        let (name, after) = after.split_once('}').filter(|(name, _)| !name.contains('{')).ok_or(BRACES)?;
        let rest_name = name.strip_suffix("..");
        parts.push(Part::Field(rest_name.unwrap_or(name).to_owned(), rest_name.is_some()));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest.to_owned()));
    }
    let is_unbalanced = |it: &Part| matches!(it, Part::Literal(text) if text.contains('}'));
    let fields = || parts.iter().filter(|it| matches!(it, Part::Field(..)));
    let has_early_rest =
        fields().take(fields().count().saturating_sub(1)).any(|it| matches!(it, Part::Field(_, true)));
    match () {
        () if parts.iter().any(is_unbalanced) => Err(BRACES),
        () if has_early_rest => Err("only the last field can take the rest of the ID with `{name..}`"),
        () if fields().next().is_none() => {
            Err("an import ID pattern needs at least one field, such as `{name}`")
        }
        () => Ok(parts),
    }
}
