//! A cache of compiled regular expressions for the evaluation of one expression, because a `for` expression uses a
//! pattern repeatedly.

use std::collections::HashMap;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

/// The compiled patterns, for any string and for ASCII strings; `None` for an unsupported pattern.
pub(crate) type Patterns = [HashMap<Arc<str>, Option<Compiled>>; 2];

/// The maximum size of a compiled pattern, in bytes.
const MAX_SIZE: usize = 2_000_000;

#[derive(Clone)]
pub(crate) struct Compiled {
    pub(crate) regex: Regex,
    /// The number of repetitions, which is approximately the number of states per character.
    pub(crate) repeats: usize,
}

/// Returns the cost of compiling a pattern, in steps. Each Unicode class has hundreds of ranges.
pub(crate) fn compile_cost(translated: &str, repeats: usize) -> usize {
    let classes = translated.matches("\\p{").count() + translated.matches("\\P{").count();
    translated.len() + repeats.saturating_mul(20 + 4000 * classes)
}

/// Compiles a pattern. For an ASCII string, Unicode support is disabled: the matches are the same, and the compiled
/// pattern is smaller. For example, `(?i)k` with Unicode support also matches the kelvin sign.
pub(crate) fn build(pattern: &str, ascii: bool) -> Option<Regex> {
    let build = |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(MAX_SIZE).build().ok();
    // Some syntax, such as a Unicode class, requires Unicode support.
    if ascii { build(false).or_else(|| build(true)) } else { build(true) }
}
