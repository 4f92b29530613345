//! The resources `random_uuid`, `random_uuid4` and `random_uuid7`.

use ferroform::{ApplyCx, Context as _, Model, Planned, ReadCx, Resource, Result};
use uuid::fmt::Hyphenated;

use crate::keepers::Keepers;
use crate::{Random, secure};

const IMPORT_ERROR: &str = "Import Random UUID Error";

/// Generates a random string in the form of a UUID, for services that need a unique identifier in this form.
///
/// All its bits are random, so the string has no UUID version. If the service checks the version, use `random_uuid4`.
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
        Ok(UuidComputed { strings: Strings::of(uuid).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID with hyphens.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let uuid: Hyphenated = id.parse().context(IMPORT_ERROR)?;
        Ok(Uuid { keepers: Keepers::default(), strings: Strings::of(uuid.into()) })
    }
}

/// Generates a UUID of version 4, whose bits are random.
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
        Ok(Uuid4Computed { strings: Strings::of(uuid::Uuid::new_v4()).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID, with or without hyphens, in braces or as a URN.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Uuid4 { keepers: Keepers::default(), strings: Strings::parse(&id)? })
    }
}

/// Generates a UUID of version 7, which begins with the time of its creation, so that UUIDs are in the order of their
/// creation.
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
        Ok(Uuid7Computed { strings: Strings::of(uuid::Uuid::now_v7()).into() })
    }

    ferroform::state_only!(read, update, delete);

    /// The import ID is the UUID, with or without hyphens, in braces or as a URN.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Uuid7 { keepers: Keepers::default(), strings: Strings::parse(&id)? })
    }
}

/// The UUID in lowercase, under two names.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
struct Strings {
    /// The UUID.
    #[attr(computed, use_state_for_unknown)]
    result: String,
    /// The UUID.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Strings {
    fn of(uuid: uuid::Uuid) -> Strings {
        Strings { result: uuid.to_string(), id: uuid.to_string() }
    }

    fn parse(id: &str) -> Result<Strings> {
        // A URN is case-insensitive.
        Ok(Strings::of(id.to_lowercase().parse().context(IMPORT_ERROR)?))
    }
}
