//! The apply of a planned configuration.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::Block;
use ferroform::value::{Type, json};
use ferroform_lang::marks::{Mark, Marked};

use super::actions::Triggering;
use super::address::{Address, ConfigAddress, InstanceKey, Mode};
use super::change::{Changes, SimulatedChange};
use super::configuration::{ActionTrigger, Resource};
use super::decode::located;
use super::evaluation::Evaluation;
use super::graph::{Graph, Node, sorted};
use super::ignore_changes::ignore_changes;
use super::objects::{new_instance, store, upgrade};
use super::problem::{Problem, Problems, Result, diagnostics_of_failure, has_error};
use super::providers::ProviderKey;
use super::resource_instance::ResourceInstance;
use super::state::{Object, ObjectKey};
use super::values::{RepetitionKind, add_missing_instances, combined, marked, marks_of, repetition_kind};
use crate::cleanup::ObjectId;
use crate::instance::PlannedChange;
use crate::outcome::StepFailure;
use crate::workspace::PlannedAction;
use crate::{Action, Instance};

/// A step of an apply. Nodes come first, so that updates precede the deletions that do not depend on them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ApplyStep {
    /// All instances of a resource are destroyed.
    AllInstancesDestroyed(ConfigAddress),
    /// The actions that precede the changes of a resource.
    Before(ConfigAddress),
    Node(Node),
    Destroy(ObjectKey),
}

/// Applies a plan.
pub(crate) struct Applier<'a> {
    pub(crate) evaluation: Evaluation<'a>,
    changes: &'a Changes,
    is_destroy: bool,
    /// The resources whose changes are deferred.
    deferred: BTreeSet<ConfigAddress>,
    /// The nodes that `-target` selects; `None` without `-target`.
    nodes: Option<&'a BTreeSet<Node>>,
    /// The objects that the harness destroys if the test fails.
    created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    failed: BTreeSet<ApplyStep>,
    /// The keys of the objects that replacements have deposed.
    deposed: BTreeMap<Address, ObjectKey>,
}

impl<'a> Applier<'a> {
    pub(crate) fn new(
        evaluation: Evaluation<'a>,
        changes: &'a Changes,
        is_destroy: bool,
        deferred: BTreeSet<ConfigAddress>,
        nodes: Option<&'a BTreeSet<Node>>,
        created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    ) -> Applier<'a> {
        let (failed, deposed) = (BTreeSet::new(), BTreeMap::new());
        Applier { evaluation, changes, is_destroy, deferred, nodes, created, failed, deposed }
    }

    /// Applies every change. The state contains the results, also after an error.
    pub(crate) fn apply(&mut self) -> Result<()> {
        for (key, _) in self.changes.iter().filter(|(_, it)| it.action == PlannedAction::Forget) {
            self.evaluation.state.objects.remove(key);
        }
        let moved = self.changes.iter().filter_map(|(key, it)| {
            let from = (it.previous_address.clone()?, key.1.clone());
            Some((key.clone(), self.created.remove(&from)?))
        });
        let moved: Vec<_> = moved.collect();
        self.created.extend(moved);
        let edges = self.dependency_edges();
        // A destroy needs only the values that configure providers.
        let needed = self.is_destroy.then(|| self.dependencies_of_providers());
        let order = sorted(&edges).map_err(|_| {
            let detail = "The planned changes depend on each other.";
            vec![Problem::error("Cycle", detail)]
        })?;
        if self.nodes.is_some() {
            let detail = "The plan was created with the -target option in effect, so some changes requested in the configuration may \
                          have been ignored and the output values may not be fully updated.";
            self.evaluation.problems.push(Problem::warning("Applied changes may be incomplete", detail));
        }
        for step in order {
            let is_needed = |node| needed.as_ref().is_none_or(|it: &BTreeSet<Node>| it.contains(node));
            if self.is_excluded(&step) || matches!(&step, ApplyStep::Node(node) if !is_needed(node)) {
                continue;
            }
            let result = match &step {
                _ if edges[&step].iter().any(|it| self.failed.contains(it)) => Err(Problems::new()),
                ApplyStep::AllInstancesDestroyed(_) => Ok(()),
                ApplyStep::Before(address) => self.invoke_actions_before(address),
                ApplyStep::Node(node) => self.apply_node(node),
                ApplyStep::Destroy(key) => self.destroy_object(key),
            };
            if let Err(problems) = result {
                self.evaluation.report(problems);
                if let ApplyStep::Node(node) = &step {
                    self.evaluation.failed.insert(node.clone());
                }
                self.failed.insert(step);
            }
        }
        self.evaluation.close_ephemeral();
        self.store_outputs();
        self.evaluation.state.checks = std::mem::take(&mut self.evaluation.checks);
        if has_error(&self.evaluation.problems) {
            Err(std::mem::take(&mut self.evaluation.problems))
        } else {
            Ok(())
        }
    }

    /// True if `-target` excludes the step.
    fn is_excluded(&self, step: &ApplyStep) -> bool {
        let node = match step {
            ApplyStep::Before(address) => &Node::Resource(address.clone()),
            ApplyStep::Node(node) => node,
            ApplyStep::Destroy(_) | ApplyStep::AllInstancesDestroyed(_) => return false,
        };
        self.nodes.is_some_and(|it| !it.contains(node))
    }

    /// Adds the steps with the actions that precede the changes of resources.
    fn add_actions(&self, edges: &mut BTreeMap<ApplyStep, BTreeSet<ApplyStep>>) {
        for (address, dependencies) in &self.evaluation.graph.before {
            let step = ApplyStep::Before(address.clone());
            if let Some(it) = edges.get_mut(&ApplyStep::Node(Node::Resource(address.clone()))) {
                it.insert(step.clone());
            }
            edges.insert(step, dependencies.iter().cloned().map(ApplyStep::Node).collect());
        }
    }

    /// The order of the steps, as Terraform determines it:
    ///
    /// - an object is created or updated after those on which it depends, and destroyed before those on which it depended are
    ///   destroyed;
    /// - an object is destroyed before its replacement is created, and before its prior dependencies and dependents are created
    ///   or updated. With `create_before_destroy`, it is destroyed after all of these.
    fn dependency_edges(&self) -> BTreeMap<ApplyStep, BTreeSet<ApplyStep>> {
        let graph = &self.evaluation.graph.edges;
        let mut edges: BTreeMap<ApplyStep, BTreeSet<ApplyStep>> = graph
            .iter()
            .map(|(node, dependencies)| {
                (ApplyStep::Node(node.clone()), dependencies.iter().cloned().map(ApplyStep::Node).collect())
            })
            .collect();
        self.add_actions(&mut edges);
        let mut destroyed: BTreeMap<String, Vec<(&SimulatedChange, ApplyStep)>> = BTreeMap::new();
        // The steps that create or update the objects of each resource, and of those that depended on it.
        let mut created: BTreeMap<String, ApplyStep> = BTreeMap::new();
        let mut dependents: BTreeMap<&String, BTreeSet<ApplyStep>> = BTreeMap::new();
        for (key, change) in self.changes {
            let resource = change.address.config();
            if change.action.is_destroy() {
                let step = ApplyStep::Destroy(key.clone());
                destroyed.entry(resource.to_string()).or_default().push((change, step));
            }
            if change.is_create_or_update() {
                let node = ApplyStep::Node(Node::Resource(resource.clone()));
                for it in change.prior_dependencies() {
                    dependents.entry(it).or_default().insert(node.clone());
                }
                created.insert(resource.to_string(), node);
            }
        }
        for (name, objects) in &destroyed {
            for (change, step) in objects {
                let resource = change.address.config();
                let before = edges.entry(step.clone()).or_default();
                let provider = Node::Provider(change.provider.clone());
                if graph.contains_key(&provider) {
                    before.insert(ApplyStep::Node(provider));
                }
                if change.action == PlannedAction::Replace
                    && self.evaluation.graph.before.contains_key(&resource)
                {
                    before.insert(ApplyStep::Before(resource.clone()));
                }
                let replaces = self
                    .changes
                    .get(&(change.address.clone(), None))
                    .is_some_and(SimulatedChange::is_create_or_update);
                let replacement = created.get(name).filter(|_| replaces);
                let dependencies = change.prior_dependencies().filter_map(|it| created.get(it));
                let related =
                    dependents.get(name).into_iter().flatten().chain(replacement).chain(dependencies);
                for other in related {
                    let (first, second) = match change.is_destroyed_last() {
                        true => (other, step),
                        false => (step, other),
                    };
                    edges.entry(second.clone()).or_default().insert(first.clone());
                }
                let all = ApplyStep::AllInstancesDestroyed(resource);
                edges.entry(all.clone()).or_default().insert(step.clone());
                for others in change.prior_dependencies().filter_map(|it| destroyed.get(it)) {
                    // If the first edge exists, another instance of the resource has added all of them.
                    let mut others = others.iter();
                    others.all(|(_, it)| edges.entry(it.clone()).or_default().insert(all.clone()));
                }
            }
        }
        edges
    }

    /// The providers that are used, and everything on which they depend.
    fn dependencies_of_providers(&self) -> BTreeSet<Node> {
        let graph = self.evaluation.graph;
        let providers = graph.edges.keys().filter(|it| matches!(it, Node::Provider(_)) && self.is_used(it));
        graph.with_dependencies(providers.cloned())
    }

    /// True if a resource of the configuration or a change uses the provider.
    fn is_used(&self, provider: &Node) -> bool {
        self.evaluation.graph.is_used(provider)
            || self.changes.values().any(|it| Node::Provider(it.provider.clone()) == *provider)
    }

    fn apply_node(&mut self, node: &Node) -> Result<()> {
        match node {
            Node::Resource(address) => self.apply_resource(address),
            Node::Trigger(address, index) => self.invoke_trigger(address, *index),
            Node::Output(path, _) | Node::Check(path, _) if self.is_destroy && path.is_empty() => Ok(()),
            Node::Provider(_) if !self.is_used(node) => Ok(()),
            node => self.evaluation.evaluate_node(node),
        }
    }

    fn apply_resource(&mut self, config_address: &ConfigAddress) -> Result<()> {
        let Some(resource) = self.evaluation.configuration.resource(config_address) else { return Ok(()) };
        match resource.id.mode {
            Mode::Managed | Mode::Data => {}
            Mode::Ephemeral => return self.evaluation.open_ephemeral(config_address, resource),
            _ => return Ok(()),
        }
        if self.deferred.contains(config_address) {
            for instance in self.evaluation.instances_of(&config_address.module) {
                self.evaluation.set_value(&instance, resource.id.to_string(), Marked::unknown(Type::Dynamic));
            }
            return Ok(());
        }
        let provider = self.evaluation.provider_of(&config_address.module, resource)?;
        let mut problems = Problems::new();
        for instance in self.evaluation.instances_of(&config_address.module) {
            let instances = self.evaluation.expand_or_stored(&instance, resource, self.is_destroy)?;
            let mut values: Vec<(InstanceKey, Marked)> = Vec::new();
            for (key, each) in instances {
                let it = ResourceInstance::new(&instance, resource, &provider, (&key, each.as_ref()));
                match self.apply_instance(&it) {
                    Ok(Some(value)) => values.push((key, value)),
                    Ok(None) => {}
                    Err(found) => problems.extend(found),
                }
            }
            let kind = repetition_kind(&resource.repetition);
            if problems.is_empty() && resource.id.mode == Mode::Managed && !self.is_destroy {
                let harness = self.evaluation.providers.get(&provider)?;
                add_missing_instances(&mut values, kind, resource.block(&harness)?.ty());
            }
            if !values.is_empty() || kind != RepetitionKind::Single {
                self.evaluation.set_value(&instance, resource.id.to_string(), combined(values, kind));
            }
        }
        if has_error(&problems) && resource.check.is_none() {
            return Err(problems);
        }
        self.evaluation.warn(problems);
        Ok(())
    }

    /// Applies the change of an instance, and returns its new value.
    fn apply_instance(&mut self, it: &ResourceInstance<'_>) -> Result<Option<Marked>> {
        let changes: &'a Changes = self.changes;
        let change = changes.get(&(it.address.clone(), None));
        match change.map(|it| (it, it.action)) {
            Some((_, PlannedAction::Read)) => self.read_data_source(it).map(Some),
            Some((
                change,
                PlannedAction::Create
                | PlannedAction::Update
                | PlannedAction::Replace
                | PlannedAction::CreateBeforeDestroy,
            )) => self.apply_managed_instance(it, change).map(Some),
            _ => {
                let value = self.stored_value(it, change)?;
                // A refresh has evaluated the conditions of objects without planned changes.
                let is_planned = change.is_some() || it.resource.id.mode == Mode::Data;
                if let Some(value) = value.as_ref().filter(|_| is_planned && !self.is_destroy) {
                    self.evaluation.check_preconditions(it)?;
                    self.evaluation.check_postconditions(it, value)?;
                }
                Ok(value)
            }
        }
    }

    /// Reads a data source.
    fn read_data_source(&mut self, it: &ResourceInstance<'_>) -> Result<Marked> {
        let harness = self.evaluation.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        let decoded = self.evaluation.decode(it, block)?;
        match (self.evaluation.read_data(it, &decoded), &it.resource.check) {
            (Ok(Ok(value)), _) => Ok(value),
            (Ok(Err(reason)), _) => Err(diagnostics_of_failure(reason.into(), &it.address.to_string())),
            (Err(problems), Some(check)) => {
                self.evaluation.fail_check(&it.address, check, problems);
                self.evaluation.store_unread(it, block, &decoded)
            }
            (Err(problems), None) => Err(problems),
        }
    }

    /// The value of an instance that does not change.
    fn stored_value(
        &mut self,
        it: &ResourceInstance<'_>,
        change: Option<&SimulatedChange>,
    ) -> Result<Option<Marked>> {
        let address = &it.address;
        let harness = self.evaluation.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        let Some(object) = self.evaluation.state.objects.get_mut(&(address.clone(), None)) else {
            return Ok(None);
        };
        if let Some(change) = change.filter(|it| it.action == PlannedAction::NoOp) {
            // The configuration may have changed in ways that do not change the object.
            object.provider = it.provider.clone();
            object.sensitive = change.after_marks.clone().without(Mark::Ephemeral);
            object.create_before_destroy = change.create_before_destroy;
            object.dependencies = stored_dependencies(self.evaluation.graph, address);
        }
        let value = json::decode(object.attributes.as_bytes(), block.ty()).map_err(|error| {
            vec![Problem::error("Invalid state", format!("The state of {address} cannot be read: {error}."))]
        })?;
        Ok(Some(marked(block, &value, &object.sensitive)))
    }

    /// Applies the change of a managed resource instance, and stores the object.
    fn apply_managed_instance(
        &mut self,
        it: &ResourceInstance<'_>,
        change: &SimulatedChange,
    ) -> Result<Marked> {
        let key: ObjectKey = (it.address.clone(), None);
        let mut instance = self.harness_instance(it.provider, &key)?;
        match change.action {
            PlannedAction::Update => {
                if let Some(object) = self.evaluation.state.objects.get(&key) {
                    instance.stored = Some(upgrade(&instance, &it.address.to_string(), object)?);
                }
            }
            PlannedAction::CreateBeforeDestroy => {
                let to = self.new_deposed_key(&it.address);
                if self.change_object_key(&key, &to) {
                    instance.created = None;
                    self.deposed.insert(it.address.clone(), to);
                }
            }
            _ => instance.created = None,
        }
        let definition = instance.resource.clone();
        let block = &definition.schema().block;
        let result = self.apply_change(it, change, block, &mut instance);
        match &instance.stored {
            Some(state) => {
                let marks = change.after_marks.clone().without(Mark::Ephemeral);
                let metadata = Object {
                    sensitive: marks_of(block, &state.value, &marks),
                    dependencies: stored_dependencies(self.evaluation.graph, &it.address),
                    create_before_destroy: change.create_before_destroy,
                    ..Object::empty(it.provider.clone())
                };
                let object = store(&instance, state, &metadata)?;
                self.evaluation.state.objects.insert(key.clone(), object);
                match instance.created {
                    Some(id) => self.created.insert(key, id),
                    None => self.created.remove(&key),
                };
            }
            None => {
                self.evaluation.state.objects.remove(&key);
                // The new object could not be created, so the old one stays the current one.
                if let Some(deposed) = self.deposed.remove(&it.address) {
                    self.change_object_key(&deposed, &key);
                }
            }
        }
        result
    }

    /// Changes the key of an object. Returns false if there is no such object.
    fn change_object_key(&mut self, from: &ObjectKey, to: &ObjectKey) -> bool {
        let Some(object) = self.evaluation.state.objects.remove(from) else { return false };
        self.evaluation.state.objects.insert(to.clone(), object);
        if let Some(id) = self.created.remove(from) {
            self.created.insert(to.clone(), id);
        }
        true
    }

    /// Creates an instance of the harness for an object.
    fn harness_instance(&self, provider: &ProviderKey, key: &ObjectKey) -> Result<Instance> {
        let instance = new_instance(self.evaluation.providers, provider, &key.0.resource.kind)?;
        Ok(Instance { created: self.created.get(key).copied(), ..instance })
    }

    /// Applies a change with the final configuration, and returns the new value.
    fn apply_change(
        &mut self,
        it: &ResourceInstance<'_>,
        change: &SimulatedChange,
        block: &Block,
        instance: &mut Instance,
    ) -> Result<Marked> {
        let (label, resource) = (it.address.to_string(), it.resource);
        self.evaluation.check_preconditions(it)?;
        let mut decoded = self.evaluation.decode(it, block)?;
        let configured = decoded.value.clone();
        if let Some((stored, prior)) = instance.stored.as_ref().zip(change.prior.as_ref()) {
            ignore_changes(&resource.lifecycle, block, (&stored.value, &prior.sensitive), &mut decoded);
        }
        let sensitive = decoded.sensitive();
        if change.action == PlannedAction::Update && change.before == change.after {
            // Only the marks change, which the provider does not see.
            return Ok(marked(block, &change.after, &sensitive));
        }
        let first = PlannedChange {
            action: match change.action {
                PlannedAction::Update => Action::Update,
                action if action.is_replace() => Action::Replace,
                _ => Action::Create,
            },
            planned: change.after.clone(),
            private: change.private.clone(),
            identity: change.identity.clone(),
            requires_replace: Vec::new(),
            deferred: None,
            warnings: ferroform::Diagnostics::new(),
        };
        let errors = |it: StepFailure| located(diagnostics_of_failure(it, &label), &resource.config);
        let last = instance.plan_change_with(&configured, &decoded.value, false).map_err(errors)?;
        let step = format!("the final plan of {label}");
        self.evaluation
            .report(located(Problem::from_provider(last.warnings.clone(), &label), &resource.config));
        if instance.matches_first_plan(&step, &first, &last) {
            let warnings = instance.apply_once(last, &decoded.value).map_err(errors)?;
            self.evaluation.report(located(Problem::from_provider(warnings, &label), &resource.config));
        }
        let new = instance.stored_value();
        let value = marked(block, &new, &sensitive);
        self.evaluation.check_postconditions(it, &value)?;
        Ok(value)
    }

    /// The first key that no deposed object of the instance has.
    fn new_deposed_key(&self, address: &Address) -> ObjectKey {
        let mut key = (address.clone(), None);
        let objects = &self.evaluation.state.objects;
        for number in 1.. {
            key.1 = Some(format!("{number:08x}"));
            if !objects.contains_key(&key) {
                break;
            }
        }
        key
    }

    /// Destroys an object, or the object that a replacement has deposed.
    fn destroy_object(&mut self, key: &ObjectKey) -> Result<()> {
        let (address, deposed) = key;
        let Some(change) = self.changes.get(key) else { return Ok(()) };
        let key = match (change.action, deposed) {
            // The object that the creation has deposed.
            (PlannedAction::CreateBeforeDestroy, None) => match self.deposed.get(address) {
                Some(it) => it.clone(),
                None => return Ok(()),
            },
            _ => key.clone(),
        };
        let Some(object) = self.evaluation.state.objects.get(&key).cloned() else { return Ok(()) };
        let label = address.to_string();
        let mut instance = self.harness_instance(&change.provider, &key)?;
        let state = upgrade(&instance, &label, &object)?;
        let private = match change.action {
            PlannedAction::Delete => change.private.clone(),
            _ => state.private.clone(),
        };
        instance.stored = Some(state);
        let result = instance.delete(private);
        match &instance.stored {
            None => {
                self.evaluation.state.objects.remove(&key);
                self.created.remove(&key);
            }
            Some(state) => {
                let object = store(&instance, state, &object)?;
                self.evaluation.state.objects.insert(key.clone(), object);
            }
        }
        let problems = |it| Problem::without_address(Problem::from_provider(it, &label));
        let warnings = result.map_err(problems)?;
        self.evaluation.report(problems(warnings));
        Ok(())
    }

    /// Invokes the actions that follow the change of a resource.
    fn invoke_trigger(&mut self, address: &ConfigAddress, index: usize) -> Result<()> {
        let Some(resource) = self.evaluation.configuration.resource(address) else { return Ok(()) };
        let Some(trigger) = resource.lifecycle.action_triggers.get(index) else { return Ok(()) };
        self.invoke_for_instances(&address.module, resource, trigger, true)
    }

    /// Invokes the actions that precede the changes of a resource.
    fn invoke_actions_before(&mut self, address: &ConfigAddress) -> Result<()> {
        let Some(resource) = self.evaluation.configuration.resource(address) else { return Ok(()) };
        let mut triggers = resource.lifecycle.action_triggers.iter();
        triggers.try_for_each(|it| self.invoke_for_instances(&address.module, resource, it, false))
    }

    /// Invokes the actions of a trigger before or after the changes of all instances of a resource.
    fn invoke_for_instances(
        &mut self,
        module: &[String],
        resource: &Resource<'_>,
        trigger: &ActionTrigger<'_>,
        is_after: bool,
    ) -> Result<()> {
        // A destroy triggers no actions.
        if self.is_destroy {
            return Ok(());
        }
        for (address, values) in self.evaluation.instances_with_values(module, resource)? {
            if let Some(change) = self.changes.get(&(address.clone(), None)) {
                self.invoke((&address, &values), change.action, trigger, is_after)?;
            }
        }
        Ok(())
    }

    /// Invokes the actions of a trigger before or after the change of an instance.
    fn invoke(
        &mut self,
        triggering: Triggering<'_>,
        action: PlannedAction,
        trigger: &ActionTrigger<'_>,
        is_after: bool,
    ) -> Result<()> {
        for _ in trigger.events.iter().filter(|it| it.is_after() == is_after && action.causes(**it)) {
            for it in &trigger.actions {
                self.evaluation.invoke_action(triggering, trigger.condition.as_ref(), it)?;
            }
        }
        Ok(())
    }

    /// Stores the outputs of the root module.
    fn store_outputs(&mut self) {
        if self.is_destroy {
            if self.nodes.is_none() {
                self.evaluation.state.outputs.clear();
                self.evaluation.state.objects.retain(|(address, _), _| address.resource.mode != Mode::Data);
            }
            return;
        }
        self.evaluation.store_outputs(self.nodes.is_some());
    }
}

/// The objects on which an instance depends, as the state contains them.
fn stored_dependencies(graph: &Graph, address: &Address) -> Vec<String> {
    let mut found: Vec<String> =
        graph.resource_dependencies(&address.config()).map(ToString::to_string).collect();
    found.sort();
    found
}
