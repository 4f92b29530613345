//! The position of an attribute in a block.

use ferroform_engine::{Diagnostic, Severity};
use ferroform_lang::body::{Block, Body};
use ferroform_value::Step;

use super::config::{block_name, content};
use super::problem::Problem;

/// Returns the problem that a diagnostic about a block describes.
pub(super) fn problem(it: &Diagnostic, block: &Block<'_>, body: &Body<'_>) -> Problem {
    let path = it.path.as_ref();
    let detail = it.detail.split_whitespace().collect::<Vec<_>>().join(" ");
    Problem {
        at: path.and_then(|it| find(body, it.steps())).unwrap_or(block.header.start),
        message: if detail.is_empty() { it.summary.clone() } else { format!("{}: {detail}", it.summary) },
        is_warning: it.severity == Severity::Warning,
    }
}

/// Returns the position of an attribute or block in bytes. If the source does not contain it, it is the position of the
/// closest part that contains it; `None` if there is none.
fn find(body: &Body<'_>, path: &[Step]) -> Option<usize> {
    let (Step::Attribute(name), rest) = path.split_first()? else { return None };
    if let Some(argument) = body.arguments.iter().find(|it| it.name == &**name) {
        return Some(argument.value.part(&rest.iter().cloned().collect()).start);
    }
    let mut blocks = body.blocks.iter().filter(|it| block_name(it).0 == &**name);
    let (block, rest) = match rest.split_first() {
        Some((Step::Index(index), rest)) => (blocks.nth(*index)?, rest),
        Some((Step::Key(key), rest)) => {
            (blocks.find(|it| it.labels.first().is_some_and(|it| it.text == **key))?, rest)
        }
        Some((Step::Attribute(_) | Step::Element(_), _)) | None => (blocks.next()?, rest),
    };
    let block = content(block).filter(|_| block_name(block).1).unwrap_or(block);
    find(&block.body, rest).or(Some(block.header.start))
}
