//! Memory that is used again, where one schema after the other is made and dropped.
//!
//! An allocator is quick with the little that was freed just now, and slow with a whole schema at once: that of glibc
//! keeps seven pieces of a size at hand, and puts everything else in order at each request for a kilobyte or more.
//! So the attributes of the last schema are dropped one by one, as those of the next are made, and what held them is
//! kept.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::VecDeque;

use super::{Attribute, Schema};

thread_local! {
    /// Memory without attributes.
    static EMPTY: Cell<Vec<Attribute>> = const { Cell::new(Vec::new()) };
    /// What is still to be dropped.
    static LAST: Cell<VecDeque<Attribute>> = const { Cell::new(VecDeque::new()) };
}

/// Fewer attributes than these are not worth it.
const LEAST: usize = 8;

/// As long as this is there, the memory of what was seen is used again on this thread.
pub(crate) struct Spare(());

impl Spare {
    pub(crate) fn new() -> Spare {
        Spare(())
    }

    /// Shows the schema, and takes what was made for this alone.
    pub(crate) fn after(&self, schema: Cow<'_, Schema>, see: impl FnOnce(&Schema)) {
        see(&schema);
        if let Cow::Owned(it) = schema {
            let mut before = put(&LAST, it.block.attributes.into());
            before.clear();
            put(&EMPTY, before.into());
        }
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        put(&LAST, VecDeque::new());
        put(&EMPTY, Vec::new());
    }
}

/// Puts it there, and answers what was there before.
fn put<T: Default>(place: &'static std::thread::LocalKey<Cell<T>>, it: T) -> T {
    // A thread that is ending has nothing any more.
    place.try_with(|place| place.replace(it)).unwrap_or_default()
}

/// Adds an attribute, and drops one of the last schema.
pub(super) fn push(all: &mut Vec<Attribute>, attribute: Attribute) {
    reserve(all, 1);
    all.push(attribute);
    let mut last = put(&LAST, VecDeque::new());
    if last.pop_front().is_some() {
        put(&LAST, last);
    }
}

/// Adds several.
pub(super) fn extend(all: &mut Vec<Attribute>, attributes: impl IntoIterator<Item = Attribute>) {
    let attributes = attributes.into_iter();
    reserve(all, attributes.size_hint().0);
    // Schemas inside, which are made along with them, find nothing.
    let mut last = put(&LAST, VecDeque::new());
    attributes.for_each(|it| {
        all.push(it);
        last.pop_front();
    });
    put(&LAST, last);
}

/// Makes room for so many attributes more, where there is none.
fn reserve(all: &mut Vec<Attribute>, more: usize) {
    let wanted = all.len() + more;
    if wanted <= all.capacity() {
        return;
    }
    if wanted > LEAST {
        let mut empty = put(&EMPTY, Vec::new());
        if empty.capacity() >= wanted {
            empty.append(all);
            *all = empty;
            return;
        }
    }
    all.reserve(more.max(LEAST.saturating_sub(all.len())));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ferroform_value::Type;

    use super::*;
    use crate::schema::{Block, Nested};

    /// Each attribute holds the token.
    fn block(attributes: usize, token: &Arc<()>) -> Block {
        let attribute = |i: usize| {
            let token = token.clone();
            let inside = Attribute::raw("x", Type::Bool).default(move || Arc::strong_count(&token) > 0);
            Attribute::raw_nested(format!("a{i}"), Nested::single(Block::new().attributes([inside])))
        };
        Block::new().attributes((0..attributes).map(attribute))
    }

    fn seen(spare: &Spare, block: Block) -> *const Attribute {
        let memory = block.attributes.as_ptr();
        let names: Vec<_> = (0..block.attributes.len()).map(|i| format!("a{i}")).collect();
        spare.after(Cow::Owned(Schema { version: 0, block }), |it| {
            assert!(it.block.attributes.iter().map(|it| &*it.name).eq(names));
        });
        memory
    }

    #[test]
    fn schemas_take_turns_in_the_same_memory_and_all_are_dropped() {
        let token = Arc::new(());
        let spare = Spare::new();
        let first = seen(&spare, block(40, &token));
        let second = seen(&spare, block(40, &token));
        // The third is made where the first was, and one by one the second goes.
        let third = block(30, &token);
        assert_eq!(Arc::strong_count(&token), 1 + 30 + 10);
        assert_eq!(seen(&spare, third), first);
        assert_eq!(seen(&spare, block(40, &token)), second);
        // One that is more, one that is built attribute by attribute, and one that stays.
        seen(&spare, block(100, &token));
        let one_by_one = block(20, &token).attributes.into_iter().fold(Block::new(), Block::attribute);
        seen(&spare, one_by_one);
        let kept = Schema { version: 0, block: block(5, &token) };
        spare.after(Cow::Borrowed(&kept), |it| assert_eq!(it.block.attributes.len(), 5));
        drop(spare);
        assert_eq!(Arc::strong_count(&token), 1 + 5);
        assert_eq!(EMPTY.take().capacity() + LAST.take().capacity(), 0);
    }
}
