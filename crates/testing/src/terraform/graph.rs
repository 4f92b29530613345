//! The dependencies of the configuration, and an order that respects them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ferroform_lang::body::{Expression, TraversalStep};

use super::address::{ConfigAddress, Mode, ModulePath, ResourceName, module_path_prefix, resource_name};
use super::blocks::{Body, Located};
use super::configuration::{
    Condition, Module, ModuleTree, ProviderReference, Repetition, Resource, StaticReference,
};
use super::problem::{Problem, Result};
use super::providers::ProviderKey;

/// A block or argument of the configuration that is evaluated as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Node {
    Variable(ModulePath, String),
    Local(ModulePath, String),
    Output(ModulePath, String),
    /// The instances of a module call, in the module that contains the call.
    Call(ModulePath, String),
    Provider(ProviderKey),
    Resource(ConfigAddress),
    /// The actions of the trigger with this index that follow the change of a resource.
    Trigger(ConfigAddress, usize),
    /// The `check` block with this index.
    Check(ModulePath, usize),
}

/// The dependencies between the nodes.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) edges: BTreeMap<Node, BTreeSet<Node>>,
    /// The nodes in an order that respects their dependencies.
    pub(crate) order: Vec<Node>,
    /// The dependencies of the actions that precede the changes of a resource.
    pub(crate) before: BTreeMap<ConfigAddress, BTreeSet<Node>>,
    resources: Vec<ConfigAddress>,
    /// The resources on which each node depends, directly or through other nodes, as positions in `resources`.
    dependencies: BTreeMap<Node, Vec<usize>>,
}

impl Graph {
    pub(crate) fn new(configuration: &ModuleTree<'_>) -> Result<Graph> {
        let mut builder = Builder { configuration, edges: BTreeMap::new(), problems: Vec::new() };
        builder.add_nodes();
        for node in builder.edges.keys().cloned().collect::<Vec<_>>() {
            let dependencies = builder.collect_dependencies(&node);
            let known = dependencies.into_iter().filter(|it| *it != node && builder.edges.contains_key(it));
            let known: BTreeSet<Node> = known.collect();
            builder.edges.insert(node, known);
        }
        if !builder.problems.is_empty() {
            return Err(builder.problems);
        }
        let before = builder.dependencies_of_actions_before();
        let edges = builder.edges;
        let order = sorted(&edges).map_err(|cycle| vec![cycle_error(configuration, &cycle)])?;
        let mut graph = Graph { edges, order, before, ..Graph::default() };
        let mut positions: HashMap<&ConfigAddress, usize> = HashMap::new();
        for node in &graph.order {
            let mut all: Vec<usize> = Vec::new();
            for it in &graph.edges[node] {
                all.extend(graph.dependencies.get(it).into_iter().flatten());
                if let Node::Resource(address) = it {
                    all.extend(positions.get(address));
                }
            }
            all.sort_unstable();
            all.dedup();
            graph.dependencies.insert(node.clone(), all);
            if let Node::Resource(address) = node {
                positions.insert(address, graph.resources.len());
                graph.resources.push(address.clone());
            }
        }
        Ok(graph)
    }

    /// Returns the resources, data sources and ephemeral resources on which a resource depends, directly or through
    /// other nodes.
    pub(crate) fn resource_dependencies(&self, of: &ConfigAddress) -> impl Iterator<Item = &ConfigAddress> {
        self.dependencies(&Node::Resource(of.clone()))
    }

    /// Returns the resources, data sources and ephemeral resources on which a node depends, directly or through other nodes.
    pub(crate) fn dependencies<'g>(&'g self, of: &Node) -> impl Iterator<Item = &'g ConfigAddress> + use<'g> {
        let positions = self.dependencies.get(of).into_iter().flatten();
        positions.map(|it| &self.resources[*it])
    }

    /// Returns the managed resources on which a resource depends, directly or through other nodes.
    pub(crate) fn managed_dependencies(&self, of: &ConfigAddress) -> impl Iterator<Item = &ConfigAddress> {
        self.resource_dependencies(of).filter(|it| it.resource.mode == Mode::Managed)
    }

    /// True if a resource uses the provider configuration.
    pub(crate) fn is_used(&self, provider: &Node) -> bool {
        let mut edges = self.edges.iter();
        edges.any(|(node, to)| matches!(node, Node::Resource(_)) && to.contains(provider))
    }

    /// Returns the nodes and everything on which they depend.
    pub(crate) fn with_dependencies(&self, of: impl IntoIterator<Item = Node>) -> BTreeSet<Node> {
        let mut found: BTreeSet<Node> = of.into_iter().collect();
        let mut pending: Vec<Node> = found.iter().cloned().collect();
        while let Some(node) = pending.pop() {
            for it in self.edges.get(&node).into_iter().flatten() {
                if found.insert(it.clone()) {
                    pending.push(it.clone());
                }
            }
        }
        found
    }
}

fn cycle_error(configuration: &ModuleTree<'_>, nodes: &[Node]) -> Problem {
    let names = nodes.iter().map(|it| match it {
        Node::Variable(path, name) => format!("{}var.{name}", module_path_prefix(path)),
        Node::Local(path, name) => format!("{}local.{name}", module_path_prefix(path)),
        Node::Output(path, name) => format!("{}output.{name}", module_path_prefix(path)),
        Node::Call(path, name) => format!("{}module.{name}", module_path_prefix(path)),
        Node::Provider(key) => key.to_string(),
        Node::Resource(it) | Node::Trigger(it, _) => it.to_string(),
        Node::Check(path, index) => {
            let check = configuration.module(path).and_then(|it| it.checks.get(*index));
            format!("{}check.{}", module_path_prefix(path), check.map_or("", |it| &it.name))
        }
    });
    Problem::error(format!("Cycle: {}", names.collect::<Vec<_>>().join(", ")), "")
}

/// Sorts nodes so that each follows its dependencies.
///
/// Returns the nodes of a cycle if there is one.
pub(crate) fn sorted<N: Ord + Clone>(
    edges: &BTreeMap<N, BTreeSet<N>>,
) -> std::result::Result<Vec<N>, Vec<N>> {
    let mut remaining: BTreeMap<&N, usize> = BTreeMap::new();
    let mut dependents: BTreeMap<&N, Vec<&N>> = BTreeMap::new();
    for (node, dependencies) in edges {
        let known = dependencies.iter().filter(|it| edges.contains_key(it));
        remaining.insert(node, known.clone().count());
        known.for_each(|it| dependents.entry(it).or_default().push(node));
    }
    let mut ready: BTreeSet<&N> =
        remaining.iter().filter(|(_, count)| **count == 0).map(|(it, _)| *it).collect();
    let mut order = Vec::with_capacity(edges.len());
    while let Some(node) = ready.pop_first() {
        order.push(node.clone());
        remaining.remove(node);
        for dependent in dependents.get(node).into_iter().flatten() {
            if let Some(count) = remaining.get_mut(dependent) {
                *count -= 1;
                if *count == 0 {
                    ready.insert(dependent);
                }
            }
        }
    }
    if remaining.is_empty() { Ok(order) } else { Err(remaining.into_keys().cloned().collect()) }
}

struct Builder<'a, 'c> {
    configuration: &'c ModuleTree<'a>,
    edges: BTreeMap<Node, BTreeSet<Node>>,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a, '_> {
    fn add_nodes(&mut self) {
        let mut nodes = Vec::new();
        for (path, module) in &self.configuration.modules {
            nodes.extend(module.variables.keys().map(|it| Node::Variable(path.clone(), it.clone())));
            nodes.extend(module.locals.keys().map(|it| Node::Local(path.clone(), it.clone())));
            nodes.extend(module.outputs.keys().map(|it| Node::Output(path.clone(), it.clone())));
            nodes.extend(module.calls.keys().map(|it| Node::Call(path.clone(), it.clone())));
            nodes.extend((0..module.checks.len()).map(|it| Node::Check(path.clone(), it)));
            for block in &module.providers {
                let key = ProviderKey {
                    module: path.clone(),
                    address: module.provider_address(&block.reference.name),
                    alias: block.reference.alias.clone(),
                };
                nodes.push(Node::Provider(key));
            }
            for resource in module.resources.values() {
                let address = ConfigAddress { module: path.clone(), resource: resource.id.clone() };
                for (index, trigger) in resource.lifecycle.action_triggers.iter().enumerate() {
                    if trigger.events.iter().any(|it| it.is_after()) {
                        nodes.push(Node::Trigger(address.clone(), index));
                    }
                }
                nodes.push(Node::Resource(address));
                match provider_key(self.configuration, path, module, resource) {
                    Ok(key) => nodes.push(Node::Provider(key)),
                    Err(problem) => {
                        let call = path
                            .split_last()
                            .and_then(|(name, parent)| self.configuration.module(parent)?.calls.get(name));
                        self.problems.push(match call {
                            Some(call) => problem.at(call.file, call.header.clone()),
                            None => problem,
                        });
                    }
                }
            }
        }
        self.edges = nodes.into_iter().map(|it| (it, BTreeSet::new())).collect();
    }

    fn collect_dependencies(&self, node: &Node) -> BTreeSet<Node> {
        let mut found = BTreeSet::new();
        let path = match node {
            Node::Variable(path, _)
            | Node::Local(path, _)
            | Node::Output(path, _)
            | Node::Call(path, _)
            | Node::Check(path, _) => path,
            Node::Provider(key) => &key.module,
            Node::Resource(it) | Node::Trigger(it, _) => &it.module,
        };
        let Some(module) = self.configuration.module(path) else { return found };
        let caller = path.split_last();
        if let Some((name, parent)) = caller {
            found.insert(Node::Call(parent.to_vec(), name.clone()));
        }
        match node {
            Node::Variable(_, name) => {
                if let Some((call, parent)) = caller
                    && let Some(call) = self.configuration.module(parent).and_then(|it| it.calls.get(call))
                    && let Some((_, argument)) = call.arguments.iter().find(|(it, _)| it == name)
                {
                    self.collect_expression(parent, &argument.expression, &mut found);
                }
                for it in module.variables.get(name).into_iter().flat_map(|it| &it.validations) {
                    self.collect_condition(path, it, &mut found);
                }
                found.remove(node);
            }
            Node::Local(_, name) => {
                if let Some(it) = module.locals.get(name) {
                    self.collect_expression(path, &it.expression, &mut found);
                }
            }
            Node::Output(_, name) => {
                let Some(output) = module.outputs.get(name) else { return found };
                self.collect_expression(path, &output.value.expression, &mut found);
                output.preconditions.iter().for_each(|it| self.collect_condition(path, it, &mut found));
                self.collect_explicit(path, &output.depends_on, &mut found);
            }
            Node::Call(_, name) => {
                let Some(call) = module.calls.get(name) else { return found };
                self.collect_repetition(path, &call.repetition, &mut found);
                self.collect_explicit(path, &call.depends_on, &mut found);
            }
            Node::Check(_, index) => {
                for it in module.checks.get(*index).into_iter().flat_map(|it| &it.assertions) {
                    self.collect_condition(path, it, &mut found);
                }
            }
            Node::Provider(key) => {
                if let Some(block) = module.provider_block(key) {
                    self.collect_body(path, &block.config.body, &mut found);
                }
            }
            Node::Resource(address) => {
                let Some(resource) = module.resources.get(&address.resource) else { return found };
                self.collect_resource(path, module, resource, &mut found);
                self.collect_trigger_conditions(path, resource, &mut found);
                self.collect_actions_before(path, module, resource, &mut found);
                let root = self.configuration.module(&[]);
                for import in root.into_iter().flat_map(|it| it.imports_of(address)) {
                    for it in [&import.id, &import.identity, &import.for_each].into_iter().flatten() {
                        self.collect_expression(&[], &it.expression, &mut found);
                    }
                }
                found.remove(node);
            }
            Node::Trigger(address, index) => {
                found.insert(Node::Resource(address.clone()));
                let Some(resource) = module.resources.get(&address.resource) else { return found };
                if let Some(trigger) = resource.lifecycle.action_triggers.get(*index) {
                    self.collect_actions(path, module, &trigger.actions, &mut found);
                }
            }
        }
        found
    }

    fn collect_resource(
        &self,
        path: &[String],
        module: &Module<'a>,
        resource: &Resource<'a>,
        found: &mut BTreeSet<Node>,
    ) {
        if let Ok(key) = provider_key(self.configuration, path, module, resource) {
            found.insert(Node::Provider(key));
        }
        self.collect_repetition(path, &resource.repetition, found);
        self.collect_body(path, &resource.config.body, found);
        let lifecycle = &resource.lifecycle;
        let conditions = lifecycle.preconditions.iter().chain(&lifecycle.postconditions);
        conditions.for_each(|it| self.collect_condition(path, it, found));
        self.collect_explicit(path, &resource.depends_on, found);
        for it in &lifecycle.replace_triggered_by {
            for traversal in it.expression.references().traversals {
                self.collect_reference(path, &traversal.steps, true, found);
            }
        }
    }

    fn collect_trigger_conditions(
        &self,
        path: &[String],
        resource: &Resource<'a>,
        found: &mut BTreeSet<Node>,
    ) {
        for it in resource.lifecycle.action_triggers.iter().filter_map(|it| it.condition.as_ref()) {
            self.collect_expression(path, &it.expression, found);
        }
    }

    /// Collects the dependencies of the actions that precede the changes of a resource.
    fn collect_actions_before(
        &self,
        path: &[String],
        module: &Module<'a>,
        resource: &Resource<'a>,
        found: &mut BTreeSet<Node>,
    ) {
        for trigger in &resource.lifecycle.action_triggers {
            if trigger.events.iter().any(|it| !it.is_after()) {
                self.collect_actions(path, module, &trigger.actions, found);
            }
        }
    }

    /// Returns the dependencies of the actions that precede the changes of each resource.
    fn dependencies_of_actions_before(&self) -> BTreeMap<ConfigAddress, BTreeSet<Node>> {
        let mut all = BTreeMap::new();
        for (path, module) in &self.configuration.modules {
            for resource in module.resources.values().filter(|it| it.lifecycle.has_actions_before()) {
                let mut found = BTreeSet::new();
                self.collect_repetition(path, &resource.repetition, &mut found);
                self.collect_trigger_conditions(path, resource, &mut found);
                self.collect_actions_before(path, module, resource, &mut found);
                if let Some((name, parent)) = path.split_last() {
                    found.insert(Node::Call(parent.to_vec(), name.clone()));
                }
                found.retain(|it| self.edges.contains_key(it));
                all.insert(ConfigAddress { module: path.clone(), resource: resource.id.clone() }, found);
            }
        }
        all
    }

    /// Collects the dependencies of actions that a resource triggers.
    fn collect_actions(
        &self,
        path: &[String],
        module: &Module<'a>,
        actions: &[Located<'a>],
        found: &mut BTreeSet<Node>,
    ) {
        for it in actions {
            if let Some(action) = action_name(it).and_then(|name| module.resources.get(&name)) {
                self.collect_resource(path, module, action, found);
            }
            let keys = it.expression.references().traversals.into_iter().skip(1);
            keys.for_each(|it| self.collect_reference(path, &it.steps, false, found));
        }
    }

    fn collect_repetition(&self, path: &[String], it: &Repetition<'a>, found: &mut BTreeSet<Node>) {
        match it {
            Repetition::None => {}
            Repetition::Count(it) | Repetition::ForEach(it) => {
                self.collect_expression(path, &it.expression, found)
            }
        }
    }

    fn collect_condition(&self, path: &[String], it: &Condition<'a>, found: &mut BTreeSet<Node>) {
        self.collect_expression(path, &it.condition.expression, found);
        self.collect_expression(path, &it.message.expression, found);
    }

    fn collect_body(&self, path: &[String], body: &Body<'a>, found: &mut BTreeSet<Node>) {
        body.arguments.iter().for_each(|it| self.collect_expression(path, &it.value.expression, found));
        body.blocks.iter().for_each(|it| self.collect_body(path, &it.body, found));
    }

    fn collect_expression(&self, path: &[String], it: &Expression<'a>, found: &mut BTreeSet<Node>) {
        let traversals = it.references().traversals;
        traversals.iter().for_each(|it| self.collect_reference(path, &it.steps, false, found));
    }

    /// Collects references in `depends_on` and `replace_triggered_by`: `module.network` includes all its resources.
    fn collect_explicit(
        &self,
        path: &[String],
        references: &[StaticReference<'a>],
        found: &mut BTreeSet<Node>,
    ) {
        references.iter().for_each(|it| self.collect_reference(path, &it.steps, true, found));
    }

    fn collect_reference(
        &self,
        path: &[String],
        steps: &[TraversalStep],
        is_explicit: bool,
        found: &mut BTreeSet<Node>,
    ) {
        let name = |index: usize| match steps.get(index) {
            Some(TraversalStep::Name(it)) => Some(it.clone()),
            _ => None,
        };
        let (Some(first), second) = (name(0), name(1)) else { return };
        match (first.as_str(), second) {
            ("var", Some(it)) => drop(found.insert(Node::Variable(path.to_vec(), it))),
            ("local", Some(it)) => drop(found.insert(Node::Local(path.to_vec(), it))),
            ("module", Some(call)) => {
                let inner = [path, std::slice::from_ref(&call)].concat();
                found.insert(Node::Call(path.to_vec(), call));
                let output = steps.iter().skip(2).find_map(|it| match it {
                    TraversalStep::Name(it) => Some(it),
                    TraversalStep::Index(_) => None,
                });
                for (at, module) in self.configuration.modules.iter().filter(|(at, _)| at.starts_with(&inner))
                {
                    if is_explicit {
                        let resources = module.resources.keys().cloned();
                        let address = |resource| ConfigAddress { module: at.clone(), resource };
                        found.extend(resources.map(|it| Node::Resource(address(it))));
                    }
                    if *at == inner || is_explicit {
                        let outputs =
                            module.outputs.keys().filter(|it| output.is_none_or(|name| name == *it));
                        found.extend(outputs.map(|it| Node::Output(at.clone(), it.clone())));
                    }
                }
            }
            _ => {
                if let Some(resource) = resource_name(steps) {
                    found.insert(Node::Resource(ConfigAddress { module: path.to_vec(), resource }));
                }
            }
        }
    }
}

/// Returns the action of a reference such as `action.aws_lambda_invoke.a[each.key]`.
pub(crate) fn action_name(it: &Located<'_>) -> Option<ResourceName> {
    // The keys of instances are expressions, so the first reference is the action itself.
    let references = it.expression.references().traversals;
    let names = references.into_iter().next()?.names;
    let steps: Vec<TraversalStep> = names.into_iter().map(TraversalStep::Name).collect();
    resource_name(&steps).filter(|it| it.mode == Mode::Action)
}

/// Returns the provider configuration of a resource.
pub(crate) fn provider_key(
    configuration: &ModuleTree<'_>,
    path: &[String],
    module: &Module<'_>,
    resource: &Resource<'_>,
) -> std::result::Result<ProviderKey, Problem> {
    let implied = || ProviderReference::implied(&resource.id.kind);
    let reference = resource.provider.clone().unwrap_or_else(implied);
    resolve_provider(configuration, path, module, &reference)
}

/// Finds a provider configuration in a module or in its callers.
pub(crate) fn resolve_provider(
    configuration: &ModuleTree<'_>,
    path: &[String],
    module: &Module<'_>,
    reference: &ProviderReference,
) -> std::result::Result<ProviderKey, Problem> {
    let address = module.provider_address(&reference.name);
    let here =
        ProviderKey { module: path.to_vec(), address: address.clone(), alias: reference.alias.clone() };
    let is_declared = module.providers.iter().any(|it| it.reference == *reference);
    let Some((call, parent)) = path.split_last().filter(|_| !is_declared) else {
        if is_declared || reference.alias.is_none() {
            return Ok(here);
        }
        let detail = format!("The provider configuration {here} does not exist in the configuration.");
        return Err(Problem::error("Provider configuration not present", detail));
    };
    let not_passed = || {
        let detail = format!("The module {call:?} is not passed a provider configuration {here}.");
        Problem::error("Missing required provider configuration", detail)
    };
    let parent_module = configuration.module(parent).ok_or_else(not_passed)?;
    let passed = parent_module.calls.get(call).and_then(|it| it.providers.as_ref());
    let passed = passed.and_then(|it| it.iter().find(|it| it.in_child == *reference).map(|it| &it.in_parent));
    let in_parent = match passed {
        Some(it) => it.clone(),
        None if reference.alias.is_some() => return Err(not_passed()),
        None => {
            // The default configuration is inherited by address: the calling module can use another local name.
            let same = parent_module.requirements.iter().find(|(_, it)| **it == address);
            let name = same.map_or_else(|| reference.name.clone(), |(name, _)| name.clone());
            if parent_module.provider_address(&name) != address {
                return Ok(ProviderKey { module: Vec::new(), address, alias: None });
            }
            ProviderReference { name, alias: None }
        }
    };
    resolve_provider(configuration, parent, parent_module, &in_parent)
}

/// Returns a reference of a block to itself: the expression that contains it, and its position.
pub(crate) fn self_reference<'r, 'a>(
    resource: &'r Resource<'a>,
) -> Option<(&'r Located<'a>, std::ops::Range<usize>)> {
    fn find<'r, 'a>(
        body: &'r Body<'a>,
        name: &ResourceName,
    ) -> Option<(&'r Located<'a>, std::ops::Range<usize>)> {
        let own = body.arguments.iter().find_map(|it| {
            let traversals = it.value.expression.references().traversals.into_iter();
            let mut own = traversals.filter(|it| resource_name(&it.steps).as_ref() == Some(name));
            Some((&it.value, own.next()?.at))
        });
        own.or_else(|| body.blocks.iter().find_map(|it| find(&it.body, name)))
    }
    find(&resource.config.body, &resource.id)
}

/// Returns the nodes on which the instances of a resource depend: those of its `count` or `for_each`, and its module.
pub(crate) fn nodes_of_instances(
    configuration: &ModuleTree<'_>,
    path: &[String],
    repetition: &Repetition<'_>,
) -> BTreeSet<Node> {
    let builder = Builder { configuration, edges: BTreeMap::new(), problems: Vec::new() };
    let call = path.split_last().map(|(name, parent)| Node::Call(parent.to_vec(), name.clone()));
    let mut found: BTreeSet<Node> = call.into_iter().collect();
    builder.collect_repetition(path, repetition, &mut found);
    found
}

/// Returns the nodes of static references, including all resources of a module.
pub(crate) fn explicit_nodes(
    configuration: &ModuleTree<'_>,
    path: &[String],
    references: &[StaticReference<'_>],
) -> BTreeSet<Node> {
    let builder = Builder { configuration, edges: BTreeMap::new(), problems: Vec::new() };
    let mut found = BTreeSet::new();
    builder.collect_explicit(path, references, &mut found);
    found
}
