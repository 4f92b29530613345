//! The configurations of a sequence, and their validation.

use std::sync::Arc;

use ferroform::Diagnostics;
use ferroform::value::{Path, Value};
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::{Kind, Owner};

use super::hcl;
use super::run::SequenceRun;
use super::step::{SequenceEnd, StepResult};
use super::target::Target;
use super::values::with_member;
use crate::Invariant;
use crate::invariant::Violation;

impl SequenceRun<'_> {
    /// A configuration: the base configuration without the omitted attributes, with up to three changed values.
    pub(super) fn config(&mut self, target: &Target) -> StepResult<Value> {
        let mut config = target.base.clone();
        for (name, absent) in &self.omitted {
            config = self.with_change(target, &config, name, absent.clone())?.unwrap_or(config);
        }
        for _ in 0..self.choices.below(4) {
            let changes = target.values.changes(&config);
            let at = self.choices.below(changes.len());
            let Some((name, value)) = changes.into_iter().nth(at) else { break };
            if let Some(changed) = self.with_change(target, &config, &name, value)? {
                config = changed;
            }
        }
        if target.kind == Kind::Resource {
            self.require_acceptance(target, &config)?;
        }
        Ok(config)
    }

    /// Returns a configuration and a copy with one changed attribute, which `number` selects; `None` if there are fewer changes. The
    /// sequence ends if the validation rejects the change.
    pub(super) fn config_and_change(
        &mut self,
        target: &Target,
        number: usize,
    ) -> StepResult<Option<(Value, Value)>> {
        let config = self.config(target)?;
        let Some((name, value)) = target.values.changes(&config).into_iter().nth(number) else {
            return Ok(None);
        };
        let changed = self.with_change(target, &config, &name, value)?.ok_or(SequenceEnd::Rejected)?;
        Ok(Some((config, changed)))
    }

    /// Ends the sequence if the service rejects the configuration, so that a later rejection is a violation.
    pub(super) fn require_acceptance(&mut self, target: &Target, config: &Value) -> StepResult {
        if *config == target.base {
            return Ok(());
        }
        let steps = self.steps.len();
        let mut object = self.object(target, "a");
        self.apply_or_reject(&mut object, config)?;
        self.destroy(&mut object)?.map_err(|_| SequenceEnd::Rejected)?;
        self.steps.truncate(steps);
        Ok(())
    }

    /// The configuration with another value of a member, and with another member set or omitted if the validation requires it. `None`
    /// if no such configuration is valid.
    pub(super) fn with_change(
        &self,
        target: &Target,
        config: &Value,
        name: &Arc<str>,
        value: Value,
    ) -> StepResult<Option<Value>> {
        let changed = with_member(config, name, value);
        if self.is_valid(target, &changed)? {
            return Ok(Some(changed));
        }
        for field in target.values.0.iter().filter(|it| it.name != *name) {
            let Some(absent) = &field.absent else { continue };
            let is_absent = changed.attribute_or_null(&field.name) == absent;
            let Some(toggled) = (if is_absent { field.typical.first() } else { Some(absent) }) else {
                continue;
            };
            let toggled = with_member(&changed, &field.name, toggled.clone());
            if self.is_valid(target, &toggled)? {
                return Ok(Some(toggled));
            }
        }
        Ok(None)
    }

    /// True if the validation accepts the configuration.
    fn is_valid(&self, target: &Target, config: &Value) -> StepResult<bool> {
        Ok(!self.validate(target.kind.named(&target.name), config)?.has_error())
    }

    /// Validates a configuration, and returns errors and warnings.
    pub(super) fn validate(&self, owner: Owner<'_>, config: &Value) -> StepResult<Diagnostics> {
        if let Ok(block) = self.harness.server().block(owner) {
            self.harness.sensitive_values().record(block, config);
        }
        let validation = self.harness.server().validate_config(owner, config.clone(), true);
        let found = self.harness.run_for_diagnostics("the validation", owner, validation);
        self.check()?;
        let found = found.unwrap_or_else(|errors| errors);
        match found.iter().find(|it| *it.kind() == DiagnosticKind::ProviderBug) {
            Some(it) => {
                let invalid = self
                    .harness
                    .server()
                    .block(owner)
                    .map(|block| hcl::block(owner.kind, owner.name, "a", block, config, &[]));
                let problem = format!("{}: {}\n{}", it.summary, it.detail, invalid.unwrap_or_default());
                let problem = self.harness.sensitive_values().redact(&problem);
                let step = format!("`validate` of {owner}");
                Err(SequenceEnd::Violated(Violation::new(
                    Invariant::InvalidConfigurationIsRejected,
                    &step,
                    Path::ROOT,
                    problem,
                )))
            }
            _ => Ok(found),
        }
    }
}
