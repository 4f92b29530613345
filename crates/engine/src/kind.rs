//! The kinds of objects that a provider defines.

use std::fmt;

use crate::timeouts::Operation;

/// The kind of an object that a provider defines, or of another block that it describes with a schema.
///
/// ```
/// use ferroform_engine::Kind;
///
/// assert_eq!(Kind::EphemeralResource.noun(), "ephemeral resource");
/// assert_eq!(Kind::DataSource.named("local_file").to_string(), "data source local_file");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The configuration of the provider.
    Provider,
    /// The `provider_meta` blocks of modules.
    ProviderMeta,
    /// A managed resource.
    Resource,
    /// A list resource: a list of the objects of a resource.
    ListResource,
    /// A data source.
    DataSource,
    /// An ephemeral resource.
    EphemeralResource,
    /// An action.
    Action,
    /// A state store.
    StateStore,
    /// A function; its schema describes the parameters.
    Function,
}

impl Kind {
    /// The owner of this kind with a full name.
    pub const fn named(self, name: &str) -> Owner<'_> {
        Owner { kind: self, name }
    }

    /// The kind within a sentence, such as `data source`.
    pub const fn noun(self) -> &'static str {
        match self {
            Kind::Provider => "provider",
            Kind::ProviderMeta => "provider_meta",
            Kind::Resource => "resource",
            Kind::ListResource => "list resource",
            Kind::DataSource => "data source",
            Kind::EphemeralResource => "ephemeral resource",
            Kind::Action => "action",
            Kind::StateStore => "state store",
            Kind::Function => "function",
        }
    }

    /// What the schema describes, as the subject of a sentence, such as `the configuration of a list resource`.
    pub(crate) const fn described(self) -> &'static str {
        match self {
            Kind::Provider => "the configuration of a provider",
            Kind::ProviderMeta => "a `provider_meta` block",
            Kind::Resource => "a resource",
            Kind::ListResource => "the configuration of a list resource",
            Kind::DataSource => "a data source",
            Kind::EphemeralResource => "an ephemeral resource",
            Kind::Action => "an action",
            Kind::StateStore => "the configuration of a state store",
            Kind::Function => "an argument",
        }
    }

    /// The field of log lines that contains the name of the object, as in Go providers.
    pub const fn log_field(self) -> Option<&'static str> {
        match self {
            Kind::Provider | Kind::ProviderMeta => None,
            Kind::Resource => Some("tf_resource_type"),
            Kind::ListResource => Some("tf_list_resource_type"),
            Kind::DataSource => Some("tf_data_source_type"),
            Kind::EphemeralResource => Some("tf_ephemeral_resource_type"),
            Kind::Action => Some("tf_action_type"),
            Kind::StateStore => Some("tf_state_store_type"),
            Kind::Function => Some("tf_function_name"),
        }
    }

    /// The block type that declares an object of the kind in a configuration, such as `data`. `None` if a configuration
    /// does not declare it with a block of its own.
    pub const fn block_type(self) -> Option<&'static str> {
        match self {
            Kind::Provider => Some("provider"),
            Kind::Resource => Some("resource"),
            Kind::ListResource => Some("list"),
            Kind::DataSource => Some("data"),
            Kind::EphemeralResource => Some("ephemeral"),
            Kind::Action => Some("action"),
            Kind::ProviderMeta | Kind::StateStore | Kind::Function => None,
        }
    }

    /// The property of a provider in the output of `terraform providers schema -json` that contains the schemas of
    /// this kind. It does not apply to the provider, `provider_meta` and functions, whose properties have other
    /// names.
    pub fn json_property(self) -> String {
        format!("{}_schemas", self.noun().replace(' ', "_"))
    }

    /// The operations that can have timeouts.
    pub(crate) const fn operations(self) -> &'static [Operation] {
        use Operation::{
            Close, Create, Delete, Invoke, List, Lock, Open, Read, Renew, Unlock, Update, Write,
        };
        match self {
            Kind::Resource => &[Create, Read, Update, Delete],
            Kind::DataSource => &[Read],
            Kind::EphemeralResource => &[Open, Renew, Close],
            Kind::ListResource => &[List],
            Kind::Action => &[Invoke],
            Kind::StateStore => &[Read, Write, Lock, Unlock, List, Delete],
            Kind::Provider | Kind::ProviderMeta | Kind::Function => &[],
        }
    }

    /// True if protocol 5 has messages for objects of the kind, as protocol 6 has.
    pub const fn is_in_protocol_5(self) -> bool {
        match self {
            Kind::Provider
            | Kind::ProviderMeta
            | Kind::Resource
            | Kind::ListResource
            | Kind::DataSource
            | Kind::EphemeralResource
            | Kind::Action
            | Kind::Function => true,
            Kind::StateStore => false,
        }
    }

    /// True if attributes can be write-only: Terraform stores the values of a resource in its state, and those of an action
    /// in the plan.
    pub(crate) const fn can_have_write_only_attributes(self) -> bool {
        match self {
            Kind::Resource | Kind::Action => true,
            Kind::Provider
            | Kind::ProviderMeta
            | Kind::ListResource
            | Kind::DataSource
            | Kind::EphemeralResource
            | Kind::StateStore
            | Kind::Function => false,
        }
    }

    /// True if the practitioner sets all attributes, so that none can be computed.
    pub const fn is_set_by_practitioner(self) -> bool {
        match self {
            Kind::Resource | Kind::DataSource | Kind::EphemeralResource => false,
            Kind::Provider
            | Kind::ProviderMeta
            | Kind::ListResource
            | Kind::Action
            | Kind::StateStore
            | Kind::Function => true,
        }
    }
}

/// The owner of a schema. The `Display` form is the one for errors: `resource local_file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner<'a> {
    /// The kind of the owner.
    pub kind: Kind,
    /// The full name; empty for [`Kind::Provider`] and [`Kind::ProviderMeta`].
    pub name: &'a str,
}

impl Owner<'_> {
    /// The provider's configuration.
    pub const PROVIDER: Owner<'static> = Owner { kind: Kind::Provider, name: "" };
    /// The `provider_meta` blocks of modules.
    pub const PROVIDER_META: Owner<'static> = Owner { kind: Kind::ProviderMeta, name: "" };
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Provider => f.write_str("the provider's configuration"),
            Kind::ProviderMeta => f.write_str(self.kind.noun()),
            kind => write!(f, "{} {}", kind.noun(), self.name),
        }
    }
}
