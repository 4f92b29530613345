//! Runs a case on a runner.

use std::collections::BTreeSet;
use std::fs;

use ferroform_testing::Invariant;
use ferroform_testing::workspace::{Diagnostic, Error, Json, Result, Runner, StoredObject, Workspace};
use serde_json::{Map, json};

use crate::case::{Case, Preparation, Step};
use crate::normalize;
use crate::provider::{self, Corpus};

/// The providers of a module, which is in a directory.
const PROVIDERS: &str = "terraform {\n  required_providers {\n    corpus = {\n      source = \"registry.terraform.io/example/corpus\"\n    }\n  }\n}\n";

/// Returns the results of the steps. An error of Terraform or the provider is a result.
///
/// # Errors
///
/// Returns an error if a step cannot be run.
pub(crate) fn run(case: &Case, runner: &Runner) -> Result<Json> {
    provider::reset();
    // The diagnostics of the corpus are about Terraform, and its secrets are short.
    let workspace = Workspace::on(runner)?.attach::<Corpus>()?.skip_check(Invariant::SecretsAreRedacted);
    let mut results = Vec::new();
    for (position, step) in case.steps.iter().enumerate() {
        let mut result = Map::from_iter([("step".to_owned(), step.command.clone().into())]);
        let is_last = position + 1 == case.steps.len();
        prepare(&workspace, step)?;
        CaseRun { case, workspace: &workspace, is_last }.run(step, &mut result)?;
        results.push(Json::Object(result));
    }
    // The workspace would destroy the objects in its state, which exist in this process only.
    let _ = fs::remove_file(workspace.path().join("terraform.tfstate"));
    Ok(json!({ "steps": results }))
}

fn prepare(workspace: &Workspace, step: &Step) -> Result<()> {
    for preparation in &step.preparations {
        match preparation {
            Preparation::Variable(name, value) => workspace.variable(name, value.clone())?,
            Preparation::Change { service, id, attribute, value } => {
                assert!(provider::change(service, id, attribute, value.clone()), "{id} does not exist");
            }
            Preparation::Delete { service, id } => {
                assert!(provider::delete(service, id), "{id} does not exist");
            }
            Preparation::Remove(name) => workspace.remove(name)?,
            Preparation::State { address, version, attributes } => {
                workspace.write_state(&[StoredObject::new(address, *version, attributes.clone())])?;
            }
        }
    }
    for (name, text) in &step.files {
        workspace.write(name, text)?;
    }
    let modules: BTreeSet<_> =
        step.files.iter().filter_map(|(name, _)| Some(name.rsplit_once('/')?.0)).collect();
    for module in modules {
        let of_module = |it: &&(String, String)| it.0.starts_with(&format!("{module}/"));
        let declares =
            step.files.iter().filter(of_module).any(|(_, text)| text.contains("required_providers"));
        if !declares {
            workspace.write(&format!("{module}/providers.tf"), PROVIDERS)?;
        }
    }
    Ok(())
}

struct CaseRun<'a> {
    case: &'a Case,
    workspace: &'a Workspace,
    is_last: bool,
}

impl CaseRun<'_> {
    fn run(&self, step: &Step, result: &mut Map<String, Json>) -> Result<()> {
        let words: Vec<&str> = step.command.split(' ').collect();
        let workspace = self.workspace;
        match words[..] {
            ["validate"] => {
                // Terraform 1.15 reports some errors when it installs the modules.
                let diagnostics = workspace.validate().map(|it| it.diagnostics).or_else(reported)?;
                insert(result, "diagnostics", normalize::diagnostics(&diagnostics));
                return Ok(());
            }
            ["plan", ref arguments @ ..] => {
                self.plan(arguments, result)?;
                self.show_calls(result);
                if self.case.shows_generated {
                    let text = workspace.read("generated.tf").unwrap_or_default();
                    insert(result, "generated", text.replace("OpenTofu", "Terraform").lines().collect());
                }
                return Ok(());
            }
            ["query"] => {
                let found = workspace.query().map(|it| normalize::query(&it)).map(|it| (it, Vec::new()));
                let (found, errors) = found.or_else(|error| reported(error).map(|it| (Json::Null, it)))?;
                insert(result, "found", found);
                insert(result, "diagnostics", normalize::diagnostics(&errors));
                return Ok(());
            }
            ["apply", ref arguments @ ..] => self.apply(arguments, 1, result)?,
            ["apply_twice", ref arguments @ ..] => self.apply(arguments, 2, result)?,
            ["import", address, id] => {
                self.command(workspace.import(address, id).map(|it| it.diagnostics), result)?
            }
            ["taint", address] => self.command(workspace.taint(address).map(|it| it.diagnostics), result)?,
            ["untaint", address] => {
                self.command(workspace.untaint(address).map(|it| it.diagnostics), result)?
            }
            _ => panic!("{}: unknown step {}", self.case.path, step.command),
        }
        self.show_calls(result);
        let state = workspace.state()?;
        normalize::state(state.json(), self.case.shows_identity, result);
        let is_applied = step.command == "apply" && result.get("failed").is_none();
        if is_applied && self.is_last {
            let plan = workspace.plan()?;
            result.insert("second_plan".to_owned(), normalize::plan(&plan));
        }
        Ok(())
    }

    /// Adds the calls to the provider to the result. The calls of the second plan and of `state` are ignored.
    fn show_calls(&self, result: &mut Map<String, Json>) {
        let mut calls = provider::calls();
        if !self.case.shows_reads {
            calls.retain(|it| !it.starts_with("read "));
        }
        if self.case.sorts_calls {
            calls.sort();
        }
        if self.case.shows_calls {
            insert(result, "calls", calls.into());
        }
    }

    /// Plans, and adds the plan and the diagnostics to the result.
    fn plan(
        &self,
        arguments: &[&str],
        result: &mut Map<String, Json>,
    ) -> Result<Option<ferroform_testing::workspace::Plan>> {
        match self.workspace.plan_with(arguments) {
            Ok(plan) => {
                insert(result, "diagnostics", normalize::diagnostics(plan.warnings()));
                result.insert("plan".to_owned(), normalize::plan(&plan));
                Ok(Some(plan))
            }
            Err(error) => {
                result.insert("failed".to_owned(), "plan".into());
                insert(result, "diagnostics", normalize::diagnostics(&reported(error)?));
                Ok(None)
            }
        }
    }

    /// Plans once, and applies the plan `times` times, up to the first error.
    fn apply(&self, arguments: &[&str], times: usize, result: &mut Map<String, Json>) -> Result<()> {
        let Some(plan) = self.plan(arguments, result)? else { return Ok(()) };
        for _ in 0..times {
            match self.workspace.apply_plan(&plan) {
                Ok(output) => {
                    insert(result, "apply_diagnostics", normalize::diagnostics(&output.diagnostics));
                }
                Err(error) => {
                    result.insert("failed".to_owned(), "apply".into());
                    insert(result, "apply_diagnostics", normalize::diagnostics(&reported(error)?));
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds the diagnostics of a command to the result.
    fn command(&self, done: Result<Vec<Diagnostic>>, result: &mut Map<String, Json>) -> Result<()> {
        let diagnostics = match done {
            Ok(it) => it,
            Err(error) => {
                result.insert("failed".to_owned(), "command".into());
                reported(error)?
            }
        };
        insert(result, "diagnostics", normalize::diagnostics(&diagnostics));
        Ok(())
    }
}

/// Returns the diagnostics of a failed step.
///
/// # Errors
///
/// Returns the error if it has none, because it is not one of Terraform or the provider.
fn reported(error: Error) -> Result<Vec<Diagnostic>> {
    match error.diagnostics() {
        [] => Err(error),
        diagnostics => Ok(diagnostics.to_vec()),
    }
}

/// Inserts a value that is not empty.
fn insert(result: &mut Map<String, Json>, name: &str, value: Json) {
    if !normalize::is_empty(&value) {
        result.insert(name.to_owned(), value);
    }
}
