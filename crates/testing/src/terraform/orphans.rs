//! The plan of objects that only the state contains.

use ferroform::value::Value;
use ferroform_lang::marks::Marks;

use super::address::{Address, InstanceKey, Mode, Target};
use super::change::SimulatedChange;
use super::graph::Node;
use super::plan::Planner;
use super::problem::{Problem, Result};
use super::providers::ProviderKey;
use super::state::Object;
use super::values::{RepetitionKind, marks_of, repetition_kind};
use crate::workspace::PlannedAction;

impl Planner<'_> {
    /// Plans the objects of the state that the configuration does not contain.
    pub(crate) fn plan_orphans(&mut self) {
        let keys: Vec<_> = self.evaluation.state.objects.keys().cloned().collect();
        for (address, deposed) in keys {
            if deposed.is_none() && self.visited.contains(&address) {
                continue;
            }
            if address.resource.mode == Mode::Data {
                if self.targets.is_none() {
                    self.evaluation.state.objects.remove(&(address, deposed));
                }
                continue;
            }
            // If a resource failed before any of its instances was visited, its instances are unknown.
            let resource = address.config();
            let is_failed = self.evaluation.failed.contains(&Node::Resource(resource.clone()))
                && !self.visited.iter().any(|it| it.config() == resource);
            let is_targeted = self.targets.as_ref().is_none_or(|it| it.names(&address));
            if is_failed || !is_targeted {
                continue;
            }
            if let Err(problems) = self.plan_orphan(&address, deposed.as_deref()) {
                self.evaluation.report(problems);
            }
        }
    }

    /// True if a `removed` block keeps the object.
    pub(crate) fn is_forgotten(&self, address: &Address) -> bool {
        let modules = self.evaluation.configuration.modules.iter();
        let mut removed = modules.flat_map(|(path, module)| module.removed.iter().map(move |it| (path, it)));
        removed.any(|(path, it)| {
            let outer = path.iter().map(|it| (it.clone(), InstanceKey::None));
            let module = outer.chain(it.from.module.clone()).collect();
            !it.destroy && Target { module, resource: it.from.resource.clone() }.contains(address)
        })
    }

    fn plan_orphan(&mut self, address: &Address, deposed: Option<&str>) -> Result<()> {
        let key = (address.clone(), deposed.map(str::to_owned));
        let Some(object) = self.evaluation.state.objects.get(&key).cloned() else { return Ok(()) };
        let provider = self.provider_of_object(&object)?;
        let Some((instance, object)) = self.refresh(address, deposed, &provider)? else { return Ok(()) };
        if self.options.refresh_only {
            return Ok(());
        }
        if !self.options.destroy && self.is_forgotten(address) {
            let block = &instance.resource.schema().block;
            let before = instance.stored_value();
            let before_marks = marks_of(block, &before, &object.sensitive);
            let (before, after) = ((before, before_marks), (Value::Null, Marks::none()));
            let change = SimulatedChange {
                deposed: key.1,
                reason: Some("delete_because_no_resource_config"),
                prior: Some(object),
                ..SimulatedChange::new(address, &provider, PlannedAction::Forget, before, after)
            };
            self.changes.insert(change.key(), change);
            return Ok(());
        }
        let config_address = address.config();
        let module = self.evaluation.module(&config_address.module);
        let resource = module.and_then(|it| it.resources.get(&address.resource));
        let reason = match (module, resource) {
            _ if self.options.destroy || deposed.is_some() => None,
            _ if self.moved.contains_key(address) && resource.is_none() => {
                Some("delete_because_no_move_target")
            }
            (None, _) => Some("delete_because_no_resource_config"),
            (Some(_), _) if !self.evaluation.modules.contains_key(&address.module) => {
                Some("delete_because_no_module")
            }
            (_, None) => Some("delete_because_no_resource_config"),
            (_, Some(resource)) => Some(match (&address.key, repetition_kind(&resource.repetition)) {
                (InstanceKey::Index(_), RepetitionKind::Count) => "delete_because_count_index",
                (InstanceKey::Name(_), RepetitionKind::ForEach) => "delete_because_each_key",
                _ => "delete_because_wrong_repetition",
            }),
        };
        self.plan_delete(&key, &instance, object, resource, reason)
    }

    /// The provider configuration of an object whose resource may no longer be in the configuration.
    fn provider_of_object(&mut self, object: &Object) -> Result<ProviderKey> {
        let key = object.provider.clone();
        let node = Node::Provider(key.clone());
        let is_configured = self.evaluation.failed.contains(&node) || self.configured.contains(&key);
        if !is_configured {
            if key.alias.is_some() && !self.evaluation.graph.edges.contains_key(&node) {
                let detail = format!(
                    "To work with an object of the state, its original provider configuration at {key} is required, but it \
                     has been removed."
                );
                return Err(vec![Problem::error("Provider configuration not present", detail)]);
            }
            self.evaluation.evaluate_node(&node)?;
            self.configured.insert(key.clone());
        }
        Ok(key)
    }
}
