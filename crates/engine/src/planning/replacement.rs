//! Replacement: the attribute paths whose change requires replacement.
//!
//! For nested objects, the same rule applies to every nesting: each planned object is compared with its counterpart in
//! the prior state, or with null if it is new. An object that is removed requires no replacement. An unknown value
//! requires replacement if one of the values that it may turn out to be does.
//!
//! Example: a list without a key, in which `size` requires replacement and is compared by index.
//!
//! ```text
//! prior state     [{ size = 1 }, { size = 2 }]
//! planned state   [{ size = 1 }, { size = 3 }]
//! requires        list[1].size
//! ```

use ferroform_value::{Path, Step, Value};

use super::change_detection::{is_attribute_unchanged, is_unchanged};
use super::element_replacement::Elements;
use crate::element_matching::{ElementMatches, Match, ObjectMatches, elements};
use crate::schema::timeouts;
use crate::schema::{Block, ConditionContext, Member, Nesting, PlannedChange, Replace};

static NULL: Value = Value::Null;
static UNKNOWN: Value = Value::UNKNOWN;

/// The four values of an attribute or object that may have changed. Each is null if there is none.
#[derive(Clone, Copy)]
pub(crate) struct ChangedValues<'a> {
    /// The configured value.
    pub(crate) config: &'a Value,
    /// The configured value with its defaults. Sets have their elements in the same order as in `config` and in
    /// `planned`.
    pub(crate) with_defaults: &'a Value,
    /// The prior value.
    pub(crate) prior: &'a Value,
    /// The planned value.
    pub(crate) planned: &'a Value,
}

impl<'a> ChangedValues<'a> {
    /// The same child of each value. Every child of an unknown value is unknown.
    pub(super) fn each(self, of: impl Fn(&'a Value) -> Option<&'a Value>) -> ChangedValues<'a> {
        let of = |it: &'a Value| if it.is_unknown() { &UNKNOWN } else { of(it).unwrap_or(&NULL) };
        ChangedValues {
            config: of(self.config),
            with_defaults: of(self.with_defaults),
            prior: of(self.prior),
            planned: of(self.planned),
        }
    }

    fn without_defaults(self) -> PlannedChange<'a> {
        PlannedChange { config: self.config, prior: self.prior, planned: self.planned }
    }

    pub(super) fn inside(self, name: &str) -> ChangedValues<'a> {
        self.each(|it| it.attribute(name))
    }
}

/// The paths whose change requires replacement, in the order of the schema. Without `can_update_in_place`, every change
/// requires replacement.
pub(crate) fn replacements(
    block: &Block,
    change: ChangedValues<'_>,
    matches: &ObjectMatches,
    can_update_in_place: bool,
    context: ConditionContext<'_>,
) -> Vec<Path> {
    let ChangedValues { prior, planned, .. } = change;
    let (Value::Object(_), Value::Object(planned_object)) = (prior, planned) else { return Vec::new() };
    let search = ReplacementSearch { can_update_in_place, by_comparison: true, by_function: true, context };
    let mut walk = ReplacementWalk { search, path: Path::ROOT, found: Vec::new() };
    walk.block(block, change, Some(matches));
    // The `plan` method has changed computed values only, so these are the reason.
    if walk.found.is_empty() && !can_update_in_place {
        let timeouts = timeouts::name(block);
        let is_equal = |name: &str, planned: &Value| {
            let before = prior.attribute_or_null(name);
            block.get(name).is_some_and(|it| is_attribute_unchanged(it, before, planned))
        };
        let changed = planned_object.iter().filter(|(name, planned)| prior.attribute(name) != Some(planned));
        let changed = changed.filter(|(name, it)| Some(&***name) != timeouts && !is_equal(name, it));
        walk.found = changed.map(|(name, _)| Path::attribute(name.clone())).collect();
    }
    // Terraform compares the values at the path, where the prior state may have another element, or none.
    for path in &mut walk.found {
        let of = |it: &Value, path: &Path| it.at(path).cloned().unwrap_or(Value::Null);
        while path.steps().len() > 1 && of(prior, path) == of(planned, path) {
            path.pop();
        }
    }
    walk.found
}

/// The changes that are searched for.
#[derive(Clone, Copy)]
pub(super) struct ReplacementSearch<'a> {
    pub(super) can_update_in_place: bool,
    /// True to find changes that require replacement by themselves.
    pub(super) by_comparison: bool,
    /// True to call the functions of `requires_replace_if`.
    pub(super) by_function: bool,
    pub(super) context: ConditionContext<'a>,
}

impl ReplacementSearch<'_> {
    /// True if a change in the object requires replacement. If `matches` is `None`, the matches with its prior value
    /// are computed.
    pub(super) fn requires_replacement(
        self,
        block: &Block,
        change: ChangedValues<'_>,
        matches: Option<&ObjectMatches>,
    ) -> bool {
        let mut walk = ReplacementWalk { search: self, path: Path::ROOT, found: Vec::new() };
        walk.object(block, change, matches);
        !walk.found.is_empty()
    }
}

struct ReplacementWalk<'a> {
    search: ReplacementSearch<'a>,
    path: Path,
    found: Vec<Path>,
}

impl<'s> ReplacementWalk<'s> {
    fn within(&mut self, step: Step, visit: impl FnOnce(&mut ReplacementWalk<'s>)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    fn block(&mut self, block: &Block, change: ChangedValues<'_>, matches: Option<&ObjectMatches>) {
        for (at, member) in block.members().enumerate() {
            let matches = matches.and_then(|it| it.member(at));
            let step = Step::Attribute(member.name().clone());
            self.within(step, |walk| walk.member(member, change, matches));
        }
    }

    fn member(&mut self, member: Member<'_>, object: ChangedValues<'_>, matches: Option<&ElementMatches>) {
        let mut change = object.inside(member.name());
        // An unknown configuration sets no computed-only attribute.
        if matches!(member, Member::Attribute(it) if !it.mode.is_configurable()) {
            change.config = &NULL;
        }
        let ChangedValues { config, prior, planned, .. } = change;
        if self.search.can_update_in_place && !can_require_replacement(member) {
            return;
        }
        let (is_unchanged, is_left_to_provider) = match member {
            Member::Attribute(it) => (is_attribute_unchanged(it, prior, planned), config.is_null()),
            Member::Block(it) => {
                let is_unchanged = prior == planned
                    || prior.is_null() && it.is_absent(planned)
                    || is_unchanged(it.nesting, &it.block, prior, planned);
                (is_unchanged, it.computed)
            }
        };
        // Timeouts are not part of the remote object.
        if is_unchanged || member.nested().is_some_and(|(_, it)| it.timeouts().is_some()) {
            return;
        }
        let requires_replacement = match &member.behavior().replace {
            Replace::Always => self.search.by_comparison,
            Replace::IfConfigured => self.search.by_comparison && !member.is_absent(config),
            Replace::If(condition) => {
                !self.search.can_update_in_place
                    || self.search.by_function
                        && condition.requires_replacement(
                            change.without_defaults(),
                            object.without_defaults(),
                            self.search.context,
                        )
            }
            // A value that is recomputed because of another change requires no replacement itself. If it is unknown, the
            // provider computes it during apply; if it is computed-only, the provider has planned it.
            Replace::Never => {
                let is_computed = matches!(member, Member::Attribute(it) if !it.mode.is_configurable());
                let is_recomputed = is_left_to_provider && (planned.is_unknown() || is_computed);
                !(self.search.can_update_in_place || is_recomputed)
            }
        };
        if requires_replacement {
            self.found.push(self.path.clone());
        } else if let Some((nesting, block)) = member.nested() {
            self.nested(nesting, block, change, matches);
        }
    }

    fn nested(
        &mut self,
        nesting: Nesting,
        block: &Block,
        change: ChangedValues<'_>,
        matches: Option<&ElementMatches>,
    ) {
        if !block.facts().can_require_replacement {
            return;
        }
        match (nesting, change.planned) {
            (Nesting::Single, _) => self.object(block, change, matches.and_then(|it| it.inside(0))),
            (_, Value::Unknown(_)) => {
                // Any element may be new, or correspond to one of these.
                let mut prior_values = vec![&NULL];
                if nesting != Nesting::Set || !block.facts().keys.is_empty() {
                    prior_values.extend(elements(change.prior));
                }
                let may_require =
                    |prior| self.search.requires_replacement(block, ChangedValues { prior, ..change }, None);
                if prior_values.into_iter().any(may_require) {
                    self.found.push(self.path.clone());
                }
            }
            (Nesting::Map, Value::Map(planned)) => {
                for (i, key) in planned.keys().enumerate() {
                    let change = change.each(|it| it.step(&Step::Key(key.clone())));
                    let inside = matches.and_then(|it| it.inside(i));
                    self.within(Step::Key(key.clone()), |walk| walk.object(block, change, inside));
                }
            }
            (Nesting::List | Nesting::Set, Value::List(_) | Value::Set(_)) => {
                let count = elements(change.planned).len();
                let is_aligned =
                    elements(change.with_defaults).len() == count && elements(change.config).len() == count;
                // The defaults have made elements of a set equal, so that the elements of the three values no longer
                // correspond.
                let change = if is_aligned {
                    change
                } else {
                    ChangedValues { with_defaults: change.planned, ..change }
                };
                let computed;
                let matches = match matches.filter(|_| is_aligned) {
                    Some(matches) => matches,
                    None => {
                        computed = ElementMatches::of(nesting, block, change.with_defaults, change.prior);
                        &computed
                    }
                };
                self.elements(nesting, Elements::of(block, change, matches));
            }
            _ => {}
        }
    }

    fn elements(&mut self, nesting: Nesting, elements: Elements<'_>) {
        // An element of a set has no path on the wire, so the whole set is the reason.
        let requires_whole = match nesting {
            Nesting::Set => elements.has_replacement_in_set(self.search),
            _ => elements.has_ambiguous_replacement(self.search),
        };
        if requires_whole {
            return self.found.push(self.path.clone());
        }
        let in_list = elements.all.iter().enumerate().filter(|_| nesting == Nesting::List);
        for (i, element) in in_list.filter(|(_, it)| it.counterpart != Match::Ambiguous) {
            self.within(Step::Index(i), |walk| walk.object(elements.block, element.change, element.inside));
        }
    }

    /// Searches an object. Each attribute of an unknown object may have any value, unless only the provider sets it.
    fn object(&mut self, block: &Block, change: ChangedValues<'_>, matches: Option<&ObjectMatches>) {
        match change.planned {
            Value::Object(_) => self.block(block, change, matches),
            Value::Unknown(_) if !change.config.is_null() => {
                let count = self.found.len();
                self.block(block, change, None);
                if self.found.len() > count {
                    self.found.truncate(count);
                    self.found.push(self.path.clone());
                }
            }
            _ => {}
        }
    }
}

/// True if a change of the attribute or block, or of a value inside it, can require replacement.
pub(super) fn can_require_replacement(it: Member<'_>) -> bool {
    let inside = || it.nested().is_some_and(|(_, it)| it.facts().can_require_replacement);
    it.behavior().replace != Replace::Never || inside()
}
