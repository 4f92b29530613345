//! The position of an attribute in a block.

use ferroform_lang::body::Body;
use ferroform_proto::tfplugin6::attribute_path::step::Selector;
use ferroform_value::{Path, Step};

/// Returns the position of an attribute or block in bytes. If the source does not contain it, it is the position of the
/// closest part that contains it; `None` if there is none.
pub(super) fn find(body: &Body<'_>, path: &[Selector]) -> Option<usize> {
    let (Selector::AttributeName(name), rest) = path.split_first()? else { return None };
    if let Some(argument) = body.arguments.iter().find(|it| it.name == name) {
        let mut inner = Path::ROOT;
        for step in rest {
            inner.push(match step {
                Selector::AttributeName(name) => Step::Attribute(name.as_str().into()),
                Selector::ElementKeyString(key) => Step::Key(key.as_str().into()),
                Selector::ElementKeyInt(index) => Step::Index(usize::try_from(*index).ok()?),
            });
        }
        return Some(argument.value.part(&inner).start);
    }
    let mut blocks = body.blocks.iter().filter(|it| it.name == name);
    let (block, rest) = match rest.split_first() {
        Some((Selector::ElementKeyInt(index), rest)) => (blocks.nth(usize::try_from(*index).ok()?)?, rest),
        Some((Selector::ElementKeyString(key), rest)) => {
            (blocks.find(|it| it.labels.first().is_some_and(|it| it.text == *key))?, rest)
        }
        Some((Selector::AttributeName(_), _)) | None => (blocks.next()?, rest),
    };
    find(&block.body, rest).or(Some(block.header.start))
}
