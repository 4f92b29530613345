//! What Terraform's core will check of an answer, checked first and said better: which attribute, what was
//! planned, what came, whose fault. The test kit uses the same code.
//!
//! The rules are those of core's `AssertPlanValid` and `AssertObjectCompatible`. With typed resources most of
//! them cannot be broken; a `plan` method, a mixed object or a raw resource can.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform_value::{Number, Object, Path, Refinements, Step, Type, Value};

use super::defaults;
use super::fit::{fits, misfit};
use crate::schema::{Attribute, Block, IdentitySchema, Mode, Nesting};
use crate::{Diagnostic, Diagnostics};

/// Which of core's checks an answer of the provider has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// That of a plan.
    Plan,
    /// That of what apply made of a plan.
    Result,
    /// That of a state.
    State,
    /// That of an identity.
    Identity,
}

impl Breach {
    fn summary(self) -> &'static str {
        match self {
            Breach::Plan => "Invalid plan",
            Breach::Result => "Inconsistent result after apply",
            Breach::State => "Invalid state",
            Breach::Identity => "Unexpected Identity Change",
        }
    }
}

/// The check that a diagnostic tells of, where it is one of these.
pub fn breach(diagnostic: &Diagnostic) -> Option<Breach> {
    let all = [Breach::Plan, Breach::Result, Breach::State, Breach::Identity];
    all.into_iter().find(|it| diagnostic.summary == it.summary() && diagnostic.detail.ends_with(BLAME))
}

/// Whose fault it is.
pub(super) const BLAME: &str = "This is a bug in the provider; please report it to its authors.";

/// Whether core would accept the plan: each value is the configured one, or the prior one where that means
/// the same, or computed where the configuration says nothing.
pub fn plan(block: &Block, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
    let mut check = Check::new(Breach::Plan.summary());
    match (config, planned) {
        (Value::Object(config), Value::Object(planned)) => {
            check.plan_block(block, config, prior.as_object(), planned);
        }
        _ => check.fault("an object must be planned", planned),
    }
    defaults::discreet(block, check.found)
}

/// Whether core would accept the places whose change needs a new object: each must be there, before or after.
pub fn replacements(prior: &Value, planned: &Value, places: &[Path]) -> Diagnostics {
    let mut check = Check::new(Breach::Plan.summary());
    for place in places.iter().filter(|it| !has(prior, it) && !has(planned, it)) {
        check.place = place.clone();
        check.say("the provider asks for a new object because of this place, but there is none".into());
    }
    check.found
}

/// Whether core finds the place: up to an element of a set, which has no form on the wire, and inside of what is
/// unknown any.
fn has(value: &Value, place: &Path) -> bool {
    let mut it = value;
    for step in place.steps().iter().take_while(|it| !matches!(it, Step::Element(_))) {
        match it.step(step) {
            Some(inside) => it = inside,
            None => return it.is_unknown(),
        }
    }
    true
}

/// Whether core would accept the state after apply: known, and equal to the plan wherever that was known.
pub fn result(block: &Block, planned: &Value, state: &Value) -> Diagnostics {
    let mut check = Check::new(Breach::Result.summary());
    check.state(block, state);
    if check.found.is_empty() {
        check.compatible(planned, state, &|place| is_sensitive(block, place));
    }
    check.found
}

/// Whether core would accept a second plan, made once everything is known: equal to the first wherever that
/// was known.
pub fn final_plan(block: &Block, first: &Value, last: &Value) -> Diagnostics {
    let mut check = Check::new("Inconsistent final plan");
    check.compatible(first, last, &|place| is_sensitive(block, place));
    check.found
}

/// Whether core would accept a state that was read or imported: known, and of the schema's type.
pub fn state(block: &Block, state: &Value) -> Diagnostics {
    let mut check = Check::new(Breach::State.summary());
    check.state(block, state);
    check.found
}

/// Whether an object may have the identity `after` once it has had that of `before`. A part that was null may
/// become something; the others stay.
pub fn identity(schema: &IdentitySchema, before: &Value, after: &Value) -> Diagnostics {
    let mut check = Check::new(Breach::Identity.summary());
    for (part, was, is) in super::identity::changes(schema, before, after) {
        let (was, is) = (show(was, false), show(is, false));
        let what =
            format!("the object is known by {was}, but the provider answered one that is known by {is}");
        check.within(Step::Attribute(part.name.clone()), |check| check.say(what));
    }
    check.found
}

/// Whether the value is of the type.
pub fn conforms(value: &Value, ty: &Type) -> Diagnostics {
    let mut check = Check::new("Invalid value");
    check.conforms(value, ty);
    check.found
}

type Entries = BTreeMap<Arc<str>, Value>;

struct Check {
    summary: &'static str,
    place: Path,
    found: Diagnostics,
}

impl Check {
    fn new(summary: &'static str) -> Check {
        Check { summary, place: Path::ROOT, found: Diagnostics::new() }
    }

    fn fault(&mut self, rule: &str, got: &Value) {
        self.say(format!("{rule}, but the provider answered {}", show(got, false)));
    }

    fn say(&mut self, what: String) {
        let place = self.place.to_string();
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        let detail = format!("{place}{what}. {BLAME}");
        self.found.push(Diagnostic::error(self.summary).detail(detail).at(self.place.clone()));
    }

    fn within(&mut self, step: Step, check: impl FnOnce(&mut Check)) {
        self.place.push(step);
        check(self);
        self.place.pop();
    }

    fn plan_block(&mut self, block: &Block, config: &Object, prior: Option<&Object>, planned: &Object) {
        let null = Value::Null;
        for it in &block.attributes {
            let config = config.get(&it.name).unwrap_or(&null);
            let prior = prior.and_then(|prior| prior.get(&it.name));
            let planned = planned.get(&it.name).unwrap_or(&null);
            self.within(Step::Attribute(it.name.clone()), |check| {
                check.plan_attribute(it, config, prior, planned);
            });
        }
        for it in &block.blocks {
            let config = config.get(&it.name).unwrap_or(&null);
            let prior = prior.and_then(|prior| prior.get(&it.name));
            let planned = planned.get(&it.name).unwrap_or(&null);
            if it.computed && it.is_absent(config) {
                self.within(Step::Attribute(it.name.clone()), |check| check.conforms(planned, &it.ty()));
                continue;
            }
            // Of blocks in a set core does not even count how many there are.
            if matches!((config, planned), (Value::Set(_), Value::Set(_))) {
                continue;
            }
            self.within(Step::Attribute(it.name.clone()), |check| {
                check.plan_nested(it.nesting, &it.block, config, prior, planned);
            });
        }
    }

    fn plan_attribute(&mut self, it: &Attribute, config: &Value, prior: Option<&Value>, planned: &Value) {
        if it.write_only {
            if !planned.is_null() {
                self.say("a write-only value must not be planned, but the provider planned one".into());
            }
            return;
        }
        let is_prior = prior.is_some_and(|prior| !prior.is_null() && prior == planned);
        if alike(planned, config) || !config.is_null() && (is_prior || it.mode == Mode::Computed) {
            return;
        }
        if config.is_null() {
            if it.mode.is_computed() {
                self.conforms(planned, &it.ty);
            } else {
                let got = show(planned, it.sensitive);
                self.say(format!("the configuration leaves it out, but the provider planned {got}"));
            }
            return;
        }
        if let Some(nested) = &it.nested {
            return self.plan_nested(nested.nesting, &nested.block, config, prior, planned);
        }
        let (wanted, got) = (show(config, it.sensitive), show(planned, it.sensitive));
        self.say(format!("the configuration says {wanted}, but the provider planned {got}"));
    }

    fn plan_nested(
        &mut self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        prior: Option<&Value>,
        planned: &Value,
    ) {
        match (nesting, config, planned) {
            (Nesting::Single, Value::Object(config), Value::Object(planned)) => {
                self.plan_block(block, config, prior.and_then(Value::as_object), planned);
            }
            (Nesting::List, Value::List(config), Value::List(planned)) if config.len() == planned.len() => {
                for (i, (config, planned)) in config.iter().zip(planned).enumerate() {
                    let prior = if let Some(Value::List(it)) = prior { it.get(i) } else { None };
                    self.within(Step::Index(i), |check| check.plan_element(block, config, prior, planned));
                }
            }
            (Nesting::Map, Value::Map(config), Value::Map(planned)) => {
                self.keys(config, planned, "the configuration");
                for (key, config) in config {
                    let prior = if let Some(Value::Map(it)) = prior { it.get(key) } else { None };
                    let Some(planned) = planned.get(key) else { continue };
                    self.within(Step::Key(key.clone()), |check| {
                        check.plan_element(block, config, prior, planned);
                    });
                }
            }
            // Core cannot pair the elements of a set, and asks for their number only.
            (Nesting::Set, Value::Set(config), Value::Set(planned)) if config.len() == planned.len() => {}
            (Nesting::Set, Value::Set(config), Value::Set(planned))
                if planned.len() < config.len()
                    && !defaults::doubles(block, config, &self.place).is_empty() =>
            {
                self.found.extend(defaults::doubles(block, config, &self.place));
            }
            _ if alike(config, planned) => {}
            _ => {
                let (wanted, got) = (show(config, false), show(planned, false));
                self.say(format!(
                    "the configuration says {wanted}, but the provider planned {got}: the objects inside must be \
                     as many, and at the same places"
                ));
            }
        }
    }

    /// Whether two maps have the same keys.
    fn keys(&mut self, wanted: &Entries, got: &Entries, source: &str) {
        let missing = wanted.keys().filter(|it| !got.contains_key(*it)).map(|it| (it, "this", "none"));
        let more = got.keys().filter(|it| !wanted.contains_key(*it)).map(|it| (it, "no such", "one"));
        for (key, has, answered) in missing.chain(more) {
            let what = format!("{source} has {has} key, but the provider answered {answered}");
            self.within(Step::Key(key.clone()), |check| check.say(what));
        }
    }

    fn plan_element(&mut self, block: &Block, config: &Value, prior: Option<&Value>, planned: &Value) {
        match (config, planned) {
            (Value::Object(config), Value::Object(planned)) => {
                self.plan_block(block, config, prior.and_then(Value::as_object), planned);
            }
            _ if alike(config, planned) => {}
            _ => {
                let (wanted, got) = (show(config, false), show(planned, false));
                self.say(format!("the configuration says {wanted}, but the provider planned {got}"));
            }
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
            _ if super::overlay::is_storable(value) => {}
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

    fn compatible(&mut self, planned: &Value, state: &Value, sensitive: &dyn Fn(&Path) -> bool) {
        if planned == state {
            return;
        }
        match (planned, state) {
            (Value::Object(planned), Value::Object(state)) => {
                for (name, planned) in planned.iter() {
                    let state = state.get(name).unwrap_or(&Value::Null);
                    self.within(Step::Attribute(name.clone()), |check| {
                        check.compatible(planned, state, sensitive);
                    });
                }
            }
            (Value::List(planned), Value::List(state)) if planned.len() == state.len() => {
                for (i, (planned, state)) in planned.iter().zip(state).enumerate() {
                    self.within(Step::Index(i), |check| check.compatible(planned, state, sensitive));
                }
            }
            (Value::Map(planned), Value::Map(state)) => {
                self.keys(planned, state, "the plan");
                for (key, planned) in planned {
                    let Some(state) = state.get(key) else { continue };
                    self.within(Step::Key(key.clone()), |check| check.compatible(planned, state, sensitive));
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
                let secret = sensitive(&self.place);
                let (wanted, got) = (show(planned, secret), show(state, secret));
                self.say(format!("the plan says {wanted}, but the provider answered {got}"));
            }
        }
    }
}

/// True where two values are equal up to what is known of their unknown parts: that is a hint, which a plan
/// may leave out.
fn alike(a: &Value, b: &Value) -> bool {
    let bare = |it: &Value| {
        let bare = it.clone().transform(&mut |_, it| Ok(if it.is_unknown() { Value::UNKNOWN } else { it }));
        bare.unwrap_or_else(|never: std::convert::Infallible| match never {})
    };
    a == b || !a.is_wholly_known() && !b.is_wholly_known() && bare(a) == bare(b)
}

/// Each part of a value one step inside.
pub(super) fn each(value: &Value, visit: &mut dyn FnMut(Step, &Value)) {
    match value {
        Value::List(it) | Value::Tuple(it) => {
            it.iter().enumerate().for_each(|(i, it)| visit(Step::Index(i), it));
        }
        Value::Set(it) => it.iter().for_each(|it| visit(Step::Element(Box::new(it.clone())), it)),
        Value::Map(it) => it.iter().for_each(|(key, it)| visit(Step::Key(key.clone()), it)),
        Value::Object(it) => it.iter().for_each(|(name, it)| visit(Step::Attribute(name.clone()), it)),
        Value::Dynamic(it) => each(&it.value, visit),
        _ => {}
    }
}

/// True where an attribute on the way to the place is sensitive.
pub(crate) fn is_sensitive(block: &Block, place: &Path) -> bool {
    let mut block = Some(block);
    for step in place.steps() {
        let (Step::Attribute(name), Some(here)) = (step, block) else { continue };
        let nested = here.blocks.iter().find(|it| it.name == *name).map(|it| &it.block);
        block = match here.get(name) {
            Some(it) if it.sensitive || it.write_only => return true,
            Some(it) => it.nested.as_ref().map(|it| &it.block),
            None => nested,
        };
    }
    false
}

/// What is known of an unknown value.
fn refined(known: &Refinements) -> String {
    let mut said = Vec::new();
    if known.not_null {
        said.push("not null".to_owned());
    }
    said.extend(known.prefix.iter().map(|it| format!("beginning with {it:?}")));
    let bound = |than: &str, (it, may_equal): &(Number, bool)| {
        format!("{than} {it}{}", if *may_equal { " or equal" } else { "" })
    };
    said.extend(known.min.iter().map(|it| bound("greater than", it)));
    said.extend(known.max.iter().map(|it| bound("less than", it)));
    said.extend(known.len_min.iter().map(|it| format!("with {it} elements or more")));
    said.extend(known.len_max.iter().map(|it| format!("with {it} elements or fewer")));
    said.join(", ")
}

/// A value for a message: short, and never a secret.
pub(super) fn show(value: &Value, secret: bool) -> String {
    const MOST: usize = 200;
    let text = match value {
        _ if secret => "(sensitive value)".into(),
        Value::Null => "null".into(),
        Value::Unknown(known) => {
            let known = known.as_ref().map(|it| format!(" ({})", refined(it))).unwrap_or_default();
            format!("an unknown value{known}")
        }
        Value::Bool(it) => it.to_string(),
        Value::Number(it) => it.to_string(),
        Value::String(it) => format!("{it:?}"),
        Value::List(it) | Value::Tuple(it) => format!("a {} of {}", value.kind(), it.len()),
        Value::Set(it) => format!("a set of {}", it.len()),
        Value::Map(it) => format!("a map of {}", it.len()),
        Value::Object(_) => "an object".into(),
        Value::Dynamic(it) => show(&it.value, secret),
    };
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
