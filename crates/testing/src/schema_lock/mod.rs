//! The schema lock: a file next to the provider's source that records the shape of the states of each schema version,
//! and a test that fails if the provider can no longer read such states.

mod file;
mod shape;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs, io};

use ferroform::Provider;
use ferroform::raw::{AnyProvider, AnyResource};
use ferroform::value::Path as AttributePath;
use ferroform_engine::ProviderServer;

use self::file::{Entry, Locked, States};
use self::shape::Shape;

/// The environment variable that makes [`SchemaLock::check`] update the file.
const UPDATE: &str = "FERROFORM_UPDATE_LOCK";

/// Compares the shapes of a provider's states with a lock file that is committed with its source.
///
/// The lock file contains the attributes of every resource, by schema version. The test fails if a schema changes in a
/// way that breaks stored states, unless the version is raised and a state upgrade exists.
///
/// ```no_run
/// # ferroform_testing::provider! { Local {} }
/// use ferroform_testing::SchemaLock;
///
/// // #[test]
/// fn stored_states_stay_readable() {
///     SchemaLock::of::<Local>().check("schemas.lock");
/// }
/// ```
pub struct SchemaLock {
    server: ProviderServer,
    update: bool,
}

/// The result of the comparison.
enum Comparison {
    /// The file is up to date.
    UpToDate,
    /// The file is outdated, but the provider can read every stored state, except those of removed resources.
    Outdated { text: String, diff: String, removed: Vec<String> },
    /// The provider cannot read some stored states.
    Broken(String),
}

impl SchemaLock {
    /// Creates the lock of the provider `P`.
    pub fn of<P: Provider>() -> SchemaLock {
        SchemaLock::with(ferroform::server::<P>())
    }

    /// Creates the lock of a provider that is built at run time.
    pub fn raw(provider: Arc<dyn AnyProvider>) -> SchemaLock {
        SchemaLock::with(ProviderServer::new(provider))
    }

    fn with(server: ProviderServer) -> SchemaLock {
        SchemaLock { server, update: env::var_os(UPDATE).is_some_and(|it| !it.is_empty() && it != "0") }
    }

    /// Sets whether [`check`](SchemaLock::check) updates the file, regardless of the environment.
    #[must_use]
    pub fn update(self, update: bool) -> SchemaLock {
        SchemaLock { update, ..self }
    }

    /// Compares the schemas with the lock file, whose path is relative to the directory of the package.
    ///
    /// If the environment variable `FERROFORM_UPDATE_LOCK` is `1`, an outdated file is updated, unless stored states
    /// would become unreadable.
    ///
    /// # Panics
    ///
    /// Panics if the provider cannot read some stored states, if the file is outdated and not updated, or if the file
    /// cannot be read or written.
    #[track_caller]
    pub fn check(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().display();
        let locked = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => panic!("cannot read {name}: {error}"),
        };
        match self.compare(&locked) {
            Ok(Comparison::UpToDate) => {}
            Ok(Comparison::Outdated { text, .. }) if self.update => {
                fs::write(path, text).unwrap_or_else(|error| panic!("cannot write {name}: {error}"));
            }
            Ok(Comparison::Outdated { diff, removed, .. }) => {
                let effect = match removed.as_slice() {
                    [] => "The provider can still read every stored state.".to_owned(),
                    _ => format!(
                        "The provider can no longer read stored states of {}: practitioners have to move these objects or \
                         remove them from the state. The file keeps the shapes, in case the resource is added \
                         again. The provider can still read all other stored states. {NEVER_RELEASED}",
                        removed.join(", ")
                    ),
                };
                panic!(
                    "{name} is outdated:\n{diff}{effect} Run the test with {UPDATE}=1 to update the file, and commit it."
                )
            }
            Ok(Comparison::Broken(problems)) => panic!("{name}: {problems}\n{NEVER_RELEASED}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }

    /// Compares the schemas with the content of a lock file.
    fn compare(&self, text: &str) -> Result<Comparison, String> {
        let locked = file::parse(text)?;
        let mut broken = Vec::new();
        let mut expected = Locked::new();
        for (name, resource) in self.server.provider().definitions().of_kind::<dyn AnyResource>() {
            let before: BTreeMap<i64, &Shape> = locked
                .iter()
                .filter(|(it, _)| it.resource == *name)
                .map(|(it, states)| (it.version, &states.shape))
                .collect();
            broken.extend(problems(name, &**resource, &before));
            expected.extend(versions(name, &**resource, &before));
        }
        if !broken.is_empty() {
            return Ok(Comparison::Broken(broken.join("\n")));
        }
        let mut removed = Vec::new();
        let exists = |name: &str| self.server.find::<dyn AnyResource>(name).is_ok();
        for (entry, states) in locked.iter().filter(|(entry, _)| !exists(&entry.resource)) {
            if !states.removed && !removed.contains(&entry.resource) {
                removed.push(entry.resource.clone());
            }
            expected.insert(entry.clone(), States { removed: true, ..states.clone() });
        }
        if locked == expected {
            return Ok(Comparison::UpToDate);
        }
        Ok(Comparison::Outdated {
            diff: file::difference(&locked, &expected),
            text: file::write(&expected),
            removed,
        })
    }
}

/// Returns the shapes that the file should contain for a resource: those that it contains, those of earlier versions
/// that it does not contain, and that of the current version.
fn versions(name: &str, resource: &dyn AnyResource, before: &BTreeMap<i64, &Shape>) -> Locked {
    let mut all: BTreeMap<i64, Shape> =
        resource.upgrades().earlier().map(|it| (it.version, Shape::of(&it.block))).collect();
    all.extend(before.iter().map(|(version, shape)| (*version, (*shape).clone())));
    let schema = resource.schema();
    let now = Shape::of(&schema.block);
    let now = before.get(&schema.version).map_or(now.clone(), |before| before.joined(&now));
    all.insert(schema.version, now);
    let entry = |version| Entry { resource: name.to_owned(), version };
    all.into_iter().map(|(version, shape)| (entry(version), States { shape, removed: false })).collect()
}

/// Returns the problems of a resource, with their solutions, for each version that the file contains.
fn problems(name: &str, resource: &dyn AnyResource, before: &BTreeMap<i64, &Shape>) -> Vec<String> {
    let (schema, upgrades) = (resource.schema(), resource.upgrades());
    let earlier: BTreeMap<i64, _> = upgrades.earlier().map(|it| (it.version, it.block)).collect();
    let now = schema.version;
    let problem = |(&version, shape): (&i64, &&Shape)| {
        let stored = format!("stored states of {name} in version {version}");
        if version > now {
            let fix = format!("A version must not decrease: continue from {version}.");
            return Some(format!("{stored} are newer than the schema version {now} of the provider. {fix}"));
        }
        let block = if version == now { Some(&schema.block) } else { earlier.get(&version) };
        let Some(block) = block else {
            let fix = format!("Add `upgrade_from`, or implement `Resource::upgrade`. {NEVER_STORED}");
            return (!upgrades.has_fallback())
                .then(|| format!("{stored} have no state upgrade to version {now}. {fix}"));
        };
        let found = shape.incompatibilities(block, &AttributePath::ROOT);
        let lines: Vec<String> = found.iter().map(|(path, problem)| format!("  {path} {problem}")).collect();
        let lines = lines.join("\n");
        let text = if version == now {
            format!("{stored} no longer conform to the schema:\n{lines}\n{}", raise(version))
        } else {
            format!("{stored} do not conform to the model of their version:\n{lines}\n{UNCHANGED}")
        };
        (!found.is_empty()).then_some(text)
    };
    before.iter().filter_map(problem).collect()
}

const NEVER_RELEASED: &str =
    "If no version of the provider has been released, you can delete the file: the next update recreates it.";
const NEVER_STORED: &str = "If no practitioner can have such a state, remove its lines from the file.";
const UNCHANGED: &str = "The model of an old version, including its nested models, must not change. If a nested model \
                         changes, the current model must not share it with the old one.";

/// Returns the steps to raise the version.
fn raise(version: i64) -> String {
    let next = version + 1;
    [
        "Raise the version and add a state upgrade:".to_owned(),
        format!("  1. Copy the struct as it was before the change, for example as `OldV{version}`, with its version."),
        format!(
            "  2. Add `#[attr(version = {next}, upgrade_from = OldV{version})]` to the current struct."
        ),
        format!("  3. Implement `From<OldV{version}>` or `TryFrom<OldV{version}>` for the current struct."),
        format!("  4. Run the test with {UPDATE}=1 and commit the file."),
        format!(
            "If no release has stored version {version} in the old shape, remove its lines from the file instead."
        ),
    ]
    .join("\n")
}
