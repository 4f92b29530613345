//! The calls that core makes for a resource, in its order, and what it does with the answers.

use ferroform::engine::{ApplyRequest, PlanRequest, ReadRequest, contract};
use ferroform::schema::Block;
use ferroform::value::{Path, Type, Value, json};
use ferroform::{Diagnostic, Diagnostics, Result};

use crate::law::Breach;
use crate::propose::proposed;
use crate::{Action, Diff, Instance, Law};

/// What the state holds of an object.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) value: Value,
    pub(crate) private: Vec<u8>,
    pub(crate) tainted: bool,
}

/// A change that is planned.
pub(crate) struct Change {
    pub(crate) action: Action,
    pub(crate) planned: Value,
    pub(crate) private: Vec<u8>,
    pub(crate) requires_replace: Vec<Path>,
    pub(crate) warnings: Diagnostics,
}

impl Instance {
    fn block(&self) -> &Block {
        &self.resource.schema().block
    }

    fn ty(&self) -> Type {
        self.block().ty()
    }

    /// Validates and plans.
    #[track_caller]
    pub(crate) fn change(&self, config: &Value) -> Result<Change> {
        let step = format!("the validation of {}", self.type_name);
        self.core.secrets().note(self.block(), config);
        let sent = self.core.crossing(&step, config, &self.ty());
        let left_out = self.core.left_out(&self.type_name, &sent);
        let answer = self.core.server().validate_resource(&self.type_name, sent, true);
        let mut warnings = self.core.call(&step, answer)?;
        warnings.extend(self.core.heard(&step, left_out)?);

        let tainted = self.stored.as_ref().is_some_and(|it| it.tainted);
        let prior = self.stored.as_ref().filter(|it| !it.tainted);
        let nothing = (Value::Null, Vec::new());
        let (before, private) = prior.map_or(nothing, |it| (it.value.clone(), it.private.clone()));
        let mut change = self.plan_once(config, &before, private)?;
        if change.action == Action::Replace {
            // The new object knows nothing of the old one.
            let again = self.plan_once(config, &Value::Null, change.private)?;
            change.planned = again.planned;
            change.private = again.private;
        }
        if tainted {
            change.action = Action::Replace;
        }
        warnings.extend(std::mem::take(&mut change.warnings));
        Ok(Change { warnings, ..change })
    }

    /// One call of PlanResourceChange, and what core checks of the answer.
    #[track_caller]
    fn plan_once(&self, config: &Value, prior: &Value, private: Vec<u8>) -> Result<Change> {
        let step = format!("the plan of {}", self.type_name);
        let (block, ty) = (self.block(), self.ty());
        let cross = |it: &Value| self.core.crossing(&step, it, &ty);
        let request = PlanRequest {
            type_name: self.type_name.clone(),
            prior: Some(cross(prior)),
            proposed: Some(cross(&proposed(block, prior, config))),
            config: Some(cross(config)),
            prior_private: private,
        };
        let response =
            self.core.ask(&step, self.core.server().plan(request), |it| self.note(it.planned.as_ref()));
        let warnings = self.core.heard(&step, response.diagnostics)?;
        let Some(planned) = response.planned.filter(|it| !it.is_null()) else {
            let what = "an object is configured, but none is planned";
            self.core.judge(Breach::new(Law::PlanKeepsConfiguration, &step, Path::ROOT, what));
            return Err(Diagnostic::error(what).into());
        };
        self.core.uphold(Law::PlanKeepsConfiguration, &step, &contract::conforms(&planned, &ty));
        self.core.uphold(Law::PlanKeepsConfiguration, &step, &contract::plan(block, config, prior, &planned));
        let planned = cross(&planned);
        let requires_replace = self.replacements(&step, prior, &planned, response.requires_replace);
        let action = match prior {
            Value::Null => Action::Create,
            _ if !requires_replace.is_empty() => Action::Replace,
            _ if planned == *prior => Action::NoOp,
            _ => Action::Update,
        };
        Ok(Change { action, planned, private: response.private, requires_replace, warnings })
    }

    /// The places that core counts: those that have changed.
    #[track_caller]
    fn replacements(&self, step: &str, prior: &Value, planned: &Value, places: Vec<Path>) -> Vec<Path> {
        if prior.is_null() {
            return Vec::new();
        }
        let counts = |place: &Path| match (prior.at(place), planned.at(place)) {
            (None, None) => {
                let what = "this needs a new object, says the plan; but there is no such place";
                self.core.judge(Breach::new(Law::PlanKeepsConfiguration, step, place.clone(), what));
                false
            }
            (old, new) => {
                let write_only = matches!(place.steps(), [ferroform::value::Step::Attribute(name)]
                    if self.block().get(name).is_some_and(|it| it.write_only));
                let null = &Value::Null;
                write_only
                    || old.unwrap_or(null) != new.unwrap_or(null)
                    || new.is_some_and(|it| !it.is_wholly_known())
            }
        };
        places.into_iter().filter(counts).collect()
    }

    /// Does what is planned, with the configuration as it turned out, and answers the warnings.
    #[track_caller]
    pub(crate) fn carry_out(&mut self, change: Change, config: &Value) -> Result<Diagnostics> {
        let mut warnings = Diagnostics::new();
        if !config.is_wholly_known() {
            let unknown = "only a configuration that is wholly known can be applied: see `apply_once_known`";
            return Err(Diagnostic::error(unknown).into());
        }
        match change.action {
            Action::NoOp | Action::Delete => return Ok(warnings),
            Action::Replace => warnings.extend(self.delete()?),
            Action::Create | Action::Update => {}
        }
        // Once more, now that everything before it has been applied.
        let last = self.change(config)?;
        let step = format!("the final plan of {}", self.type_name);
        let wanted = if change.action == Action::Replace { Action::Create } else { change.action };
        let became_nothing = wanted == Action::Update && last.action == Action::NoOp;
        if last.action != wanted && !became_nothing {
            let what = format!("first the plan was to {wanted}, now it is to {}", last.action);
            self.core.judge(Breach::new(Law::FinalPlanKeepsPlan, &step, Path::ROOT, what));
        }
        let found = contract::final_plan(self.block(), &change.planned, &last.planned);
        self.core.uphold(Law::FinalPlanKeepsPlan, &step, &found);
        if !became_nothing {
            warnings.extend(self.apply_once(last, config)?);
        }
        Ok(warnings)
    }

    /// One call of ApplyResourceChange that creates or updates.
    #[track_caller]
    fn apply_once(&mut self, change: Change, config: &Value) -> Result<Diagnostics> {
        let creates = change.action == Action::Create;
        let doing = if creates { "creation" } else { "update" };
        let step = format!("the {doing} of {}", self.type_name);
        let ty = self.ty();
        let cross = |it: &Value| self.core.crossing(&step, it, &ty);
        let prior = self.stored.as_ref().map_or(Value::Null, |it| it.value.clone());
        let request = ApplyRequest {
            type_name: self.type_name.clone(),
            prior: Some(cross(&prior)),
            planned: Some(cross(&change.planned)),
            config: Some(cross(config)),
            planned_private: change.private,
        };
        let response =
            self.core.ask(&step, self.core.server().apply(request), |it| self.note(it.state.as_ref()));
        let failed = response.diagnostics.has_error();
        let state = response.state.unwrap_or(Value::Null);
        if !state.is_null() {
            self.store(&step, state.clone(), response.private, creates && failed);
        }
        let warnings = self.core.heard(&step, response.diagnostics)?;
        if state.is_null() {
            let what = "an object is planned, but there is none afterwards, and no error";
            self.core.judge(Breach::new(Law::StateKeepsPlan, &step, Path::ROOT, what));
        }
        let found = contract::result(self.block(), &change.planned, &state);
        self.core.uphold(Law::StateKeepsPlan, &step, &found);
        Ok(warnings)
    }

    /// One call of ApplyResourceChange that deletes.
    #[track_caller]
    fn delete(&mut self) -> Result<Diagnostics> {
        let step = format!("the deletion of {}", self.type_name);
        let Some(stored) = self.stored.clone() else {
            return Ok(Diagnostics::new());
        };
        let request = ApplyRequest {
            type_name: self.type_name.clone(),
            prior: Some(self.core.crossing(&step, &stored.value, &self.ty())),
            planned: Some(Value::Null),
            config: Some(Value::Null),
            planned_private: stored.private,
        };
        let response =
            self.core.ask(&step, self.core.server().apply(request), |it| self.note(it.state.as_ref()));
        match response.state.filter(|it| !it.is_null()) {
            Some(state) if response.diagnostics.has_error() => {
                self.store(&step, state, response.private, stored.tainted);
            }
            Some(_) => {
                let what = "it was deleted without an error, but a state came back";
                self.core.judge(Breach::new(Law::DestroyLeavesNothing, &step, Path::ROOT, what));
            }
            None => self.stored = None,
        }
        self.core.heard(&step, response.diagnostics)
    }

    /// Deletes, and looks whether something is left.
    #[track_caller]
    pub(crate) fn try_destroy(&mut self) -> Result<()> {
        self.try_refresh()?;
        let Some(last) = self.stored.clone() else {
            return Ok(());
        };
        self.delete()?;
        let step = format!("reading {} after its deletion", self.type_name);
        let (left, _, _) = self.read_once(&step, &last)?;
        if !left.is_null() {
            let what = "reading what was deleted gives an object still";
            self.core.judge(Breach::new(Law::DestroyLeavesNothing, &step, Path::ROOT, what));
        }
        Ok(())
    }

    /// Reads, keeps what was read, and answers what has changed.
    #[track_caller]
    pub(crate) fn try_refresh(&mut self) -> Result<Diff> {
        let step = format!("the reading of {}", self.type_name);
        let before = self.state();
        let Some(stored) = self.stored.clone() else { unreachable!("`state` has seen it") };
        let (read, private, warnings) = self.read_once(&step, &stored)?;
        let action = match &read {
            Value::Null => Action::Delete,
            it if *it == stored.value => Action::NoOp,
            _ => Action::Update,
        };
        let after = (!read.is_null()).then(|| self.snapshot(&read));
        self.stored = None;
        if after.is_some() {
            self.store(&step, read, private, stored.tainted);
        }
        Ok(Diff { action, before: Some(before), after, requires_replace: Vec::new(), warnings })
    }

    /// One call of ReadResource.
    #[track_caller]
    fn read_once(&self, step: &str, stored: &Stored) -> Result<(Value, Vec<u8>, Diagnostics)> {
        let request = ReadRequest {
            type_name: self.type_name.clone(),
            state: Some(self.core.crossing(step, &stored.value, &self.ty())),
            private: stored.private.clone(),
        };
        let response =
            self.core.ask(step, self.core.server().read(request), |it| self.note(it.state.as_ref()));
        let warnings = self.core.heard(step, response.diagnostics)?;
        Ok((response.state.unwrap_or(Value::Null), response.private, warnings))
    }

    /// Imports, and reads what was imported.
    #[track_caller]
    pub(crate) fn try_import(&mut self, id: &str) -> Result<()> {
        let step = format!("the import of {}", self.type_name);
        if self.stored.is_some() {
            let there = "Resource already managed by Terraform";
            return Err(Diagnostic::error(there).into());
        }
        let answer = self.core.server().import(&self.type_name, id.into());
        let (state, found) = self.core.ask(&step, answer, |(it, _)| self.note(it.as_ref().map(|it| &it.0)));
        self.core.heard(&step, found)?;
        let Some((state, private)) = state.filter(|it| !it.0.is_null()) else {
            return Err(Diagnostic::error("Import returned null resource").into());
        };
        self.store(&step, state, private, false);
        if self.try_refresh()?.after.is_none() {
            let detail = "The object was imported, but reading it found nothing.";
            return Err(Diagnostic::error("Cannot import non-existent remote object").detail(detail).into());
        }
        // Reading may fill in what the import left out, but only once.
        let again = self.try_refresh()?;
        if again.action != Action::NoOp {
            let what = format!("reading once more gave:\n{again}");
            self.core.judge(Breach::new(Law::ReadingAgainChangesNothing, &step, Path::ROOT, what));
        }
        Ok(())
    }

    /// Keeps a state, as JSON and back: core reads it from its file at the next step.
    #[track_caller]
    fn store(&mut self, step: &str, value: Value, private: Vec<u8>, tainted: bool) {
        self.core.uphold(Law::StateIsWhole, step, &contract::state(self.block(), &value));
        let value = self.core.crossing(step, &value, &self.ty());
        let version = self.resource.schema().version;
        let stored = json::encode(&value, &self.ty()).map_err(Diagnostics::from);
        let read = stored.and_then(|it| self.core.server().upgrade(&self.type_name, version, &it));
        let fault = match read {
            Ok(it) if it == value => None,
            Ok(_) => Some("it is another one after it was stored as JSON".to_owned()),
            Err(errors) => Some(format!("it cannot be stored as JSON and read again: {errors}")),
        };
        if let Some(what) = fault {
            self.core.judge(Breach::new(Law::EncodingsKeepValues, step, Path::ROOT, what));
        }
        self.stored = Some(Stored { value, private, tainted });
    }

    fn note(&self, value: Option<&Value>) {
        if let Some(it) = value {
            self.core.secrets().note(self.block(), it);
        }
    }
}
