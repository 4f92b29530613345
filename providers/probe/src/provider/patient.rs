//! The resource `probe_patient`: `create` waits until the test changes the stage in the object's file.

use std::time::Duration;

use ferroform::wait::{Backoff, Wait};
use ferroform::{ApplyCx, Cx, Model, Planned, ReadCx, Resource, Result, Timeouts, path};
use serde::{Deserialize, Serialize};

use super::{Probe, Team};

/// The stage of the object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Stage {
    Waiting,
    Ready,
    Lost,
}

/// The content of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    stage: Stage,
    note: Option<String>,
    team: Option<String>,
}

/// An object that the test makes ready.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Patient {
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The team in the provider metadata of the module that created the object.
    #[attr(computed)]
    team: Option<String>,
    #[attr(block, timeouts(create = "30m", delete))]
    timeouts: Option<Timeouts>,
}

/// The same resource with timeouts in an attribute, which protocol 5 does not support.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Outpatient {
    #[attr(requires_replace)]
    name: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The timeouts of the methods.
    #[attr(timeouts(create = "30m"))]
    timeouts: Option<Timeouts>,
}

fn team(cx: &Cx<Probe>) -> Result<Option<String>> {
    Ok(cx.provider_meta::<Team>()?.and_then(|it| it.team.known()).flatten())
}

async fn ready(cx: &Cx<Probe>, name: &str) -> Result<()> {
    let poll = || async {
        tracing::info!("looking at the patient");
        Ok(cx.provider.store.read::<Stored>(name)?.map(|it| (it.stage, ())))
    };
    Wait::new("the patient")
        .pending([Stage::Waiting])
        .target([Stage::Ready])
        .backoff(Backoff::constant(Duration::from_millis(50)))
        .run(cx, poll)
        .await
}

impl Resource for Patient {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PatientComputed> {
        let id = format!("patient/{}", plan.name);
        let team = team(cx)?;
        cx.provider
            .store
            .write(&plan.name, &Stored { stage: Stage::Waiting, note: plan.note, team: team.clone() })?;
        cx.checkpoint_at(path!(id), &id);
        ready(cx, &plan.name).await?;
        Ok(PatientComputed { id, team })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let stored: Option<Stored> = cx.provider.store.read(&state.name)?;
        // The file does not contain the timeouts. The engine keeps them in the state.
        Ok(stored.map(|it| Patient { note: it.note, team: it.team, timeouts: None, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<PatientComputed> {
        let team = team(cx)?;
        cx.provider
            .store
            .write(&plan.name, &Stored { stage: Stage::Ready, note: plan.note, team: team.clone() })?;
        Ok(PatientComputed { id: prior.id, team })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}

impl Resource for Outpatient {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<OutpatientComputed> {
        cx.provider.store.write(&plan.name, &Stored { stage: Stage::Waiting, note: None, team: None })?;
        ready(cx, &plan.name).await?;
        Ok(OutpatientComputed { id: plan.name })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let stored: Option<Stored> = cx.provider.store.read(&state.name)?;
        Ok(stored.map(|_| state))
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.name)
    }
}
