//! Checks of a planned state against the configuration and the prior state.
//!
//! | attribute | planned value |
//! |---|---|
//! | configured | the configured value, or the semantically equal prior value |
//! | omitted, computed | any value of the type |
//! | omitted, not computed | null, or its default |
//! | write-only | null |

use ferroform_value::{Object, Set, Step, Value};

use super::set::Unmatched;
use super::{ResponseCheck, is_equal_ignoring_refinements};
use crate::Diagnostics;
use crate::normalization::defaults::duplicate_elements;
use crate::redaction::display::display_path;
use crate::schema::{Attribute, Block, Member, Mode, Nesting};

impl ResponseCheck<'_> {
    pub(super) fn plan(mut self, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
        match (config, planned) {
            (Value::Object(config), Value::Object(planned)) => {
                self.check_block(self.root, config, prior.as_object(), planned);
            }
            _ => self.report_value("an object must be planned", planned),
        }
        self.violations
    }

    fn check_block(&mut self, block: &Block, config: &Object, prior: Option<&Object>, planned: &Object) {
        for member in block.members() {
            let name = member.name();
            let (config, planned) = (config.get_or_null(name), planned.get_or_null(name));
            let prior = prior.and_then(|prior| prior.get(name));
            self.within(Step::Attribute(name.clone()), |check| match (member, config, planned) {
                (Member::Attribute(it), ..) => check.check_attribute(it, config, prior, planned),
                (Member::Block(it), ..) if it.computed && it.is_absent(config) => {
                    check.check_type(planned, it.ty());
                }
                // Terraform does not even count the blocks of a set, because defaults may make them equal.
                (Member::Block(it), Value::Set(config), Value::Set(planned)) => {
                    check.check_set(&it.block, config, planned, true);
                }
                (Member::Block(it), ..) => {
                    check.check_nested(it.nesting, &it.block, config, prior, planned);
                }
            });
        }
    }

    fn check_attribute(&mut self, it: &Attribute, config: &Value, prior: Option<&Value>, planned: &Value) {
        if it.write_only {
            if !planned.is_null() {
                self.report(
                    "a write-only value must be planned as null, but the provider planned another value"
                        .into(),
                );
            }
            return;
        }
        if let Some(default) = it.behavior().default.as_ref().filter(|_| config.is_null()) {
            let reason = match default.static_value() {
                Some(default) => format!("the default is {}", self.show(&default)),
                None => "there is a default".to_owned(),
            };
            self.check_default_is_known(it.nested.as_ref().map(|it| &*it.block), &reason, planned);
        }
        // The prior element of a planned one is not known here, so every value that may stay is accepted.
        if self.in_set
            && !config.is_null()
            && (it.is_semantically_equal(planned, config) || it.is_diff_suppressed(planned, config))
        {
            return;
        }
        let is_prior = || prior.is_some_and(|prior| !prior.is_null() && prior == planned);
        if is_equal_ignoring_refinements(planned, config)
            || !config.is_null() && (it.mode == Mode::Computed || is_prior())
        {
            return;
        }
        if config.is_null() {
            if it.mode.is_computed() {
                self.check_type(planned, it.ty());
            } else {
                let planned_value = self.show(planned);
                self.report(format!("the configuration omits it, but the provider planned {planned_value}"));
            }
            return;
        }
        if let Some(nested) = &it.nested {
            return self.check_nested(nested.nesting, &nested.block, config, prior, planned);
        }
        let (configured, planned_value) = (self.show(config), self.show(planned));
        self.report(format!(
            "the configured value is {configured}, but the provider planned {planned_value}"
        ));
    }

    /// Checks that the value of a default is known, apart from computed attributes inside.
    fn check_default_is_known(&mut self, nested: Option<&Block>, reason: &str, planned: &Value) {
        match (nested, planned) {
            (_, Value::Unknown(_)) => {
                let planned_value = self.show(planned);
                self.report(format!(
                    "{reason}, so the planned value must be known, but the provider planned {planned_value}"
                ));
            }
            (Some(block), Value::Object(object)) => {
                let is_computed = |it: &&Attribute| it.mode.is_computed() && it.behavior().default.is_none();
                for it in block.attributes().iter().filter(|it| !is_computed(it)) {
                    let inside = it.nested.as_ref().map(|it| &*it.block);
                    let value = object.get_or_null(&it.name);
                    self.within(Step::Attribute(it.name.clone()), |check| {
                        check.check_default_is_known(inside, reason, value)
                    });
                }
            }
            _ => {
                for (step, it) in planned.children() {
                    self.within(step, |check| check.check_default_is_known(nested, reason, it));
                }
            }
        }
    }

    fn check_nested(
        &mut self,
        nesting: Nesting,
        block: &Block,
        config: &Value,
        prior: Option<&Value>,
        planned: &Value,
    ) {
        match (nesting, config, planned) {
            (Nesting::Single, Value::Object(config), Value::Object(planned)) => {
                self.check_block(block, config, prior.and_then(Value::as_object), planned);
            }
            (Nesting::List, all @ Value::List(config), all_planned @ Value::List(planned))
                if config.len() == planned.len() =>
            {
                // The counterpart of an element decides which values the sets inside it keep.
                let is_known = config.iter().all(Value::is_wholly_known);
                let trusted_sets = self.skips_set_elements;
                self.skips_set_elements |= !is_known;
                self.check_elements(block, all, prior, all_planned);
                self.skips_set_elements = trusted_sets;
            }
            (Nesting::Map, all @ Value::Map(config), all_planned @ Value::Map(planned)) => {
                self.check_keys(config, planned, "the configuration");
                self.check_elements(block, all, prior, all_planned);
            }
            (Nesting::Set, Value::Set(config), Value::Set(planned)) if config.len() == planned.len() => {
                self.check_set(block, config, planned, false);
            }
            (Nesting::Set, Value::Set(config), Value::Set(planned))
                if planned.len() < config.len()
                    && !duplicate_elements(self.root, block, config, &self.path).is_empty() =>
            {
                let path = display_path(self.root, &self.path);
                self.violations.extend(duplicate_elements(self.root, block, config, &path));
            }
            _ if is_equal_ignoring_refinements(config, planned) => {}
            _ => {
                let (configured, planned_value) = (self.show(config), self.show(planned));
                self.report(format!(
                    "the configured value is {configured}, but the provider planned {planned_value}: the number and the paths of the nested objects must be equal"
                ));
            }
        }
    }

    /// Checks the elements of a list or map, each with the planned and prior elements at the same path.
    fn check_elements(&mut self, block: &Block, config: &Value, prior: Option<&Value>, planned: &Value) {
        let prior = config.at_same_steps(prior.unwrap_or(&Value::Null));
        let planned = config.at_same_steps(planned);
        for (((step, config), prior), planned) in config.children().zip(prior).zip(planned) {
            let Some(planned) = planned else { continue };
            self.within(step, |check| check.check_element(block, config, prior, planned));
        }
    }

    /// Checks a planned set. Terraform checks only the number of its elements, because it does not match them.
    fn check_set(&mut self, block: &Block, config: &Set, planned: &Set, allows_duplicates: bool) {
        // While the configuration has unknown values, the counterparts of elements are not known.
        if self.skips_set_elements || !config.iter().all(Value::is_wholly_known) {
            return;
        }
        let matches = |config: &Value, planned: &Value| {
            let mut check = ResponseCheck {
                path: self.path.clone(),
                in_set: true,
                violations: Diagnostics::new(),
                ..*self
            };
            check.check_element(block, config, None, planned);
            check.violations.is_empty()
        };
        let Unmatched { config: missing, planned: unexpected, alternatives } =
            Unmatched::of(block, config, planned, &matches);
        // Blocks that are equal once their defaults are applied become one.
        let has_fewer_elements = planned.len() < config.len() && !allows_duplicates;
        let was_in_set = std::mem::replace(&mut self.in_set, true);
        self.within(Step::Element(Box::new(Value::UNKNOWN)), |check| {
            let (mut unexpected, mut alternatives) = (unexpected.iter(), alternatives.iter());
            for config in &missing {
                // The comparison with a similar element names the attribute that differs.
                match unexpected.next().or_else(|| alternatives.next()) {
                    Some(planned) => check.check_element(block, config, None, planned),
                    None => check.report_missing_element(config),
                }
            }
            for element in unexpected {
                let planned_value = check.show(element);
                check.report(format!(
                    "the configuration has no such element, but the provider planned {planned_value}"
                ));
            }
        });
        if has_fewer_elements && missing.is_empty() {
            let (configured, planned_value) = (config.len(), planned.len());
            self.report(format!(
                "the configured value is a set of length {configured}, but the provider planned a set of length {planned_value}"
            ));
        }
        self.in_set = was_in_set;
    }

    fn report_missing_element(&mut self, config: &Value) {
        let configured = self.show(config);
        self.report(format!(
            "the configured value is {configured}, but the provider planned no such element"
        ));
    }

    fn check_element(&mut self, block: &Block, config: &Value, prior: Option<&Value>, planned: &Value) {
        match (config, planned) {
            (Value::Object(config), Value::Object(planned)) => {
                self.check_block(block, config, prior.and_then(Value::as_object), planned);
            }
            _ if is_equal_ignoring_refinements(config, planned) => {}
            _ => {
                let (configured, planned_value) = (self.show(config), self.show(planned));
                self.report(format!(
                    "the configured value is {configured}, but the provider planned {planned_value}"
                ));
            }
        }
    }
}
