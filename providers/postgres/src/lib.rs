//! A provider for PostgreSQL: databases, roles, privileges, schemas, extensions, publications and functions.

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

/// The provider.
#[derive(Debug)]
pub struct Postgresql;

impl Provider for Postgresql {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/postgresql";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Postgresql))
    }

    fn register(_: &mut Registry<Self>) {}
}
