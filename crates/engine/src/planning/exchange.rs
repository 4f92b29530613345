//! Elements that give up the prior element that they have found for another that fits them too.
//!
//! What a provider wrote into one element may be what the configuration says of another one, so that the first takes
//! what only the second fits.

use std::collections::VecDeque;
use std::rc::Rc;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use crate::planning::own::Own;
use crate::planning::pair::{Element, Pairing, Turn, says};
use crate::planning::said::{self, agrees_inside};
use crate::planning::side::{Mask, Side, index};
use crate::planning::tries::TRIES;
use crate::schema::Block;

type ByHash = HashMap<u64, Rc<[usize]>>;

/// The prior elements that an element may be equal to, whoever has found them.
pub(crate) struct Alike<'a> {
    block: &'a Block,
    prior: &'a [&'a Value],
    own: Own<'a>,
    is_deep: bool,
    /// Where they are, by the hash of what a mask leaves of them.
    by_mask: HashMap<Mask, ByHash>,
    /// The same of those with one such hash, by what the configuration says inside of them.
    inside: HashMap<(Mask, u64, u64), ByHash>,
    /// How many more may be looked at.
    tries: usize,
}

impl<'a> Alike<'a> {
    pub(crate) fn of(pairing: &Pairing<'a>) -> Alike<'a> {
        let Pairing { block, prior, is_deep, .. } = *pairing;
        let tries = TRIES + 8 * prior.len();
        let (by_mask, inside) = (HashMap::new(), HashMap::new());
        Alike { block, prior, own: Own::of(block), is_deep, by_mask, inside, tries }
    }

    /// Those that print alike in all that the element says, but for what has an equality of its own.
    fn candidates(&mut self, element: &Element<'_>) -> Rc<[usize]> {
        let (block, prior) = (self.block, self.prior);
        let hidden = self.own.hidden(&element.left);
        let hash = element.side(block, &hidden).hash();
        let by_hash = self.by_mask.entry(hidden.clone()).or_insert_with_key(|hidden| {
            let in_order = |(hash, at): (u64, Vec<usize>)| (hash, at.into_iter().rev().collect());
            index(block, prior, hidden).into_iter().map(in_order).collect()
        });
        let found = by_hash.get(&hash).cloned().unwrap_or_default();
        if !self.is_deep || found.len() < 2 {
            return found;
        }
        let said = |it: &Object| said::hash(block, element.object, it);
        let of_shape = self.inside.entry((hidden, hash, element.inside.1)).or_insert_with(|| {
            let mut of_shape: HashMap<u64, Vec<usize>> = HashMap::new();
            for at in found.iter() {
                let hash = prior[*at].as_object().map(said);
                hash.into_iter().for_each(|hash| of_shape.entry(hash).or_default().push(*at));
            }
            of_shape.into_iter().map(|(hash, at)| (hash, at.into())).collect()
        });
        of_shape.get(&said(element.object)).cloned().unwrap_or_default()
    }

    /// True where an element is equal to a prior one or means the same.
    fn fits(&self, element: &Element<'_>, at: usize) -> bool {
        let Value::Object(object) = self.prior[at] else { return false };
        let hidden = self.own.hidden(&element.left);
        element.side(self.block, &hidden).is_like(&Side::of(self.block, object, &hidden))
            && self.own.same(&element.left, self.prior[at], element.object)
            && (!self.is_deep || agrees_inside(self.block, element.object, object))
    }

    /// Counts a look at an element; false once there were too many.
    fn tries(&mut self) -> bool {
        self.tries = self.tries.saturating_sub(1);
        self.tries > 0
    }
}

impl<'a> Pairing<'a> {
    /// Finds a prior element for each that has none, and has others give up theirs for another one that fits, as
    /// long as that leads somewhere. However many elements there are, the time grows with their number.
    pub(crate) fn exchange(&mut self, turn: Turn, alike: &mut Alike<'a>) {
        let mut seekers = self.seekers(turn);
        if alike.own.is_empty() {
            seekers.retain(|i| !self.is_unlike[*i]);
        }
        if seekers.is_empty() || self.taken.iter().all(|it| *it) {
            return;
        }
        let mut owners = self.owners();
        // What was reached in vain cannot become free any more.
        let mut closed: Vec<bool> =
            self.taken.iter().zip(&owners).map(|(taken, owner)| *taken && owner.is_none()).collect();
        for start in seekers {
            let Some((reached, end)) = self.search(start, &owners, &closed, alike) else { return };
            let Some(mut at) = end else {
                reached.into_keys().for_each(|at| closed[at] = true);
                continue;
            };
            self.taken[at] = true;
            // Back from the one that is free: each takes what it has reached.
            while let Some(i) = reached.get(&at) {
                owners[at] = Some(*i);
                let Some(before) = self.found[*i].replace(at) else { break };
                at = before;
            }
        }
    }

    /// Whose found elements lead from an element to a prior one that is free: for which of them each prior one was
    /// reached, and the free one. None where too many had to be looked at.
    fn search(
        &self,
        start: usize,
        owners: &[Option<usize>],
        closed: &[bool],
        alike: &mut Alike<'a>,
    ) -> Option<(HashMap<usize, usize>, Option<usize>)> {
        let mut reached = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(i) = queue.pop_front() {
            let Some(element) = self.elements[i].as_ref() else { continue };
            for at in alike.candidates(element).iter().copied() {
                if !alike.tries() {
                    return None;
                }
                if closed[at] || reached.contains_key(&at) || !alike.fits(element, at) {
                    continue;
                }
                reached.insert(at, i);
                match owners[at] {
                    Some(owner) => queue.push_back(owner),
                    None => return Some((reached, Some(at))),
                }
            }
        }
        Some((reached, None))
    }

    /// Who has found each prior element.
    fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.prior.len()];
        for (i, at) in self.found.iter().enumerate() {
            at.iter().for_each(|at| owners[*at] = Some(i));
        }
        owners
    }

    /// What was found is so for good, where no element with unknown parts can turn out to be that or anything for
    /// which it might be given up.
    pub(crate) fn decide(&mut self, turn: Turn, alike: &mut Alike<'a>) {
        if self.doubt.is_none() {
            let found = self.is.iter_mut().zip(&mut self.found);
            return found.for_each(|(is, found)| *is = is.or(found.take()));
        }
        let due: Vec<usize> = (0..self.elements.len())
            .filter(|i| self.is[*i].is_none())
            .filter(|i| self.elements[*i].as_ref().is_some_and(|it| it.is_due(turn)))
            .collect();
        let may_be = self.fitting(&due, alike);
        let open = self.open(&may_be);
        let mut seen = HashSet::new();
        for (i, may_be) in due.into_iter().zip(may_be) {
            let Some(element) = self.elements[i].as_ref() else { continue };
            let found = self.found[i].take();
            let is_open = || may_be.first().is_some_and(|at| open[*at]);
            let anything =
                || self.doubt.has_anything() && found.is_some_and(|at| !self.is_only_one(element, at));
            if element.key.is_none() && (is_open() || anything()) {
                if seen.insert(may_be.as_ptr()) {
                    may_be.iter().for_each(|at| self.is_open[*at] = true);
                }
                self.undecided[i] = Some(may_be);
            } else {
                self.is[i] = found;
            }
        }
    }

    /// The prior elements that each of these fits.
    fn fitting(&self, due: &[usize], alike: &mut Alike<'a>) -> Vec<Rc<[usize]>> {
        let exact = alike.own.is_empty() && !alike.is_deep;
        let fitting = |i: &usize| {
            let element = self.elements[*i].as_ref()?;
            let all = alike.candidates(element);
            if exact || all.is_empty() {
                return Some(all);
            }
            let fitting = all.iter().copied().filter(|at| !alike.tries() || alike.fits(element, *at));
            let fitting: Rc<[usize]> = fitting.collect();
            Some(if fitting.len() == all.len() { all } else { fitting })
        };
        due.iter().map(fitting).map(Option::unwrap_or_default).collect()
    }

    /// The prior elements that may turn out to be an element with unknown parts, and those that hang together with
    /// them, because an element fits both.
    fn open(&self, may_be: &[Rc<[usize]>]) -> Vec<bool> {
        let mut of: Vec<usize> = (0..self.prior.len()).collect();
        let mut seen = HashSet::new();
        for all in may_be.iter().filter(|it| it.len() > 1 && seen.insert(it.as_ptr())) {
            let first = root(&mut of, all[0]);
            for at in all.iter() {
                let other = root(&mut of, *at);
                of[other] = first;
            }
        }
        let owners = self.owners();
        let only_one = |at: usize| {
            let owner = self.elements[owners[at]?].as_ref()?;
            self.is_only_one(owner, at).then_some(owner)
        };
        let mut open = vec![false; self.prior.len()];
        for at in self.doubt.open(only_one).collect::<Vec<_>>() {
            open[root(&mut of, at)] = true;
        }
        (0..self.prior.len()).map(|at| open[root(&mut of, at)]).collect()
    }

    /// True where no other element that says as much is equal to the prior one. One that says the same in other words
    /// is another element of a set.
    fn is_only_one(&self, element: &Element<'_>, at: usize) -> bool {
        let to_the_letter = || self.prior[at].as_object().is_some_and(|it| says(element.object, it));
        !self.is_list && (!self.has_meaning || to_the_letter())
    }
}

/// The one that stands for all that hang together with this.
fn root(of: &mut [usize], at: usize) -> usize {
    let mut root = at;
    while of[root] != root {
        root = of[root];
    }
    let mut at = at;
    while of[at] != root {
        at = std::mem::replace(&mut of[at], root);
    }
    root
}
