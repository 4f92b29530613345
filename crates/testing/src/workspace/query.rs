//! The results of list resources.

use super::{Json, json};

/// An object that a `list` block found; see [`Workspace::query`](super::Workspace::query).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// The address of the `list` block: `list.notes_note.all`.
    pub address: String,
    /// The type of the resource.
    pub resource_type: String,
    /// The name of the object for practitioners.
    pub display_name: String,
    /// The resource identity.
    pub identity: Json,
    /// The attributes; null unless the block has `include_resource = true`.
    pub values: Json,
}

impl QueryResult {
    /// Reads the content of a message `list_resource_found` of `terraform query -json`.
    pub(crate) fn from_json(from: &Json) -> QueryResult {
        QueryResult {
            address: json::string(&from["address"]),
            resource_type: json::string(&from["resource_type"]),
            display_name: json::string(&from["display_name"]),
            identity: from["identity"].clone(),
            values: from["resource_object"].clone(),
        }
    }
}
