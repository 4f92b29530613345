//! Import, resource identity, and generated configurations.

use ferroform::schema::IdentitySchema;
use ferroform::value::{Path, Value, json};
use ferroform::{Diagnostic, Diagnostics};
use ferroform_engine::{ImportRequest, contract};

use crate::config::evaluate;
use crate::diff::SchemaOwner;
use crate::instance_state::InstanceState;
use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::{Action, Configuration, Instance, Invariant, Outcome, Snapshot};

impl Instance {
    /// Returns the identity of the object.
    ///
    /// # Panics
    ///
    /// Panics if the object does not exist or if its resource has no identity.
    #[track_caller]
    pub fn identity(&self) -> Snapshot {
        match self.stored.as_ref().and_then(|it| it.identity.as_ref()) {
            Some(it) => self.identity_snapshot(it),
            None => {
                panic!(
                    "{} has no identity: the object does not exist, or the resource declares none",
                    self.type_name
                )
            }
        }
    }

    /// Imports an existing object by its import ID, as `terraform import` does, and returns the state.
    ///
    /// # Panics
    ///
    /// Panics if there is a state already, if the import fails or is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn import(&mut self, id: &str) -> Snapshot {
        self.try_import(id).ok()
    }

    /// Like [`import`](Instance::import), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_import(&mut self, id: &str) -> Outcome<Snapshot> {
        let imported = self.import_with(self.by_id(id));
        self.outcome(&format!("the import of {id:?}"), imported)
    }

    /// Imports an existing object by its identity, as an `import` block with `identity` does, and returns the state.
    ///
    /// # Panics
    ///
    /// Panics if there is a state already, if the import fails or is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn import_by_identity(&mut self, identity: Configuration) -> Snapshot {
        self.try_import_by_identity(identity).ok()
    }

    /// Like [`import_by_identity`](Instance::import_by_identity), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_import_by_identity(&mut self, identity: Configuration) -> Outcome<Snapshot> {
        let imported =
            self.by_identity(&identity).map_err(StepFailure::from).and_then(|it| self.import_with(it));
        self.outcome("the import by identity", imported)
    }

    /// Upgrades an identity that an earlier version of the provider stored, as JSON, and stores it with the object.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if the provider cannot upgrade the identity.
    #[track_caller]
    pub fn upgrade_identity(&mut self, version: i64, json: &str) {
        self.try_upgrade_identity(version, json).ok();
    }

    /// Like [`upgrade_identity`](Instance::upgrade_identity), but returns the outcome instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if an invariant is violated.
    #[track_caller]
    pub fn try_upgrade_identity(&mut self, version: i64, json: &str) -> Outcome<()> {
        let step = format!("the upgrade of the identity of {}", self.type_name);
        let upgraded = self.upgraded_identity(&step, version, json).map(|identity| match &mut self.stored {
            Some(it) => it.identity = identity,
            None => panic!("{} has no state that could have an identity", self.type_name),
        });
        Outcome::new(&self.harness, step, upgraded)
    }

    /// Sends UpgradeResourceIdentity.
    #[track_caller]
    pub(crate) fn upgraded_identity(
        &self,
        step: &str,
        version: i64,
        json: &str,
    ) -> Result<Option<Value>, Diagnostics> {
        let identity =
            self.harness.server().upgrade_resource_identity(&self.type_name, version, json.as_bytes())?;
        let identity = Some(identity).filter(|it| !it.is_null());
        self.check_identity(step, None, identity.as_ref());
        Ok(identity)
    }

    /// Generates a configuration from the state, as `terraform plan -generate-config-out` does, and validates it.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if the provider rejects the configuration.
    #[track_caller]
    pub fn generate_config(&self) -> Snapshot {
        self.try_generate_config().ok()
    }

    /// Like [`generate_config`](Instance::generate_config), but returns the outcome instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if there is no state, or if an invariant is violated.
    #[track_caller]
    pub fn try_generate_config(&self) -> Outcome<Snapshot> {
        let step = format!("the generated configuration of {}", self.type_name);
        let generated = self.run_generate_config(&step);
        Outcome::new(&self.harness, step, generated)
    }

    #[track_caller]
    pub(crate) fn run_generate_config(&self, step: &str) -> Result<Snapshot, Diagnostics> {
        let block = &self.resource.schema().block;
        let state = self.state();
        let generated = self.harness.server().generate_resource_config(&self.type_name, state.value());
        let generated = generated.or_else(|errors| {
            self.check_diagnostics(step, errors.clone())?;
            Err(errors)
        })?;
        self.harness.check(Invariant::GeneratedConfigIsValid, step, &contract::check_type(block, &generated));
        let generated = self.harness.round_trip(step, &generated, block.ty());
        let validation = self.harness.server().validate_config(self.owner(), generated.clone(), true);
        if let Err(errors) = self.harness.run_for_diagnostics(step, self.owner(), validation) {
            self.harness.check(Invariant::GeneratedConfigIsValid, step, &errors);
        }
        Ok(self.snapshot(&generated))
    }

    pub(crate) fn by_id(&self, id: &str) -> ImportRequest {
        let metadata = self.harness.metadata();
        ImportRequest { type_name: self.type_name.clone(), id: id.into(), identity: None, metadata }
    }

    fn by_identity(&self, identity: &Configuration) -> Result<ImportRequest, Diagnostics> {
        let Some(schema) = self.identity_schema() else {
            return Err(Diagnostic::error("The resource declares no identity").into());
        };
        let identity = Some(evaluate(&schema.block, identity)?);
        Ok(ImportRequest { identity, ..self.by_id("") })
    }

    /// Imports the object, and checks that the read after it is idempotent.
    #[track_caller]
    pub(crate) fn import_with(&mut self, request: ImportRequest) -> Result<Snapshot, StepFailure> {
        let warnings = self.import_once(request)?;
        // The first read after an import may add values; the second one must not.
        let second_read = self.read()?;
        if second_read.action != Action::NoOp {
            let step = format!("the import of {}", self.type_name);
            let problem = format!("the second read returned:\n{second_read}");
            self.harness.report(Violation::new(Invariant::RefreshIsIdempotent, &step, Path::ROOT, problem));
        }
        Ok(self.state().with_warnings(warnings))
    }

    /// Imports the object and reads it, as Terraform does. Returns the warnings.
    #[track_caller]
    pub(crate) fn import_once(&mut self, mut request: ImportRequest) -> Result<Diagnostics, StepFailure> {
        let step = format!("the import of {}", self.type_name);
        if self.stored.is_some() {
            return Err(Diagnostic::error("Resource already managed by Terraform").into());
        }
        request.identity = self.round_trip_identity(&step, request.identity.as_ref());
        self.harness.sensitive_values().show(&request.id);
        let requested = request.identity.clone();
        let response = self.harness.server().import_resource_state(request);
        let response = self.harness.run(&step, response, |it| self.record(it.state.as_ref()));
        let mut warnings = self.check_diagnostics(&step, response.diagnostics)?;
        if let Some(reason) = response.deferred {
            return Err(StepFailure::Deferred(reason));
        }
        let Some(state) = response.state.filter(|it| !it.is_null()) else {
            return Err(Diagnostic::error("Import returned null resource").into());
        };
        if requested.is_some() && response.identity.is_none() {
            let problem = "an import by identity must return an identity";
            self.harness.report(Violation::new(Invariant::IdentityIsStable, &step, Path::ROOT, problem));
        }
        self.check_identity(&step, requested.as_ref(), response.identity.as_ref());
        self.store(
            &step,
            InstanceState { identity: response.identity, ..InstanceState::new(state, response.private) },
        );
        let read = self.read()?;
        if read.after.is_none() {
            let detail = "The import returned an object, but the read after it found nothing.";
            return Err(Diagnostic::error("Cannot import non-existent remote object").detail(detail).into());
        }
        warnings.extend(read.warnings);
        Ok(warnings)
    }

    fn identity_schema(&self) -> Option<&IdentitySchema> {
        self.resource.identity()
    }

    pub(crate) fn identity_snapshot(&self, identity: &Value) -> Snapshot {
        Snapshot::new(SchemaOwner::Identity(self.resource.clone()), identity.clone())
    }

    /// Encodes the identity as MessagePack and decodes it again.
    #[track_caller]
    pub(crate) fn round_trip_identity(&self, step: &str, identity: Option<&Value>) -> Option<Value> {
        let (identity, schema) = (identity?, self.identity_schema()?);
        Some(self.harness.round_trip(step, identity, schema.block.ty()))
    }

    /// Checks an identity as Terraform does, and that it did not change.
    #[track_caller]
    pub(crate) fn check_identity(&self, step: &str, before: Option<&Value>, after: Option<&Value>) {
        let (Some(after), Some(schema)) = (after, self.identity_schema()) else { return };
        let ty = schema.block.ty();
        self.harness.check(Invariant::IdentityIsStable, step, &contract::check_type(&schema.block, after));
        let stored = json::encode(after, ty).and_then(|it| json::decode(&it, ty));
        if !stored.is_ok_and(|it| it == *after) {
            let problem = "the identity changes when it is stored as JSON and read";
            self.harness.report(Violation::new(Invariant::ValuesRoundTrip, step, Path::ROOT, problem));
        }
        if let Some(before) = before.filter(|_| !schema.mutable) {
            self.harness.check(
                Invariant::IdentityIsStable,
                step,
                &contract::check_identity(schema, before, after),
            );
        }
    }

    /// Checks that a created, updated or read object has an identity if its resource declares one.
    #[track_caller]
    pub(crate) fn check_identity_is_set(&self, step: &str, identity: Option<&Value>) {
        if self.identity_schema().is_some() && identity.is_none() {
            let problem = "the provider returned no identity";
            self.harness.report(Violation::new(Invariant::IdentityIsStable, step, Path::ROOT, problem));
        }
    }
}
