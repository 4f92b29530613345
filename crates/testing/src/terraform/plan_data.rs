//! The plan of data sources.

use std::collections::BTreeSet;

use ferroform::schema::Block;
use ferroform::value::{Value, json};
use ferroform_lang::marks::{Marked, Marks};

use super::address::{ConfigAddress, Mode};
use super::change::SimulatedChange;
use super::configuration::Resource;
use super::decode::{Decoded, located};
use super::graph::{Node, explicit_nodes};
use super::plan::Planner;
use super::problem::{Problem, Result};
use super::resource_instance::ResourceInstance;
use super::values::{marked, with_unknown_computed};
use crate::workspace::PlannedAction;

impl Planner<'_> {
    /// Reads a data source before a destroy, if its configuration is known.
    pub(crate) fn refresh_data_source(&mut self, it: &ResourceInstance<'_>) -> Result<Option<Marked>> {
        let harness = self.evaluation.providers.get(it.provider)?;
        let decoded = self.evaluation.decode(it, it.resource.block(&harness)?)?;
        if decoded.value.is_wholly_known()
            && let Ok(value) = self.evaluation.read_data(it, &decoded)?
        {
            return Ok(Some(value));
        }
        self.stored_data_source(it)
    }

    /// The stored value of a data source that is not read.
    pub(crate) fn stored_data_source(&mut self, it: &ResourceInstance<'_>) -> Result<Option<Marked>> {
        let harness = self.evaluation.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        let Some(object) = self.evaluation.state.get(&it.address) else { return Ok(None) };
        let value = json::decode(object.attributes.as_bytes(), block.ty()).ok();
        Ok(value.map(|it| marked(block, &it, &object.sensitive)))
    }

    /// Reads a data source, or plans to read it during the apply.
    pub(crate) fn plan_data_source(&mut self, it: &ResourceInstance<'_>, is_pending: bool) -> Result<Marked> {
        let harness = self.evaluation.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        self.evaluation.check_preconditions(it)?;
        let decoded = self.evaluation.decode(it, block)?;
        self.evaluation.check_ephemeral(it, &decoded, block)?;
        let is_known = decoded.value.is_wholly_known();
        if let Some(check) = it.resource.check.as_deref().filter(|_| is_known && !is_pending) {
            return self.read_data_source_of_check(it, block, &decoded, check);
        }
        let resource = it.address.config();
        if is_known && !is_pending {
            return match self.evaluation.read_data(it, &decoded)? {
                Ok(value) => Ok(value),
                Err(reason) => {
                    let (change, value) = planned_read(it, block, &decoded);
                    let reason = self.deferral_reason(&resource, Some(reason)).unwrap_or("unknown");
                    self.defer(change, reason);
                    Ok(value)
                }
            };
        }
        // The provider validates a configuration with unknown values as well.
        let label = it.address.to_string();
        let owner = Mode::Data.kind().named(&it.resource.id.kind);
        let validation = harness.server().validate_config(owner, decoded.value.clone(), true);
        let warnings = harness.run_for_diagnostics(&format!("the validation of {label}"), owner, validation);
        let warnings = warnings
            .map_err(|errors| located(Problem::from_provider(errors, &label), &it.resource.config))?;
        self.evaluation.report(Problem::from_provider(warnings, &label));
        let (mut change, value) = planned_read(it, block, &decoded);
        change.reason = Some(match is_known {
            true => "read_because_dependency_pending",
            false => "read_because_config_unknown",
        });
        match self.deferral_reason(&resource, None) {
            Some(reason) => self.defer(change, reason),
            None => drop(self.changes.insert(change.key(), change)),
        }
        self.pending.insert(resource);
        Ok(value)
    }

    /// Reads a data source of a `check` block. It is read again during the apply, and its errors are warnings.
    fn read_data_source_of_check(
        &mut self,
        it: &ResourceInstance<'_>,
        block: &Block,
        decoded: &Decoded,
        check: &str,
    ) -> Result<Marked> {
        let read_again = planned_read(it, block, decoded);
        let (mut change, value) = match self.evaluation.read_data(it, decoded) {
            Ok(Ok(value)) => {
                let (after, after_marks) = (value.typed.value.clone(), value.marks.clone());
                (SimulatedChange { after, after_marks, ..read_again.0 }, value)
            }
            Ok(Err(_)) => read_again,
            Err(problems) => {
                self.evaluation.fail_check(&it.address, check, problems);
                read_again
            }
        };
        change.reason = Some("read_because_check_nested");
        self.changes.insert(change.key(), change);
        Ok(value)
    }

    /// True if a resource of `depends_on` has planned changes: its own, or that of a module which contains it.
    pub(crate) fn has_pending_dependency(&self, address: &ConfigAddress, resource: &Resource<'_>) -> bool {
        let explicit = |path, references| explicit_nodes(self.evaluation.configuration, path, references);
        let of_modules = (0..address.module.len()).flat_map(|depth| {
            let (parent, name) = (&address.module[..depth], &address.module[depth]);
            let call = self.evaluation.module(parent).and_then(|it| it.calls.get(name));
            call.map(|it| explicit(parent, &it.depends_on)).unwrap_or_default()
        });
        let explicit: BTreeSet<Node> =
            explicit(&address.module, &resource.depends_on).into_iter().chain(of_modules).collect();
        // A direct reference to a resource counts as well, and with conditions also an indirect one.
        let has_conditions =
            !resource.lifecycle.preconditions.is_empty() || !resource.lifecycle.postconditions.is_empty();
        let direct = self.evaluation.graph.edges.get(&Node::Resource(address.clone())).into_iter().flatten();
        let indirect = self.evaluation.graph.managed_dependencies(address).filter(|_| has_conditions);
        let is_pending = |it: &ConfigAddress| it.resource.mode == Mode::Managed && self.pending.contains(it);
        direct.into_iter().any(|it| matches!(it, Node::Resource(it) if is_pending(it)))
            || indirect.into_iter().any(is_pending)
            || explicit.iter().any(|node| {
                matches!(node, Node::Resource(it) if self.pending.contains(it))
                    || self.evaluation.graph.dependencies(node).any(|it| self.pending.contains(it))
            })
    }
}

/// Plans to read a data source during the apply, and returns the change and the planned value.
pub(crate) fn planned_read(
    it: &ResourceInstance<'_>,
    block: &Block,
    decoded: &Decoded,
) -> (SimulatedChange, Marked) {
    let after = with_unknown_computed(block, &decoded.value);
    let value = marked(block, &after, &decoded.sensitive());
    let (before, after) = ((Value::Null, Marks::none()), (after, value.marks.clone()));
    (SimulatedChange::new(&it.address, it.provider, PlannedAction::Read, before, after), value)
}
