//! What objects are known by, imports, and configurations made of states.

use ferroform::schema::IdentitySchema;
use ferroform::value::{Path, Value, json};
use ferroform::{Deferral, Diagnostic, Diagnostics, Result};
use ferroform_engine::{ImportRequest, contract};

use crate::config::read;
use crate::diff::SchemaOwner;
use crate::invariant::Violation;
use crate::rpc::InstanceState;
use crate::{Action, Configuration, Instance, Invariant, Snapshot};

impl Instance {
    /// What the object is known by, apart from its state.
    ///
    /// # Panics
    ///
    /// Where it has no identity.
    #[track_caller]
    pub fn identity(&self) -> Snapshot {
        match self.stored.as_ref().and_then(|it| it.identity.as_ref()) {
            Some(it) => self.identity_snapshot(it),
            None => {
                panic!("{} has no identity: it was not created, or its resource has none", self.type_name)
            }
        }
    }

    /// Takes an object that exists already into the state, by the id of `terraform import`.
    ///
    /// # Panics
    ///
    /// Where there is a state already, no such object is found, or a law is broken.
    #[track_caller]
    pub fn import(&mut self, id: &str) -> Snapshot {
        let imported = self.try_import(self.by_id(id));
        self.expect("the import", imported);
        self.state()
    }

    /// Takes an object that exists already into the state, by its identity, as an `import` block with `identity`
    /// does.
    ///
    /// # Panics
    ///
    /// Where there is a state already, no such object is found, or a law is broken.
    #[track_caller]
    pub fn import_by_identity(&mut self, identity: Configuration) -> Snapshot {
        let imported = self.by_identity(&identity).and_then(|it| self.try_import(it));
        self.expect("the import", imported);
        self.state()
    }

    /// Imports what must be refused, and answers the errors and warnings.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_import_error(&mut self, id: &str) -> Diagnostics {
        match self.try_import(self.by_id(id)) {
            Err(errors) => errors,
            Ok(Some(why)) => panic!("an error is expected, but {id:?} was put off: {why:?}"),
            Ok(None) => panic!("an error is expected, but {id:?} was imported:\n{}", self.state()),
        }
    }

    /// Imports by an identity what must be refused, and answers the errors and warnings.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_identity_import_error(&mut self, identity: Configuration) -> Diagnostics {
        match self.by_identity(&identity).and_then(|it| self.try_import(it)) {
            Err(errors) => errors,
            Ok(Some(why)) => panic!("an error is expected, but it was put off: {why:?}"),
            Ok(None) => panic!("an error is expected, but it was imported:\n{}", self.state()),
        }
    }

    /// Gives the object an identity of an earlier version of the provider, as JSON: what a user has who comes from
    /// there.
    ///
    /// # Panics
    ///
    /// Where there is no state, or the provider cannot read the identity.
    #[track_caller]
    pub fn upgrade_identity(&mut self, version: i64, json: &str) {
        let loaded = self.core.server().upgrade_identity(&self.type_name, version, json.as_bytes());
        let identity = self.expect("the loading of the identity", loaded);
        let step = format!("the upgrade of the identity of {}", self.type_name);
        let identity = Some(identity).filter(|it| !it.is_null());
        self.check_identity(&step, None, identity.as_ref());
        match &mut self.stored {
            Some(it) => it.identity = identity,
            None => panic!("{} has no state: there is nothing to be known", self.type_name),
        }
    }

    /// A configuration for the object, made of its state as for `terraform plan -generate-config-out`, and
    /// validated.
    ///
    /// # Panics
    ///
    /// Where there is no state, or the configuration is refused.
    #[track_caller]
    pub fn generate_config(&self) -> Snapshot {
        let step = format!("the configuration of {}", self.type_name);
        let state = self.state();
        let generated = self.core.server().generate_config(&self.type_name, state.value());
        let generated = self.expect("making a configuration", generated);
        let ty = self.resource.schema().block.ty();
        self.core.check(
            Invariant::GeneratedConfigIsValid,
            &step,
            &contract::conforms(&self.resource.schema().block, &generated),
        );
        let generated = self.core.round_trip(&step, &generated, &ty);
        let judged = self.core.server().validate_resource(&self.type_name, generated.clone(), true);
        if let Err(errors) = self.core.call(&step, judged) {
            self.core.check(Invariant::GeneratedConfigIsValid, &step, &errors);
        }
        self.snapshot(&generated)
    }

    pub(crate) fn by_id(&self, id: &str) -> ImportRequest {
        let caller = self.core.caller();
        ImportRequest { type_name: self.type_name.clone(), id: id.into(), identity: None, caller }
    }

    fn by_identity(&self, identity: &Configuration) -> Result<ImportRequest> {
        let Some(schema) = self.identity_schema() else {
            return Err(Diagnostic::error("The resource has no identity").into());
        };
        let identity = Some(read(&schema.block, identity)?);
        Ok(ImportRequest { identity, ..self.by_id("") })
    }

    /// Imports, and reads what was imported. Answers why it is put off, where it is.
    #[track_caller]
    pub(crate) fn try_import(&mut self, mut request: ImportRequest) -> Result<Option<Deferral>> {
        let step = format!("the import of {}", self.type_name);
        if self.stored.is_some() {
            let there = "Resource already managed by Terraform";
            return Err(Diagnostic::error(there).into());
        }
        request.identity = self.round_trip_identity(&step, request.identity.as_ref());
        let asked = request.identity.clone();
        let response = self.core.server().import(request);
        let response = self.core.run(&step, response, |it| self.record(it.state.as_ref()));
        self.core.check_diagnostics(&step, response.diagnostics)?;
        if response.deferred.is_some() {
            return Ok(response.deferred);
        }
        let Some(state) = response.state.filter(|it| !it.is_null()) else {
            return Err(Diagnostic::error("Import returned null resource").into());
        };
        if asked.is_some() && response.identity.is_none() {
            let what = "an import by an identity must response one";
            self.core.report(Violation::new(Invariant::IdentityIsStable, &step, Path::ROOT, what));
        }
        self.check_identity(&step, asked.as_ref(), response.identity.as_ref());
        self.store(&step, InstanceState { identity: response.identity, ..InstanceState::new(state, response.private) });
        if self.try_refresh()?.after.is_none() {
            let detail = "The object was imported, but reading it found nothing.";
            return Err(Diagnostic::error("Cannot import non-existent remote object").detail(detail).into());
        }
        // Reading may fill in what the import left out, but only once.
        let again = self.try_refresh()?;
        if again.action != Action::NoOp {
            let what = format!("reading once more gave:\n{again}");
            self.core.report(Violation::new(Invariant::RefreshIsIdempotent, &step, Path::ROOT, what));
        }
        Ok(None)
    }

    fn identity_schema(&self) -> Option<&IdentitySchema> {
        self.resource.identity()
    }

    pub(crate) fn identity_snapshot(&self, identity: &Value) -> Snapshot {
        Snapshot { owner: SchemaOwner::Identity(self.resource.clone()), value: identity.clone() }
    }

    /// The identity after it went to the other side and was read there.
    #[track_caller]
    pub(crate) fn round_trip_identity(&self, step: &str, identity: Option<&Value>) -> Option<Value> {
        let (identity, schema) = (identity?, self.identity_schema()?);
        Some(self.core.round_trip(step, identity, &schema.block.ty()))
    }

    /// What core asks of an identity, and that it is the one of before.
    #[track_caller]
    pub(crate) fn check_identity(&self, step: &str, before: Option<&Value>, after: Option<&Value>) {
        let (Some(after), Some(schema)) = (after, self.identity_schema()) else { return };
        let ty = schema.block.ty();
        self.core.check(Invariant::IdentityIsStable, step, &contract::conforms(&schema.block, after));
        let stored = json::encode(after, &ty).and_then(|it| json::decode(&it, &ty));
        if !stored.is_ok_and(|it| it == *after) {
            let what = "the identity cannot be stored as JSON and read again";
            self.core.report(Violation::new(Invariant::ValuesRoundTrip, step, Path::ROOT, what));
        }
        if let Some(before) = before.filter(|_| !schema.mutable) {
            self.core.check(Invariant::IdentityIsStable, step, &contract::identity(schema, before, after));
        }
    }

    /// An object that was made, changed or read has an identity, where its resource has one.
    #[track_caller]
    pub(crate) fn check_identity_is_set(&self, step: &str, identity: Option<&Value>) {
        if self.identity_schema().is_some() && identity.is_none() {
            let what = "the provider did not say what the object is known by";
            self.core.report(Violation::new(Invariant::IdentityIsStable, step, Path::ROOT, what));
        }
    }
}
