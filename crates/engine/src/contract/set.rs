//! Which planned element of a set a configured one has become.

use std::collections::VecDeque;

use ferroform_value::{Object, Set, Value};
use foldhash::{HashMap, HashMapExt as _};

use super::bare;
use crate::planning::side::{Mask, Side, holds_unsaid, index};
use crate::planning::tries::TRIES;
use crate::schema::{Attribute, Block, Mode};

/// Whether a planned element says what a configured one does.
type Fits<'a> = dyn Fn(&Value, &Value) -> bool + 'a;
/// What of a configured element a planned one need not say.
type Hidden<'a> = dyn Fn(&Object) -> Mask + 'a;

/// The elements of a configured set and of the planned one, and which belong together.
pub(super) struct Elements {
    pub config: Vec<Value>,
    pub planned: Vec<Value>,
    /// Of each configured element the place of the planned one.
    pub became: Vec<Option<usize>>,
    taken: Vec<bool>,
    /// The configured elements for which there is certainly no planned one.
    missing: Vec<usize>,
    /// Whether several may have become one.
    may_share: bool,
    /// False where there are too many to tell which is which. What nothing planned can be is certain all the same.
    pub is_told: bool,
}

impl Elements {
    /// Those that say the same wherever the configuration says something belong together; then those that do but for
    /// values that may stay as they were, and for what may be written anew deeper inside. Where that leaves some over,
    /// all that are equal so far are looked through, for one may have what only another fits. What is left then is paired in its
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
        let mut pairs =
            Elements { config, planned, became, taken, missing: Vec::new(), may_share, is_told: true };
        let left = |config: &Object| -> Mask {
            let is_null = |it: &Attribute| config.get(&it.name).is_none_or(Value::is_null);
            let is_left = |it: &Attribute| {
                it.write_only || it.mode == Mode::Computed || it.mode.is_computed() && is_null(it)
            };
            block.attributes.iter().map(is_left).chain(block.blocks.iter().map(|_| false)).collect()
        };
        pairs.equal(block, &left, fits);
        let stays = block.attributes.iter().map(attribute_may_stay);
        let stays: Mask = stays.chain(block.blocks.iter().map(|it| may_stay(&it.block))).collect();
        let hidden = |config: &Object| left(config).iter().zip(&stays).map(|(a, b)| *a || *b).collect();
        if stays.contains(&true) {
            pairs.equal(block, &hidden, fits);
        }
        pairs.look_through(block, &hidden, fits);
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
    fn equal(&mut self, block: &Block, hidden: &Hidden<'_>, fits: &Fits<'_>) {
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

    /// Finds a planned element for each that has none, among those that are equal in what is not hidden, and has others
    /// give up theirs for another one that fits, as long as that leads somewhere. However many elements there are, the
    /// time grows with their number. Where one is left without, no other pairs would leave none.
    fn look_through(&mut self, block: &Block, hidden: &Hidden<'_>, fits: &Fits<'_>) {
        let Elements { config, planned, became, taken, missing, may_share, is_told } = self;
        let left: Vec<usize> = (0..config.len()).filter(|i| became[*i].is_none()).collect();
        if left.is_empty() {
            return;
        }
        let mut owners = vec![None; planned.len()];
        for (i, at) in became.iter().enumerate() {
            at.iter().for_each(|at| owners[*at] = Some(i));
        }
        let mut search = Search::new(block, config, planned, hidden, fits);
        for start in left {
            if !*is_told {
                // Whatever becomes of the others.
                missing.extend(search.alike(start).is_empty().then_some(start));
                continue;
            }
            let Some((reached, mut end)) = search.from(start, &owners) else {
                *is_told = false;
                continue;
            };
            // Back from one that is free: each takes what it has reached.
            while let Some(at) = end {
                let Some(i) = reached.get(&at).copied() else { break };
                end = became[i].replace(at);
                taken[at] = true;
                owners[at] = Some(i);
            }
            if became[start].is_none() && *may_share {
                became[start] = reached.iter().filter(|(_, i)| **i == start).map(|(at, _)| *at).min();
            }
            missing.extend(became[start].is_none().then_some(start));
        }
    }

    /// The configured elements for which there is certainly no planned one.
    pub(super) fn missing(&self) -> impl Iterator<Item = &Value> {
        self.missing.iter().map(|i| &self.config[*i])
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

/// The planned elements that a configured one may have become, looked for where they can be.
struct Search<'a> {
    block: &'a Block,
    config: &'a [Value],
    planned: &'a [Value],
    hidden: &'a Hidden<'a>,
    fits: &'a Fits<'a>,
    /// The planned objects by what is not hidden of them, and those that are no objects.
    objects: HashMap<Mask, HashMap<u64, Vec<usize>>>,
    others: Vec<usize>,
    tries: usize,
}

/// Of each planned element that was reached, for which of the configured ones; and one that is free.
type Reached = (HashMap<usize, usize>, Option<usize>);

impl<'a> Search<'a> {
    fn new(
        block: &'a Block,
        config: &'a [Value],
        planned: &'a [Value],
        hidden: &'a Hidden<'a>,
        fits: &'a Fits<'a>,
    ) -> Search<'a> {
        let others = (0..planned.len()).rev().filter(|at| planned[*at].as_object().is_none()).collect();
        let tries = TRIES + 8 * planned.len();
        Search { block, config, planned, hidden, fits, objects: HashMap::new(), others, tries }
    }

    /// Those that are equal in what is not hidden, the last first: no other fits.
    fn alike(&mut self, i: usize) -> &[usize] {
        let Value::Object(object) = &self.config[i] else { return &self.others };
        let (block, planned, hidden) = (self.block, self.planned, (self.hidden)(object));
        let hash = Side::of(block, object, &hidden).hash();
        let by_hash = self.objects.entry(hidden).or_insert_with_key(|hidden| {
            let planned: Vec<&Value> = planned.iter().collect();
            index(block, &planned, hidden)
        });
        by_hash.get(&hash).map_or(&[], Vec::as_slice)
    }

    /// What can be reached from a configured element; none where that takes too long.
    fn from(&mut self, start: usize, owners: &[Option<usize>]) -> Option<Reached> {
        let mut reached = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(i) = queue.pop_front() {
            let (config, planned, fits) = (self.config, self.planned, self.fits);
            let mut tries = self.tries;
            for &at in self.alike(i).iter().rev() {
                tries = tries.checked_sub(1)?;
                if reached.contains_key(&at) || !fits(&config[i], &planned[at]) {
                    continue;
                }
                reached.insert(at, i);
                match owners[at] {
                    Some(owner) => queue.push_back(owner),
                    None => {
                        self.tries = tries;
                        return Some((reached, Some(at)));
                    }
                }
            }
            self.tries = tries;
        }
        Some((reached, None))
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
