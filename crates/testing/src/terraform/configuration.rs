//! The configuration: its modules with their blocks.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use ferroform_lang::body::{Expression, TraversalStep};
use ferroform_lang::variable::Variable;

use super::address::{Address, ConfigAddress, ModulePath, ResourceName, Target};
use super::blocks::{Body, Located};
use super::files::File;
use super::problem::Problems;
use super::providers::ProviderKey;

/// A block with the file that contains it.
#[derive(Debug)]
pub(crate) struct LocatedBody<'a> {
    pub(crate) body: Body<'a>,
    pub(crate) header: Range<usize>,
    /// The file that contains the header.
    pub(crate) file: &'a File,
    /// True if an override file has changed it. Terraform then ignores arguments and blocks that the schema
    /// does not define.
    pub(crate) is_overridden: bool,
}

/// A condition with its error message.
#[derive(Debug)]
pub(crate) struct Condition<'a> {
    pub(crate) condition: Located<'a>,
    pub(crate) message: Located<'a>,
}

#[derive(Debug)]
pub(crate) struct InputVariable<'a> {
    pub(crate) declaration: Variable,
    pub(crate) validations: Vec<Condition<'a>>,
    pub(crate) header: Range<usize>,
    pub(crate) file: &'a File,
}

#[derive(Debug)]
pub(crate) struct Output<'a> {
    pub(crate) value: Located<'a>,
    pub(crate) header: Range<usize>,
    pub(crate) is_sensitive: bool,
    pub(crate) is_ephemeral: bool,
    pub(crate) preconditions: Vec<Condition<'a>>,
    pub(crate) depends_on: Vec<StaticReference<'a>>,
}

/// A static reference, such as an element of `depends_on` or `ignore_changes`.
#[derive(Debug)]
pub(crate) struct StaticReference<'a> {
    pub(crate) steps: Vec<TraversalStep>,
    pub(crate) at: Located<'a>,
}

/// `count` or `for_each`.
#[derive(Debug, Default)]
pub(crate) enum Repetition<'a> {
    #[default]
    None,
    Count(Located<'a>),
    ForEach(Located<'a>),
}

/// The event that invokes an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionEvent {
    BeforeCreate,
    AfterCreate,
    BeforeUpdate,
    AfterUpdate,
}

impl ActionEvent {
    /// The form in the JSON of a plan.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ActionEvent::BeforeCreate => "BeforeCreate",
            ActionEvent::AfterCreate => "AfterCreate",
            ActionEvent::BeforeUpdate => "BeforeUpdate",
            ActionEvent::AfterUpdate => "AfterUpdate",
        }
    }

    /// True if the action follows the change of the resource.
    pub(crate) fn is_after(self) -> bool {
        matches!(self, ActionEvent::AfterCreate | ActionEvent::AfterUpdate)
    }
}

#[derive(Debug)]
pub(crate) struct ActionTrigger<'a> {
    pub(crate) events: Vec<ActionEvent>,
    pub(crate) condition: Option<Located<'a>>,
    /// References to actions, whose keys can be expressions.
    pub(crate) actions: Vec<Located<'a>>,
}

#[derive(Debug, Default)]
pub(crate) struct Lifecycle<'a> {
    pub(crate) create_before_destroy: bool,
    pub(crate) prevent_destroy: bool,
    pub(crate) ignores_all: bool,
    pub(crate) ignored: Vec<StaticReference<'a>>,
    pub(crate) replace_triggered_by: Vec<Located<'a>>,
    pub(crate) preconditions: Vec<Condition<'a>>,
    pub(crate) postconditions: Vec<Condition<'a>>,
    pub(crate) action_triggers: Vec<ActionTrigger<'a>>,
}

impl Lifecycle<'_> {
    /// True if actions precede the changes of the resource.
    pub(crate) fn has_actions_before(&self) -> bool {
        self.action_triggers.iter().flat_map(|it| &it.events).any(|it| !it.is_after())
    }
}

/// A reference to a provider configuration: the local name and the alias.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProviderReference {
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.alias.iter().try_for_each(|it| write!(f, ".{it}"))
    }
}

/// A resource, a data source, an ephemeral resource, an action, or a list resource.
#[derive(Debug)]
pub(crate) struct Resource<'a> {
    pub(crate) id: ResourceName,
    pub(crate) repetition: Repetition<'a>,
    pub(crate) provider: Option<ProviderReference>,
    pub(crate) depends_on: Vec<StaticReference<'a>>,
    pub(crate) lifecycle: Lifecycle<'a>,
    /// The arguments and blocks of the schema.
    pub(crate) config: LocatedBody<'a>,
    /// The `check` block that contains the data source.
    pub(crate) check: Option<String>,
    /// The arguments `limit` and `include_resource` of a `list` block.
    pub(crate) arguments: Vec<(&'static str, Located<'a>)>,
}

#[derive(Debug)]
pub(crate) struct ModuleCall<'a> {
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
    pub(crate) repetition: Repetition<'a>,
    pub(crate) depends_on: Vec<StaticReference<'a>>,
    /// The provider configurations that the call passes to the module.
    pub(crate) providers: Option<Vec<PassedProvider<'a>>>,
    pub(crate) arguments: Vec<(String, Located<'a>)>,
    /// True if an override file has changed the block. Terraform then ignores undeclared variables.
    pub(crate) is_overridden: bool,
    pub(crate) header: Range<usize>,
    pub(crate) file: &'a File,
}

/// A provider configuration that a module call passes.
#[derive(Debug)]
pub(crate) struct PassedProvider<'a> {
    /// The reference in the child module.
    pub(crate) in_child: ProviderReference,
    /// The reference in the calling module.
    pub(crate) in_parent: ProviderReference,
    pub(crate) at: Range<usize>,
    pub(crate) file: &'a File,
}

#[derive(Debug)]
pub(crate) struct ProviderBlock<'a> {
    pub(crate) reference: ProviderReference,
    pub(crate) config: LocatedBody<'a>,
}

#[derive(Debug)]
pub(crate) struct Import<'a> {
    /// The resource to which the block imports.
    pub(crate) resource: Option<ConfigAddress>,
    pub(crate) to: Located<'a>,
    pub(crate) id: Option<Located<'a>>,
    pub(crate) identity: Option<Located<'a>>,
    pub(crate) for_each: Option<Located<'a>>,
    pub(crate) provider: Option<ProviderReference>,
}

#[derive(Debug)]
pub(crate) struct Moved<'a> {
    pub(crate) from: Target,
    pub(crate) to: Target,
    pub(crate) at: Range<usize>,
    pub(crate) file: &'a File,
}

#[derive(Debug)]
pub(crate) struct Removed {
    pub(crate) from: Target,
    pub(crate) destroy: bool,
}

#[derive(Debug)]
pub(crate) struct Check<'a> {
    pub(crate) name: String,
    pub(crate) assertions: Vec<Condition<'a>>,
}

/// A module of the configuration.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) directory: PathBuf,
    pub(crate) variables: BTreeMap<String, InputVariable<'a>>,
    pub(crate) locals: BTreeMap<String, Located<'a>>,
    pub(crate) outputs: BTreeMap<String, Output<'a>>,
    pub(crate) resources: BTreeMap<ResourceName, Resource<'a>>,
    pub(crate) calls: BTreeMap<String, ModuleCall<'a>>,
    pub(crate) providers: Vec<ProviderBlock<'a>>,
    /// The addresses of providers by local name.
    pub(crate) requirements: BTreeMap<String, String>,
    pub(crate) configuration_aliases: Vec<ProviderReference>,
    pub(crate) imports: Vec<Import<'a>>,
    pub(crate) moved: Vec<Moved<'a>>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) checks: Vec<Check<'a>>,
    pub(crate) provider_meta: Vec<(String, LocatedBody<'a>)>,
}

/// All modules of the configuration, by the calls that lead to them.
#[derive(Debug, Default)]
pub(crate) struct ModuleTree<'a> {
    pub(crate) modules: BTreeMap<ModulePath, Module<'a>>,
    pub(crate) warnings: Problems,
}

impl<'a> ModuleTree<'a> {
    pub(crate) fn module(&self, path: &[String]) -> Option<&Module<'a>> {
        self.modules.get(path)
    }

    pub(crate) fn resource(&self, address: &ConfigAddress) -> Option<&Resource<'a>> {
        self.module(&address.module)?.resources.get(&address.resource)
    }
}

/// Returns the full address of a provider source: `registry.terraform.io/hashicorp/local` for `local`.
pub(crate) fn provider_address(source: &str) -> String {
    match source.split('/').count() {
        1 if source == "terraform" => "terraform.io/builtin/terraform".to_owned(),
        1 => format!("registry.terraform.io/hashicorp/{source}"),
        2 => format!("registry.terraform.io/{source}"),
        _ => source.to_owned(),
    }
}

impl ProviderReference {
    /// The provider of a resource type without a `provider` argument. The local name of `terraform_data` is that of the
    /// built-in provider.
    pub(crate) fn implied(kind: &str) -> ProviderReference {
        ProviderReference { name: kind.split('_').next().unwrap_or(kind).to_owned(), alias: None }
    }
}

/// Returns the address of the resource in the argument `to` of an `import` block.
pub(crate) fn import_target(to: &Expression<'_>) -> Option<ConfigAddress> {
    // The keys of instances are expressions, so the first reference is the address itself.
    let names = to.references().traversals.into_iter().next()?.names;
    let steps: Vec<TraversalStep> = names.into_iter().map(TraversalStep::Name).collect();
    Some(Address::from_steps(&steps)?.config())
}

impl<'a> Module<'a> {
    /// Returns the `import` blocks of a resource.
    pub(crate) fn imports_of(&self, resource: &ConfigAddress) -> impl Iterator<Item = &Import<'a>> {
        self.imports.iter().filter(move |it| it.resource.as_ref() == Some(resource))
    }

    /// Returns the block of a provider configuration.
    pub(crate) fn provider_block(&self, key: &ProviderKey) -> Option<&ProviderBlock<'a>> {
        let is_same = |it: &&ProviderBlock<'_>| {
            self.provider_address(&it.reference.name) == key.address && it.reference.alias == key.alias
        };
        self.providers.iter().find(is_same)
    }

    /// Returns the address of a provider by its local name.
    pub(crate) fn provider_address(&self, name: &str) -> String {
        self.requirements.get(name).cloned().unwrap_or_else(|| provider_address(name))
    }
}
