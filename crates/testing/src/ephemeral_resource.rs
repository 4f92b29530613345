//! Ephemeral resources under test.

use std::sync::Arc;
use std::time::SystemTime;

use ferroform::raw::AnyEphemeralResource;
use ferroform::value::{Path, Value};
use ferroform::{Attr, Deferral, Diagnostic, Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::{OpenResponse, contract};

use crate::config::evaluate;
use crate::diff::SchemaOwner;
use crate::{Configuration, Harness, Invariant, Snapshot};

/// An ephemeral resource of the provider under test; see [`Harness::ephemeral_resource`].
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform::path;
/// use ferroform_testing::config;
///
/// let mut token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
/// assert_eq!(token.get::<String>(path!(value)), "t-7");
/// token.renew();
/// token.close();
/// # }
/// ```
#[derive(Clone)]
pub struct EphemeralResource {
    harness: Harness,
    type_name: String,
    resource: Arc<dyn AnyEphemeralResource>,
}

impl Harness {
    /// Returns the ephemeral resource of this type.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no ephemeral resource of this type.
    #[track_caller]
    pub fn ephemeral_resource(&self, type_name: &str) -> EphemeralResource {
        let resource = self.server().find::<dyn AnyEphemeralResource>(type_name);
        let resource = resource.unwrap_or_else(|error| panic!("{error}")).clone();
        EphemeralResource { harness: self.clone(), type_name: type_name.into(), resource }
    }
}

impl Harness {
    /// Ends the connection as Terraform does when it is killed: ephemeral resources that are still open are closed.
    pub fn disconnect(&self) {
        self.run("the end of the process", self.server().close_all_ephemeral_resources(), |()| ());
    }
}

impl EphemeralResource {
    /// Validates the configuration and opens the ephemeral resource.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the resource is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn open(&self, config: Configuration) -> OpenResource {
        match self.try_open(&config) {
            Ok(Ok(open)) => open,
            Ok(Err(reason)) => panic!("{} was deferred: {reason:?}", self.type_name),
            Err(errors) => {
                let errors = self.harness.sensitive_values().redact(&errors.to_string());
                panic!("{} cannot be opened:\n{errors}", self.type_name)
            }
        }
    }

    /// Opens the ephemeral resource, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_error(&self, config: Configuration) -> Diagnostics {
        match self.try_open(&config) {
            Err(errors) => errors,
            Ok(_) => panic!("expected an error, but {} was opened or deferred", self.type_name),
        }
    }

    /// Opens the ephemeral resource, which must be deferred, and returns the reason.
    ///
    /// # Panics
    ///
    /// Panics if the resource is not deferred, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_deferral(&self, config: Configuration) -> Deferral {
        match self.try_open(&config) {
            Ok(Err(reason)) => reason,
            Ok(Ok(_)) => panic!("expected a deferral, but {} was opened", self.type_name),
            Err(errors) => panic!("expected a deferral, but {} cannot be opened:\n{errors}", self.type_name),
        }
    }

    /// Opens the resource, and returns it or the reason for its deferral.
    #[track_caller]
    fn try_open(&self, config: &Configuration) -> Result<std::result::Result<OpenResource, Deferral>> {
        let step = format!("opening {}", self.type_name);
        let block = &self.resource.schema().block;
        let config = evaluate(block, config)?;
        self.harness.sensitive_values().record(block, &config);
        let config = self.harness.round_trip(&step, &config, &block.ty());
        let server = self.harness.server();
        let validation =
            server.validate_config(Kind::EphemeralResource.named(&self.type_name), config.clone(), true);
        self.harness.run_for_diagnostics(&step, validation)?;
        if !config.is_wholly_known() {
            return Err(Diagnostic::error(
                "Terraform opens an ephemeral resource once its configuration is known",
            )
            .into());
        }
        let metadata = self.harness.metadata();
        let response = server.open_ephemeral_resource(&self.type_name, config, &metadata);
        let record = |it: &OpenResponse| {
            it.result.iter().for_each(|it| self.harness.sensitive_values().record(block, it))
        };
        let response = self.harness.run(&step, response, record);
        self.harness.check_diagnostics(&step, response.diagnostics)?;
        if let Some(reason) = response.deferred {
            return Ok(Err(reason));
        }
        let value = response.result.unwrap_or(Value::Null);
        self.harness.check(Invariant::StateIsValid, &step, &contract::check_state(block, &value));
        let value = self.harness.round_trip(&step, &value, &block.ty());
        Ok(Ok(OpenResource {
            resource: self.clone(),
            snapshot: Snapshot { owner: SchemaOwner::Object(self.resource.clone()), value },
            private: response.private,
            renew_at: response.renew_at,
        }))
    }
}

/// An ephemeral resource that is open, with its values.
pub struct OpenResource {
    resource: EphemeralResource,
    snapshot: Snapshot,
    private: Vec<u8>,
    renew_at: Option<SystemTime>,
}

impl OpenResource {
    /// Returns the value at an attribute path, converted to a Rust type.
    ///
    /// # Panics
    ///
    /// Panics if the path does not exist, or if the value does not convert to `T`.
    #[track_caller]
    pub fn get<T: Attr>(&self, path: Path) -> T {
        self.snapshot.get(path)
    }

    /// Returns all values.
    pub fn values(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the time at which Terraform would renew the resource; `None` if it would not.
    pub fn renew_at(&self) -> Option<SystemTime> {
        self.renew_at
    }

    /// Renews the resource, regardless of its renewal time.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn renew(&mut self) {
        self.try_renew().unwrap_or_else(|errors| panic!("the renewal failed:\n{errors}"));
    }

    /// Renews the resource, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported.
    #[track_caller]
    pub fn expect_renew_error(&mut self) -> Diagnostics {
        self.try_renew().expect_err("the renewal reports an error")
    }

    #[track_caller]
    fn try_renew(&mut self) -> Result<()> {
        let EphemeralResource { harness, type_name, .. } = &self.resource;
        let step = format!("renewing {type_name}");
        let renew = harness.server().renew_ephemeral_resource(type_name, self.private.clone());
        let response = harness.run(&step, renew, |_| ());
        harness.check_diagnostics(&step, response.diagnostics)?;
        self.private = response.private;
        self.renew_at = response.renew_at;
        Ok(())
    }

    /// Closes the resource.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn close(self) {
        self.try_close().unwrap_or_else(|errors| panic!("the resource cannot be closed:\n{errors}"));
    }

    /// Closes the resource, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported.
    #[track_caller]
    pub fn expect_close_error(self) -> Diagnostics {
        self.try_close().expect_err("the resource reports an error when it is closed")
    }

    #[track_caller]
    fn try_close(self) -> Result<Diagnostics> {
        let EphemeralResource { harness, type_name, .. } = &self.resource;
        let step = format!("closing {type_name}");
        let close = harness.server().close_ephemeral_resource(type_name, self.private);
        harness.run_for_diagnostics(&step, close)
    }
}
