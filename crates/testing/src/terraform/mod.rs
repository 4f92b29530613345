//! A simulation of Terraform: loads a configuration, plans it, and applies the plan.
//!
//! A configuration is evaluated in the order of its dependencies ([`graph`]). Each resource instance is an
//! [`Instance`](crate::Instance), so its plans, applies and reads are those of the harness, with the invariants of each
//! RPC checked.
//!
//! | module | purpose |
//! | --- | --- |
//! | [`files`], [`json_syntax`], [`json_blocks`], [`blocks`], [`overrides`], [`reader`], [`configuration`], [`passed_providers`] | the files of the modules, and their blocks |
//! | [`address`], [`graph`] | the addresses of the blocks and of their instances, their dependencies and their order |
//! | [`scope`], [`decode`], [`values`] | the values that expressions refer to, and the evaluation of a body for a schema |
//! | [`functions`], [`encodings`], [`fileset`] | functions that depend on files, the time or hashes, and further encodings |
//! | [`evaluation`], [`variables`], [`providers`], [`terraform_data`], [`data_sources`], [`ephemeral`] | variables, locals, outputs, module calls, providers, data sources, ephemeral resources |
//! | [`resource_instance`], [`objects`], [`conditions`], [`checks`] | one instance of a resource, its object, its pre- and postconditions, and their results |
//! | [`options`], [`targets`], [`plan`], [`plan_managed`], [`ignore_changes`], [`plan_data`], [`plan_imports`], [`orphans`] | the plan |
//! | [`moves`], [`imports`] | `moved`, `removed` and `import` blocks |
//! | [`apply`], [`actions`] | the apply |
//! | [`validate`] | the validation with unknown values for all variables |
//! | [`query`] | the list resources of query files |
//! | [`problem`] | errors and warnings with their positions |
//! | [`state`], [`change`], [`deferral`], [`show`] | the state file, the changes of a plan, their deferral, and the JSON of both |

mod actions;
mod address;
mod apply;
mod blocks;
mod change;
mod checks;
mod conditions;
mod configuration;
mod data_sources;
mod decode;
mod deferral;
mod encodings;
mod ephemeral;
mod evaluation;
mod files;
mod fileset;
mod functions;
mod graph;
mod ignore_changes;
mod imports;
mod json_blocks;
mod json_syntax;
mod moves;
mod objects;
mod options;
mod orphans;
mod overrides;
mod passed_providers;
mod plan;
mod plan_data;
mod plan_imports;
mod plan_managed;
mod problem;
mod providers;
mod query;
mod reader;
mod resource_instance;
mod scope;
mod show;
mod state;
mod targets;
mod terraform_data;
mod validate;
mod values;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ferroform::Clock;
use serde_json::{Map, json};

use self::address::ConfigAddress;
pub(crate) use self::address::{Address, Mode, module_address};
use self::apply::Applier;
use self::change::{Changes, SimulatedChange};
use self::checks::Checks;
use self::configuration::ModuleTree;
pub(crate) use self::configuration::ProviderReference;
pub(crate) use self::deferral::explain_deferral;
use self::evaluation::Evaluation;
use self::files::Files;
pub(crate) use self::files::is_configuration_file;
use self::functions::Timing;
use self::graph::{Graph, Node};
use self::moves::Declared;
pub(crate) use self::options::PlanOptions;
use self::plan::Planner;
use self::problem::{Problem, Problems, has_error};
use self::providers::Providers;
pub(crate) use self::providers::ServerFactory;
use self::state::ObjectKey;
pub(crate) use self::state::{FILE as STATE_FILE, State};
use crate::Invariant;
use crate::cleanup::ObjectId;
use crate::log_capture::LogCapture;
use crate::workspace::{Diagnostic, Json, PlannedAction, QueryResult};

/// A plan of the simulation.
pub(crate) struct SimulatedPlan {
    files: Arc<Files>,
    options: PlanOptions,
    changes: Changes,
    /// The resources whose changes are deferred.
    deferred: BTreeSet<ConfigAddress>,
    /// The nodes that `-target` selects; `None` without `-target`.
    nodes: Option<BTreeSet<Node>>,
    /// The refreshed state.
    state: State,
    time: SystemTime,
    /// The plan as `terraform show -json` prints it.
    pub(crate) json: Json,
    pub(crate) is_empty: bool,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The generated configuration, if the plan imports objects without a configuration.
    pub(crate) generated_config: Option<String>,
}

impl std::fmt::Debug for SimulatedPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimulatedPlan").field("json", &self.json).finish_non_exhaustive()
    }
}

/// Terraform, simulated in process: a directory with a configuration and a state, and providers.
pub(crate) struct Simulation {
    directory: PathBuf,
    providers: Providers,
    created: BTreeMap<ObjectKey, ObjectId>,
    clock: Clock,
}

impl Simulation {
    /// Creates a simulation for the configuration in a directory, which also contains the state file. The clock is that of
    /// functions such as `timestamp`.
    pub(crate) fn new(directory: &Path, clock: Clock) -> Simulation {
        let mut simulation = Simulation {
            directory: directory.to_owned(),
            providers: Providers::default(),
            created: BTreeMap::new(),
            clock,
        };
        simulation.attach(terraform_data::ADDRESS, Arc::new(terraform_data::server));
        simulation
    }

    /// Attaches a provider by its address, such as `registry.terraform.io/example/notes`.
    pub(crate) fn attach(&mut self, address: &str, server: ServerFactory) {
        self.providers.attach(address, server);
    }

    /// Stops checking an invariant, in the providers that start from now on.
    pub(crate) fn skip_check(&mut self, invariant: Invariant) {
        self.providers.skip_check(invariant);
    }

    /// Adds the log of the providers that start from now on to another log.
    pub(crate) fn capture_log(&mut self, log: LogCapture) {
        self.providers.capture_log(log);
    }

    /// The timing of an evaluation that applies nothing.
    fn timing(&self) -> Timing {
        let planned = self.clock.system_time();
        Timing { clock: self.clock.clone(), planned, is_applying: false }
    }

    /// Plans the changes.
    pub(crate) fn plan(&mut self, options: &PlanOptions) -> Result<SimulatedPlan, Vec<Diagnostic>> {
        self.try_plan(options).map_err(diagnostics)
    }

    fn try_plan(&mut self, options: &PlanOptions) -> problem::Result<SimulatedPlan> {
        let files = Arc::new(Files::read(&self.directory)?);
        let configuration = ModuleTree::parse(&files)?;
        let graph = Graph::new(&configuration)?;
        let validated = self.validate_with(&files, &configuration, &graph)?;
        let state = State::read(&self.directory)?;
        let outputs_before = state.outputs.clone();
        let (variables, mut warnings) = variables::read_variables(&files, &configuration)?;
        self.providers.set_deferral(options.allow_deferral);
        let timing = self.timing();
        let time = timing.planned;
        let evaluation =
            Evaluation::new(&files, &configuration, &graph, &mut self.providers, &variables, state, timing);
        let mut planner = Planner::new(evaluation, options)?;
        let planned = planner.plan();
        let instances = Declared { modules: &planner.evaluation.expansions, resources: &planner.visited };
        // Invalid moves can cause other errors.
        let planned = moves::validate(&configuration, &instances).and(planned);
        planned.map_err(|errors| [errors, warnings.clone()].concat())?;
        let outputs =
            planner.evaluation.modules.get(&Vec::new()).map(|it| it.outputs.clone()).unwrap_or_default();
        let outputs: BTreeMap<_, _> = outputs.into_iter().collect();
        let mut outputs_before = outputs_before;
        if planner.targets.is_some() {
            // The other outputs keep their values.
            outputs_before.retain(|name, _| !options.destroy && outputs.contains_key(name));
        }
        let output_changes = show::output_changes(&outputs_before, &outputs, options.destroy);
        let Planner {
            evaluation,
            changes,
            drift,
            deferred,
            deferred_resources,
            generated,
            invocations,
            targets,
            ..
        } = planner;
        let nodes = targets.map(|it| it.nodes);
        let Evaluation { state, problems, checks, .. } = evaluation;
        if let Some(it) =
            outputs.values().find(|it| !it.typed.value.is_unknown() && !is_storable(&it.typed.value))
        {
            let detail = format!("The value {} cannot be stored.", it.typed.value);
            return Err(vec![Problem::error("Failed to write plan file", detail)]);
        }
        // A refresh-only plan can always be applied.
        let is_empty = !options.refresh_only
            && changes.values().all(is_no_op)
            && output_changes.as_object().is_none_or(|it| it.values().all(|it| it["actions"][0] == "no-op"));
        // As in Terraform: child modules last, and data sources first in each module.
        let mut sorted: Vec<&SimulatedChange> = changes.values().collect();
        sorted.sort_by_key(|it| {
            let address = &it.address;
            (address.module.len(), &address.module, address.resource.mode != Mode::Data, address)
        });
        // The prior state contains the outputs that the plan knows, and no checks. A failed apply stores these outputs.
        let mut prior = State { checks: Checks::default(), ..state };
        for (name, output) in outputs.iter().filter(|(_, it)| it.typed.value.is_wholly_known()) {
            prior.store_output(name, output);
        }
        let mut json = json!({
            "format_version": "1.2",
            "terraform_version": state::TERRAFORM_VERSION,
            "planned_values": show::planned_values(sorted.iter().copied(), &outputs, &self.providers),
            "prior_state": show::state_json(&prior, &self.providers),
            "errored": false,
        });
        let changes_json: Json = sorted.into_iter().map(show::change_json).collect();
        // As in Terraform, empty members are absent.
        for (name, value) in [
            ("resource_changes", changes_json),
            ("output_changes", output_changes),
            ("checks", checks.json()),
        ] {
            let is_empty =
                value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty);
            if !is_empty {
                json[name] = value;
            }
        }
        if !drift.is_empty() {
            json["resource_drift"] = drift.iter().map(show::change_json).collect();
        }
        if !deferred.is_empty() {
            let changes = deferred.iter().map(
                |(change, reason)| json!({ "reason": reason, "resource_change": show::change_json(change) }),
            );
            json["deferred_changes"] = changes.collect();
        }
        if !invocations.is_empty() {
            json["action_invocations"] = json!(invocations);
        }
        warnings.extend(configuration.warnings.iter().cloned().chain(problems));
        let warnings = diagnostics(warnings);
        // The plan repeats most warnings of the validation.
        let validated = diagnostics(validated).into_iter();
        let is_new = |it: &Diagnostic| {
            !warnings.iter().any(|other| other.summary == it.summary && other.detail == it.detail)
        };
        let mut all: Vec<Diagnostic> = validated.filter(is_new).collect();
        all.extend(warnings.iter().cloned());
        let warnings = all;
        drop(variables);
        drop(configuration);
        Ok(SimulatedPlan {
            files,
            options: options.clone(),
            changes,
            deferred: deferred_resources,
            nodes,
            state: prior,
            time,
            json,
            is_empty,
            warnings,
            generated_config: (!generated.is_empty()).then_some(generated),
        })
    }

    /// Applies a plan, and returns the warnings. Writes the state even if it fails.
    pub(crate) fn apply(&mut self, plan: &SimulatedPlan) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.try_apply(plan).map(diagnostics).map_err(diagnostics)
    }

    fn try_apply(&mut self, plan: &SimulatedPlan) -> problem::Result<Problems> {
        self.check_is_current(plan)?;
        let configuration = ModuleTree::parse(&plan.files)?;
        let graph = Graph::new(&configuration)?;
        let (variables, warnings) = variables::read_variables(&plan.files, &configuration)?;
        let evaluation = Evaluation::new(
            &plan.files,
            &configuration,
            &graph,
            &mut self.providers,
            &variables,
            plan.state.clone(),
            Timing { clock: self.clock.clone(), planned: plan.time, is_applying: true },
        );
        let mut applier = Applier::new(
            evaluation,
            &plan.changes,
            plan.options.destroy,
            plan.deferred.clone(),
            plan.nodes.as_ref(),
            &mut self.created,
        );
        let result = applier.apply();
        applier.evaluation.state.write(&self.directory)?;
        let problems = applier.evaluation.problems;
        match result {
            Ok(()) => Ok([problems, warnings].concat()),
            Err(errors) => Err([errors, warnings].concat()),
        }
    }

    /// Rejects a plan if the state has changed since.
    fn check_is_current(&self, plan: &SimulatedPlan) -> problem::Result<()> {
        let current = State::read(&self.directory)?;
        let is_first = plan.state.serial == 0;
        if !is_first && plan.state.lineage != current.lineage {
            let detail = "The given plan file was not created from the same state snapshot lineage as the current state.";
            return Err(vec![Problem::error("Saved plan does not match the given state", detail)]);
        }
        if plan.state.serial != current.serial {
            let detail = "The given plan file can no longer be applied because the state was changed by another operation after the \
                          plan was created.";
            return Err(vec![Problem::error("Saved plan is stale", detail)]);
        }
        Ok(())
    }

    /// Validates the configuration, and returns the JSON of `terraform validate -json`.
    pub(crate) fn validate(&mut self) -> Json {
        let (Ok(problems) | Err(problems)) = self.try_validate();
        let errors = problems.iter().filter(|it| it.is_error).count();
        json!({
            "format_version": "1.0",
            "valid": errors == 0,
            "error_count": errors,
            "warning_count": problems.len() - errors,
            "diagnostics": problems.iter().map(Problem::json).collect::<Vec<_>>(),
        })
    }

    fn try_validate(&mut self) -> problem::Result<Problems> {
        let files = Files::read(&self.directory)?;
        let configuration = ModuleTree::parse(&files)?;
        let graph = Graph::new(&configuration)?;
        let problems = self.validate_with(&files, &configuration, &graph)?;
        Ok([configuration.warnings.clone(), problems].concat())
    }

    /// Validates a configuration. Terraform does so before every plan.
    fn validate_with(
        &mut self,
        files: &Files,
        configuration: &ModuleTree<'_>,
        graph: &Graph,
    ) -> problem::Result<Problems> {
        let variables = BTreeMap::new();
        let timing = self.timing();
        let state = State::default();
        let mut evaluation =
            Evaluation::new(files, configuration, graph, &mut self.providers, &variables, state, timing);
        validate::validate(&mut evaluation)?;
        let removed = validate::validate_removed(&evaluation);
        evaluation.report(removed);
        if has_error(&evaluation.problems) { Err(evaluation.problems) } else { Ok(evaluation.problems) }
    }

    /// Imports an object by its import ID, and returns the warnings.
    pub(crate) fn import(&mut self, address: &str, id: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.try_import(address, id).map(diagnostics).map_err(diagnostics)
    }

    fn try_import(&mut self, address: &str, id: &str) -> problem::Result<Problems> {
        let files = Files::read(&self.directory)?;
        let configuration = ModuleTree::parse(&files)?;
        let graph = Graph::new(&configuration)?;
        let state = State::read(&self.directory)?;
        let (variables, _) = variables::read_variables(&files, &configuration)?;
        let timing = self.timing();
        let evaluation =
            Evaluation::new(&files, &configuration, &graph, &mut self.providers, &variables, state, timing);
        let options = PlanOptions::default();
        let mut planner = Planner::new(evaluation, &options)?;
        planner.import(address, id)?;
        planner.evaluation.state.write(&self.directory)?;
        Ok(planner.evaluation.problems)
    }

    /// Marks an object as tainted.
    pub(crate) fn taint(&mut self, address: &str) -> Result<(), Vec<Diagnostic>> {
        self.set_tainted(address, true).map_err(diagnostics)
    }

    /// Removes the mark of `taint`.
    pub(crate) fn untaint(&mut self, address: &str) -> Result<(), Vec<Diagnostic>> {
        self.set_tainted(address, false).map_err(diagnostics)
    }

    fn set_tainted(&mut self, address: &str, is_tainted: bool) -> problem::Result<()> {
        let mut state = State::read(&self.directory)?;
        let found = address::Address::parse(address).and_then(|it| state.objects.get_mut(&(it, None)));
        let Some(object) = found else {
            let detail = format!("There is no resource instance with the address {address} in the state.");
            return Err(vec![Problem::error("No such resource instance", detail)]);
        };
        if object.is_tainted == is_tainted {
            let (summary, detail) = match is_tainted {
                true => ("Resource instance is already tainted", "was already marked as tainted"),
                false => ("Resource instance is not tainted", "is not currently tainted"),
            };
            return Err(vec![Problem::error(summary, format!("{address} {detail}."))]);
        }
        object.is_tainted = is_tainted;
        state.write(&self.directory)
    }

    /// Runs the `list` blocks of the query files.
    pub(crate) fn query(&mut self) -> Result<Vec<QueryResult>, Vec<Diagnostic>> {
        self.try_query().map_err(diagnostics)
    }

    fn try_query(&mut self) -> problem::Result<Vec<QueryResult>> {
        let files = Files::read_with_queries(&self.directory)?;
        let configuration = ModuleTree::parse(&files)?;
        let graph = Graph::new(&configuration)?;
        let state = State::read(&self.directory)?;
        let (variables, _) = variables::read_variables(&files, &configuration)?;
        let timing = self.timing();
        let mut evaluation =
            Evaluation::new(&files, &configuration, &graph, &mut self.providers, &variables, state, timing);
        query::run_list_blocks(&mut evaluation)
    }

    /// Returns the state as `terraform show -json` prints it.
    pub(crate) fn state(&self) -> Json {
        State::read(&self.directory).map_or(Json::Null, |it| show::state_json(&it, &self.providers))
    }

    /// Returns the outputs as `terraform output -json` prints them.
    pub(crate) fn outputs(&self) -> Json {
        show::outputs_json(&State::read(&self.directory).unwrap_or_default())
    }
}

/// Converts the errors and warnings to those of a workspace.
fn diagnostics(problems: Problems) -> Vec<Diagnostic> {
    problems.iter().map(|it| Diagnostic::from_json(&it.json())).collect()
}

/// True if the known values inside a value can be encoded: infinity, the result of a division by zero, cannot.
fn is_storable(value: &ferroform::value::Value) -> bool {
    !value.is_wholly_known() || ferroform::value::json::encode_simple(value).is_ok()
}

/// True if the action is a no-op and the object is neither imported nor moved.
fn is_no_op(change: &SimulatedChange) -> bool {
    change.action == PlannedAction::NoOp && change.importing.is_none() && change.previous_address.is_none()
}
