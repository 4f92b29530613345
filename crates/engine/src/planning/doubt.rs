//! What elements with unknown parts may turn out to be.
//!
//! A plan that is made while parts are unknown is made again once they are known, and may then only fill in
//! what was unknown. So an element is taken for a prior one only where that does not depend on what others turn
//! out to be.

use std::rc::Rc;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _};

use crate::planning::own::Own;
use crate::planning::pair::Element;
use crate::planning::said::{self, agrees_inside, is_deep};
use crate::planning::side::{Mask, index};
use crate::planning::tries::TRIES;
use crate::schema::Block;

/// The elements with unknown parts that may turn out to be the same prior elements, as far as they are known.
struct Group {
    /// What they leave to the provider.
    left: Rc<Mask>,
    /// The same in objects inside of them.
    inside: u64,
    /// How many they are.
    count: usize,
    /// The prior elements that they may be.
    prior: Vec<usize>,
}

/// What elements with unknown parts may turn out to be.
#[derive(Default)]
pub(crate) struct Doubt {
    groups: Vec<Group>,
    /// The group of each element of the configuration that has unknown parts.
    of_element: HashMap<usize, usize>,
    /// The groups whose elements may be this prior element.
    of_prior: HashMap<usize, Vec<usize>>,
    /// True where there is an element of which nothing is known: it may be anything.
    anything: bool,
}

impl Doubt {
    pub(crate) fn of(
        block: &Block,
        config: &[&Value],
        elements: &[Option<Element<'_>>],
        prior: &[&Value],
    ) -> Doubt {
        let mut doubt = Doubt { anything: config.iter().any(|it| it.is_unknown()), ..Doubt::default() };
        // The prior elements by what is known, for each combination of what is not.
        let mut by_mask: HashMap<Mask, HashMap<u64, Vec<usize>>> = HashMap::new();
        let (own, is_deep) = (Own::of(block), is_deep(block));
        let mut tries = TRIES;
        let mut known: HashMap<(Rc<Mask>, Mask, [u64; 3]), usize> = HashMap::new();
        for (i, element) in elements.iter().enumerate() {
            let Some(element) = element.as_ref().filter(|it| it.is_open()) else { continue };
            let mut hidden = element.open.clone();
            hidden.iter_mut().zip(element.left.iter()).for_each(|(hidden, left)| *hidden |= left);
            let hash = element.side(block, &hidden).hash();
            let (left, inside) = (element.left.clone(), element.inside.1);
            let deep = if is_deep { said::hash(block, element.object, element.object) } else { 0 };
            let group = *known.entry((left, hidden.clone(), [hash, inside, deep])).or_insert_with(|| {
                let all = own.hidden(&hidden);
                let hash = element.side(block, &all).hash();
                let index = by_mask.entry(all).or_insert_with_key(|it| index(block, prior, it));
                let mut may_be = index.get(&hash).cloned().unwrap_or_default();
                // Where there are too many to be compared, it may be any.
                tries = tries.saturating_sub(may_be.len());
                if !own.is_empty() && tries > 0 {
                    may_be.retain(|at| own.same(&hidden, prior[*at], element.object));
                }
                if is_deep && tries > 0 {
                    let agrees = |it: &Object| agrees_inside(block, element.object, it);
                    may_be.retain(|at| prior[*at].as_object().is_some_and(agrees));
                }
                doubt.groups.push(Group { left: element.left.clone(), inside, count: 0, prior: may_be });
                doubt.groups.len() - 1
            });
            doubt.groups[group].count += 1;
            doubt.of_element.insert(i, group);
        }
        for (group, it) in doubt.groups.iter().enumerate() {
            it.prior.iter().for_each(|at| doubt.of_prior.entry(*at).or_default().push(group));
        }
        doubt
    }

    /// These prior elements are taken, whatever else turns out.
    pub(crate) fn settle(&mut self, taken: &[bool]) {
        self.groups.iter_mut().for_each(|it| it.prior.retain(|at| !taken[*at]));
    }

    /// True where nothing is unknown.
    pub(crate) fn is_none(&self) -> bool {
        self.groups.is_empty() && !self.anything
    }

    /// True where there is an element of which nothing is known.
    pub(crate) fn has_anything(&self) -> bool {
        self.anything
    }

    /// The prior elements that an element with unknown parts may turn out to be, whoever has found them. Where an
    /// `owner` is the only one that can be equal, as in a set, one that would be equal too would be the same element.
    pub(crate) fn open<'b, 'c: 'b>(
        &'b self,
        only_one: impl Fn(usize) -> Option<&'b Element<'c>> + 'b,
    ) -> impl Iterator<Item = usize> + 'b {
        let could = move |at: usize, group: &usize| {
            let group = &self.groups[*group];
            only_one(at).is_none_or(|it| group.left != it.left || group.inside != it.inside.1)
        };
        let open = move |(at, rivals): (&usize, &Vec<usize>)| rivals.iter().any(|it| could(*at, it));
        self.of_prior.iter().filter(move |it| open(*it)).map(|(at, _)| *at)
    }

    /// The prior elements that an element with unknown parts may turn out to be.
    pub(crate) fn may_be(&self, element: usize) -> Option<&[usize]> {
        self.of_element.get(&element).map(|it| &*self.groups[*it].prior)
    }

    /// True where the element of the configuration, which equals none, is the prior one at its place whatever
    /// turns out: it cannot be another, and no other can be that one.
    pub(crate) fn is_free(&self, element: usize, at: usize) -> bool {
        let own = self.of_element.get(&element);
        let rivals = self.of_prior.get(&at).map(Vec::as_slice).unwrap_or_default();
        let others = rivals.iter().map(|it| self.groups[*it].count - usize::from(Some(it) == own));
        let can_be_another = own.is_some_and(|it| self.groups[*it].prior.iter().any(|it| *it != at));
        !self.anything && others.sum::<usize>() == 0 && !can_be_another
    }
}
