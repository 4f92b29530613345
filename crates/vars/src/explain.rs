//! Explanations of values: `-explain`.
//!
//! ```text
//! ports
//!   source: live.tfvars:1:1
//!   overrides: terraform.tfvars:1:1
//!   converted: var.ports: tuple → list
//!   converted: var.ports[0].number: string → number
//!   default: var.ports[0].open
//!   validation main.tf:3:3: passed
//! ```
//!
//! The changes of a value are found by comparing the configured value with the type of the final value, with the rules
//! of [`Constraint::fit`](ferroform_lang::type_constraint::Constraint::fit). A sensitive or ephemeral variable has no
//! changes in its explanation, because they reveal the structure of its value.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use ferroform_value::convert::convert;
use ferroform_value::{NfcString, Path, Step, Type, Typed, Value};
use serde_json::json;

use crate::constraint_node::ConstraintNode;
use crate::declaration::Declaration;
use crate::input_values::{format_path, read_configured};
use crate::inputs::Input;
use crate::module::Module;
use crate::source::{Location, Source};
use crate::variable_value::VariableValue;

/// The maximum number of changes in an explanation.
const MAX_CHANGES: usize = 200;

/// The explanation of the value of a variable. [`Display`](fmt::Display) prints it as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The name of the variable.
    pub name: String,
    /// The source of the value: `live.tfvars:3:1`, `TF_VAR_name`, `-var name` or `default (main.tf:2:13)`; `None` if the
    /// variable has no value.
    pub source: Option<String>,
    /// The sources that the source overrides, the latest first. They do not include the default.
    pub overrides: Vec<String>,
    /// True if the default of the variable replaces null, because the variable is not nullable.
    pub replaces_null: bool,
    /// The differences between the configured value and the final value, at most 200.
    pub changes: Vec<Change>,
    /// The number of other changes.
    pub more_changes: usize,
    /// The positions of the validations with their results.
    pub validations: Vec<(String, ValidationOutcome)>,
}

/// A difference between the configured value and the final value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The default of an optional attribute is filled in.
    Default {
        /// The path of the attribute.
        path: String,
    },
    /// A value is converted to another type.
    Converted {
        /// The path of the value.
        path: String,
        /// The kind of the previous type, such as `tuple`.
        from: &'static str,
        /// The kind of the type, such as `list`.
        to: &'static str,
    },
    /// An attribute that the type does not have is dropped.
    DroppedAttribute {
        /// The path of the attribute.
        path: String,
    },
    /// Equal elements of a set are dropped.
    DroppedDuplicates {
        /// The path of the set.
        path: String,
        /// The number of dropped elements.
        count: usize,
    },
}

/// The result of a validation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValidationOutcome {
    /// The condition is true.
    Passed,
    /// The condition is false.
    Failed,
    /// The validation has an error, which is reported as a diagnostic.
    Invalid,
    /// The validation was not evaluated, for this reason.
    NotEvaluated(String),
}

impl ValidationOutcome {
    /// Returns the result and the reason.
    fn parts(&self) -> (&'static str, Option<&str>) {
        match self {
            ValidationOutcome::Passed => ("passed", None),
            ValidationOutcome::Failed => ("failed", None),
            ValidationOutcome::Invalid => ("invalid", None),
            ValidationOutcome::NotEvaluated(reason) => ("not evaluated", Some(reason)),
        }
    }
}

/// The results of the validations of each variable.
pub(crate) type ValidationOutcomes = BTreeMap<String, Vec<ValidationOutcome>>;

/// Returns the explanations of all variables.
pub(crate) fn explain(
    module: &Module<'_>,
    inputs: &BTreeMap<&str, Input<'_>>,
    sources: &[Source],
    values: &[VariableValue],
    mut outcomes: ValidationOutcomes,
) -> Vec<Explanation> {
    let values: BTreeMap<&str, &VariableValue> = values.iter().map(|it| (it.name(), it)).collect();
    let explanation = |(name, declaration): (&String, &Declaration<'_>)| {
        let input = inputs.get(name.as_str());
        let value = values.get(name.as_str()).copied();
        let source = match (input, &declaration.default_location) {
            (Some(input), _) => Some(describe(sources, &input.location)),
            (None, Some(at)) => Some(format!("default ({})", describe(sources, at))),
            (None, None) => None,
        };
        let overrides = input.into_iter().flat_map(|it| it.overrides.iter().rev());
        let results = outcomes.remove(name.as_str()).unwrap_or_default();
        let results = results.into_iter().map(Some).chain(std::iter::repeat(None));
        let validations = declaration.validations.iter().zip(results).map(|(validation, result)| {
            let reason = || ValidationOutcome::NotEvaluated("the variable has no valid value".to_owned());
            (describe(sources, &validation.location), result.unwrap_or_else(reason))
        });
        let mut explanation = Explanation {
            name: name.clone(),
            source,
            overrides: overrides.map(|it| describe(sources, it)).collect(),
            replaces_null: false,
            changes: Vec::new(),
            more_changes: 0,
            validations: validations.collect(),
        };
        if let (Some(value), false) = (value, declaration.is_secret) {
            explanation.add_changes(declaration, input, sources, value);
        }
        explanation
    };
    module.variables.iter().map(explanation).collect()
}

fn describe(sources: &[Source], location: &Location) -> String {
    let source = &sources[location.source];
    if source.is_file { source.describe(location.start) } else { source.name.clone() }
}

impl Explanation {
    fn add_changes(
        &mut self,
        declaration: &Declaration<'_>,
        input: Option<&Input<'_>>,
        sources: &[Source],
        value: &VariableValue,
    ) {
        let Some(variable) = &declaration.variable else { return };
        let configured = match input {
            Some(input) => read_configured(variable, input).ok(),
            None => declaration.configured_default(sources),
        };
        let Some(Ok(configured)) = configured.map(|it| Typed::resolve(it.value, &it.ty)) else { return };
        self.replaces_null = configured.value == Value::Null && !variable.nullable;
        let target = ConstraintNode::new(value.ty(), variable.constraint.defaults.as_ref());
        self.compare((&configured.value, &configured.ty), target, &mut Path::default());
    }

    /// Adds a change, whose path is created only below the maximum number.
    fn add(&mut self, path: &Path, change: impl FnOnce(String) -> Change) {
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(change(format_path(&self.name, path)));
        } else {
            self.more_changes += 1;
        }
    }

    /// Adds the changes of a value that is converted to a type.
    fn compare(&mut self, (value, ty): (&Value, &Type), target: ConstraintNode<'_>, path: &mut Path) {
        if *value == Value::Null || *ty == Type::Dynamic || *target.ty == Type::Dynamic {
            return;
        }
        let (from, to) = (ty.kind(), target.ty.kind());
        if from != to {
            self.add(path, |path| Change::Converted { path, from, to });
        }
        for (step, child) in value.children() {
            let Some(child_type) = ConstraintNode::new(ty, None).child(&step).map(|it| it.ty) else {
                continue;
            };
            let step = match (step, target.ty) {
                (Step::Attribute(name), Type::Map(_)) => Step::Key(NfcString::new(&name)),
                (step, _) => step,
            };
            let child_target = target.child(&step);
            path.push(step);
            match child_target {
                None => self.add(path, |path| Change::DroppedAttribute { path }),
                Some(target) if target.replaces_null && *child == Value::Null => {
                    self.add(path, |path| Change::Default { path });
                }
                Some(target) => self.compare((child, child_type), target, path),
            }
            path.pop();
        }
        for (name, _) in target.defaults() {
            let step = Step::Attribute(name.into());
            if value.step(&step).is_none() {
                path.push(step);
                self.add(path, |path| Change::Default { path });
                path.pop();
            }
        }
        if let Type::Set(_) = target.ty {
            let configured = target.apply_defaults(Typed { value: value.clone(), ty: ty.clone() });
            let converted = convert(configured.value, &configured.ty, target.ty);
            let length = converted.ok().and_then(|it| it.value.length());
            let count = value.length().zip(length).map_or(0, |(all, kept)| all.saturating_sub(kept));
            if count > 0 {
                self.add(path, |path| Change::DroppedDuplicates { path, count });
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Default { path } => write!(f, "default: {path}"),
            Change::Converted { path, from, to } => write!(f, "converted: {path}: {from} → {to}"),
            Change::DroppedAttribute { path } => write!(f, "dropped attribute: {path}"),
            Change::DroppedDuplicates { path, count } => write!(f, "dropped duplicates: {path}: {count}"),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        writeln!(f, "  source: {}", self.source.as_deref().unwrap_or("none"))?;
        if !self.overrides.is_empty() {
            writeln!(f, "  overrides: {}", self.overrides.join(", "))?;
        }
        if self.replaces_null {
            writeln!(f, "  null is replaced by the default")?;
        }
        self.changes.iter().try_for_each(|it| writeln!(f, "  {it}"))?;
        if self.more_changes > 0 {
            writeln!(f, "  … and {} more changes", self.more_changes)?;
        }
        for (at, outcome) in &self.validations {
            let (result, reason) = outcome.parts();
            let reason = reason.map(|it| format!(": {it}")).unwrap_or_default();
            writeln!(f, "  validation {at}: {result}{reason}")?;
        }
        Ok(())
    }
}

/// Writes the explanations as text.
pub(crate) fn write_text(explanations: &[Explanation], out: &mut dyn io::Write) -> io::Result<()> {
    explanations.iter().try_for_each(|it| write!(out, "{it}"))
}

/// Writes the explanations as a JSON object by variable.
pub(crate) fn write_json(explanations: &[Explanation], out: &mut dyn io::Write) -> io::Result<()> {
    let change = |change: &Change| match change {
        Change::Default { path } => json!({ "change": "default", "path": path }),
        Change::Converted { path, from, to } => {
            json!({ "change": "converted", "path": path, "from": from, "to": to })
        }
        Change::DroppedAttribute { path } => json!({ "change": "dropped_attribute", "path": path }),
        Change::DroppedDuplicates { path, count } => {
            json!({ "change": "dropped_duplicates", "path": path, "count": count })
        }
    };
    let validation = |(at, outcome): &(String, ValidationOutcome)| {
        let (result, reason) = outcome.parts();
        json!({ "at": at, "result": result, "reason": reason })
    };
    let explanation = |explanation: &Explanation| {
        let encoded = json!({
            "source": explanation.source,
            "overrides": explanation.overrides,
            "replaces_null": explanation.replaces_null,
            "changes": explanation.changes.iter().map(change).collect::<Vec<_>>(),
            "more_changes": explanation.more_changes,
            "validations": explanation.validations.iter().map(validation).collect::<Vec<_>>(),
        });
        (explanation.name.clone(), encoded)
    };
    let all: serde_json::Map<String, serde_json::Value> = explanations.iter().map(explanation).collect();
    writeln!(out, "{:#}", serde_json::Value::from(all))
}
