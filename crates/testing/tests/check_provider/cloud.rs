//! A provider with a simulated service and objects of most kinds. Its configuration selects a mistake.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::validators::{between, length_between};
use ferroform::{
    Action, ApplyCx, Args, Attr, Config, DataCx, DataSource, Diagnostic, EphemeralResource, InvokeCx, Known,
    ListCx, ListResource, Listed, Maybe, Model, OpenCx, Opened, OpenedCx, Planned, Provider, ReadCx,
    Registry, RequestCx, Resource, Result, Unknown, path,
};

/// A mistake of the provider or its service.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mistake {
    TagsAreCopiedFromTheState,
    NoCheckpoint,
    MissingObjectIsAnErrorInRead,
    MissingObjectIsAnErrorInDelete,
    MissingObjectIsTakenForCanceledRead,
    ServiceLowersCase,
    SizeIsAFloatOf32Bits,
    EmptyNoteIsNull,
    ListLosesObjects,
    PasswordInLog,
    LeaseInCloseError,
    WaitWithoutLimit,
    CancellationIsIgnored,
    PrivateStateIsLostInUpdate,
    ImportIsPartial,
    ActionSwallowsErrors,
    UnknownIsEmpty,
    DataDependsOnOrder,
    PlanIsRandom,
    UpdateIgnoresZone,
    DeletesByName,
}

use Mistake::*;

/// A machine in the service.
#[derive(Clone)]
struct Stored {
    id: String,
    zone: Zone,
    size: f64,
    tags: BTreeMap<String, String>,
    note: Option<String>,
    /// The key without which the service does not delete the machine.
    key: u64,
}

/// The configured provider, with the service.
pub(crate) struct Cloud {
    mistake: Option<Mistake>,
    /// The machines by their names.
    machines: Mutex<BTreeMap<String, Stored>>,
    leases: Mutex<BTreeMap<u64, String>>,
    count: Mutex<u64>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    mistake: Option<Mistake>,
}

impl Cloud {
    fn machines(&self) -> MutexGuard<'_, BTreeMap<String, Stored>> {
        self.machines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leases(&self) -> MutexGuard<'_, BTreeMap<u64, String>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    fn next(&self) -> u64 {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        *count
    }

    /// The note as the service stores it.
    fn stored_note(&self, note: Option<String>) -> Option<String> {
        match note {
            Some(it) if self.has(ServiceLowersCase) => Some(it.to_lowercase()),
            Some(it) if self.has(EmptyNoteIsNull) && it.is_empty() => None,
            it => it,
        }
    }

    fn stored_size(&self, size: f64) -> f64 {
        if self.has(SizeIsAFloatOf32Bits) { f64::from(size as f32) } else { size }
    }
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.mistake.map(|mistake| Cloud {
            mistake,
            machines: Mutex::default(),
            leases: Mutex::default(),
            count: Mutex::default(),
        }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Machine>("cloud_machine")
            .list_resource::<Machines>("cloud_machine")
            .data_source::<Lookup>("cloud_machine")
            .ephemeral_resource::<Lease>("cloud_lease")
            .action::<Restart>("cloud_restart");
    }
}

#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Zone {
    North,
    South,
}

/// A machine.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}")]
pub(crate) struct Machine {
    #[attr(identity, requires_replace, validate = length_between(1, 60))]
    name: String,
    #[attr(requires_replace)]
    zone: Zone,
    #[attr(validate = between(1.0, 1e300))]
    size: f64,
    tags: Option<BTreeMap<String, String>>,
    note: Option<String>,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The note in upper case.
    #[attr(computed, follows(note))]
    title: String,
}

impl Machine {
    fn of(name: String, stored: Stored, state: Machine) -> Machine {
        let title = stored.note.clone().unwrap_or_default().to_uppercase();
        let tags = Some(stored.tags).filter(|it| !it.is_empty() || state.tags.is_some());
        Machine {
            name,
            zone: stored.zone,
            size: stored.size,
            tags,
            note: stored.note,
            password: state.password,
            id: stored.id,
            title,
        }
    }
}

/// Waits until the machine has started.
async fn wait_until_started(cx: &ApplyCx<Machine>, name: &str) -> Result<()> {
    for _ in 0..3 {
        if cx.provider.has(CancellationIsIgnored) {
            cx.clock().sleep(Duration::from_secs(60)).await;
        } else {
            cx.sleep(Duration::from_secs(10)).await?;
        }
    }
    // A machine with this name starts slowly.
    while cx.provider.has(WaitWithoutLimit) && name == "c" {
        cx.sleep(Duration::from_secs(30)).await?;
    }
    Ok(())
}

impl Resource for Machine {
    type Provider = Cloud;

    async fn plan(
        cx: &ferroform::PlanCx<Self>,
        change: ferroform::Change<Self>,
    ) -> Result<ferroform::Proposed<Self>> {
        let mut plan = change.plan;
        let note = match &change.config.note {
            Known(note) => note.clone().unwrap_or_default(),
            Unknown if cx.provider.has(UnknownIsEmpty) => String::new(),
            Unknown => return Ok(plan),
        };
        if cx.provider.has(PlanIsRandom) && change.prior.is_none() {
            plan.title = Known(format!("{}", cx.provider.next()));
        } else if cx.provider.has(UnknownIsEmpty) {
            plan.title = Known(note.to_uppercase());
        }
        Ok(plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
        if cx.provider.has(PasswordInLog) {
            tracing::info!("creating a machine with the password {:?}", plan.password);
        }
        let key = cx.provider.next();
        let stored = Stored {
            id: format!("m-{key}"),
            zone: plan.zone,
            size: cx.provider.stored_size(plan.size),
            tags: plan.tags.unwrap_or_default(),
            note: cx.provider.stored_note(plan.note),
            key,
        };
        if cx.provider.machines().contains_key(&plan.name) && !cx.provider.has(DeletesByName) {
            return Err(Diagnostic::error("Machine Exists").at(path!(name)).into());
        }
        cx.provider.machines().insert(plan.name.clone(), stored.clone());
        cx.set_private("key", &key)?;
        if !cx.provider.has(NoCheckpoint) {
            cx.checkpoint_at(path!(id), &stored.id);
        }
        wait_until_started(cx, &plan.name).await?;
        let title = match plan.title {
            Known(title) if cx.provider.has(PlanIsRandom) => title,
            _ => stored.note.unwrap_or_default().to_uppercase(),
        };
        Ok(MachineComputed { id: stored.id, title })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        if cx.provider.has(MissingObjectIsTakenForCanceledRead)
            && cx.sleep(Duration::from_secs(1)).await.is_err()
        {
            return Ok(None);
        }
        let Some(stored) = cx.provider.machines().get(&state.name).cloned() else {
            if cx.provider.has(MissingObjectIsAnErrorInRead) {
                return Err(Diagnostic::error("404 Not Found").into());
            }
            return Ok(None);
        };
        if state.id.is_empty() {
            // After an import.
            if cx.provider.has(ImportIsPartial) {
                return Ok(Some(Machine {
                    note: None,
                    title: String::new(),
                    ..Machine::of(state.name.clone(), stored, state)
                }));
            }
            cx.set_private("key", &stored.key)?;
        } else if stored.id != state.id && !cx.provider.has(DeletesByName) {
            return Ok(None);
        }
        let tags = state.tags.clone();
        let mut found = Machine::of(state.name.clone(), stored, state);
        if cx.provider.has(TagsAreCopiedFromTheState) {
            found.tags = tags;
        }
        Ok(Some(found))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<MachineComputed> {
        let size = cx.provider.stored_size(plan.size);
        let note = cx.provider.stored_note(plan.note);
        let computed = {
            let mut machines = cx.provider.machines();
            let Some(stored) = machines.get_mut(&plan.name) else {
                return Err(Diagnostic::error("404 Not Found").into());
            };
            (stored.size, stored.note, stored.tags) = (size, note, plan.tags.unwrap_or_default());
            MachineComputed {
                id: stored.id.clone(),
                title: stored.note.clone().unwrap_or_default().to_uppercase(),
            }
        };
        if cx.provider.has(PrivateStateIsLostInUpdate) {
            cx.remove_private("key");
        }
        cx.sleep(Duration::from_secs(1)).await?;
        Ok(computed)
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let key: Option<u64> = cx.private("key")?;
        let Some(stored) = cx.provider.machines().get(&state.name).cloned() else {
            if cx.provider.has(MissingObjectIsAnErrorInDelete) {
                return Err(Diagnostic::error("404 Not Found").into());
            }
            return Ok(());
        };
        if stored.id != state.id && !cx.provider.has(DeletesByName) {
            return Ok(());
        }
        if Some(stored.key) != key && !cx.provider.has(DeletesByName) {
            return Err(Diagnostic::error("Wrong Key").into());
        }
        cx.provider.machines().remove(&state.name);
        cx.sleep(Duration::from_secs(1)).await?;
        Ok(())
    }
}

/// The machines of a zone.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Machines {
    zone: Option<Zone>,
}

impl ListResource for Machines {
    type Resource = Machine;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let machines = cx.provider.machines().clone();
        for (at, (name, stored)) in machines.into_iter().enumerate() {
            // A page has ten machines.
            if args.zone.is_some_and(|it| it != stored.zone)
                || (cx.provider.has(ListLosesObjects) && at >= 10)
            {
                continue;
            }
            let empty = Machine {
                name: name.clone(),
                zone: stored.zone,
                size: stored.size,
                tags: None,
                note: None,
                password: None,
                id: String::new(),
                title: String::new(),
            };
            let machine = Machine::of(name.clone(), stored, empty);
            let identity = MachineIdentity { name: name.clone() };
            cx.send(Listed::new(identity, name).object(machine)).await?;
        }
        Ok(())
    }
}

/// A machine by its name.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Lookup {
    name: String,
    #[attr(computed)]
    id: String,
    #[attr(computed)]
    number: u64,
}

impl DataSource for Lookup {
    type Provider = Cloud;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<LookupComputed> {
        let found = cx.provider.machines().get(&args.name).cloned();
        let found = found.ok_or_else(|| Diagnostic::error("No Such Machine").at(path!(name)))?;
        let number = if cx.provider.has(DataDependsOnOrder) { cx.provider.next() } else { found.key };
        Ok(LookupComputed { id: found.id, number })
    }
}

/// The lease of a token.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Lease {
    role: Option<String>,
    #[attr(sensitive)]
    master: String,
    #[attr(computed, sensitive)]
    token: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct LeaseId {
    number: u64,
    master: String,
}

impl EphemeralResource for Lease {
    type Provider = Cloud;
    type Private = LeaseId;

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let number = cx.provider.next();
        let id = LeaseId { number, master: args.master };
        cx.provider.leases().insert(number, args.role.unwrap_or_default());
        cx.opened(&id)?;
        cx.sleep(Duration::from_secs(1)).await?;
        Ok(Opened::new(LeaseComputed { token: format!("token-{number}") }, id))
    }

    async fn close(cx: &OpenedCx<Self>, id: LeaseId) -> Result<()> {
        if cx.provider.has(LeaseInCloseError) {
            tracing::debug!("closing the lease of {}", id.master);
        }
        cx.sleep(Duration::from_secs(1)).await?;
        cx.provider.leases().remove(&id.number);
        Ok(())
    }
}

/// Restarts a machine.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Restart {
    name: String,
}

impl Action for Restart {
    type Provider = Cloud;

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        cx.progress(format!("Restarting {}", args.name)).await;
        let stopped = cx.sleep(Duration::from_secs(30)).await;
        if !cx.provider.has(ActionSwallowsErrors) {
            stopped?;
        }
        Ok(())
    }
}
