//! What Terraform's core will check of an answer, checked first and said better: which attribute, what was
//! planned, what came, whose fault. The test kit uses the same code.
//!
//! The rules are those of core's `AssertPlanValid` and `AssertObjectCompatible`; where these look away, inside of sets, at
//! unknown defaults and at replacements that will not be, more is asked. With typed resources most of them cannot be
//! broken; a `plan` method, a mixed object or a raw resource can.

pub mod completion;
mod plan;
mod set;

use std::collections::BTreeMap;

use ferroform_value::{NfcString, Path, Step, Type, Value};

use self::completion::{fits, misfit};

use crate::Diagnostics;
use crate::planning::defaults;
use crate::redaction::show::shown;
pub use crate::redaction::show::{is_sensitive, show};
use crate::schema::{Attribute, Block, IdentitySchema, Member, Nesting};
use crate::walk::in_order::InOrder;
use crate::walk::{each, is_storable};

pub use crate::diagnostic_kind::ContractCheck;

pub use crate::failed_check::{BLAME, failed, failed_check, fault};

/// Whether core would accept the plan: each value is the configured one, or the prior one where that means
/// the same, or computed where the configuration says nothing. Elements of sets are looked into, which core does not.
pub fn plan(block: &Block, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
    defaults::discreet(block, Check::new(block, ContractCheck::Plan).plan(config, prior, planned))
}

/// The same of a plan that no author's method has changed: the elements of its sets are the configured ones.
pub fn merged(block: &Block, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
    let check = Check { trusts_sets: true, ..Check::new(block, ContractCheck::Plan) };
    defaults::discreet(block, check.plan(config, prior, planned))
}

/// Whether core would make a new object because of these places: it refuses one that is there neither before nor
/// after, and ignores those that do not change.
pub fn replacements(block: &Block, prior: &Value, planned: &Value, places: &[Path]) -> Diagnostics {
    let mut check = Check::new(block, ContractCheck::Plan);
    let mut ignored = Vec::new();
    for place in places {
        check.place = place.clone();
        let (old, new) = (find(prior, place), find(planned, place));
        let is_write_only = matches!(block.at(place), Some(Member::Attribute(it)) if it.write_only);
        match (old.unwrap_or(&Value::Null), new.unwrap_or(&Value::Null)) {
            _ if old.is_none() && new.is_none() => {
                check.say(
                    "the provider asks for a new object because of this place, but there is none".into(),
                );
            }
            (old, new) if old == new && new.is_wholly_known() && !is_write_only => ignored.push((place, new)),
            _ => {}
        }
    }
    // Where nothing changes at all, nobody expects a new object.
    if !ignored.is_empty() && ignored.len() == places.len() && prior != planned {
        for (place, value) in ignored {
            check.place = place.clone();
            let value = check.show(value);
            check.say(format!(
                "the provider asks for a new object because of this place, but it does not change: it is {value} and \
                 stays so. Terraform would change the object in place"
            ));
        }
    }
    check.found
}

/// What stands at the place, as core finds it: up to an element of a set, which has no form on the wire; inside of
/// what is unknown that itself.
pub fn find<'a>(value: &'a Value, place: &Path) -> Option<&'a Value> {
    let mut it = value;
    for step in place.steps().iter().take_while(|it| !matches!(it, Step::Element(_))) {
        match it.step(step) {
            Some(inside) => it = inside,
            None => return it.is_unknown().then_some(it),
        }
    }
    Some(it)
}

/// Whether core would accept the state after apply: known, and equal to the plan wherever that was known.
pub fn result(block: &Block, planned: &Value, state: &Value) -> Diagnostics {
    let mut check = Check::new(block, ContractCheck::Result);
    check.state(block, state);
    if check.found.is_empty() {
        check.compatible(planned, state);
    }
    check.found
}

/// Whether what a checkpoint had kept at a place is what was planned there.
pub fn checkpoint(block: &Block, place: &Path, planned: &Value, kept: &Value) -> Diagnostics {
    let mut check = Check { place: place.clone(), ..Check::new(block, ContractCheck::Checkpoint) };
    check.compatible(planned, kept);
    check.found
}

/// Whether core would accept a second plan, made once everything is known: equal to the first wherever that
/// was known.
pub fn final_plan(block: &Block, first: &Value, last: &Value) -> Diagnostics {
    let mut check = Check::new(block, ContractCheck::FinalPlan);
    check.compatible(first, last);
    check.found
}

/// Whether core would accept a state that was read or imported: known, and of the schema's type.
pub fn state(block: &Block, state: &Value) -> Diagnostics {
    let mut check = Check::new(block, ContractCheck::State);
    check.state(block, state);
    check.found
}

/// Whether an object may have the identity `after` once it has had that of `before`. A part that was null may
/// become something; the others stay.
pub fn identity(schema: &IdentitySchema, before: &Value, after: &Value) -> Diagnostics {
    let mut check = Check::new(&schema.block, ContractCheck::Identity);
    for (part, was, is) in changes(schema, before, after) {
        check.within(Step::Attribute(part.name.clone()), |check| {
            let (was, is) = (check.show(was), check.show(is));
            check.say(format!(
                "the object is known by {was}, but the provider answered one that is known by {is}"
            ));
        });
    }
    check.found
}

/// The parts that are set in the one, and are known to be something else in the other.
pub(crate) fn changes<'a>(
    schema: &'a IdentitySchema,
    before: &'a Value,
    after: &'a Value,
) -> impl Iterator<Item = (&'a Attribute, &'a Value, &'a Value)> {
    schema.block.attributes.iter().filter_map(|part| {
        let was = before.attribute(&part.name).filter(|it| it.is_wholly_known() && !it.is_null())?;
        let is = after.attribute(&part.name).filter(|it| it.is_wholly_known() && *it != was)?;
        Some((part, was, is))
    })
}

/// Whether the value is one of the schema's type.
pub fn conforms(block: &Block, value: &Value) -> Diagnostics {
    let mut check = Check::new(block, ContractCheck::Value);
    check.conforms(value, &block.ty());
    check.found
}

type Entries = BTreeMap<NfcString, Value>;

struct Check<'a> {
    /// The schema of the whole object, which tells what must not be shown.
    root: &'a Block,
    check: ContractCheck,
    place: Path,
    /// Inside of an element of a set.
    in_set: bool,
    /// The elements of sets need not be looked at.
    trusts_sets: bool,
    found: Diagnostics,
}

impl<'a> Check<'a> {
    fn new(root: &'a Block, check: ContractCheck) -> Check<'a> {
        Check { root, check, place: Path::ROOT, in_set: false, trusts_sets: false, found: Diagnostics::new() }
    }

    fn show(&self, value: &Value) -> String {
        show(self.root, &self.place, value)
    }

    fn fault(&mut self, rule: &str, got: &Value) {
        self.say(format!("{rule}, but the provider answered {}", self.show(got)));
    }

    fn say(&mut self, what: String) {
        let place = shown(self.root, &self.place);
        let at = if place.is_root() { String::new() } else { format!("{place}: ") };
        let detail = format!("{at}{what}. {BLAME}");
        self.found.push(failed(self.check, what).detail(detail).at(place).naming_path());
    }

    fn within(&mut self, step: Step, check: impl FnOnce(&mut Check<'a>)) {
        self.place.push(step);
        check(self);
        self.place.pop();
    }

    /// Whether two maps have the same keys.
    fn keys(&mut self, wanted: &Entries, got: &Entries, source: &str) {
        if wanted.keys().eq(got.keys()) {
            return;
        }
        let missing = wanted.keys().filter(|it| !got.contains_key(*it)).map(|it| (it, "this", "none"));
        let more = got.keys().filter(|it| !wanted.contains_key(*it)).map(|it| (it, "no such", "one"));
        for (key, has, answered) in missing.chain(more) {
            let what = format!("{source} has {has} key, but the provider answered {answered}");
            self.within(Step::Key(key.clone()), |check| check.say(what));
        }
    }

    fn state(&mut self, block: &Block, state: &Value) {
        self.conforms(state, &block.ty());
        self.known(state);
        self.attributes(block, state);
    }

    fn known(&mut self, value: &Value) {
        match value {
            Value::Number(it) if it.is_infinite() => {
                self.say(
                    "a number that can be stored is required, but the provider answered an infinite one"
                        .into(),
                );
            }
            Value::Unknown(_) => self.say("the value must be known now, but is still unknown".into()),
            _ if is_storable(value) => {}
            _ => each(value, &mut |step, it| self.within(step, |check| check.known(it))),
        }
    }

    /// What the schema says of single attributes: no write-only value is stored, and what the author's type
    /// cannot leave out is there.
    fn attributes(&mut self, block: &Block, state: &Value) {
        let Value::Object(object) = state else { return };
        for it in &block.attributes {
            let value = object.get(&it.name).unwrap_or(&Value::Null);
            self.within(Step::Attribute(it.name.clone()), |check| {
                if it.write_only && !value.is_null() {
                    check.say("a write-only value must not be stored, but the provider answered one".into());
                }
                if !it.write_only && !it.nullable && value.is_null() {
                    check.say("the value must not be null, but the provider answered null".into());
                }
                if let Some(nested) = &it.nested {
                    check.objects(&nested.block, nested.nesting, value);
                }
            });
        }
        for it in &block.blocks {
            let value = object.get(&it.name).unwrap_or(&Value::Null);
            self.within(Step::Attribute(it.name.clone()), |check| {
                check.objects(&it.block, it.nesting, value)
            });
        }
    }

    fn objects(&mut self, block: &Block, nesting: Nesting, value: &Value) {
        if nesting == Nesting::Single {
            return self.attributes(block, value);
        }
        each(value, &mut |step, it| self.within(step, |check| check.attributes(block, it)));
    }

    fn conforms(&mut self, value: &Value, ty: &Type) {
        match (value, ty) {
            (Value::Null | Value::Unknown(_), _)
            | (Value::Bool(_), Type::Bool)
            | (Value::Number(_), Type::Number)
            | (Value::String(_), Type::String) => {}
            (Value::Dynamic(it), Type::Dynamic) => self.conforms(&it.value, &it.ty),
            (Value::List(_), Type::List(element))
            | (Value::Set(_), Type::Set(element))
            | (Value::Map(_), Type::Map(element)) => {
                each(value, &mut |step, it| self.within(step, |check| check.conforms(it, element)));
            }
            (Value::Tuple(elements), Type::Tuple(types)) if elements.len() == types.len() => {
                for (i, (it, ty)) in elements.iter().zip(types.iter()).enumerate() {
                    self.within(Step::Index(i), |check| check.conforms(it, ty));
                }
            }
            (Value::Object(object), Type::Object(ty)) => {
                for attribute in ty.attributes() {
                    self.within(Step::Attribute(attribute.name.clone()), |check| {
                        match object.get(&attribute.name) {
                            Some(it) => check.conforms(it, &attribute.ty),
                            None => check.say("the attribute is missing".into()),
                        }
                    });
                }
                for (name, it) in object.iter().filter(|(name, _)| ty.get(name).is_none()) {
                    self.within(Step::Attribute(name.clone()), |check| {
                        check.fault("there is no such attribute", it);
                    });
                }
            }
            _ => self.fault(&format!("the schema's type is {ty}"), value),
        }
    }

    fn compatible(&mut self, planned: &Value, state: &Value) {
        if planned == state {
            return;
        }
        match (planned, state) {
            (Value::Object(planned), Value::Object(state)) => {
                for (name, planned) in planned.iter() {
                    let state = state.get(name).unwrap_or(&Value::Null);
                    self.within(Step::Attribute(name.clone()), |check| {
                        check.compatible(planned, state);
                    });
                }
            }
            (Value::List(planned), Value::List(state)) if planned.len() == state.len() => {
                for (i, (planned, state)) in planned.iter().zip(state).enumerate() {
                    self.within(Step::Index(i), |check| check.compatible(planned, state));
                }
            }
            (Value::Map(planned), all @ Value::Map(state)) => {
                self.keys(planned, state, "the plan");
                let mut of_state = InOrder::of(Some(all));
                for (key, planned) in planned {
                    let Some(state) = of_state.get(key) else { continue };
                    self.within(Step::Key(key.clone()), |check| check.compatible(planned, state));
                }
            }
            (Value::Set(planned), Value::Set(state)) => {
                if let Some(misfit) = misfit(planned, state) {
                    let (wanted, got) = (planned.len(), state.len());
                    self.say(format!(
                        "the plan says a set of {wanted}, but the provider answered a set of {got}: {misfit}"
                    ));
                }
            }
            _ if fits(planned, state) => {}
            _ => {
                let (wanted, got) = (self.show(planned), self.show(state));
                self.say(format!("the plan says {wanted}, but the provider answered {got}"));
            }
        }
    }
}

/// True where two values are equal up to what is known of their unknown parts: that is a hint, which a plan
/// may leave out.
fn alike(a: &Value, b: &Value) -> bool {
    a == b || !a.is_wholly_known() && !b.is_wholly_known() && bare(a) == bare(b)
}

/// The value without what is known of its unknown parts.
fn bare(it: &Value) -> Value {
    let bare = it.clone().transform(&mut |_, it| Ok(if it.is_unknown() { Value::UNKNOWN } else { it }));
    bare.unwrap_or_else(|never: std::convert::Infallible| match never {})
}
