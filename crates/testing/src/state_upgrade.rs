//! State upgrades and moves: objects of an earlier schema version, or of another resource.

use ferroform::schema::{Block, Member, Mode};
use ferroform::value::{Path, Value, json};
use ferroform::{Diagnostic, Diagnostics};
use ferroform_engine::MoveRequest;

use crate::instance_state::InstanceState;
use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::{Action, Instance, Invariant, Outcome};

/// The object that a `moved` block names as `from`: an object of another resource, as the state contains it.
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform_testing::MovedObject;
///
/// let source = MovedObject::new("registry.terraform.io/hashicorp/null", "null_resource", 0, r#"{"id": "1"}"#);
/// harness.resource("test_note").move_from(source);
/// # }
/// ```
#[derive(Clone)]
pub struct MovedObject {
    provider: String,
    type_name: String,
    version: i64,
    state: Vec<u8>,
    private: Vec<u8>,
    identity: Option<(i64, Vec<u8>)>,
}

impl MovedObject {
    /// Creates a source from the address of its provider, its resource type, its schema version and its state as JSON.
    pub fn new(
        provider: impl Into<String>,
        type_name: impl Into<String>,
        version: i64,
        json: impl Into<String>,
    ) -> MovedObject {
        MovedObject {
            provider: provider.into(),
            type_name: type_name.into(),
            version,
            state: json.into().into_bytes(),
            private: Vec::new(),
            identity: None,
        }
    }

    /// Sets the private state of the source provider.
    #[must_use]
    pub fn private(mut self, bytes: impl Into<Vec<u8>>) -> MovedObject {
        self.private = bytes.into();
        self
    }

    /// Sets the identity of the source: its schema version, and the identity as JSON.
    #[must_use]
    pub fn identity(mut self, version: i64, json: impl Into<String>) -> MovedObject {
        self.identity = Some((version, json.into().into_bytes()));
        self
    }
}

/// Uses the current state of an instance as the source.
///
/// # Panics
///
/// Panics if the instance has no state.
impl From<&Instance> for MovedObject {
    #[track_caller]
    fn from(it: &Instance) -> MovedObject {
        let state = it.state();
        let schema = it.resource.schema();
        let text = json::encode(state.value(), schema.block.ty());
        let text = text.unwrap_or_else(|error| {
            panic!("the state of {} cannot be encoded as JSON: {error}", it.type_name)
        });
        MovedObject {
            provider: it.harness.server().provider().address().to_owned(),
            type_name: it.type_name.clone(),
            version: schema.version,
            state: text,
            private: it.stored.as_ref().map_or(Vec::new(), |it| it.private.clone()),
            identity: None,
        }
    }
}

impl Instance {
    /// Upgrades a state that an earlier version of the provider stored, as JSON, and makes it the state of the
    /// instance.
    ///
    /// The upgraded state must be valid, and a plan with the configuration that it comes from must succeed.
    ///
    /// # Panics
    ///
    /// Panics if the provider cannot upgrade the state, or if an invariant is violated.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform::path;
    ///
    /// let mut rule = harness.resource("cloud_rule");
    /// rule.upgrade_state(0, r#"{"port": "80"}"#);
    /// assert_eq!(rule.state().get::<i64>(path!(port)), 80);
    /// # }
    /// ```
    #[track_caller]
    pub fn upgrade_state(&mut self, version: i64, json: &str) {
        self.try_upgrade_state(version, json).ok();
    }

    /// Like [`upgrade_state`](Instance::upgrade_state), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_upgrade_state(&mut self, version: i64, json: &str) -> Outcome<()> {
        let step = format!("the upgrade of {} from version {version}", self.type_name);
        let upgraded = self.upgraded(&step, version, json.as_bytes());
        let upgraded = upgraded.map(|value| {
            self.store(&step, InstanceState::new(value, Vec::new()));
            self.check_upgraded_state(&step);
        });
        Outcome::new(&self.harness, step, upgraded)
    }

    /// Moves an object of another resource to this instance, as a `moved` block does.
    ///
    /// The source is another instance of the same provider (`file.move_from(&old)`) or a [`MovedObject`]. The new state
    /// must be valid, and a plan with the configuration that it comes from must succeed. After the move, do not use the
    /// source instance: both have the same object in their states.
    ///
    /// # Panics
    ///
    /// Panics if there is a state already, if the provider rejects the source, or if an invariant is violated.
    #[track_caller]
    pub fn move_from(&mut self, source: impl Into<MovedObject>) {
        self.try_move_from(source).ok();
    }

    /// Like [`move_from`](Instance::move_from), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_move_from(&mut self, source: impl Into<MovedObject>) -> Outcome<()> {
        let source = source.into();
        let step = format!("the move of {} to {}", source.type_name, self.type_name);
        let moved = self.move_object(&step, source);
        Outcome::new(&self.harness, step, moved)
    }

    /// Sends UpgradeResourceState.
    #[track_caller]
    pub(crate) fn upgraded(&self, step: &str, version: i64, stored: &[u8]) -> Result<Value, Diagnostics> {
        let response = self.harness.server().upgrade_resource_state(&self.type_name, version, stored);
        let (state, found) = self.harness.run(step, response, |(it, _)| self.record(it.as_ref()));
        self.harness.check_diagnostics_of_stored_state(step, found)?;
        Ok(state.unwrap_or(Value::Null))
    }

    #[track_caller]
    fn move_object(&mut self, step: &str, source: MovedObject) -> Result<(), StepFailure> {
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
        let moved = self.moved(step, request)?;
        self.store(step, moved);
        self.check_upgraded_state(step);
        Ok(())
    }

    /// Sends MoveResourceState and returns the moved state.
    #[track_caller]
    pub(crate) fn moved(&self, step: &str, request: MoveRequest) -> Result<InstanceState, Diagnostics> {
        let response = self.harness.server().move_resource_state(request);
        let response = self.harness.run(step, response, |it| self.record(it.state.as_ref()));
        self.harness.check_diagnostics_of_stored_state(step, response.diagnostics)?;
        let stored = InstanceState::new(response.state.unwrap_or(Value::Null), response.private);
        Ok(InstanceState { identity: response.identity, ..stored })
    }

    /// Checks that the state can be planned with the configuration that it comes from. The configuration may or may not
    /// have set the optional, computed attributes, so one of the two plans must succeed. If these attributes conflict
    /// with each other, the generated configuration sets one of them, and the plan has no changes.
    #[track_caller]
    fn check_upgraded_state(&self, step: &str) {
        let state = self.state();
        let block = &self.resource.schema().block;
        let Err(StepFailure::Errors(errors)) = self.plan_change(&configuration(block, state.value(), true))
        else {
            return;
        };
        let generated = self.harness.server().generate_resource_config(&self.type_name, state.value());
        let is_unchanged =
            |it: Value| self.plan_change(&it).is_ok_and(|change| change.action == Action::NoOp);
        if self.plan_change(&configuration(block, state.value(), false)).is_err()
            && !generated.is_ok_and(is_unchanged)
        {
            let errors = self.harness.sensitive_values().redact(&errors.to_string());
            let problem = format!("the plan with its configuration failed:\n{errors}");
            self.harness.report(Violation::new(
                Invariant::UpgradedStateCanBePlanned,
                step,
                Path::ROOT,
                problem,
            ));
        }
    }
}

/// Returns a configuration from which the object can result.
fn configuration(block: &Block, state: &Value, with_optional_computed: bool) -> Value {
    let inside = |block: &Block, it: &Value| configuration(block, it, with_optional_computed);
    match state {
        Value::Object(object) => {
            let configured = block.members().map(|member| {
                let value = object.get_or_null(member.name());
                let mode = if let Member::Attribute(it) = member { it.mode() } else { Mode::Optional };
                let configured = match (member, mode) {
                    // The state does not contain write-only values.
                    (Member::Attribute(it), Mode::Required) if it.is_write_only() => Value::UNKNOWN,
                    (_, Mode::OptionalComputed) if !with_optional_computed => Value::Null,
                    (_, Mode::Computed) => Value::Null,
                    _ => member.nested().map_or_else(|| value.clone(), |(_, block)| inside(block, value)),
                };
                (member.name().clone(), configured)
            });
            Value::Object(configured.collect())
        }
        it => it.map_elements(|_, it| inside(block, it)),
    }
}
