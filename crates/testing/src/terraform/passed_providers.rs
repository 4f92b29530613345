//! The provider configurations that module calls pass to their modules.

use super::configuration::{Module, ModuleCall, ModuleTree, PassedProvider, ProviderReference};
use super::problem::{Problem, Problems};
use super::providers::ProviderKey;

/// Checks that each passed configuration is one of the provider that the module means by its name.
pub(crate) fn check_passed_providers(configuration: &ModuleTree<'_>) -> Problems {
    let mut problems = Problems::new();
    for (path, caller) in &configuration.modules {
        let is_missing =
            |it: &&PassedProvider<'_>| it.outer.alias.is_some() && !is_declared(caller, &it.outer);
        for call in caller.calls.values() {
            for it in call.providers.iter().flatten().filter(is_missing) {
                let address = caller.provider_address(&it.outer.name);
                let key = ProviderKey { module: path.clone(), address, alias: it.outer.alias.clone() };
                problems.push(Problem::error(format!("missing provider {key}"), ""));
            }
            let inner = [&**path, std::slice::from_ref(&call.name)].concat();
            let Some(module) = configuration.module(&inner) else { continue };
            for it in call.providers.iter().flatten() {
                check(caller, call, module, it, &mut problems);
            }
        }
    }
    problems
}

fn check(
    caller: &Module<'_>,
    call: &ModuleCall<'_>,
    module: &Module<'_>,
    it: &PassedProvider<'_>,
    problems: &mut Problems,
) {
    let mut report = |it: Problem, at: &PassedProvider<'_>| problems.push(it.at(at.file, at.at.clone()));
    let (inner, outer) = (&it.inner, &it.outer);
    let own = module.provider_address(&inner.name);
    if inner.alias.is_some() && !is_declared(module, inner) {
        let detail = format!(
            "The module {:?} does not declare the provider configuration {inner}. Add it to the argument \
             configuration_aliases in the required_providers block of the module.",
            call.name
        );
        return report(Problem::error("Reference to undefined provider", detail), it);
    }
    for (reference, module, place) in [(inner, module, "the called module"), (outer, caller, "the caller")] {
        if reference.alias.is_none() && !is_declared(module, reference) {
            let detail = format!(
                "There is no provider with the local name {:?} in the required_providers block of {place}, so the name means \
                 the provider {:?}.",
                reference.name,
                module.provider_address(&reference.name)
            );
            report(Problem::warning("Reference to undefined provider", detail), it);
        }
    }
    let passed = caller.provider_address(&outer.name);
    if passed != own {
        let detail = format!(
            "The local name {:?} in the caller means the provider {passed:?}, but {:?} in the module {:?} means {own:?}.",
            outer.name, inner.name, call.name
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
