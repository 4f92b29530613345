//! Contract checks: whether Terraform would accept a response of the provider.
//!
//! Terraform rejects an invalid response too, but its error names the provider only. These checks run first and report
//! the attribute, the expected value and the returned value. The test kit uses the same code.
//!
//! The rules are those of `AssertPlanValid` and `AssertObjectCompatible` in Terraform. The engine additionally checks
//! the elements of sets, the values of unknown defaults, and replacements that Terraform would ignore. A provider with
//! Rust models can break few of the rules: with a `plan` method, or with optional and computed attributes.
//!
//! ```text
//! planned state  { name = "a", id = unknown }
//! returned       { name = "b", id = "1" }
//! error          name: the planned value is "a", but the provider returned "b".
//! ```

pub mod compatibility;
mod plan;
mod set;

use std::collections::BTreeMap;
use std::convert::Infallible;

use ferroform_value::{NfcString, Path, Step, Type, Value};

use self::compatibility::{is_compatible, set_incompatibility};

use crate::Diagnostics;
use crate::redaction::display::display_path;
pub use crate::redaction::display::{display_value, is_sensitive};
use crate::schema::{Attribute, Block, IdentitySchema, Member};
use crate::type_mismatch::{conforms_to, unrepresentable_number};
use crate::walk::is_storable;

pub use crate::diagnostic_kind::ContractCheck;

pub use crate::failed_check::{REPORT_TO_AUTHORS, check_message, contract_error, failed_check, provider_bug};

/// Checks a planned state: each value is the configured one, a prior value that is semantically equal, or a computed
/// value that the configuration omits. Elements of sets are checked too, which Terraform does not do.
pub fn check_plan(block: &Block, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
    ResponseCheck::new(block, ContractCheck::Plan).plan(config, prior, planned)
}

/// Checks a planned state that no `plan` method has changed: the elements of its sets are the configured ones.
pub fn check_proposed_plan(block: &Block, config: &Value, prior: &Value, planned: &Value) -> Diagnostics {
    ResponseCheck { skips_set_elements: true, ..ResponseCheck::new(block, ContractCheck::Plan) }
        .plan(config, prior, planned)
}

/// Checks the paths that require replacement. Terraform rejects a path that exists neither in the prior state nor in
/// the planned state, and ignores a path whose value does not change.
pub fn check_replacements(block: &Block, prior: &Value, planned: &Value, paths: &[Path]) -> Diagnostics {
    let mut check = ResponseCheck::new(block, ContractCheck::Plan);
    let mut ignored = Vec::new();
    for path in paths {
        check.path = path.clone();
        let (old, new) = (value_at(prior, path), value_at(planned, path));
        let is_write_only = matches!(block.at(path), Some(Member::Attribute(it)) if it.write_only);
        match (old.unwrap_or(&Value::Null), new.unwrap_or(&Value::Null)) {
            _ if old.is_none() && new.is_none() => {
                check.report(
                    "the provider requires replacement because of this path, but it does not exist".into(),
                );
            }
            (old, new) if old == new && new.is_wholly_known() && !is_write_only => ignored.push((path, new)),
            _ => {}
        }
    }
    // If nothing changes at all, Terraform plans no replacement, which is correct.
    if !ignored.is_empty() && ignored.len() == paths.len() && prior != planned {
        for (path, value) in ignored {
            check.path = path.clone();
            let value = check.show(value);
            check.report(format!(
                "the provider requires replacement because of this path, but its value {value} does not change. Terraform \
                 would update the object in place"
            ));
        }
    }
    check.violations
}

/// The value at the path as Terraform finds it: a path ends at an element of a set, which has no step on the wire, and
/// a path inside an unknown value leads to that value.
pub fn value_at<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    let mut it = value;
    for step in path.steps().iter().take_while(|it| !matches!(it, Step::Element(_))) {
        match it.step(step) {
            Some(inside) => it = inside,
            None => return it.is_unknown().then_some(it),
        }
    }
    Some(it)
}

/// Checks a new state after apply: it is wholly known, and equal to the planned state wherever that was known.
pub fn check_new_state(block: &Block, planned: &Value, state: &Value) -> Diagnostics {
    let mut check = ResponseCheck::new(block, ContractCheck::Result);
    check.check_object(block, state);
    if check.violations.is_empty() {
        check.check_compatible(planned, state);
    }
    check.violations
}

/// Checks a value of a checkpoint: it is equal to the planned value wherever that was known.
pub fn check_checkpoint(block: &Block, path: &Path, planned: &Value, recorded: &Value) -> Diagnostics {
    let mut check =
        ResponseCheck { path: path.clone(), ..ResponseCheck::new(block, ContractCheck::Checkpoint) };
    check.check_compatible(planned, recorded);
    check.violations
}

/// Checks the final plan, which is made once the configuration is wholly known: it is equal to the first plan wherever
/// that was known.
pub fn check_final_plan(block: &Block, first: &Value, last: &Value) -> Diagnostics {
    let mut check = ResponseCheck::new(block, ContractCheck::FinalPlan);
    check.check_compatible(first, last);
    check.violations
}

/// Checks a state that was read, imported or upgraded: it is wholly known and conforms to the schema.
pub fn check_state(block: &Block, state: &Value) -> Diagnostics {
    let mut check = ResponseCheck::new(block, ContractCheck::State);
    check.check_object(block, state);
    check.violations
}

/// Checks that the identity of an object does not change. An attribute that was null may be set.
pub fn check_identity(schema: &IdentitySchema, prior: &Value, new: &Value) -> Diagnostics {
    let mut check = ResponseCheck::new(&schema.block, ContractCheck::Identity);
    for (attribute, prior, new) in changed_attributes(schema, prior, new) {
        check.within(Step::Attribute(attribute.name.clone()), |check| {
            let (prior, new) = (check.show(prior), check.show(new));
            check.report(format!("the identity of the object is {prior}, but the provider returned {new}"));
        });
    }
    check.violations
}

/// The identity attributes that are known in both identities and differ, with their prior and new values.
pub(crate) fn changed_attributes<'a>(
    schema: &'a IdentitySchema,
    prior: &'a Value,
    new: &'a Value,
) -> impl Iterator<Item = (&'a Attribute, &'a Value, &'a Value)> {
    schema.block.attributes().iter().filter_map(|attribute| {
        let prior = prior.attribute(&attribute.name).filter(|it| it.is_wholly_known() && !it.is_null())?;
        let new = new.attribute(&attribute.name).filter(|it| it.is_wholly_known() && *it != prior)?;
        Some((attribute, prior, new))
    })
}

/// Checks whether a value conforms to the type of the schema.
pub fn check_type(block: &Block, value: &Value) -> Diagnostics {
    let mut check = ResponseCheck::new(block, ContractCheck::Value);
    check.check_type(value, block.ty());
    check.violations
}

type Entries = BTreeMap<NfcString, Value>;

struct ResponseCheck<'a> {
    /// The schema of the whole object, which decides which values are sensitive.
    root: &'a Block,
    check: ContractCheck,
    path: Path,
    /// True inside an element of a set.
    in_set: bool,
    /// True if the elements of sets need no check.
    skips_set_elements: bool,
    violations: Diagnostics,
}

impl<'a> ResponseCheck<'a> {
    fn new(root: &'a Block, check: ContractCheck) -> ResponseCheck<'a> {
        ResponseCheck {
            root,
            check,
            path: Path::ROOT,
            in_set: false,
            skips_set_elements: false,
            violations: Diagnostics::new(),
        }
    }

    fn show(&self, value: &Value) -> String {
        display_value(self.root, &self.path, value)
    }

    fn report_value(&mut self, requirement: &str, value: &Value) {
        self.report(format!("{requirement}, but the provider returned {}", self.show(value)));
    }

    fn report(&mut self, message: String) {
        let path = display_path(self.root, &self.path);
        let location = if path.is_root() { String::new() } else { format!("{path}: ") };
        let detail = format!("{location}{message}. {REPORT_TO_AUTHORS}");
        self.violations.push(contract_error(self.check, message).detail(detail).at(path).naming_path());
    }

    fn within(&mut self, step: Step, check: impl FnOnce(&mut ResponseCheck<'a>)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    /// Checks that two maps have the same keys.
    fn check_keys(&mut self, expected: &Entries, returned: &Entries, source: &str) {
        if expected.keys().eq(returned.keys()) {
            return;
        }
        let missing = expected.keys().filter(|key| !returned.contains_key(*key));
        let added = returned.keys().filter(|key| !expected.contains_key(*key));
        let missing = missing
            .map(|key| (key, format!("{source} contains this key, but the provider did not return it")));
        let added = added
            .map(|key| (key, format!("the provider returned this key, but {source} does not contain it")));
        for (key, message) in missing.chain(added) {
            self.within(Step::Key(key.clone()), |check| check.report(message));
        }
    }

    fn check_object(&mut self, block: &Block, state: &Value) {
        self.check_type(state, block.ty());
        self.check_known(state);
        self.check_attributes(block, state);
    }

    fn check_known(&mut self, value: &Value) {
        match value.without_type() {
            Value::Number(it) if it.is_infinite() => {
                self.report("a finite number is required, but the provider returned an infinite one".into());
            }
            Value::Unknown(_) => self.report(
                "the value must be known after apply, but the provider returned an unknown value".into(),
            ),
            _ if is_storable(value) => {}
            _ => {
                value.children().for_each(|(step, it)| self.within(step, |check| check.check_known(it)));
            }
        }
    }

    /// Checks that write-only values are null, and that values whose Rust type does not accept null are not.
    fn check_attributes(&mut self, block: &Block, state: &Value) {
        block.walk(state, &mut |path, member, value| {
            let Member::Attribute(it) = member else { return true };
            let violation = match (it.write_only, value.is_null()) {
                (true, false) => "a write-only value must not be stored, but the provider returned one",
                (false, true) if !it.nullable => "the value must not be null, but the provider returned null",
                _ => return true,
            };
            self.path = path.clone();
            self.report(violation.into());
            true
        });
        self.path = Path::ROOT;
    }

    /// Only the parts of a value that do not conform are visited with their paths.
    fn check_type(&mut self, value: &Value, ty: &Type) {
        match (value, ty) {
            _ if conforms_to(value, ty) => {}
            (Value::Dynamic(it), Type::Dynamic) => self.check_type(&it.value, &it.ty),
            (Value::List(_), Type::List(element))
            | (Value::Set(_), Type::Set(element))
            | (Value::Map(_), Type::Map(element)) => {
                for (step, it) in value.children() {
                    self.within(step, |check| check.check_type(it, element));
                }
            }
            (Value::Tuple(elements), Type::Tuple(types)) if elements.len() == types.len() => {
                for (i, (it, ty)) in elements.iter().zip(types.iter()).enumerate() {
                    self.within(Step::Index(i), |check| check.check_type(it, ty));
                }
            }
            (Value::Object(object), Type::Object(ty)) => {
                for attribute in ty.attributes() {
                    self.within(Step::Attribute(attribute.name.clone()), |check| {
                        match object.get(&attribute.name) {
                            Some(it) => check.check_type(it, &attribute.ty),
                            None => check.report("the attribute is missing".into()),
                        }
                    });
                }
                for (name, it) in object.iter().filter(|(name, _)| ty.get(name).is_none()) {
                    self.within(Step::Attribute(name.clone()), |check| {
                        check.report_value("there is no such attribute", it);
                    });
                }
            }
            (_, Type::Number) if unrepresentable_number(value).is_some() => {
                // A number is printed without the quotation marks of the string that stands for it.
                let number = self.show(value).replace('"', "");
                let expected = "a number that Terraform can represent is required";
                self.report(format!("{expected}, but the provider returned {number}"));
            }
            _ => self.report_value(&format!("the type in the schema is {ty}"), value),
        }
    }

    fn check_compatible(&mut self, planned: &Value, state: &Value) {
        if planned == state {
            return;
        }
        match (planned, state) {
            (Value::Object(_), Value::Object(_)) | (Value::List(_), Value::List(_))
                if planned.length() == state.length() =>
            {
                self.check_compatible_children(planned, state);
            }
            (Value::Map(planned_map), Value::Map(state_map)) => {
                self.check_keys(planned_map, state_map, "the plan");
                self.check_compatible_children(planned, state);
            }
            (Value::Set(planned), Value::Set(state)) => {
                if let Some(reason) = set_incompatibility(planned, state) {
                    let (expected, returned) = (planned.len(), state.len());
                    self.report(format!(
                        "the planned value is a set of length {expected}, but the provider returned a set of length {returned}: {reason}"
                    ));
                }
            }
            _ if is_compatible(planned, state) => {}
            _ => {
                let (planned, returned) = (self.show(planned), self.show(state));
                self.report(format!("the planned value is {planned}, but the provider returned {returned}"));
            }
        }
    }

    fn check_compatible_children(&mut self, planned: &Value, state: &Value) {
        for ((step, planned), state) in planned.children().zip(planned.at_same_steps(state)) {
            let Some(state) = state else { continue };
            self.within(step, |check| check.check_compatible(planned, state));
        }
    }
}

/// True if two values are equal apart from the refinements of unknown values, which a plan may omit.
fn is_equal_ignoring_refinements(a: &Value, b: &Value) -> bool {
    a == b || !a.is_wholly_known() && !b.is_wholly_known() && without_refinements(a) == without_refinements(b)
}

/// The value without the refinements of its unknown values.
fn without_refinements(it: &Value) -> Value {
    let Ok(bare) = it
        .clone()
        .transform::<Infallible>(&mut |_, it| Ok(if it.is_unknown() { Value::UNKNOWN } else { it }));
    bare
}
