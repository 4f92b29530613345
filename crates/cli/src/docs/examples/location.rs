//! The position of an attribute in a block.

use ferroform_lang::body::Body;
use ferroform_value::Step;

use super::config::{block_name, content};

/// Returns the position of an attribute or block in bytes. If the source does not contain it, it is the position of the
/// closest part that contains it; `None` if there is none.
pub(super) fn find(body: &Body<'_>, path: &[Step]) -> Option<usize> {
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
