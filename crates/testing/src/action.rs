//! Actions under test.

use std::future::pending;
use std::sync::Arc;

use ferroform::raw::AnyAction;
use ferroform::value::Value;
use ferroform::{Deferral, Diagnostic, Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::concurrency::run_until::run_until;
use tokio::sync::mpsc;

use crate::config::evaluate;
use crate::invariant::Violation;
use crate::{Configuration, Harness, Invariant};

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

/// The result of an invocation without an error.
#[derive(Clone, Debug, PartialEq)]
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
        let action = self.server().find::<dyn AnyAction>(type_name);
        let action = action.unwrap_or_else(|error| panic!("{error}")).clone();
        ProviderAction { harness: self.clone(), type_name: type_name.into(), action }
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
        match self.try_plan(&config) {
            Ok((_, None, warnings)) => warnings,
            Ok((_, Some(reason), _)) => panic!("{} was deferred: {reason:?}", self.type_name),
            Err(errors) => self.fail("planned", &errors),
        }
    }

    /// Plans the action, which must report an error, and returns its errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_plan_error(&self, config: Configuration) -> Diagnostics {
        match self.try_plan(&config) {
            Err(errors) => errors,
            Ok(_) => panic!("expected an error, but {} was planned or deferred", self.type_name),
        }
    }

    /// Plans the action, which must be deferred, and returns the reason.
    ///
    /// # Panics
    ///
    /// Panics if the action is not deferred, if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_deferral(&self, config: Configuration) -> Deferral {
        match self.try_plan(&config) {
            Ok((_, Some(reason), _)) => reason,
            Ok((_, None, _)) => panic!("expected a deferral, but {} was planned", self.type_name),
            Err(errors) => self.fail("planned", &errors),
        }
    }

    /// Validates the configuration, plans the action and invokes it.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, if the action is deferred, or if an invariant is violated.
    #[track_caller]
    pub fn invoke(&self, config: Configuration) -> Invocation {
        let (progress, result) = self.try_invoke(&config);
        match result {
            Ok(warnings) => Invocation { progress, warnings },
            Err(errors) => self.fail("invoked", &errors),
        }
    }

    /// Invokes the action, which must report an error. Returns the progress messages, and the errors and warnings.
    ///
    /// # Panics
    ///
    /// Panics if no error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn expect_invoke_error(&self, config: Configuration) -> (Vec<String>, Diagnostics) {
        match self.try_invoke(&config) {
            (progress, Err(errors)) => (progress, errors),
            (_, Ok(_)) => panic!("expected an error, but {} was invoked", self.type_name),
        }
    }

    #[track_caller]
    fn fail(&self, step: &str, errors: &Diagnostics) -> ! {
        let errors = self.harness.sensitive_values().redact(&errors.to_string());
        panic!("{} cannot be {step}:\n{errors}", self.type_name)
    }

    /// Returns the configuration as the provider receives it, the reason for the deferral, and the warnings.
    #[track_caller]
    fn try_plan(&self, config: &Configuration) -> Result<(Value, Option<Deferral>, Diagnostics)> {
        let step = format!("the plan of {}", self.type_name);
        let block = &self.action.schema().block;
        let config = evaluate(block, config)?;
        self.harness.sensitive_values().record(block, &config);
        let config = self.harness.round_trip(&step, &config, &block.ty());
        let server = self.harness.server();
        let validation = server.validate_config(Kind::Action.named(&self.type_name), config.clone(), true);
        let mut warnings = self.harness.run_for_diagnostics(&step, validation)?;
        let metadata = self.harness.metadata();
        let plan = server.plan_action(&self.type_name, config.clone(), &metadata);
        let response = self.harness.run(&step, plan, |_| ());
        warnings.extend(self.harness.check_diagnostics(&step, response.diagnostics)?);
        Ok((config, response.deferred, warnings))
    }

    /// Returns the progress messages, and the warnings or the errors.
    #[track_caller]
    fn try_invoke(&self, config: &Configuration) -> (Vec<String>, Result<Diagnostics>) {
        let (config, mut warnings) = match self.try_plan(config) {
            Ok((config, None, warnings)) => (config, warnings),
            Ok((_, Some(reason), _)) => panic!("{} was deferred: {reason:?}", self.type_name),
            Err(errors) => return (Vec::new(), Err(errors)),
        };
        if !config.is_wholly_known() {
            let error = Diagnostic::error("Terraform invokes an action once its configuration is known");
            return (Vec::new(), Err(error.into()));
        }
        let step = format!("the invocation of {}", self.type_name);
        let metadata = self.harness.metadata();
        let (sender, mut receiver) = mpsc::channel(1);
        let invocation = self.harness.server().invoke_action(&self.type_name, config, &metadata, sender);
        let mut progress = Vec::new();
        let receiving = async {
            while let Some(message) = receiver.recv().await {
                progress.push(message);
            }
            pending().await
        };
        let reported = self.harness.run(&step, run_until(invocation, receiving), |_| ()).unwrap_or_default();
        progress.extend(std::iter::from_fn(|| receiver.try_recv().ok()));
        let sensitive = self.harness.sensitive_values().clone();
        for message in &progress {
            if let Some(path) = sensitive.find_in(message) {
                let message = sensitive.redact(message);
                let problem = format!("a progress message contains this sensitive value: {message}");
                let violation = Violation::new(Invariant::SecretsAreRedacted, &step, path.clone(), problem);
                self.harness.report(violation);
            }
        }
        let result = self.harness.check_diagnostics(&step, reported);
        (
            progress,
            result.map(|more| {
                warnings.extend(more);
                warnings
            }),
        )
    }
}
