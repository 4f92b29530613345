//! The plan of a configuration.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::Deferral;
use ferroform::raw::{AnyDataSource, AnyResource};
use ferroform::schema::{Block, Mode as AttributeMode};
use ferroform::value::{Path, Step, Value, json};
use ferroform_engine::schema::Member;
use ferroform_lang::body::TraversalStep;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::{Address, ConfigAddress, InstanceKey, Mode, Target, module_path};
use super::change::{Change, PlannedAction};
use super::checks::Checked;
use super::configuration::{ActionEvent, Lifecycle, ProviderReference, Resource, implied_provider};
use super::decode::Decoded;
use super::graph::{Node, resolve_provider, resource_name};
use super::imports::ImportTarget;
use super::plan_data;
use super::problem::{Problem, Problems, Result, has_error};
use super::providers::ProviderKey;
use super::run::{Run, failure, shape, unknown_type};
use super::scope::{Shape, combined, instance_names, marked_object};
use super::state::Object;
use super::{PlanOptions, moves};
use crate::instance::PlannedChange;
use crate::instance_state::InstanceState;
use crate::workspace::Json;
use crate::{Action, Instance};

/// Plans a configuration.
pub(crate) struct Planner<'a> {
    pub(crate) run: Run<'a>,
    pub(crate) options: &'a PlanOptions,
    pub(crate) changes: Vec<Change>,
    pub(crate) drift: Vec<Change>,
    /// The changes that are deferred to a later plan, with the reasons.
    pub(crate) deferred: Vec<(Change, &'static str)>,
    /// The actions to invoke, as the JSON of a plan.
    pub(crate) invocations: Vec<Json>,
    imports: BTreeMap<Address, ImportTarget>,
    /// The former addresses of objects that `moved` blocks have moved.
    moved: BTreeMap<Address, Address>,
    /// The resources with planned changes.
    pending: BTreeSet<ConfigAddress>,
    /// The resources whose replacements create the new object first.
    create_before_destroy: BTreeSet<ConfigAddress>,
    /// The objects of the state that the plan has handled.
    visited: BTreeSet<Address>,
    targets: Option<Targets>,
    /// The generated configuration of imported objects.
    pub(crate) generated: String,
    /// The providers that this plan has configured.
    configured: BTreeSet<ProviderKey>,
}

/// The selection of `-target`.
struct Targets {
    nodes: BTreeSet<Node>,
    targets: Vec<Target>,
    /// The resources that a destroy deletes.
    destroyed: BTreeSet<Node>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(mut run: Run<'a>, options: &'a PlanOptions) -> Result<Planner<'a>> {
        let moved = moves::apply(run.configuration, &mut run.state, &mut run.problems);
        let mut planner = Planner {
            create_before_destroy: forced_create_before_destroy(&run),
            run,
            options,
            changes: Vec::new(),
            drift: Vec::new(),
            deferred: Vec::new(),
            invocations: Vec::new(),
            imports: BTreeMap::new(),
            moved,
            pending: BTreeSet::new(),
            visited: BTreeSet::new(),
            targets: None,
            generated: String::new(),
            configured: BTreeSet::new(),
        };
        planner.targets = planner.select_targets()?;
        Ok(planner)
    }

    /// Plans every node of the configuration, and the objects that only the state contains.
    pub(crate) fn plan(&mut self) -> Result<()> {
        if self.options.destroy {
            self.run.declare_checks();
        }
        for node in self.run.graph.order.clone() {
            if self.targets.as_ref().is_some_and(|it| !it.nodes.contains(&node)) {
                continue;
            }
            if self.run.is_skipped(&node) {
                self.run.failed.insert(node);
                continue;
            }
            let result = match &node {
                Node::Resource(address) => self.resource(address),
                Node::Trigger(address, index) => self.trigger(address, *index, true),
                // A provider without resources is not configured.
                Node::Provider(key) if !self.is_used(&node) => {
                    debug_assert!(!self.configured.contains(key));
                    Ok(())
                }
                Node::Provider(key) => {
                    self.configured.insert(key.clone());
                    self.run.evaluate_node(&node)
                }
                // A destroy needs neither outputs nor checks.
                Node::Output(path, _) | Node::Check(path, _) if self.options.destroy && path.is_empty() => {
                    Ok(())
                }
                node => self.run.evaluate_node(node),
            };
            if let Err(problems) = result {
                self.run.report(problems);
                self.run.failed.insert(node);
            }
        }
        if let Err(problems) = self.generate_configurations() {
            self.run.report(problems);
        }
        self.orphans();
        self.run.close_ephemeral();
        self.warn_about_options();
        if has_error(&self.run.problems) { Err(std::mem::take(&mut self.run.problems)) } else { Ok(()) }
    }

    /// The warnings about `-target`, `-replace` and objects that are forgotten.
    fn warn_about_options(&mut self) {
        if self.targets.is_some() {
            let detail = "You are creating a plan with the -target option, which means that the result of this plan may not \
                          represent all of the changes requested by the current configuration.";
            self.run.problems.push(Problem::warning("Resource targeting is in effect", detail));
            let is_excluded =
                |new: &Address, old: &Address| !self.is_targeted(new) || !self.is_targeted_orphan(old);
            let excluded = self.moved.iter().filter(|(new, old)| is_excluded(new, old));
            let excluded: Vec<String> = excluded.map(|(new, _)| new.to_string()).collect();
            if !excluded.is_empty() {
                let detail = format!(
                    "Resource instances in your current state have moved to new addresses in the latest configuration. Include \
                     them in the plan: {}.",
                    excluded.join(", ")
                );
                self.run
                    .problems
                    .push(Problem::error("Moved resource instances excluded by targeting", detail));
            }
        }
        if self.changes.iter().any(|it| it.action == PlannedAction::Forget) {
            let detail = "If you apply this plan, Terraform will discard its tracking information for some objects, but it will \
                          not delete them.";
            self.run
                .problems
                .push(Problem::warning("Some objects will no longer be managed by Terraform", detail));
        }
        for address in &self.options.replace {
            let is_found = self.changes.iter().any(|it| it.address.to_string() == *address);
            let has_instances = self.changes.iter().any(|it| it.address.config().to_string() == *address);
            if !is_found && has_instances {
                let detail = format!(
                    "Your force-replace request for {address} doesn't match any resource instances because this resource doesn't have an instance without a key."
                );
                self.run
                    .problems
                    .push(Problem::warning("Incompletely-matched force-replace resource instance", detail));
            }
        }
    }

    /// True if a resource of the configuration uses the provider.
    fn is_used(&self, provider: &Node) -> bool {
        let edges = self.run.graph.edges.iter();
        edges.filter(|(node, _)| matches!(node, Node::Resource(_))).any(|(_, to)| to.contains(provider))
    }

    /// The nodes of `-target`.
    pub(crate) fn selected_nodes(&self) -> Option<BTreeSet<Node>> {
        self.targets.as_ref().map(|it| it.nodes.clone())
    }

    fn select_targets(&self) -> Result<Option<Targets>> {
        if self.options.targets.is_empty() {
            return Ok(None);
        }
        let mut targets = Vec::new();
        for text in &self.options.targets {
            let expression = ferroform_lang::body::Expression::parse(text).ok();
            let target = expression.and_then(|it| Target::from_steps(&it.static_traversal()?));
            targets.push(target.ok_or_else(|| {
                let detail = "Resource specification must include a resource type and name.";
                vec![Problem::error(format!("Invalid target {text:?}"), detail)]
            })?);
        }
        let is_selected = |node: &Node| match node {
            Node::Resource(it) => targets.iter().any(|target| {
                let module = module_path(&target.module);
                match &target.resource {
                    Some((resource, _)) => module == it.module && *resource == it.resource,
                    None => it.module.starts_with(&module),
                }
            }),
            _ => false,
        };
        let edges = &self.run.graph.edges;
        let mut selected: BTreeSet<Node> = edges.keys().filter(|it| is_selected(it)).cloned().collect();
        if self.options.destroy {
            // A destroy includes the dependents instead of the dependencies.
            let is_dependent = |node: &Node| match node {
                Node::Resource(it) => self
                    .run
                    .graph
                    .managed_dependencies(it)
                    .any(|it| selected.contains(&Node::Resource(it.clone()))),
                _ => false,
            };
            let dependents: Vec<Node> = edges.keys().filter(|it| is_dependent(it)).cloned().collect();
            selected.extend(dependents);
        }
        let destroyed = selected.clone();
        let mut nodes = self.run.graph.with_dependencies(selected);
        for (node, dependencies) in edges {
            let is_output = matches!(node, Node::Output(path, _) if path.is_empty());
            if is_output && !dependencies.is_empty() && dependencies.iter().all(|it| nodes.contains(it)) {
                nodes.insert(node.clone());
            }
        }
        Ok(Some(Targets { nodes, targets, destroyed }))
    }

    /// True if the instance is selected by `-target`, or if nothing is.
    fn is_targeted(&self, address: &Address) -> bool {
        let Some(selection) = &self.targets else { return true };
        let explicit = selection.targets.iter().any(|it| contains(it, address));
        let names_resource = selection.targets.iter().any(|it| match &it.resource {
            Some((resource, key)) => *key != InstanceKey::None && *resource == address.resource,
            None => false,
        });
        let nodes = if self.options.destroy { &selection.destroyed } else { &selection.nodes };
        explicit || !names_resource && nodes.contains(&Node::Resource(address.config()))
    }

    fn resource(&mut self, config_address: &ConfigAddress) -> Result<()> {
        let Some(resource) =
            self.run.module(&config_address.module).and_then(|it| it.resources.get(&config_address.resource))
        else {
            return Ok(());
        };
        match resource.id.mode {
            Mode::Managed | Mode::Data => self.instances(config_address, resource),
            Mode::Ephemeral => self.run.open_ephemeral(config_address, resource),
            Mode::Action => self.validate_action(config_address, resource),
            Mode::List => Ok(()),
        }
    }

    /// Plans the instances of a resource or data source.
    fn instances(&mut self, config_address: &ConfigAddress, resource: &Resource<'_>) -> Result<()> {
        if let Some(at) = super::graph::self_reference(resource) {
            let detail = format!("Configuration for {config_address} may not refer to itself.");
            return Err(vec![Problem::error("Self-referential block", detail).at(resource.config.file, at)]);
        }
        let provider = self.run.provider_of(&config_address.module, resource)?;
        let mut problems = Problems::new();
        if resource.id.mode == Mode::Managed {
            self.resolve_imports(config_address, resource, &provider)?;
        }
        for instance in self.run.instances_of(&config_address.module) {
            if self.options.allow_deferral
                && !self.options.destroy
                && self.run.is_unknown(&instance, &resource.repetition)?
            {
                self.defer_instances(&instance, resource, &provider)?;
                continue;
            }
            let instances = match self.options.destroy {
                // A destroy ends with the instances of the state, whatever the configuration says.
                true => {
                    let of_state = self
                        .run
                        .state
                        .current()
                        .filter(|(it, _)| it.module == instance && it.resource == resource.id);
                    of_state.map(|(it, _)| (it.key.clone(), None)).collect()
                }
                false => self.run.expand(&instance, &resource.repetition)?,
            };
            if !self.options.destroy {
                self.implied_move(&instance, resource, &instances);
            }
            let mut values = Vec::new();
            for (key, each) in instances {
                let address =
                    Address { module: instance.clone(), resource: resource.id.clone(), key: key.clone() };
                self.visited.insert(address.clone());
                let names: Vec<_> = instance_names(&key, each.as_ref()).into_iter().collect();
                let planned = match resource.id.mode {
                    Mode::Data if self.options.destroy => self.stored_data(&address, resource, &provider),
                    Mode::Data => self.data(&address, resource, &provider, &names).map(Some),
                    _ => self.managed(&address, resource, &provider, &names),
                };
                match planned {
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
        match resource.check.is_some() {
            // The errors of a data source in a check block are warnings.
            true => {
                let warnings = problems.into_iter().map(|it| Problem { is_error: false, ..it });
                self.run.problems.extend(warnings);
                Ok(())
            }
            false if has_error(&problems) => Err(problems),
            false => {
                self.run.report(problems);
                Ok(())
            }
        }
    }

    /// Defers a resource whose `count` or `for_each` is unknown.
    fn defer_instances(
        &mut self,
        module: &super::address::ModuleInstance,
        resource: &Resource<'_>,
        provider: &ProviderKey,
    ) -> Result<()> {
        let harness = self.run.providers.get(provider)?;
        let server = harness.server();
        let block = match resource.id.mode {
            Mode::Data => {
                server.find::<dyn AnyDataSource>(&resource.id.kind).map(|it| it.schema().block.clone())
            }
            _ => server.find::<dyn AnyResource>(&resource.id.kind).map(|it| it.schema().block.clone()),
        };
        let block = block.map_err(|_| unknown_type(resource, "resource"))?;
        let address =
            Address { module: module.clone(), resource: resource.id.clone(), key: InstanceKey::Unknown };
        let names = super::validate::unknown_names(&resource.repetition);
        let decoded = self.run.decode(&address, resource, &names, &block)?;
        let planned = plan_data::planned(&block, &decoded.value);
        let sensitive = decoded.marks.without(Mark::Ephemeral);
        let is_data = resource.id.mode == Mode::Data;
        let mut change = Change::read(&block, &address, provider, planned, &sensitive);
        if !is_data {
            change.action = PlannedAction::Create;
        }
        self.deferred.push((change, "instance_count_unknown"));
        self.run.set(module, resource.id.to_string(), Marked::unknown(ferroform::value::Type::Dynamic));
        Ok(())
    }

    /// The reason to defer a change: that of the provider, or that of an object on which it depends.
    fn deferral(&self, address: &ConfigAddress, of_provider: Option<Deferral>) -> Option<&'static str> {
        if !self.options.allow_deferral {
            return None;
        }
        let is_deferred = || {
            let all = self.run.graph.with_dependencies([Node::Resource(address.clone())]);
            self.deferred.iter().any(|(change, _)| {
                let other = change.address.config();
                other != *address && all.contains(&Node::Resource(other))
            })
        };
        match of_provider {
            Some(Deferral::ConfigUnknown) => Some("resource_config_unknown"),
            Some(Deferral::ProviderConfigUnknown) => Some("provider_config_unknown"),
            Some(Deferral::AbsentPrerequisite) => Some("absent_prereq"),
            Some(_) => Some("unknown"),
            None => is_deferred().then_some("deferred_prereq"),
        }
    }

    /// Moves the only instance to `[0]` if the resource gets `count`, and back if it loses it, as Terraform does.
    fn implied_move(
        &mut self,
        module: &super::address::ModuleInstance,
        resource: &Resource<'_>,
        instances: &super::run::Instances,
    ) {
        let has = |key: &InstanceKey| instances.iter().any(|(it, _)| it == key);
        let address = |key| Address { module: module.clone(), resource: resource.id.clone(), key };
        for (from, to) in
            [(InstanceKey::None, InstanceKey::Index(0)), (InstanceKey::Index(0), InstanceKey::None)]
        {
            let (old, new) = (address(from.clone()), address(to.clone()));
            if has(&to)
                && !has(&from)
                && self.run.state.get(&new).is_none()
                && let Some(object) = self.run.state.objects.remove(&(old.clone(), None))
            {
                self.run.state.objects.insert((new.clone(), None), object);
                let origin = self.moved.remove(&old).unwrap_or(old);
                self.moved.insert(new, origin);
            }
        }
    }

    fn resolve_imports(
        &mut self,
        config_address: &ConfigAddress,
        resource: &Resource<'_>,
        provider: &ProviderKey,
    ) -> Result<()> {
        if self.options.destroy {
            return Ok(());
        }
        let harness = self.run.providers.get(provider)?;
        let identity = harness.server().find::<dyn AnyResource>(&resource.id.kind);
        let identity = identity.ok().and_then(|it| it.identity().map(|it| it.block.clone()));
        let found = super::imports::resolve(&self.run, config_address, identity.as_ref())?;
        self.imports.extend(found);
        Ok(())
    }

    /// Returns an instance of the harness for an object.
    fn instance(&self, provider: &ProviderKey, kind: &str) -> Result<Instance> {
        let harness = self.run.providers.get(provider)?;
        let resource = harness.server().find::<dyn AnyResource>(kind);
        let resource =
            resource.map_err(|error| vec![Problem::error("Invalid resource type", format!("{error}."))])?;
        let resource = resource.clone();
        Ok(Instance { harness, type_name: kind.to_owned(), resource, stored: None, created: None })
    }

    /// Upgrades the stored state of an object, and refreshes it. Returns `None` if the remote object no longer exists.
    fn refreshed(
        &mut self,
        address: &Address,
        deposed: Option<&str>,
        provider: &ProviderKey,
    ) -> Result<Option<(Instance, Object)>> {
        let key = (address.clone(), deposed.map(str::to_owned));
        let Some(object) = self.run.state.objects.get(&key).cloned() else { return Ok(None) };
        let label = address.to_string();
        let mut instance = self.instance(provider, &address.resource.kind)?;
        let source = self.moved.get(address).filter(|it| it.resource.kind != address.resource.kind);
        instance.stored = Some(match source {
            Some(source) => moves::move_state(&instance, &label, &source.resource.kind, &object)?,
            None => upgraded(&instance, &label, &object)?,
        });
        let before = instance.stored.clone();
        if self.options.refresh {
            let diff = instance.read().map_err(|it| failure(it, &label))?;
            self.run.report(Problem::from_provider(diff.warnings, &label));
        }
        let stored = instance.stored.clone();
        let refreshed = match &stored {
            Some(state) => Some(store(&instance, &object.provider, state, &object)?),
            None => None,
        };
        let (old, new) = (
            before.as_ref().map_or(Value::Null, |it| it.value.clone()),
            stored.as_ref().map_or(Value::Null, |it| it.value.clone()),
        );
        let is_moved = self.moved.contains_key(address);
        let is_shown = deposed.is_none() && !self.options.destroy;
        if is_shown && (old != new || self.options.refresh_only && is_moved) {
            let block = &instance.resource.schema().block;
            self.drift.push(Change {
                address: address.clone(),
                deposed: deposed.map(str::to_owned),
                previous_address: self.moved.get(address).cloned(),
                provider: provider.clone(),
                action: match (new.is_null(), old == new) {
                    (true, _) => PlannedAction::Delete,
                    (_, true) => PlannedAction::NoOp,
                    _ => PlannedAction::Update,
                },
                before_marks: marks_of(block, &old, &object.sensitive),
                after_marks: marks_of(block, &new, &object.sensitive),
                before: old,
                after: new,
                requires_replace: Vec::new(),
                reason: None,
                importing: None,
                prior: None,
                private: Vec::new(),
                identity: None,
                create_before_destroy: false,
            });
        }
        match refreshed {
            Some(object) => {
                self.run.state.objects.insert(key, object.clone());
                Ok(Some((instance, object)))
            }
            None => {
                self.run.state.objects.remove(&key);
                Ok(None)
            }
        }
    }

    /// Imports an object by its import ID, as `terraform import` does.
    pub(crate) fn import(&mut self, address: &str, id: &str) -> Result<()> {
        let invalid = |detail: String| vec![Problem::error("Invalid import address", detail)];
        let parsed =
            Address::parse(address).ok_or_else(|| invalid(format!("{address:?} is not an address.")))?;
        let config_address = parsed.config();
        let node = Node::Resource(config_address.clone());
        let resource =
            self.run.module(&config_address.module).and_then(|it| it.resources.get(&parsed.resource));
        let Some(resource) = resource else {
            let summary = format!("resource address {address:?} does not exist in the configuration.");
            let detail =
                "Before importing this resource, please create its configuration in the root module.";
            return Err(vec![Problem::error(summary, detail)]);
        };
        if self.run.state.get(&parsed).is_some() {
            let detail = format!(
                "Terraform is already managing a remote object for {address}. To import to this address you must first remove \
                 the existing object from the state."
            );
            return Err(vec![Problem::error("Resource already managed by Terraform", detail)]);
        }
        let provider = self.run.provider_of(&config_address.module, resource)?;
        let needed = self.run.graph.with_dependencies([Node::Provider(provider.clone())]);
        let order = self.run.graph.order.iter();
        for it in order.filter(|it| needed.contains(it) && **it != node) {
            match it {
                Node::Resource(address) => self.resource(address)?,
                it => self.run.evaluate_node(it)?,
            }
        }
        let target = ImportTarget { id: Some(id.to_owned()), identity: None };
        self.imported(&parsed, &target, &provider)?;
        let object = self.run.state.objects.get_mut(&(parsed.clone(), None));
        if let Some(object) = object {
            object.create_before_destroy = self.create_before_destroy.contains(&config_address);
        }
        self.run.close_ephemeral();
        Ok(())
    }

    /// Imports an object for an `import` block.
    fn imported(
        &mut self,
        address: &Address,
        target: &ImportTarget,
        provider: &ProviderKey,
    ) -> Result<Option<(Instance, Object)>> {
        let label = address.to_string();
        let mut instance = self.instance(provider, &address.resource.kind)?;
        let mut request = instance.by_id(target.id.as_deref().unwrap_or_default());
        request.identity.clone_from(&target.identity);
        // The errors of an import have no address.
        let errors = |it| {
            failure(it, &label).into_iter().map(|it| Problem { address: None, ..it }).collect::<Problems>()
        };
        instance.import_with(request).map_err(errors)?;
        let Some(state) = instance.stored.clone() else { return Ok(None) };
        let empty = Object {
            provider: provider.clone(),
            schema_version: 0,
            attributes: String::new(),
            sensitive: Marks::none(),
            private: Vec::new(),
            identity: None,
            is_tainted: false,
            dependencies: Vec::new(),
            create_before_destroy: false,
        };
        let object = store(&instance, provider, &state, &empty)?;
        self.run.state.objects.insert((address.clone(), None), object.clone());
        Ok(Some((instance, object)))
    }

    /// Imports the objects whose resources the configuration does not contain, and generates their configurations.
    fn generate_configurations(&mut self) -> Result<()> {
        let Some(root) = self.run.module(&[]) else { return Ok(()) };
        for import in root.imports.iter().filter(|_| !self.options.destroy) {
            let Some(config_address) = super::imports::target_resource(import) else { continue };
            let module = self.run.module(&config_address.module);
            if module.is_some_and(|it| it.resources.contains_key(&config_address.resource)) {
                continue;
            }
            if !self.options.generate_config {
                let detail = format!(
                    "The configuration for the given import target {config_address} does not exist. All target instances must \
                     have an associated configuration to be imported."
                );
                let problem = Problem::error("Configuration for import target does not exist", detail);
                return Err(vec![problem.at(import.to.file, import.to.expression.at())]);
            }
            let implied = || ProviderReference {
                name: implied_provider(&config_address.resource.kind).to_owned(),
                alias: None,
            };
            let reference = import.provider.clone().unwrap_or_else(implied);
            let provider =
                resolve_provider(self.run.configuration, &[], root, &reference).map_err(|it| vec![it])?;
            self.run.evaluate_node(&Node::Provider(provider.clone()))?;
            let instance = self.instance(&provider, &config_address.resource.kind)?;
            let identity = instance.resource.identity().map(|it| it.block.clone());
            for (address, target) in super::imports::resolve(&self.run, &config_address, identity.as_ref())? {
                self.generate(&address, &target, &provider)?;
            }
        }
        Ok(())
    }

    fn generate(&mut self, address: &Address, target: &ImportTarget, provider: &ProviderKey) -> Result<()> {
        let label = address.to_string();
        let Some((instance, object)) = self.imported(address, target, provider)? else { return Ok(()) };
        self.visited.insert(address.clone());
        let generated = instance.run_generate_config(&format!("the generated configuration of {label}"));
        let generated = generated.map_err(|it| Problem::from_provider(it, &label))?;
        let change = instance.plan_change(generated.value()).map_err(|it| failure(it, &label))?;
        let block = &instance.resource.schema().block;
        if self.generated.is_empty() {
            self.generated += "# __generated__ by Terraform\n# Please review these resources and move them into your main \
                               configuration files.\n";
        }
        let source = target.id.as_deref().map(|it| format!(" from {it:?}")).unwrap_or_default();
        let (kind, name) = (&address.resource.kind, &address.resource.name);
        let text = crate::render::configuration(kind, name, block, generated.value());
        self.generated += &format!("\n# __generated__ by Terraform{source}\n{text}\n");
        let before = instance.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
        self.changes.push(Change {
            address: address.clone(),
            deposed: None,
            previous_address: None,
            provider: provider.clone(),
            action: if change.action == Action::NoOp { PlannedAction::NoOp } else { PlannedAction::Update },
            before_marks: marks_of(block, &before, &Marks::none()),
            before,
            after_marks: marks_of(block, &change.planned, &Marks::none()),
            after: change.planned,
            requires_replace: change.requires_replace,
            reason: None,
            importing: Some(target.json()),
            prior: Some(object),
            private: change.private,
            identity: change.identity,
            create_before_destroy: false,
        });
        Ok(())
    }

    /// Plans an instance of a managed resource, and returns its planned value.
    fn managed(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
    ) -> Result<Option<Marked>> {
        let label = address.to_string();
        let mut importing = None;
        let prior = match self.imports.get(address).cloned() {
            Some(target) if self.run.state.get(address).is_none() => {
                importing = Some(target.json());
                self.imported(address, &target, provider)?
            }
            _ => self.refreshed(address, None, provider).map_err(|it| located(it, resource))?,
        };
        let (instance, prior) = match prior {
            Some((instance, object)) => (instance, Some(object)),
            None => (self.instance(provider, &resource.id.kind)?, None),
        };
        let block = &instance.resource.clone().schema().block.clone();
        if self.options.destroy || self.options.refresh_only || !self.is_targeted(address) {
            let value = instance.stored.as_ref().map(|it| it.value.clone());
            if self.options.destroy
                && self.is_targeted(address)
                && let Some(object) = &prior
            {
                self.plan_delete(address, None, &instance, object, Some(resource), None)?;
            }
            let sensitive = prior.map(|it| it.sensitive).unwrap_or_default();
            return Ok(value.map(|it| marked(block, &it, &sensitive)));
        }
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
        let mut decoded = self.run.decode(address, resource, names, block)?;
        self.run.check_ephemeral(address, resource, &decoded, block)?;
        let configured = decoded.value.clone();
        if let Some(prior) = &instance.stored {
            ignore_changes(&resource.lifecycle, block, &prior.value, &mut decoded.value);
        }
        let forced = self.forced_replacement(address, resource, names)?;
        let tainted = instance.stored.as_ref().is_some_and(|it| it.tainted);
        let change = instance.plan_change_with(&configured, &decoded.value, forced.is_some());
        let change = change.map_err(|it| self.locate(it, resource, &label))?;
        self.run.report(located(Problem::from_provider(change.warnings.clone(), &label), resource));
        let config_address = address.config();
        let is_create_first = self.create_before_destroy.contains(&config_address);
        let moved_from = self.moved.get(address).cloned();
        let sensitive = decoded.marks.clone().without(Mark::Ephemeral);
        let value = marked(block, &change.planned, &sensitive);
        let are_marks_changed = prior
            .as_ref()
            .is_some_and(|it| marked(block, &change.planned, &it.sensitive).marks != value.marks);
        let action = match change.action {
            Action::NoOp if are_marks_changed => PlannedAction::Update,
            Action::NoOp => PlannedAction::NoOp,
            Action::Create => PlannedAction::Create,
            Action::Update => PlannedAction::Update,
            Action::Replace if is_create_first => PlannedAction::CreateBeforeDestroy,
            Action::Replace => PlannedAction::Replace,
            Action::Delete => PlannedAction::Delete,
        };
        if action.is_replace() && resource.lifecycle.prevent_destroy {
            return Err(vec![prevented(address, resource)]);
        }
        if action != PlannedAction::NoOp {
            self.pending.insert(config_address.clone());
        }
        let prior_sensitive = prior.as_ref().map(|it| it.sensitive.clone()).unwrap_or_default();
        let before = instance.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
        let reason = match action.is_replace() {
            true if tainted => Some("replace_because_tainted"),
            true => forced.or(Some("replace_because_cannot_update")),
            false => None,
        };
        let deferral = self.deferral(&config_address, change.deferred);
        let PlannedChange { planned, private, identity, requires_replace, .. } = change;
        let change = Change {
            address: address.clone(),
            deposed: None,
            previous_address: moved_from,
            provider: provider.clone(),
            action,
            before_marks: marks_of(block, &before, &prior_sensitive),
            before,
            after_marks: value.marks.clone(),
            after: planned,
            requires_replace: if action.is_replace() { requires_replace } else { Vec::new() },
            reason,
            importing,
            prior,
            private,
            identity,
            create_before_destroy: is_create_first,
        };
        match deferral {
            Some(reason) => self.deferred.push((change, reason)),
            None => self.changes.push(change),
        }
        let mut self_names = names.to_vec();
        self_names.push(("self", value.clone()));
        let failed = self.run.conditions(
            &address.module,
            &self_names,
            &resource.lifecycle.postconditions,
            "Resource postcondition failed",
            &Checked::resource(address),
        );
        if has_error(&failed) {
            return Err(failed);
        }
        for index in 0..resource.lifecycle.action_triggers.len() {
            self.trigger(&config_address, index, false)?;
        }
        Ok(Some(value))
    }

    /// Adds positions in the configuration to the errors of a provider.
    fn locate(&self, it: crate::outcome::StepFailure, resource: &Resource<'_>, label: &str) -> Problems {
        located(failure(it, label), resource)
    }

    /// The reason for a replacement that the provider does not require.
    fn forced_replacement(
        &self,
        address: &Address,
        resource: &Resource<'_>,
        names: &[(&'static str, Marked)],
    ) -> Result<Option<&'static str>> {
        if self.options.replace.iter().any(|it| *it == address.to_string()) {
            return Ok(Some("replace_by_request"));
        }
        for it in &resource.lifecycle.replace_triggered_by {
            let steps = self.run.with_scope(&address.module, names.iter().cloned(), |scope| {
                super::imports::static_steps(scope, it)
            })?;
            if self.is_triggered(address, &steps) {
                return Ok(Some("replace_by_triggers"));
            }
        }
        Ok(None)
    }

    /// True if a change is planned for a reference of `replace_triggered_by`.
    fn is_triggered(&self, address: &Address, steps: &[TraversalStep]) -> bool {
        let Some(name) = resource_name(steps) else { return false };
        let mut rest = steps.iter().skip(2).peekable();
        let key = match rest.peek() {
            Some(TraversalStep::Index(value)) => {
                let key = InstanceKey::from_value(value);
                rest.next();
                key
            }
            _ => None,
        };
        let path: Path = rest
            .filter_map(|it| match it {
                TraversalStep::Name(name) => Some(Step::Attribute(name.as_str().into())),
                TraversalStep::Index(Value::String(key)) => Some(Step::Key(key.clone())),
                TraversalStep::Index(Value::Number(index)) => {
                    Some(Step::Index(usize::try_from(index.to_u64()?).ok()?))
                }
                TraversalStep::Index(_) => None,
            })
            .collect();
        self.changes.iter().any(|change| {
            let is_same = change.address.module == address.module && change.address.resource == name;
            let is_instance = key.as_ref().is_none_or(|it| *it == change.address.key);
            if !is_same || !is_instance || change.deposed.is_some() {
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
    fn plan_delete(
        &mut self,
        address: &Address,
        deposed: Option<&str>,
        instance: &Instance,
        object: &Object,
        resource: Option<&Resource<'_>>,
        reason: Option<&'static str>,
    ) -> Result<()> {
        let label = address.to_string();
        if let Some(resource) = resource
            && resource.lifecycle.prevent_destroy
            && deposed.is_none()
        {
            return Err(vec![prevented(address, resource)]);
        }
        let Some(stored) = &instance.stored else { return Ok(()) };
        let planned = instance.plan_destruction(stored).map_err(|it| failure(it, &label))?;
        self.run.report(Problem::from_provider(planned.warnings, &label));
        self.pending.insert(address.config());
        let block = &instance.resource.schema().block;
        self.changes.push(Change {
            address: address.clone(),
            deposed: deposed.map(str::to_owned),
            previous_address: self.moved.get(address).cloned(),
            provider: object.provider.clone(),
            action: PlannedAction::Delete,
            before: stored.value.clone(),
            before_marks: marks_of(block, &stored.value, &object.sensitive),
            after: Value::Null,
            after_marks: Marks::none(),
            requires_replace: Vec::new(),
            reason,
            importing: None,
            prior: Some(object.clone()),
            private: planned.private,
            identity: None,
            create_before_destroy: object.create_before_destroy,
        });
        Ok(())
    }

    /// Plans the objects of the state that the configuration does not contain.
    fn orphans(&mut self) {
        let keys: Vec<_> = self.run.state.objects.keys().cloned().collect();
        for (address, deposed) in keys {
            if deposed.is_none() && self.visited.contains(&address) {
                continue;
            }
            if address.resource.mode == Mode::Data {
                if self.targets.is_none() {
                    self.run.state.objects.remove(&(address, deposed));
                }
                continue;
            }
            let is_failed = self.run.failed.contains(&Node::Resource(address.config()));
            if is_failed || !self.is_targeted_orphan(&address) {
                continue;
            }
            if let Err(problems) = self.orphan(&address, deposed.as_deref()) {
                self.run.report(problems);
            }
        }
    }

    fn is_targeted_orphan(&self, address: &Address) -> bool {
        self.targets.as_ref().is_none_or(|it| it.targets.iter().any(|target| contains(target, address)))
    }

    fn orphan(&mut self, address: &Address, deposed: Option<&str>) -> Result<()> {
        let key = (address.clone(), deposed.map(str::to_owned));
        let Some(object) = self.run.state.objects.get(&key).cloned() else { return Ok(()) };
        let provider = self.provider_of_object(&object)?;
        let removed = self
            .run
            .configuration
            .modules
            .iter()
            .flat_map(|(path, module)| module.removed.iter().map(move |it| (path, it)));
        let removed: Vec<_> = removed
            .filter(|(path, it)| {
                let target = Target {
                    module: path
                        .iter()
                        .map(|it| (it.clone(), InstanceKey::None))
                        .chain(it.from.module.clone())
                        .collect(),
                    resource: it.from.resource.clone(),
                };
                contains(&target, address)
            })
            .map(|(_, it)| it.destroy)
            .collect();
        let Some((instance, object)) = self.refreshed(address, deposed, &provider)? else { return Ok(()) };
        if self.options.refresh_only {
            return Ok(());
        }
        if removed.contains(&false) && !self.options.destroy {
            let block = &instance.resource.schema().block;
            let before = instance.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
            self.changes.push(Change {
                address: address.clone(),
                deposed: deposed.map(str::to_owned),
                previous_address: None,
                provider,
                action: PlannedAction::Forget,
                before_marks: marks_of(block, &before, &object.sensitive),
                before,
                after: Value::Null,
                after_marks: Marks::none(),
                requires_replace: Vec::new(),
                reason: Some("delete_because_no_resource_config"),
                importing: None,
                prior: Some(object),
                private: Vec::new(),
                identity: None,
                create_before_destroy: false,
            });
            return Ok(());
        }
        let config_address = address.config();
        let module = self.run.module(&config_address.module);
        let resource = module.and_then(|it| it.resources.get(&address.resource));
        let instances = self.run.instances_of(&config_address.module);
        let reason = match (module, resource) {
            _ if self.options.destroy || deposed.is_some() => None,
            _ if self.moved.contains_key(address) && resource.is_none() => {
                Some("delete_because_no_move_target")
            }
            (None, _) => Some("delete_because_no_resource_config"),
            (Some(_), _) if !instances.contains(&address.module) => Some("delete_because_no_module"),
            (_, None) => Some("delete_because_no_resource_config"),
            (_, Some(resource)) => Some(match (&address.key, shape(&resource.repetition)) {
                (InstanceKey::Index(_), Shape::Count) => "delete_because_count_index",
                (InstanceKey::Name(_), Shape::ForEach) => "delete_because_each_key",
                _ => "delete_because_wrong_repetition",
            }),
        };
        self.plan_delete(address, deposed, &instance, &object, resource, reason)
    }

    /// The provider configuration of an object whose resource may no longer be in the configuration.
    fn provider_of_object(&mut self, object: &Object) -> Result<ProviderKey> {
        let key = object.provider.clone();
        let node = Node::Provider(key.clone());
        let is_configured = self.run.failed.contains(&node) || self.configured.contains(&key);
        if !is_configured {
            if key.alias.is_some() && !self.run.graph.edges.contains_key(&node) {
                let detail = format!(
                    "To work with an object of the state, its original provider configuration at {key} is required, but it \
                     has been removed."
                );
                return Err(vec![Problem::error("Provider configuration not present", detail)]);
            }
            self.run.evaluate_node(&node)?;
            self.configured.insert(key.clone());
        }
        Ok(key)
    }

    fn stored_data(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
    ) -> Result<Option<Marked>> {
        let harness = self.run.providers.get(provider)?;
        let source = harness.server().find::<dyn AnyDataSource>(&resource.id.kind);
        let block = &source.map_err(|_| unknown_type(resource, "data source"))?.schema().block;
        let Some(object) = self.run.state.get(address) else { return Ok(None) };
        let value = json::decode(object.attributes.as_bytes(), block.ty()).ok();
        Ok(value.map(|it| marked(block, &it, &object.sensitive)))
    }

    /// Reads a data source, or plans to read it during the apply.
    fn data(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
    ) -> Result<Marked> {
        let harness = self.run.providers.get(provider)?;
        let source = harness.server().find::<dyn AnyDataSource>(&resource.id.kind);
        let source = source.map_err(|_| unknown_type(resource, "data source"))?.clone();
        let block = &source.schema().block;
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
        let decoded = self.run.decode(address, resource, names, block)?;
        self.run.check_ephemeral(address, resource, &decoded, block)?;
        let is_pending = self.has_pending_dependency(&address.config(), resource);
        if let Some(check) = &resource.check
            && decoded.value.is_wholly_known()
            && !is_pending
        {
            return self.data_of_check(address, resource, provider, names, block, &decoded, check);
        }
        let sensitive = decoded.marks.clone().without(Mark::Ephemeral);
        if !decoded.value.is_wholly_known() || is_pending {
            // The provider validates a configuration with unknown values as well.
            let owner = ferroform_engine::Kind::DataSource.named(&resource.id.kind);
            let validation = harness.server().validate_config(owner, decoded.value.clone(), true);
            let step = format!("the validation of {label}");
            let warnings = harness.run_for_diagnostics(&step, validation);
            let warnings = warnings.map_err(|it| located(Problem::from_provider(it, &label), resource))?;
            self.run.report(Problem::from_provider(warnings, &label));
            let planned = plan_data::planned(block, &decoded.value);
            self.pending.insert(address.config());
            let mut change = Change::read(block, address, provider, planned, &sensitive);
            change.reason = Some(match decoded.value.is_wholly_known() {
                true => "read_because_dependency_pending",
                false => "read_because_config_unknown",
            });
            let value = marked(block, &change.after, &sensitive);
            match self.deferral(&address.config(), None) {
                Some(reason) => self.deferred.push((change, reason)),
                None => self.changes.push(change),
            }
            return Ok(value);
        }
        match self.run.read_data(address, resource, provider, names, &sensitive)? {
            Ok(value) => Ok(value),
            Err(reason) => {
                let planned = plan_data::planned(block, &decoded.value);
                let value = marked(block, &planned, &sensitive);
                let change = Change::read(block, address, provider, planned, &sensitive);
                let reason = self.deferral(&address.config(), Some(reason)).unwrap_or("unknown");
                self.deferred.push((change, reason));
                Ok(value)
            }
        }
    }

    /// Reads a data source of a `check` block. It is read again during the apply, and its errors are warnings.
    #[expect(clippy::too_many_arguments, reason = "the parts of a data source")]
    fn data_of_check(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
        block: &Block,
        decoded: &Decoded,
        check: &str,
    ) -> Result<Marked> {
        let sensitive = decoded.marks.clone().without(Mark::Ephemeral);
        let value = match self.run.read_data(address, resource, provider, names, &sensitive) {
            Ok(Ok(value)) => value,
            Ok(Err(_)) => marked(block, &plan_data::planned(block, &decoded.value), &sensitive),
            Err(problems) => {
                self.run.fail_check(address, check, problems);
                marked(block, &plan_data::planned(block, &decoded.value), &sensitive)
            }
        };
        let mut change = Change::read(block, address, provider, value.typed.value.clone(), &sensitive);
        change.reason = Some("read_because_check_nested");
        self.changes.push(change);
        Ok(value)
    }

    /// True if a resource of `depends_on` has planned changes: its own, or that of a module which contains it.
    fn has_pending_dependency(&self, address: &ConfigAddress, resource: &Resource<'_>) -> bool {
        let own = self.run.graph_explicit(&address.module, &resource.depends_on);
        let of_modules = (0..address.module.len()).flat_map(|depth| {
            let (parent, name) = (&address.module[..depth], &address.module[depth]);
            let call = self.run.module(parent).and_then(|it| it.calls.get(name));
            call.map(|it| self.run.graph_explicit(parent, &it.depends_on)).unwrap_or_default()
        });
        let explicit: BTreeSet<Node> = own.into_iter().chain(of_modules).collect();
        // A direct reference to a resource counts as well, and with conditions also an indirect one.
        let has_conditions =
            !resource.lifecycle.preconditions.is_empty() || !resource.lifecycle.postconditions.is_empty();
        let edges = self.run.graph.edges.get(&Node::Resource(address.clone()));
        let direct = edges.into_iter().flatten().filter(|it| matches!(it, Node::Resource(_)));
        let indirect = self.run.graph.managed_dependencies(address).filter(|_| has_conditions);
        let is_pending = |it: &ConfigAddress| it.resource.mode == Mode::Managed && self.pending.contains(it);
        if direct.into_iter().any(|it| matches!(it, Node::Resource(it) if is_pending(it)))
            || indirect.into_iter().any(is_pending)
        {
            return true;
        }
        let all = self.run.graph.with_dependencies(explicit);
        all.iter().any(|it| matches!(it, Node::Resource(it) if self.pending.contains(it)))
    }

    fn validate_action(&mut self, config_address: &ConfigAddress, resource: &Resource<'_>) -> Result<()> {
        let provider = self.run.provider_of(&config_address.module, resource)?;
        let harness = self.run.providers.get(&provider)?;
        harness
            .server()
            .find::<dyn ferroform::raw::AnyAction>(&resource.id.kind)
            .map_err(|_| unknown_type(resource, "action"))?;
        Ok(())
    }

    /// Plans the actions of a trigger, before or after the change of the resource.
    fn trigger(&mut self, address: &ConfigAddress, index: usize, is_after: bool) -> Result<()> {
        let Some(module) = self.run.module(&address.module) else { return Ok(()) };
        let Some(resource) = module.resources.get(&address.resource) else { return Ok(()) };
        let Some(trigger) = resource.lifecycle.action_triggers.get(index) else { return Ok(()) };
        let triggering: Vec<_> = self
            .changes
            .iter()
            .filter(|it| it.address.config() == *address && it.deposed.is_none())
            .map(|it| (it.address.clone(), it.action))
            .collect();
        for (instance, action) in triggering {
            for event in &trigger.events {
                if matches!(event, ActionEvent::AfterCreate | ActionEvent::AfterUpdate) != is_after
                    || !matches_event(*event, action)
                {
                    continue;
                }
                for (position, it) in trigger.actions.iter().enumerate() {
                    let Some((planned, config)) =
                        self.run.plan_action(&instance, trigger.condition.as_ref(), it)?
                    else {
                        continue;
                    };
                    let invocation = serde_json::json!({
                        "address": planned.to_string(),
                        "type": planned.resource.kind,
                        "name": planned.resource.name,
                        "config_values": super::show::known(&config),
                        "lifecycle_action_trigger": {
                            "triggering_resource_address": instance.to_string(),
                            "action_trigger_event": event.name(),
                            "action_trigger_block_index": index,
                            "actions_list_index": position,
                        },
                    });
                    if !self.invocations.contains(&invocation) {
                        self.invocations.push(invocation);
                    }
                }
            }
        }
        Ok(())
    }
}

/// True if the action of a resource causes the event.
pub(crate) fn matches_event(event: ActionEvent, action: PlannedAction) -> bool {
    match event {
        ActionEvent::BeforeCreate | ActionEvent::AfterCreate => {
            action == PlannedAction::Create || action.is_replace()
        }
        ActionEvent::BeforeUpdate | ActionEvent::AfterUpdate => action == PlannedAction::Update,
    }
}

/// Adds the position of the block to problems without a position.
pub(crate) fn located(problems: Problems, resource: &Resource<'_>) -> Problems {
    let problems = problems.into_iter();
    problems
        .map(|it| {
            // An error without an address is not about the configuration.
            if it.address.is_none() {
                return it;
            }
            let range = match &it.path {
                Some(path) => super::decode::position(&resource.config, path),
                None => resource.config.header.clone(),
            };
            it.at(resource.config.file, range)
        })
        .collect()
}

/// The state of a stored object in the form of the current schema version.
pub(crate) fn upgraded(instance: &Instance, label: &str, object: &Object) -> Result<InstanceState> {
    let step = format!("the state upgrade of {label}");
    if object.schema_version > instance.resource.schema().version {
        let detail = format!(
            "The current state of {label} was created by a newer provider version than is currently selected. Upgrade the provider \
             to work with this state."
        );
        return Err(vec![Problem::error("Resource instance managed by newer provider version", detail)]);
    }
    let value = instance
        .upgraded(&step, object.schema_version, object.attributes.as_bytes())
        .map_err(|it| Problem::from_provider(it, label))?;
    let identity = match (&object.identity, instance.resource.identity()) {
        (Some((version, text)), Some(schema)) if *version == schema.version => {
            json::decode(text.as_bytes(), schema.block.ty()).ok()
        }
        (Some((version, text)), Some(_)) => instance
            .upgraded_identity(&step, *version, text)
            .map_err(|it| Problem::from_provider(it, label))?,
        _ => None,
    };
    Ok(InstanceState { value, private: object.private.clone(), identity, tainted: object.is_tainted })
}

/// Stores the state of an instance with the metadata of an earlier object.
pub(crate) fn store(
    instance: &Instance,
    provider: &ProviderKey,
    state: &InstanceState,
    earlier: &Object,
) -> Result<Object> {
    let schema = instance.resource.schema();
    let identity = instance.resource.identity().map(|it| (&it.block, it.version));
    let object = Object::new(provider.clone(), (&schema.block, schema.version), identity, state)?;
    Ok(Object {
        sensitive: earlier.sensitive.clone(),
        dependencies: earlier.dependencies.clone(),
        create_before_destroy: earlier.create_before_destroy,
        ..object
    })
}

/// An object with the marks of its schema and of the configuration.
pub(crate) fn marked(block: &Block, value: &Value, sensitive: &Marks) -> Marked {
    let mut it = marked_object(block, value);
    let existing =
        sensitive.paths(Mark::Sensitive).filter(|path| value.at(path).is_some_and(|it| !it.is_null()));
    it.marks.extend(existing.map(|path| (path.clone(), Mark::Sensitive)).collect());
    it
}

fn marks_of(block: &Block, value: &Value, sensitive: &Marks) -> Marks {
    if value.is_null() { Marks::none() } else { marked(block, value, sensitive).marks }
}

fn prevented(address: &Address, resource: &Resource<'_>) -> Problem {
    let detail = format!(
        "Resource {address} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. To avoid \
         this error and continue with the plan, either disable lifecycle.prevent_destroy or reduce the scope of the plan using \
         the -target option."
    );
    Problem::error("Instance cannot be destroyed", detail)
        .at(resource.config.file, resource.config.header.clone())
}

/// True if an address is the target, or inside it.
pub(crate) fn contains(target: &Target, address: &Address) -> bool {
    let in_module = address.module.len() >= target.module.len()
        && target
            .module
            .iter()
            .zip(&address.module)
            .all(|((name, key), (other, of))| name == other && (*key == InstanceKey::None || key == of));
    match &target.resource {
        None => in_module,
        Some((resource, key)) => {
            in_module
                && address.module.len() == target.module.len()
                && *resource == address.resource
                && (*key == InstanceKey::None || *key == address.key)
        }
    }
}

/// The resources whose new object is created before the old one is destroyed: those with the argument, and their
/// dependencies.
fn forced_create_before_destroy(run: &Run<'_>) -> BTreeSet<ConfigAddress> {
    let mut found = BTreeSet::new();
    for (path, module) in &run.configuration.modules {
        for resource in module.resources.values() {
            let address = ConfigAddress { module: path.clone(), resource: resource.id.clone() };
            if resource.lifecycle.create_before_destroy && !found.contains(&address) {
                found.extend(run.graph.managed_dependencies(&address).cloned());
                found.insert(address);
            }
        }
    }
    found
}

/// Replaces ignored values of the configuration by those of the prior state.
pub(crate) fn ignore_changes(lifecycle: &Lifecycle<'_>, block: &Block, prior: &Value, config: &mut Value) {
    if prior.is_null() {
        return;
    }
    if lifecycle.ignores_all {
        *config = configurable(block, prior);
        return;
    }
    for it in &lifecycle.ignored {
        ignore(config, prior, &it.steps);
    }
}

/// The state without computed attributes that cannot be configured.
fn configurable(block: &Block, state: &Value) -> Value {
    let Value::Object(object) = state else {
        return match state {
            Value::Null => Value::Null,
            _ => state.map_elements(|_, it| configurable(block, it)),
        };
    };
    let members = block.members().map(|member| {
        let value = object.get_or_null(member.name());
        let is_computed = matches!(member, Member::Attribute(it) if it.mode() == AttributeMode::Computed);
        let value = match member.nested() {
            _ if is_computed => Value::Null,
            Some((_, inside)) => configurable(inside, value),
            None => value.clone(),
        };
        (member.name().clone(), value)
    });
    Value::Object(members.collect())
}

fn ignore(config: &mut Value, prior: &Value, steps: &[TraversalStep]) {
    let Some((step, rest)) = steps.split_first() else {
        *config = prior.clone();
        return;
    };
    let name = match step {
        TraversalStep::Name(name) => Some(name.clone()),
        TraversalStep::Index(Value::String(key)) => Some(key.to_string()),
        TraversalStep::Index(_) => None,
    };
    match (&mut *config, prior) {
        (Value::Object(object), Value::Object(of_prior)) => {
            if let Some(name) = name
                && let Some(value) = object.get_mut(&name)
            {
                ignore(value, of_prior.get_or_null(&name), rest);
            }
        }
        (Value::Map(map), Value::Map(of_prior)) => {
            let Some(name) = name else { return };
            match (map.get_mut(name.as_str()), of_prior.get(name.as_str())) {
                (Some(value), Some(prior)) => ignore(value, prior, rest),
                (None, Some(prior)) if rest.is_empty() => {
                    map.insert(name.into(), prior.clone());
                }
                (Some(_), None) if rest.is_empty() => {
                    map.remove(name.as_str());
                }
                _ => {}
            }
        }
        // The configuration omits the map, which has the ignored element.
        (Value::Null, Value::Map(of_prior)) if rest.is_empty() => {
            if let Some(name) = name
                && let Some(prior) = of_prior.get(name.as_str())
            {
                *config = Value::map([(name, prior.clone())]);
            }
        }
        (Value::List(list), Value::List(of_prior)) => {
            let TraversalStep::Index(Value::Number(index)) = step else { return };
            let Some(index) = index.to_u64().and_then(|it| usize::try_from(it).ok()) else { return };
            if let (Some(value), Some(prior)) = (list.get_mut(index), of_prior.get(index)) {
                ignore(value, prior, rest);
            }
        }
        _ => {}
    }
}
