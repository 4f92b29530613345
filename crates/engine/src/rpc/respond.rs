//! Runs an RPC: collects sensitive values, catches panics and masks diagnostics. CallFunction, whose arguments are not
//! sensitive, and the synchronous RPCs UpgradeResourceIdentity and GenerateResourceConfig do not use it.
//!
//! ```text
//! request ──▶ sensitive values of its objects ──▶ work ──▶ errors, panics ──▶ mask ──▶ response
//! ```
//!
//! A panic of a validator, a default or a type of the provider becomes an error, and the response keeps what it already
//! contains. No diagnostic leaves the engine with a sensitive value of the request or of the response.

use ferroform_value::Value;

use crate::kind::Owner;
use crate::redaction::SensitiveValues;
use crate::run_method::catch_panics;
use crate::{Diagnostics, ProviderServer, Result};

/// A response to a request.
pub(crate) trait Response {
    /// The errors and warnings.
    fn diagnostics(&mut self) -> &mut Diagnostics;

    /// The object in the response, whose sensitive values are masked as well.
    fn object(&self) -> Option<&Value>;
}

impl Response for Diagnostics {
    fn diagnostics(&mut self) -> &mut Diagnostics {
        self
    }

    fn object(&self) -> Option<&Value> {
        None
    }
}

/// Implements [`Response`] for a type with the field `diagnostics`, and another field that contains the object.
macro_rules! response {
    ($response:ty $(, $object:ident)?) => {
        impl $crate::rpc::respond::Response for $response {
            fn diagnostics(&mut self) -> &mut $crate::Diagnostics {
                &mut self.diagnostics
            }

            fn object(&self) -> Option<&ferroform_value::Value> {
                None $(.or(self.$object.as_ref()))?
            }
        }
    };
}

pub(crate) use response;

impl ProviderServer {
    /// Does the work of a request about an object of the provider, and completes the response.
    ///
    /// `operation` is part of a sentence: `the plan of cloud_server`. `sensitive` are the
    /// [sensitive values](ProviderServer::sensitive_values) of the request. The work can add further ones, such as those
    /// of a configuration with its defaults.
    pub(crate) async fn respond<R: Response>(
        &self,
        owner: Owner<'_>,
        operation: &str,
        mut sensitive: SensitiveValues,
        mut response: R,
        work: impl AsyncFnOnce(&mut R, &mut SensitiveValues) -> Result<()>,
    ) -> R {
        let result = catch_panics(operation, work(&mut response, &mut sensitive)).await;
        response.diagnostics().ok_or_extend(result);
        if let (Ok(block), Some(object)) = (self.block(owner), response.object()) {
            sensitive.add(block, object);
        }
        sensitive.mask(response.diagnostics());
        response
    }
}
