//! A provider for notes, whose service outlives the provider: Terraform configures the provider in each step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferroform::{
    ApplyCx, Args, Config, Context as _, DataCx, DataSource, Diagnostic, Known, ListCx, ListResource, Maybe,
    Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::workspace::{Runner, Workspace};

use crate::kinds::Kinds;

/// The provider.
pub(crate) struct Notes {
    service: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The name of the service, so that tests do not share one.
    #[attr(default = "default")]
    service: String,
    #[attr(sensitive)]
    token: Option<String>,
}

impl Provider for Notes {
    const ADDRESS: &'static str = "registry.terraform.io/example/notes";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Notes>> {
        let Known(settings) = Settings::from_config(config)? else { return Ok(ferroform::Unknown) };
        if settings.token.as_deref() == Some("expired") {
            return Err(Diagnostic::error("Invalid Token")
                .detail("The token has expired.")
                .at(path!(token))
                .into());
        }
        Ok(Known(Notes { service: settings.service }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Note>("notes_note");
        registry.resource::<Book>("notes_book");
        registry.resource::<Kinds>("notes_kinds");
        registry.data_source::<Find>("notes_find");
        registry.list_resource::<Titles>("notes_note");
    }
}

/// The notes of all services: the text and the token of each title.
static SERVICES: Mutex<BTreeMap<String, BTreeMap<String, Note>>> = Mutex::new(BTreeMap::new());

fn services() -> MutexGuard<'static, BTreeMap<String, BTreeMap<String, Note>>> {
    SERVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The notes of a service, by title.
pub(crate) fn notes(service: &str) -> BTreeMap<String, Note> {
    services().get(service).cloned().unwrap_or_default()
}

/// Changes the notes of a service outside of Terraform.
pub(crate) fn change<T>(service: &str, change: impl FnOnce(&mut BTreeMap<String, Note>) -> T) -> T {
    change(services().entry(service.to_owned()).or_default())
}

/// A workspace on this runner with the provider, whose service has the name of the test and the runner.
pub(crate) fn workspace(
    runner: &Runner,
    test: &str,
) -> ferroform_testing::workspace::Result<(Workspace, String)> {
    let service = format!("{test}: {runner}");
    services().remove(&service);
    let workspace = Workspace::on(runner)?.attach::<Notes>()?;
    workspace.write("provider.tf", &format!("provider \"notes\" {{\n  service = {service:?}\n}}\n"))?;
    Ok((workspace, service))
}

/// The configuration of a provider whose token has expired.
pub(crate) fn expired_provider(service: &str) -> String {
    format!("provider \"notes\" {{\n  service = {service:?}\n  token   = \"expired\"\n}}\n")
}

/// The configuration of a note.
pub(crate) fn configuration(name: &str, title: &str, text: &str) -> String {
    format!("resource \"notes_note\" \"{name}\" {{\n  title = \"{title}\"\n  text  = \"{text}\"\n}}\n")
}

/// A note.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{title}")]
pub(crate) struct Note {
    /// The title, which identifies the note.
    #[attr(identity, requires_replace)]
    pub(crate) title: String,
    pub(crate) text: String,
    /// A secret that only the state contains.
    #[attr(sensitive)]
    pub(crate) pin: Option<String>,
    #[attr(default = false)]
    pub(crate) archived: bool,
    pub(crate) tags: Option<BTreeMap<String, String>>,
    pub(crate) keywords: Option<Vec<String>>,
    pub(crate) readers: Option<BTreeSet<String>>,
    pub(crate) author: Option<Author>,
    pub(crate) links: Option<Vec<Link>>,
    #[attr(block)]
    pub(crate) attachment: Vec<Attachment>,
    #[attr(block)]
    pub(crate) reminder: BTreeSet<Reminder>,
    #[attr(computed, follows(text))]
    pub(crate) size: u64,
    #[attr(computed, use_state_for_unknown)]
    pub(crate) id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Author {
    pub(crate) name: String,
    pub(crate) email: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) url: String,
    #[attr(default = 1)]
    pub(crate) weight: u32,
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Attachment {
    #[attr(requires_replace)]
    pub(crate) file: String,
    #[attr(sensitive)]
    pub(crate) password: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
pub(crate) struct Reminder {
    pub(crate) day: String,
}

impl Resource for Note {
    type Provider = Notes;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
        match plan.title.as_str() {
            "slow" => cx.sleep(Duration::from_secs(600)).await?,
            "invalid" => {
                return Err(Diagnostic::error("Invalid Title")
                    .detail("The title is reserved.")
                    .at(path!(title))
                    .into());
            }
            "leak" => tracing::info!("the pin is {}", plan.pin.clone().unwrap_or_default()),
            "old" => cx.warn("Old Title"),
            _ => {}
        }
        let computed = NoteComputed { size: plan.text.len() as u64, id: format!("n-{}", plan.title) };
        let note = Note {
            title: plan.title,
            text: plan.text,
            pin: plan.pin,
            archived: plan.archived,
            tags: plan.tags,
            keywords: plan.keywords,
            readers: plan.readers.map(|it| it.into_iter().collect()),
            author: plan.author.map(|it| Author { name: it.name, email: it.email }),
            links: plan
                .links
                .map(|it| it.into_iter().map(|it| Link { url: it.url, weight: it.weight }).collect()),
            attachment: plan
                .attachment
                .into_iter()
                .map(|it| Attachment { file: it.file, password: it.password })
                .collect(),
            reminder: plan.reminder.into_iter().map(|it| Reminder { day: it.day }).collect(),
            size: computed.size,
            id: computed.id.clone(),
        };
        change(&cx.provider.service, |notes| notes.insert(note.title.clone(), note));
        Ok(computed)
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found = notes(&cx.provider.service).remove(&state.title);
        Ok(found.map(|it| Note { pin: state.pin.or(it.pin), ..it }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        change(&cx.provider.service, |notes| notes.remove(&state.title)).context("Note Not Found")?;
        Ok(())
    }
}

/// A resource whose import loses an attribute.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}")]
pub(crate) struct Book {
    name: String,
    pages: Option<u32>,
    /// True if the book was imported.
    shelf: Option<String>,
}

impl Resource for Book {
    type Provider = Notes;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<BookComputed> {
        Ok(BookComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// Finds a note.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Find {
    title: String,
    #[attr(computed)]
    pub(crate) text: String,
}

impl DataSource for Find {
    type Provider = Notes;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<FindComputed> {
        let found = notes(&cx.provider.service).remove(&args.title);
        let note = found.context("Note Not Found").at(path!(title))?;
        Ok(FindComputed { text: note.text })
    }
}

/// Lists notes.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Titles {
    prefix: Option<String>,
}

impl ListResource for Titles {
    type Resource = Note;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let prefix = args.prefix.unwrap_or_default();
        for note in notes(&cx.provider.service).into_values().filter(|it| it.title.starts_with(&prefix)) {
            let name = format!("note {}", note.title);
            cx.send(cx.listed(note, name)?).await?;
        }
        Ok(())
    }
}
