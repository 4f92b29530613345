//! The evaluation of a configuration, which a plan and an apply share.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::{Block, Member};
use ferroform::value::{Path, Type, Typed, Value};
use ferroform_engine::configuration::evaluate;
use ferroform_engine::value::convert::convert;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::{Address, InstanceKey, Mode, ModuleInstance, ModulePath, module_path};
use super::blocks::Located;
use super::checks::{CheckableObject, Checks};
use super::configuration::{Module, ModuleCall, ModuleTree, Repetition, Resource, provider_address};
use super::decode::{Decoded, decode, located, position};
use super::files::Files;
use super::functions::{Environment, Timing};
use super::graph::{Graph, Node, provider_key};
use super::problem::{Problem, Problems, Result};
use super::providers::{ProviderKey, Providers};
use super::resource_instance::{BlockValues, ResourceInstance};
use super::scope::{ModuleValues, Scope};
use super::state::State;
use super::values::{RepetitionKind, combined, instance_values, repetition_kind, unknown_values};
use super::variables::VariableValue;
use crate::ephemeral_resource::OpenResource;

/// The instances of a block, with the values of `each.value`.
pub(crate) type Instances = Vec<(InstanceKey, Option<Marked>)>;

/// The evaluation of a configuration.
pub(crate) struct Evaluation<'a> {
    pub(crate) files: &'a Files,
    pub(crate) configuration: &'a ModuleTree<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) providers: &'a mut Providers,
    pub(crate) variables: &'a BTreeMap<String, VariableValue<'a>>,
    pub(crate) state: State,
    pub(crate) modules: BTreeMap<ModuleInstance, ModuleValues>,
    /// The instances of each module.
    pub(crate) expansions: BTreeMap<ModulePath, Vec<ModuleInstance>>,
    /// The value of `each.value` of each module instance.
    each_values: BTreeMap<ModuleInstance, Marked>,
    /// `count` or `each` of the module instances in a validation.
    unknown_values: BTreeMap<ModuleInstance, (&'static str, Marked)>,
    pub(crate) problems: Problems,
    /// The nodes with errors, and those that depend on them.
    pub(crate) failed: BTreeSet<Node>,
    /// The ephemeral resources that are open.
    pub(crate) open: Vec<(Address, OpenResource)>,
    /// True if the references of expressions are checked against the declarations.
    pub(crate) validates: bool,
    /// The `check` block that is evaluated.
    pub(crate) check: Option<String>,
    pub(crate) checks: Checks,
    timing: Timing,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(
        files: &'a Files,
        configuration: &'a ModuleTree<'a>,
        graph: &'a Graph,
        providers: &'a mut Providers,
        variables: &'a BTreeMap<String, VariableValue<'a>>,
        state: State,
        timing: Timing,
    ) -> Evaluation<'a> {
        let mut evaluation = Evaluation {
            files,
            configuration,
            graph,
            providers,
            variables,
            state,
            modules: BTreeMap::new(),
            expansions: BTreeMap::new(),
            each_values: BTreeMap::new(),
            unknown_values: BTreeMap::new(),
            problems: Problems::new(),
            failed: BTreeSet::new(),
            open: Vec::new(),
            validates: false,
            check: None,
            checks: Checks::default(),
            timing,
        };
        evaluation.add_module_instance(ModuleInstance::new());
        evaluation
    }

    fn add_module_instance(&mut self, instance: ModuleInstance) {
        let path = module_path(&instance);
        let directory = self.configuration.module(&path).map(|it| it.directory.clone()).unwrap_or_default();
        let directory = match directory.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => directory.to_string_lossy().replace('\\', "/"),
        };
        let root = self.files.root.to_string_lossy().replace('\\', "/");
        let string = |it: &str| Marked::from(Typed::new(Type::String, Value::string(it)));
        let mut values = ModuleValues::default();
        let constants = [
            ("path.module", &*directory),
            ("path.root", "."),
            ("path.cwd", &*root),
            ("terraform.workspace", "default"),
        ];
        values.values.extend(constants.map(|(name, value)| (name.to_owned(), string(value))));
        let is_applying = Typed::new(Type::Bool, Value::Bool(self.timing.is_applying));
        let is_applying = Marked { marks: Marks::of(Mark::Ephemeral), ..is_applying.into() };
        values.values.insert("terraform.applying".to_owned(), is_applying);
        self.modules.insert(instance.clone(), values);
        self.expansions.entry(path).or_default().push(instance);
    }

    pub(crate) fn report(&mut self, problems: Problems) {
        self.problems.extend(problems);
    }

    pub(crate) fn instances_of(&self, path: &[String]) -> Vec<ModuleInstance> {
        self.expansions.get(path).cloned().unwrap_or_default()
    }

    pub(crate) fn module(&self, path: &[String]) -> Option<&'a Module<'a>> {
        self.configuration.module(path)
    }

    /// Evaluates expressions with the values of a module instance, and with the additional `values`.
    pub(crate) fn with_scope<T>(
        &self,
        instance: &ModuleInstance,
        values: &[(&'static str, Marked)],
        evaluate: impl FnOnce(&Scope<'_>) -> T,
    ) -> T {
        let empty = ModuleValues::default();
        let path = module_path(instance);
        let module = self.module(&path);
        let requirements = |name: &str| match module {
            Some(it) => it.provider_address(name),
            None => provider_address(name),
        };
        let scope = Scope {
            module: self.modules.get(instance).unwrap_or(&empty),
            names: values.iter().map(|(name, value)| (*name, value)).collect(),
            providers: self.providers,
            functions: Environment { directory: &self.files.root, timing: &self.timing },
            declared: module.filter(|_| self.validates).map(|it| (it, self.check.as_deref())),
            requirements: &requirements,
        };
        evaluate(&scope)
    }

    /// The values of `each` or `count` of a module instance, for the arguments of its call.
    fn call_values(&self, instance: &ModuleInstance) -> Option<(&'static str, Marked)> {
        let (_, key) = instance.last()?;
        let unknown = self.unknown_values.get(instance).cloned();
        unknown.or_else(|| instance_values(key, self.each_values.get(instance)))
    }

    /// Adds one instance of a module, whose `count` or `each` is unknown.
    pub(crate) fn unknown_call(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(call) = self.module(path).and_then(|it| it.calls.get(name)) else { return Ok(()) };
        self.check_arguments(path, call)?;
        for outer in self.instances_of(path) {
            self.check_repetition(&outer, &call.repetition)?;
            let instance = [&*outer, &[(name.to_owned(), InstanceKey::None)]].concat();
            let values = unknown_values(&call.repetition).into_iter().next();
            self.unknown_values.extend(values.map(|it| (instance.clone(), it)));
            self.add_module_instance(instance);
        }
        self.set_module_values(path, name);
        Ok(())
    }

    /// Reports an argument that is not a variable of the called module.
    fn check_arguments(&self, path: &ModulePath, call: &ModuleCall<'_>) -> Result<()> {
        let inner = [&**path, std::slice::from_ref(&call.name)].concat();
        let Some(module) = self.module(&inner) else { return Ok(()) };
        let is_unsupported = |it: &String| !call.is_overridden && !module.variables.contains_key(it);
        let unsupported = call
            .arguments
            .iter()
            .filter(|(it, _)| is_unsupported(it))
            .map(|(name, it)| Problem::unsupported_argument(it.file, name).at_expression(it));
        let is_missing = |name: &&String| !call.arguments.iter().any(|(it, _)| it == *name);
        let required =
            module.variables.iter().filter(|(_, it)| it.declaration.default.is_none()).map(|(name, _)| name);
        let missing = required
            .filter(is_missing)
            .map(|name| Problem::missing_argument(name).at(call.file, call.header.clone()));
        let has_providers = !module.providers.is_empty();
        let repetition = match &call.repetition {
            Repetition::Count(it) | Repetition::ForEach(it) if has_providers => Some(it),
            _ => None,
        };
        let incompatible = repetition.map(|it| {
            let detail = "The module contains its own local provider configurations, and so calls to it may not use the count, \
                          for_each, or depends_on arguments.";
            let summary = "Module is incompatible with count, for_each, and depends_on";
            Problem::error(summary, detail).at_expression(it)
        });
        let problems: Problems = unsupported.chain(missing).chain(incompatible).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Sets a value that expressions of a module instance can refer to.
    pub(crate) fn set_value(&mut self, instance: &ModuleInstance, name: String, value: Marked) {
        if let Some(it) = self.modules.get_mut(instance) {
            it.values.insert(name, value);
        }
    }

    /// Evaluates a node that is neither a resource nor a trigger.
    pub(crate) fn evaluate_node(&mut self, node: &Node) -> Result<()> {
        match node {
            Node::Variable(path, name) => self.evaluate_variable(path, name),
            Node::Local(path, name) => {
                let Some(it) = self.module(path).and_then(|it| it.locals.get(name)) else { return Ok(()) };
                for instance in self.instances_of(path) {
                    let value = self.with_scope(&instance, &[], |scope| scope.evaluate(it))?;
                    self.set_value(&instance, format!("local.{name}"), value);
                }
                Ok(())
            }
            Node::Output(path, name) => self.evaluate_output(path, name),
            Node::Call(path, name) => self.expand_call(path, name),
            Node::Provider(key) => self.configure_provider(key),
            Node::Check(path, index) => self.evaluate_check(path, *index),
            Node::Resource(_) | Node::Trigger(..) => Ok(()),
        }
    }

    /// Sets a variable in all instances of its module.
    fn evaluate_variable(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(variable) = self.module(path).and_then(|it| it.variables.get(name)) else { return Ok(()) };
        let declaration = &variable.declaration;
        for instance in self.instances_of(path) {
            let mut at = (variable.file, variable.header.clone());
            let configured = match path.split_last() {
                None => match self.variables.get(name).map(|it| (it.position(), it.read())) {
                    Some((position, Ok(value))) => {
                        at = position;
                        Some(Marked::from(value))
                    }
                    Some((_, Err(problems))) => {
                        self.report(problems);
                        None
                    }
                    None => None,
                },
                Some((call, parent)) => {
                    let call = self.module(parent).and_then(|it| it.calls.get(call));
                    let argument = call.and_then(|it| it.arguments.iter().find(|(it, _)| it == name));
                    if let Some(call) = call {
                        at = (call.file, call.header.clone());
                    }
                    match argument {
                        Some((_, it)) => {
                            at = (it.file, it.expression.at());
                            let outer = instance[..instance.len() - 1].to_vec();
                            let values = self.call_values(&instance);
                            Some(self.with_scope(&outer, values.as_slice(), |scope| scope.evaluate(it))?)
                        }
                        None => None,
                    }
                }
            };
            let (value, marks) = configured.map(|it| (it.typed, it.marks)).unzip();
            let is_configured = value.is_some();
            let typed = declaration.accept(value).map_err(|errors| {
                let first = errors.first();
                let (summary, detail) = match (first.is_missing_value(), path.is_empty()) {
                    (true, _) if is_configured => (
                        "Required variable not set".to_owned(),
                        format!("The given value is not suitable for {name:?}: a null value is not allowed."),
                    ),
                    (true, true) => (
                        "No value for required variable".to_owned(),
                        format!(
                            "The root module input variable {name:?} is not set, and has no default value. Set it with \
                             `Workspace::variable`, or in `terraform.tfvars`."
                        ),
                    ),
                    (true, false) => (
                        "Missing required argument".to_owned(),
                        format!("The argument {name:?} is required, but no definition was found."),
                    ),
                    _ => (first.summary().to_owned(), first.detail().to_owned()),
                };
                vec![Problem::error(summary, detail).at(at.0, at.1.clone())]
            })?;
            let mut marks = marks.unwrap_or_default().after_conversion(&typed.ty);
            if declaration.sensitive {
                marks.extend(Marks::of(Mark::Sensitive));
            }
            if marks.contains(Mark::Ephemeral) && !declaration.ephemeral {
                let detail = format!(
                    "The value for {name:?} is derived from an ephemeral value, which means that the module's variable must \
                     be declared as ephemeral."
                );
                return Err(vec![Problem::error("Ephemeral value not allowed", detail).at(at.0, at.1)]);
            }
            if declaration.ephemeral {
                marks.extend(Marks::of(Mark::Ephemeral));
            }
            self.set_value(&instance, format!("var.{name}"), Marked { typed, marks });
            if self.validates {
                continue;
            }
            let checked = CheckableObject::of("var", &instance, &format!("var.{name}"));
            let summary = "Invalid value for variable";
            // The error is about the value, not about the condition.
            let located = |it: Problem| {
                let detail =
                    format!("{}\n\nThis was checked by the validation rule of the variable.", it.detail);
                Problem::error(it.summary, detail).at(at.0, at.1.clone())
            };
            self.check_conditions(&instance, &[], &variable.validations, summary, &checked).map_err(
                |failed| {
                    let all = failed.into_iter().map(|it| if it.is_error { located(it) } else { it });
                    all.collect::<Problems>()
                },
            )?;
        }
        Ok(())
    }

    /// Evaluates an output in all instances of its module.
    fn evaluate_output(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(output) = self.module(path).and_then(|it| it.outputs.get(name)) else { return Ok(()) };
        for instance in self.instances_of(path) {
            let checked = CheckableObject::of("output_value", &instance, &format!("output.{name}"));
            let summary = "Module output value precondition failed";
            self.check_conditions(&instance, &[], &output.preconditions, summary, &checked)?;
            let mut value = self.with_scope(&instance, &[], |scope| scope.evaluate(&output.value))?;
            let at = |problem: Problem| vec![problem.at(output.value.file, output.header.clone())];
            if value.marks.contains(Mark::Ephemeral) && !output.is_ephemeral {
                let at = |problem: Problem| vec![problem.at_expression(&output.value)];
                let detail = "This output value is not declared as returning an ephemeral value, so it cannot be set to a \
                              result derived from an ephemeral value.";
                return Err(at(Problem::error("Ephemeral value not allowed", detail)));
            }
            if output.is_ephemeral && path.is_empty() {
                let detail = "Ephemeral outputs are not allowed in context of a root module.";
                return Err(at(Problem::error("Ephemeral output not allowed", detail)));
            }
            if value.marks.contains(Mark::Sensitive) && !output.is_sensitive && path.is_empty() {
                let detail = "To reduce the risk of accidentally exporting sensitive data that was intended to be only \
                              internal, an output value that contains sensitive data must be explicitly marked as \
                              sensitive, with the argument sensitive = true.";
                return Err(at(Problem::error("Output refers to sensitive values", detail)));
            }
            // Terraform 1.11 does not mark the sensitive outputs of a child module.
            if output.is_sensitive && path.is_empty() {
                value.marks.extend(Marks::of(Mark::Sensitive));
            }
            if output.is_ephemeral {
                value.marks.extend(Marks::of(Mark::Ephemeral));
            }
            if let Some(it) = self.modules.get_mut(&instance) {
                it.outputs.insert(name.to_owned(), value);
            }
        }
        if let Some((call, parent)) = path.split_last() {
            self.set_module_values(parent, call);
        }
        Ok(())
    }

    /// Stores the evaluated outputs of the root module in the state, with null for unknown values. With `-target`, the other
    /// outputs keep their values.
    pub(crate) fn store_outputs(&mut self, is_targeted: bool) {
        if !is_targeted {
            let module = self.module(&[]);
            let is_declared = |name: &String| module.is_some_and(|it| it.outputs.contains_key(name));
            self.state.outputs.retain(|name, _| is_declared(name));
        }
        let root = self.modules.get(&ModuleInstance::new());
        for (name, value) in root.into_iter().flat_map(|it| &it.outputs) {
            self.state.store_output(name, value);
        }
    }

    /// Sets `module.name` in the module instances that contain the call.
    fn set_module_values(&mut self, parent: &[String], call: &str) {
        let path = [parent, &[call.to_owned()]].concat();
        let Some(kind) =
            self.module(parent).and_then(|it| it.calls.get(call)).map(|it| repetition_kind(&it.repetition))
        else {
            return;
        };
        let mut by_parent: BTreeMap<ModuleInstance, Vec<(InstanceKey, Marked)>> = BTreeMap::new();
        for outer in self.instances_of(parent) {
            by_parent.insert(outer, Vec::new());
        }
        for instance in self.instances_of(&path) {
            let Some(((_, key), outer)) = instance.split_last() else { continue };
            let outputs = self.modules.get(&instance).into_iter().flat_map(|it| &it.outputs);
            let value = Marked::object(outputs.map(|(name, value)| (name.as_str().into(), value.clone())));
            by_parent.entry(outer.to_vec()).or_default().push((key.clone(), value));
        }
        for (outer, instances) in by_parent {
            // In a validation, the instances of a repeated module are unknown.
            let is_unknown =
                kind != RepetitionKind::Single && instances.iter().any(|(key, _)| *key == InstanceKey::None);
            let value = match is_unknown {
                true => Marked::unknown(Type::Dynamic),
                false => combined(instances, kind),
            };
            self.set_value(&outer, format!("module.{call}"), value);
        }
    }

    /// Adds the instances of a module call.
    fn expand_call(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(call) = self.module(path).and_then(|it| it.calls.get(name)) else { return Ok(()) };
        let inner = [&**path, &[name.to_owned()]].concat();
        self.expansions.entry(inner).or_default();
        self.check_arguments(path, call)?;
        for outer in self.instances_of(path) {
            let instances = self.expand(&outer, &call.repetition)?;
            for (key, value) in instances {
                let instance = [&*outer, &[(name.to_owned(), key)]].concat();
                if let Some(value) = value {
                    self.each_values.insert(instance.clone(), value);
                }
                self.add_module_instance(instance);
            }
        }
        self.set_module_values(path, name);
        Ok(())
    }

    /// Evaluates `count` or `for_each`.
    pub(crate) fn expand(&self, instance: &ModuleInstance, repetition: &Repetition<'_>) -> Result<Instances> {
        match repetition {
            Repetition::None => Ok(vec![(InstanceKey::None, None)]),
            Repetition::Count(it) => {
                let value = self.with_scope(instance, &[], |scope| scope.evaluate(it))?;
                let problem =
                    |detail: &str| vec![Problem::error("Invalid count argument", detail).at_expression(it)];
                if value.marks.contains(Mark::Ephemeral) {
                    return Err(problem("The given \"count\" value is derived from an ephemeral value."));
                }
                let converted =
                    convert(value.typed.value, &value.typed.ty, &Type::Number).map_err(|error| {
                        let detail = format!("Invalid expression value: {error}.");
                        vec![Problem::error("Incorrect value type", detail).at_expression(it)]
                    })?;
                match converted.value {
                    Value::Unknown(_) => Err(problem(
                        "The \"count\" value depends on resource attributes that cannot be determined until apply, so \
                         Terraform cannot predict how many instances will be created.",
                    )),
                    Value::Null => {
                        Err(problem("The given \"count\" argument value is null. An integer is required."))
                    }
                    Value::Number(number) => {
                        let count = number.to_u64().and_then(|it| usize::try_from(it).ok()).ok_or_else(|| {
                            problem(
                                "The given \"count\" argument value is unsuitable: it must be a whole number greater than \
                                 or equal to zero.",
                            )
                        })?;
                        Ok((0..count).map(|it| (InstanceKey::Index(it), None)).collect())
                    }
                    _ => Err(problem("The given \"count\" argument value is unsuitable.")),
                }
            }
            Repetition::ForEach(it) => {
                let value = self.with_scope(instance, &[], |scope| scope.evaluate(it))?;
                expand_for_each(it, value)
            }
        }
    }

    /// Reports an invalid `count` or `for_each`. The value can be unknown, but neither ephemeral nor sensitive.
    pub(crate) fn check_repetition(
        &self,
        instance: &ModuleInstance,
        repetition: &Repetition<'_>,
    ) -> Result<()> {
        let (it, is_count) = match repetition {
            Repetition::None => return Ok(()),
            Repetition::Count(it) => (it, true),
            Repetition::ForEach(it) => (it, false),
        };
        let value = self.with_scope(instance, &[], |scope| scope.evaluate(it))?;
        let is_marked = value.marks.has(Mark::Ephemeral) || !is_count && value.marks.has(Mark::Sensitive);
        if is_marked || value.typed.value.is_wholly_known() {
            self.expand(instance, repetition)?;
        }
        Ok(())
    }

    /// True if `count` or `for_each` is unknown.
    pub(crate) fn is_repetition_unknown(
        &self,
        instance: &ModuleInstance,
        repetition: &Repetition<'_>,
    ) -> Result<bool> {
        let it = match repetition {
            Repetition::None => return Ok(false),
            Repetition::Count(it) | Repetition::ForEach(it) => it,
        };
        let value = self.with_scope(instance, &[], |scope| scope.evaluate(it))?.typed;
        let is_set = matches!(value.ty, Type::Set(_));
        Ok(value.value.is_unknown() || is_set && !value.value.is_wholly_known())
    }

    /// Configures a provider.
    fn configure_provider(&mut self, key: &ProviderKey) -> Result<()> {
        let harness = self.providers.unconfigured(&key.address)?;
        let block = &harness.server().provider().schema().block;
        let declared = self.module(&key.module).and_then(|it| it.provider_block(key));
        let (configuration, value) = match declared {
            Some(it) => {
                let instance = ModuleInstance::new();
                let instance =
                    if key.module.is_empty() { instance } else { self.only_instance(&key.module)? };
                let decoded = self.with_scope(&instance, &[], |scope| decode(scope, &it.config, block))?;
                (decoded.configuration, decoded.value)
            }
            None => {
                let configuration = ferroform_engine::configuration::Configuration::default();
                let value = evaluate(block, &configuration)
                    .map_err(|errors| Problem::from_provider(errors, &key.to_string()))?;
                (configuration, value)
            }
        };
        let configuration = crate::Configuration::from_entries(configuration);
        let located = |problems: Problems| match declared {
            Some(block) => located(problems, &block.config),
            None => problems,
        };
        let warnings = self.providers.configure(key, &configuration, &value).map_err(located)?;
        self.report(located(warnings));
        Ok(())
    }

    /// The instance of a module with provider configurations, which cannot be repeated.
    fn only_instance(&self, path: &[String]) -> Result<ModuleInstance> {
        let instances = self.instances_of(path);
        match instances.as_slice() {
            [instance] => Ok(instance.clone()),
            _ => {
                let detail = "A module with provider blocks cannot be used with count or for_each.";
                Err(vec![Problem::error(
                    "Module is incompatible with count, for_each, and depends_on",
                    detail,
                )])
            }
        }
    }

    /// The instances to plan or apply: those of the configuration, or for a destroy those of the state.
    pub(crate) fn expand_or_stored(
        &self,
        module: &ModuleInstance,
        resource: &Resource<'_>,
        is_destroy: bool,
    ) -> Result<Instances> {
        match is_destroy {
            true => Ok(self.state.instance_keys(module, &resource.id).map(|it| (it.clone(), None)).collect()),
            false => self.expand(module, &resource.repetition),
        }
    }

    /// The instances of a resource in all instances of its module, with `each` or `count`.
    pub(crate) fn instances_with_values(
        &self,
        module: &[String],
        resource: &Resource<'_>,
    ) -> Result<Vec<(Address, BlockValues)>> {
        let mut found = Vec::new();
        for module in self.instances_of(module) {
            for (key, each) in self.expand(&module, &resource.repetition)? {
                let values = instance_values(&key, each.as_ref()).into_iter().collect();
                let module = module.clone();
                found.push((Address { module, resource: resource.id.clone(), key }, values));
            }
        }
        Ok(found)
    }

    /// True if the configuration has the instance.
    pub(crate) fn is_declared(&self, address: &Address, resource: &Resource<'_>) -> Result<bool> {
        let modules = self.expansions.get(&module_path(&address.module));
        if !modules.is_some_and(|it| it.contains(&address.module)) {
            return Ok(false);
        }
        let instances = self.expand(&address.module, &resource.repetition)?;
        Ok(instances.iter().any(|(key, _)| *key == address.key))
    }

    /// Decodes the configuration of a resource instance.
    pub(crate) fn decode(&self, it: &ResourceInstance<'_>, block: &Block) -> Result<Decoded> {
        self.with_scope(&it.address.module, &it.values, |scope| decode(scope, &it.resource.config, block))
    }

    /// Reports ephemeral values in arguments that are stored.
    pub(crate) fn check_ephemeral(
        &self,
        it: &ResourceInstance<'_>,
        decoded: &Decoded,
        block: &Block,
    ) -> Result<()> {
        let is_write_only = |path: &Path| {
            (1..=path.steps().len()).any(|end| {
                let prefix: Path = path.steps()[..end].iter().cloned().collect();
                matches!(block.at(&prefix), Some(Member::Attribute(it)) if it.is_write_only())
            })
        };
        let resource = it.resource;
        if !matches!(resource.id.mode, Mode::Managed | Mode::Data) {
            return Ok(());
        }
        match decoded.marks.paths(Mark::Ephemeral).find(|it| !is_write_only(it)) {
            None => Ok(()),
            Some(path) => {
                let detail = format!(
                    "Ephemeral values are not valid for {path}, because it is not assigned to a write-only attribute."
                );
                let problem = Problem::error("Invalid use of ephemeral value", detail).of(&it.address);
                let (file, range) = position(&resource.config, Some(path));
                Err(vec![problem.at(file, range)])
            }
        }
    }

    pub(crate) fn provider_of(&self, path: &[String], resource: &Resource<'_>) -> Result<ProviderKey> {
        let module = self.module(path).ok_or_else(Problems::new)?;
        provider_key(self.configuration, path, module, resource).map_err(|it| vec![it])
    }

    /// Returns true if a dependency of the node has failed.
    pub(crate) fn has_failed_dependency(&self, node: &Node) -> bool {
        self.graph.edges.get(node).into_iter().flatten().any(|it| self.failed.contains(it))
    }
}

/// The keys and values of `for_each`.
pub(crate) fn expand_for_each(it: &Located<'_>, value: Marked) -> Result<Instances> {
    let problem = |detail: &str| vec![Problem::error("Invalid for_each argument", detail).at_expression(it)];
    if value.marks.contains(Mark::Ephemeral) {
        return Err(problem("The given \"for_each\" value is derived from an ephemeral value."));
    }
    let is_set = matches!(value.typed.ty, Type::Set(_));
    let has_sensitive_keys =
        if is_set { value.marks.contains(Mark::Sensitive) } else { value.marks.has(Mark::Sensitive) };
    if has_sensitive_keys {
        return Err(problem(
            "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the \
             sensitive value could be exposed as a resource instance key.",
        ));
    }
    if value.typed.value.is_null() {
        return Err(problem(
            "The given \"for_each\" argument value is unsuitable: the given \"for_each\" argument value is null. A map, or \
             set of strings is allowed.",
        ));
    }
    if !matches!(value.typed.ty, Type::Set(_) | Type::Map(_) | Type::Object(_) | Type::Dynamic) {
        let detail = format!(
            "The given \"for_each\" argument value is unsuitable: the \"for_each\" argument must be a map, or set of strings, \
             and you have provided a value of type {}.",
            value.typed.ty.kind()
        );
        return Err(problem(&detail));
    }
    let is_unknown = value.typed.value.is_unknown() || is_set && !value.typed.value.is_wholly_known();
    if is_unknown {
        return Err(problem(
            "The \"for_each\" value depends on resource attributes that cannot be determined until apply, so Terraform cannot \
             determine the full set of keys that will identify the instances of this resource.",
        ));
    }
    let mut instances = Instances::new();
    for (key, value) in value.into_key_value_pairs().unwrap_or_default().0 {
        let Value::String(name) = &key.typed.value else {
            let detail = "The given \"for_each\" argument value is unsuitable: \"for_each\" supports maps and sets of strings, \
                          and the elements must not be null.";
            let problem = Problem::error("Invalid for_each set argument", detail);
            return Err(vec![problem.at_expression(it)]);
        };
        instances.push((InstanceKey::Name(name.to_string()), Some(value)));
    }
    Ok(instances)
}
