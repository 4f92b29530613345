//! Which planned element of a set a configured one has become.

use std::collections::VecDeque;

use ferroform_value::{Object, Set, Value};
use foldhash::{HashMap, HashMapExt as _};

use super::bare;
use crate::attr::keep::TRIES;
use crate::engine::side::{Mask, Side, holds_unsaid, index};
use crate::schema::{Attribute, Block};

/// Whether a planned element says what a configured one does.
type Fits<'a> = dyn Fn(&Value, &Value) -> bool + 'a;

/// The elements of a configured set and of the planned one, and which belong together.
pub(super) struct Elements {
    pub(super) config: Vec<Value>,
    pub(super) planned: Vec<Value>,
    /// Of each configured element the place of the planned one.
    pub(super) became: Vec<Option<usize>>,
    taken: Vec<bool>,
    /// Whether several may have become one.
    may_share: bool,
    /// False where there are too many to tell which is which.
    pub(super) is_told: bool,
}

impl Elements {
    /// Those that say the same wherever the configuration says something belong together; then those that do but for
    /// values that may stay as they were, and for what may be written anew deeper inside. Where that leaves some over,
    /// all of them are looked through, for one may have what only another fits. What is left then is paired in its
    /// order, so that it can be told what is wrong. Linear in the number of elements.
    pub(super) fn pair(
        block: &Block,
        config: &Set,
        planned: &Set,
        may_share: bool,
        fits: &Fits<'_>,
    ) -> Elements {
        let known = |it: &Set| -> Vec<Value> {
            it.iter().map(|it| if it.is_wholly_known() { it.clone() } else { bare(it) }).collect()
        };
        let (config, planned) = (known(config), known(planned));
        let (became, taken) = (vec![None; config.len()], vec![false; planned.len()]);
        let mut pairs = Elements { config, planned, became, taken, may_share, is_told: true };
        let left = |config: &Object| -> Mask {
            let is_left = |it: &Attribute| {
                it.write_only || it.mode.is_computed() && config.get(&it.name).is_none_or(Value::is_null)
            };
            block.attributes.iter().map(is_left).chain(block.blocks.iter().map(|_| false)).collect()
        };
        pairs.equal(block, &left, fits);
        let stays = block.attributes.iter().map(attribute_may_stay);
        let stays: Mask = stays.chain(block.blocks.iter().map(|it| may_stay(&it.block))).collect();
        if stays.contains(&true) {
            let hidden = |config: &Object| left(config).iter().zip(&stays).map(|(a, b)| *a || *b).collect();
            pairs.equal(block, &hidden, fits);
        }
        pairs.look_through(fits);
        if pairs.is_told {
            pairs.rest();
        }
        pairs
    }

    /// The planned elements that are no configured one's.
    pub(super) fn more(&self) -> impl Iterator<Item = &Value> {
        self.planned.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(it, _)| it)
    }

    /// Those that are equal in what is not hidden. Those that say most choose first.
    fn equal(&mut self, block: &Block, hidden: &dyn Fn(&Object) -> Mask, fits: &Fits<'_>) {
        // What is equal may still say something else deeper inside, where that is not compared.
        let is_deep = holds_unsaid(block);
        let fits = |config: &Value, planned: &Value| !is_deep || fits(config, planned);
        let mut left = Vec::new();
        for (i, config) in self.config.iter().enumerate().filter(|(i, _)| self.became[*i].is_none()) {
            if let Value::Object(object) = config {
                left.push((hidden(object), object, i));
            }
        }
        // Mostly the order is the same.
        let is_here = |(hidden, object, i): &(Mask, &Object, usize)| {
            let here = self.planned.get(*i).filter(|_| !self.taken[*i]).and_then(Value::as_object);
            here.is_some_and(|it| Side::of(block, object, hidden).is_like(&Side::of(block, it, hidden)))
                && fits(&self.config[*i], &self.planned[*i])
        };
        if left.iter().all(is_here) {
            for (_, _, i) in left {
                self.became[i] = Some(i);
                self.taken[i] = true;
            }
            return;
        }
        left.sort_by_key(|(hidden, ..)| hidden.iter().filter(|it| **it).count());
        let planned: Vec<&Value> = self.planned.iter().collect();
        let mut by_mask: HashMap<Mask, HashMap<u64, Vec<usize>>> = HashMap::new();
        for (hidden, object, i) in left {
            let hash = Side::of(block, object, &hidden).hash();
            let by_hash = by_mask.entry(hidden).or_insert_with_key(|hidden| index(block, &planned, hidden));
            let Some(candidates) = by_hash.get_mut(&hash) else { continue };
            while candidates.last().is_some_and(|at| self.taken[*at]) {
                candidates.pop();
            }
            let found = candidates.last().copied();
            if let Some(at) = found.filter(|at| fits(&self.config[i], &self.planned[*at])) {
                self.became[i] = Some(at);
                self.taken[at] = true;
            }
        }
    }

    /// Finds a planned element for each that has none, and has others give up theirs for another one that fits, as long
    /// as that leads somewhere. However many elements there are, the time grows with their number.
    fn look_through(&mut self, fits: &Fits<'_>) {
        let mut tries = TRIES + 8 * self.planned.len();
        let mut owners = vec![None; self.planned.len()];
        for (i, at) in self.became.iter().enumerate() {
            at.iter().for_each(|at| owners[*at] = Some(i));
        }
        for start in (0..self.config.len()).filter(|i| self.became[*i].is_none()).collect::<Vec<_>>() {
            // Of each planned element that was reached, for which of the configured ones.
            let mut reached = vec![None; self.planned.len()];
            let mut queue = VecDeque::from([start]);
            let mut end = None;
            'search: while let Some(i) = queue.pop_front() {
                for at in (0..self.planned.len()).filter(|at| reached[*at].is_none()).collect::<Vec<_>>() {
                    let Some(left) = tries.checked_sub(1) else {
                        self.is_told = false;
                        return;
                    };
                    tries = left;
                    if !fits(&self.config[i], &self.planned[at]) {
                        continue;
                    }
                    reached[at] = Some(i);
                    match owners[at] {
                        Some(owner) => queue.push_back(owner),
                        None => {
                            end = Some(at);
                            break 'search;
                        }
                    }
                }
            }
            // Back from one that is free: each takes what it has reached.
            while let Some(at) = end {
                let Some(i) = reached[at] else { break };
                end = self.became[i].replace(at);
                self.taken[at] = true;
                owners[at] = Some(i);
            }
            if self.became[start].is_none() && self.may_share {
                self.became[start] = reached.iter().position(|it| *it == Some(start));
            }
        }
    }

    /// What is left, in its order; what is not known yet with each other.
    fn rest(&mut self) {
        for of_objects in [false, true] {
            let is = |it: &Value| it.as_object().is_some() == of_objects;
            let mut free: VecDeque<usize> =
                (0..self.planned.len()).filter(|at| !self.taken[*at] && is(&self.planned[*at])).collect();
            for i in 0..self.config.len() {
                if self.became[i].is_none()
                    && is(&self.config[i])
                    && let Some(at) = free.pop_front()
                {
                    self.became[i] = Some(at);
                    self.taken[at] = true;
                }
            }
        }
    }
}

/// True where a plan may hold a prior value in the place of a configured one.
fn may_stay(block: &Block) -> bool {
    block.attributes.iter().any(attribute_may_stay) || block.blocks.iter().any(|it| may_stay(&it.block))
}

fn attribute_may_stay(it: &Attribute) -> bool {
    it.has_own_equality()
        || it.behaviour().suppress.is_some()
        || it.nested.as_ref().is_some_and(|it| may_stay(&it.block))
}
