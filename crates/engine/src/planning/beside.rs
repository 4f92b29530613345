//! Which known element one that was made or read is.

use std::collections::VecDeque;

use ferroform_value::Value;
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use crate::planning::fit::fits;
use crate::planning::pair::key;
use crate::planning::side::{Mask, Side, index};
use crate::planning::tries::Tries;
use crate::schema::Block;

/// For each element of a list, the known one beside it: that with the same keys, where the objects have keys;
/// else the one at the same index.
pub(crate) fn in_list(block: &Block, elements: &[&Value], known: &[&Value]) -> Vec<Option<usize>> {
    if block.attributes.iter().all(|it| !it.key) {
        return (0..elements.len()).map(|i| Some(i).filter(|i| *i < known.len())).collect();
    }
    let mut found = Found::new(elements, known);
    found.by_key(block);
    let free = |i: usize| Some(i).filter(|i| found.taken.get(*i) == Some(&false));
    found.of.iter().enumerate().map(|(i, of)| of.or_else(|| free(i))).collect()
}

/// The same for the elements of a set: the equal one, or the one with the same keys, or the first that it means the
/// same as. `own` are the attributes and blocks that are compared otherwise than by their values, and `made` is what an
/// element becomes beside a known one.
///
/// What an element means is seen in what it prints; only where that does not tell are elements compared each with
/// each, and no more than some hundreds of them.
pub(crate) fn in_set(
    block: &Block,
    elements: &[&Value],
    known: &[&Value],
    own: &Mask,
    made: &dyn Fn(&Value, &Value) -> Value,
) -> Vec<Option<usize>> {
    let mut found = Found::new(elements, known);
    found.equal();
    found.by_key(block);
    let unknown = |it: &Value| -> Mask {
        let of = |name: &str| it.attribute(name).is_some_and(|it| !it.is_wholly_known());
        let attributes = block.attributes.iter().map(|it| of(&it.name));
        attributes.chain(block.blocks.iter().map(|it| of(&it.name))).collect()
    };
    let mut tries = Tries::new();
    found.by_parts(block, &unknown, &mut tries, made);
    let hidden = |it: &Value| {
        let mut hidden = unknown(it);
        hidden.iter_mut().zip(own).for_each(|(hidden, own)| *hidden |= own);
        hidden
    };
    found.by_parts(block, &hidden, &mut tries, made);
    found.of
}

struct Found<'a> {
    elements: &'a [&'a Value],
    known: &'a [&'a Value],
    of: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Found<'a> {
    fn new(elements: &'a [&'a Value], known: &'a [&'a Value]) -> Found<'a> {
        Found { elements, known, of: vec![None; elements.len()], taken: vec![false; known.len()] }
    }

    fn take(&mut self, element: usize, known: usize) {
        self.of[element] = Some(known);
        self.taken[known] = true;
    }

    fn left(&self) -> Vec<usize> {
        (0..self.elements.len()).filter(|i| self.of[*i].is_none()).collect()
    }

    fn equal(&mut self) {
        let mut at: HashMap<&Value, usize> =
            self.known.iter().enumerate().map(|(at, it)| (*it, at)).collect();
        for i in 0..self.elements.len() {
            if let Some(at) = at.remove(self.elements[i]) {
                self.take(i, at);
            }
        }
    }

    /// By the keys, where both sides know them.
    fn by_key(&mut self, block: &Block) {
        let of = |it: &'a Value| {
            let key = it.as_object().and_then(|it| key(block, it))?;
            key.iter().all(|it| it.is_wholly_known()).then_some(key)
        };
        let mut at: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (i, it) in self.known.iter().enumerate().filter(|(i, _)| !self.taken[*i]) {
            of(it).into_iter().for_each(|key| at.entry(key).or_default().push_back(i));
        }
        for i in self.left() {
            let found = of(self.elements[i]).and_then(|key| at.get_mut(&key)?.pop_front());
            found.into_iter().for_each(|at| self.take(i, at));
        }
    }

    /// By all that a known element does not hide.
    fn by_parts(
        &mut self,
        block: &Block,
        hidden: &dyn Fn(&Value) -> Mask,
        tries: &mut Tries,
        made: &dyn Fn(&Value, &Value) -> Value,
    ) {
        let left = self.left();
        let free: Vec<usize> = (0..self.known.len()).filter(|at| !self.taken[*at]).collect();
        if left.is_empty() || free.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        let masks: Vec<Mask> = free.iter().map(|at| hidden(self.known[*at])).collect();
        let distinct: Vec<&Mask> = masks.iter().filter(|it| seen.insert(*it)).collect();
        let mut groups: Vec<(&Mask, HashMap<u64, VecDeque<usize>>)> = Vec::new();
        for mask in distinct {
            let of: Vec<usize> =
                free.iter().zip(&masks).filter(|(_, it)| *it == mask).map(|(at, _)| *at).collect();
            let values: Vec<&Value> = of.iter().map(|at| self.known[*at]).collect();
            let by_hash = index(block, &values, mask).into_iter();
            groups.push((
                mask,
                by_hash.map(|(hash, at)| (hash, at.into_iter().rev().map(|at| of[at]).collect())).collect(),
            ));
        }
        for i in left {
            let Value::Object(object) = self.elements[i] else { continue };
            let (element, known) = (self.elements[i], self.known);
            let found = groups.iter_mut().find_map(|(mask, by_hash)| {
                let hash = Side::of(block, object, mask).hash();
                tries.take(by_hash.get_mut(&hash)?, |at| fits(known[at], &made(element, known[at])))
            });
            found.into_iter().for_each(|at| self.take(i, at));
        }
    }
}
