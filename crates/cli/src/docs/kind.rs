//! The kinds of objects that have a page.

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Provider,
    Resource,
    DataSource,
    EphemeralResource,
    ListResource,
    Action,
    StateStore,
    Function,
}

impl Kind {
    /// All kinds with a folder of pages.
    pub(super) const WITH_FOLDER: [Kind; 7] = [
        Kind::Action,
        Kind::DataSource,
        Kind::EphemeralResource,
        Kind::Function,
        Kind::ListResource,
        Kind::Resource,
        Kind::StateStore,
    ];

    /// The folder of the pages, of the templates, and of the examples. The page of the provider is in the directory of
    /// the documentation itself, so its folder is only that of the examples.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Kind::Provider => "provider",
            Kind::Resource => "resources",
            Kind::DataSource => "data-sources",
            Kind::EphemeralResource => "ephemeral-resources",
            Kind::ListResource => "list-resources",
            Kind::Action => "actions",
            Kind::StateStore => "state-stores",
            Kind::Function => "functions",
        }
    }

    /// The name in titles.
    pub(super) fn label(self) -> &'static str {
        match self {
            Kind::Provider => "Provider",
            Kind::Resource => "Resource",
            Kind::DataSource => "Data Source",
            Kind::EphemeralResource => "Ephemeral Resource",
            Kind::ListResource => "List Resource",
            Kind::Action => "Action",
            Kind::StateStore => "State Store",
            Kind::Function => "function",
        }
    }

    /// The start of the file names of examples, and their extension.
    pub(super) fn example(self) -> (&'static str, &'static str) {
        match self {
            Kind::Provider => ("provider", ".tf"),
            Kind::Resource => ("resource", ".tf"),
            Kind::DataSource => ("data-source", ".tf"),
            Kind::EphemeralResource => ("ephemeral-resource", ".tf"),
            Kind::ListResource => ("list-resource", ".tfquery.hcl"),
            Kind::Action => ("action", ".tf"),
            Kind::StateStore => ("state-store", ".tf"),
            Kind::Function => ("function", ".tf"),
        }
    }

    /// The block type in a configuration; `None` for state stores and functions, which have none of their own.
    pub(super) fn of_block(block_type: &str) -> Option<Kind> {
        Some(match block_type {
            "provider" => Kind::Provider,
            "resource" => Kind::Resource,
            "data" => Kind::DataSource,
            "ephemeral" => Kind::EphemeralResource,
            "list" => Kind::ListResource,
            "action" => Kind::Action,
            _ => return None,
        })
    }
}
