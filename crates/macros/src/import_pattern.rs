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
    Field(String, Extent),
}

/// The characters of an ID that a field matches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Up to the next separator.
    Segment,
    /// `{name..}`: everything that remains.
    Rest,
    /// `{name?}`: an ID can end before its separator.
    Optional,
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

    /// The names of the optional fields.
    pub(crate) fn optional_fields(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            Part::Field(name, Extent::Optional) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The separators of the shortest and of longer IDs: those of two patterns are equal if IDs can match both.
    pub(crate) fn forms(&self) -> Vec<Vec<&str>> {
        let shortest = self.parts.len() - 2 * self.optional_fields().count();
        let literals = |end: usize| {
            self.parts.iter().take(end).map(|it| match it {
                Part::Literal(it) => it.as_str(),
                Part::Field(..) => "",
            })
        };
        (shortest..=self.parts.len()).step_by(2).map(|end| literals(end).collect()).collect()
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
        let (name, extent) = match (name.strip_suffix(".."), name.strip_suffix('?')) {
            (Some(name), _) => (name, Extent::Rest),
            (_, Some(name)) => (name, Extent::Optional),
            _ => (name, Extent::Segment),
        };
        parts.push(Part::Field(name.to_owned(), extent));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest.to_owned()));
    }
    let is_unbalanced = |it: &Part| matches!(it, Part::Literal(text) if text.contains('}'));
    let fields = || parts.iter().filter(|it| matches!(it, Part::Field(..)));
    let has_early_rest = fields()
        .take(fields().count().saturating_sub(1))
        .any(|it| matches!(it, Part::Field(_, Extent::Rest)));
    let is_optional = |it: &Part| matches!(it, Part::Field(_, Extent::Optional));
    let first_optional = parts.iter().position(is_optional);
    let tail = parts.iter().skip(first_optional.unwrap_or(parts.len()));
    let has_early_optional = first_optional.is_some_and(|_| parts.last().is_some_and(|it| !is_optional(it)))
        || tail.step_by(2).any(|it| !is_optional(it));
    match () {
        () if parts.iter().any(is_unbalanced) => Err(BRACES),
        () if has_early_rest => Err("only the last field can take the rest of the ID with `{name..}`"),
        () if has_early_optional => Err("only optional fields and their separators can follow `{name?}`"),
        () if first_optional.is_some_and(|it| it < 2) => {
            Err("a field and a separator must precede `{name?}`, such as `{project}/{name?}`")
        }
        () if fields().next().is_none() => {
            Err("an import ID pattern needs at least one field, such as `{name}`")
        }
        () => Ok(parts),
    }
}
