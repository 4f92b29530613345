//! Objects from before: of an earlier version of the provider, or of another resource.

use ferroform::Result;
use ferroform::schema::{Block, Mode};
use ferroform::value::{Path, Value, json};
use ferroform::{Diagnostic, Diagnostics};
use ferroform_engine::MoveRequest;

use crate::invariant::Violation;
use crate::rpc::InstanceState;
use crate::{Instance, Invariant};

/// An object of another resource, as the state has it: what a `moved` block names as `from`.
///
/// ```
/// # use ferroform_testing::MoveSource;
/// let source = MoveSource::new("registry.terraform.io/hashicorp/null", "null_resource", 0, r#"{"id": "1"}"#);
/// ```
#[derive(Clone)]
pub struct MoveSource {
    provider: String,
    type_name: String,
    version: i64,
    state: Vec<u8>,
    private: Vec<u8>,
    identity: Option<(i64, Vec<u8>)>,
}

impl MoveSource {
    /// An object of that provider, of that type and version of its schema, as JSON.
    pub fn new(
        provider: impl Into<String>,
        type_name: impl Into<String>,
        version: i64,
        json: impl Into<String>,
    ) -> MoveSource {
        MoveSource {
            provider: provider.into(),
            type_name: type_name.into(),
            version,
            state: json.into().into_bytes(),
            private: Vec::new(),
            identity: None,
        }
    }

    /// What its provider kept beside the state, in whatever form.
    #[must_use]
    pub fn private(mut self, bytes: impl Into<Vec<u8>>) -> MoveSource {
        self.private = bytes.into();
        self
    }

    /// Its identity: the version of its schema, and JSON.
    #[must_use]
    pub fn identity(mut self, version: i64, json: impl Into<String>) -> MoveSource {
        self.identity = Some((version, json.into().into_bytes()));
        self
    }
}

/// The object as it is in the state now.
///
/// # Panics
///
/// Where there is none.
impl From<&Instance> for MoveSource {
    #[track_caller]
    fn from(it: &Instance) -> MoveSource {
        let state = it.state();
        let schema = it.resource.schema();
        let text = json::encode(state.value(), &schema.block.ty());
        let text = text.unwrap_or_else(|error| panic!("the state of {} is no JSON: {error}", it.type_name));
        MoveSource {
            provider: it.core.server().provider().address().to_owned(),
            type_name: it.type_name.clone(),
            version: schema.version,
            state: text,
            private: it.stored.as_ref().map_or(Vec::new(), |it| it.private.clone()),
            identity: None,
        }
    }
}

impl Instance {
    /// Puts an object of an earlier version of the provider into the state, as JSON: what a user has who
    /// comes from there. What comes of it must be whole, and a plan of its configuration must go well.
    ///
    /// # Panics
    ///
    /// Where the provider cannot read it, or a law is broken.
    #[track_caller]
    pub fn load(&mut self, version: i64, json: &str) {
        let loaded = self.try_load(version, json);
        self.expect("the loading of the state", loaded);
    }

    /// Loads what must be refused, and answers the errors and warnings.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_upgrade_error(&mut self, version: i64, json: &str) -> Diagnostics {
        match self.try_load(version, json) {
            Err(errors) => errors,
            Ok(()) => panic!("an error is expected, but the state was loaded:\n{}", self.state()),
        }
    }

    /// Takes over an object of another resource, as with a `moved` block: of this provider
    /// (`file.move_from(&old)`), or a [`MoveSource`]. What comes of it must be whole, and a plan of its configuration
    /// must go well. Where it was an object of this provider, forget it there: it is one now.
    ///
    /// # Panics
    ///
    /// Where there is a state already, the provider refuses it, or a law is broken.
    #[track_caller]
    pub fn move_from(&mut self, source: impl Into<MoveSource>) {
        let moved = self.try_move(source.into());
        self.expect("the move", moved);
    }

    /// Moves what must be refused, and answers the errors and warnings.
    ///
    /// # Panics
    ///
    /// Where it goes well, or a law is broken.
    #[track_caller]
    pub fn expect_move_error(&mut self, source: impl Into<MoveSource>) -> Diagnostics {
        match self.try_move(source.into()) {
            Err(errors) => errors,
            Ok(()) => panic!("an error is expected, but it was moved:\n{}", self.state()),
        }
    }

    #[track_caller]
    fn try_load(&mut self, version: i64, json: &str) -> Result<()> {
        let step = format!("the upgrade of {} from version {version}", self.type_name);
        let value = self.upgraded(&step, version, json.as_bytes())?;
        self.store(&step, InstanceState::new(value, Vec::new()));
        self.check_upgraded_state(&step);
        Ok(())
    }

    /// One call of UpgradeResourceState.
    #[track_caller]
    pub(crate) fn upgraded(&self, step: &str, version: i64, stored: &[u8]) -> Result<Value> {
        let response = self.core.server().upgrade(&self.type_name, version, stored);
        let (state, found) = self.core.run(step, response, |(it, _)| self.record(it.as_ref()));
        self.core.check_diagnostics(step, found)?;
        Ok(state.unwrap_or(Value::Null))
    }

    #[track_caller]
    fn try_move(&mut self, source: MoveSource) -> Result<()> {
        let step = format!("the move of {} to {}", source.type_name, self.type_name);
        if self.stored.is_some() {
            return Err(Diagnostic::error("Resource already managed by Terraform").into());
        }
        let request = MoveRequest {
            type_name: self.type_name.clone(),
            source_provider: source.provider,
            source_type: source.type_name,
            source_version: source.version,
            source_state: Some(source.state),
            source_private: source.private,
            source_identity: source.identity,
        };
        let response = self.core.server().move_state(request);
        let response = self.core.run(&step, response, |it| self.record(it.state.as_ref()));
        self.core.check_diagnostics(&step, response.diagnostics)?;
        let stored = InstanceState::new(response.state.unwrap_or(Value::Null), response.private);
        self.store(&step, InstanceState { identity: response.identity, ..stored });
        self.check_upgraded_state(&step);
        Ok(())
    }

    /// Whether the state can be planned with the configuration that its values come from. What the provider
    /// computes where the configuration does not may have been left out, or not.
    #[track_caller]
    fn check_upgraded_state(&self, step: &str) {
        let state = self.state();
        let block = &self.resource.schema().block;
        let Err(errors) = self.plan_change(&configuration(block, state.value(), true)) else { return };
        if self.plan_change(&configuration(block, state.value(), false)).is_err() {
            let errors = self.core.sensitive_values().redact(&errors.to_string());
            let what = format!("a plan of its configuration failed:\n{errors}");
            self.core.report(Violation::new(Invariant::UpgradedStateCanBePlanned, step, Path::ROOT, what));
        }
    }
}

/// The configuration that an object can come from.
fn configuration(block: &Block, state: &Value, with_optional_computed: bool) -> Value {
    let inside = |block: &Block, it: &Value| configuration(block, it, with_optional_computed);
    match state {
        Value::Object(object) => {
            let null = Value::Null;
            let attributes = block.attributes.iter().map(|it| {
                let value = object.get(&it.name).unwrap_or(&null);
                let made = match (it.mode, &it.nested) {
                    // Nobody knows it any more.
                    (Mode::Required, _) if it.write_only => Value::UNKNOWN,
                    (Mode::OptionalComputed, _) if !with_optional_computed => Value::Null,
                    (Mode::Computed, _) => Value::Null,
                    (_, Some(nested)) => inside(&nested.block, value),
                    (_, None) => value.clone(),
                };
                (it.name.clone(), made)
            });
            let blocks = block
                .blocks
                .iter()
                .map(|it| (it.name.clone(), inside(&it.block, object.get(&it.name).unwrap_or(&null))));
            Value::Object(attributes.chain(blocks).collect())
        }
        Value::List(it) => Value::List(it.iter().map(|it| inside(block, it)).collect()),
        Value::Set(it) => Value::set(it.iter().map(|it| inside(block, it))),
        Value::Map(it) => Value::Map(it.iter().map(|(key, it)| (key.clone(), inside(block, it))).collect()),
        it => it.clone(),
    }
}
