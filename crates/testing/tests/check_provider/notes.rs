//! A provider with a simulated service that the checker controls. Its configuration selects a mistake.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::wait::Wait;
use ferroform::{
    Action, ApplyCx, Args, Attr, Config, Diagnostic, Diagnostics, EphemeralResource, InvokeCx, Maybe, Model,
    OpenCx, Opened, OpenedCx, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::{FaultInjection, ServiceFault};

/// A mistake of the provider.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mistake {
    FailedRequestIsTakenForMissingObject,
    LabelFailsBeforeCheckpoint,
    CreateReadsOnce,
    DeleteSwallowsErrors,
    LeaseIsNotRecorded,
    ActionSwallowsErrors,
    FailedRequestPanics,
}

use Mistake::*;

/// A note in the service.
#[derive(Clone, Debug)]
struct Stored {
    text: String,
    label: String,
}

/// The service: notes by ID, and leases.
#[derive(Clone, Default)]
pub(crate) struct Service(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    notes: BTreeMap<String, Stored>,
    /// The state before the last write, and the number of reads that return it.
    before: (BTreeMap<String, Stored>, usize),
    lag: usize,
    leases: BTreeMap<u64, String>,
    count: u64,
    requests: usize,
    fault: Option<(usize, ServiceFault, bool)>,
}

/// The response to a request that has failed.
enum ApiError {
    Missing,
    Failed(Diagnostics),
}

impl From<ApiError> for Diagnostics {
    fn from(error: ApiError) -> Diagnostics {
        match error {
            ApiError::Missing => Diagnostic::error("Not Found").into(),
            ApiError::Failed(errors) => errors,
        }
    }
}

impl Service {
    /// The service with this number, which lives longer than a configured provider.
    pub(crate) fn number(number: u64) -> Service {
        static ALL: Mutex<BTreeMap<u64, Service>> = Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(number).or_default().clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request.
    fn send<T>(&self, request: impl FnOnce(&mut State) -> Result<T, ApiError>) -> Result<T, ApiError> {
        let mut state = self.state();
        let number = state.requests;
        state.requests += 1;
        let fault = state.fault.filter(|(at, _, repeats)| number == *at || (*repeats && number > *at));
        let failed = |text: &str| ApiError::Failed(Diagnostic::error(text.to_owned()).into());
        match fault {
            None => request(&mut state),
            Some((_, ServiceFault::LostResponse, _)) => {
                let _ = request(&mut state);
                Err(failed("Connection Closed"))
            }
            Some(_) => Err(failed("Service Unavailable")),
        }
    }

    fn write<T>(&self, request: impl FnOnce(&mut State) -> Result<T, ApiError>) -> Result<T, ApiError> {
        self.send(|state| {
            state.before = (state.notes.clone(), state.lag);
            request(state)
        })
    }

    fn get(&self, id: &str) -> Result<Stored, ApiError> {
        self.send(|state| {
            let (before, reads) = &mut state.before;
            let notes = if *reads > 0 { before } else { &mut state.notes };
            *reads = reads.saturating_sub(1);
            notes.get(id).cloned().ok_or(ApiError::Missing)
        })
    }
}

impl FaultInjection for Service {
    fn request_count(&self) -> usize {
        self.state().requests
    }

    fn inject(&self, request: usize, fault: ServiceFault, repeats: bool) {
        self.state().fault = Some((request, fault, repeats));
    }

    fn clear_faults(&self) {
        let mut state = self.state();
        (state.fault, state.lag, state.before.1) = (None, 0, 0);
    }

    fn set_read_lag(&self, reads: usize) {
        self.state().lag = reads;
    }

    fn objects(&self) -> Vec<String> {
        let state = self.state();
        state.notes.keys().cloned().chain(state.leases.keys().map(u64::to_string)).collect()
    }

    fn remove(&self, object: &str) {
        let mut state = self.state();
        state.notes.remove(object);
        state.leases.retain(|id, _| id.to_string() != object);
    }
}

pub(crate) struct Notes {
    service: Service,
    mistake: Option<Mistake>,
}

impl Notes {
    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    service: u64,
    mistake: Option<Mistake>,
}

impl Provider for Notes {
    const ADDRESS: &'static str = "registry.terraform.io/example/notes";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(Settings::from_config(config)?
            .map(|it| Notes { service: Service::number(it.service), mistake: it.mistake }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Note>("notes_note")
            .ephemeral_resource::<Lease>("notes_lease")
            .action::<Publish>("notes_publish");
    }
}

/// A note.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
pub(crate) struct Note {
    text: String,
    label: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for Note {
    type Provider = Notes;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
        let service = &cx.provider.service;
        let text = plan.text.clone();
        let id = service.write(|state| {
            state.count += 1;
            let id = format!("note-{}", state.count);
            state.notes.insert(id.clone(), Stored { text, label: String::new() });
            Ok(id)
        });
        assert!(id.is_ok() || !cx.provider.has(FailedRequestPanics), "the request has failed");
        let id = id?;
        if !cx.provider.has(LabelFailsBeforeCheckpoint) {
            cx.checkpoint_at(path!(id), &id);
        }
        write_label(&cx.provider.service, &id, plan.label)?;
        if cx.provider.has(CreateReadsOnce) {
            service.get(&id)?;
        } else {
            wait_until_readable(cx, &id).await?;
        }
        Ok(NoteComputed { id })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        match cx.provider.service.get(&state.id) {
            Ok(stored) => Ok(Some(Note { text: stored.text, label: stored.label, ..state })),
            Err(ApiError::Missing) => Ok(None),
            Err(_) if cx.provider.has(FailedRequestIsTakenForMissingObject) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
        let (id, text) = (prior.id, plan.text);
        cx.provider.service.write(|state| {
            let note = state.notes.get_mut(&id).ok_or(ApiError::Missing)?;
            note.text = text;
            Ok(())
        })?;
        write_label(&cx.provider.service, &id, plan.label)?;
        wait_until_readable(cx, &id).await?;
        Ok(NoteComputed { id })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        match cx.provider.service.write(|it| it.notes.remove(&state.id).map(drop).ok_or(ApiError::Missing)) {
            Ok(()) | Err(ApiError::Missing) => Ok(()),
            Err(_) if cx.provider.has(DeleteSwallowsErrors) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn write_label(service: &Service, id: &str, label: String) -> Result<(), ApiError> {
    service.write(|state| {
        let note = state.notes.get_mut(id).ok_or(ApiError::Missing)?;
        note.label = label;
        Ok(())
    })
}

/// Waits until several reads in a row return the last write.
async fn wait_until_readable(cx: &ApplyCx<Note>, id: &str) -> Result<()> {
    let wait = Wait::new("the note").pending(["outdated"]).target(["readable"]).consecutive(6);
    wait.run(cx, async || match cx.provider.service.get(id) {
        Err(ApiError::Missing) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(Some(("readable", ()))),
    })
    .await
}

/// A lease.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Lease {
    #[attr(computed)]
    number: u64,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct LeaseId {
    number: u64,
}

impl EphemeralResource for Lease {
    type Provider = Notes;
    type Private = LeaseId;

    async fn open(cx: &OpenCx<Self>, _: Args<Self>) -> Result<Opened<Self>> {
        let number = cx.provider.service.send(|state| {
            state.count += 1;
            let number = state.count;
            state.leases.insert(number, String::new());
            Ok(number)
        })?;
        if !cx.provider.has(LeaseIsNotRecorded) {
            cx.opened(&LeaseId { number })?;
        }
        cx.sleep(Duration::from_secs(5)).await?;
        Ok(Opened::new(LeaseComputed { number }, LeaseId { number }))
    }

    async fn close(cx: &OpenedCx<Self>, id: LeaseId) -> Result<()> {
        Ok(cx.provider.service.send(|state| {
            state.leases.remove(&id.number);
            Ok(())
        })?)
    }
}

/// Publishes all notes.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Publish {
    comment: Option<String>,
}

impl Action for Publish {
    type Provider = Notes;

    async fn invoke(cx: &InvokeCx<Self>, _: Args<Self>) -> Result<()> {
        for _ in 0..2 {
            let sent = cx.provider.service.send(|_| Ok(()));
            if !cx.provider.has(ActionSwallowsErrors) {
                sent?;
            }
        }
        Ok(())
    }
}
