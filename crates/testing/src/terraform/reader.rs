//! Reads the blocks of a configuration.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;

use ferroform::value::{Type, Value};
use ferroform_engine::value::convert::convert;
use ferroform_lang::body::{self, Expression, TraversalStep};
use ferroform_lang::variable::{self, Variable};
use ferroform_lang::version_constraint::VersionConstraint;

use super::address::{Address, InstanceKey, Mode, ModulePath, ResourceName, Target};
use super::blocks::{Argument, Block, Body, Located};
use super::configuration::{
    ActionEvent, ActionTrigger, Check, Condition, Import, InputVariable, Lifecycle, LocatedBody, Module,
    ModuleCall, ModuleTree, Moved, Output, PassedProvider, ProviderBlock, ProviderReference, Removed,
    Repetition, Resource, StaticReference, import_target, provider_address,
};
use super::files::{File, Files, is_local, join};
use super::json_syntax::nested_blocks;
use super::overrides::Overridden;
use super::passed_providers::check_passed_providers;
use super::problem::{Problem, Problems, Result, has_error};

impl<'a> ModuleTree<'a> {
    /// Parses the files of a configuration.
    pub(crate) fn parse(files: &'a Files) -> Result<ModuleTree<'a>> {
        let mut configuration = ModuleTree::default();
        let mut problems = Problems::new();
        configuration.load(files, ModulePath::new(), PathBuf::new(), &mut problems);
        if has_error(&problems) {
            return Err(problems);
        }
        problems.extend(check_passed_providers(&configuration));
        if has_error(&problems) {
            return Err(problems);
        }
        configuration.warnings = problems;
        Ok(configuration)
    }

    fn load(&mut self, files: &'a Files, path: ModulePath, directory: PathBuf, problems: &mut Problems) {
        let Some(sources) = files.modules.get(&directory) else {
            let detail = format!("The module directory {} does not exist.", directory.display());
            return problems.push(Problem::error("Unreadable module directory", detail));
        };
        let mut reader = Reader {
            module: Module { directory: directory.clone(), ..Module::default() },
            problems,
            imported: HashSet::new(),
        };
        let mut overridden = Overridden::new(reader.read_blocks(sources, false));
        for block in reader.read_blocks(sources, true) {
            overridden.apply(block, reader.problems);
        }
        for block in overridden.blocks {
            reader.read_block(block);
        }
        let module = reader.module;
        let calls: Vec<_> = module
            .calls
            .values()
            .map(|it| (it.name.clone(), it.directory.clone(), it.file, it.header.clone()))
            .collect();
        self.modules.insert(path.clone(), module);
        for (name, directory, file, header) in calls {
            let path = [path.clone(), vec![name]].concat();
            if path.len() > 32 {
                let detail = "The module calls itself.".to_owned();
                problems.push(Problem::error("Module cycle", detail).at(file, header));
                return;
            }
            self.load(files, path, directory, problems);
        }
    }
}

/// The names of the meta-arguments of module blocks.
const RESERVED_VARIABLES: [&str; 8] =
    ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

/// Reads the blocks of a module.
struct Reader<'a, 'p> {
    module: Module<'a>,
    problems: &'p mut Problems,
    /// The static addresses of `import` blocks.
    imported: HashSet<Address>,
}

/// The arguments of a block. Each known argument is taken; an argument that remains is an error.
struct Arguments<'a> {
    remaining: Vec<Argument<'a>>,
}

impl<'a> Arguments<'a> {
    fn take(&mut self, name: &str) -> Option<Located<'a>> {
        let index = self.remaining.iter().position(|it| it.name == name)?;
        Some(self.remaining.remove(index).value)
    }
}

impl<'a> Reader<'a, '_> {
    fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Parses the override files of a module, or its other files.
    fn read_blocks(&mut self, files: &'a [File], are_overrides: bool) -> Vec<Block<'a>> {
        let mut blocks = Vec::new();
        for file in files.iter().filter(|it| it.is_override() == are_overrides) {
            match body::parse(&file.text) {
                Err(errors) => self.problems.extend(Problem::from_errors(file, &errors)),
                Ok(body) => {
                    let body = Body::of(file, body);
                    self.reject_remaining_arguments(Arguments { remaining: body.arguments });
                    blocks.extend(body.blocks);
                }
            }
        }
        blocks
    }

    fn read_block(&mut self, block: Block<'a>) {
        let file = block.file;
        if let Some(&(_, labels)) = nested_blocks("").iter().find(|(name, _)| *name == block.name)
            && block.labels.len() != labels
        {
            let name = block.name;
            let labels_of_type = match labels {
                0 => "no labels",
                1 => "1 label (name)",
                _ => "2 labels (type, name)",
            };
            let detail = format!("All {name} blocks must have {labels_of_type}.");
            let summary = match block.labels.len() {
                count if count > labels => format!("Extraneous label for {name}"),
                0 if labels == 2 => format!("Missing type for {name}"),
                _ => format!("Missing name for {name}"),
            };
            return self.report(Problem::error(summary, detail).at(file, block.header));
        }
        match block.name {
            "variable" => self.read_variable(block),
            "locals" => {
                self.reject_first_block(&block.body.blocks);
                for it in block.body.arguments {
                    if self.module.locals.contains_key(it.name) {
                        let detail = format!("A local value named {:?} was already defined.", it.name);
                        self.report(
                            Problem::error("Duplicate local value definition", detail)
                                .at(it.value.file, it.name_at),
                        );
                        continue;
                    }
                    self.module.locals.insert(it.name.to_owned(), it.value);
                }
            }
            "output" => self.read_output(block),
            "module" => self.read_module_call(block),
            "provider" => self.read_provider(block),
            "terraform" => self.read_terraform_block(block),
            "moved" => self.read_moved(block),
            "removed" => self.read_removed(block),
            "import" => self.read_import(block),
            "check" => self.read_check(block),
            name @ ("resource" | "data" | "ephemeral" | "action" | "list") => {
                let mode = Mode::of_prefix(name).unwrap_or(Mode::Managed);
                self.read_resource(mode, block, None);
            }
            _ => self.reject_blocks(&[block]),
        }
    }

    /// Reports the arguments that remain.
    fn reject_remaining_arguments(&mut self, arguments: Arguments<'a>) {
        for it in arguments.remaining {
            let file = it.value.file;
            self.report(Problem::unsupported_argument(file, it.name).at(file, it.name_at));
        }
    }

    fn reject_blocks(&mut self, blocks: &[Block<'a>]) {
        for it in blocks {
            self.report(Problem::unsupported_block(it.file, it.name).at(it.file, it.name_at.clone()));
        }
    }

    /// Takes a constant argument such as `sensitive = true`.
    fn take_flag(&mut self, arguments: &mut Arguments<'a>, name: &str) -> bool {
        let value = arguments.take(name).and_then(|it| self.evaluate_constant(&it, &Type::Bool));
        value == Some(Value::Bool(true))
    }

    fn constant_string(&mut self, it: &Located<'a>) -> Option<String> {
        self.evaluate_constant(it, &Type::String)?.as_str().map(str::to_owned)
    }

    /// Evaluates a constant expression and converts its value.
    fn evaluate_constant(&mut self, it: &Located<'a>, ty: &Type) -> Option<Value> {
        let unsuitable = |detail: &str| Problem::error("Unsuitable value type", detail).at_expression(it);
        match it.expression.constant() {
            Ok(value) => match convert(value.value, &value.ty, ty).map(|it| it.value) {
                Ok(value) if !value.is_null() => Some(value),
                _ => {
                    self.report(unsuitable(&format!("A {} is required.", ty.kind())));
                    None
                }
            },
            Err(errors) => {
                self.problems.extend(Problem::from_errors(it.file, &errors));
                self.report(unsuitable("Unsuitable value: value must be known."));
                None
            }
        }
    }

    /// Reports the first block in a body that can contain arguments of any name, but no blocks.
    fn reject_first_block(&mut self, blocks: &[Block<'a>]) {
        if let Some(it) = blocks.first() {
            let summary = format!("Unexpected {:?} block", it.name);
            self.report(
                Problem::error(summary, "Blocks are not allowed here.").at(it.file, it.name_at.clone()),
            );
        }
    }

    fn report_duplicate(&mut self, kind: &str, name: &str, file: &File, at: Range<usize>) {
        let detail = format!("A {kind} named {name:?} was already declared in this module.");
        let noun = match kind {
            "output" => "output definition",
            "module call" => "module call",
            _ => "variable declaration",
        };
        self.report(Problem::error(format!("Duplicate {noun}"), detail).at(file, at));
    }

    fn read_conditions(&mut self, blocks: Vec<Block<'a>>, name: &str) -> Vec<Condition<'a>> {
        let (conditions, others): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|it| it.name == name);
        self.reject_blocks(&others);
        conditions.into_iter().filter_map(|it| self.read_condition(it)).collect()
    }

    fn read_condition(&mut self, block: Block<'a>) -> Option<Condition<'a>> {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let (condition, message) = (arguments.take("condition"), arguments.take("error_message"));
        self.reject_remaining_arguments(arguments);
        match (condition, message) {
            (Some(condition), Some(message)) => {
                if block.name != "validation" && condition.expression.references().traversals.is_empty() {
                    let detail = "The condition expression must refer to at least one object from elsewhere in the \
                                  configuration, or the result would not be checking anything.";
                    let problem = Problem::error(format!("Invalid {} expression", block.name), detail);
                    self.report(problem.at_expression(&condition));
                }
                Some(Condition { condition, message })
            }
            (condition, _) => {
                let file = block.file;
                let name = if condition.is_none() { "condition" } else { "error_message" };
                self.report(Problem::missing_argument(name).at(file, block.header));
                None
            }
        }
    }

    fn read_variable(&mut self, block: Block<'a>) {
        let Block { labels, header, body, file, overridden, .. } = block;
        let Some(label) = labels.into_iter().next() else { return };
        let name = label.text;
        if RESERVED_VARIABLES.contains(&&*name) {
            let detail = format!(
                "The variable name {name:?} is reserved due to its special meaning inside module blocks."
            );
            return self.report(Problem::error("Invalid variable name", detail).at(file, label.at));
        }
        let mut arguments = Arguments { remaining: body.arguments };
        let constraint = match arguments.take("type").map(|it| variable::constraint(&it.expression)) {
            None => None,
            Some(Ok(it)) => Some(it),
            Some(Err(errors)) => return self.problems.extend(Problem::from_errors(file, &errors)),
        };
        let mut evaluated = Vec::new();
        for it in arguments.remaining {
            match it.value.expression.constant() {
                Ok(value) => evaluated.push(variable::EvaluatedArgument {
                    name: it.name.into(),
                    name_at: it.name_at,
                    value,
                    value_at: it.value.expression.at(),
                }),
                Err(errors) => self.problems.extend(Problem::from_errors(it.value.file, &errors)),
            }
        }
        let validations = self.read_conditions(body.blocks, "validation");
        match Variable::assemble(constraint, evaluated, &file.text) {
            Ok(declaration) => {
                let variable = InputVariable { declaration, validations, header: header.clone(), file };
                if self.module.variables.insert(name.clone(), variable).is_some() {
                    self.report_duplicate("variable", &name, file, header);
                }
            }
            Err(errors) => {
                let mut problems = Problem::from_errors(file, &errors);
                // An error after an override is one of the block in the override file.
                if let Some((file, header)) = overridden {
                    problems = problems
                        .into_iter()
                        .map(|it| Problem::error(it.summary, it.detail).at(file, header.clone()))
                        .collect();
                }
                self.problems.extend(problems);
            }
        }
    }

    fn read_output(&mut self, block: Block<'a>) {
        let Block { labels, header, body, file, .. } = block;
        let Some(label) = labels.into_iter().next() else { return };
        let mut arguments = Arguments { remaining: body.arguments };
        arguments.take("description");
        arguments.take("deprecated");
        let value = arguments.take("value");
        let output = Output {
            header: header.clone(),
            is_sensitive: self.take_flag(&mut arguments, "sensitive"),
            is_ephemeral: self.take_flag(&mut arguments, "ephemeral"),
            depends_on: self.read_static_references(&mut arguments, "depends_on"),
            preconditions: self.read_conditions(body.blocks, "precondition"),
            value: match value {
                Some(it) => it,
                None => {
                    return self.report(Problem::missing_argument("value").at(file, header));
                }
            },
        };
        self.reject_remaining_arguments(arguments);
        if self.module.outputs.insert(label.text.clone(), output).is_some() {
            self.report_duplicate("output", &label.text, file, header);
        }
    }

    /// Reads a list of static references.
    fn read_static_references(
        &mut self,
        arguments: &mut Arguments<'a>,
        name: &str,
    ) -> Vec<StaticReference<'a>> {
        let elements = self.take_elements(arguments, name);
        elements.into_iter().filter_map(|it| self.read_static_reference(it)).collect()
    }

    /// Reads a list of expressions.
    fn take_elements(&mut self, arguments: &mut Arguments<'a>, name: &str) -> Vec<Located<'a>> {
        let Some(it) = arguments.take(name) else { return Vec::new() };
        let Some(elements) = it.expression.tuple_elements() else {
            let detail = format!("The value of {name} must be a list of references.");
            self.report(Problem::error("Invalid expression", detail).at_expression(&it));
            return Vec::new();
        };
        elements.into_iter().map(|expression| Located { expression, file: it.file }).collect()
    }

    fn read_static_reference(&mut self, it: Located<'a>) -> Option<StaticReference<'a>> {
        match self.static_steps(&it) {
            Some(steps) => Some(StaticReference { steps, at: it }),
            None => {
                let detail = "A single static reference is required: only attribute access and indexing with constant \
                              keys.";
                self.report(Problem::error("Invalid expression", detail).at_expression(&it));
                None
            }
        }
    }

    /// Reads a static reference, which very old configurations quote.
    fn static_steps(&mut self, it: &Located<'a>) -> Option<Vec<TraversalStep>> {
        if let Some(steps) = it.expression.static_traversal() {
            return Some(steps);
        }
        let quoted = it.expression.constant().ok()?;
        let steps = Expression::parse(quoted.value.as_str()?).ok()?.static_traversal()?;
        let detail = "In this context, references are expected literally rather than in quotes. Remove the quotes surrounding this \
                      reference to silence this warning.";
        let warning = Problem::warning("Quoted references are deprecated", detail);
        self.report(warning.at_expression(it));
        Some(steps)
    }

    fn read_provider_reference(&mut self, it: &Located<'a>) -> Option<ProviderReference> {
        match self.static_steps(it).and_then(provider_reference) {
            Some(it) => Some(it),
            None => {
                let detail = "A provider configuration reference is required, such as aws or aws.west.";
                self.report(
                    Problem::error("Invalid provider configuration reference", detail).at_expression(it),
                );
                None
            }
        }
    }

    fn take_repetition(&mut self, arguments: &mut Arguments<'a>) -> Repetition<'a> {
        match (arguments.take("count"), arguments.take("for_each")) {
            (None, None) => Repetition::None,
            (Some(it), None) => Repetition::Count(it),
            (None, Some(it)) => Repetition::ForEach(it),
            (Some(_), Some(it)) => {
                let detail = "The \"count\" and \"for_each\" meta-arguments are mutually-exclusive, only one should be \
                              used to be explicit about the number of resources to be created.";
                self.report(
                    Problem::error("Invalid combination of \"count\" and \"for_each\"", detail)
                        .at_expression(&it),
                );
                Repetition::None
            }
        }
    }

    fn read_module_call(&mut self, block: Block<'a>) {
        let Block { labels, header, body, file, overridden, .. } = block;
        let Some(label) = labels.into_iter().next() else { return };
        self.reject_blocks(&body.blocks);
        let mut arguments = Arguments { remaining: body.arguments };
        let Some(source) = arguments.take("source") else {
            return self.report(Problem::missing_argument("source").at(file, header));
        };
        let Some(source) = self.constant_string(&source) else { return };
        if !is_local(&source) {
            let problem = Problem::unsupported(&format!("The module source {source:?}"));
            return self.report(problem.at(file, header));
        }
        let providers = arguments.take("providers").map(|it| self.read_passed_providers(&it));
        let call = ModuleCall {
            name: label.text.clone(),
            directory: join(&self.module.directory, &source),
            repetition: self.take_repetition(&mut arguments),
            depends_on: self.read_static_references(&mut arguments, "depends_on"),
            providers,
            arguments: arguments.remaining.into_iter().map(|it| (it.name.to_owned(), it.value)).collect(),
            is_overridden: overridden.is_some(),
            header: header.clone(),
            file,
        };
        if self.module.calls.insert(label.text.clone(), call).is_some() {
            self.report_duplicate("module call", &label.text, file, header);
        }
    }

    fn read_passed_providers(&mut self, it: &Located<'a>) -> Vec<PassedProvider<'a>> {
        let Some(items) = it.expression.object_items() else {
            let detail = "A map of provider configurations is required.";
            self.report(Problem::error("Invalid provider configuration map", detail).at_expression(it));
            return Vec::new();
        };
        let mut passed = Vec::new();
        for (in_child, in_parent) in items {
            let (at, file) = (in_child.at(), it.file);
            let in_child = self.read_provider_reference(&Located { expression: in_child, file });
            let in_parent = self.read_provider_reference(&Located { expression: in_parent, file });
            let both = in_child.zip(in_parent);
            passed.extend(both.map(|(in_child, in_parent)| PassedProvider { in_child, in_parent, at, file }));
        }
        passed
    }

    fn read_provider(&mut self, block: Block<'a>) {
        let Block { labels, header, body, file, overridden, .. } = block;
        let Some(label) = labels.into_iter().next() else { return };
        let mut arguments = Arguments { remaining: body.arguments };
        arguments.take("version");
        let alias = arguments.take("alias").and_then(|it| self.constant_string(&it));
        if let Some(it) = arguments.take("for_each") {
            self.report(Problem::unsupported("for_each of a provider").at_expression(&it));
        }
        let reference = ProviderReference { name: label.text, alias };
        if self.module.providers.iter().any(|it| it.reference == reference) {
            let detail = format!("A provider configuration {} was already given.", reference.name);
            return self.report(Problem::error("Duplicate provider configuration", detail).at(file, header));
        }
        let body = Body { arguments: arguments.remaining, blocks: body.blocks };
        self.module.providers.push(ProviderBlock {
            reference,
            config: LocatedBody { body, header, file, is_overridden: overridden.is_some() },
        });
    }

    fn read_terraform_block(&mut self, block: Block<'a>) {
        let mut arguments = Arguments { remaining: block.body.arguments };
        if let Some(it) = arguments.take("required_version") {
            self.check_required_version(&it);
        }
        self.reject_remaining_arguments(arguments);
        for block in block.body.blocks {
            let file = block.file;
            match block.name {
                "required_providers" => self.read_required_providers(block.body),
                "provider_meta" => {
                    let Some(label) = block.labels.into_iter().next() else { continue };
                    let config =
                        LocatedBody { body: block.body, header: block.header, file, is_overridden: false };
                    self.module.provider_meta.push((label.text, config));
                }
                // The in-process state is always a file.
                "backend" if block.labels.iter().any(|it| it.text == "local") => {}
                name => {
                    let construct = format!("A {name} block in the terraform block");
                    self.report(Problem::unsupported(&construct).at(file, block.header));
                }
            }
        }
    }

    fn check_required_version(&mut self, it: &Located<'a>) {
        let Some(constraint) = self.constant_string(it) else { return };
        let (summary, detail) = match VersionConstraint::parse(&constraint) {
            None => {
                let detail = "This string does not use correct version constraint syntax.";
                ("Invalid version constraint", detail.to_owned())
            }
            Some(it) if !accepts_simulated_version(&it) => {
                let detail = format!(
                    "This configuration requires Terraform {constraint}, but the simulation behaves like the versions 1.11 to 1.15."
                );
                ("Unsupported Terraform Core version", detail)
            }
            Some(_) => return,
        };
        self.report(Problem::error(summary, detail).at_expression(it));
    }

    fn read_required_providers(&mut self, body: Body<'a>) {
        self.reject_first_block(&body.blocks);
        for it in body.arguments {
            let file = it.value.file;
            let items = it.value.expression.object_items().unwrap_or_default();
            let name = |key: &Expression<'a>| match key.static_traversal()?.into_iter().next()? {
                TraversalStep::Name(name) => Some(name),
                TraversalStep::Index(_) => None,
            };
            let quoted = |key: &Expression<'a>| Some(key.constant().ok()?.value.as_str()?.to_owned());
            let take = |argument: &str| {
                let is_same =
                    |key: &Expression<'a>| name(key).or_else(|| quoted(key)).as_deref() == Some(argument);
                items.iter().find(|(key, _)| is_same(key)).map(|(_, value)| value.clone())
            };
            let aliases = take("configuration_aliases").map(|it| it.references().traversals);
            let aliases = aliases.into_iter().flatten().filter_map(|it| provider_reference(it.steps));
            self.module.configuration_aliases.extend(aliases);
            let source =
                take("source").and_then(|it| self.constant_string(&Located { expression: it, file }));
            let source = source.unwrap_or_else(|| it.name.to_owned());
            self.module.requirements.insert(it.name.to_owned(), provider_address(&source));
        }
    }

    fn read_moved(&mut self, block: Block<'a>) {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let file = block.file;
        let ends = [arguments.take("from"), arguments.take("to")];
        self.reject_remaining_arguments(arguments);
        if ends.iter().any(Option::is_none) {
            let detail = "A moved block must have the arguments \"from\" and \"to\".";
            return self.report(Problem::error("Missing required argument", detail).at(file, block.header));
        }
        let mut targets = ends.into_iter().map(|it| self.read_target(it, file, &block.header));
        if let (Some(Some(from)), Some(Some(to))) = (targets.next(), targets.next()) {
            if from.resource.is_some() != to.resource.is_some() {
                let detail = "The \"from\" and \"to\" addresses must either both refer to resources or both refer to modules.";
                return self
                    .report(Problem::error("Invalid \"moved\" addresses", detail).at(file, block.header));
            }
            self.module.moved.push(Moved { from, to, at: block.header, file });
        }
    }

    fn read_target(&mut self, it: Option<Located<'a>>, file: &File, header: &Range<usize>) -> Option<Target> {
        let at = it.as_ref().map_or(header.clone(), |it| it.expression.at());
        let target = it.and_then(|it| Target::from_steps(&it.expression.static_traversal()?));
        if target.is_none() {
            let detail = "The address of a resource, a resource instance or a module is required.";
            self.report(Problem::error("Invalid address", detail).at(file, at));
        }
        target
    }

    fn read_removed(&mut self, block: Block<'a>) {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let file = block.file;
        let from = arguments.take("from");
        self.reject_remaining_arguments(arguments);
        let mut destroy = true;
        for nested in block.body.blocks {
            match nested.name {
                "lifecycle" => {
                    let mut arguments = Arguments { remaining: nested.body.arguments };
                    destroy = self.take_flag(&mut arguments, "destroy");
                    self.reject_remaining_arguments(arguments);
                }
                name => {
                    let construct = format!("A {name} block in a removed block");
                    self.report(Problem::unsupported(&construct).at(nested.file, nested.header));
                }
            }
        }
        let at = from.as_ref().map_or(block.header.clone(), |it| it.expression.at());
        let Some(from) = self.read_target(from, file, &block.header) else { return };
        let (resource, has_key) = (from.resource.as_ref(), |key: &InstanceKey| *key != InstanceKey::None);
        let problem = if from.module.iter().any(|(_, key)| has_key(key)) {
            let detail = "Module address must be a module (e.g. \"module.foo\"), not a module instance.";
            Some(Problem::error("Module instance keys not allowed", detail))
        } else if resource.is_some_and(|(_, key)| has_key(key)) {
            let detail =
                "Resource address must be a resource (e.g. \"test_instance.foo\"), not a resource instance.";
            Some(Problem::error("Resource instance keys not allowed", detail))
        } else if resource.is_some_and(|(resource, _)| resource.mode == Mode::Data) {
            let detail = "Data sources cannot be removed with a removed block: delete their configuration.";
            Some(Problem::error("Data source address not allowed", detail))
        } else {
            None
        };
        if let Some(problem) = problem {
            return self.report(problem.at(file, at));
        }
        self.module.removed.push(Removed { from, destroy });
    }

    fn read_import(&mut self, block: Block<'a>) {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let file = block.file;
        let Some(to) = arguments.take("to") else {
            return self.report(Problem::missing_argument("to").at(file, block.header));
        };
        let provider = arguments.take("provider").and_then(|it| self.read_provider_reference(&it));
        let address = to.expression.static_traversal().and_then(|it| Address::from_steps(&it));
        if let Some(address) = address
            && !self.imported.insert(address.clone())
        {
            let resource = address.config();
            let detail = format!(
                "An import block for the resource {resource} was already declared. A resource can have only one import block."
            );
            let summary = format!("Duplicate import configuration for \"{resource}\"");
            self.report(Problem::error(summary, detail).at_expression(&to));
        }
        let import = Import {
            resource: import_target(&to.expression),
            to,
            id: arguments.take("id"),
            identity: arguments.take("identity"),
            for_each: arguments.take("for_each"),
            provider,
        };
        self.reject_remaining_arguments(arguments);
        if import.id.is_some() == import.identity.is_some() {
            let detail = "An import block must have exactly one of the arguments \"id\" and \"identity\".";
            return self.report(Problem::error("Invalid import block", detail).at(file, block.header));
        }
        self.module.imports.push(import);
    }

    fn read_check(&mut self, block: Block<'a>) {
        let file = block.file;
        let Some(label) = block.labels.into_iter().next() else { return };
        let arguments = Arguments { remaining: block.body.arguments };
        self.reject_remaining_arguments(arguments);
        let mut assertions = Vec::new();
        for nested in block.body.blocks {
            match nested.name {
                "assert" => assertions.extend(self.read_condition(nested)),
                "data" if nested.labels.len() == 2 => {
                    self.read_resource(Mode::Data, nested, Some(label.text.clone()));
                }
                _ => self.reject_blocks(&[nested]),
            }
        }
        if assertions.is_empty() {
            let detail = "Check blocks must have at least one assert block.";
            self.report(Problem::error("Zero assert blocks", detail).at(file, block.header.clone()));
        }
        self.module.checks.push(Check { name: label.text, assertions });
    }

    fn read_resource(&mut self, mode: Mode, block: Block<'a>, check: Option<String>) {
        let Block { labels, header, body, file, overridden, .. } = block;
        let mut labels = labels.into_iter().map(|it| it.text);
        let (Some(kind), Some(name)) = (labels.next(), labels.next()) else { return };
        if let Some(it) = [&kind, &name].into_iter().find(|it| !ferroform_lang::is_identifier(it)) {
            let what = if *it == kind { "type" } else { "name" };
            let detail = format!(
                "{it:?} is not valid: a name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
            );
            let problem = Problem::error(format!("Invalid {} {what}", mode.noun()), detail);
            return self.report(problem.at(file, header));
        }
        let id = ResourceName { mode, kind, name };
        let mut arguments = Arguments { remaining: body.arguments };
        let provider = arguments.take("provider").and_then(|it| self.read_provider_reference(&it));
        let repetition = self.take_repetition(&mut arguments);
        let depends_on = self.read_static_references(&mut arguments, "depends_on");
        let mut lifecycle = Lifecycle::default();
        let mut blocks = Vec::new();
        let mut config = None;
        let mut list_arguments = Vec::new();
        for nested in body.blocks {
            match nested.name {
                "lifecycle" => {
                    if mode != Mode::Managed
                        && let Some(it) = nested.body.arguments.first()
                    {
                        let kind = mode.block_type();
                        let detail = format!(
                            "The lifecycle argument {:?} is defined only for managed resources, and is not valid for {kind} \
                             blocks.",
                            it.name
                        );
                        let problem =
                            Problem::error(format!("Invalid {kind} resource lifecycle argument"), detail);
                        self.report(problem.at(it.value.file, it.name_at.clone()));
                    }
                    lifecycle = self.read_lifecycle(nested);
                }
                "provisioner" | "connection" => {
                    let construct = format!("A {} block", nested.name);
                    self.report(Problem::unsupported(&construct).at(nested.file, nested.header));
                }
                "config" if matches!(mode, Mode::Action | Mode::List) => {
                    config = Some((nested.header, nested.body))
                }
                _ => blocks.push(nested),
            }
        }
        let mut config_at = header.clone();
        let body = match mode {
            Mode::Action | Mode::List => {
                if mode == Mode::List {
                    let of_list =
                        ["limit", "include_resource"].map(|name| arguments.take(name).map(|it| (name, it)));
                    list_arguments.extend(of_list.into_iter().flatten());
                }
                self.reject_remaining_arguments(arguments);
                self.reject_blocks(&blocks);
                let (config_header, body) = config.unwrap_or_else(|| (header.clone(), Body::default()));
                config_at = config_header;
                body
            }
            _ => Body { arguments: arguments.remaining, blocks },
        };
        let config = LocatedBody { body, header: config_at, file, is_overridden: overridden.is_some() };
        let resource = Resource {
            id: id.clone(),
            repetition,
            provider,
            depends_on,
            lifecycle,
            config,
            check,
            arguments: list_arguments,
        };
        if self.module.resources.insert(id.clone(), resource).is_some() {
            let detail = format!("A {} block {:?} was already declared.", mode.block_type(), id.to_string());
            let summary = format!("Duplicate {} {:?} configuration", mode.block_type(), id.kind);
            self.report(Problem::error(summary, detail).at(file, header));
        }
    }

    fn read_lifecycle(&mut self, block: Block<'a>) -> Lifecycle<'a> {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let mut lifecycle = Lifecycle {
            create_before_destroy: self.take_flag(&mut arguments, "create_before_destroy"),
            prevent_destroy: self.take_flag(&mut arguments, "prevent_destroy"),
            replace_triggered_by: self.take_elements(&mut arguments, "replace_triggered_by"),
            ..Lifecycle::default()
        };
        let all = Some(vec![TraversalStep::Name("all".to_owned())]);
        let ignored = arguments.remaining.iter().find(|it| it.name == "ignore_changes");
        if ignored.is_some_and(|it| it.value.expression.static_traversal() == all) {
            arguments.take("ignore_changes");
            lifecycle.ignores_all = true;
        }
        lifecycle.ignored = self.read_static_references(&mut arguments, "ignore_changes");
        self.reject_remaining_arguments(arguments);
        for nested in block.body.blocks {
            match nested.name {
                "precondition" => lifecycle.preconditions.extend(self.read_condition(nested)),
                "postcondition" => lifecycle.postconditions.extend(self.read_condition(nested)),
                "action_trigger" => lifecycle.action_triggers.extend(self.read_action_trigger(nested)),
                _ => self.reject_blocks(&[nested]),
            }
        }
        lifecycle
    }

    fn read_action_trigger(&mut self, block: Block<'a>) -> Option<ActionTrigger<'a>> {
        let mut arguments = Arguments { remaining: block.body.arguments };
        let events = self.read_static_references(&mut arguments, "events");
        let events: Vec<_> = events.iter().filter_map(|it| self.read_action_event(it)).collect();
        if events.is_empty() {
            let detail = "At least one event must be specified for an action_trigger.";
            self.report(Problem::error("No events specified", detail).at(block.file, block.header));
        }
        let condition = arguments.take("condition");
        let actions = self.take_elements(&mut arguments, "actions");
        let actions = actions.into_iter().filter(|it| self.check_is_action(it)).collect();
        self.reject_remaining_arguments(arguments);
        Some(ActionTrigger { events, condition, actions })
    }

    fn read_action_event(&mut self, it: &StaticReference<'a>) -> Option<ActionEvent> {
        let name = match it.steps.as_slice() {
            [TraversalStep::Name(name)] => name.as_str(),
            _ => "",
        };
        Some(match name {
            "before_create" => ActionEvent::BeforeCreate,
            "after_create" => ActionEvent::AfterCreate,
            "before_update" => ActionEvent::BeforeUpdate,
            "after_update" => ActionEvent::AfterUpdate,
            name => {
                let detail = "The \"event\" argument supports the following values: before_create, after_create, before_update, \
                              after_update.";
                let problem = Problem::error(format!("Invalid \"event\" value {name}"), detail);
                self.report(problem.at_expression(&it.at));
                return None;
            }
        })
    }

    /// Reports an expression that does not refer to an action, such as `action.aws_lambda_invoke.a[each.key]`.
    fn check_is_action(&mut self, it: &Located<'a>) -> bool {
        let traversals = it.expression.references().traversals;
        let is_action = |it: &TraversalStep| *it == TraversalStep::Name("action".to_owned());
        if traversals.first().and_then(|it| it.steps.first()).is_some_and(is_action) {
            return true;
        }
        for (summary, detail) in [
            (
                "Invalid action argument inside action_triggers",
                "action_triggers.actions must only refer to actions in the current module.",
            ),
            ("No actions specified", "At least one action must be specified for an action_trigger."),
        ] {
            self.report(Problem::error(summary, detail).at_expression(it));
        }
        false
    }
}

/// True if the constraints accept a version whose features the simulation has.
fn accepts_simulated_version(constraints: &[VersionConstraint]) -> bool {
    let mut versions = (11..=15).flat_map(|minor| (0..20).map(move |patch| [1, minor, patch]));
    versions.any(|version| constraints.iter().all(|it| it.accepts(version)))
}

fn provider_reference(steps: Vec<TraversalStep>) -> Option<ProviderReference> {
    match steps.as_slice() {
        [TraversalStep::Name(name)] => Some(ProviderReference { name: name.clone(), alias: None }),
        [TraversalStep::Name(name), TraversalStep::Name(alias)] => {
            Some(ProviderReference { name: name.clone(), alias: Some(alias.clone()) })
        }
        _ => None,
    }
}
