//! The plan of managed resources.

use ferroform::value::Value;
use ferroform_lang::body::TraversalStep;
use ferroform_lang::marks::{Marked, Marks};
use serde_json::json;

use super::actions::Triggering;
use super::address::{Address, ConfigAddress, InstanceKey, resource_name, split_key};
use super::change::SimulatedChange;
use super::configuration::{ActionTrigger, Resource};
use super::decode::located;
use super::ignore_changes::{attribute_path, ignore_changes};
use super::imports::static_steps;
use super::objects::new_instance;
use super::plan::Planner;
use super::problem::{Problem, Result, diagnostics_of_failure};
use super::resource_instance::ResourceInstance;
use super::show;
use super::state::{Object, ObjectKey, of_resource};
use super::values::{marked, marks_of};
use crate::instance::PlannedChange;
use crate::outcome::StepFailure;
use crate::workspace::PlannedAction;
use crate::{Action, Instance};

impl Planner<'_> {
    /// Plans an instance of a managed resource, and returns its planned value.
    pub(crate) fn plan_managed_instance(&mut self, it: &ResourceInstance<'_>) -> Result<Option<Marked>> {
        let ResourceInstance { address, resource, .. } = it;
        let mut importing = None;
        let prior = match self.imports.get(address).cloned() {
            Some(target) if self.evaluation.state.get(address).is_none() => {
                importing = Some(target.json());
                self.import_object(address, &target, it.provider)?
            }
            _ => self.refresh(address, None, it.provider).map_err(|it| located(it, &resource.config))?,
        };
        let (instance, prior) = match prior {
            Some((instance, object)) => (instance, Some(object)),
            None => (new_instance(self.evaluation.providers, it.provider, &resource.id.kind)?, None),
        };
        let block = &instance.resource.schema().block;
        if self.options.destroy || self.options.refresh_only || !self.is_targeted(address) {
            if self.options.destroy
                && self.is_targeted(address)
                && let Some(object) = &prior
            {
                let key = (address.clone(), None);
                self.plan_delete(&key, &instance, object.clone(), Some(resource), None)?;
            }
            let sensitive = prior.map(|it| it.sensitive).unwrap_or_default();
            return Ok(instance.stored.as_ref().map(|it| marked(block, &it.value, &sensitive)));
        }
        self.evaluation.check_preconditions(it)?;
        let mut decoded = self.evaluation.decode(it, block)?;
        self.evaluation.check_ephemeral(it, &decoded, block)?;
        let configured = decoded.value.clone();
        if let Some((stored, prior)) = instance.stored.as_ref().zip(prior.as_ref()) {
            ignore_changes(&resource.lifecycle, block, (&stored.value, &prior.sensitive), &mut decoded);
        }
        let label = address.to_string();
        let forced = self.forced_replacement(it, &label)?;
        let tainted = instance.stored.as_ref().is_some_and(|it| it.tainted);
        let planned = instance.plan_change_with(&configured, &decoded.value, forced.is_some());
        let planned = planned
            .map_err(|it: StepFailure| located(diagnostics_of_failure(it, &label), &resource.config))?;
        let PlannedChange { action, planned, private, identity, requires_replace, deferred, warnings } =
            planned;
        self.evaluation.report(located(Problem::from_provider(warnings, &label), &resource.config));
        let config_address = address.config();
        let create_before_destroy = self.create_before_destroy.contains(&config_address);
        let value = marked(block, &planned, &decoded.sensitive());
        let are_marks_changed =
            prior.as_ref().is_some_and(|it| marks_of(block, &planned, &it.sensitive) != value.marks);
        let action = match action {
            Action::NoOp if are_marks_changed => PlannedAction::Update,
            Action::NoOp => PlannedAction::NoOp,
            Action::Create => PlannedAction::Create,
            Action::Update => PlannedAction::Update,
            Action::Replace if create_before_destroy => PlannedAction::CreateBeforeDestroy,
            Action::Replace => PlannedAction::Replace,
            Action::Delete => PlannedAction::Delete,
        };
        if action.is_replace() && resource.lifecycle.prevent_destroy {
            return Err(vec![prevent_destroy_error(address, resource)]);
        }
        let reason = match action.is_replace() {
            true if tainted => Some("replace_because_tainted"),
            true => forced.or(Some("replace_because_cannot_update")),
            false => None,
        };
        let before = instance.stored_value();
        let before_marks = match &prior {
            Some(prior) => marks_of(block, &before, &prior.sensitive),
            None => Marks::none(),
        };
        let after = (planned, value.marks.clone());
        let change = SimulatedChange {
            previous_address: self.moved.get(address).cloned(),
            requires_replace: if action.is_replace() { requires_replace } else { Vec::new() },
            reason,
            importing,
            prior,
            private,
            identity,
            create_before_destroy,
            ..SimulatedChange::new(address, it.provider, action, (before, before_marks), after)
        };
        let deferral = self.deferral_reason(&config_address, deferred);
        match deferral {
            Some(reason) => self.defer(change, reason),
            None => drop(self.changes.insert(change.key(), change)),
        }
        if action != PlannedAction::NoOp {
            self.pending.insert(config_address);
        }
        self.evaluation.check_postconditions(it, &value)?;
        if deferral.is_none() {
            for (index, trigger) in resource.lifecycle.action_triggers.iter().enumerate() {
                self.plan_actions((address, &it.values), action, (index, trigger), false)?;
            }
        }
        Ok(Some(value))
    }

    /// The reason for a replacement that the provider does not require.
    fn forced_replacement(&self, it: &ResourceInstance<'_>, label: &str) -> Result<Option<&'static str>> {
        if self.options.replace.iter().any(|it| it == label) {
            return Ok(Some("replace_by_request"));
        }
        for reference in &it.resource.lifecycle.replace_triggered_by {
            let module = &it.address.module;
            let summary = "Invalid reference in replace_triggered_by expression";
            let steps = self
                .evaluation
                .with_scope(module, &it.values, |scope| static_steps(scope, reference, summary))?;
            if self.is_triggered(&it.address, &steps) {
                return Ok(Some("replace_by_triggers"));
            }
        }
        Ok(None)
    }

    /// True if a change is planned for a reference of `replace_triggered_by`.
    fn is_triggered(&self, address: &Address, steps: &[TraversalStep]) -> bool {
        let Some(name) = resource_name(steps) else { return false };
        let Some((key, rest)) = split_key(&steps[name.mode.name_count()..]) else { return false };
        let path = attribute_path(rest);
        of_resource(&self.changes, &address.module, &name).any(|((other, deposed), change)| {
            if deposed.is_some() || key != InstanceKey::None && key != other.key {
                return false;
            }
            if path.is_root() {
                return change.action == PlannedAction::Update || change.action.is_replace();
            }
            let is_changed = !matches!(change.action, PlannedAction::NoOp | PlannedAction::Create);
            is_changed && change.before.at(&path) != change.after.at(&path)
        })
    }

    /// Plans the deletion of an object.
    pub(crate) fn plan_delete(
        &mut self,
        (address, deposed): &ObjectKey,
        instance: &Instance,
        object: Object,
        resource: Option<&Resource<'_>>,
        reason: Option<&'static str>,
    ) -> Result<()> {
        let label = address.to_string();
        if let Some(resource) = resource
            && resource.lifecycle.prevent_destroy
            && deposed.is_none()
        {
            return Err(vec![prevent_destroy_error(address, resource)]);
        }
        let Some(stored) = &instance.stored else { return Ok(()) };
        let planned = instance.plan_delete(stored).map_err(|it| diagnostics_of_failure(it, &label))?;
        self.evaluation.report(Problem::from_provider(planned.warnings, &label));
        self.pending.insert(address.config());
        let block = &instance.resource.schema().block;
        let before = (stored.value.clone(), marks_of(block, &stored.value, &object.sensitive));
        let after = (Value::Null, Marks::none());
        let change = SimulatedChange {
            deposed: deposed.clone(),
            previous_address: self.moved.get(address).cloned(),
            reason,
            private: planned.private,
            create_before_destroy: object.create_before_destroy,
            ..SimulatedChange::new(address, &object.provider, PlannedAction::Delete, before, after)
        };
        self.changes.insert(change.key(), SimulatedChange { prior: Some(object), ..change });
        Ok(())
    }

    /// Plans the actions of a trigger that follow the changes of a resource.
    pub(crate) fn plan_trigger(&mut self, address: &ConfigAddress, index: usize) -> Result<()> {
        let Some(resource) = self.evaluation.configuration.resource(address) else { return Ok(()) };
        let Some(trigger) = resource.lifecycle.action_triggers.get(index) else { return Ok(()) };
        // A destroy triggers no actions.
        if self.options.destroy {
            return Ok(());
        }
        for (address, values) in self.evaluation.instances_with_values(&address.module, resource)? {
            if let Some(change) = self.changes.get(&(address.clone(), None)) {
                self.plan_actions((&address, &values), change.action, (index, trigger), true)?;
            }
        }
        Ok(())
    }

    /// Plans the actions of a trigger before or after the change of a resource instance.
    fn plan_actions(
        &mut self,
        triggering: Triggering<'_>,
        action: PlannedAction,
        (index, trigger): (usize, &ActionTrigger<'_>),
        is_after: bool,
    ) -> Result<()> {
        let events = trigger.events.iter().filter(|it| it.is_after() == is_after && action.causes(**it));
        for event in events {
            for (position, reference) in trigger.actions.iter().enumerate() {
                let planned =
                    self.evaluation.plan_action(triggering, trigger.condition.as_ref(), reference)?;
                let Some((planned, config)) = planned else { continue };
                self.invocations.push(json!({
                    "address": planned.to_string(),
                    "type": planned.resource.kind,
                    "name": planned.resource.name,
                    "config_values": show::known_json(&config),
                    "lifecycle_action_trigger": {
                        "triggering_resource_address": triggering.0.to_string(),
                        "action_trigger_event": event.name(),
                        "action_trigger_block_index": index,
                        "actions_list_index": position,
                    },
                }));
            }
        }
        Ok(())
    }
}

fn prevent_destroy_error(address: &Address, resource: &Resource<'_>) -> Problem {
    let detail = format!(
        "Resource {address} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. To avoid \
         this error and continue with the plan, either disable lifecycle.prevent_destroy or reduce the scope of the plan using \
         the -target option."
    );
    Problem::error("Instance cannot be destroyed", detail)
        .at(resource.config.file, resource.config.header.clone())
}
