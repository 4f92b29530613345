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
pub struct Spare(());

impl Spare {
    pub fn new() -> Spare {
        Spare(())
    }

    /// Shows the schema, and takes what was made for this alone.
    pub fn after(&self, schema: Cow<'_, Schema>, see: impl FnOnce(&Schema)) {
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
