//! What core asks of a plan, beside the configuration and the prior object.

use ferroform_value::{Object, Set, Step, Value};

use super::set::Unmatched;
use super::{ResponseCheck, equal_ignoring_refinements, for_each_child};
use crate::Diagnostics;
use crate::planning::defaults;
use crate::redaction::display::display_path;
use crate::schema::{Attribute, Block, Mode, Nesting};
use crate::walk::sorted_lookup::SortedLookup;

impl ResponseCheck<'_> {
    pub(super) fn plan(mut self, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
        match (config, planned) {
            (Value::Object(config), Value::Object(planned)) => {
                self.plan_block(self.root, config, prior.as_object(), planned);
            }
            _ => self.report_value("an object must be planned", planned),
        }
        self.violations
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
            self.within(Step::Attribute(it.name.clone()), |check| match (config, planned) {
                // Of blocks in a set core does not even count how many there are, for defaults may make them equal.
                (Value::Set(config), Value::Set(planned)) => check.plan_set(&it.block, config, planned, true),
                _ => check.plan_nested(it.nesting, &it.block, config, prior, planned),
            });
        }
    }

    fn plan_attribute(&mut self, it: &Attribute, config: &Value, prior: Option<&Value>, planned: &Value) {
        if it.write_only {
            if !planned.is_null() {
                self.report("a write-only value must not be planned, but the provider planned one".into());
            }
            return;
        }
        if let Some(default) = it.behavior().default.as_ref().filter(|_| config.is_null()) {
            let why = match default.static_value() {
                Some(default) => format!("the default is {}", self.show(&default)),
                None => "there is a default".to_owned(),
            };
            self.plain(it.nested.as_ref().map(|it| &it.block), &why, planned);
        }
        // DefaultScope prior element a planned one is cannot be told, but what may stay as it was can.
        if self.in_set
            && !config.is_null()
            && (it.is_semantically_equal(planned, config) || it.suppresses(planned, config))
        {
            return;
        }
        let is_prior = || prior.is_some_and(|prior| !prior.is_null() && prior == planned);
        if equal_ignoring_refinements(planned, config)
            || !config.is_null() && (it.mode == Mode::Computed || is_prior())
        {
            return;
        }
        if config.is_null() {
            if it.mode.is_computed() {
                self.conforms(planned, &it.ty);
            } else {
                let got = self.show(planned);
                self.report(format!("the configuration leaves it out, but the provider planned {got}"));
            }
            return;
        }
        if let Some(nested) = &it.nested {
            return self.plan_nested(nested.nesting, &nested.block, config, prior, planned);
        }
        let (wanted, got) = (self.show(config), self.show(planned));
        self.report(format!("the configuration says {wanted}, but the provider planned {got}"));
    }

    /// Whether a value is one that the view of a plan to be applied can hold: known, but for what is computed inside.
    fn plain(&mut self, nested: Option<&Block>, why: &str, planned: &Value) {
        match (nested, planned) {
            (_, Value::Unknown(_)) => {
                let got = self.show(planned);
                self.report(format!("{why}, so it must be known in a plan, but the provider planned {got}"));
            }
            (Some(block), Value::Object(object)) => {
                let open = |it: &&Attribute| it.mode.is_computed() && it.behavior().default.is_none();
                for it in block.attributes.iter().filter(|it| !open(it)) {
                    let inside = it.nested.as_ref().map(|it| &it.block);
                    let value = object.get(&it.name).unwrap_or(&Value::Null);
                    self.within(Step::Attribute(it.name.clone()), |check| check.plain(inside, why, value));
                }
            }
            _ => for_each_child(planned, &mut |step, it| {
                self.within(step, |check| check.plain(nested, why, it))
            }),
        }
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
                // DefaultScope prior element one is decides what the sets inside of it keep.
                let is_known = config.iter().all(Value::is_wholly_known);
                let around = self.trusts_sets;
                self.trusts_sets |= !is_known;
                for (i, (config, planned)) in config.iter().zip(planned).enumerate() {
                    let prior = if let Some(Value::List(it)) = prior { it.get(i) } else { None };
                    self.within(Step::Index(i), |check| check.plan_element(block, config, prior, planned));
                }
                self.trusts_sets = around;
            }
            (Nesting::Map, Value::Map(config), all @ Value::Map(planned)) => {
                self.keys(config, planned, "the configuration");
                let (mut prior, mut of_plan) = (SortedLookup::of(prior), SortedLookup::of(Some(all)));
                for (key, config) in config {
                    let prior = prior.get(key);
                    let Some(planned) = of_plan.get(key) else { continue };
                    self.within(Step::Key(key.clone()), |check| {
                        check.plan_element(block, config, prior, planned);
                    });
                }
            }
            (Nesting::Set, Value::Set(config), Value::Set(planned)) if config.len() == planned.len() => {
                self.plan_set(block, config, planned, false);
            }
            (Nesting::Set, Value::Set(config), Value::Set(planned))
                if planned.len() < config.len()
                    && !defaults::duplicate_elements(block, config, &self.path).is_empty() =>
            {
                self.violations.extend(defaults::duplicate_elements(
                    block,
                    config,
                    &display_path(self.root, &self.path),
                ));
            }
            _ if equal_ignoring_refinements(config, planned) => {}
            _ => {
                let (wanted, got) = (self.show(config), self.show(planned));
                self.report(format!(
                    "the configuration says {wanted}, but the provider planned {got}: the objects inside must be \
                     as many, and at the same paths"
                ));
            }
        }
    }

    /// Core cannot pair the elements of a set, and asks for their number only. But what a configured element says is
    /// no more the provider's to change than anywhere else.
    fn plan_set(&mut self, block: &Block, config: &Set, planned: &Set, may_share: bool) {
        // While parts of the configuration are not known, it cannot be told which element is which, nor what each keeps.
        if self.trusts_sets || !config.iter().all(Value::is_wholly_known) {
            return;
        }
        let fits = |config: &Value, planned: &Value| {
            let mut check = ResponseCheck {
                path: self.path.clone(),
                in_set: true,
                violations: Diagnostics::new(),
                ..*self
            };
            check.plan_element(block, config, None, planned);
            check.violations.is_empty()
        };
        let Unmatched { config: missing, planned: more, instead } =
            Unmatched::of(block, config, planned, &fits);
        // Blocks that are equal with their defaults become one.
        let is_short = planned.len() < config.len() && !may_share;
        let around = std::mem::replace(&mut self.in_set, true);
        self.within(Step::Element(Box::new(Value::UNKNOWN)), |check| {
            let (mut more, mut instead) = (more.iter(), instead.iter());
            for config in &missing {
                // So that the message names what differs.
                match more.next().or_else(|| instead.next()) {
                    Some(planned) => check.plan_element(block, config, None, planned),
                    None => check.missing(config),
                }
            }
            for more in more {
                let got = check.show(more);
                check
                    .report(format!("the configuration has no such element, but the provider planned {got}"));
            }
        });
        if is_short && missing.is_empty() {
            let (wanted, got) = (config.len(), planned.len());
            self.report(format!(
                "the configuration says a set of {wanted}, but the provider planned a set of {got}"
            ));
        }
        self.in_set = around;
    }

    fn missing(&mut self, config: &Value) {
        let wanted = self.show(config);
        self.report(format!("the configuration says {wanted}, but the provider planned no such element"));
    }

    fn plan_element(&mut self, block: &Block, config: &Value, prior: Option<&Value>, planned: &Value) {
        match (config, planned) {
            (Value::Object(config), Value::Object(planned)) => {
                self.plan_block(block, config, prior.and_then(Value::as_object), planned);
            }
            _ if equal_ignoring_refinements(config, planned) => {}
            _ => {
                let (wanted, got) = (self.show(config), self.show(planned));
                self.report(format!("the configuration says {wanted}, but the provider planned {got}"));
            }
        }
    }
}
