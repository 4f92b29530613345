//! Ephemeral resources under test.

use std::sync::Arc;
use std::time::SystemTime;

use ferroform::raw::AnyEphemeralResource;
use ferroform::value::{Path, Value};
use ferroform::{Attr, Diagnostic, Diagnostics};
use ferroform_engine::Kind;
use ferroform_engine::{OpenResponse, contract};

use crate::diff::SchemaOwner;
use crate::outcome::StepFailure;
use crate::{Configuration, Harness, Invariant, Outcome, Snapshot};

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
        EphemeralResource {
            harness: self.clone(),
            type_name: type_name.into(),
            resource: self.find(type_name),
        }
    }

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
        self.try_open(config).ok()
    }

    /// Like [`open`](EphemeralResource::open), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_open(&self, config: Configuration) -> Outcome<OpenResource> {
        let step = format!("opening {}", self.type_name);
        let open = self.run_open(&step, &config);
        Outcome::new(&self.harness, step, open)
    }

    #[track_caller]
    pub(crate) fn run_open(&self, step: &str, config: &Configuration) -> Result<OpenResource, StepFailure> {
        let block = &self.resource.schema().block;
        let owner = Kind::EphemeralResource.named(&self.type_name);
        let (config, mut warnings) = self.harness.evaluate_and_validate(step, owner, block, config)?;
        if !config.is_wholly_known() {
            return Err(Diagnostic::error(
                "Terraform opens an ephemeral resource once its configuration is known",
            )
            .into());
        }
        let metadata = self.harness.metadata();
        let response = self.harness.server().open_ephemeral_resource(&self.type_name, config, &metadata);
        let record = |it: &OpenResponse| {
            it.result.iter().for_each(|it| self.harness.sensitive_values().record(block, it))
        };
        let response = self.harness.run(step, response, record);
        warnings.extend(self.harness.check_diagnostics(step, owner, response.diagnostics)?);
        if let Some(reason) = response.deferred {
            return Err(StepFailure::Deferred(reason));
        }
        let value = response.result.unwrap_or(Value::Null);
        self.harness.check(Invariant::StateIsValid, step, &contract::check_state(block, &value));
        let value = self.harness.round_trip(step, &value, block.ty());
        Ok(OpenResource {
            resource: self.clone(),
            snapshot: Snapshot::new(SchemaOwner::Object(self.resource.clone()), value)
                .with_warnings(warnings),
            private: response.private,
            renew_at: response.renew_at,
        })
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

    /// Returns all values, with the warnings of [`open`](EphemeralResource::open).
    pub fn values(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the time at which Terraform would renew the resource; `None` if it would not.
    pub fn renewal_time(&self) -> Option<SystemTime> {
        self.renew_at
    }

    /// Renews the resource, regardless of its renewal time.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn renew(&mut self) {
        self.try_renew().ok();
    }

    /// Like [`renew`](OpenResource::renew), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_renew(&mut self) -> Outcome<()> {
        let EphemeralResource { harness, type_name, .. } = &self.resource;
        let step = format!("renewing {type_name}");
        let renew = harness.server().renew_ephemeral_resource(type_name, self.private.clone());
        let response = harness.run(&step, renew, |_| ());
        let owner = Kind::EphemeralResource.named(type_name);
        let renewed = harness.check_diagnostics(&step, owner, response.diagnostics).map(|_| {
            // Terraform keeps the private data of `open`.
            self.renew_at = response.renew_at;
        });
        Outcome::new(harness, step, renewed)
    }

    /// Returns the same open resource, for a second `close` of it.
    pub(crate) fn duplicate(&self) -> OpenResource {
        let OpenResource { resource, snapshot, private, renew_at } = self;
        let (resource, snapshot, private) = (resource.clone(), snapshot.clone(), private.clone());
        OpenResource { resource, snapshot, private, renew_at: *renew_at }
    }

    /// Closes the resource.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported.
    #[track_caller]
    pub fn close(self) {
        self.try_close().ok();
    }

    /// Like [`close`](OpenResource::close), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_close(self) -> Outcome<Diagnostics> {
        let harness = self.resource.harness.clone();
        let step = format!("closing {}", self.resource.type_name);
        Outcome::new(&harness, step, self.run_close())
    }

    /// Closes the ephemeral resource, and returns the warnings.
    #[track_caller]
    pub(crate) fn run_close(self) -> Result<Diagnostics, Diagnostics> {
        let EphemeralResource { harness, type_name, .. } = &self.resource;
        let step = format!("closing {type_name}");
        let close = harness.server().close_ephemeral_resource(type_name, self.private);
        harness.run_for_diagnostics(&step, Kind::EphemeralResource.named(type_name), close)
    }
}
