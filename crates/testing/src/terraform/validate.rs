//! The validation of a configuration without values of its variables, and without configured providers.

use ferroform::schema::{Block, Member, Mode as AttributeMode};
use ferroform::value::Type;
use ferroform_engine::Owner;
use ferroform_lang::body::TraversalStep;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::address::{ConfigAddress, InstanceKey, Mode, ModuleInstance, module_path, resource_name};
use super::configuration::{Repetition, Resource};
use super::decode::{decode, located};
use super::evaluation::Evaluation;
use super::graph::{Node, action_name};
use super::problem::{Problem, Problems, Result};
use super::providers::ProviderKey;
use super::resource_instance::{BlockValues, ResourceInstance};
use super::values::unknown_values;

/// Evaluates the configuration with unknown values for variables and resources, and validates each block with its
/// provider.
pub(crate) fn validate(evaluation: &mut Evaluation<'_>) -> Result<()> {
    evaluation.validates = true;
    for node in evaluation.graph.order.clone() {
        let result = match &node {
            _ if evaluation.has_failed_dependency(&node) => Err(Problems::new()),
            Node::Variable(path, name) if path.is_empty() => {
                set_unknown_variable(evaluation, name);
                Ok(())
            }
            Node::Call(path, name) => evaluation.unknown_call(path, name),
            Node::Resource(address) => validate_resource(evaluation, address),
            Node::Provider(key) => validate_provider(evaluation, key),
            Node::Trigger(..) => Ok(()),
            node => evaluation.evaluate_node(node),
        };
        if let Err(problems) = result {
            evaluation.report(problems);
            evaluation.failed.insert(node);
        }
    }
    Ok(())
}

/// Reports `removed` blocks whose object is still declared.
pub(crate) fn validate_removed(evaluation: &Evaluation<'_>) -> Problems {
    let mut problems = Problems::new();
    for (path, module) in &evaluation.configuration.modules {
        for it in &module.removed {
            let inner = [&**path, &*module_path(&it.from.module)].concat();
            let declared = match &it.from.resource {
                Some((resource, _)) => evaluation
                    .module(&inner)
                    .and_then(|it| it.resources.get(resource))
                    .map(|it| (it.config.file, it.config.header.clone())),
                None => inner.split_last().and_then(|(name, parent)| {
                    let call = evaluation.module(parent)?.calls.get(name)?;
                    Some((call.file, call.header.clone()))
                }),
            };
            if let Some((file, at)) = declared {
                let detail =
                    "A removed block declares that this object was removed, but it is still declared.";
                problems.push(Problem::error("Removed resource still exists", detail).at(file, at));
            }
        }
    }
    problems
}

/// Sets a variable of the root module to an unknown value of its type.
fn set_unknown_variable(evaluation: &mut Evaluation<'_>, name: &str) {
    let Some(variable) = evaluation.module(&[]).and_then(|it| it.variables.get(name)) else { return };
    let declaration = &variable.declaration;
    let mut value = Marked::unknown(declaration.constraint.ty.without_optional());
    if declaration.sensitive {
        value.marks.extend(Marks::of(Mark::Sensitive));
    }
    if declaration.ephemeral {
        value.marks.extend(Marks::of(Mark::Ephemeral));
    }
    evaluation.set_value(&Vec::new(), format!("var.{name}"), value);
}

/// Validates a provider configuration.
fn validate_provider(evaluation: &mut Evaluation<'_>, key: &ProviderKey) -> Result<()> {
    let Some(module) = evaluation.module(&key.module) else { return Ok(()) };
    let Some(block) = module.provider_block(key) else { return Ok(()) };
    let harness = evaluation.providers.unconfigured(&key.address)?;
    let schema = &harness.server().provider().schema().block;
    for instance in evaluation.instances_of(&key.module) {
        let decoded = evaluation.with_scope(&instance, &[], |scope| decode(scope, &block.config, schema))?;
        let label = key.to_string();
        let validation = harness.server().validate_config(Owner::PROVIDER, decoded.value, true);
        let warnings =
            harness.run_for_diagnostics(&format!("the validation of {label}"), Owner::PROVIDER, validation);
        let warnings = warnings.map_err(|it| Problem::from_provider(it, &label))?;
        evaluation.report(Problem::from_provider(warnings, &label));
    }
    Ok(())
}

/// Validates a resource, data source, ephemeral resource or action.
fn validate_resource(evaluation: &mut Evaluation<'_>, config_address: &ConfigAddress) -> Result<()> {
    let Some(resource) = evaluation.configuration.resource(config_address) else { return Ok(()) };
    let provider = evaluation.provider_of(&config_address.module, resource)?;
    let harness = evaluation.providers.unconfigured(&provider.address)?;
    let block = resource.block(&harness)?;
    for instance in evaluation.instances_of(&config_address.module) {
        let it = ResourceInstance {
            values: block_values(evaluation, &instance, resource),
            ..ResourceInstance::new(&instance, resource, &provider, (&InstanceKey::None, None))
        };
        let mut value = match resource.repetition {
            Repetition::None => Marked::unknown(block.ty().clone()),
            _ => Marked::unknown(Type::Dynamic),
        };
        if resource.id.mode == Mode::Ephemeral {
            value.marks.extend(Marks::of(Mark::Ephemeral));
        }
        // As in Terraform, `validate` accepts a self-reference; the plan reports it.
        evaluation.set_value(&instance, resource.id.to_string(), value);
        evaluation.check.clone_from(&resource.check);
        validate_references(evaluation, resource, &config_address.module, block)?;
        validate_conditions(evaluation, &it)?;
        let decoded = evaluation.decode(&it, block);
        evaluation.check = None;
        let decoded = decoded?;
        evaluation.check_ephemeral(&it, &decoded, block)?;
        let label = it.address.to_string();
        let owner = resource.id.mode.kind().named(&resource.id.kind);
        let validation = harness.server().validate_config(owner, decoded.value, true);
        let warnings = harness.run_for_diagnostics(&format!("the validation of {label}"), owner, validation);
        let located = |it| located(Problem::from_provider(it, &label), &resource.config);
        let warnings = warnings.map_err(located)?;
        evaluation.report(located(warnings));
    }
    Ok(())
}

/// Evaluates the conditions with unknown values, to report their errors.
fn validate_conditions(evaluation: &Evaluation<'_>, instance: &ResourceInstance<'_>) -> Result<()> {
    let (module, lifecycle) = (&instance.address.module, &instance.resource.lifecycle);
    for it in &lifecycle.preconditions {
        let traversals = it.condition.expression.references().traversals;
        if traversals.iter().any(|it| it.names.first().is_some_and(|it| it == "self")) {
            let at = |problem: Problem| problem.at_expression(&it.condition);
            let detail = "The \"self\" object is not available in this context.";
            let unknown = "There is no variable named \"self\".";
            return Err(vec![
                at(Problem::error("Invalid \"self\" reference", detail)),
                at(Problem::error("Unknown variable", unknown)),
            ]);
        }
        evaluation.evaluate_condition(module, &instance.values, it)?;
    }
    let values = instance.values_with_self(&Marked::unknown(Type::Dynamic));
    for it in &lifecycle.postconditions {
        evaluation.evaluate_condition(module, &values, it)?;
    }
    Ok(())
}

/// Checks the static references of a block: `depends_on`, `ignore_changes`, `replace_triggered_by` and the actions of
/// triggers.
fn validate_references(
    evaluation: &mut Evaluation<'_>,
    resource: &Resource<'_>,
    path: &[String],
    block: &Block,
) -> Result<()> {
    let Some(module) = evaluation.module(path) else { return Ok(()) };
    let lifecycle = &resource.lifecycle;
    for it in &resource.depends_on {
        let at = |problem: Problem| vec![problem.at_expression(&it.at)];
        let is_module = it.steps.first() == Some(&TraversalStep::Name("module".to_owned()));
        if is_module {
            continue;
        }
        let Some(name) = resource_name(&it.steps) else { continue };
        if it.steps[name.mode.name_count()..].iter().any(|it| matches!(it, TraversalStep::Name(_))) {
            let detail = "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object.";
            return Err(at(Problem::error("Invalid depends_on reference", detail)));
        }
        if !module.resources.contains_key(&name) {
            let detail = format!("The resource {name} has not been declared in this module.");
            return Err(at(Problem::error("Reference to undeclared resource", detail)));
        }
    }
    for it in &lifecycle.ignored {
        let at = |problem: Problem| vec![problem.at_expression(&it.at)];
        let Some(TraversalStep::Name(name)) = it.steps.first() else { continue };
        match block.member(name) {
            None => {
                let detail = format!(
                    "This object has no argument, nested block, or exported attribute named {name:?}."
                );
                return Err(at(Problem::error("Unsupported attribute", detail)));
            }
            Some(Member::Attribute(attribute)) if attribute.mode() == AttributeMode::Computed => {
                let detail = format!(
                    "Adding an attribute name to ignore_changes tells Terraform to ignore future changes to the argument in \
                     configuration after the object has been created, retaining the value originally configured. The attribute \
                     {name} is decided by the provider alone and therefore there can be no configured value to compare with."
                );
                let warning = Problem::warning("Redundant ignore_changes element", detail);
                evaluation.report(vec![warning.at(resource.config.file, resource.config.header.clone())]);
            }
            Some(_) => {}
        }
    }
    for it in &lifecycle.replace_triggered_by {
        let at = |problem: Problem| problem.at_expression(it);
        let traversals = it.expression.references().traversals;
        let name = traversals.first().and_then(|it| resource_name(&it.steps));
        let is_resource = name.is_some_and(|it| {
            it.mode == Mode::Managed
                && !["var", "local", "module", "each", "count", "path"].contains(&&*it.kind)
        });
        if !is_resource {
            let detail =
                "Only references to managed resources, their instances and their attributes are allowed.";
            return Err(vec![
                at(Problem::error("Invalid reference in replace_triggered_by expression", detail)),
                at(Problem::error("Invalid replace_triggered_by expression", detail)),
            ]);
        }
    }
    for it in lifecycle.action_triggers.iter().flat_map(|it| &it.actions) {
        if action_name(it).is_none_or(|name| !module.resources.contains_key(&name)) {
            let detail = "The lifecycle action_trigger actions list contains a reference to an action that does not exist in this module.";
            let problem = Problem::error("action_trigger actions references non-existent action", detail);
            return Err(vec![problem.at_expression(it)]);
        }
    }
    Ok(())
}

/// Checks `count` or `for_each`, and returns unknown values for `count` and `each`.
fn block_values(
    evaluation: &mut Evaluation<'_>,
    instance: &ModuleInstance,
    resource: &Resource<'_>,
) -> BlockValues {
    if let Err(problems) = evaluation.check_repetition(instance, &resource.repetition) {
        evaluation.report(problems);
    }
    unknown_values(&resource.repetition)
}
