//! The provider configurations that module calls pass to their modules.

use super::configuration::{Module, ModuleCall, ModuleTree, PassedProvider, ProviderReference};
use super::problem::{Problem, Problems};
use super::providers::ProviderKey;

/// Checks that each passed provider configuration belongs to the provider that the child module requires.
pub(crate) fn check_passed_providers(configuration: &ModuleTree<'_>) -> Problems {
    let mut problems = Problems::new();
    for (path, caller) in &configuration.modules {
        let is_missing =
            |it: &&PassedProvider<'_>| it.in_parent.alias.is_some() && !is_declared(caller, &it.in_parent);
        for call in caller.calls.values() {
            for it in call.providers.iter().flatten().filter(is_missing) {
                let address = caller.provider_address(&it.in_parent.name);
                let key = ProviderKey { module: path.clone(), address, alias: it.in_parent.alias.clone() };
                problems.push(Problem::error(format!("missing provider {key}"), ""));
            }
            let child = [&**path, std::slice::from_ref(&call.name)].concat();
            let Some(module) = configuration.module(&child) else { continue };
            for it in call.providers.iter().flatten() {
                check_passed_provider(caller, call, module, it, &mut problems);
            }
        }
    }
    problems
}

fn check_passed_provider(
    caller: &Module<'_>,
    call: &ModuleCall<'_>,
    module: &Module<'_>,
    it: &PassedProvider<'_>,
    problems: &mut Problems,
) {
    let mut report = |it: Problem, at: &PassedProvider<'_>| problems.push(it.at(at.file, at.at.clone()));
    let (in_child, in_parent) = (&it.in_child, &it.in_parent);
    let required = module.provider_address(&in_child.name);
    if in_child.alias.is_some() && !is_declared(module, in_child) {
        let detail = format!(
            "The module {:?} does not declare the provider configuration {in_child}. Add it to the argument \
             configuration_aliases in the required_providers block of the module.",
            call.name
        );
        return report(Problem::error("Reference to undefined provider", detail), it);
    }
    for (reference, module, name) in
        [(in_child, module, "the child module"), (in_parent, caller, "the calling module")]
    {
        if reference.alias.is_none() && !is_declared(module, reference) {
            let detail = format!(
                "The local provider name {:?} is not declared in {name}, so it refers to the provider {:?}. Add it to the \
                 required_providers block of {name}.",
                reference.name,
                module.provider_address(&reference.name)
            );
            report(Problem::warning("Reference to undefined provider", detail), it);
        }
    }
    let passed = caller.provider_address(&in_parent.name);
    if passed != required {
        let detail = format!(
            "The local name {:?} in the calling module refers to the provider {passed:?}, but {:?} in the module {:?} refers to \
             {required:?}. Pass a configuration of the required provider.",
            in_parent.name, in_child.name, call.name
        );
        report(Problem::error("Provider type mismatch", detail), it);
    }
}

/// True if the module declares the provider configuration.
fn is_declared(module: &Module<'_>, reference: &ProviderReference) -> bool {
    module.providers.iter().any(|it| it.reference == *reference)
        || match &reference.alias {
            Some(_) => module.configuration_aliases.contains(reference),
            None => module.requirements.contains_key(&reference.name),
        }
}
