//! The rows' way through Terraform: a plan and an apply for each round, of all rows at once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ferroform_testing::cli::{Json, Plan, PlannedAction, ResourceChange, StoredObject};
use serde_json::json;

use super::{Row, Step, Wants};
use crate::common::{Bench, Outcome, Probe};

/// What the environment says in each round; nothing after these.
const AROUND: [&str; 3] = ["one", "second", ""];

pub(super) fn all(probe: Probe, rows: Vec<Row>) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let (refused, rest): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|it| matches!(it.steps[0].wants, Wants::Refused(_)));
    let mut faults = Vec::new();
    let outcome = Run { bench, faults: &mut faults }.through(&refused, &rest);
    let outcome = outcome.err().map(|it| it.to_string()).unwrap_or_default();
    assert!(
        faults.is_empty() && outcome.is_empty(),
        "{} faults:\n{}\n{outcome}",
        faults.len(),
        faults.join("\n")
    );
    Ok(())
}

struct Run<'a> {
    bench: Bench,
    /// What is not as a row says.
    faults: &'a mut Vec<String>,
}

impl Run<'_> {
    fn through(mut self, refused: &[Row], rest: &[Row]) -> Outcome {
        self.refused(refused)?;
        // States that core itself does not take.
        let (alone, rest): (Vec<&Row>, Vec<&Row>) =
            rest.iter().partition(|it| it.stored.is_some() && it.steps[0].is_failure());
        for row in alone {
            self.store(&[row])?;
            self.failing(&[(row, &row.steps[0])], 0)?;
        }
        self.store(&rest)?;
        for round in 0..rest.iter().map(|it| it.steps.len()).max().unwrap_or_default() {
            let around = AROUND.get(round).copied().unwrap_or_default();
            let space = self.bench.space.env("FERROFORM_MATRIX", around);
            self.bench.space = space.env("FERROFORM_MATRIX_NEEDED", around);
            self.round(&rest, round)?;
        }
        Ok(())
    }

    fn fault(&mut self, row: &Row, what: impl std::fmt::Display) {
        self.faults.push(format!("{}: {what}", row.name));
    }

    fn address(&self, row: &Row) -> String {
        self.bench.own(&format!("probe_{}.{}", row.of, row.label()))
    }

    /// The objects' configuration, each with the line where it begins.
    fn configure<'a>(
        &self,
        all: impl Iterator<Item = (&'a Row, &'a Step)>,
        round: usize,
    ) -> Result<BTreeMap<usize, &'a Row>, Box<dyn std::error::Error>> {
        let mut text = String::new();
        for it in 0..=round {
            writeln!(text, "resource \"terraform_data\" \"round_{it}\" {{\n  input = \"later\"\n}}")?;
        }
        let mut lines = BTreeMap::new();
        for (row, step) in all {
            lines.insert(text.lines().count() + 1, row);
            let config =
                step.config.replace("LATER", &format!("terraform_data.round_{}.output", row.at(step)));
            let label = row.label();
            writeln!(
                text,
                "resource \"probe_{}\" \"{label}\" {{\n  name = \"{label}\"\n  {config}\n}}",
                row.of
            )?;
        }
        self.bench.configure(&text)?;
        Ok(lines)
    }

    /// What is refused before anything is planned, all of it at once.
    fn refused(&mut self, rows: &[Row]) -> Outcome {
        let lines = self.configure(rows.iter().map(|it| (it, &it.steps[0])), 0)?;
        let found = self.bench.space.validate_json()?.diagnostics;
        for row in rows {
            let Wants::Refused(said) = row.steps[0].wants else { continue };
            let own = |place: &str| {
                let line: usize = place.strip_prefix("main.tf:")?.parse().ok()?;
                lines.range(..=line).next_back().map(|(_, row)| row.name)
            };
            let mine: Vec<String> = found
                .iter()
                .filter(|it| it.is_error && own(&it.location) == Some(row.name))
                .map(|it| format!("{}: {}", it.summary, it.detail))
                .collect();
            if mine.len() != 1 || !mine[0].contains(said) {
                self.fault(row, format!("one error with {said:?} is wanted, but there is {mine:?}"));
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
            let text = attributes.to_string().replace("NAME", &row.label());
            stored.push(StoredObject::new(self.address(row), *version, serde_json::from_str(&text)?));
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

        // A row that fails or has come to its end stays as it was, and nothing may be left to do.
        let now: Vec<(&Row, &Step)> = rows.iter().filter_map(|row| Some((*row, row.last(round)?))).collect();
        for (row, step) in &now {
            if let Some((attribute, value)) = step.drift.filter(|_| row.steps.get(round).is_some()) {
                let found = json!({ attribute: value });
                std::fs::write(self.bench.file(&row.label()), found.to_string())?;
            }
        }
        self.configure(now.iter().copied(), round)?;
        let plan = self.bench.space.plan()?;
        let mut breaks = Vec::new();
        for (row, step) in &now {
            match row.steps.get(round) {
                Some(_) if !row.steps[round].is_failure() => {
                    self.planned(row, step, &plan)?;
                    breaks.extend(step.breaks.map(|said| (*row, said)));
                }
                _ => self.still(row, &plan)?,
            }
        }
        let applied = self.bench.space.run(&["apply", "-input=false", &plan.file().display().to_string()])?;
        if breaks.is_empty() {
            applied.expect_success()?;
        } else {
            assert_eq!(applied.stderr.matches("Error: ").count(), breaks.len(), "{applied}");
            for (row, said) in breaks {
                if !applied.contains(said) {
                    self.fault(row, format!("step {round}: apply does not say {said:?}"));
                }
            }
        }
        let state = self.bench.space.state()?;
        for (row, step) in now {
            if row.steps.get(round).is_some_and(|it| !it.is_failure()) && !step.made.is_null() {
                let values = &state.get(&self.address(row))?.values;
                self.compare(row, round, "made", &step.made, values);
            }
        }
        Ok(())
    }

    fn planned(&mut self, row: &Row, step: &Step, plan: &Plan) -> Outcome {
        let address = self.address(row);
        let change: &ResourceChange = plan.change(&address)?;
        let round = row.at(step);
        let wanted = match step.wants {
            Wants::Create => PlannedAction::Create,
            Wants::Update => PlannedAction::Update,
            Wants::Replace => PlannedAction::Replace,
            _ => PlannedAction::NoOp,
        };
        if change.action != wanted {
            let what = format!("step {round}: {wanted:?} is wanted, but this is {:?}", change.action);
            self.fault(row, format!("{what}: {} to {}", change.before, change.after));
        }
        if change.replace_paths != step.places {
            self.fault(row, format!("step {round}: replaces because of {:?}", change.replace_paths));
        }
        for name in step.unknown {
            if !change.is_unknown(name) {
                self.fault(row, format!("step {round}: {name} is known: {}", change.after[name]));
            }
        }
        self.compare(row, round, "before", &step.before, &change.before);
        self.compare(row, round, "planned", &step.after, &change.after);
        if plan.drift().iter().any(|it| it.address == address) != step.drifts {
            self.fault(row, format!("step {round}: what was changed outside is told: {}", !step.drifts));
        }
        Ok(())
    }

    fn still(&mut self, row: &Row, plan: &Plan) -> Outcome {
        let change = plan.change(&self.address(row))?;
        if change.action != PlannedAction::NoOp {
            let what = format!("is still to be changed: {} to {}", change.before, change.after);
            self.fault(row, what);
        }
        Ok(())
    }

    fn compare(&mut self, row: &Row, round: usize, what: &str, wanted: &Json, given: &Json) {
        for (name, wanted) in wanted.as_object().into_iter().flatten() {
            // What is null is absent from an object that is planned with something unknown.
            if given.get(name).unwrap_or(&Json::Null) != wanted {
                self.fault(
                    row,
                    format!("step {round}: {name} is {} {what}, but should be {wanted}", given[name]),
                );
            }
        }
    }

    /// Plans that fail, all of them at once.
    fn failing(&mut self, rows: &[(&Row, &Step)], round: usize) -> Outcome {
        self.configure(rows.iter().copied(), round)?;
        let output = self.bench.space.run(&["plan", "-input=false", "-json"])?;
        let lines = output.stdout.lines().filter_map(|it| serde_json::from_str::<Json>(it).ok());
        let errors: Vec<Json> =
            lines.map(|it| it["diagnostic"].clone()).filter(|it| it["severity"] == "error").collect();
        for (row, step) in rows {
            let Wants::Fails(said) = step.wants else { continue };
            let address = self.address(row);
            let text = |it: &&Json| format!("{}: {}", it["summary"], it["detail"]);
            let mine: Vec<String> =
                errors.iter().filter(|it| is_about(it, &address)).map(|it| text(&it)).collect();
            if mine.len() != 1 || !mine[0].contains(said) {
                self.fault(row, format!("one error with {said:?} is wanted, but there is {errors:?}"));
            }
        }
        assert_eq!(errors.len(), rows.len(), "{errors:?}");
        Ok(())
    }
}

/// True for an error at that address. Of states of newer versions the address is in the text alone.
fn is_about(error: &Json, address: &str) -> bool {
    match error["address"].as_str() {
        Some(it) => it == address,
        None => error["detail"].as_str().is_some_and(|it| it.contains(address)),
    }
}
