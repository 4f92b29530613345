//! Runs an RPC: collects sensitive values, catches panics and masks diagnostics. Only CallFunction, whose arguments are
//! not sensitive, does not use it.
//!
//! ```text
//! request ──▶ sensitive values of its objects ──▶ work ──▶ errors, panics ──▶ mask ──▶ response
//! ```
//!
//! A panic of a validator, a default or a type of the provider becomes an error, and the response keeps what it already
//! contains. No diagnostic leaves the engine with a sensitive value of the request or of the response.

use std::sync::Arc;

use ferroform_value::Value;

use crate::definitions::Defined;
use crate::kind::Owner;
use crate::panics::catch_schema_panics;
use crate::provider::AnyConfigurable;
use crate::provider_server::ObjectObserver;
use crate::redaction::SensitiveValues;
use crate::redaction::display::with_display_paths;
use crate::run_method::{catch_panics, catch_panics_sync};
use crate::schema::Block;
use crate::{Diagnostics, ProviderServer, Result, RpcMetadata, panics};

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

/// A request whose sensitive values are masked in all diagnostics.
pub(crate) struct MaskedRequest<'a> {
    /// The schema of the objects of the request; `None` if there is no definition, or if its schema panics.
    block: Option<&'a Block>,
    sensitive: SensitiveValues,
    observer: Option<&'a ObjectObserver>,
}

impl ProviderServer {
    /// Finds a definition, and returns it with a request that masks sensitive values. If there is no definition with
    /// this name, the first result is an error.
    ///
    /// The masked values are those of the provider's configuration, of `objects` and, if there is metadata, of the
    /// `provider_meta` block. `objects` have the schema of the definition.
    pub(crate) fn mask_request<'v, T: Defined + AnyConfigurable + ?Sized>(
        &self,
        name: &str,
        metadata: impl Into<Option<&'v RpcMetadata>>,
        objects: impl IntoIterator<Item = &'v Value>,
    ) -> (Result<Arc<T>>, MaskedRequest<'_>) {
        let found = self.find::<T>(name);
        let block = found.clone().and_then(|it| catch_schema_panics(|| Ok(&it.schema().block))).ok();
        let sensitive = self.provider_sensitive_values();
        let mut request = MaskedRequest { block, sensitive, observer: self.observer.as_ref() };
        request.add(block, objects);
        let meta = self.provider.provider_meta().map(|it| &it.block);
        request.add(meta, metadata.into().and_then(|it| it.provider_meta.as_ref()));
        request.sensitive.add_visible([name]);
        (found.cloned(), request)
    }

    /// A request with a configuration of the provider, or of a definition of any kind.
    pub(crate) fn mask_config(&self, owner: Owner<'_>, config: &Value) -> MaskedRequest<'_> {
        let block = self.block(owner).ok();
        let sensitive = self.provider_sensitive_values();
        let mut request = MaskedRequest { block, sensitive, observer: self.observer.as_ref() };
        request.add(block, [config]);
        request
    }
}

impl MaskedRequest<'_> {
    /// Adds the sensitive values of the objects.
    fn add<'v>(&mut self, block: Option<&Block>, objects: impl IntoIterator<Item = &'v Value>) {
        if let Some(block) = block {
            let objects: Vec<&Value> = objects.into_iter().collect();
            if let Some(observe) = self.observer {
                objects.iter().for_each(|it| observe(block, it));
            }
            // If a default panics here, it panics again during the request, which reports the error.
            let _ = panics::catch_sync(|| self.sensitive.add_with_defaults(block, objects));
        }
    }

    /// Runs the request: reports panics as errors, and masks the diagnostics of the response.
    ///
    /// `operation` is part of a sentence: `the plan of cloud_server`. The work can add further sensitive values, such
    /// as those of a configuration with its defaults.
    pub(crate) async fn respond<R: Response>(
        mut self,
        operation: &str,
        mut response: R,
        work: impl AsyncFnOnce(&mut R, &mut SensitiveValues) -> Result<()>,
    ) -> R {
        let result = catch_panics(operation, work(&mut response, &mut self.sensitive)).await;
        response.diagnostics().ok_or_extend(result);
        if let (Some(block), Some(object)) = (self.block, response.object()) {
            self.sensitive.add(block, object);
            if let Some(observe) = self.observer {
                observe(block, object);
            }
        }
        self.mask(response.diagnostics());
        response
    }

    /// Masks the sensitive values in the messages and in the paths.
    fn mask(&mut self, diagnostics: &mut Diagnostics) {
        if let (Some(block), false) = (self.block, diagnostics.is_empty()) {
            self.sensitive.add_names(block);
            *diagnostics = with_display_paths(block, std::mem::take(diagnostics));
        }
        self.sensitive.mask(diagnostics);
    }

    /// Runs a request that calls no method of the provider: reports panics as errors, and masks the errors.
    pub(crate) fn run<T>(mut self, operation: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        catch_panics_sync(operation, work).map_err(|mut errors| {
            self.mask(&mut errors);
            errors
        })
    }
}
