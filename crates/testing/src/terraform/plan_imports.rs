//! The plan of imports, and generated configurations.

use ferroform::raw::AnyResource;
use ferroform::schema::Block;
use ferroform::value::Value;
use ferroform_lang::body;
use ferroform_lang::marks::Marks;

use super::address::{Address, ConfigAddress};
use super::blocks::Body;
use super::change::SimulatedChange;
use super::configuration::{LocatedBody, ProviderReference, Resource};
use super::decode::decode;
use super::files::File;
use super::graph::{Node, nodes_of_instances, resolve_provider};
use super::imports::{ImportTarget, resolve, undeclared_import};
use super::objects::{new_instance, store};
use super::plan::Planner;
use super::problem::{Problem, Result, diagnostics_of_failure};
use super::providers::ProviderKey;
use super::state::Object;
use super::values::marks_of;
use crate::outcome::StepFailure;
use crate::workspace::PlannedAction;
use crate::{Action, Instance};

impl Planner<'_> {
    /// Evaluates the `import` blocks of a resource, and returns their addresses.
    pub(crate) fn resolve_imports(
        &mut self,
        config_address: &ConfigAddress,
        resource: &Resource<'_>,
        provider: &ProviderKey,
    ) -> Result<Vec<Address>> {
        if self.options.destroy {
            return Ok(Vec::new());
        }
        let harness = self.evaluation.providers.get(provider)?;
        let identity = harness.server().find::<dyn AnyResource>(&resource.id.kind);
        let identity = identity.ok().and_then(|it| it.identity().map(|it| it.block.clone()));
        let found = resolve(&self.evaluation, config_address, identity.as_ref())?;
        let addresses = found.keys().cloned().collect();
        self.imports.extend(found);
        Ok(addresses)
    }

    /// Imports an object by its import ID, as `terraform import` does.
    pub(crate) fn import(&mut self, address: &str, id: &str) -> Result<()> {
        let invalid = |detail: String| vec![Problem::error("Invalid import address", detail)];
        let parsed =
            Address::parse(address).ok_or_else(|| invalid(format!("{address:?} is not an address.")))?;
        let config_address = parsed.config();
        let node = Node::Resource(config_address.clone());
        let Some(resource) = self.evaluation.configuration.resource(&config_address) else {
            let summary = format!("resource address {address:?} does not exist in the configuration.");
            let detail =
                "Before importing this resource, please create its configuration in the root module.";
            return Err(vec![Problem::error(summary, detail)]);
        };
        if self.evaluation.state.get(&parsed).is_some() {
            let detail = format!(
                "Terraform is already managing a remote object for {address}. To import to this address you must first remove \
                 the existing object from the state."
            );
            return Err(vec![Problem::error("Resource already managed by Terraform", detail)]);
        }
        let provider = self.evaluation.provider_of(&config_address.module, resource)?;
        let configuration = self.evaluation.configuration;
        let mut needed = nodes_of_instances(configuration, &config_address.module, &resource.repetition);
        needed.insert(Node::Provider(provider.clone()));
        let needed = self.evaluation.graph.with_dependencies(needed);
        let order = self.evaluation.graph.order.iter();
        for it in order.filter(|it| needed.contains(it) && **it != node) {
            match it {
                Node::Resource(address) => self.plan_resource(address)?,
                it => self.evaluation.evaluate_node(it)?,
            }
        }
        if !self.evaluation.is_declared(&parsed, resource)? {
            return Err(vec![undeclared_import(&parsed)]);
        }
        let target = ImportTarget { id: Some(id.to_owned()), identity: None };
        self.import_object(&parsed, &target, &provider)?;
        let object = self.evaluation.state.objects.get_mut(&(parsed.clone(), None));
        if let Some(object) = object {
            object.create_before_destroy = self.create_before_destroy.contains(&config_address);
        }
        self.evaluation.close_ephemeral();
        Ok(())
    }

    /// Imports an object for an `import` block.
    pub(crate) fn import_object(
        &mut self,
        address: &Address,
        target: &ImportTarget,
        provider: &ProviderKey,
    ) -> Result<Option<(Instance, Object)>> {
        let label = address.to_string();
        let mut instance = new_instance(self.evaluation.providers, provider, &address.resource.kind)?;
        let mut request = instance.by_id(target.id.as_deref().unwrap_or_default());
        request.identity.clone_from(&target.identity);
        // The errors of an import have no address.
        let errors = |it: StepFailure| Problem::without_address(diagnostics_of_failure(it, &label));
        instance.import_once(request).map_err(errors)?;
        let Some(state) = instance.stored.clone() else { return Ok(None) };
        let object = store(&instance, &state, &Object::empty(provider.clone()))?;
        self.evaluation.state.objects.insert((address.clone(), None), object.clone());
        Ok(Some((instance, object)))
    }

    /// Imports the objects whose resources the configuration does not contain, and generates their configurations.
    pub(crate) fn generate_configurations(&mut self) -> Result<()> {
        let Some(root) = self.evaluation.module(&[]) else { return Ok(()) };
        for import in root.imports.iter().filter(|_| !self.options.destroy) {
            let Some(config_address) = &import.resource else { continue };
            if self.evaluation.configuration.resource(config_address).is_some() {
                continue;
            }
            if self.options.generate_config_out.is_none() || !config_address.module.is_empty() {
                let detail = format!(
                    "The configuration for the given import target {config_address} does not exist. All target instances must \
                     have an associated configuration to be imported."
                );
                let problem = Problem::error("Configuration for import target does not exist", detail);
                return Err(vec![problem.at_expression(&import.to)]);
            }
            let implied = ProviderReference::implied(&config_address.resource.kind);
            let reference = import.provider.as_ref().unwrap_or(&implied);
            let provider = resolve_provider(self.evaluation.configuration, &[], root, reference)
                .map_err(|it| vec![it])?;
            self.evaluation.evaluate_node(&Node::Provider(provider.clone()))?;
            let instance = new_instance(self.evaluation.providers, &provider, &config_address.resource.kind)?;
            let identity = instance.resource.identity().map(|it| it.block.clone());
            for (address, target) in resolve(&self.evaluation, config_address, identity.as_ref())? {
                let argument = import.provider.as_ref().filter(|it| **it != implied).map(ToString::to_string);
                self.generate(&address, &target, &provider, argument.as_deref())?;
            }
        }
        Ok(())
    }

    /// Imports an object and plans its generated configuration.
    fn generate(
        &mut self,
        address: &Address,
        target: &ImportTarget,
        provider: &ProviderKey,
        argument: Option<&str>,
    ) -> Result<()> {
        let label = address.to_string();
        let Some((instance, object)) = self.import_object(address, target, provider)? else { return Ok(()) };
        self.visited.insert(address.clone());
        let block = &instance.resource.schema().block;
        let before = instance.stored_value();
        let (kind, name) = (&address.resource.kind, &address.resource.name);
        let text = crate::render::configuration((kind, name), argument, block, &before);
        let configured = self.generated_value(&text, block)?;
        let change = instance.plan_change(&configured).map_err(|it| diagnostics_of_failure(it, &label))?;
        if self.generated.is_empty() {
            self.generated += "# __generated__ by Terraform\n# Please review these resources and move them into your main \
                               configuration files.\n";
        }
        let source = target.id.as_deref().map(|it| format!(" from {it:?}")).unwrap_or_default();
        self.generated += &format!("\n# __generated__ by Terraform{source}\n{text}\n");
        let action = if change.action == Action::NoOp { PlannedAction::NoOp } else { PlannedAction::Update };
        let before_marks = marks_of(block, &before, &Marks::none());
        let after_marks = marks_of(block, &change.planned, &Marks::none());
        let before = (before, before_marks);
        let change = SimulatedChange {
            requires_replace: change.requires_replace,
            importing: Some(target.json()),
            prior: Some(object),
            private: change.private,
            identity: change.identity,
            ..SimulatedChange::new(address, provider, action, before, (change.planned, after_marks))
        };
        self.changes.insert(change.key(), change);
        Ok(())
    }

    /// Evaluates the text of a generated `resource` block.
    fn generated_value(&self, text: &str, schema: &Block) -> Result<Value> {
        let file = File::native("generated.tf".to_owned(), text.to_owned());
        let parsed = body::parse(&file.text).map_err(|it| Problem::from_errors(&file, &it))?;
        let mut parsed = Body::of(&file, parsed);
        let Some(block) = parsed.blocks.pop() else { return Ok(Value::Null) };
        let mut body = block.body;
        body.arguments.retain(|it| it.name != "provider");
        let config = LocatedBody { body, header: block.header, file: &file, is_overridden: false };
        let decoded = self.evaluation.with_scope(&Vec::new(), &[], |scope| decode(scope, &config, schema))?;
        Ok(decoded.value)
    }
}
