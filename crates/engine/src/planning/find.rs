//! The prior elements that are equal to one of the configuration.

use std::rc::Rc;

use ferroform_value::Value;
use foldhash::{HashMap, HashMapExt as _};

use crate::planning::pair::Element;
use crate::planning::said::{self, agrees_inside};
use crate::planning::side::{Mask, Side, index};
use crate::planning::tries::TRIES;
use crate::schema::Block;

/// Where elements are, the last first, by a hash of what is compared of them.
type ByHash = HashMap<u64, Vec<usize>>;

/// What there is for an element.
pub(crate) enum Find {
    At(usize),
    /// Others have taken what is like it, or it differs inside.
    Taken,
    /// No prior element is like it, taken or not.
    Nothing,
}

/// The prior elements that are not taken yet, by what an element of the configuration says.
pub(crate) struct Finder<'a> {
    block: &'a Block,
    prior: &'a [&'a Value],
    /// Where they are, by the hash of what a mask leaves of them, for each mask that has come up. There are few:
    /// one for each combination of computed attributes that the configuration uses.
    by_mask: HashMap<Rc<Mask>, ByHash>,
    is_deep: bool,
    /// The same of those with one such hash, by what the configuration says inside of them, for each combination of
    /// computed attributes there.
    inside: HashMap<(Rc<Mask>, u64, u64), ByHash>,
    /// How many more may be looked into.
    tries: usize,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(block: &'a Block, prior: &'a [&'a Value], is_deep: bool) -> Finder<'a> {
        let tries = TRIES + 8 * prior.len();
        Finder { block, prior, by_mask: HashMap::new(), is_deep, inside: HashMap::new(), tries }
    }

    /// The first that is not taken, and takes it.
    pub(crate) fn find(&mut self, element: &Element<'_>, taken: &mut [bool]) -> Find {
        let hash = element.side(self.block, &element.left).hash();
        if !self.by_mask.contains_key(&element.left) {
            self.by_mask.insert(element.left.clone(), index(self.block, self.prior, &element.left));
        }
        match self.by_mask.get(&element.left).is_some_and(|it| it.contains_key(&hash)) {
            true => self.among(hash, element, taken).map_or(Find::Taken, Find::At),
            false => Find::Nothing,
        }
    }

    fn among(&mut self, hash: u64, element: &Element<'_>, taken: &mut [bool]) -> Option<usize> {
        let (block, prior) = (self.block, self.prior);
        let wanted = element.side(block, &element.left);
        let mut candidates = self.by_mask.get_mut(&element.left)?.get_mut(&hash)?;
        // Once too many had to be looked into, those that are equal but for what is inside are taken as they come.
        let looks_inside = self.is_deep && self.tries > 0;
        if looks_inside {
            let object = |at: usize| prior[at].as_object();
            let said = |at: usize| Some((said::hash(block, element.object, object(at)?), at));
            let (equal, tries) = (&*candidates, &mut self.tries);
            let of_shape =
                self.inside.entry((element.left.clone(), hash, element.inside.1)).or_insert_with(|| {
                    *tries = tries.saturating_sub(equal.len());
                    let mut found = ByHash::new();
                    for (hash, at) in equal.iter().filter_map(|at| said(*at)) {
                        found.entry(hash).or_default().push(at);
                    }
                    found
                });
            candidates = of_shape.get_mut(&said::hash(block, element.object, element.object))?;
        }
        // Taken ones are dropped for good, so that every candidate is looked at once for each mask.
        while candidates.last().is_some_and(|at| taken[*at]) {
            candidates.pop();
        }
        let tries = &mut self.tries;
        let at = candidates.iter().rposition(|at| match prior[*at] {
            Value::Object(object) if !taken[*at] => {
                let mut agrees = || {
                    *tries = tries.saturating_sub(1);
                    *tries == 0 || agrees_inside(block, element.object, object)
                };
                wanted.is_like(&Side::of(block, object, &element.left)) && (!looks_inside || agrees())
            }
            _ => false,
        })?;
        let found = candidates.remove(at);
        taken[found] = true;
        Some(found)
    }
}
