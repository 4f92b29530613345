//! A drop-in replacement for HashiCorp's `random` provider, which generates random values and keeps them in state until their
//! arguments change.

mod arguments;
mod bytes;
mod characters;
mod encoding;
mod go_rand;
mod id;
mod integer;
mod keepers;
mod password;
mod pet;
mod secure;
mod shuffle;
mod string;
mod uuid;

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

use crate::bytes::{Bytes, EphemeralBytes};
use crate::id::Id;
use crate::integer::Integer;
use crate::password::{EphemeralPassword, Password};
use crate::pet::Pet;
use crate::shuffle::Shuffle;
use crate::string::RandomString;
use crate::uuid::{Uuid, Uuid4, Uuid7};

/// The provider, which has no configuration.
#[derive(Debug)]
pub struct Random;

impl Provider for Random {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/random";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Random))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Bytes>("random_bytes")
            .resource::<Id>("random_id")
            .resource::<Integer>("random_integer")
            .resource::<Password>("random_password")
            .resource::<Pet>("random_pet")
            .resource::<Shuffle>("random_shuffle")
            .resource::<RandomString>("random_string")
            .resource::<Uuid>("random_uuid")
            .resource::<Uuid4>("random_uuid4")
            .resource::<Uuid7>("random_uuid7")
            .ephemeral_resource::<EphemeralBytes>("random_bytes")
            .ephemeral_resource::<EphemeralPassword>("random_password");
    }
}

#[cfg(test)]
mod string_tests;
#[cfg(test)]
mod tests;
