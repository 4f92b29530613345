//! Runs the rows: each round plans and applies one step of all rows together.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ferroform_testing::workspace::{Json, Plan, PlannedAction, ResourceChange, StoredObject};
use serde_json::json;

use super::{Expected, Row, Step};
use crate::common::{Bench, Outcome, Probe};

/// The environment variables in each round. In later rounds they are unset.
const ENVIRONMENT: [&str; 3] = ["one", "second", ""];

pub(super) fn all(probe: Probe, rows: Vec<Row>) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (rejected, others): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|it| matches!(it.steps[0].expected, Expected::Rejected(_)));
    let mut failures = Vec::new();
    let outcome = Run { bench, failures: &mut failures }.through(&rejected, &others);
    let outcome = outcome.err().map(|it| it.to_string()).unwrap_or_default();
    assert!(
        failures.is_empty() && outcome.is_empty(),
        "{} failures:\n{}\n{outcome}",
        failures.len(),
        failures.join("\n")
    );
    Ok(())
}

struct Run<'a> {
    bench: Bench,
    /// Differences from the expectations of the rows.
    failures: &'a mut Vec<String>,
}

impl Run<'_> {
    fn through(mut self, rejected: &[Row], others: &[Row]) -> Outcome {
        self.rejected(rejected)?;
        // States that Terraform itself rejects are planned separately.
        let (rejected_states, others): (Vec<&Row>, Vec<&Row>) =
            others.iter().partition(|it| it.stored.is_some() && it.steps[0].is_failure());
        for row in rejected_states {
            self.store(&[row])?;
            self.failing(&[(row, &row.steps[0])], 0)?;
        }
        self.store(&others)?;
        for round in 0..others.iter().map(|it| it.steps.len()).max().unwrap_or_default() {
            let variable = ENVIRONMENT.get(round).copied().unwrap_or_default();
            let space = self.bench.space.env("FERROFORM_MATRIX", variable);
            self.bench.space = space.env("FERROFORM_MATRIX_NEEDED", variable);
            self.round(&others, round)?;
        }
        Ok(())
    }

    fn fail(&mut self, row: &Row, context: impl std::fmt::Display) {
        self.failures.push(format!("{}: {context}", row.name));
    }

    fn address(&self, row: &Row) -> String {
        self.bench.for_provider(&format!("probe_{}.{}", row.of, row.label()))
    }

    /// Writes the configuration of the rows. Returns the rows by their first lines.
    fn configure<'a>(
        &self,
        all: impl Iterator<Item = (&'a Row, &'a Step)>,
        round: usize,
    ) -> Result<BTreeMap<usize, &'a Row>, Box<dyn std::error::Error>> {
        let mut config = String::new();
        for it in 0..=round {
            writeln!(config, "resource \"terraform_data\" \"round_{it}\" {{\n  input = \"later\"\n}}")?;
        }
        let mut lines = BTreeMap::new();
        for (row, step) in all {
            lines.insert(config.lines().count() + 1, row);
            let arguments =
                step.config.replace("LATER", &format!("terraform_data.round_{}.output", row.at(step)));
            let label = row.label();
            writeln!(
                config,
                "resource \"probe_{}\" \"{label}\" {{\n  name = \"{label}\"\n  {arguments}\n}}",
                row.of
            )?;
        }
        self.bench.configure(&config)?;
        Ok(lines)
    }

    /// Validates all rows that are rejected by validation together.
    fn rejected(&mut self, rows: &[Row]) -> Outcome {
        let lines = self.configure(rows.iter().map(|it| (it, &it.steps[0])), 0)?;
        let found = self.bench.space.validate()?.diagnostics;
        for row in rows {
            let Expected::Rejected(message) = row.steps[0].expected else { continue };
            let row_at = |location: &str| {
                let line: usize = location.strip_prefix("main.tf:")?.parse().ok()?;
                lines.range(..=line).next_back().map(|(_, row)| row.name)
            };
            let row_errors: Vec<String> = found
                .iter()
                .filter(|it| it.is_error && row_at(&it.location) == Some(row.name))
                .map(|it| format!("{}: {}", it.summary, it.detail))
                .collect();
            if row_errors.len() != 1 || !row_errors[0].contains(message) {
                self.fail(
                    row,
                    format!("one error with {message:?} is expected, but the errors are {row_errors:?}"),
                );
            }
        }
        let errors = found.iter().filter(|it| it.is_error).count();
        assert_eq!(errors, rows.len(), "{found:?}");
        Ok(())
    }

    fn store(&self, rows: &[&Row]) -> Outcome {
        let mut stored = Vec::new();
        for row in rows {
            let Some((version, attributes)) = &row.stored else { continue };
            let json = attributes.to_string().replace("NAME", &row.label());
            stored.push(StoredObject::new(self.address(row), *version, serde_json::from_str(&json)?));
            std::fs::create_dir_all(self.bench.space.path().join("things"))?;
            let object = json!({ "name": row.label(), "note": null, "grams": 7000 });
            std::fs::write(self.bench.file(&row.label()), object.to_string())?;
        }
        Ok(self.bench.space.write_state(&stored)?)
    }

    fn round(&mut self, rows: &[&Row], round: usize) -> Outcome {
        let at = |row: &&'_ Row| row.steps.get(round).is_some_and(Step::is_failure);
        let failing: Vec<(&Row, &Step)> =
            rows.iter().copied().filter(at).map(|it| (it, &it.steps[round])).collect();
        if !failing.is_empty() {
            self.failing(&failing, round)?;
        }

        // A row that fails or has no further step must plan no change.
        let active: Vec<(&Row, &Step)> =
            rows.iter().filter_map(|row| Some((*row, row.last(round)?))).collect();
        for (row, step) in &active {
            if let Some((attribute, value)) = step.drift.filter(|_| row.steps.get(round).is_some()) {
                let found = json!({ attribute: value });
                std::fs::write(self.bench.file(&row.label()), found.to_string())?;
            }
        }
        self.configure(active.iter().copied(), round)?;
        let plan = self.bench.space.plan()?;
        let mut apply_errors = Vec::new();
        for (row, step) in &active {
            match row.steps.get(round) {
                Some(_) if !row.steps[round].is_failure() => {
                    self.planned(row, step, &plan)?;
                    apply_errors.extend(step.apply_error.map(|message| (*row, message)));
                }
                _ => self.expect_no_change(row, &plan)?,
            }
        }
        let applied = self.bench.space.run(&["apply", "-input=false", &plan.file().display().to_string()])?;
        if apply_errors.is_empty() {
            applied.expect_success()?;
        } else {
            assert_eq!(applied.stderr.matches("Error: ").count(), apply_errors.len(), "{applied}");
            for (row, message) in apply_errors {
                if !applied.contains(message) {
                    self.fail(row, format!("step {round}: apply does not report {message:?}"));
                }
            }
        }
        let state = self.bench.space.state()?;
        for (row, step) in active {
            if row.steps.get(round).is_some_and(|it| !it.is_failure()) && !step.applied.is_null() {
                let values = &state.get(&self.address(row))?.values;
                self.compare(row, round, "applied", &step.applied, values);
            }
        }
        Ok(())
    }

    fn planned(&mut self, row: &Row, step: &Step, plan: &Plan) -> Outcome {
        let address = self.address(row);
        let change: &ResourceChange = plan.change(&address)?;
        let round = row.at(step);
        let expected = match step.expected {
            Expected::Create => PlannedAction::Create,
            Expected::Update => PlannedAction::Update,
            Expected::Replace => PlannedAction::Replace,
            _ => PlannedAction::NoOp,
        };
        if change.action != expected {
            let context =
                format!("step {round}: {expected:?} is expected, but the action is {:?}", change.action);
            self.fail(row, format!("{context}: {} to {}", change.before, change.after));
        }
        if change.replace_paths != step.replace_paths {
            self.fail(row, format!("step {round}: replaces because of {:?}", change.replace_paths));
        }
        for name in step.unknown {
            if !change.is_unknown(name) {
                self.fail(row, format!("step {round}: {name} is known: {}", change.after[name]));
            }
        }
        self.compare(row, round, "before", &step.before, &change.before);
        self.compare(row, round, "planned", &step.after, &change.after);
        if plan.drift().iter().any(|it| it.address == address) != step.drifts {
            self.fail(row, format!("step {round}: the plan reports drift: {}", !step.drifts));
        }
        Ok(())
    }

    fn expect_no_change(&mut self, row: &Row, plan: &Plan) -> Outcome {
        let change = plan.change(&self.address(row))?;
        if change.action != PlannedAction::NoOp {
            let context = format!("still changes: {} to {}", change.before, change.after);
            self.fail(row, context);
        }
        Ok(())
    }

    fn compare(&mut self, row: &Row, round: usize, context: &str, expected: &Json, actual: &Json) {
        for (name, expected) in expected.as_object().into_iter().flatten() {
            // Terraform omits null attributes of a planned object that has unknown attributes.
            if actual.get(name).unwrap_or(&Json::Null) != expected {
                self.fail(
                    row,
                    format!("step {round}: {name} is {} {context}, but should be {expected}", actual[name]),
                );
            }
        }
    }

    /// Plans all failing rows together.
    fn failing(&mut self, rows: &[(&Row, &Step)], round: usize) -> Outcome {
        self.configure(rows.iter().copied(), round)?;
        let output = self.bench.space.run(&["plan", "-input=false", "-json"])?;
        let lines = output.stdout.lines().filter_map(|it| serde_json::from_str::<Json>(it).ok());
        let errors: Vec<Json> =
            lines.map(|it| it["diagnostic"].clone()).filter(|it| it["severity"] == "error").collect();
        for (row, step) in rows {
            let Expected::Fails(message) = step.expected else { continue };
            let address = self.address(row);
            let message_of = |it: &&Json| format!("{}: {}", it["summary"], it["detail"]);
            let row_errors: Vec<String> =
                errors.iter().filter(|it| is_about(it, &address)).map(|it| message_of(&it)).collect();
            if row_errors.len() != 1 || !row_errors[0].contains(message) {
                self.fail(
                    row,
                    format!("one error with {message:?} is expected, but the errors are {errors:?}"),
                );
            }
        }
        assert_eq!(errors.len(), rows.len(), "{errors:?}");
        Ok(())
    }
}

/// Returns true for an error of this resource. Errors about newer schema versions have the address only in the detail.
fn is_about(error: &Json, address: &str) -> bool {
    match error["address"].as_str() {
        Some(it) => it == address,
        None => error["detail"].as_str().is_some_and(|it| it.contains(address)),
    }
}
