//! The `random_uuid`, `random_uuid4` and `random_uuid7` resources.

use ferroform::{ApplyCx, Context as _, Diagnostic, Model, Planned, ReadCx, Resource, Result};
use uuid::fmt::Hyphenated;

use crate::keepers::Keepers;
use crate::{Random, secure};

/// Generates a random string in UUID format, for services that require a unique identifier in this format.
///
/// All bits are random, including those of the UUID version. If a service validates the version, use `random_uuid4`.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Uuid {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    #[attr(flatten)]
    strings: Strings,
}

impl Resource for Uuid {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<UuidComputed> {
        let summary = "Create Random UUID error";
        let uuid = uuid::Uuid::from_slice(&secure::bytes(16, summary)?).context(summary)?;
        Ok(UuidComputed { strings: Strings::from_uuid(uuid).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID with hyphens.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let uuid: Hyphenated = id.parse().map_err(invalid_id)?;
        Ok(Uuid { keepers: Keepers::default(), strings: Strings::from_uuid(uuid.into()) })
    }
}

/// Generates a random version 4 UUID.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Uuid4 {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    #[attr(flatten)]
    strings: Strings,
}

impl Resource for Uuid4 {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<Uuid4Computed> {
        Ok(Uuid4Computed { strings: Strings::from_uuid(uuid::Uuid::new_v4()).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID, with or without hyphens, in braces or as a URN.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Uuid4 { keepers: Keepers::default(), strings: Strings::parse(&id)? })
    }
}

/// Generates a version 7 UUID. It starts with a timestamp, so version 7 UUIDs sort by creation time.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Uuid7 {
    #[attr(flatten, inputs_only)]
    keepers: Keepers,
    #[attr(flatten)]
    strings: Strings,
}

impl Resource for Uuid7 {
    type Provider = Random;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<Uuid7Computed> {
        Ok(Uuid7Computed { strings: Strings::from_uuid(uuid::Uuid::now_v7()).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID, with or without hyphens, in braces or as a URN.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Uuid7 { keepers: Keepers::default(), strings: Strings::parse(&id)? })
    }
}

/// The UUID in lowercase.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Strings {
    /// The generated UUID.
    #[attr(computed, use_state_for_unknown)]
    result: String,
    /// The generated UUID.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Strings {
    fn from_uuid(uuid: uuid::Uuid) -> Strings {
        Strings { result: uuid.to_string(), id: uuid.to_string() }
    }

    fn parse(id: &str) -> Result<Strings> {
        // A URN is case-insensitive.
        Ok(Strings::from_uuid(id.to_lowercase().parse().map_err(invalid_id)?))
    }
}

fn invalid_id(error: uuid::Error) -> Diagnostic {
    let detail =
        format!("The import ID must be a UUID such as 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d: {error}.");
    Diagnostic::error("Import Random UUID Error").detail(detail)
}
