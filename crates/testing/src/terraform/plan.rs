//! The plan of a configuration.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::Deferral;
use ferroform::value::Type;
use ferroform_lang::marks::Marked;

use super::address::{Address, ConfigAddress, InstanceKey, Mode, ModuleInstance};
use super::change::{Changes, SimulatedChange};
use super::configuration::Resource;
use super::deferral::reason_name;
use super::evaluation::{Evaluation, Instances};
use super::graph::{Node, self_reference};
use super::imports::{ImportTarget, undeclared_import};
use super::moves;
use super::objects::{new_instance, store, upgrade};
use super::options::PlanOptions;
use super::plan_data::planned_read;
use super::problem::{Problem, Problems, Result, diagnostics_of_failure, has_error};
use super::providers::ProviderKey;
use super::resource_instance::ResourceInstance;
use super::state::Object;
use super::targets::Targets;
use super::values::{
    RepetitionKind, add_missing_instances, combined, marks_of, repetition_kind, unknown_values,
};
use crate::Instance;
use crate::workspace::{Json, PlannedAction};

/// Plans a configuration.
pub(crate) struct Planner<'a> {
    pub(crate) evaluation: Evaluation<'a>,
    pub(crate) options: &'a PlanOptions,
    pub(crate) changes: Changes,
    pub(crate) drift: Vec<SimulatedChange>,
    /// The changes that are deferred to a later plan, with the reasons.
    pub(crate) deferred: Vec<(SimulatedChange, &'static str)>,
    pub(crate) deferred_resources: BTreeSet<ConfigAddress>,
    /// The actions to invoke, as the JSON of a plan.
    pub(crate) invocations: Vec<Json>,
    pub(crate) imports: BTreeMap<Address, ImportTarget>,
    /// The former addresses of objects that `moved` blocks have moved.
    pub(crate) moved: BTreeMap<Address, Address>,
    /// The resources with planned changes.
    pub(crate) pending: BTreeSet<ConfigAddress>,
    /// The resources whose replacements create the new object first.
    pub(crate) create_before_destroy: BTreeSet<ConfigAddress>,
    /// The objects of the state that the plan has handled.
    pub(crate) visited: BTreeSet<Address>,
    pub(crate) targets: Option<Targets>,
    /// The generated configuration of imported objects.
    pub(crate) generated: String,
    /// The providers that this plan has configured.
    pub(crate) configured: BTreeSet<ProviderKey>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(mut evaluation: Evaluation<'a>, options: &'a PlanOptions) -> Result<Planner<'a>> {
        let moved = moves::apply(evaluation.configuration, &mut evaluation.state, &mut evaluation.problems);
        Ok(Planner {
            targets: Targets::select(options, evaluation.graph)?,
            create_before_destroy: forced_create_before_destroy(&evaluation),
            evaluation,
            options,
            changes: Changes::new(),
            drift: Vec::new(),
            deferred: Vec::new(),
            deferred_resources: BTreeSet::new(),
            invocations: Vec::new(),
            imports: BTreeMap::new(),
            moved,
            pending: BTreeSet::new(),
            visited: BTreeSet::new(),
            generated: String::new(),
            configured: BTreeSet::new(),
        })
    }

    /// Plans every node of the configuration, and the objects that only the state contains.
    pub(crate) fn plan(&mut self) -> Result<()> {
        if self.options.destroy {
            self.evaluation.declare_checks();
        }
        for node in self.evaluation.graph.order.clone() {
            if self.targets.as_ref().is_some_and(|it| !it.nodes.contains(&node)) {
                continue;
            }
            let result = match &node {
                _ if self.evaluation.has_failed_dependency(&node) => Err(Problems::new()),
                Node::Resource(address) => self.plan_resource(address),
                Node::Trigger(address, index) => self.plan_trigger(address, *index),
                // A provider without resources is not configured.
                Node::Provider(_) if !self.evaluation.graph.is_used(&node) => Ok(()),
                Node::Provider(key) => {
                    self.configured.insert(key.clone());
                    self.evaluation.evaluate_node(&node)
                }
                // A destroy of everything needs neither outputs nor checks.
                Node::Output(path, _) if self.destroys_everything() && path.is_empty() => Ok(()),
                Node::Check(path, _) if self.options.destroy && path.is_empty() => Ok(()),
                node => self.evaluation.evaluate_node(node),
            };
            if let Err(problems) = result {
                self.evaluation.report(problems);
                self.evaluation.failed.insert(node);
            }
        }
        if let Err(problems) = self.generate_configurations() {
            self.evaluation.report(problems);
        }
        self.plan_orphans();
        if self.options.destroy && !self.destroys_everything() {
            self.evaluation.store_outputs(true);
        }
        self.evaluation.close_ephemeral();
        self.warn_about_options();
        if has_error(&self.evaluation.problems) {
            Err(std::mem::take(&mut self.evaluation.problems))
        } else {
            Ok(())
        }
    }

    fn destroys_everything(&self) -> bool {
        self.options.destroy && self.targets.is_none()
    }

    /// The warnings about `-target`, `-replace` and objects that are forgotten.
    fn warn_about_options(&mut self) {
        if let Some(targets) = &self.targets {
            let detail = "You are creating a plan with the -target option, which means that the result of this plan may not \
                          represent all of the changes requested by the current configuration.";
            self.evaluation.problems.push(Problem::warning("Resource targeting is in effect", detail));
            let is_excluded = |new: &Address, old: &Address| !targets.includes(new) || !targets.names(old);
            let excluded = self.moved.iter().filter(|(new, old)| is_excluded(new, old));
            let excluded: Vec<String> = excluded.map(|(new, _)| new.to_string()).collect();
            if !excluded.is_empty() {
                let detail = format!(
                    "Resource instances in your current state have moved to new addresses in the latest configuration. Include \
                     them in the plan: {}.",
                    excluded.join(", ")
                );
                self.evaluation
                    .problems
                    .push(Problem::error("Moved resource instances excluded by targeting", detail));
            }
        }
        if self.changes.values().any(|it| it.action == PlannedAction::Forget) {
            let detail = "If you apply this plan, Terraform will discard its tracking information for some objects, but it will \
                          not delete them.";
            self.evaluation
                .problems
                .push(Problem::warning("Some objects will no longer be managed by Terraform", detail));
        }
        for address in &self.options.replace {
            let is_found = self.changes.values().any(|it| it.address.to_string() == *address);
            let has_instances = self.changes.values().any(|it| it.address.config().to_string() == *address);
            if !is_found && has_instances {
                let detail = format!(
                    "Your force-replace request for {address} doesn't match any resource instances because this resource doesn't have an instance without a key."
                );
                self.evaluation
                    .problems
                    .push(Problem::warning("Incompletely-matched force-replace resource instance", detail));
            }
        }
    }

    /// True if the instance is selected by `-target`, or if nothing is.
    pub(crate) fn is_targeted(&self, address: &Address) -> bool {
        self.targets.as_ref().is_none_or(|it| it.includes(address))
    }

    pub(crate) fn plan_resource(&mut self, config_address: &ConfigAddress) -> Result<()> {
        let Some(resource) = self.evaluation.configuration.resource(config_address) else { return Ok(()) };
        match resource.id.mode {
            Mode::Managed | Mode::Data => self.plan_instances(config_address, resource),
            Mode::Ephemeral => self.evaluation.open_ephemeral(config_address, resource),
            Mode::Action => self.validate_action(config_address, resource),
            Mode::List => Ok(()),
        }
    }

    /// Plans the instances of a resource or data source.
    fn plan_instances(&mut self, config_address: &ConfigAddress, resource: &Resource<'_>) -> Result<()> {
        if let Some((it, at)) = self_reference(resource) {
            let detail = format!("Configuration for {config_address} may not refer to itself.");
            return Err(vec![Problem::error("Self-referential block", detail).at(it.file, at)]);
        }
        let provider = self.evaluation.provider_of(&config_address.module, resource)?;
        let mut problems = Problems::new();
        let imported = match resource.id.mode {
            Mode::Managed => self.resolve_imports(config_address, resource, &provider)?,
            _ => Vec::new(),
        };
        let is_pending =
            resource.id.mode == Mode::Data && self.has_pending_dependency(config_address, resource);
        for instance in self.evaluation.instances_of(&config_address.module) {
            if self.options.allow_deferral
                && !self.options.destroy
                && self.evaluation.is_repetition_unknown(&instance, &resource.repetition)?
            {
                self.defer_instances(&instance, resource, &provider)?;
                continue;
            }
            // The refresh before a destroy reads the data sources of the configuration.
            let is_refreshed = resource.id.mode == Mode::Data && self.options.refresh;
            let is_stored = self.options.destroy && !is_refreshed;
            let instances = self.evaluation.expand_or_stored(&instance, resource, is_stored)?;
            if !self.options.destroy {
                self.implied_move(&instance, resource, &instances);
            }
            let mut values = Vec::new();
            for (key, each) in instances {
                let it = ResourceInstance::new(&instance, resource, &provider, (&key, each.as_ref()));
                self.visited.insert(it.address.clone());
                let planned = match resource.id.mode {
                    Mode::Data if is_stored || !self.is_selected(&it.address) => self.stored_data_source(&it),
                    Mode::Data if self.options.destroy => self.refresh_data_source(&it),
                    Mode::Data => self.plan_data_source(&it, is_pending).map(Some),
                    _ => self.plan_managed_instance(&it),
                };
                match planned {
                    Ok(Some(value)) => values.push((key, value)),
                    Ok(None) => {}
                    Err(found) => problems.extend(found),
                }
            }
            let kind = repetition_kind(&resource.repetition);
            if problems.is_empty() && resource.id.mode == Mode::Managed {
                let harness = self.evaluation.providers.get(&provider)?;
                add_missing_instances(&mut values, kind, resource.block(&harness)?.ty());
            }
            if !values.is_empty() || kind != RepetitionKind::Single {
                self.evaluation.set_value(&instance, resource.id.to_string(), combined(values, kind));
            }
        }
        if !self.deferred_resources.contains(config_address) {
            let undeclared = imported.iter().filter(|it| !self.visited.contains(it));
            problems.extend(undeclared.map(undeclared_import));
        }
        // The errors of a data source in a check block are warnings.
        if resource.check.is_some() {
            self.evaluation.warn(problems);
            return Ok(());
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Defers a resource whose `count` or `for_each` is unknown.
    fn defer_instances(
        &mut self,
        module: &ModuleInstance,
        resource: &Resource<'_>,
        provider: &ProviderKey,
    ) -> Result<()> {
        let harness = self.evaluation.providers.get(provider)?;
        let block = resource.block(&harness)?;
        let instance = ResourceInstance {
            values: unknown_values(&resource.repetition),
            ..ResourceInstance::new(module, resource, provider, (&InstanceKey::Unknown, None))
        };
        let decoded = self.evaluation.decode(&instance, block)?;
        let (mut change, _) = planned_read(&instance, block, &decoded);
        if resource.id.mode == Mode::Managed {
            change.action = PlannedAction::Create;
        }
        self.defer(change, "instance_count_unknown");
        self.evaluation.set_value(module, resource.id.to_string(), Marked::unknown(Type::Dynamic));
        Ok(())
    }

    pub(crate) fn defer(&mut self, change: SimulatedChange, reason: &'static str) {
        self.deferred_resources.insert(change.address.config());
        self.deferred.push((change, reason));
    }

    /// The reason to defer a change: that of the provider, or that of an object on which it depends.
    pub(crate) fn deferral_reason(
        &self,
        address: &ConfigAddress,
        of_provider: Option<Deferral>,
    ) -> Option<&'static str> {
        if !self.options.allow_deferral {
            return None;
        }
        let mut dependencies = self.evaluation.graph.resource_dependencies(address);
        match of_provider {
            Some(reason) => Some(reason_name(reason)),
            None => dependencies.any(|it| self.deferred_resources.contains(it)).then_some("deferred_prereq"),
        }
    }

    /// Moves the only instance to `[0]` if the resource gets `count`, and back if it loses it, as Terraform does.
    fn implied_move(&mut self, module: &ModuleInstance, resource: &Resource<'_>, instances: &Instances) {
        let has = |key: &InstanceKey| instances.iter().any(|(it, _)| it == key);
        let address = |key| Address { module: module.clone(), resource: resource.id.clone(), key };
        for (from, to) in
            [(InstanceKey::None, InstanceKey::Index(0)), (InstanceKey::Index(0), InstanceKey::None)]
        {
            let (old, new) = (address(from.clone()), address(to.clone()));
            if has(&to)
                && !has(&from)
                && self.evaluation.state.get(&new).is_none()
                && self.evaluation.state.get(&old).is_some()
            {
                moves::move_instance(&mut self.evaluation.state, &mut self.moved, old, new);
            }
        }
    }

    /// True if `-target` selects the instance for the refresh.
    fn is_selected(&self, address: &Address) -> bool {
        self.targets.as_ref().is_none_or(|it| it.is_refreshed(address))
    }

    /// Upgrades the stored state of an object, and refreshes it. Returns `None` if the remote object no longer exists.
    pub(crate) fn refresh(
        &mut self,
        address: &Address,
        deposed: Option<&str>,
        provider: &ProviderKey,
    ) -> Result<Option<(Instance, Object)>> {
        let key = (address.clone(), deposed.map(str::to_owned));
        let Some(object) = self.evaluation.state.objects.get(&key).cloned() else { return Ok(None) };
        let label = address.to_string();
        let mut instance = new_instance(self.evaluation.providers, provider, &address.resource.kind)?;
        let source = self.moved.get(address).filter(|it| it.resource.kind != address.resource.kind);
        instance.stored = Some(match source {
            Some(source) => moves::move_state(&instance, &label, &source.resource.kind, &object)?,
            None => upgrade(&instance, &label, &object)?,
        });
        let old = instance.stored_value();
        // Only a refresh-only plan reads objects that a `removed` block keeps.
        let is_kept = self.options.refresh_only || !self.is_forgotten(address);
        if self.options.refresh && is_kept && self.is_selected(address) {
            let diff = instance.read().map_err(|it| diagnostics_of_failure(it, &label))?;
            self.evaluation.report(Problem::from_provider(diff.warnings, &label));
        }
        let refreshed = match &instance.stored {
            Some(state) => Some(store(&instance, state, &object)?),
            None => None,
        };
        let new = instance.stored_value();
        let is_moved = self.moved.contains_key(address);
        let is_shown = deposed.is_none() && !self.options.destroy;
        if is_shown && (old != new || self.options.refresh_only && is_moved) {
            let block = &instance.resource.schema().block;
            let action = match (new.is_null(), old == new) {
                (true, _) => PlannedAction::Delete,
                (_, true) => PlannedAction::NoOp,
                _ => PlannedAction::Update,
            };
            let old_marks = marks_of(block, &old, &object.sensitive);
            let new_marks = marks_of(block, &new, &object.sensitive);
            self.drift.push(SimulatedChange {
                previous_address: self.moved.get(address).cloned(),
                ..SimulatedChange::new(address, provider, action, (old, old_marks), (new, new_marks))
            });
        }
        match refreshed {
            Some(object) => {
                self.evaluation.state.objects.insert(key, object.clone());
                Ok(Some((instance, object)))
            }
            None => {
                self.evaluation.state.objects.remove(&key);
                Ok(None)
            }
        }
    }

    /// Checks that the provider defines the type of an action.
    fn validate_action(&mut self, config_address: &ConfigAddress, resource: &Resource<'_>) -> Result<()> {
        let provider = self.evaluation.provider_of(&config_address.module, resource)?;
        resource.block(&self.evaluation.providers.get(&provider)?).map(drop)
    }
}

/// The resources whose new object is created before the old one is destroyed: those with the argument, and their
/// dependencies.
fn forced_create_before_destroy(evaluation: &Evaluation<'_>) -> BTreeSet<ConfigAddress> {
    let mut found = BTreeSet::new();
    for (path, module) in &evaluation.configuration.modules {
        for resource in module.resources.values() {
            let address = ConfigAddress { module: path.clone(), resource: resource.id.clone() };
            if resource.lifecycle.create_before_destroy && !found.contains(&address) {
                found.extend(evaluation.graph.managed_dependencies(&address).cloned());
                found.insert(address);
            }
        }
    }
    found
}
