//! Which element of the prior state an element of the configuration is.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _};

use crate::planning::doubt::Doubt;
use crate::planning::exchange::Alike;
use crate::planning::find::{Find, Finder};
use crate::planning::own::Own;
use crate::planning::said::{self, agrees_inside, is_deep};
use crate::planning::side::{Mask, Side, index};
use crate::planning::tries::Tries;
use crate::schema::{Attribute, Block};

/// What an element of the configuration has in the prior state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partner {
    /// The element that it is: what the provider wrote into that goes on.
    pub(crate) is: Option<usize>,
    /// Of a set, those of which one may turn out to be it once everything is known.
    pub(crate) may_be: Rc<[usize]>,
}

/// For each element of the configuration, defaults put in, what it has in the prior state. No prior element is
/// taken twice. Linear in the number of elements.
///
/// Equal elements pair first: equal in all that the configuration says at every depth, where what the provider writes
/// may be anything. Then elements with the same keys, where the objects have keys; else, in a list, what stands at the
/// same index. An element with unknown parts takes nothing that it might not be once they are known, and keeps
/// others from taking what it might be.
pub(crate) fn pair(block: &Block, config: &[&Value], prior: &[&Value], is_list: bool) -> Vec<Partner> {
    if prior.is_empty() {
        return vec![Partner::default(); config.len()];
    }
    let mut pairing = Pairing::of(block, config, prior, is_list);
    if pairing.is_keyed {
        pairing.by_value(Turn::Keyed);
        pairing.by_key();
        pairing.by_value(Turn::Unkeyed);
    } else {
        pairing.by_value(Turn::All);
    }
    pairing.finish()
}

/// True where each element of a set, all of it known, is equal to one of the other set that no other takes.
pub(crate) fn each_is_equal(block: &Block, config: &[&Value], other: &[&Value]) -> bool {
    let mut pairing = Pairing::of(block, config, other, false);
    pairing.by_value(Turn::All);
    pairing.is.iter().all(Option::is_some)
}

/// An element of the configuration: what it says, what it leaves to the provider, what it does not know yet.
pub(crate) struct Element<'a> {
    pub(crate) object: &'a Object,
    /// The attributes that it leaves to the provider. Mostly those of the element before.
    pub(crate) left: Rc<Mask>,
    /// How many values it leaves to the provider in objects inside of it, and which.
    pub(crate) inside: (usize, u64),
    /// The attributes and blocks that are not known to the last part; empty where there are none.
    pub(crate) open: Mask,
    /// What it says of the keys, where it says all of them.
    pub(crate) key: Option<Key<'a>>,
}

/// Which elements find theirs now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    All,
    /// Those that say their keys.
    Keyed,
    /// Those that leave them to the provider.
    Unkeyed,
}

pub(crate) type Key<'a> = Vec<Cow<'a, Value>>;

impl<'a> Element<'a> {
    fn of(block: &Block, value: &'a Value, last: &mut Rc<Mask>, is_deep: bool) -> Option<Element<'a>> {
        let Value::Object(object) = value else { return None };
        if !last.iter().copied().eq(block.attributes.iter().map(|it| is_left(it, object))) {
            *last = Rc::new(block.attributes.iter().map(|it| is_left(it, object)).collect());
        }
        let left = last.clone();
        let names = block.attributes.iter().map(|it| &it.name).chain(block.blocks.iter().map(|it| &it.name));
        let open = match object.values().all(Value::is_wholly_known) {
            true => Mask::new(),
            false => names.map(|it| object.get(it).is_some_and(|it| !it.is_wholly_known())).collect(),
        };
        let inside = if is_deep { said::shape(block, object) } else { (0, 0) };
        let mut element = Element { object, left, inside, open, key: None };
        element.key = element.key(block);
        Some(element)
    }

    fn key(&self, block: &Block) -> Option<Key<'a>> {
        let keys = block.attributes.iter().enumerate().filter(|(_, it)| it.key);
        let is_said = |at: usize| !self.left[at] && self.open.get(at) != Some(&true);
        if keys.clone().all(|(at, _)| is_said(at)) { key(block, self.object) } else { None }
    }

    /// True where all of it is known, and its turn is now: it says its key, or leaves that to the provider.
    pub(crate) fn is_due(&self, turn: Turn) -> bool {
        !self.is_open() && (turn == Turn::All || self.key.is_some() == (turn == Turn::Keyed))
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The element as it is compared, without the attributes that the mask hides.
    pub(crate) fn side<'b>(&'b self, block: &'b Block, hidden: &'b Mask) -> Side<'b> {
        Side::of(block, self.object, hidden)
    }
}

/// What an object holds in its keys; none where it has none.
pub(crate) fn key<'a>(block: &Block, object: &'a Object) -> Option<Key<'a>> {
    let keys = block.attributes.iter().filter(|it| it.key);
    let values: Key<'a> = keys.map(|it| it.canonical(object.get(&it.name).unwrap_or(&Value::Null))).collect();
    (!values.is_empty()).then_some(values)
}

/// True where a prior value may stay in place of another one, at any depth.
pub(crate) fn has_meaning(block: &Block) -> bool {
    block.attributes.iter().any(may_stay) || block.blocks.iter().any(|it| has_meaning(&it.block))
}

/// True where a prior value of the attribute, or of one inside, may stay in place of another one.
pub(crate) fn may_stay(it: &Attribute) -> bool {
    it.has_own_equality()
        || it.behaviour().suppress.is_some()
        || it.nested.as_ref().is_some_and(|it| has_meaning(&it.block))
}

/// True where an object has what the configuration says to the letter.
pub(crate) fn says(config: &Object, prior: &Object) -> bool {
    config.iter().all(|(name, it)| it.is_null() || prior.get(name) == Some(it))
}

pub(crate) fn is_left(attribute: &Attribute, config: &Object) -> bool {
    attribute.write_only
        || attribute.mode.is_computed()
            && attribute.behaviour().default.is_none()
            && config.get(&attribute.name).is_none_or(Value::is_null)
}

/// What is known so far of which element is which. What pairs them by their values stands in `exchange` too.
pub(crate) struct Pairing<'a> {
    pub(crate) block: &'a Block,
    pub(crate) prior: &'a [&'a Value],
    pub(crate) is_list: bool,
    pub(crate) elements: Vec<Option<Element<'a>>>,
    pub(crate) doubt: Doubt,
    /// Whether objects inside of the elements have to be looked into.
    pub(crate) is_deep: bool,
    is_keyed: bool,
    /// Whether a value in an element may mean the same as another one.
    pub(crate) has_meaning: bool,
    pub(crate) is: Vec<Option<usize>>,
    /// What those have found whose turn it is, which may still be given up.
    pub(crate) found: Vec<Option<usize>>,
    /// Those that no prior element is like, but for what has an equality of its own.
    pub(crate) is_unlike: Vec<bool>,
    /// Of those of which it depends on others what they are: what that may be.
    pub(crate) undecided: Vec<Option<Rc<[usize]>>>,
    /// The prior elements that one of those may turn out to be.
    pub(crate) is_open: Vec<bool>,
    pub(crate) taken: Vec<bool>,
}

impl<'a> Pairing<'a> {
    fn of(block: &'a Block, config: &[&'a Value], prior: &'a [&'a Value], is_list: bool) -> Pairing<'a> {
        let mut last = Rc::new(Mask::new());
        let is_deep = is_deep(block);
        let elements: Vec<Option<Element<'_>>> =
            config.iter().map(|it| Element::of(block, it, &mut last, is_deep)).collect();
        Pairing {
            block,
            prior,
            is_list,
            doubt: Doubt::of(block, config, &elements, prior),
            elements,
            is_deep,
            is_keyed: block.attributes.iter().any(|it| it.key),
            has_meaning: has_meaning(block),
            is: vec![None; config.len()],
            found: vec![None; config.len()],
            is_unlike: vec![false; config.len()],
            undecided: vec![None; config.len()],
            is_open: vec![false; prior.len()],
            taken: vec![false; prior.len()],
        }
    }

    /// Those that say the same. One that leaves its key to the provider has its turn after the others: what has
    /// another's key is not this one.
    fn by_value(&mut self, turn: Turn) {
        self.equal_here(turn);
        self.equal(turn);
        self.by_meaning(turn);
        let mut alike = Alike::of(self);
        self.exchange(turn, &mut alike);
        self.decide(turn, &mut alike);
    }

    /// Those whose turn it is that have not found theirs.
    pub(crate) fn seekers(&self, turn: Turn) -> Vec<usize> {
        let is_due = |i: &usize| self.elements[*i].as_ref().is_some_and(|it| it.is_due(turn));
        let seeks = |i: &usize| self.is[*i].is_none() && self.found[*i].is_none() && is_due(i);
        (0..self.elements.len()).filter(seeks).collect()
    }

    /// In a list, elements that are as they were and where they were.
    fn equal_here(&mut self, turn: Turn) {
        if !self.is_list {
            return;
        }
        let own = Own::of(self.block);
        for (i, prior) in self.prior.iter().enumerate().take(self.elements.len()) {
            let element = self.elements[i].as_ref().filter(|it| it.is_due(turn) && !self.taken[i]);
            let (Some(element), Value::Object(object)) = (element, prior) else { continue };
            let like = |hidden: &Mask| {
                element.side(self.block, hidden).is_like(&Side::of(self.block, object, hidden))
            };
            let means = || like(&own.hidden(&element.left)) && own.same(&element.left, prior, element.object);
            let agrees = || !self.is_deep || agrees_inside(self.block, element.object, object);
            if (like(&element.left) || !own.is_empty() && means()) && agrees() {
                self.is[i] = Some(i);
                self.taken[i] = true;
            }
        }
        self.doubt.settle(&self.taken);
    }

    /// Equal elements wherever they were. Those that say most choose first, so that the order among them does
    /// not count.
    fn equal(&mut self, turn: Turn) {
        let mut order = self.seekers(turn);
        if order.is_empty() {
            return;
        }
        let left = |i: &usize| {
            let count = |it: &Element<'_>| (it.left.iter().filter(|it| **it).count(), it.inside.0);
            self.elements[*i].as_ref().map(count)
        };
        order.sort_by_cached_key(left);
        let mut finder = Finder::new(self.block, self.prior, self.is_deep);
        for i in order {
            let Some(element) = self.elements[i].as_ref() else { continue };
            match finder.find(element, &mut self.taken) {
                Find::At(at) => self.found[i] = Some(at),
                Find::Taken => {}
                Find::Nothing => self.is_unlike[i] = true,
            }
        }
    }

    /// Elements that mean the same, where that does not show in what they print: those that are equal in all else are
    /// compared, and no more than some hundreds of them each with each.
    fn by_meaning(&mut self, turn: Turn) {
        let own = Own::of(self.block);
        if own.is_empty() {
            return;
        }
        let free: Vec<usize> = (0..self.prior.len()).filter(|at| !self.taken[*at]).collect();
        let prior: Vec<&Value> = free.iter().map(|at| self.prior[*at]).collect();
        let mut by_mask: HashMap<Mask, HashMap<u64, VecDeque<usize>>> = HashMap::new();
        let mut tries = Tries::new();
        if free.is_empty() {
            return;
        }
        for i in self.seekers(turn) {
            let Some(element) = self.elements[i].as_ref() else { continue };
            let hidden = own.hidden(&element.left);
            let hash = element.side(self.block, &hidden).hash();
            let by_hash = by_mask.entry(hidden).or_insert_with_key(|mask| {
                let queue =
                    |(hash, at): (u64, Vec<usize>)| (hash, at.into_iter().rev().map(|at| free[at]).collect());
                index(self.block, &prior, mask).into_iter().map(queue).collect()
            });
            let agrees = |it: &Value| {
                !self.is_deep
                    || it.as_object().is_some_and(|it| agrees_inside(self.block, element.object, it))
            };
            let means = |at: usize| {
                let prior = self.prior[at];
                !self.taken[at] && own.same(&element.left, prior, element.object) && agrees(prior)
            };
            if let Some(at) = by_hash.get_mut(&hash).and_then(|left| tries.take(left, means)) {
                self.taken[at] = true;
                self.found[i] = Some(at);
            }
        }
    }

    /// Elements with the same keys, in their order: of elements that have the same keys, which is which is not
    /// known.
    fn by_key(&mut self) {
        let mut left: HashMap<Key<'_>, Vec<usize>> = HashMap::with_capacity(self.prior.len());
        for (at, prior) in self.prior.iter().enumerate().rev().filter(|(at, _)| !self.taken[*at]) {
            if let Some(key) = prior.as_object().and_then(|it| key(self.block, it)) {
                left.entry(key).or_default().push(at);
            }
        }
        for (i, element) in self.elements.iter().enumerate() {
            if self.is[i].is_some() {
                continue;
            }
            let Some(key) = element.as_ref().and_then(|it| it.key.as_ref()) else { continue };
            if let Some(at) = left.get_mut(key).and_then(Vec::pop) {
                self.is[i] = Some(at);
                self.taken[at] = true;
            }
        }
    }

    /// What is left in a list pairs by index; in a set, with keys or without, it may be one of those that are left.
    fn finish(self) -> Vec<Partner> {
        let has_key = self.is_keyed;
        let nothing: Rc<[usize]> = Rc::new([]);
        let free: Rc<[usize]> = match has_key && !self.is_list {
            true => (0..self.prior.len()).filter(|at| !self.taken[*at]).collect(),
            false => nothing.clone(),
        };
        // Elements of which the same is known share what they may be.
        let mut shared: HashMap<*const usize, Rc<[usize]>> = HashMap::new();
        let partner = |(i, element): (usize, &Option<Element<'_>>)| {
            if self.is[i].is_some() || self.is_list {
                // A key that is known and new is that of a new element, and one that is not known yet may be.
                let keyed = has_key && element.as_ref().is_none_or(|it| it.key.is_some() || it.is_open());
                let left = self.taken.get(i) == Some(&false) && !keyed && self.undecided[i].is_none();
                let left = left && !self.is_open[i];
                let is = self.is[i].or_else(|| Some(i).filter(|at| left && self.doubt.is_free(i, *at)));
                return Partner { is, may_be: nothing.clone() };
            }
            let is_new = element.as_ref().is_none_or(|it| it.key.is_some());
            let may_be = match &self.undecided[i] {
                Some(may_be) => may_be.clone(),
                None if !self.has_meaning => nothing.clone(),
                None if !has_key => self.doubt.may_be(i).map_or_else(
                    || nothing.clone(),
                    |it| shared.entry(it.as_ptr()).or_insert_with(|| it.into()).clone(),
                ),
                // One that is all known is new, and stays so.
                None if is_new || self.doubt.is_none() => nothing.clone(),
                None => free.clone(),
            };
            Partner { is: None, may_be }
        };
        self.elements.iter().enumerate().map(partner).collect()
    }
}
