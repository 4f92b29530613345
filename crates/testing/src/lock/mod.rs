//! The lock of the states' shapes: a file beside the provider that says what states of each version may hold, and
//! a test that fails where states that are stored would no longer be read.

mod file;
mod shape;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs, io};

use ferroform::Provider;
use ferroform::raw::{AnyProvider, AnyResource};
use ferroform::value::Path as Place;
use ferroform_engine::ProviderServer;

use self::file::{Entry, Locked, States};
use self::shape::Shape;

/// Set, it makes [`SchemaLock::check`] write the file.
const UPDATE: &str = "FERROFORM_UPDATE_LOCK";

/// The shapes that the states of a provider's resources have, against those in a file that is kept along with
/// its source.
///
/// ```no_run
/// # use ferroform::{Config, Known, Maybe, Provider, Registry, RequestCx, Result};
/// # struct Local;
/// # impl Provider for Local {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/local";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Local)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// use ferroform_testing::SchemaLock;
///
/// // #[test]
/// fn states_that_are_stored_can_be_read() {
///     SchemaLock::of::<Local>().check("schemas.lock");
/// }
/// ```
pub struct SchemaLock {
    server: ProviderServer,
    update: bool,
}

/// What there is to say of the file.
enum Verdict {
    /// It is as it should be.
    Same,
    /// Nothing is hurt but states of resources that are no more, but it should say this; and what differs.
    Behind { text: String, what: String, gone: Vec<String> },
    /// States that are stored would not be read.
    Broken(String),
}

impl SchemaLock {
    /// The shapes of the provider `P`.
    pub fn of<P: Provider>() -> SchemaLock {
        SchemaLock::with(ferroform::server::<P>())
    }

    /// The shapes of a provider that is made at run time.
    pub fn raw(provider: Arc<dyn AnyProvider>) -> SchemaLock {
        SchemaLock::with(ProviderServer::new(provider))
    }

    fn with(server: ProviderServer) -> SchemaLock {
        SchemaLock { server, update: env::var_os(UPDATE).is_some_and(|it| !it.is_empty() && it != "0") }
    }

    /// Whether the file is written where no stored state is hurt, whatever the environment says.
    #[must_use]
    pub fn update(self, update: bool) -> SchemaLock {
        SchemaLock { update, ..self }
    }

    /// Holds the shapes against those in the file, named from the package's folder. With `FERROFORM_UPDATE_LOCK=1`
    /// in the environment the file is written where no stored state is hurt.
    ///
    /// # Panics
    ///
    /// Where states that are stored would not be read, where the file says something else, or cannot be read or
    /// written.
    #[track_caller]
    pub fn check(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().display();
        let locked = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => panic!("cannot read {name}: {error}"),
        };
        match self.verdict(&locked) {
            Ok(Verdict::Same) => {}
            Ok(Verdict::Behind { text, .. }) if self.update => {
                fs::write(path, text).unwrap_or_else(|error| panic!("cannot write {name}: {error}"));
            }
            Ok(Verdict::Behind { what, gone, .. }) => {
                let hurt = match gone.as_slice() {
                    [] => "No state that is stored is hurt by this.".to_owned(),
                    _ => format!(
                        "States of {} that are stored can only be moved, or taken out by their users, from now on. \
                         What they hold stays in the file, in case that such a resource comes back. No other \
                         state is hurt by this.",
                        gone.join(", ")
                    ),
                };
                panic!(
                    "{name} does not say what the states look like now:\n{what}{hurt} Run the test with {UPDATE}=1 \
                     to write the file anew, and commit it."
                )
            }
            Ok(Verdict::Broken(what)) => panic!("{name}: {what}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }

    /// What is to be said of a file with this text.
    fn verdict(&self, text: &str) -> Result<Verdict, String> {
        let locked = file::parse(text)?;
        let mut broken = Vec::new();
        let mut wanted = Locked::new();
        for (name, resource) in self.server.provider().resources() {
            let before: BTreeMap<i64, &Shape> = locked
                .iter()
                .filter(|(it, _)| it.resource == *name)
                .map(|(it, states)| (it.version, &states.shape))
                .collect();
            broken.extend(faults(name, &**resource, &before));
            wanted.extend(versions(name, &**resource, &before));
        }
        if !broken.is_empty() {
            return Ok(Verdict::Broken(broken.join("\n")));
        }
        let mut gone = Vec::new();
        let is_there = |name: &str| self.server.resource(name).is_ok();
        for (entry, states) in locked.iter().filter(|(entry, _)| !is_there(&entry.resource)) {
            if !states.gone && !gone.contains(&entry.resource) {
                gone.push(entry.resource.clone());
            }
            wanted.insert(entry.clone(), States { gone: true, ..states.clone() });
        }
        if locked == wanted {
            return Ok(Verdict::Same);
        }
        Ok(Verdict::Behind { what: file::difference(&locked, &wanted), text: file::write(&wanted), gone })
    }
}

/// What the file should say of a resource: what it says already, and what states of the current version, and of
/// earlier ones that it has nothing on, may hold.
fn versions(name: &str, resource: &dyn AnyResource, before: &BTreeMap<i64, &Shape>) -> Locked {
    let mut all: BTreeMap<i64, Shape> =
        resource.upgrades().earlier().map(|it| (it.version, Shape::of(&it.block))).collect();
    all.extend(before.iter().map(|(version, shape)| (*version, (*shape).clone())));
    let schema = resource.schema();
    let now = Shape::of(&schema.block);
    let now = before.get(&schema.version).map_or(now.clone(), |before| before.joined(&now));
    all.insert(schema.version, now);
    let entry = |version| Entry { resource: name.to_owned(), version };
    all.into_iter().map(|(version, shape)| (entry(version), States { shape, gone: false })).collect()
}

/// What is wrong with a resource, and what to do: for each version of which states are stored.
fn faults(name: &str, resource: &dyn AnyResource, before: &BTreeMap<i64, &Shape>) -> Vec<String> {
    let (schema, upgrades) = (resource.schema(), resource.upgrades());
    let earlier: BTreeMap<i64, _> = upgrades.earlier().map(|it| (it.version, it.block)).collect();
    let now = schema.version;
    let fault = |(&version, shape): (&i64, &&Shape)| {
        let stored = format!("states of {name} that are stored in version {version}");
        if version > now {
            let fix = format!("A version is never taken back: go on from {version}.");
            return Some(format!("{stored} are newer than the provider, whose version is {now}. {fix}"));
        }
        let block = if version == now { Some(&schema.block) } else { earlier.get(&version) };
        let Some(block) = block else {
            let fix = format!("Say `upgrade_from`, or write `Resource::upgrade`. {NEVER_STORED}");
            return (!upgrades.has_fallback())
                .then(|| format!("{stored} are upgraded by nothing to version {now}. {fix}"));
        };
        let found = shape.misfits(block, &Place::ROOT);
        let lines: Vec<String> = found.iter().map(|(place, what)| format!("  {place} {what}")).collect();
        let lines = lines.join("\n");
        let text = if version == now {
            format!("{stored} do not fit its schema any more:\n{lines}\n{}", raise(version))
        } else {
            format!("{stored} do not fit the model that is upgraded from:\n{lines}\n{STAYS}")
        };
        (!found.is_empty()).then_some(text)
    };
    before.iter().filter_map(fault).collect()
}

const NEVER_STORED: &str = "Where nobody can have such a state, take its lines out of the file.";
const STAYS: &str = "The model of an old version stays as it was; so do the models inside it, which the current one \
                     must not share where they change.";

/// How a version is raised.
fn raise(version: i64) -> String {
    let next = version + 1;
    [
        "Raise the version, and say how the old shape becomes the new one:".to_owned(),
        format!("  1. Copy the struct as it was, as `OldV{version}` say, with the version that it has."),
        format!(
            "  2. Say `#[attr(version = {next}, upgrade_from = OldV{version})]` of the struct as it is now."
        ),
        format!("  3. Write `From<OldV{version}>` for it, or `TryFrom`."),
        format!("  4. Run the test with {UPDATE}=1, and commit the file."),
        format!(
            "Where no release has stored version {version} as it was, take its lines out of the file instead."
        ),
    ]
    .join("\n")
}
