//! A cache of compiled regular expressions for the evaluation of one expression, because a `for` expression uses a pattern
//! repeatedly.

use std::collections::HashMap;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

/// The compiled patterns, for any text and for ASCII text; `None` for an unsupported pattern.
pub(crate) type Patterns = [HashMap<Arc<str>, Option<Compiled>>; 2];

/// The maximum size of a compiled pattern, in bytes.
const MAX_SIZE: usize = 2_000_000;

#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) regex: Regex,
    /// The number of repetitions, which is approximately the number of states per character.
    pub(crate) repeats: usize,
}

/// The cost of compiling a pattern. Each Unicode class has hundreds of ranges.
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
