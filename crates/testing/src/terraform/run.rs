//! The evaluation of a configuration: what a plan and an apply have in common.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::Deferral;
use ferroform::schema::Block;
use ferroform::value::{Type, Typed, Value, json};
use ferroform_engine::configuration::evaluate;
use ferroform_engine::value::convert::convert;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::{Address, ConfigAddress, InstanceKey, Mode, ModuleInstance, ModulePath, module_path};
use super::checks::{Checked, Checks, Status};
use super::configuration::{Condition, Configuration, Located, Module, ModuleCall, Repetition, Resource};
use super::decode::{Decoded, decode, entries, iterations};
use super::files::Files;
use super::graph::{Graph, Node, provider_key};
use super::problem::{Problem, Problems, Result, has_error};
use super::providers::{ProviderKey, Providers};
use super::scope::{ModuleValues, Scope, Shape, combined, instance_names};
use super::state::State;
use super::variables::VariableValue;
use crate::ephemeral_resource::OpenResource;
use crate::workspace::Json;

/// The result of a condition.
pub(crate) enum Verdict {
    Passed,
    Unknown,
    Failed {
        message: String,
        /// The warning about a message that is not shown.
        warning: Option<Problem>,
    },
}

/// The instances of a block, with the values of `each.value`.
pub(crate) type Instances = Vec<(InstanceKey, Option<Marked>)>;

/// The evaluation of a configuration.
pub(crate) struct Run<'a> {
    pub(crate) files: &'a Files,
    pub(crate) configuration: &'a Configuration<'a>,
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
    unknown_names: BTreeMap<ModuleInstance, (&'static str, Marked)>,
    pub(crate) problems: Problems,
    /// The nodes with errors, and those that depend on them.
    pub(crate) failed: BTreeSet<Node>,
    open: Vec<OpenResource>,
    /// True if the references of expressions are checked against the declarations.
    pub(crate) validates: bool,
    /// The `check` block that is evaluated.
    pub(crate) check: Option<String>,
    pub(crate) checks: Checks,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        files: &'a Files,
        configuration: &'a Configuration<'a>,
        graph: &'a Graph,
        providers: &'a mut Providers,
        variables: &'a BTreeMap<String, VariableValue<'a>>,
        state: State,
    ) -> Run<'a> {
        let mut run = Run {
            files,
            configuration,
            graph,
            providers,
            variables,
            state,
            modules: BTreeMap::new(),
            expansions: BTreeMap::new(),
            each_values: BTreeMap::new(),
            unknown_names: BTreeMap::new(),
            problems: Problems::new(),
            failed: BTreeSet::new(),
            open: Vec::new(),
            validates: false,
            check: None,
            checks: Checks::default(),
        };
        run.add_module_instance(ModuleInstance::new());
        run
    }

    fn add_module_instance(&mut self, instance: ModuleInstance) {
        let path = module_path(&instance);
        let directory = self.configuration.module(&path).map(|it| it.path().to_owned()).unwrap_or_default();
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
        values.values.insert("terraform.applying".to_owned(), Typed::new(Type::Bool, Value::UNKNOWN).into());
        self.modules.insert(instance.clone(), values);
        self.expansions.entry(path).or_default().push(instance);
    }

    /// Declares the objects with conditions, which a destroy does not evaluate.
    pub(crate) fn declare_checks(&mut self) {
        for (path, module) in &self.configuration.modules {
            let prefix: String = path.iter().map(|it| format!("module.{it}.")).collect();
            let checks = &mut self.checks;
            for resource in module.resources.values() {
                let lifecycle = &resource.lifecycle;
                if !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty() {
                    checks.declare("resource", &format!("{prefix}{}", resource.id));
                }
            }
            for (name, _) in module.outputs.iter().filter(|(_, it)| !it.preconditions.is_empty()) {
                checks.declare("output_value", &format!("{prefix}output.{name}"));
            }
            for (name, _) in module.variables.iter().filter(|(_, it)| !it.validations.is_empty()) {
                checks.declare("var", &format!("{prefix}var.{name}"));
            }
            for check in &module.checks {
                checks.declare("check", &format!("{prefix}check.{}", check.name));
            }
        }
    }

    /// Adds problems, and returns true if one of them is an error.
    pub(crate) fn report(&mut self, problems: Problems) -> bool {
        let failed = has_error(&problems);
        self.problems.extend(problems);
        failed
    }

    pub(crate) fn instances_of(&self, path: &[String]) -> Vec<ModuleInstance> {
        self.expansions.get(path).cloned().unwrap_or_default()
    }

    pub(crate) fn module(&self, path: &[String]) -> Option<&'a Module<'a>> {
        self.configuration.module(path)
    }

    /// Evaluates with the values of a module instance and of further names.
    pub(crate) fn with_scope<T>(
        &self,
        instance: &ModuleInstance,
        names: impl IntoIterator<Item = (&'static str, Marked)>,
        evaluate: impl FnOnce(&Scope<'_>) -> T,
    ) -> T {
        let empty = ModuleValues::default();
        let path = module_path(instance);
        let module = self.module(&path);
        let requirements = |name: &str| match module {
            Some(it) => it.provider_address(name),
            None => super::configuration::provider_address(name),
        };
        let scope = Scope {
            module: self.modules.get(instance).unwrap_or(&empty),
            names: names.into_iter().map(|(name, value)| (name.into(), value)).collect(),
            providers: self.providers,
            directory: &self.files.root,
            declared: module.filter(|_| self.validates).map(|it| (it, self.check.as_deref())),
            requirements: &requirements,
        };
        evaluate(&scope)
    }

    /// The names `each` or `count` of a module instance, for the arguments of its call.
    fn call_names(&self, instance: &ModuleInstance) -> Option<(&'static str, Marked)> {
        let (_, key) = instance.last()?;
        let unknown = self.unknown_names.get(instance).cloned();
        unknown.or_else(|| instance_names(key, self.each_values.get(instance)))
    }

    /// Adds one instance of a module, whose `count` or `each` is unknown.
    pub(crate) fn unknown_call(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(call) = self.module(path).and_then(|it| it.calls.get(name)) else { return Ok(()) };
        self.check_arguments(path, call)?;
        for outer in self.instances_of(path) {
            let instance = [&*outer, &[(name.to_owned(), InstanceKey::None)]].concat();
            let names = super::validate::unknown_names(&call.repetition).into_iter().next();
            self.unknown_names.extend(names.map(|it| (instance.clone(), it)));
            self.add_module_instance(instance);
        }
        self.set_module_values(path, name);
        Ok(())
    }

    /// Reports an argument that is not a variable of the called module.
    fn check_arguments(&self, path: &ModulePath, call: &ModuleCall<'_>) -> Result<()> {
        let inner = [&**path, std::slice::from_ref(&call.name)].concat();
        let Some(module) = self.module(&inner) else { return Ok(()) };
        let unsupported =
            call.arguments.iter().filter(|(it, _)| !module.variables.contains_key(it)).map(|(name, it)| {
                let detail = format!("An argument named {name:?} is not expected here.");
                Problem::error("Unsupported argument", detail).at(it.file, it.expression.at())
            });
        let is_missing = |name: &&String| !call.arguments.iter().any(|(it, _)| it == *name);
        let required =
            module.variables.iter().filter(|(_, it)| it.declaration.default.is_none()).map(|(name, _)| name);
        let missing = required.filter(is_missing).map(|name| {
            let detail = format!("The argument {name:?} is required, but no definition was found.");
            Problem::error("Missing required argument", detail).at(call.file, call.header.clone())
        });
        let has_providers = !module.providers.is_empty();
        let repetition = match &call.repetition {
            Repetition::Count(it) | Repetition::ForEach(it) if has_providers => Some(it),
            _ => None,
        };
        let incompatible = repetition.map(|it| {
            let detail = "The module contains its own local provider configurations, and so calls to it may not use the count, \
                          for_each, or depends_on arguments.";
            let summary = "Module is incompatible with count, for_each, and depends_on";
            Problem::error(summary, detail).at(it.file, it.expression.at())
        });
        let problems: Problems = unsupported.chain(missing).chain(incompatible).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    pub(crate) fn set(&mut self, instance: &ModuleInstance, name: String, value: Marked) {
        if let Some(it) = self.modules.get_mut(instance) {
            it.values.insert(name, value);
        }
    }

    /// Evaluates a node that is neither a resource nor a trigger.
    pub(crate) fn evaluate_node(&mut self, node: &Node) -> Result<()> {
        match node {
            Node::Variable(path, name) => self.variable(path, name),
            Node::Local(path, name) => {
                let Some(it) = self.module(path).and_then(|it| it.locals.get(name)) else { return Ok(()) };
                for instance in self.instances_of(path) {
                    let value = self.with_scope(&instance, [], |scope| scope.evaluate(it))?;
                    self.set(&instance, format!("local.{name}"), value);
                }
                Ok(())
            }
            Node::Output(path, name) => self.output(path, name),
            Node::Call(path, name) => self.call(path, name),
            Node::Provider(key) => self.provider(key),
            Node::Check(path, index) => self.check(path, *index),
            Node::Resource(_) | Node::Trigger(..) => Ok(()),
        }
    }

    fn variable(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(variable) = self.module(path).and_then(|it| it.variables.get(name)) else { return Ok(()) };
        let declaration = &variable.declaration;
        for instance in self.instances_of(path) {
            let mut at = (variable.file, variable.header.clone());
            let given = match path.split_last() {
                None => match self.variables.get(name) {
                    Some(value) => {
                        at = value.position();
                        Some(Marked::from(value.read(declaration)?))
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
                            let names = self.call_names(&instance);
                            Some(self.with_scope(&outer, names, |scope| scope.evaluate(it))?)
                        }
                        None => None,
                    }
                }
            };
            let mut marks = given.as_ref().map(|it| it.marks.clone()).unwrap_or_default();
            let value = given.map(|it| it.typed);
            let is_given = value.is_some();
            let accepted = match &value {
                Some(it) if !it.value.is_wholly_known() => accept_unknown(declaration, it),
                _ => declaration.accept(value).map_err(|errors| {
                    let first = errors.first();
                    (first.summary().to_owned(), first.detail().to_owned(), errors.first().is_missing_value())
                }),
            };
            let typed = accepted.map_err(|(summary, detail, is_missing)| {
                let (summary, detail) = match (is_missing, path.is_empty()) {
                    (true, _) if is_given => (
                        "Required variable not set".to_owned(),
                        format!("The given value is not suitable for {name:?}: a null value is not allowed."),
                    ),
                    (true, true) => (
                        "No value for required variable".to_owned(),
                        format!(
                            "The root module input variable {name:?} is not set, and has no default value. Set it with \
                             `variable`."
                        ),
                    ),
                    (true, false) => (
                        "Missing required argument".to_owned(),
                        format!("The argument {name:?} is required, but no definition was found."),
                    ),
                    _ => (summary, detail),
                };
                vec![Problem::error(summary, detail).at(at.0, at.1.clone())]
            })?;
            marks = super::scope::marks_for_type(&marks, &typed.ty);
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
            self.set(&instance, format!("var.{name}"), Marked { typed, marks });
            if self.validates {
                continue;
            }
            let checked = Checked::of("var", &instance, &format!("var.{name}"));
            let failed = self.conditions(
                &instance,
                &[],
                &variable.validations,
                "Invalid value for variable",
                &checked,
            );
            if has_error(&failed) {
                // The error is about the value, not about the condition.
                let located = failed.into_iter().map(|it| match it.is_error {
                    true => {
                        let detail = format!(
                            "{}\n\nThis was checked by the validation rule of the variable.",
                            it.detail
                        );
                        Problem::error(it.summary, detail).at(at.0, at.1.clone())
                    }
                    false => it,
                });
                return Err(located.collect());
            }
            self.report(failed);
        }
        Ok(())
    }

    /// Evaluates a condition.
    pub(crate) fn condition(
        &self,
        instance: &ModuleInstance,
        names: impl IntoIterator<Item = (&'static str, Marked)>,
        it: &Condition<'_>,
    ) -> Result<Verdict> {
        self.with_scope(instance, names, |scope| {
            let invalid = |detail: &str| {
                let problem = Problem::error("Invalid condition result", detail);
                vec![problem.at(it.condition.file, it.condition.expression.at())]
            };
            let value = scope.evaluate(&it.condition)?;
            let value = value
                .convert(&Type::Bool)
                .map_err(|error| invalid(&format!("The condition value is invalid: {error}.")))?;
            match value.typed.value {
                Value::Bool(true) => return Ok(Verdict::Passed),
                Value::Unknown(_) => return Ok(Verdict::Unknown),
                Value::Null => return Err(invalid("The condition must be true or false, but it is null.")),
                _ => {}
            }
            let redacted = |kind: &str| {
                let problem = Problem::warning(
                    format!("Error message refers to {kind} values"),
                    format!("The error message refers to {kind} values, so it is not shown."),
                );
                let message = format!("The error message included {kind} values, so it is not shown.");
                (message, Some(problem.at(it.message.file, it.message.expression.at())))
            };
            let (message, warning) = match scope.evaluate_as(&it.message, &Type::String) {
                Ok(message) if message.marks.contains(Mark::Ephemeral) => redacted("ephemeral"),
                Ok(message) if message.marks.contains(Mark::Sensitive) => redacted("sensitive"),
                Ok(message) => (message.typed.value.as_str().unwrap_or_default().to_owned(), None),
                Err(_) => ("The error message cannot be evaluated.".to_owned(), None),
            };
            Ok(Verdict::Failed { message, warning })
        })
    }

    /// Evaluates the conditions of an object, and records the results. Returns an error for each condition that is false.
    pub(crate) fn conditions(
        &mut self,
        instance: &ModuleInstance,
        names: &[(&'static str, Marked)],
        conditions: &[Condition<'_>],
        summary: &str,
        checked: &Checked,
    ) -> Problems {
        let mut problems = Problems::new();
        for it in conditions {
            match self.condition(instance, names.iter().cloned(), it) {
                Ok(Verdict::Passed) => self.checks.record(checked, Status::Pass, None),
                Ok(Verdict::Unknown) => self.checks.record(checked, Status::Unknown, None),
                Ok(Verdict::Failed { message, warning }) => {
                    self.checks.record(checked, Status::Fail, Some(message.clone()));
                    problems.extend(warning);
                    let problem = Problem::error(summary, message);
                    problems.push(problem.at(it.condition.file, it.condition.expression.at()));
                }
                Err(errors) => {
                    self.checks.record(checked, Status::Error, None);
                    problems.extend(errors);
                }
            }
        }
        problems
    }

    fn output(&mut self, path: &ModulePath, name: &str) -> Result<()> {
        let Some(output) = self.module(path).and_then(|it| it.outputs.get(name)) else { return Ok(()) };
        for instance in self.instances_of(path) {
            let checked = Checked::of("output_value", &instance, &format!("output.{name}"));
            let failed = self.conditions(
                &instance,
                &[],
                &output.preconditions,
                "Module output value precondition failed",
                &checked,
            );
            if has_error(&failed) {
                return Err(failed);
            }
            let mut value = self.with_scope(&instance, [], |scope| scope.evaluate(&output.value))?;
            let at = |problem: Problem| vec![problem.at(output.value.file, output.header.clone())];
            if value.marks.contains(Mark::Ephemeral) && !output.is_ephemeral {
                let at = |problem: Problem| vec![problem.at(output.value.file, output.value.expression.at())];
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

    /// Sets `module.name` in the module instances that contain the call.
    fn set_module_values(&mut self, parent: &[String], call: &str) {
        let path = [parent, &[call.to_owned()]].concat();
        let Some(shape) =
            self.module(parent).and_then(|it| it.calls.get(call)).map(|it| shape(&it.repetition))
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
                shape != Shape::Single && instances.iter().any(|(key, _)| *key == InstanceKey::None);
            let value = match is_unknown {
                true => Marked::unknown(Type::Dynamic),
                false => combined(instances, shape),
            };
            self.set(&outer, format!("module.{call}"), value);
        }
    }

    fn call(&mut self, path: &ModulePath, name: &str) -> Result<()> {
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
                let value = self.with_scope(instance, [], |scope| scope.evaluate(it))?;
                let problem = |detail: &str| {
                    vec![Problem::error("Invalid count argument", detail).at(it.file, it.expression.at())]
                };
                if value.marks.contains(Mark::Ephemeral) {
                    return Err(problem("The given \"count\" value is derived from an ephemeral value."));
                }
                let converted =
                    convert(value.typed.value, &value.typed.ty, &Type::Number).map_err(|error| {
                        let detail = format!("Invalid expression value: {error}.");
                        vec![Problem::error("Incorrect value type", detail).at(it.file, it.expression.at())]
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
                let value = self.with_scope(instance, [], |scope| scope.evaluate(it))?;
                for_each(it, value)
            }
        }
    }

    /// True if `count` or `for_each` is unknown.
    pub(crate) fn is_unknown(&self, instance: &ModuleInstance, repetition: &Repetition<'_>) -> Result<bool> {
        let it = match repetition {
            Repetition::None => return Ok(false),
            Repetition::Count(it) | Repetition::ForEach(it) => it,
        };
        let value = self.with_scope(instance, [], |scope| scope.evaluate(it))?.typed;
        let is_set = matches!(value.ty, Type::Set(_));
        Ok(value.value.is_unknown() || is_set && !value.value.is_wholly_known())
    }

    /// Configures a provider.
    fn provider(&mut self, key: &ProviderKey) -> Result<()> {
        let harness = self.providers.unconfigured(&key.address)?;
        let block = &harness.server().provider().schema().block;
        let declared = self.module(&key.module).and_then(|module| {
            module.providers.iter().find(|it| {
                module.provider_address(&it.reference.name) == key.address && it.reference.alias == key.alias
            })
        });
        let (configuration, value) = match declared {
            Some(it) => {
                let instance = ModuleInstance::new();
                let instance =
                    if key.module.is_empty() { instance } else { self.only_instance(&key.module)? };
                self.with_scope(&instance, [], |scope| {
                    let (configuration, _) = entries(scope, &it.config, block)?;
                    Ok::<_, Problems>((configuration, decode(scope, &it.config, block)?.value))
                })?
            }
            None => {
                let configuration = ferroform_engine::configuration::Configuration::default();
                let value = evaluate(block, &configuration)
                    .map_err(|errors| Problem::from_provider(errors, &key.to_string()))?;
                (configuration, value)
            }
        };
        let configuration = crate::Configuration::from_entries(configuration);
        let located = |problems: Problems| -> Problems {
            let Some(block) = declared else { return problems };
            let at = |it: &Problem| match &it.path {
                Some(path) => super::decode::position(&block.config, path),
                None => block.config.header.clone(),
            };
            problems
                .into_iter()
                .map(|it| {
                    let range = at(&it);
                    it.at(block.config.file, range)
                })
                .collect()
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

    fn check(&mut self, path: &ModulePath, index: usize) -> Result<()> {
        let Some(check) = self.module(path).and_then(|it| it.checks.get(index)) else { return Ok(()) };
        self.check = Some(check.name.clone());
        for instance in self.instances_of(path) {
            let checked = Checked::of("check", &instance, &format!("check.{}", check.name));
            for it in &check.assertions {
                let at = |problem: Problem| problem.at(it.condition.file, it.condition.expression.at());
                match self.condition(&instance, [], it) {
                    Ok(Verdict::Passed) => self.checks.record(&checked, Status::Pass, None),
                    Ok(Verdict::Unknown) if self.validates || self.checks.has_failed(&checked) => {}
                    Ok(Verdict::Unknown) => {
                        self.checks.record(&checked, Status::Unknown, None);
                        let detail = "The condition could not be evaluated at this time, so a result will be known when this \
                                      plan is applied.";
                        self.problems
                            .push(at(Problem::warning("Check block assertion known after apply", detail)));
                    }
                    Ok(Verdict::Failed { message, warning }) => {
                        self.checks.record(&checked, Status::Fail, Some(message.clone()));
                        self.problems.extend(warning);
                        self.problems.push(at(Problem::warning("Check block assertion failed", message)));
                    }
                    Err(problems) if self.validates => {
                        self.check = None;
                        return Err(problems);
                    }
                    Err(problems) => {
                        self.checks.record(&checked, Status::Error, None);
                        self.warn(problems);
                    }
                }
            }
        }
        self.check = None;
        Ok(())
    }

    /// Records the errors of a data source in a `check` block, and reports them as warnings.
    pub(crate) fn fail_check(&mut self, address: &Address, check: &str, problems: Problems) {
        let checked = Checked::of("check", &address.module, &format!("check.{check}"));
        for it in problems.iter().filter(|it| it.is_error) {
            self.checks.record(&checked, Status::Fail, Some(it.summary.clone()));
        }
        self.warn(problems);
    }

    /// Reports errors as warnings.
    pub(crate) fn warn(&mut self, problems: Problems) {
        self.problems.extend(problems.into_iter().map(|it| Problem { is_error: false, ..it }));
    }

    /// Decodes the configuration of a resource instance. `names` are `each` or `count`.
    pub(crate) fn decode(
        &self,
        address: &Address,
        resource: &Resource<'_>,
        names: &[(&'static str, Marked)],
        block: &Block,
    ) -> Result<Decoded> {
        self.with_scope(&address.module, names.iter().cloned(), |scope| {
            decode(scope, &resource.config, block)
        })
    }

    /// Reports ephemeral values in arguments that are stored.
    pub(crate) fn check_ephemeral(
        &self,
        address: &Address,
        resource: &Resource<'_>,
        decoded: &Decoded,
        block: &Block,
    ) -> Result<()> {
        let is_write_only = |path: &ferroform::value::Path| {
            (1..=path.steps().len()).any(|end| {
                let prefix: ferroform::value::Path = path.steps()[..end].iter().cloned().collect();
                matches!(block.at(&prefix), Some(ferroform_engine::schema::Member::Attribute(it)) if it.is_write_only())
            })
        };
        if !matches!(resource.id.mode, Mode::Managed | Mode::Data) {
            return Ok(());
        }
        match decoded.marks.paths(Mark::Ephemeral).find(|it| !is_write_only(it)) {
            None => Ok(()),
            Some(path) => {
                let detail = format!(
                    "Ephemeral values are not valid for {path}, because it is not assigned to a write-only attribute."
                );
                let problem = Problem::error("Invalid use of ephemeral value", detail).of(address);
                let range = super::decode::position(&resource.config, path);
                Err(vec![problem.at(resource.config.file, range)])
            }
        }
    }

    /// Opens an ephemeral resource. While its configuration is unknown, its value is unknown.
    pub(crate) fn open_ephemeral(
        &mut self,
        config_address: &ConfigAddress,
        resource: &Resource<'_>,
    ) -> Result<()> {
        let key = self.provider_of(&config_address.module, resource)?;
        for instance in self.instances_of(&config_address.module) {
            let mut values = Vec::new();
            for (key_of, each) in self.expand(&instance, &resource.repetition)? {
                let address =
                    Address { module: instance.clone(), resource: resource.id.clone(), key: key_of.clone() };
                let names: Vec<_> = instance_names(&key_of, each.as_ref()).into_iter().collect();
                let harness = self.providers.get(&key)?;
                let source =
                    harness.server().find::<dyn ferroform::raw::AnyEphemeralResource>(&resource.id.kind);
                let block =
                    source.map_err(|_| unknown_type(resource, "ephemeral resource"))?.schema().block.clone();
                let label = address.to_string();
                let failed = self.conditions(
                    &instance,
                    &names,
                    &resource.lifecycle.preconditions,
                    "Resource precondition failed",
                    &Checked::resource(&address),
                );
                if has_error(&failed) {
                    return Err(failed);
                }
                let decoded = self.decode(&address, resource, &names, &block)?;
                let value = if decoded.value.is_wholly_known() {
                    let configuration = self.with_scope(&instance, names.iter().cloned(), |scope| {
                        entries(scope, &resource.config, &block).map(|it| it.0)
                    })?;
                    let configuration = crate::Configuration::from_entries(configuration);
                    let ephemeral = harness.ephemeral_resource(&resource.id.kind);
                    let opened = ephemeral.run_open(&format!("opening {label}"), &configuration);
                    let opened = opened.map_err(|it| super::plan::located(failure(it, &label), resource))?;
                    let value = opened.values().value().clone();
                    self.open.push(opened);
                    value
                } else {
                    super::plan_data::planned(&block, &decoded.value)
                };
                let mut value = super::scope::marked_object(&block, &value);
                value.marks.extend(Marks::of(Mark::Ephemeral));
                let mut names = names;
                names.push(("self", value.clone()));
                let failed = self.conditions(
                    &instance,
                    &names,
                    &resource.lifecycle.postconditions,
                    "Resource postcondition failed",
                    &Checked::resource(&address),
                );
                if has_error(&failed) {
                    return Err(failed);
                }
                values.push((key_of, value));
            }
            let value = combined(values, shape(&resource.repetition));
            self.set(&instance, resource.id.to_string(), value);
        }
        Ok(())
    }

    /// Closes the ephemeral resources in the reverse order of their opening.
    pub(crate) fn close_ephemeral(&mut self) {
        while let Some(open) = self.open.pop() {
            let label = open.label();
            match open.run_close() {
                Ok(warnings) => self.problems.extend(Problem::from_provider(warnings, &label)),
                Err(errors) => self.problems.extend(Problem::from_provider(errors, &label)),
            }
        }
    }

    pub(crate) fn provider_of(&self, path: &[String], resource: &Resource<'_>) -> Result<ProviderKey> {
        let module = self.module(path).ok_or_else(Problems::new)?;
        provider_key(self.configuration, path, module, resource).map_err(|it| vec![it])
    }

    /// Runs nodes in an order that respects their dependencies. A node that depends on a failed node is skipped.
    pub(crate) fn is_skipped(&self, node: &Node) -> bool {
        self.graph.edges.get(node).into_iter().flatten().any(|it| self.failed.contains(it))
    }
}

pub(crate) fn shape(repetition: &Repetition<'_>) -> Shape {
    match repetition {
        Repetition::None => Shape::Single,
        Repetition::Count(_) => Shape::Count,
        Repetition::ForEach(_) => Shape::ForEach,
    }
}

/// The error about a type that the provider does not define.
pub(crate) fn unknown_type(resource: &Resource<'_>, kind: &str) -> Problems {
    let name = &resource.id.kind;
    let detail = format!("The provider does not support {kind} type {name:?}.");
    let summary = match resource.id.mode {
        Mode::Data => "Invalid data source",
        Mode::Ephemeral => "Invalid ephemeral resource",
        Mode::Action => "Invalid action",
        _ => "Invalid resource type",
    };
    vec![Problem::error(summary, detail).at(resource.config.file, resource.config.header.clone())]
}

/// The problems of a failed step of a provider.
pub(crate) fn failure(it: crate::outcome::StepFailure, address: &str) -> Problems {
    match it {
        crate::outcome::StepFailure::Errors(errors) => Problem::from_provider(errors, address),
        crate::outcome::StepFailure::Deferred(reason) => {
            let detail = format!("The operation was deferred: {reason:?}.");
            vec![Problem::error("Deferred Operation", detail).of(address)]
        }
    }
}

/// The keys and values of `for_each`.
pub(crate) fn for_each(it: &Located<'_>, value: Marked) -> Result<Instances> {
    let problem = |detail: &str| {
        vec![Problem::error("Invalid for_each argument", detail).at(it.file, it.expression.at())]
    };
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
    for (key, value) in iterations(&value).unwrap_or_default() {
        let Value::String(name) = &key.typed.value else {
            let detail = "The given \"for_each\" argument value is unsuitable: \"for_each\" supports maps and sets of strings, \
                          and the elements must not be null.";
            let problem = Problem::error("Invalid for_each set argument", detail);
            return Err(vec![problem.at(it.file, it.expression.at())]);
        };
        instances.push((InstanceKey::Name(name.to_string()), Some(value)));
    }
    Ok(instances)
}

/// Converts a value with unknown parts to the type of a variable.
fn accept_unknown(
    declaration: &ferroform_lang::variable::Variable,
    value: &Typed,
) -> std::result::Result<Typed, (String, String, bool)> {
    let fitted = declaration.constraint.fit(value.clone()).map_err(|error| {
        let detail = format!("The given value is not suitable: {error}.");
        ("Invalid value for input variable".to_owned(), detail, false)
    })?;
    declaration
        .accept_fitted(fitted)
        .map_err(|errors| (errors.first().summary().to_owned(), errors.first().detail().to_owned(), false))
}

/// The JSON of a value without its type; unknown values are null.
pub(crate) fn plain_json(value: &Value) -> Json {
    let text = json::encode_simple(value).unwrap_or_else(|_| b"null".to_vec());
    serde_json::from_slice(&text).unwrap_or(Json::Null)
}

impl Run<'_> {
    /// Reads a data source and stores its object in the state. Returns the reason if the provider defers the read.
    pub(crate) fn read_data(
        &mut self,
        address: &Address,
        resource: &Resource<'_>,
        provider: &ProviderKey,
        names: &[(&'static str, Marked)],
        sensitive: &Marks,
    ) -> Result<std::result::Result<Marked, Deferral>> {
        let harness = self.providers.get(provider)?;
        let source = harness.data_source(&resource.id.kind);
        let block = source.block();
        let label = address.to_string();
        let (configuration, _) = self.with_scope(&address.module, names.iter().cloned(), |scope| {
            entries(scope, &resource.config, block)
        })?;
        let configuration = crate::Configuration::from_entries(configuration);
        let read = source.run_read(&format!("the read of {label}"), &configuration);
        let (snapshot, warnings) = match read {
            Err(crate::outcome::StepFailure::Deferred(reason)) => return Ok(Err(reason)),
            read => read.map_err(|it| super::plan::located(failure(it, &label), resource))?,
        };
        self.report(Problem::from_provider(warnings, &label));
        let value = super::plan::marked(block, snapshot.value(), sensitive);
        let state = crate::instance_state::InstanceState::new(snapshot.value().clone(), Vec::new());
        let version = source.version();
        let mut object = super::state::Object::new(provider.clone(), (block, version), None, &state)?;
        object.sensitive = sensitive.clone();
        self.state.objects.insert((address.clone(), None), object);
        let mut names = names.to_vec();
        names.push(("self", value.clone()));
        let failed = self.conditions(
            &address.module,
            &names,
            &resource.lifecycle.postconditions,
            "Resource postcondition failed",
            &Checked::resource(address),
        );
        if has_error(&failed) { Err(failed) } else { Ok(Ok(value)) }
    }

    /// Stores the configuration of a data source that could not be read.
    pub(crate) fn store_unread(
        &mut self,
        address: &Address,
        block: &Block,
        provider: &ProviderKey,
        config: &Value,
    ) -> Result<Marked> {
        let state = crate::instance_state::InstanceState::new(config.clone(), Vec::new());
        let object = super::state::Object::new(provider.clone(), (block, 0), None, &state)?;
        self.state.objects.insert((address.clone(), None), object);
        Ok(super::plan::marked(block, &super::plan_data::planned(block, config), &Marks::none()))
    }

    /// The nodes of static references, including all resources of a module.
    pub(crate) fn graph_explicit(
        &self,
        path: &[String],
        references: &[super::configuration::Dependency<'_>],
    ) -> BTreeSet<Node> {
        super::graph::explicit_nodes(self.configuration, path, references)
    }

    /// Validates and plans an action that a resource instance triggers. Returns the address of the action and its
    /// configuration; `None` if the condition of the trigger is false.
    pub(crate) fn plan_action(
        &mut self,
        triggering: &Address,
        condition: Option<&Located<'_>>,
        reference: &super::configuration::Dependency<'_>,
    ) -> Result<Option<(Address, Value)>> {
        self.with_action(
            triggering,
            condition,
            reference,
            "Failed to plan action",
            |action, configuration, label| {
                action.run_plan(&format!("the plan of {label}"), configuration).map(|(_, warnings)| warnings)
            },
        )
    }

    /// Invokes an action that a resource instance triggers.
    pub(crate) fn invoke_action(
        &mut self,
        triggering: &Address,
        condition: Option<&Located<'_>>,
        reference: &super::configuration::Dependency<'_>,
    ) -> Result<()> {
        let summary = "Error when invoking action";
        self.with_action(triggering, condition, reference, summary, |action, configuration, label| {
            let mut invocation = crate::Invocation::default();
            action.run_invoke(&format!("the invocation of {label}"), configuration, &mut invocation)?;
            Ok(invocation.warnings)
        })
        .map(drop)
    }

    fn with_action(
        &mut self,
        triggering: &Address,
        condition: Option<&Located<'_>>,
        reference: &super::configuration::Dependency<'_>,
        summary: &str,
        run: impl FnOnce(
            &crate::ProviderAction,
            &crate::Configuration,
            &str,
        ) -> std::result::Result<ferroform::Diagnostics, crate::outcome::StepFailure>,
    ) -> Result<Option<(Address, Value)>> {
        let at = |problem: Problem| vec![problem.at(reference.at.file, reference.at.expression.at())];
        if let Some(it) = condition {
            let value =
                self.with_scope(&triggering.module, [], |scope| scope.evaluate_as(it, &Type::Bool))?;
            if value.typed.value == Value::Bool(false) {
                return Ok(None);
            }
        }
        let path = module_path(&triggering.module);
        let name = super::graph::resource_name(&reference.steps);
        let action = name.and_then(|name| self.module(&path)?.resources.get(&name));
        let Some(action) = action.filter(|it| it.id.mode == Mode::Action) else {
            let detail = "The reference does not name an action of this module.";
            return Err(at(Problem::error("Reference to undeclared action", detail)));
        };
        let key = match reference.steps.get(3) {
            Some(ferroform_lang::body::TraversalStep::Index(value)) => {
                InstanceKey::from_value(value).unwrap_or_default()
            }
            _ => InstanceKey::None,
        };
        let instances = self.expand(&triggering.module, &action.repetition)?;
        let Some((_, each)) = instances.iter().find(|(it, _)| *it == key) else {
            let detail = "The action does not have this instance.";
            return Err(at(Problem::error("Invalid action reference", detail)));
        };
        let address =
            Address { module: triggering.module.clone(), resource: action.id.clone(), key: key.clone() };
        let label = address.to_string();
        let names: Vec<_> = instance_names(&key, each.as_ref()).into_iter().collect();
        let provider = self.provider_of(&path, action)?;
        let harness = self.providers.get(&provider)?;
        harness
            .server()
            .find::<dyn ferroform::raw::AnyAction>(&action.id.kind)
            .map_err(|_| unknown_type(action, "action"))?;
        let provided = harness.action(&action.id.kind);
        let (configuration, value) = self.with_scope(&address.module, names, |scope| {
            let (configuration, _) = entries(scope, &action.config, provided.block())?;
            Ok::<_, Problems>((configuration, decode(scope, &action.config, provided.block())?.value))
        })?;
        let configuration = crate::Configuration::from_entries(configuration);
        let warnings = run(&provided, &configuration, &label).map_err(|it| {
            // The error is about the reference, and contains that of the provider.
            let errors = failure(it, &label).into_iter().map(|it| match it.is_error {
                true => at(Problem::error(summary, format!("{}: {}", it.summary, it.detail))),
                false => vec![it],
            });
            errors.flatten().collect::<Problems>()
        })?;
        self.report(Problem::from_provider(warnings, &label));
        Ok(Some((address, value)))
    }
}
