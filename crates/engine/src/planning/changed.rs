//! What becomes of the elements of a collection: which is which, and whether one of them needs a new object.

use std::collections::VecDeque;
use std::iter::repeat_n;

use ferroform_value::{Object, Value};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use crate::planning::own::Own;
use crate::planning::pair::pair;
use crate::planning::replace::{Look, is_fixed, is_fixed_attribute};
use crate::planning::side::{Mask, Side, index};
use crate::planning::tries::{TRIES, Tries};
use crate::schema::{Attribute, Block, Mode, Replace};

static NULL: Value = Value::Null;
static UNKNOWN: Value = Value::UNKNOWN;

/// What the configuration says of something, without and with its defaults, what it was and what it will be; each
/// null where there is none.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) config: &'a Value,
    pub(crate) full: &'a Value,
    pub(crate) prior: &'a Value,
    pub(crate) planned: &'a Value,
}

/// What is known of what an element was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Was {
    /// The prior element that stands in the change.
    Told,
    /// Nothing.
    New,
    /// Nothing, or any that no other element is: its key is not known yet.
    Open,
}

impl<'a> Change<'a> {
    /// A part of each. Of what is not known, every part is not known.
    pub(crate) fn each(self, of: impl Fn(&'a Value) -> Option<&'a Value>) -> Change<'a> {
        let of = |it: &'a Value| if it.is_unknown() { &UNKNOWN } else { of(it).unwrap_or(&NULL) };
        Change {
            config: of(self.config),
            full: of(self.full),
            prior: of(self.prior),
            planned: of(self.planned),
        }
    }

    pub(crate) fn inside(self, name: &str) -> Change<'a> {
        self.each(|it| it.attribute(name))
    }

    /// Each element of a planned list or set, and the prior ones that none of them is known to be.
    pub(crate) fn elements(self, block: &Block, is_list: bool) -> (Vec<(Change<'a>, Was)>, Vec<&'a Value>) {
        let (planned, prior) = (elements(self.planned), elements(self.prior));
        let (config, full) = self.beside(block, &planned);
        let mut left: Vec<bool> = vec![true; prior.len()];
        let changes = pair(block, &full, &prior, is_list).into_iter().enumerate().map(|(i, partner)| {
            partner.is.into_iter().for_each(|at| left[at] = false);
            let was = match partner.is {
                Some(_) => Was::Told,
                None if is_open(block, full[i]) => Was::Open,
                None => Was::New,
            };
            let prior = partner.is.map_or(&NULL, |at| prior[at]);
            (Change { config: config[i], full: full[i], prior, planned: planned[i] }, was)
        });
        let changes = changes.collect();
        (changes, prior.into_iter().zip(left).filter(|(_, left)| *left).map(|(it, _)| it).collect())
    }

    /// What the configuration says of each planned element: what is at the same place, for the plan keeps the order.
    /// Only an author who makes a set anew may have changed it.
    fn beside(self, block: &Block, planned: &[&'a Value]) -> (Vec<&'a Value>, Vec<&'a Value>) {
        let (config, full) = (elements(self.config), elements(self.full));
        if full.len() != planned.len() || config.len() != planned.len() {
            let config = if self.config.is_unknown() { &UNKNOWN } else { &NULL };
            return (repeat_n(config, planned.len()).collect(), planned.to_vec());
        }
        if planned.iter().zip(&full).all(|(planned, full)| says(block, full, planned)) {
            return (config, full);
        }
        let mut of: Vec<Option<usize>> = vec![None; planned.len()];
        let mut rest = VecDeque::new();
        for (i, partner) in pair(block, &full, planned, false).into_iter().enumerate() {
            match partner.is {
                Some(at) => of[at] = Some(i),
                None => rest.push_back(i),
            }
        }
        let of = of.into_iter().filter_map(|of| of.or_else(|| rest.pop_front()));
        of.map(|i| (config[i], full[i])).unzip()
    }
}

/// The elements of a list, set or map.
pub(crate) fn elements(it: &Value) -> Vec<&Value> {
    match it {
        Value::List(it) => it.iter().collect(),
        Value::Set(it) => it.iter().collect(),
        Value::Map(it) => it.values().collect(),
        _ => Vec::new(),
    }
}

pub(crate) fn is_keyed(block: &Block) -> bool {
    block.attributes.iter().any(|it| it.key)
}

/// True where a key of the element is not known yet.
fn is_open(block: &Block, element: &Value) -> bool {
    let open = |it: &Attribute| match element.attribute(&it.name) {
        Some(Value::Null) | None => it.mode == Mode::OptionalComputed && it.behaviour().default.is_none(),
        Some(it) => !it.is_wholly_known(),
    };
    is_keyed(block) && (element.is_unknown() || block.attributes.iter().any(|it| it.key && open(it)))
}

/// True where a planned element can be what the configuration says.
fn says(block: &Block, full: &Value, planned: &Value) -> bool {
    let exact = |it: &&Attribute| {
        let same = it.has_own_equality() || it.behaviour().suppress.is_some();
        !(same || it.write_only || it.nested.is_some())
    };
    block.attributes.iter().filter(exact).all(|it| match full.attribute(&it.name) {
        Some(said) => !said.is_wholly_known() || said.is_null() || planned.attribute(&it.name) == Some(said),
        None => true,
    })
}

impl Look {
    /// Whether an element whose key is not known yet may turn out to need a new object. As few are compared as
    /// differ in what can be a reason; where there are too many of those, it may.
    pub(crate) fn any_open(self, block: &Block, changes: &[(Change<'_>, Was)], free: &[&Value]) -> bool {
        let open = changes.iter().filter(|(_, was)| *was == Was::Open).map(|(change, _)| change);
        let open: HashSet<(Value, Value)> =
            open.map(|it| (fixed(block, it.config), fixed(block, it.planned))).collect();
        if open.is_empty() {
            return false;
        }
        let mut before: HashSet<Value> = free.iter().map(|it| fixed(block, it)).collect();
        before.insert(Value::Null);
        let mut tries = TRIES;
        open.iter().any(|(config, planned)| {
            before.iter().any(|prior| {
                tries = tries.saturating_sub(1);
                tries == 0 || self.finds(block, Change { config, full: config, prior, planned })
            })
        })
    }

    /// Whether an element of a set needs a new object.
    ///
    /// Without a key, a changed element is another one. It is no reason where it has all that can be one from an
    /// element that goes.
    pub(crate) fn any_in_set(self, block: &Block, changes: Vec<(Change<'_>, Was)>, free: &[&Value]) -> bool {
        if is_keyed(block) {
            let told = |(change, was): &(Change<'_>, Was)| *was != Was::Open && self.finds(block, *change);
            return changes.iter().any(told) || self.any_open(block, &changes, free);
        }
        let asked = |change: &Change<'_>| Look { fixes: false, ..self }.finds(block, *change);
        let fixed = |change: &Change<'_>| Look { asks: false, ..self }.finds(block, *change);
        if changes.iter().any(|(change, _)| asked(change)) {
            return true;
        }
        let new: Vec<Change<'_>> = changes.into_iter().map(|(change, _)| change).filter(fixed).collect();
        !new.is_empty() && !self.have_stayed(block, new, free)
    }

    /// Whether each of these elements of a set holds what an element that goes has held, as far as that can be a
    /// reason; each that goes counts once. Those that say most choose first.
    fn have_stayed(self, block: &Block, mut new: Vec<Change<'_>>, free: &[&Value]) -> bool {
        let own = Own::of(block);
        new.sort_by_cached_key(|it| hidden(block, it).iter().filter(|it| **it).count());
        let mut taken = vec![false; free.len()];
        // What prints alike is found by its hash; what only its own equality can tell is tried.
        for by_print in [true, false] {
            let mut by_mask: HashMap<Mask, HashMap<u64, VecDeque<usize>>> = HashMap::new();
            let mut tries = Tries::new();
            new.retain(|change| {
                let Value::Object(object) = change.planned else { return true };
                let hidden = hidden(block, change);
                let hidden = if by_print { hidden } else { own.hidden(&hidden) };
                let hash = Side::of(block, object, &hidden).hash();
                let by_hash = by_mask.entry(hidden).or_insert_with_key(|mask| {
                    let found = index(block, free, mask).into_iter();
                    found.map(|(hash, at)| (hash, at.into_iter().rev().collect())).collect()
                });
                let fits = |at: usize| {
                    let look = Look { asks: false, ..self };
                    !taken[at] && !look.finds(block, Change { prior: free[at], ..*change })
                };
                let found = by_hash.get_mut(&hash).and_then(|left| tries.take(left, fits));
                found.into_iter().for_each(|at| taken[at] = true);
                found.is_none()
            });
        }
        new.is_empty()
    }
}

/// What is not compared of an element: all that by itself is no reason, and what is inside of nested objects.
fn hidden(block: &Block, change: &Change<'_>) -> Mask {
    let shown = |it: &Attribute| match it.behaviour().replace {
        Replace::Always => true,
        Replace::IfConfigured => !change.inside(&it.name).config.is_null(),
        _ => false,
    };
    let attributes = block.attributes.iter().map(|it| it.nested.is_some() || !shown(it));
    attributes.chain(block.blocks.iter().map(|_| true)).collect()
}

/// The part of an object that can be a reason for a new one.
fn fixed(block: &Block, value: &Value) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let attributes = block.attributes.iter().filter(|it| is_fixed_attribute(it)).map(|it| &it.name);
    let blocks = block.blocks.iter().filter(|it| it.replace != Replace::Never || is_fixed(&it.block));
    let names = attributes.chain(blocks.map(|it| &it.name));
    Value::Object(names.filter_map(|it| Some((it.clone(), object.get(it)?.clone()))).collect::<Object>())
}
