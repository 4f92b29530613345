//! The provider, which has no configuration.

use ferroform::{Known, Maybe, Registry, RequestCx, Result};

use crate::store::DatabaseStore;

/// The provider.
#[derive(Debug)]
pub struct Provider;

impl ferroform::Provider for Provider {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/statestore";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Provider))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.state_store::<DatabaseStore>("statestore_database");
    }
}
