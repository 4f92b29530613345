//! Addresses of modules, resources and their instances.

use std::fmt;

use ferroform::value::Value;
use ferroform_engine::Kind;
use ferroform_engine::value::hcl_string;
use ferroform_lang::body::TraversalStep;
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let expression = ferroform_lang::body::Expression::parse(text).ok()?;
        Address::from_steps(&expression.static_traversal()?)
    }

    /// Interprets the steps of a static reference.
    pub(crate) fn from_steps(steps: &[TraversalStep]) -> Option<Address> {
        let target = Target::from_steps(steps)?;
        let (resource, key) = target.resource?;
        Some(Address { module: target.module, resource, key })
    }
}

impl Target {
    /// Interprets the steps of a static reference.
    pub(crate) fn from_steps(steps: &[TraversalStep]) -> Option<Target> {
        let mut steps = steps.iter().peekable();
        let mut module = ModuleInstance::new();
        let name = |steps: &mut dyn Iterator<Item = &TraversalStep>| match steps.next() {
            Some(TraversalStep::Name(it)) => Some(it.clone()),
            _ => None,
        };
        while steps.peek().is_some_and(|it| matches!(it, TraversalStep::Name(it) if it == "module")) {
            steps.next();
            let call = name(&mut steps)?;
            let mut key = InstanceKey::None;
            if let Some(TraversalStep::Index(value)) = steps.peek() {
                key = InstanceKey::from_value(value)?;
                steps.next();
            }
            module.push((call, key));
        }
        if steps.peek().is_none() {
            return (!module.is_empty()).then_some(Target { module, resource: None });
        }
        let first = name(&mut steps)?;
        let (mode, kind) = match Mode::of_prefix(&first) {
            Some(mode) => (mode, name(&mut steps)?),
            None => (Mode::Managed, first),
        };
        let resource = ResourceName { mode, kind, name: name(&mut steps)? };
        let key = match steps.next() {
            None => InstanceKey::None,
            Some(TraversalStep::Index(value)) => InstanceKey::from_value(value)?,
            Some(TraversalStep::Name(_)) => return None,
        };
        steps.next().is_none().then_some(Target { module, resource: Some((resource, key)) })
    }

    /// True if an address is the target, or inside it.
    pub(crate) fn contains(&self, address: &Address) -> bool {
        let in_module =
            address.module.len() >= self.module.len()
                && self.module.iter().zip(&address.module).all(|((name, key), (other, of))| {
                    name == other && (*key == InstanceKey::None || key == of)
                });
        match &self.resource {
            None => in_module,
            Some((resource, key)) => {
                in_module
                    && address.module.len() == self.module.len()
                    && *resource == address.resource
                    && (*key == InstanceKey::None || *key == address.key)
            }
        }
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

    /// The form in JSON; `None` without a known key.
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
pub(crate) fn module_prefix(module: &[(String, InstanceKey)]) -> String {
    module.iter().map(|(name, key)| format!("module.{name}{key}.")).collect()
}

/// Returns the address of a module instance: `module.a["k"].module.b`, which is empty for the root module.
pub(crate) fn module_address(module: &[(String, InstanceKey)]) -> String {
    module_prefix(module).trim_end_matches('.').to_owned()
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
        self.module.iter().try_for_each(|it| write!(f, "module.{it}."))?;
        self.resource.fmt(f)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", module_prefix(&self.module), self.resource, self.key)
    }
}
