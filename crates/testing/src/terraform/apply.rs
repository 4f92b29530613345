//! The apply of a planned configuration.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::raw::{AnyDataSource, AnyResource};
use ferroform::schema::Block;
use ferroform::value::{Type, Typed, Value, json};
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::{Address, ConfigAddress, InstanceKey, Mode};
use super::change::{Change, PlannedAction};
use super::checks::Checked;
use super::configuration::{ActionEvent, Resource};
use super::graph::{Node, sorted};
use super::plan::{ignore_changes, located, marked, matches_event, store, upgraded};
use super::problem::{Problem, Problems, Result, has_error};
use super::providers::ProviderKey;
use super::run::{Run, failure, shape, unknown_type};
use super::scope::{Shape, combined, instance_names};
use super::state::{Object, ObjectKey, OutputValue};
use crate::cleanup::ObjectId;
use crate::instance::PlannedChange;
use crate::{Action, Instance};

/// A step of an apply. Nodes come first, so that updates precede the deletions that do not depend on them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Node(Node),
    Destroy(ObjectKey),
}

/// Applies a plan.
pub(crate) struct Applier<'a> {
    pub(crate) run: Run<'a>,
    pub(crate) changes: &'a [Change],
    /// The positions of the changes by object.
    by_object: BTreeMap<ObjectKey, usize>,
    pub(crate) is_destroy: bool,
    /// The resources whose changes are deferred.
    deferred: BTreeSet<ConfigAddress>,
    /// The nodes of `-target`.
    nodes: Option<&'a BTreeSet<Node>>,
    /// The objects that the harness destroys if the test fails.
    pub(crate) created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    failed: BTreeSet<Step>,
}

impl<'a> Applier<'a> {
    pub(crate) fn new(
        run: Run<'a>,
        changes: &'a [Change],
        is_destroy: bool,
        deferred: BTreeSet<ConfigAddress>,
        nodes: Option<&'a BTreeSet<Node>>,
        created: &'a mut BTreeMap<ObjectKey, ObjectId>,
    ) -> Applier<'a> {
        let keys =
            changes.iter().enumerate().map(|(index, it)| ((it.address.clone(), it.deposed.clone()), index));
        let by_object = keys.collect();
        Applier { run, changes, by_object, is_destroy, deferred, nodes, created, failed: BTreeSet::new() }
    }

    /// Applies every change. The state contains the results, also after an error.
    pub(crate) fn apply(&mut self) -> Result<()> {
        for change in self.changes.iter().filter(|it| it.action == PlannedAction::Forget) {
            self.run.state.objects.remove(&(change.address.clone(), change.deposed.clone()));
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
            if let (Step::Node(node), Some(nodes)) = (&step, self.nodes)
                && !nodes.contains(node)
            {
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
        let mut destroyed: BTreeMap<String, Vec<(&Change, Step)>> = BTreeMap::new();
        for change in self.changes {
            if matches!(
                change.action,
                PlannedAction::Delete | PlannedAction::Replace | PlannedAction::CreateBeforeDestroy
            ) {
                let step = Step::Destroy((change.address.clone(), change.deposed.clone()));
                destroyed.entry(change.address.config().to_string()).or_default().push((change, step));
            }
        }
        for (change, step) in destroyed.values().flatten() {
            let mut before: BTreeSet<Step> = BTreeSet::new();
            let provider = Node::Provider(change.provider.clone());
            if graph.contains_key(&provider) {
                before.insert(Step::Node(provider));
            }
            let node = Node::Resource(change.address.config());
            if change.action == PlannedAction::CreateBeforeDestroy {
                before.insert(Step::Node(node.clone()));
                before.extend(self.dependents(&node).into_iter().map(Step::Node));
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
                    None if change.action != PlannedAction::CreateBeforeDestroy => {
                        let updated = self.changes.iter().find(|it| {
                            it.action == PlannedAction::Update
                                && it.address.config().to_string() == *dependency
                        });
                        let node = updated.map(|it| Step::Node(Node::Resource(it.address.config())));
                        if let Some(of_node) = node.and_then(|it| edges.get_mut(&it)) {
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
        let edges = self.run.graph.edges.iter();
        let mut of_resources = edges.filter(|(node, _)| matches!(node, Node::Resource(_)));
        of_resources.any(|(_, to)| to.contains(provider))
            || self.changes.iter().any(|it| Node::Provider(it.provider.clone()) == *provider)
    }

    /// The resources that depend on a node.
    fn dependents(&self, node: &Node) -> Vec<Node> {
        let Node::Resource(address) = node else { return Vec::new() };
        let graph = self.run.graph;
        let resources = graph.edges.keys().filter(|it| match it {
            Node::Resource(other) => {
                other != address
                    && other.resource.mode == Mode::Managed
                    && graph.managed_dependencies(other).any(|it| it == address)
            }
            _ => false,
        });
        resources.cloned().collect()
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
            let instances = match self.is_destroy {
                true => {
                    let stored = self.run.state.current();
                    let stored = stored.filter(|(it, _)| it.module == instance && it.resource == resource.id);
                    stored.map(|(it, _)| (it.key.clone(), None)).collect()
                }
                false => self.run.expand(&instance, &resource.repetition)?,
            };
            let mut values: Vec<(InstanceKey, Marked)> = Vec::new();
            for (key, each) in instances {
                let address =
                    Address { module: instance.clone(), resource: resource.id.clone(), key: key.clone() };
                let names: Vec<_> = instance_names(&key, each.as_ref()).into_iter().collect();
                match self.instance(&address, resource, &provider, &names) {
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
        let warnings = problems.into_iter().map(|it| Problem { is_error: false, ..it });
        self.run.problems.extend(warnings);
        Ok(())
    }

    fn change(&self, address: &Address) -> Option<&'a Change> {
        self.by_object.get(&(address.clone(), None)).map(|it| &self.changes[*it])
    }

    /// Applies the change of an instance, and returns its new value.
    fn instance(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
    ) -> Result<Option<Marked>> {
        let change = self.change(address);
        match change {
            Some(change) if change.action == PlannedAction::Read => {
                let harness = self.run.providers.get(provider)?;
                let source = harness.server().find::<dyn AnyDataSource>(&resource.id.kind);
                let block = &source.map_err(|_| unknown_type(resource, "data source"))?.schema().block;
                let decoded = self.run.decode(address, resource, names, block)?;
                let sensitive = decoded.marks.clone().without(Mark::Ephemeral);
                match (self.run.read_data(address, resource, provider, names, &sensitive), &resource.check) {
                    (Ok(Ok(value)), _) => Ok(Some(value)),
                    (Ok(Err(reason)), _) => Err(failure(reason.into(), &address.to_string())),
                    (Err(problems), Some(check)) => {
                        self.run.fail_check(address, check, problems);
                        self.run.store_unread(address, block, provider, &decoded.value).map(Some)
                    }
                    (Err(problems), None) => Err(problems),
                }
            }
            Some(change)
                if matches!(
                    change.action,
                    PlannedAction::Create
                        | PlannedAction::Update
                        | PlannedAction::Replace
                        | PlannedAction::CreateBeforeDestroy
                ) =>
            {
                self.managed(address, resource, provider, names, change).map(Some)
            }
            _ => {
                let value = self.stored(address, resource, provider, change)?;
                if let Some(value) = value.as_ref().filter(|_| !self.is_destroy) {
                    let problems = self.unchanged_conditions(address, resource, names, value);
                    if has_error(&problems) {
                        return Err(problems);
                    }
                    self.run.report(problems);
                }
                Ok(value)
            }
        }
    }

    /// Evaluates the conditions of an instance that does not change.
    fn unchanged_conditions(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        names: &[(&'static str, Marked)],
        value: &Marked,
    ) -> Problems {
        let checked = Checked::resource(address);
        let lifecycle = &resource.lifecycle;
        let mut problems = self.run.conditions(
            &address.module,
            names,
            &lifecycle.preconditions,
            "Resource precondition failed",
            &checked,
        );
        let mut names = names.to_vec();
        names.push(("self", value.clone()));
        problems.extend(self.run.conditions(
            &address.module,
            &names,
            &lifecycle.postconditions,
            "Resource postcondition failed",
            &checked,
        ));
        problems
    }

    /// The value of an instance that does not change.
    fn stored(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        change: Option<&Change>,
    ) -> Result<Option<Marked>> {
        let harness = self.run.providers.get(provider)?;
        let block: Block = match resource.id.mode {
            Mode::Data => harness
                .server()
                .find::<dyn AnyDataSource>(&resource.id.kind)
                .map(|it| it.schema().block.clone()),
            _ => harness
                .server()
                .find::<dyn AnyResource>(&resource.id.kind)
                .map(|it| it.schema().block.clone()),
        }
        .map_err(|_| unknown_type(resource, "resource"))?;
        let Some(object) = self.run.state.objects.get_mut(&(address.clone(), None)) else { return Ok(None) };
        if let Some(change) = change.filter(|it| it.action == PlannedAction::NoOp) {
            // The configuration may have changed in ways that do not change the object.
            object.sensitive = sensitive_of(&change.after_marks);
            object.create_before_destroy = change.create_before_destroy;
            object.dependencies = dependencies(self.run.graph, address);
        }
        let object = object.clone();
        let value = json::decode(object.attributes.as_bytes(), block.ty()).map_err(|error| {
            vec![Problem::error("Invalid state", format!("The state of {address} cannot be read: {error}."))]
        })?;
        Ok(Some(marked(&block, &value, &object.sensitive)))
    }

    fn harness_instance(&self, provider: &ProviderKey, kind: &str, key: &ObjectKey) -> Result<Instance> {
        let harness = self.run.providers.get(provider)?;
        let found = harness.server().find::<dyn AnyResource>(kind);
        let resource = found
            .map_err(|error| vec![Problem::error("Invalid resource type", format!("{error}."))])?
            .clone();
        let created = self.created.get(key).copied();
        Ok(Instance { harness, type_name: kind.to_owned(), resource, stored: None, created })
    }

    fn managed(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
        change: &Change,
    ) -> Result<Marked> {
        let label = address.to_string();
        let key: ObjectKey = (address.clone(), None);
        let mut instance = self.harness_instance(provider, &resource.id.kind, &key)?;
        let block = &instance.resource.clone().schema().block.clone();
        let mut deposed = None;
        match change.action {
            PlannedAction::Update => {
                if let Some(object) = self.run.state.objects.get(&key).cloned() {
                    instance.stored = Some(upgraded(&instance, &label, &object)?);
                }
            }
            PlannedAction::CreateBeforeDestroy => {
                if let Some(object) = self.run.state.objects.remove(&key) {
                    let name = self.deposed_name(address);
                    let key_of = (address.clone(), Some(name.clone()));
                    self.run.state.objects.insert(key_of.clone(), object);
                    if let Some(id) = self.created.remove(&key) {
                        self.created.insert(key_of, id);
                    }
                    instance.created = None;
                    deposed = Some(name);
                }
            }
            _ => instance.created = None,
        }
        let result = self.apply_managed(address, resource, names, change, block, &mut instance);
        match &instance.stored {
            Some(state) => {
                let earlier = Object {
                    sensitive: marked(block, &state.value, &sensitive_of(&change.after_marks)).marks,
                    dependencies: dependencies(self.run.graph, address),
                    create_before_destroy: change.create_before_destroy,
                    ..Object::new(provider.clone(), (block, 0), None, state)?
                };
                let object = store(&instance, provider, state, &earlier)?;
                self.run.state.objects.insert(key.clone(), object);
                match instance.created {
                    Some(id) => self.created.insert(key, id),
                    None => self.created.remove(&key),
                };
            }
            None => {
                self.run.state.objects.remove(&key);
                // The new object could not be created, so the old one stays the current one.
                if let Some(name) = deposed {
                    let of_deposed = (address.clone(), Some(name));
                    if let Some(object) = self.run.state.objects.remove(&of_deposed) {
                        self.run.state.objects.insert(key.clone(), object);
                    }
                    if let Some(id) = self.created.remove(&of_deposed) {
                        self.created.insert(key, id);
                    }
                }
            }
        }
        result
    }

    fn apply_managed(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        names: &[(&'static str, Marked)],
        change: &Change,
        block: &Block,
        instance: &mut Instance,
    ) -> Result<Marked> {
        let label = address.to_string();
        let failed = self.run.conditions(
            &address.module,
            names,
            &resource.lifecycle.preconditions,
            "Resource precondition failed",
            &Checked::resource(address),
        );
        if has_error(&failed) {
            return Err(failed);
        }
        self.invoke(address, resource, change.action, false)?;
        let mut decoded = self.run.decode(address, resource, names, block)?;
        let configured = decoded.value.clone();
        if let Some(prior) = &instance.stored {
            ignore_changes(&resource.lifecycle, block, &prior.value, &mut decoded.value);
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
        let errors = |it| located(failure(it, &label), resource);
        if change.action == PlannedAction::Update && change.before == change.after {
            // Only the marks change, which the provider does not see.
            return Ok(marked(block, &change.after, &decoded.marks.without(Mark::Ephemeral)));
        }
        let last = instance.plan_change_with(&configured, &decoded.value, false).map_err(errors)?;
        let step = format!("the final plan of {label}");
        self.run.report(located(Problem::from_provider(last.warnings.clone(), &label), resource));
        if instance.matches_first_plan(&step, &first, &last) {
            let warnings = instance.apply_once(last, &decoded.value).map_err(errors)?;
            self.run.report(located(Problem::from_provider(warnings, &label), resource));
        }
        let new = instance.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
        let value = marked(block, &new, &decoded.marks.without(Mark::Ephemeral));
        let mut names = names.to_vec();
        names.push(("self", value.clone()));
        let failed = self.run.conditions(
            &address.module,
            &names,
            &resource.lifecycle.postconditions,
            "Resource postcondition failed",
            &Checked::resource(address),
        );
        if has_error(&failed) { Err(failed) } else { Ok(value) }
    }

    /// The key of a new deposed object.
    fn deposed_name(&self, address: &Address) -> String {
        let count =
            self.run.state.objects.keys().filter(|(it, deposed)| it == address && deposed.is_some()).count();
        format!("{:08x}", count + 1)
    }

    fn destroy(&mut self, key: &ObjectKey) -> Result<()> {
        let (address, deposed) = key;
        let Some(change) = self.by_object.get(key).map(|it| &self.changes[*it]) else { return Ok(()) };
        let is_create_first = change.action == PlannedAction::CreateBeforeDestroy;
        let key = match (is_create_first, deposed) {
            (true, None) => {
                // The object that the creation has deposed.
                let last =
                    self.run.state.objects.keys().rfind(|(it, deposed)| it == address && deposed.is_some());
                match last {
                    Some(it) => it.clone(),
                    None => return Ok(()),
                }
            }
            _ => key.clone(),
        };
        let Some(object) = self.run.state.objects.get(&key).cloned() else { return Ok(()) };
        let label = address.to_string();
        let mut instance = self.harness_instance(&change.provider, &address.resource.kind, &key)?;
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
                let object = store(&instance, &change.provider, state, &object)?;
                self.run.state.objects.insert(key.clone(), object);
            }
        }
        // Terraform reports no address for a deletion.
        let problems = |it| -> Problems {
            let all = Problem::from_provider(it, &label).into_iter();
            all.map(|it| Problem { address: None, ..it }).collect()
        };
        let warnings = result.map_err(problems)?;
        self.run.report(problems(warnings));
        Ok(())
    }

    /// Invokes the actions that follow the change of a resource.
    fn trigger(&mut self, address: &ConfigAddress, index: usize) -> Result<()> {
        let module = self.run.module(&address.module);
        let Some(resource) = module.and_then(|it| it.resources.get(&address.resource)) else { return Ok(()) };
        let Some(trigger) = resource.lifecycle.action_triggers.get(index) else { return Ok(()) };
        let changes: &'a [Change] = self.changes;
        for change in changes.iter().filter(|it| it.address.config() == *address && it.deposed.is_none()) {
            for event in &trigger.events {
                let is_after = matches!(event, ActionEvent::AfterCreate | ActionEvent::AfterUpdate);
                if is_after && matches_event(*event, change.action) {
                    for it in &trigger.actions {
                        self.run.invoke_action(&change.address, trigger.condition.as_ref(), it)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Invokes the actions that precede the change of an instance.
    fn invoke(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        action: PlannedAction,
        is_after: bool,
    ) -> Result<()> {
        for trigger in &resource.lifecycle.action_triggers {
            for event in &trigger.events {
                let of_event = matches!(event, ActionEvent::AfterCreate | ActionEvent::AfterUpdate);
                if of_event == is_after && matches_event(*event, action) {
                    for it in &trigger.actions {
                        self.run.invoke_action(address, trigger.condition.as_ref(), it)?;
                    }
                }
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

/// The sensitive marks of an object, which the state keeps.
fn sensitive_of(marks: &Marks) -> Marks {
    marks.clone().without(Mark::Ephemeral)
}

/// The objects on which an instance depends, as the state contains them.
fn dependencies(graph: &super::graph::Graph, address: &Address) -> Vec<String> {
    let mut found: Vec<String> =
        graph.resource_dependencies(&address.config()).map(ToString::to_string).collect();
    found.sort();
    found
}
