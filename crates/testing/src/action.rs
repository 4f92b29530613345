//! Actions under test.

use std::sync::Arc;

use ferroform::raw::AnyAction;
use ferroform::value::Value;
use ferroform::{Diagnostic, Diagnostics};
use ferroform_engine::{ActionEvent, Kind};
use tokio::sync::mpsc;

use crate::invariant::Violation;
use crate::outcome::StepFailure;
use crate::{Configuration, Harness, Invariant, Outcome};

/// An action of the provider under test; see [`Harness::action`].
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform_testing::config;
///
/// let restart = harness.action("cloud_restart");
/// let done = restart.invoke(config! { machine_id = "m-1" });
/// assert_eq!(done.progress, ["Draining the machine", "Restarting the machine"]);
/// # }
/// ```
#[derive(Clone)]
pub struct ProviderAction {
    harness: Harness,
    type_name: String,
    action: Arc<dyn AnyAction>,
}

/// The result of an invocation.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Invocation {
    /// The progress messages, in their order.
    pub progress: Vec<String>,
    /// The warnings of the validation, of the plan and of the invocation.
    pub warnings: Diagnostics,
}

impl Harness {
    /// Returns the action of this type.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no action of this type.
    #[track_caller]
    pub fn action(&self, type_name: &str) -> ProviderAction {
        ProviderAction { harness: self.clone(), type_name: type_name.into(), action: self.find(type_name) }
    }
}

impl ProviderAction {
    /// Validates the configuration, which can contain [`unknown()`](crate::unknown) values, and plans the action. Returns
    /// the warnings.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the action is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn plan(&self, config: Configuration) -> Diagnostics {
        self.try_plan(config).ok()
    }

    /// Like [`plan`](ProviderAction::plan), but returns the outcome instead of panicking.
    #[track_caller]
    pub fn try_plan(&self, config: Configuration) -> Outcome<Diagnostics> {
        let step = format!("the plan of {}", self.type_name);
        let planned = self.run_plan(&step, &config);
        Outcome::new(&self.harness, step, planned.map(|(_, warnings)| warnings))
    }

    /// Validates the configuration, plans the action and invokes it.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the action is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn invoke(&self, config: Configuration) -> Invocation {
        self.try_invoke(config).ok()
    }

    /// Like [`invoke`](ProviderAction::invoke), but returns the outcome instead of panicking. If an error is reported,
    /// [`partial`](Outcome::partial) returns the progress messages before it.
    #[track_caller]
    pub fn try_invoke(&self, config: Configuration) -> Outcome<Invocation> {
        let step = format!("the invocation of {}", self.type_name);
        let mut invocation = Invocation::default();
        let invoked = self.run_invoke(&step, &config, &mut invocation);
        Outcome::with_partial(&self.harness, step, invocation, invoked)
    }

    /// Returns the configuration as the provider receives it, and the warnings.
    #[track_caller]
    pub(crate) fn run_plan(
        &self,
        step: &str,
        config: &Configuration,
    ) -> Result<(Value, Diagnostics), StepFailure> {
        let block = &self.action.schema().block;
        let owner = Kind::Action.named(&self.type_name);
        let (config, mut warnings) = self.harness.evaluate_and_validate(step, owner, block, config)?;
        let metadata = self.harness.metadata();
        let plan = self.harness.server().plan_action(&self.type_name, config.clone(), &metadata);
        let response = self.harness.run(step, plan, |_| ());
        warnings.extend(self.harness.check_diagnostics(step, owner, response.diagnostics)?);
        match response.deferred {
            Some(reason) => Err(StepFailure::Deferred(reason)),
            None => Ok((config, warnings)),
        }
    }

    #[track_caller]
    pub(crate) fn run_invoke(
        &self,
        step: &str,
        config: &Configuration,
        invocation: &mut Invocation,
    ) -> Result<(), StepFailure> {
        let (config, warnings) = self.run_plan(step, config)?;
        invocation.warnings = warnings;
        if !config.is_wholly_known() {
            return Err(Diagnostic::error("Unknown Value in Action Configuration")
                .detail("Terraform invokes an action only after its configuration is known.")
                .into());
        }
        let metadata = self.harness.metadata();
        let (sender, mut receiver) = mpsc::channel(1);
        let invoking = self.harness.server().invoke_action(&self.type_name, config, &metadata, sender);
        let mut reported = Diagnostics::new();
        let receiving = async {
            while let Some(event) = receiver.recv().await {
                match event {
                    ActionEvent::Progress(message) => invocation.progress.push(message),
                    ActionEvent::Completed(diagnostics) => reported = diagnostics,
                }
            }
        };
        self.harness.run(step, async { tokio::join!(invoking, receiving) }, |_| ());
        let sensitive = self.harness.sensitive_values().clone();
        for message in &invocation.progress {
            if let Some(path) = sensitive.find_in(message) {
                let message = sensitive.redact(message);
                let problem = format!("a progress message contains this sensitive value: {message}");
                let violation = Violation::new(Invariant::SecretsAreRedacted, step, path.clone(), problem);
                self.harness.report(violation);
            }
        }
        invocation.warnings.extend(self.harness.check_diagnostics(
            step,
            Kind::Action.named(&self.type_name),
            reported,
        )?);
        Ok(())
    }
}
