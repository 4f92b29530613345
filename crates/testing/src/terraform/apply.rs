//! The apply of a planned configuration.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::Block;
use ferroform::value::{Type, Typed, Value, json};
use ferroform_lang::marks::{Mark, Marked};

use super::actions::Triggering;
use super::address::{Address, ConfigAddress, InstanceKey, Mode};
use super::change::{Change, Changes, PlannedAction};
use super::configuration::{ActionTrigger, Resource};
use super::decode::located;
use super::graph::{Graph, Node, sorted};
use super::ignore_changes::ignore_changes;
use super::objects::{instance, store, upgraded};
use super::problem::{Problem, Problems, Result, failure, has_error};
use super::providers::ProviderKey;
use super::resource_instance::ResourceInstance;
use super::run::Run;
use super::state::{Object, ObjectKey, OutputValue};
use super::values::{Shape, combined, marked, shape};
use crate::cleanup::ObjectId;
use crate::instance::PlannedChange;
use crate::outcome::StepFailure;
use crate::{Action, Instance};

/// A step of an apply. Nodes come first, so that updates precede the deletions that do not depend on them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// The actions that precede the changes of a resource.
    Before(ConfigAddress),
    Node(Node),
    Destroy(ObjectKey),
}

/// Applies a plan.
pub(crate) struct Applier<'a> {
    pub(crate) run: Run<'a>,
    changes: &'a Changes,
    is_destroy: bool,
    /// The resources whose changes are deferred.
    deferred: BTreeSet<ConfigAddress>,
    /// The nodes of `-target`.
    nodes: Option<&'a BTreeSet<Node>>,
    /// The objects that the harness destroys if the test fails.
    created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    failed: BTreeSet<Step>,
}

impl<'a> Applier<'a> {
    pub(crate) fn new(
        run: Run<'a>,
        changes: &'a Changes,
        is_destroy: bool,
        deferred: BTreeSet<ConfigAddress>,
        nodes: Option<&'a BTreeSet<Node>>,
        created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    ) -> Applier<'a> {
        Applier { run, changes, is_destroy, deferred, nodes, created, failed: BTreeSet::new() }
    }

    /// Applies every change. The state contains the results, also after an error.
    pub(crate) fn apply(&mut self) -> Result<()> {
        for (key, _) in self.changes.iter().filter(|(_, it)| it.action == PlannedAction::Forget) {
            self.run.state.objects.remove(key);
        }
        let edges = self.edges();
        let order = sorted(&edges).map_err(|_| {
            let detail = "The planned changes depend on each other.";
            vec![Problem::error("Cycle", detail)]
        })?;
        if self.nodes.is_some() {
            let detail = "The plan was created with the -target option in effect, so some changes requested in the configuration may \
                          have been ignored and the output values may not be fully updated.";
            self.run.problems.push(Problem::warning("Applied changes may be incomplete", detail));
        }
        for step in order {
            if self.is_excluded(&step) {
                continue;
            }
            if edges[&step].iter().any(|it| self.failed.contains(it)) {
                if let Step::Node(node) = &step {
                    self.run.failed.insert(node.clone());
                }
                self.failed.insert(step);
                continue;
            }
            let result = match &step {
                Step::Before(address) => self.before(address),
                Step::Node(node) => self.node(node),
                Step::Destroy(key) => self.destroy(key),
            };
            if let Err(problems) = result {
                self.run.report(problems);
                if let Step::Node(node) = &step {
                    self.run.failed.insert(node.clone());
                }
                self.failed.insert(step);
            }
        }
        self.run.close_ephemeral();
        self.outputs();
        self.run.state.checks = std::mem::take(&mut self.run.checks);
        if has_error(&self.run.problems) { Err(std::mem::take(&mut self.run.problems)) } else { Ok(()) }
    }

    /// True if `-target` excludes the step.
    fn is_excluded(&self, step: &Step) -> bool {
        let node = match step {
            Step::Before(address) => &Node::Resource(address.clone()),
            Step::Node(node) => node,
            Step::Destroy(_) => return false,
        };
        self.nodes.is_some_and(|it| !it.contains(node))
    }

    /// Adds the steps with the actions that precede the changes of resources.
    fn add_actions(&self, edges: &mut BTreeMap<Step, BTreeSet<Step>>) {
        for (address, dependencies) in &self.run.graph.before {
            let step = Step::Before(address.clone());
            if let Some(it) = edges.get_mut(&Step::Node(Node::Resource(address.clone()))) {
                it.insert(step.clone());
            }
            edges.insert(step, dependencies.iter().cloned().map(Step::Node).collect());
        }
    }

    /// The order of the steps, as Terraform determines it:
    ///
    /// - an object is created or updated after those on which it depends, and destroyed before them;
    /// - a replaced object is destroyed before its successor is created, and with `create_before_destroy` after its
    ///   dependents have been updated.
    fn edges(&self) -> BTreeMap<Step, BTreeSet<Step>> {
        let graph = &self.run.graph.edges;
        let mut edges: BTreeMap<Step, BTreeSet<Step>> = graph
            .iter()
            .map(|(node, dependencies)| {
                (Step::Node(node.clone()), dependencies.iter().cloned().map(Step::Node).collect())
            })
            .collect();
        self.add_actions(&mut edges);
        let mut destroyed: BTreeMap<String, Vec<(&Change, Step)>> = BTreeMap::new();
        let mut updated: BTreeMap<String, Step> = BTreeMap::new();
        for (key, change) in self.changes {
            let resource = change.address.config();
            match change.action {
                PlannedAction::Delete | PlannedAction::Replace | PlannedAction::CreateBeforeDestroy => {
                    let step = Step::Destroy(key.clone());
                    destroyed.entry(resource.to_string()).or_default().push((change, step));
                }
                PlannedAction::Update => {
                    updated.insert(resource.to_string(), Step::Node(Node::Resource(resource)));
                }
                _ => {}
            }
        }
        let is_create_first = |it: &Change| it.action == PlannedAction::CreateBeforeDestroy;
        let dependents = match self.changes.values().any(is_create_first) {
            true => self.run.graph.managed_dependents(),
            false => BTreeMap::new(),
        };
        for (change, step) in destroyed.values().flatten() {
            let mut before: BTreeSet<Step> = BTreeSet::new();
            let provider = Node::Provider(change.provider.clone());
            if graph.contains_key(&provider) {
                before.insert(Step::Node(provider));
            }
            let resource = change.address.config();
            let node = Node::Resource(resource.clone());
            let actions = Step::Before(resource.clone());
            if change.action == PlannedAction::Replace && edges.contains_key(&actions) {
                before.insert(actions);
            }
            if is_create_first(change) {
                before.insert(Step::Node(node.clone()));
                let dependents = dependents.get(&resource).into_iter().flatten();
                before.extend(dependents.map(|it| Step::Node(Node::Resource((*it).clone()))));
            }
            edges.entry(step.clone()).or_default().extend(before);
            if change.action == PlannedAction::Replace
                && let Some(dependencies) = edges.get_mut(&Step::Node(node))
            {
                dependencies.insert(step.clone());
            }
            let dependencies = change.prior.iter().flat_map(|it| &it.dependencies);
            for dependency in dependencies {
                match destroyed.get(dependency) {
                    Some(others) => {
                        for (_, other) in others {
                            edges.entry(other.clone()).or_default().insert(step.clone());
                        }
                    }
                    None if !is_create_first(change) => {
                        if let Some(of_node) = updated.get(dependency).and_then(|it| edges.get_mut(it)) {
                            of_node.insert(step.clone());
                        }
                    }
                    None => {}
                }
            }
        }
        edges
    }

    /// True if a resource of the configuration or a change uses the provider.
    fn is_used(&self, provider: &Node) -> bool {
        self.run.graph.is_used(provider)
            || self.changes.values().any(|it| Node::Provider(it.provider.clone()) == *provider)
    }

    fn node(&mut self, node: &Node) -> Result<()> {
        match node {
            Node::Resource(address) => self.resource(address),
            Node::Trigger(address, index) => self.trigger(address, *index),
            Node::Output(path, _) | Node::Check(path, _) if self.is_destroy && path.is_empty() => Ok(()),
            Node::Provider(_) if !self.is_used(node) => Ok(()),
            node => self.run.evaluate_node(node),
        }
    }

    fn resource(&mut self, config_address: &ConfigAddress) -> Result<()> {
        let module = self.run.module(&config_address.module);
        let Some(resource) = module.and_then(|it| it.resources.get(&config_address.resource)) else {
            return Ok(());
        };
        match resource.id.mode {
            Mode::Managed | Mode::Data => {}
            Mode::Ephemeral if !self.is_destroy => return self.run.open_ephemeral(config_address, resource),
            _ => return Ok(()),
        }
        if self.deferred.contains(config_address) {
            for instance in self.run.instances_of(&config_address.module) {
                self.run.set(&instance, resource.id.to_string(), Marked::unknown(Type::Dynamic));
            }
            return Ok(());
        }
        let provider = self.run.provider_of(&config_address.module, resource)?;
        let mut problems = Problems::new();
        for instance in self.run.instances_of(&config_address.module) {
            let instances = self.run.expand_or_stored(&instance, resource, self.is_destroy)?;
            let mut values: Vec<(InstanceKey, Marked)> = Vec::new();
            for (key, each) in instances {
                let it = ResourceInstance::new(&instance, resource, &provider, (&key, each.as_ref()));
                match self.instance(&it) {
                    Ok(Some(value)) => values.push((key, value)),
                    Ok(None) => {}
                    Err(found) => problems.extend(found),
                }
            }
            let shape = shape(&resource.repetition);
            if !values.is_empty() || shape != Shape::Single {
                self.run.set(&instance, resource.id.to_string(), combined(values, shape));
            }
        }
        if has_error(&problems) && resource.check.is_none() {
            return Err(problems);
        }
        self.run.warn(problems);
        Ok(())
    }

    /// Applies the change of an instance, and returns its new value.
    fn instance(&mut self, it: &ResourceInstance<'_>) -> Result<Option<Marked>> {
        let changes: &'a Changes = self.changes;
        let change = changes.get(&(it.address.clone(), None));
        match change.map(|it| (it, it.action)) {
            Some((_, PlannedAction::Read)) => self.read(it).map(Some),
            Some((
                change,
                PlannedAction::Create
                | PlannedAction::Update
                | PlannedAction::Replace
                | PlannedAction::CreateBeforeDestroy,
            )) => self.managed(it, change).map(Some),
            _ => {
                let value = self.stored(it, change)?;
                if let Some(value) = value.as_ref().filter(|_| !self.is_destroy) {
                    self.run.preconditions(it)?;
                    self.run.postconditions(it, value)?;
                }
                Ok(value)
            }
        }
    }

    /// Reads a data source.
    fn read(&mut self, it: &ResourceInstance<'_>) -> Result<Marked> {
        let harness = self.run.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        let decoded = self.run.decode(it, block)?;
        match (self.run.read_data(it, &decoded), &it.resource.check) {
            (Ok(Ok(value)), _) => Ok(value),
            (Ok(Err(reason)), _) => Err(failure(reason.into(), &it.address.to_string())),
            (Err(problems), Some(check)) => {
                self.run.fail_check(&it.address, check, problems);
                self.run.store_unread(it, block, &decoded)
            }
            (Err(problems), None) => Err(problems),
        }
    }

    /// The value of an instance that does not change.
    fn stored(&mut self, it: &ResourceInstance<'_>, change: Option<&Change>) -> Result<Option<Marked>> {
        let address = &it.address;
        let harness = self.run.providers.get(it.provider)?;
        let block = it.resource.block(&harness)?;
        let Some(object) = self.run.state.objects.get_mut(&(address.clone(), None)) else { return Ok(None) };
        if let Some(change) = change.filter(|it| it.action == PlannedAction::NoOp) {
            // The configuration may have changed in ways that do not change the object.
            object.sensitive = change.after_marks.clone().without(Mark::Ephemeral);
            object.create_before_destroy = change.create_before_destroy;
            object.dependencies = dependencies(self.run.graph, address);
        }
        let value = json::decode(object.attributes.as_bytes(), block.ty()).map_err(|error| {
            vec![Problem::error("Invalid state", format!("The state of {address} cannot be read: {error}."))]
        })?;
        Ok(Some(marked(block, &value, &object.sensitive)))
    }

    fn managed(&mut self, it: &ResourceInstance<'_>, change: &Change) -> Result<Marked> {
        let key: ObjectKey = (it.address.clone(), None);
        let mut instance = self.harness_instance(it.provider, &key)?;
        let mut deposed = None;
        match change.action {
            PlannedAction::Update => {
                if let Some(object) = self.run.state.objects.get(&key) {
                    instance.stored = Some(upgraded(&instance, &it.address.to_string(), object)?);
                }
            }
            PlannedAction::CreateBeforeDestroy => {
                let to = (it.address.clone(), Some(self.deposed_name(&it.address)));
                if self.rename(&key, &to) {
                    instance.created = None;
                    deposed = Some(to);
                }
            }
            _ => instance.created = None,
        }
        let definition = instance.resource.clone();
        let block = &definition.schema().block;
        let result = self.apply_managed(it, change, block, &mut instance);
        match &instance.stored {
            Some(state) => {
                let marks = change.after_marks.clone().without(Mark::Ephemeral);
                let metadata = Object {
                    sensitive: marked(block, &state.value, &marks).marks,
                    dependencies: dependencies(self.run.graph, &it.address),
                    create_before_destroy: change.create_before_destroy,
                    ..Object::empty(it.provider.clone())
                };
                let object = store(&instance, state, &metadata)?;
                self.run.state.objects.insert(key.clone(), object);
                match instance.created {
                    Some(id) => self.created.insert(key, id),
                    None => self.created.remove(&key),
                };
            }
            None => {
                self.run.state.objects.remove(&key);
                // The new object could not be created, so the old one stays the current one.
                if let Some(deposed) = deposed {
                    self.rename(&deposed, &key);
                }
            }
        }
        result
    }

    /// Gives an object another key. Returns false if there is no such object.
    fn rename(&mut self, from: &ObjectKey, to: &ObjectKey) -> bool {
        let Some(object) = self.run.state.objects.remove(from) else { return false };
        self.run.state.objects.insert(to.clone(), object);
        if let Some(id) = self.created.remove(from) {
            self.created.insert(to.clone(), id);
        }
        true
    }

    fn harness_instance(&self, provider: &ProviderKey, key: &ObjectKey) -> Result<Instance> {
        let instance = instance(self.run.providers, provider, &key.0.resource.kind)?;
        Ok(Instance { created: self.created.get(key).copied(), ..instance })
    }

    fn apply_managed(
        &mut self,
        it: &ResourceInstance<'_>,
        change: &Change,
        block: &Block,
        instance: &mut Instance,
    ) -> Result<Marked> {
        let (label, resource) = (it.address.to_string(), it.resource);
        self.run.preconditions(it)?;
        let mut decoded = self.run.decode(it, block)?;
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
        let errors = |it: StepFailure| located(failure(it, &label), resource);
        let last = instance.plan_change_with(&configured, &decoded.value, false).map_err(errors)?;
        let step = format!("the final plan of {label}");
        self.run.report(located(Problem::from_provider(last.warnings.clone(), &label), resource));
        if instance.matches_first_plan(&step, &first, &last) {
            let warnings = instance.apply_once(last, &decoded.value).map_err(errors)?;
            self.run.report(located(Problem::from_provider(warnings, &label), resource));
        }
        let new = instance.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
        let value = marked(block, &new, &sensitive);
        self.run.postconditions(it, &value)?;
        Ok(value)
    }

    /// The key of a new deposed object.
    fn deposed_name(&self, address: &Address) -> String {
        format!("{:08x}", self.run.state.deposed(address).count() + 1)
    }

    fn destroy(&mut self, key: &ObjectKey) -> Result<()> {
        let (address, deposed) = key;
        let Some(change) = self.changes.get(key) else { return Ok(()) };
        let key = match (change.action, deposed) {
            // The object that the creation has deposed.
            (PlannedAction::CreateBeforeDestroy, None) => match self.run.state.deposed(address).last() {
                Some(it) => (address.clone(), Some(it.to_owned())),
                None => return Ok(()),
            },
            _ => key.clone(),
        };
        let Some(object) = self.run.state.objects.get(&key).cloned() else { return Ok(()) };
        let label = address.to_string();
        let mut instance = self.harness_instance(&change.provider, &key)?;
        let state = upgraded(&instance, &label, &object)?;
        let private = match change.action {
            PlannedAction::Delete => change.private.clone(),
            _ => state.private.clone(),
        };
        instance.stored = Some(state);
        let result = instance.delete(private);
        match &instance.stored {
            None => {
                self.run.state.objects.remove(&key);
                self.created.remove(&key);
            }
            Some(state) => {
                let object = store(&instance, state, &object)?;
                self.run.state.objects.insert(key.clone(), object);
            }
        }
        let problems = |it| Problem::without_address(Problem::from_provider(it, &label));
        let warnings = result.map_err(problems)?;
        self.run.report(problems(warnings));
        Ok(())
    }

    /// Invokes the actions that follow the change of a resource.
    fn trigger(&mut self, address: &ConfigAddress, index: usize) -> Result<()> {
        let module = self.run.module(&address.module);
        let Some(resource) = module.and_then(|it| it.resources.get(&address.resource)) else { return Ok(()) };
        let Some(trigger) = resource.lifecycle.action_triggers.get(index) else { return Ok(()) };
        self.invoke_all(&address.module, resource, trigger, true)
    }

    /// Invokes the actions that precede the changes of a resource.
    fn before(&mut self, address: &ConfigAddress) -> Result<()> {
        let module = self.run.module(&address.module);
        let Some(resource) = module.and_then(|it| it.resources.get(&address.resource)) else { return Ok(()) };
        let mut triggers = resource.lifecycle.action_triggers.iter();
        triggers.try_for_each(|it| self.invoke_all(&address.module, resource, it, false))
    }

    /// Invokes the actions of a trigger before or after the changes of all instances of a resource.
    fn invoke_all(
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
        for (address, names) in self.run.instances_with_names(module, resource)? {
            if let Some(change) = self.changes.get(&(address.clone(), None)) {
                self.invoke((&address, &names), change.action, trigger, is_after)?;
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
                self.run.invoke_action(triggering, trigger.condition.as_ref(), it)?;
            }
        }
        Ok(())
    }

    /// Stores the outputs of the root module.
    pub(crate) fn outputs(&mut self) {
        if self.is_destroy {
            if !has_error(&self.run.problems) && self.nodes.is_none() {
                self.run.state.outputs.clear();
                self.run.state.objects.retain(|(address, _), _| address.resource.mode != Mode::Data);
            }
            return;
        }
        let Some(module) = self.run.module(&[]) else { return };
        let declared: BTreeSet<&String> = module.outputs.keys().collect();
        self.run.state.outputs.retain(|name, _| declared.contains(name));
        let values = self.run.modules.get(&Vec::new()).map(|it| it.outputs.clone()).unwrap_or_default();
        for (name, value) in values {
            let is_sensitive = value.marks.contains(Mark::Sensitive);
            let typed = match value.typed.value.is_wholly_known() {
                true => value.typed,
                false => Typed::new(Type::Dynamic, Value::Null),
            };
            // Terraform does not store a null output.
            match typed.value.is_null() {
                true => self.run.state.outputs.remove(&name),
                false => self.run.state.outputs.insert(name, OutputValue { typed, is_sensitive }),
            };
        }
    }
}

/// The objects on which an instance depends, as the state contains them.
fn dependencies(graph: &Graph, address: &Address) -> Vec<String> {
    let mut found: Vec<String> =
        graph.resource_dependencies(&address.config()).map(ToString::to_string).collect();
    found.sort();
    found
}
