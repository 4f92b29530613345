//! Checks of module calls: the names of their arguments, and the values that are passed to the called modules.
//!
//! | finding | error condition |
//! | --- | --- |
//! | an argument | the module does not declare a variable with this name |
//! | no argument | the variable has no default |
//! | a value | it does not convert to the type of the variable, or a validation of the module rejects it |
//!
//! A value is known if it depends only on constants, and on variables and local values with known values. Resources, data
//! sources and the outputs of other modules are unknown.

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::marks::{Mark, Marked, Marks};
use ferroform_value::convert::convert;
use ferroform_value::{Type, Typed, Value};

use crate::argument_expression::ArgumentExpression;
use crate::call::{CallArgument, ModuleCall};
use crate::call_scope::{CallScope, RepetitionData};
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Severity};
use crate::input_values::{self, Undeclared};
use crate::inputs::{Content, Input, InputOrigin};
use crate::module::Module;
use crate::repository::{CalledModule, Repository, UnavailableReason};
use crate::source::{Location, Source};
use crate::suggest::did_you_mean;
use crate::target::Behavior;
use crate::validation::{ValidationMode, Validator};

/// The maximum number of module instances that are checked for one root module.
const MAX_INSTANCES: usize = 10_000;

/// Checks the module calls of a root module, and those of the modules that it calls.
pub(crate) struct CallChecker<'a, 'd> {
    pub(crate) repository: &'a Repository,
    pub(crate) modules: &'a [Module<'d>],
    pub(crate) sources: &'a [Source],
    /// The index of the root module.
    pub(crate) root: usize,
    pub(crate) behavior: Behavior,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The locations of the calls that were checked.
    pub(crate) checked: BTreeSet<Location>,
    /// The locations of the calls that were not checked, with the reasons.
    pub(crate) unchecked: BTreeMap<Location, UnavailableReason>,
    /// The locations of the arguments that set secret variables.
    pub(crate) secret_arguments: BTreeSet<Location>,
    instances: usize,
}

/// A module instance.
struct ModuleInstance {
    /// The index of the module.
    module: usize,
    /// The names of the calls from the root module to it.
    path: Vec<String>,
    /// The address, such as `module.network["eu"].module.subnets`.
    address: String,
    /// The indices of the modules that call it.
    callers: Vec<usize>,
}

/// The instances of a call.
enum Expansion {
    /// The repetition data of each instance, or one instance without repetition data.
    Known(Vec<Option<RepetitionData>>),
    Unknown,
}

/// A walk through the module calls, as Terraform does.
#[derive(Clone, Copy, Debug)]
enum Walk {
    /// Each call has one instance. `each`, `count` and the variables of its module are unknown.
    Validate,
    /// The values of `for_each` and `count` determine the instances.
    Plan,
}

impl<'a, 'd> CallChecker<'a, 'd> {
    pub(crate) fn new(
        repository: &'a Repository,
        modules: &'a [Module<'d>],
        sources: &'a [Source],
        root: usize,
        behavior: Behavior,
    ) -> CallChecker<'a, 'd> {
        CallChecker {
            repository,
            modules,
            sources,
            root,
            behavior,
            diagnostics: Vec::new(),
            checked: BTreeSet::new(),
            unchecked: BTreeMap::new(),
            secret_arguments: BTreeSet::new(),
            instances: 0,
        }
    }

    /// Checks the calls of the root module. The variables without a value are unknown.
    pub(crate) fn check_root(&mut self, variables: BTreeMap<String, Marked>) {
        let root = ModuleInstance {
            module: self.root,
            path: Vec::new(),
            address: String::new(),
            callers: Vec::new(),
        };
        // Terraform validates a configuration before it plans it.
        let module = &self.modules[self.root];
        let declarations = module.variables.values().filter(|it| it.variable.is_some());
        let unknown = declarations.map(|it| (it.name.clone(), it.unknown_value())).collect();
        self.check_validations(module, &unknown, &BTreeMap::new(), ValidationMode::Unknown);
        self.check_calls(&root, BTreeMap::new(), Walk::Validate);
        self.check_calls(&root, variables, Walk::Plan);
    }

    /// Checks the calls of a module instance.
    fn check_calls(&mut self, caller: &ModuleInstance, variables: BTreeMap<String, Marked>, walk: Walk) {
        let module = &self.modules[caller.module];
        let mut scope = CallScope::new(module, variables, self.behavior.operators);
        let mut calls = Vec::new();
        for call in module.calls.iter() {
            let path = [&*caller.path, std::slice::from_ref(&call.name)].concat();
            let called = self.repository.find_called_module(self.root, caller.module, call, &path);
            if let CalledModule::Module(index) = called
                && !call.is_repeated()
            {
                scope.set_called_module(&call.name, &self.modules[index]);
            }
            calls.push((call, path, called));
        }
        for (call, path, called) in calls {
            if let Walk::Validate = walk {
                self.check_references(caller.module, call);
            }
            let callers = [&*caller.callers, &[caller.module]].concat();
            let index = match called {
                CalledModule::Module(index) if callers.contains(&index) => {
                    let detail = format!("The module {:?} calls itself.", call.name);
                    self.diagnostics.push(Diagnostic::new("Module cycle", detail, call.location.clone()));
                    continue;
                }
                CalledModule::Module(index) => index,
                CalledModule::Missing(directory) => {
                    let location = call.meta_argument("source").map(CallArgument::location);
                    let detail = format!("The module directory {} cannot be read.", directory.display());
                    let location = location.unwrap_or_else(|| call.location.clone());
                    self.diagnostics.push(Diagnostic::new("Unreadable module directory", detail, location));
                    continue;
                }
                CalledModule::Unavailable(UnavailableReason::DynamicSource)
                    if call.meta_argument("source").is_none() =>
                {
                    self.diagnostics.push(Diagnostic::missing_argument("source", call.location.clone()));
                    continue;
                }
                CalledModule::Unavailable(reason) => {
                    self.unchecked.insert(call.location.clone(), reason);
                    continue;
                }
            };
            self.checked.insert(call.location.clone());
            self.check_names(call, &self.modules[index]);
            let separator = if caller.address.is_empty() { "" } else { "." };
            let address = format!("{}{separator}module.{}", caller.address, call.name);
            let called = ModuleInstance { module: index, path, address, callers };
            // The errors of local values do not depend on the instances of the called module.
            scope.resolve_locals(&call.locals(), &mut self.diagnostics);
            self.check_instances(call, called, &mut scope, walk);
        }
    }

    /// Reports arguments of variables that the module does not declare, and missing arguments.
    fn check_names(&mut self, call: &ModuleCall<'d>, module: &Module<'d>) {
        for (name, argument) in call.inputs().filter(|(name, _)| !module.can_declare(name)) {
            let detail = format!("The module {:?} does not declare a variable named {name:?}.", call.name);
            let diagnostic = Diagnostic::new("Unsupported argument", detail, argument.name_location.clone());
            self.diagnostics.push(diagnostic.with_help(did_you_mean(name, module.variables.keys())));
        }
        for (_, argument) in call.inputs().filter(|(name, _)| module.is_secret(name)) {
            self.secret_arguments.insert(Location::new(
                argument.name_location.source,
                argument.name_location.end..argument.location().end,
            ));
        }
        for declaration in module.variables.values() {
            if declaration.is_required() && call.input(&declaration.name).is_none() {
                let diagnostic = Diagnostic::missing_argument(&declaration.name, call.location.clone());
                self.diagnostics.push(diagnostic.with_note(self.describe_declaration(declaration)));
            }
        }
    }

    fn describe_declaration(&self, declaration: &Declaration<'_>) -> String {
        format!("The variable is declared at {}.", declaration.location.describe(self.sources))
    }

    fn check_instances(
        &mut self,
        call: &ModuleCall<'d>,
        mut called: ModuleInstance,
        scope: &mut CallScope<'_, 'd>,
        walk: Walk,
    ) {
        let address = std::mem::take(&mut called.address);
        let instances = match (self.expand(call, scope), walk) {
            (_, Walk::Validate) => vec![unknown_repetition_data(call)],
            (Some(Expansion::Known(instances)), Walk::Plan) => instances,
            // It is not certain that there is an instance.
            (Some(Expansion::Unknown) | None, Walk::Plan) => Vec::new(),
        };
        for repetition in instances {
            self.instances += 1;
            if self.instances > MAX_INSTANCES {
                if self.instances == MAX_INSTANCES + 1 {
                    let detail = format!("Only the first {MAX_INSTANCES} module instances are checked.");
                    let warning = Diagnostic::new("Too many module instances", detail, call.location.clone());
                    self.diagnostics.push(warning.with_severity(Severity::Warning));
                }
                return;
            }
            let is_single = repetition.is_none();
            called.address =
                format!("{address}{}", repetition.as_ref().map(RepetitionData::key).unwrap_or_default());
            scope.set_repetition_data(repetition);
            let before = self.diagnostics.len();
            self.check_instance(call, &called, scope, walk);
            scope.set_repetition_data(None);
            if !is_single || called.path.len() > 1 {
                let is_instance_specific = matches!(walk, Walk::Plan);
                self.diagnostics[before..]
                    .iter_mut()
                    .for_each(|it| it.add_address(&called.address, is_instance_specific));
            }
        }
    }

    /// Evaluates `count` or `for_each`; `None` after an error.
    fn expand(&mut self, call: &ModuleCall<'d>, scope: &mut CallScope<'_, 'd>) -> Option<Expansion> {
        if let Some(argument) = call.meta_argument("count") {
            let value = scope.evaluate(argument, &mut self.diagnostics)?;
            return self.expand_count(argument, value);
        }
        if let Some(argument) = call.meta_argument("for_each") {
            let value = scope.evaluate(argument, &mut self.diagnostics)?;
            return self.expand_for_each(argument, value);
        }
        Some(Expansion::Known(vec![None]))
    }

    fn expand_count(&mut self, argument: &CallArgument<'d>, value: Marked) -> Option<Expansion> {
        if value.marks.contains(Mark::Ephemeral) {
            let detail = "The value of \"count\" is derived from an ephemeral value.";
            self.diagnostics.push(Diagnostic::new("Invalid count argument", detail, argument.location()));
            return None;
        }
        let mut invalid = |detail: String| {
            let diagnostic = Diagnostic::for_value("Invalid count argument", detail, argument.location());
            self.diagnostics.push(diagnostic.redact_if(!value.marks.is_empty()));
            None
        };
        let converted = convert(value.typed.value.clone(), &value.typed.ty, &Type::Number);
        match converted.map(|it| it.value) {
            Ok(it) if it.is_unknown() => Some(Expansion::Unknown),
            Ok(Value::Number(number)) => match number.to_u64() {
                Some(count) => {
                    let count = usize::try_from(count).unwrap_or(usize::MAX).min(MAX_INSTANCES + 1);
                    let index = |i: usize| Typed::new(Type::Number, Value::Number(i.into())).into();
                    Some(Expansion::Known(
                        (0..count).map(|i| Some(RepetitionData::Count(index(i)))).collect(),
                    ))
                }
                None => invalid(format!(
                    "The value of \"count\" must be a non-negative whole number, but got {number}."
                )),
            },
            Ok(_) => invalid("The value of \"count\" must not be null.".to_owned()),
            Err(error) => invalid(format!("The value of \"count\" is not suitable: {error}.")),
        }
    }

    fn expand_for_each(&mut self, argument: &CallArgument<'d>, value: Marked) -> Option<Expansion> {
        let mut invalid = |detail: &str| {
            self.diagnostics.push(Diagnostic::new("Invalid for_each argument", detail, argument.location()));
            None
        };
        if value.marks.has(Mark::Sensitive) {
            return invalid(
                "The value of \"for_each\" is derived from a sensitive value, whose keys would be visible as instance keys.",
            );
        }
        if value.marks.contains(Mark::Ephemeral) {
            return invalid("The value of \"for_each\" is derived from an ephemeral value.");
        }
        let ty = &value.typed.ty;
        let is_set = matches!(ty, Type::Set(of) if matches!(**of, Type::String | Type::Dynamic));
        if value.typed.value == Value::Null {
            return invalid("The value of \"for_each\" must not be null.");
        }
        if !is_set && !matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic) {
            let kind = ty.kind();
            return invalid(&format!(
                "The value of \"for_each\" must be a map or a set of strings, but got {kind}."
            ));
        }
        let Some((pairs, _)) = value.into_key_value_pairs() else { return Some(Expansion::Unknown) };
        if pairs.iter().any(|(key, _)| key.typed.value.is_null()) {
            return invalid("The set in \"for_each\" must not contain null.");
        }
        if pairs.iter().any(|(key, _)| key.typed.value.is_unknown()) {
            return Some(Expansion::Unknown);
        }
        let elements = pairs.into_iter().map(|(key, value)| Some(RepetitionData::ForEach(key, value)));
        Some(Expansion::Known(elements.collect()))
    }

    /// Checks the values that are passed to an instance of a module, and the calls of this module.
    fn check_instance(
        &mut self,
        call: &ModuleCall<'d>,
        called: &ModuleInstance,
        scope: &mut CallScope<'_, 'd>,
        walk: Walk,
    ) {
        let module = &self.modules[called.module];
        let mut values = BTreeMap::new();
        let mut inputs = BTreeMap::new();
        for (name, declaration) in &module.variables {
            let Some(variable) = &declaration.variable else { continue };
            let argument = call.input(name);
            let value = match argument {
                None => variable.default.clone().map(Marked::from),
                Some(argument) => self.evaluate_argument(argument, declaration, scope),
            };
            let Some(mut value) = value else { continue };
            value.marks.extend(Marks::of_flags(variable.sensitive, variable.ephemeral));
            values.insert(name.clone(), value);
            inputs.extend(argument.map(|it| (&**name, create_input(it))));
        }
        let mode = match walk {
            Walk::Validate => ValidationMode::Validate,
            Walk::Plan => ValidationMode::Partial,
        };
        self.check_validations(module, &values, &inputs, mode);
        let variables = match walk {
            Walk::Validate => BTreeMap::new(),
            Walk::Plan => values,
        };
        self.check_calls(called, variables, walk);
    }

    /// Evaluates the validations of a module with values that can be unknown.
    fn check_validations(
        &mut self,
        module: &Module<'d>,
        values: &BTreeMap<String, Marked>,
        inputs: &BTreeMap<&str, Input<'_>>,
        mode: ValidationMode,
    ) {
        let mut known = ferroform_lang::body::Variables::default();
        values.iter().for_each(|(name, it)| known.set(name.as_str(), it.typed.clone()));
        let secret = values.iter().filter(|(_, it)| !it.marks.is_empty()).map(|(name, _)| &**name);
        let mut validator = Validator {
            variables_with_values: values.keys().map(String::as_str).collect(),
            secret_variables: secret.collect(),
            values: known,
            ..Validator::new(module, self.sources, inputs, self.behavior, mode, &mut self.diagnostics)
        };
        validator.check_all();
    }

    /// Returns the value of an argument, converted to the type of its variable; `None` after an error.
    fn evaluate_argument(
        &mut self,
        argument: &CallArgument<'d>,
        declaration: &Declaration<'d>,
        scope: &mut CallScope<'_, 'd>,
    ) -> Option<Marked> {
        let variable = declaration.variable.as_ref()?;
        let location = argument.location();
        let value = scope.evaluate(argument, &mut self.diagnostics)?;
        let name = &declaration.name;
        if value.marks.contains(Mark::Ephemeral) && !variable.ephemeral {
            let detail = format!(
                "The value of {name:?} is derived from an ephemeral value, but the variable is not ephemeral."
            );
            let diagnostic = Diagnostic::new("Ephemeral value not allowed", detail, location);
            self.diagnostics.push(diagnostic.with_note(self.describe_declaration(declaration)));
            return None;
        }
        let before = self.diagnostics.len();
        let input = create_input(argument);
        input_values::report_undeclared_attributes(
            name,
            &variable.constraint,
            &value.typed,
            (&input, Undeclared::InLiterals),
            &mut self.diagnostics,
        );
        let typed = variable.accept(Some(value.typed.clone()));
        let typed = typed.map_err(|errors| {
            self.diagnostics.extend(input_values::report_rejected_value(
                name,
                variable,
                &input,
                value.typed,
                &errors,
            ));
        });
        let (note, is_secret) =
            (self.describe_declaration(declaration), declaration.is_secret || !value.marks.is_empty());
        for diagnostic in self.diagnostics.split_off(before) {
            self.diagnostics.push(diagnostic.with_note(&*note).redact_if(is_secret));
        }
        let typed = typed.ok()?;
        Some(Marked { marks: value.marks.after_conversion(&typed.ty), typed })
    }
}

fn create_input<'d>(argument: &CallArgument<'d>) -> Input<'d> {
    let content = match argument.value {
        ArgumentExpression::Native(_) => Content::Native(argument.assigned),
        ArgumentExpression::Json(_) => Content::Json(argument.assigned),
    };
    Input {
        origin: InputOrigin::File,
        location: argument.name_location.clone(),
        content,
        overrides: Vec::new(),
    }
}

/// Returns the repetition data of a call whose `for_each` or `count` is unknown.
fn unknown_repetition_data(call: &ModuleCall<'_>) -> Option<RepetitionData> {
    let count = call.meta_argument("count").map(|_| RepetitionData::Count(Marked::unknown(Type::Number)));
    let each = || RepetitionData::ForEach(Marked::unknown(Type::String), Marked::unknown(Type::Dynamic));
    count.or_else(|| call.meta_argument("for_each").map(|_| each()))
}
