//! Simulates Terraform in process: loads the configuration of a directory, plans and applies it with providers in the
//! test process, and keeps the state in the directory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ferroform_engine::ProviderServer;

use crate::workspace::{Diagnostic, Json, QueryResult};

/// Creates the server of a provider, which is not configured yet.
pub(crate) type ServerFactory = Arc<dyn Fn() -> ProviderServer + Send + Sync>;

/// Errors, with the warnings before them.
pub(crate) type Diagnostics = Vec<Diagnostic>;

/// The values of the root module's variables.
pub(crate) type Variables = BTreeMap<String, Json>;

/// The options of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlanOptions {
    /// True for a plan that destroys every object.
    pub(crate) destroy: bool,
    /// False if objects are not read before they are planned.
    pub(crate) refresh: bool,
    /// True for a plan that only updates the state.
    pub(crate) refresh_only: bool,
    /// The addresses to limit the plan to.
    pub(crate) targets: Vec<String>,
    /// The addresses of objects to replace.
    pub(crate) replace: Vec<String>,
    pub(crate) allow_deferral: bool,
    pub(crate) variables: Variables,
    /// True if the configurations of imported objects are generated.
    pub(crate) generate_config: bool,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            destroy: false,
            refresh: true,
            refresh_only: false,
            targets: Vec::new(),
            replace: Vec::new(),
            allow_deferral: false,
            variables: Variables::new(),
            generate_config: false,
        }
    }
}

/// A plan of the simulation.
#[derive(Debug)]
pub(crate) struct SimulatedPlan {
    /// The plan as `terraform show -json` prints it.
    pub(crate) json: Json,
    pub(crate) is_empty: bool,
    pub(crate) warnings: Diagnostics,
    /// The generated configuration, if the plan imports objects without a configuration.
    pub(crate) generated_config: Option<String>,
}

/// Terraform, simulated in process.
pub(crate) struct Simulation {}

impl Simulation {
    pub(crate) fn new(_directory: &Path) -> Simulation {
        Simulation {}
    }

    /// Attaches a provider by its address, such as `registry.terraform.io/example/notes`.
    pub(crate) fn attach(&mut self, _address: &str, _server: ServerFactory) {}

    /// Validates the configuration, and returns the JSON of `terraform validate -json`.
    pub(crate) fn validate(&mut self) -> Json {
        serde_json::json!({ "valid": false, "diagnostics": [{ "severity": "error", "summary": NOT_AVAILABLE }] })
    }

    pub(crate) fn plan(&mut self, _options: &PlanOptions) -> Result<SimulatedPlan, Diagnostics> {
        not_available()
    }

    /// Applies the plan, and returns the warnings. Writes the state even if it fails.
    pub(crate) fn apply(&mut self, _plan: &SimulatedPlan) -> Result<Diagnostics, Diagnostics> {
        not_available()
    }

    /// Imports an object by its import ID, and returns the warnings.
    pub(crate) fn import(
        &mut self,
        _address: &str,
        _id: &str,
        _variables: &Variables,
    ) -> Result<Diagnostics, Diagnostics> {
        not_available()
    }

    pub(crate) fn taint(&mut self, _address: &str) -> Result<(), Diagnostics> {
        not_available()
    }

    pub(crate) fn untaint(&mut self, _address: &str) -> Result<(), Diagnostics> {
        not_available()
    }

    /// Runs the `list` blocks of the query files.
    pub(crate) fn query(&mut self, _variables: &Variables) -> Result<Vec<QueryResult>, Diagnostics> {
        not_available()
    }

    /// Returns the state as `terraform show -json` prints it.
    pub(crate) fn state(&self) -> Json {
        Json::Null
    }

    /// Returns the outputs as `terraform output -json` prints them.
    pub(crate) fn outputs(&self) -> Json {
        Json::Null
    }
}

const NOT_AVAILABLE: &str = "The simulation of Terraform is not available";

fn not_available<T>() -> Result<T, Diagnostics> {
    Err(vec![Diagnostic::error(NOT_AVAILABLE, "")])
}
