//! Actions that changes of resources trigger.

use ferroform::Diagnostics;
use ferroform::value::{Type, Value};
use ferroform_lang::body::TraversalStep;

use super::address::{Address, InstanceKey, module_path};
use super::blocks::Located;
use super::evaluation::Evaluation;
use super::graph::action_name;
use super::imports::static_steps;
use super::problem::{Problem, Problems, Result, diagnostics_of_failure};
use super::resource_instance::{BlockValues, ResourceInstance};
use crate::outcome::StepFailure;
use crate::{Configuration, Invocation, ProviderAction};

/// The instance of a resource whose change triggers actions, with `each` or `count`.
pub(crate) type Triggering<'t> = (&'t Address, &'t BlockValues);

impl Evaluation<'_> {
    /// Validates and plans an action that a resource instance triggers. Returns the address of the action and its
    /// configuration; `None` if the condition of the trigger is false.
    pub(crate) fn plan_action(
        &mut self,
        triggering: Triggering<'_>,
        condition: Option<&Located<'_>>,
        reference: &Located<'_>,
    ) -> Result<Option<(Address, Value)>> {
        let summary = "Failed to plan action";
        self.with_action(triggering, condition, reference, summary, |action, configuration, label| {
            action.run_plan(&format!("the plan of {label}"), configuration).map(|(_, warnings)| warnings)
        })
    }

    /// Invokes an action that a resource instance triggers.
    pub(crate) fn invoke_action(
        &mut self,
        triggering: Triggering<'_>,
        condition: Option<&Located<'_>>,
        reference: &Located<'_>,
    ) -> Result<()> {
        let summary = "Error when invoking action";
        self.with_action(triggering, condition, reference, summary, |action, configuration, label| {
            let mut invocation = Invocation::default();
            action.run_invoke(&format!("the invocation of {label}"), configuration, &mut invocation)?;
            Ok(invocation.warnings)
        })
        .map(drop)
    }

    fn with_action(
        &mut self,
        (triggering, values): Triggering<'_>,
        condition: Option<&Located<'_>>,
        reference: &Located<'_>,
        summary: &str,
        run: impl FnOnce(&ProviderAction, &Configuration, &str) -> std::result::Result<Diagnostics, StepFailure>,
    ) -> Result<Option<(Address, Value)>> {
        let at = |problem: Problem| vec![problem.at_expression(reference)];
        let module = &triggering.module;
        if let Some(it) = condition {
            let value = self.with_scope(module, values, |scope| scope.evaluate_as(it, &Type::Bool))?;
            if value.typed.value == Value::Bool(false) {
                return Ok(None);
            }
        }
        let path = module_path(module);
        let action = action_name(reference).and_then(|name| self.module(&path)?.resources.get(&name));
        let Some(action) = action else {
            let detail = "The reference does not name an action of this module.";
            return Err(at(Problem::error("Reference to undeclared action", detail)));
        };
        let steps = self
            .with_scope(module, values, |scope| static_steps(scope, reference, "Invalid action reference"))?;
        let key = match steps.get(3) {
            Some(TraversalStep::Index(value)) => InstanceKey::from_value(value).unwrap_or_default(),
            _ => InstanceKey::None,
        };
        let instances = self.expand(module, &action.repetition)?;
        let Some((_, each)) = instances.iter().find(|(it, _)| *it == key) else {
            let detail = "The action does not have this instance.";
            return Err(at(Problem::error("Invalid action reference", detail)));
        };
        let provider = self.provider_of(&path, action)?;
        let harness = self.providers.get(&provider)?;
        let instance = ResourceInstance::new(module, action, &provider, (&key, each.as_ref()));
        let decoded = self.decode(&instance, action.block(&harness)?)?;
        let label = instance.address.to_string();
        let configuration = Configuration::from_entries(decoded.configuration);
        let warnings = run(&harness.action(&action.id.kind), &configuration, &label).map_err(|it| {
            // Terraform reports the provider's error at the reference to the action.
            let errors = diagnostics_of_failure(it, &label).into_iter().map(|it| match it.is_error {
                true => at(Problem::error(summary, format!("{}: {}", it.summary, it.detail))),
                false => vec![it],
            });
            errors.flatten().collect::<Problems>()
        })?;
        self.report(Problem::from_provider(warnings, &label));
        Ok(Some((instance.address, decoded.value)))
    }
}
