//! The steps of a test: plan, apply, destroy and so on, in process or by a CLI.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::plan::PlanSource;
use super::{
    Counts, Diagnostic, Error, Json, Output, Plan, QueryResult, Result, RunnerState, Schemas, State,
    Validation, Workspace, json,
};
use crate::cli::Feature;
use crate::harness::lock;
use crate::terraform::{PlanOptions, SimulatedPlan, Simulation, is_configuration_file};

impl Workspace {
    /// Plans the changes.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn plan(&self) -> Result<Plan> {
        self.plan_with(&[])
    }

    /// Plans the changes with arguments of `terraform plan`, such as `-destroy`, `-refresh-only`, `-refresh=false`,
    /// `-target=notes_note.a`, `-replace=notes_note.a`, `-generate-config-out=generated.tf` or `-allow-deferral`. In process,
    /// other arguments are errors; `-parallelism`, `-lock`, `-lock-timeout` and `-input` have no effect.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn plan_with(&self, arguments: &[&str]) -> Result<Plan> {
        match &self.runner {
            RunnerState::InProcess(simulation) => self.simulate_plan(simulation, arguments),
            RunnerState::Cli(_) => self.run_plan(arguments),
        }
    }

    /// Plans and applies the changes.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn apply(&self) -> Result<Output> {
        self.apply_with(&["apply"], &[])
    }

    /// Applies a plan.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one, or if the plan is one of another runner.
    pub fn apply_plan(&self, plan: &Plan) -> Result<Output> {
        match (&self.runner, &plan.source) {
            (RunnerState::InProcess(simulation), PlanSource::Simulated(simulated)) => {
                self.simulate_apply(simulation, plan, simulated)
            }
            (RunnerState::Cli(_), PlanSource::File(file)) => {
                self.keep_imported(plan);
                self.run_json(&["apply", "-input=false", &file.display().to_string()])?.expect_success()
            }
            (RunnerState::InProcess(_), PlanSource::File(_)) => Err(Error::new(
                "a plan file cannot be applied in process: apply it with the workspace that created it",
            )),
            (RunnerState::Cli(_), PlanSource::Simulated(_)) => {
                Err(Error::new("a plan created in process can only be applied in process"))
            }
        }
    }

    /// Destroys all objects.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn destroy(&self) -> Result<Output> {
        self.apply_with(&["destroy"], &["-destroy"])
    }

    /// Reads all objects and updates the state, without changing any object.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn refresh(&self) -> Result<Output> {
        self.apply_with(&["apply", "-refresh-only"], &["-refresh-only"])
    }

    /// Runs a command of a CLI. In process, plans with `arguments` and applies the plan; the output contains the warnings of both.
    fn apply_with(&self, command: &[&str], arguments: &[&str]) -> Result<Output> {
        if let RunnerState::Cli(_) = &self.runner {
            let command = [command, &["-input=false", "-auto-approve"]].concat();
            return self.run_json(&command)?.expect_success();
        }
        let plan = self.plan_with(arguments)?;
        let mut output = self.apply_plan(&plan)?;
        let is_new = |it: &&Diagnostic| !output.diagnostics.contains(it);
        let warnings: Vec<Diagnostic> = plan.warnings().iter().filter(is_new).cloned().collect();
        warnings.into_iter().for_each(|it| output.report(it));
        Ok(output)
    }

    /// Imports an existing object by its import ID. The configuration must contain the address.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one.
    pub fn import(&self, address: &str, id: &str) -> Result<Output> {
        lock(&self.external_objects).insert(address.to_owned());
        match &self.runner {
            RunnerState::InProcess(simulation) => {
                let run = |it: &mut Simulation| it.import(address, id);
                self.simulate(simulation, &["import", address, id], run, Vec::clone).map(|(_, output)| output)
            }
            RunnerState::Cli(_) => self.run_text(&["import", "-input=false", address, id]),
        }
    }

    /// Marks an object as tainted, so that the next apply replaces it.
    ///
    /// # Errors
    ///
    /// Returns an error if the state does not contain the object.
    pub fn taint(&self, address: &str) -> Result<Output> {
        self.change_state("taint", address, Simulation::taint)
    }

    /// Removes the mark of [`taint`](Workspace::taint).
    ///
    /// # Errors
    ///
    /// Returns an error if the state does not contain the object.
    pub fn untaint(&self, address: &str) -> Result<Output> {
        self.change_state("untaint", address, Simulation::untaint)
    }

    fn change_state(
        &self,
        command: &str,
        address: &str,
        change: fn(&mut Simulation, &str) -> Result<(), Vec<Diagnostic>>,
    ) -> Result<Output> {
        match &self.runner {
            RunnerState::InProcess(simulation) => {
                let run = |it: &mut Simulation| change(it, address);
                self.simulate(simulation, &[command, address], run, |()| Vec::new()).map(|(_, output)| output)
            }
            RunnerState::Cli(_) => self.run_text(&[command, address]),
        }
    }

    /// Validates the configuration. An invalid configuration is a [`Validation`], not an error.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI does not print a validation result.
    pub fn validate(&self) -> Result<Validation> {
        match &self.runner {
            RunnerState::InProcess(simulation) => {
                lock(&self.steps).push("validate".to_owned());
                Ok(Validation::from_json(&lock(simulation).validate()))
            }
            RunnerState::Cli(_) => {
                self.install_modules()?;
                let output = self.run(&["validate", "-json"])?;
                Ok(Validation::from_json(&output.json("the validation")?))
            }
        }
    }

    /// Lists the objects of the `list` blocks in the query files, such as `notes.tfquery.hcl`.
    ///
    /// # Errors
    ///
    /// Returns an error if Terraform or a provider reports one, or if the CLI does not support
    /// [list resources](Feature::ListResources).
    pub fn query(&self) -> Result<Vec<QueryResult>> {
        match &self.runner {
            RunnerState::InProcess(simulation) => {
                let found = self.simulate(simulation, &["query"], Simulation::query, |_| Vec::new())?;
                Ok(found.0)
            }
            RunnerState::Cli(runner) => {
                if !runner.cli().supports(Feature::ListResources)? {
                    return Err(Error::new(format!("{} does not support list resources", self.runner())));
                }
                let mut found = Vec::new();
                self.run_messages(&["query"], |message| {
                    if message["type"] == "list_resource_found" {
                        found.push(QueryResult::from_json(&message["list_resource_found"]));
                    }
                })?
                .expect_success()?;
                Ok(found)
            }
        }
    }

    /// Returns the state.
    ///
    /// # Errors
    ///
    /// Returns an error if the CLI reports one.
    pub fn state(&self) -> Result<State> {
        match &self.runner {
            RunnerState::InProcess(simulation) => Ok(State::from_json(lock(simulation).state())),
            RunnerState::Cli(runner) => {
                let output = runner.run(&["show", "-json"])?.expect_success()?;
                Ok(State::from_json(output.json("the state")?))
            }
        }
    }

    /// Returns the value of an output.
    ///
    /// # Errors
    ///
    /// Returns an error if the output does not exist.
    pub fn output(&self, name: &str) -> Result<Json> {
        match &self.runner {
            RunnerState::InProcess(simulation) => {
                let outputs = lock(simulation).outputs();
                let output = outputs.get(name).map(|it| it["value"].clone());
                output.ok_or_else(|| Error::new(format!("there is no output {name}")))
            }
            RunnerState::Cli(runner) => {
                let output = runner.run(&["output", "-json", name])?.expect_success()?;
                output.json("the output")
            }
        }
    }

    /// Runs `plan` of the CLI.
    fn run_plan(&self, arguments: &[&str]) -> Result<Plan> {
        let runner = self.runner.cli("a plan file of `terraform plan`")?;
        let count = self.plans.fetch_add(1, Ordering::Relaxed);
        let file = self.directory.path().join(format!("{count}.tfplan"));
        let (path, out) = (file.display().to_string(), format!("-out={}", file.display()));
        let output =
            self.run_json(&[&["plan", "-input=false", "-detailed-exitcode", &out], arguments].concat())?;
        // With `-detailed-exitcode`, the exit code 2 is that of a plan with changes.
        let is_empty = output.code == Some(0);
        let output = if output.code == Some(2) { output } else { output.expect_success()? };
        let content = runner.run(&["show", "-json", &path])?.expect_success()?;
        let shown = runner.run(&["show", &path])?.expect_success()?;
        let text = output.stdout + &shown.stdout;
        let content = content.json("the plan")?;
        Plan::from_json(
            PlanSource::File(file),
            Some(text),
            is_empty,
            content,
            output.diagnostics,
            self.schemas(),
        )
    }

    fn simulate_plan(&self, simulation: &Mutex<Simulation>, arguments: &[&str]) -> Result<Plan> {
        let options = PlanOptions::from_arguments(arguments)?;
        let command = [&["plan"], arguments].concat();
        let (plan, _) =
            self.simulate(simulation, &command, |it| it.plan(&options), |plan| plan.warnings.clone())?;
        if let (Some(file), Some(text)) = (&options.generate_config_out, &plan.generated_config) {
            fs::write(self.path().join(file), text)
                .map_err(Error::context(format!("cannot write {file}")))?;
        }
        let (is_empty, content, warnings) = (plan.is_empty, plan.json.clone(), plan.warnings.clone());
        let source = PlanSource::Simulated(Arc::new(plan));
        Plan::from_json(source, None, is_empty, content, warnings, self.schemas())
    }

    fn simulate_apply(
        &self,
        simulation: &Mutex<Simulation>,
        plan: &Plan,
        simulated: &SimulatedPlan,
    ) -> Result<Output> {
        self.keep_imported(plan);
        let (_, mut output) = self.simulate(simulation, &["apply"], |it| it.apply(simulated), Vec::clone)?;
        let Counts { imported, added, changed, destroyed } = Counts::of(plan.changes());
        let imported = if imported > 0 { format!("{imported} imported, ") } else { String::new() };
        output.stdout = format!(
            "{plan}\nApply complete! Resources: {imported}{added} added, {changed} changed, {destroyed} destroyed.\n{}",
            output.stdout,
        );
        Ok(output)
    }

    /// Excludes the objects that a plan imports from the cleanup.
    fn keep_imported(&self, plan: &Plan) {
        let imported = plan.changes().iter().filter(|it| it.is_imported());
        lock(&self.external_objects).extend(imported.map(|it| it.address.clone()));
    }

    /// Runs a step in process. `warnings` returns the warnings of a successful step.
    fn simulate<T>(
        &self,
        simulation: &Mutex<Simulation>,
        command: &[&str],
        run: impl FnOnce(&mut Simulation) -> Result<T, Vec<Diagnostic>>,
        warnings: impl FnOnce(&T) -> Vec<Diagnostic>,
    ) -> Result<(T, Output)> {
        let command = command.join(" ");
        lock(&self.steps).push(command.clone());
        let result = self.monitor.log.capture(|| run(&mut lock(simulation)));
        let mut output = Output::empty(command, i32::from(result.is_err()));
        let diagnostics = match &result {
            Ok(value) => warnings(value),
            Err(diagnostics) => diagnostics.clone(),
        };
        diagnostics.into_iter().for_each(|it| output.report(it));
        match result {
            Ok(value) => Ok((value, output)),
            Err(_) => Err(Error::with_output(format!("`{}` failed", output.command), output)),
        }
    }

    /// Runs the CLI with `-json`, and returns its messages as text.
    fn run_json(&self, arguments: &[&str]) -> Result<Output> {
        self.run_messages(arguments, |message| {
            let change = &message["change"];
            if !change["importing"].is_null() {
                lock(&self.external_objects).insert(json::string(&change["resource"]["addr"]));
            }
        })
    }

    fn run_messages(&self, arguments: &[&str], visit: impl FnMut(&Json)) -> Result<Output> {
        self.install_modules()?;
        lock(&self.steps).push(arguments.join(" "));
        let (command, options) = arguments.split_at(1);
        let runner = self.runner.cli(&format!("`terraform {}`", arguments.join(" ")))?;
        let output = runner.run(&[command, &["-json"], options].concat())?.parse_messages(visit);
        self.monitor.check(&output);
        Ok(output)
    }

    /// Runs a command of the CLI that does not support `-json`.
    fn run_text(&self, arguments: &[&str]) -> Result<Output> {
        self.install_modules()?;
        let output = parse_text_diagnostics(self.run(arguments)?);
        self.monitor.check(&output);
        output.expect_success()
    }

    /// Installs local modules, if a directory contains one.
    fn install_modules(&self) -> Result<()> {
        if !has_module(&self.path()).map_err(Error::context("cannot read the configuration"))? {
            return Ok(());
        }
        let output = self.runner.cli("`terraform get`")?.run(&["get"])?;
        parse_text_diagnostics(output).expect_success().map(drop)
    }

    /// The schemas of the providers, to print plans.
    fn schemas(&self) -> Arc<Schemas> {
        let attached = self.attached.iter().map(|it| (it.address.clone(), (it.create)())).collect();
        Arc::new(Schemas::new(attached, &self.binaries))
    }
}

/// Parses the diagnostics of a command that does not support `-json`.
fn parse_text_diagnostics(mut output: Output) -> Output {
    output.diagnostics = Diagnostic::parse_text(&output.stdout);
    output.diagnostics.extend(Diagnostic::parse_text(&output.stderr));
    output.diagnostics.retain(|it| !it.is_about_overrides());
    output
}

/// Returns true if a directory below this one contains a file of a configuration.
fn has_module(directory: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let is_configuration = |it: io::Result<fs::DirEntry>| {
            it.is_ok_and(|it| is_configuration_file(&it.file_name().to_string_lossy()))
        };
        if path.is_dir() && (fs::read_dir(&path)?.any(is_configuration) || has_module(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}
