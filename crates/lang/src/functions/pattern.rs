//! Compiled patterns, kept for as long as an expression is evaluated: one that stands in a `for` is met often.

use std::collections::HashMap;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

/// Patterns that were compiled before, those for all texts and those for ASCII; none for one that is not used.
pub(crate) type Patterns = [HashMap<Arc<str>, Option<Compiled>>; 2];

/// How large a pattern may become, in bytes.
const MAX_SIZE: usize = 2_000_000;

#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) regex: Regex,
    /// How often something in it repeats, which is about how many ways there are to go on from a character.
    pub(crate) repeats: usize,
}

/// What it takes to compile a pattern. Each class of Unicode has hundreds of ranges.
pub(crate) fn compiling(translated: &str, repeats: usize) -> usize {
    let classes = translated.matches("\\p{").count() + translated.matches("\\P{").count();
    translated.len() + repeats.saturating_mul(20 + 4000 * classes)
}

/// In a text of ASCII nothing else is found. Without all that is not ASCII, a class is a few bytes; with it, even
/// `(?i)k` is an automaton, since the sign for kelvin is a `k` too.
pub(crate) fn build(pattern: &str, ascii: bool) -> Option<Regex> {
    let build = |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(MAX_SIZE).build().ok();
    // Some of what may stand in a pattern is there with Unicode only.
    if ascii { build(false).or_else(|| build(true)) } else { build(true) }
}
