//! `moved` blocks: objects of the state get new addresses before the plan.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;

use ferroform::Diagnostics;
use ferroform_engine::MoveRequest;

use super::address::{
    Address, InstanceKey, ModuleInstance, ModulePath, Target, module_path, relative_module_path,
};
use super::configuration::{ModuleTree, Moved};
use super::problem::{Problem, Problems, Result};
use super::state::{Object, State};
use crate::Instance;
use crate::instance_state::InstanceState;

/// The instances of the configuration.
pub(crate) struct Declared<'a> {
    pub(crate) modules: &'a BTreeMap<ModulePath, Vec<ModuleInstance>>,
    pub(crate) resources: &'a BTreeSet<Address>,
}

impl Declared<'_> {
    /// True if the configuration contains the source of a statement in the module at `path`.
    fn contains(&self, configuration: &ModuleTree<'_>, path: &ModulePath, statement: &Moved<'_>) -> bool {
        let instances = |path: &[String]| self.modules.get(path).map_or(&[][..], Vec::as_slice);
        let (from, to) = (&statement.from, &statement.to);
        let inner = |outer: &ModuleInstance| [&**outer, &*from.module].concat();
        let config = configuration.module(&[&**path, &*module_path(&from.module)].concat());
        instances(path).iter().any(|outer| {
            let module = inner(outer);
            let exists = instances(&module_path(&module)).contains(&module);
            match (&from.resource, &to.resource) {
                // Without keys, the statement is about the resource or the call as a whole.
                (Some((resource, InstanceKey::None)), Some((_, InstanceKey::None))) => {
                    exists && config.is_some_and(|it| it.resources.contains_key(resource))
                }
                (Some((resource, key)), _) => {
                    let (resource, key) = (resource.clone(), key.clone());
                    self.resources.contains(&Address { module, resource, key })
                }
                (None, _) if has_no_key(from) && has_no_key(to) => config.is_some(),
                (None, _) => exists,
            }
        })
    }
}

/// True if the last module call of a target has no key.
fn has_no_key(target: &Target) -> bool {
    target.module.last().is_some_and(|(_, key)| *key == InstanceKey::None)
}

/// Checks that the statements do not contradict each other or the configuration.
pub(crate) fn validate(configuration: &ModuleTree<'_>, declared: &Declared<'_>) -> Result<()> {
    let mut destinations: HashMap<(&ModulePath, &Target), &Target> = HashMap::new();
    let mut problems = Problems::new();
    for (path, module) in &configuration.modules {
        for statement in &module.moved {
            let at = |problem: Problem| vec![problem.at(statement.file, statement.at.clone())];
            if statement.from == statement.to {
                let detail = "This statement declares a move to its own address.";
                return Err(at(Problem::error("Redundant move statement", detail)));
            }
            let other = destinations.insert((path, &statement.from), &statement.to);
            if other.is_some_and(|it| *it != statement.to) {
                let detail = "Another statement already declares a move of this object to another address.";
                return Err(at(Problem::error("Ambiguous move statements", detail)));
            }
            if declared.contains(configuration, path, statement) {
                let detail = "This statement declares a move from an object that is still declared in the configuration. Remove \
                              the declaration or the statement.";
                problems.extend(at(Problem::error("Moved object still exists", detail)));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    // A chain of statements must not return to its start.
    for ((path, first), to) in &destinations {
        let chain = iter::successors(Some(*to), |it| destinations.get(&(*path, *it)).copied());
        if chain.take(destinations.len()).any(|it| it == *first) {
            let detail = "The moved blocks form a cycle.";
            return Err(vec![Problem::error("Cyclic dependency in move statements", detail)]);
        }
    }
    Ok(())
}

/// Moves the objects of the state. Returns the former address of each moved object.
pub(crate) fn apply(
    configuration: &ModuleTree<'_>,
    state: &mut State,
    problems: &mut Problems,
) -> BTreeMap<Address, Address> {
    let mut origins: BTreeMap<Address, Address> = BTreeMap::new();
    let mut blocked: BTreeSet<(Address, Address)> = BTreeSet::new();
    let statements: Vec<_> = configuration
        .modules
        .iter()
        .flat_map(|(path, module)| module.moved.iter().map(move |it| (path, it)))
        .collect();
    // A statement can continue the move of another one, in any order.
    for _ in 0..=statements.len() {
        let mut is_changed = false;
        for (path, statement) in &statements {
            let moves = state.current().filter_map(|(address, _)| {
                Some((address.clone(), destination(path, &statement.from, &statement.to, address)?))
            });
            for (address, new) in moves.collect::<Vec<_>>() {
                if state.get(&new).is_some() {
                    if !blocked.insert((address.clone(), new.clone())) {
                        continue;
                    }
                    let detail = format!(
                        "Terraform tried to adjust resource instance addresses in the prior state based on change \
                         information recorded in the configuration, but {address} could not move to {new}, because there is \
                         already an object at this address."
                    );
                    problems.push(Problem::warning("Unresolved resource instance address changes", detail));
                    continue;
                }
                move_instance(state, &mut origins, address, new);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    origins
}

/// Moves the objects of an instance, and records its former address.
pub(crate) fn move_instance(
    state: &mut State,
    origins: &mut BTreeMap<Address, Address>,
    from: Address,
    to: Address,
) {
    state.move_instance(&from, &to);
    let origin = origins.remove(&from).unwrap_or(from);
    origins.insert(to, origin);
}

/// Returns the new address of an object; `None` if the statement does not move it.
fn destination(path: &[String], from: &Target, to: &Target, address: &Address) -> Option<Address> {
    // The statement applies to every instance of the module that contains it.
    if address.module.len() < path.len() || module_path(&address.module[..path.len()]) != path {
        return None;
    }
    let (base, rest) = address.module.split_at(path.len());
    let new_module = |inner: &[(String, InstanceKey)]| [base, inner].concat();
    match (&from.resource, &to.resource) {
        (Some((resource, key)), Some((to_resource, to_key))) => {
            let is_same = *rest == *from.module && *resource == address.resource;
            if !is_same || *key != InstanceKey::None && *key != address.key {
                return None;
            }
            // A resource as a whole keeps the keys of its instances; an instance gets the new key.
            let is_whole = *key == InstanceKey::None && *to_key == InstanceKey::None;
            let key = if is_whole { address.key.clone() } else { to_key.clone() };
            if !is_whole && *key_of(from) != address.key {
                return None;
            }
            let new = Address { module: new_module(&to.module), resource: to_resource.clone(), key };
            (new != *address).then_some(new)
        }
        (None, None) => {
            let inner = relative_module_path(rest, &from.module)?;
            // A call as a whole keeps the keys of its instances.
            let mut module: ModuleInstance = to.module.clone();
            let from_last = from.module.last().map(|(_, key)| key.clone()).unwrap_or_default();
            let to_last = module.last().map(|(_, key)| key.clone()).unwrap_or_default();
            if from_last == InstanceKey::None
                && to_last == InstanceKey::None
                && let (Some((_, key)), Some((_, old))) = (module.last_mut(), rest.get(from.module.len() - 1))
            {
                *key = old.clone();
            } else if rest.get(from.module.len() - 1).is_some_and(|(_, key)| *key != from_last) {
                return None;
            }
            module.extend_from_slice(inner);
            let new = Address { module: new_module(&module), ..address.clone() };
            (new != *address).then_some(new)
        }
        _ => None,
    }
}

fn key_of(target: &Target) -> &InstanceKey {
    target.resource.as_ref().map_or(&InstanceKey::None, |(_, key)| key)
}

/// Converts the state of another resource type, as MoveResourceState does.
pub(crate) fn move_state(
    instance: &Instance,
    label: &str,
    source_type: &str,
    object: &Object,
) -> Result<InstanceState> {
    let request = MoveRequest {
        type_name: instance.type_name.clone(),
        source_provider: object.provider.address.clone(),
        source_type: source_type.to_owned(),
        source_version: object.schema_version,
        source_state: Some(object.attributes.clone().into_bytes()),
        source_private: object.private.clone(),
        source_identity: object.identity.as_ref().map(|(version, it)| (*version, it.clone().into_bytes())),
    };
    let step = format!("the move of {label}");
    let errors = |it: Diagnostics| Problem::without_address(Problem::from_provider(it, label));
    let moved = instance.moved(&step, request).map_err(errors)?;
    Ok(InstanceState { tainted: object.is_tainted, ..moved })
}
