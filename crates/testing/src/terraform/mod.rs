//! The part of Terraform in a run: it loads a configuration, plans it, and applies the plan.
//!
//! A configuration is evaluated in the order of its dependencies ([`graph`]). Each resource instance is an
//! [`Instance`](crate::Instance), so its plans, applies and reads are those of the harness, with every invariant
//! checked.
//!
//! | module | purpose |
//! | --- | --- |
//! | [`files`], [`configuration`] | the files of the modules, and their blocks |
//! | [`graph`] | the dependencies between the blocks, and their order |
//! | [`scope`], [`decode`] | the values that expressions refer to, and the evaluation of a body for a schema |
//! | [`run`] | variables, locals, outputs, module calls, providers, ephemeral resources |
//! | [`plan`], [`moves`], [`imports`] | the plan |
//! | [`apply`] | the apply |
//! | [`state`], [`show`] | the state file, and the JSON of plans and states |

mod address;
mod apply;
mod change;
mod configuration;
mod decode;
mod files;
mod graph;
mod imports;
mod moves;
mod plan;
mod plan_data;
mod problem;
mod providers;
mod run;
mod scope;
mod show;
mod state;
mod terraform_data;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use self::apply::Applier;
use self::change::{Change, PlannedAction};
use self::configuration::Configuration;
use self::files::Files;
use self::graph::Graph;
use self::plan::Planner;
pub(crate) use self::problem::{Problem, Problems};
use self::problem::{Result, has_error};
use self::providers::Providers;
pub(crate) use self::providers::ServerFactory;
use self::run::Run;
use self::state::{ObjectKey, State};
use crate::cleanup::ObjectId;
use crate::cli::Json;

/// The options of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) destroy: bool,
    pub(crate) refresh: bool,
    pub(crate) refresh_only: bool,
    pub(crate) targets: Vec<String>,
    pub(crate) replace: Vec<String>,
    pub(crate) variables: BTreeMap<String, Json>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            destroy: false,
            refresh: true,
            refresh_only: false,
            targets: Vec::new(),
            replace: Vec::new(),
            variables: BTreeMap::new(),
        }
    }
}

/// A configuration with its providers and its state.
pub(crate) struct Simulation {
    directory: PathBuf,
    providers: Providers,
    created: BTreeMap<ObjectKey, ObjectId>,
}

/// A planned configuration.
pub(crate) struct SimulatedPlan {
    files: Arc<Files>,
    options: Options,
    changes: Vec<Change>,
    /// The refreshed state.
    state: State,
    /// The plan as `show -json` prints it.
    pub(crate) json: Json,
    pub(crate) is_empty: bool,
    pub(crate) warnings: Problems,
}

impl Simulation {
    /// Creates a simulation for the configuration in a directory, which also contains the state file.
    pub(crate) fn new(directory: &Path) -> Simulation {
        let mut simulation = Simulation {
            directory: directory.to_owned(),
            providers: Providers::default(),
            created: BTreeMap::new(),
        };
        simulation.attach("terraform.io/builtin/terraform", Arc::new(terraform_data::server));
        simulation
    }

    /// Adds a provider by its address, such as `registry.terraform.io/hashicorp/local`.
    pub(crate) fn attach(&mut self, address: &str, server: ServerFactory) {
        self.providers.attach(address, server);
    }

    /// Plans the configuration.
    pub(crate) fn plan(&mut self, options: &Options) -> Result<SimulatedPlan> {
        let files = Arc::new(Files::read(&self.directory)?);
        let configuration = Configuration::parse(&files)?;
        let graph = Graph::new(&configuration)?;
        let state = State::read(&self.directory)?;
        let outputs_before = state.outputs.clone();
        let variables = declared(&configuration, &options.variables)?;
        let run = Run::new(&files, &configuration, &graph, &mut self.providers, &variables, state);
        let mut planner = Planner::new(run, options)?;
        planner.plan()?;
        let outputs = planner.run.modules.get(&Vec::new()).map(|it| it.outputs.clone()).unwrap_or_default();
        let outputs: BTreeMap<_, _> = outputs.into_iter().collect();
        let output_changes = match options.refresh_only && false {
            true => json!({}),
            false => show::output_changes(&outputs_before, &outputs, options.destroy),
        };
        let invocations: Vec<Json> = planner
            .invocations
            .iter()
            .map(|(action, triggering, _)| {
                json!({ "address": action.to_string(), "triggering_resource_address": triggering.to_string() })
            })
            .collect();
        let checks = std::mem::take(&mut planner.run.checks);
        let (state, changes, drift, warnings) =
            (planner.run.state, planner.changes, planner.drift, planner.run.problems);
        let is_empty = changes.iter().all(is_empty)
            && output_changes.as_object().is_none_or(|it| it.values().all(|it| it["actions"][0] == "no-op"))
            && (!options.refresh_only || drift.is_empty());
        let mut json = json!({
            "format_version": "1.2",
            "terraform_version": "1.11.4",
            "resource_changes": changes.iter().map(show::change).collect::<Vec<_>>(),
            "output_changes": output_changes,
            "prior_state": show::state(&state, &self.providers),
            "checks": checks,
            "errored": false,
        });
        if !drift.is_empty() {
            json["resource_drift"] = drift.iter().map(show::change).collect();
        }
        if !invocations.is_empty() {
            json["action_invocations"] = json!(invocations);
        }
        let warnings = [configuration.warnings.clone(), warnings].concat();
        drop(configuration);
        Ok(SimulatedPlan { files, options: options.clone(), changes, state, json, is_empty, warnings })
    }

    /// Applies a plan. The state file contains the results, also after an error. Returns the warnings.
    pub(crate) fn apply(&mut self, plan: &SimulatedPlan) -> Result<Problems> {
        let configuration = Configuration::parse(&plan.files)?;
        let graph = Graph::new(&configuration)?;
        let variables = declared(&configuration, &plan.options.variables)?;
        let mut state = plan.state.clone();
        let result = if plan.options.refresh_only {
            let run = Run::new(&plan.files, &configuration, &graph, &mut self.providers, &variables, state);
            let options = Options { refresh: false, ..plan.options.clone() };
            let mut planner = Planner::new(run, &options)?;
            let result = planner.plan();
            let mut applier = Applier::new(planner.run, &[], false, &mut self.created);
            applier.outputs();
            state = applier.run.state;
            result.map(|()| applier.run.problems)
        } else {
            let run = Run::new(&plan.files, &configuration, &graph, &mut self.providers, &variables, state);
            let mut applier = Applier::new(run, &plan.changes, plan.options.destroy, &mut self.created);
            let result = applier.apply();
            state = applier.run.state;
            result.map(|()| applier.run.problems)
        };
        state.write(&self.directory)?;
        result
    }

    /// Validates the configuration without a state. Returns the JSON of `validate -json`.
    pub(crate) fn validate(&mut self) -> Json {
        let problems = match self.try_validate() {
            Ok(problems) | Err(problems) => problems,
        };
        let errors = problems.iter().filter(|it| it.is_error).count();
        json!({
            "format_version": "1.0",
            "valid": errors == 0,
            "error_count": errors,
            "warning_count": problems.len() - errors,
            "diagnostics": problems.iter().map(Problem::json).collect::<Vec<_>>(),
        })
    }

    fn try_validate(&self) -> Result<Problems> {
        let files = Files::read(&self.directory)?;
        let configuration = Configuration::parse(&files)?;
        Graph::new(&configuration)?;
        Ok(configuration.warnings)
    }

    /// Marks an object as tainted, or removes the mark.
    pub(crate) fn set_tainted(&mut self, address: &str, is_tainted: bool) -> Result<()> {
        let mut state = State::read(&self.directory)?;
        let found = address::Address::parse(address).and_then(|it| state.objects.get_mut(&(it, None)));
        let Some(object) = found else {
            let detail = format!("There is no resource instance with the address {address} in the state.");
            return Err(vec![Problem::error("No such resource instance", detail)]);
        };
        object.is_tainted = is_tainted;
        state.write(&self.directory)
    }

    /// The state as `show -json` prints it.
    pub(crate) fn state(&self) -> Result<Json> {
        Ok(show::state(&State::read(&self.directory)?, &self.providers))
    }

    /// The outputs as `output -json` prints them.
    pub(crate) fn outputs(&self) -> Result<Json> {
        let state = State::read(&self.directory)?;
        let outputs = state.outputs.iter().map(|(name, it)| {
            let json = json!({
                "sensitive": it.is_sensitive,
                "type": state::type_json(&it.typed.ty),
                "value": state::typed_json(&it.typed),
            });
            (name.clone(), json)
        });
        Ok(Json::Object(outputs.collect()))
    }
}

/// True if the change changes nothing.
fn is_empty(change: &Change) -> bool {
    change.action == PlannedAction::NoOp && change.importing.is_none() && change.previous_address.is_none()
}

/// Checks that the root module declares the variables that have values.
fn declared(configuration: &Configuration<'_>, variables: &BTreeMap<String, Json>) -> Result<BTreeMap<String, Json>> {
    let root = configuration.module(&[]);
    let undeclared = variables.keys().find(|name| root.is_none_or(|it| !it.variables.contains_key(*name)));
    match undeclared {
        None => Ok(variables.clone()),
        Some(name) => {
            let detail = format!("A variable named {name:?} was assigned a value, but the root module does not declare it.");
            Err(vec![Problem::error("Value for undeclared variable", detail)])
        }
    }
}

/// True if one of the problems is an error.
pub(crate) fn is_error(problems: &[Problem]) -> bool {
    has_error(problems)
}
