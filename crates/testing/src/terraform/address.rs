//! Addresses of modules, resources and their instances.

use std::fmt;

use ferroform::value::Value;
use ferroform_engine::Kind;
use ferroform_engine::value::hcl_string;
use ferroform_lang::body::{Expression, TraversalStep};
use serde_json::json;

use crate::workspace::Json;

/// The key of an instance: none, an index of `count`, or a key of `for_each`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum InstanceKey {
    #[default]
    None,
    Index(usize),
    Name(String),
    /// The key of a deferred instance, whose `count` or `for_each` is unknown.
    Unknown,
}

/// A module instance: the calls from the root module to it. An empty list is the root module.
pub(crate) type ModuleInstance = Vec<(String, InstanceKey)>;

/// A module in the configuration, without the keys of its instances.
pub(crate) type ModulePath = Vec<String>;

/// The mode of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mode {
    Managed,
    Data,
    Ephemeral,
    /// An action is not a resource, but its blocks, instances and references work in the same way.
    Action,
    /// A `list` block of a query file.
    List,
}

impl Mode {
    /// The kind of its definition in a provider.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Mode::Managed => Kind::Resource,
            Mode::Data => Kind::DataSource,
            Mode::Ephemeral => Kind::EphemeralResource,
            Mode::Action => Kind::Action,
            Mode::List => Kind::ListResource,
        }
    }

    /// The block type of the configuration.
    pub(crate) fn block_type(self) -> &'static str {
        self.kind().block_type().unwrap_or_default()
    }

    /// The name of the kind in messages.
    pub(crate) fn noun(self) -> &'static str {
        self.kind().noun()
    }

    /// The mode in the state and in the JSON of a plan.
    pub(crate) fn json_name(self) -> &'static str {
        if self == Mode::Data { "data" } else { "managed" }
    }

    /// The number of names in a reference: `aws_vpc.a` or `data.aws_vpc.a`.
    pub(crate) fn name_count(self) -> usize {
        if self == Mode::Managed { 2 } else { 3 }
    }

    /// The mode of references that start with this name, such as `data`.
    pub(crate) fn of_prefix(name: &str) -> Option<Mode> {
        [Mode::Data, Mode::Ephemeral, Mode::Action, Mode::List].into_iter().find(|it| it.block_type() == name)
    }
}

/// A resource of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ResourceName {
    pub(crate) mode: Mode,
    pub(crate) kind: String,
    pub(crate) name: String,
}

/// A resource in the configuration: `module.network.aws_vpc.a`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConfigAddress {
    pub(crate) module: ModulePath,
    pub(crate) resource: ResourceName,
}

/// An instance of a resource: `module.network["eu"].aws_vpc.a[0]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address {
    pub(crate) module: ModuleInstance,
    pub(crate) resource: ResourceName,
    pub(crate) key: InstanceKey,
}

/// The target of a `moved`, `removed` or `import` block: a resource, an instance, or a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) module: ModuleInstance,
    /// `None` for a module.
    pub(crate) resource: Option<(ResourceName, InstanceKey)>,
}

/// Returns the module without the keys of its instances.
pub(crate) fn module_path(module: &[(String, InstanceKey)]) -> ModulePath {
    module.iter().map(|(name, _)| name.clone()).collect()
}

impl Address {
    pub(crate) fn config(&self) -> ConfigAddress {
        ConfigAddress { module: module_path(&self.module), resource: self.resource.clone() }
    }

    /// Parses `module.m["k"].aws_vpc.a[0]`; `None` if the string is not an address of a resource or its instance.
    pub(crate) fn parse(text: &str) -> Option<Address> {
        Target::parse(text)?.into_address()
    }

    /// Interprets the steps of a static reference.
    pub(crate) fn from_steps(steps: &[TraversalStep]) -> Option<Address> {
        Target::from_steps(steps)?.into_address()
    }
}

impl Target {
    pub(crate) fn parse(text: &str) -> Option<Target> {
        Target::from_steps(&Expression::parse(text).ok()?.static_traversal()?)
    }

    /// Interprets the steps of a static reference.
    pub(crate) fn from_steps(mut steps: &[TraversalStep]) -> Option<Target> {
        let mut module = ModuleInstance::new();
        while let [TraversalStep::Name(first), TraversalStep::Name(call), rest @ ..] = steps
            && first == "module"
        {
            let (key, rest) = split_key(rest)?;
            module.push((call.clone(), key));
            steps = rest;
        }
        if steps.is_empty() {
            return (!module.is_empty()).then_some(Target { module, resource: None });
        }
        let resource = resource_name(steps)?;
        let (key, rest) = split_key(&steps[resource.mode.name_count()..])?;
        rest.is_empty().then_some(Target { module, resource: Some((resource, key)) })
    }

    fn into_address(self) -> Option<Address> {
        let (resource, key) = self.resource?;
        Some(Address { module: self.module, resource, key })
    }

    /// True if an address is the target, or inside it.
    pub(crate) fn contains(&self, address: &Address) -> bool {
        let Some(inner) = relative_module_path(&address.module, &self.module) else { return false };
        self.resource.as_ref().is_none_or(|(resource, key)| {
            inner.is_empty()
                && *resource == address.resource
                && (*key == InstanceKey::None || *key == address.key)
        })
    }
}

/// Returns the rest of a module address below an outer module.
pub(crate) fn relative_module_path<'m>(
    module: &'m [(String, InstanceKey)],
    outer: &[(String, InstanceKey)],
) -> Option<&'m [(String, InstanceKey)]> {
    let (start, rest) = module.split_at_checked(outer.len())?;
    let is_inside = outer
        .iter()
        .zip(start)
        .all(|((name, key), (other, of))| name == other && (*key == InstanceKey::None || key == of));
    is_inside.then_some(rest)
}

/// Returns the resource of a reference such as `aws_vpc.a[0].id` or `data.aws_vpc.a`.
pub(crate) fn resource_name(steps: &[TraversalStep]) -> Option<ResourceName> {
    let mut names = steps.iter().map_while(|it| match it {
        TraversalStep::Name(it) => Some(it.clone()),
        TraversalStep::Index(_) => None,
    });
    let first = names.next()?;
    let (mode, kind) = match Mode::of_prefix(&first) {
        Some(mode) => (mode, names.next()?),
        None => (Mode::Managed, first),
    };
    Some(ResourceName { mode, kind, name: names.next()? })
}

/// Splits the steps that follow the name of a resource or module call into the key of an instance and the rest. Returns `None`
/// if the index is not such a key.
pub(crate) fn split_key(steps: &[TraversalStep]) -> Option<(InstanceKey, &[TraversalStep])> {
    match steps {
        [TraversalStep::Index(value), rest @ ..] => Some((InstanceKey::from_value(value)?, rest)),
        _ => Some((InstanceKey::None, steps)),
    }
}

impl InstanceKey {
    pub(crate) fn from_value(value: &Value) -> Option<InstanceKey> {
        match value {
            Value::Number(it) => it.to_u64().and_then(|it| usize::try_from(it).ok()).map(InstanceKey::Index),
            Value::String(it) => Some(InstanceKey::Name(it.to_string())),
            _ => None,
        }
    }

    /// The key as JSON; `None` if there is no key or it is unknown.
    pub(crate) fn json(&self) -> Option<Json> {
        match self {
            InstanceKey::None | InstanceKey::Unknown => None,
            InstanceKey::Index(it) => Some(json!(it)),
            InstanceKey::Name(it) => Some(json!(it)),
        }
    }
}

impl fmt::Display for InstanceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstanceKey::None => Ok(()),
            InstanceKey::Index(it) => write!(f, "[{it}]"),
            InstanceKey::Unknown => f.write_str("[*]"),
            InstanceKey::Name(it) => write!(f, "[{}]", hcl_string(it)),
        }
    }
}

/// Returns `module.a["k"].module.b.`, which is empty for the root module.
pub(crate) fn module_instance_prefix(module: &[(String, InstanceKey)]) -> String {
    module.iter().map(|(name, key)| format!("module.{name}{key}.")).collect()
}

/// Returns `module.a.module.b.`, which is empty for the root module.
pub(crate) fn module_path_prefix(path: &[String]) -> String {
    path.iter().map(|name| format!("module.{name}.")).collect()
}

/// Returns the address of a module instance: `module.a["k"].module.b`, which is empty for the root module.
pub(crate) fn module_address(module: &[(String, InstanceKey)]) -> String {
    module_instance_prefix(module).trim_end_matches('.').to_owned()
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mode {
            Mode::Managed => write!(f, "{}.{}", self.kind, self.name),
            mode => write!(f, "{}.{}.{}", mode.block_type(), self.kind, self.name),
        }
    }
}

impl fmt::Display for ConfigAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", module_path_prefix(&self.module), self.resource)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", module_instance_prefix(&self.module), self.resource, self.key)
    }
}
