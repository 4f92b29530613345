//! The options and the report of a check.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use ferroform::Provider;
use ferroform::raw::{AnyFunction, AnyProvider};
use ferroform::schema::{Attribute, Block};
use ferroform::value::{Path, Value};
use ferroform_engine::{Kind, ProviderServer};

use super::base::{RejectedConfiguration, find_base, find_resource_base};
use super::hcl;
use super::intercept::{InterceptedProvider, Interceptor};
use super::links::possible_links;
use super::provider_under_test::ProviderUnderTest;
use super::run::SequenceRun;
use super::scenarios;
use super::search::{Finding, MAX_SEED, SECONDS, Statistics};
use super::service::FaultInjection;
use super::step::{SequenceEnd, StepResult};
use super::target::{Target, attribute_names};
use super::values::{BlockValues, ExistingValues, FixedValues};
use crate::config::evaluate;
use crate::invariant::Violation;
use crate::{Configuration, Invariant, Literal};

/// Checks a provider with generated configurations and injected faults, with the default options of [`ProviderCheck`].
///
/// ```no_run
/// # ferroform_testing::provider! { Notes {} }
/// use ferroform_testing::check_provider;
///
/// #[test]
/// fn provider_violates_no_invariant() {
///     check_provider::<Notes>();
/// }
/// ```
///
/// # Panics
///
/// Panics if an invariant is violated. The message contains a minimal sequence of steps that violates it.
pub fn check_provider<P: Provider>() {
    ProviderCheck::<P>::new().run();
}

/// The environment variable with the seed of a random sequence in a report.
const SEED: &str = "FERROFORM_CHECK_SEED";

/// The number in an environment variable.
#[track_caller]
fn number_of(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} must be a number, but is {value:?}")))
}

/// Finds bugs that example-based tests do not find.
///
/// The check generates valid configurations from the schemas, runs resource lifecycles with them, and injects faults: errors, panics,
/// cancellations and timeouts at each await point, deleted and changed remote objects, and repeated calls. It also uses unknown values
/// and boundary values. After every step, it checks the [`Invariant`]s of a provider.
///
/// The check needs no code for the service: a second instance with the same state changes and deletes the remote object.
///
/// The clock of the check starts at 2025-01-01T00:00:00Z and advances by hours within a sequence. For resources that expire, such as
/// certificates, set times far in the future and long durations with [`values`](ProviderCheck::values).
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Mutex;
///
/// use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
/// use ferroform_testing::{check_provider, provider};
///
/// #[derive(Default)]
/// struct Notes(Mutex<BTreeMap<String, String>>);
///
/// provider! { impl Notes { resource Note = "notes_note" } }
///
/// /// A note.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Note {
///     #[attr(requires_replace)]
///     title: String,
///     text: String,
/// }
///
/// impl Resource for Note {
///     type Provider = Notes;
///
///     async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
///         cx.provider.0.lock().unwrap().insert(plan.title, plan.text);
///         Ok(NoteComputed {})
///     }
///
///     async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
///         let text = cx.provider.0.lock().unwrap().get(&state.title).cloned();
///         Ok(text.map(|text| Note { text, ..state }))
///     }
///
///     async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
///         Self::create(cx, plan).await
///     }
///
///     async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
///         cx.provider.0.lock().unwrap().remove(&state.title);
///         Ok(())
///     }
/// }
///
/// // In a test:
/// check_provider::<Notes>();
/// ```
///
/// The options describe what the schemas do not:
///
/// ```no_run
/// # ferroform_testing::provider! { Cloud {} }
/// use std::time::Duration;
///
/// use ferroform::path;
/// use ferroform_testing::{Invariant, ProviderCheck, config};
///
/// ProviderCheck::<Cloud>::new()
///     .configure(config! { endpoint = "http://127.0.0.1:8080" })
///     .example("cloud_machine", config! { region = "eu" })
///     .values("cloud_machine", path!(size), [1, 2, 4])
///     .not_read("cloud_machine", path!(user_data))
///     // The service keeps deleted machines for a day.
///     .skip(Invariant::DestroyRemovesObject)
///     .budget(Duration::from_secs(20))
///     .run();
/// ```
#[must_use = "call `run`"]
pub struct ProviderCheck<P = ()> {
    server: ProviderServer,
    config: Configuration,
    examples: Vec<(String, Configuration)>,
    values: Vec<(String, Path, Vec<Literal>)>,
    not_read: Vec<(String, Path)>,
    skipped: BTreeSet<Invariant>,
    service: Option<Arc<dyn FaultInjection>>,
    budget: Duration,
    seed: Option<u64>,
    provider: PhantomData<fn() -> P>,
}

/// The report of a violated invariant. `Display` prints it.
///
/// ```no_run
/// # ferroform_testing::provider! { Notes {} }
/// use ferroform_testing::{Invariant, ProviderCheck};
///
/// let report = ProviderCheck::<Notes>::new().find().expect("a violation");
/// assert_eq!(report.invariant(), Invariant::DriftIsDetected);
/// println!("{report}");
/// ```
#[derive(Clone, Debug)]
pub struct ViolationReport {
    invariant: Invariant,
    text: String,
}

impl ViolationReport {
    /// Returns the invariant.
    pub fn invariant(&self) -> Invariant {
        self.invariant
    }
}

impl fmt::Display for ViolationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<P: Provider> ProviderCheck<P> {
    /// A check of the provider `P`.
    #[expect(clippy::new_without_default, reason = "a check has no effect without `run`")]
    pub fn new() -> ProviderCheck<P> {
        ProviderCheck::of(ferroform::server::<P>())
    }
}

impl ProviderCheck {
    /// A check of a provider that is built at run time.
    pub fn raw(provider: Arc<dyn AnyProvider>) -> ProviderCheck {
        ProviderCheck::of(ProviderServer::new(provider))
    }
}

impl<P> ProviderCheck<P> {
    fn of(server: ProviderServer) -> ProviderCheck<P> {
        ProviderCheck {
            server,
            config: Configuration::new(),
            examples: Vec::new(),
            values: Vec::new(),
            not_read: Vec::new(),
            skipped: BTreeSet::new(),
            service: None,
            budget: Duration::from_secs(5),
            seed: None,
            provider: PhantomData,
        }
    }

    /// Sets the configuration of the provider.
    pub fn configure(mut self, config: Configuration) -> ProviderCheck<P> {
        self.config = config;
        self
    }

    /// Sets values that the service accepts for an object of this type. The check also sets attributes that the example omits, and
    /// varies the values. The name can be that of several objects, such as a resource and its list resource: each gets the values of its
    /// own attributes.
    pub fn example(mut self, type_name: &str, config: Configuration) -> ProviderCheck<P> {
        self.examples.push((type_name.into(), config));
        self
    }

    /// Sets the only values that an attribute can have, if the schema does not describe them. The path of an attribute in nested objects
    /// contains no indexes and keys: `path!(rules.port)`.
    pub fn values<V: Into<Literal>>(
        mut self,
        type_name: &str,
        path: Path,
        values: impl IntoIterator<Item = V>,
    ) -> ProviderCheck<P> {
        self.values.push((type_name.into(), path, values.into_iter().map(Into::into).collect()));
        self
    }

    /// Declares that the service does not return an attribute, so that `read` cannot detect its drift. This includes nested attributes.
    /// Sensitive and write-only attributes and `timeouts` do not need this option.
    pub fn not_read(mut self, type_name: &str, path: Path) -> ProviderCheck<P> {
        self.not_read.push((type_name.into(), path));
        self
    }

    /// Excludes an invariant that the provider cannot satisfy. Give the reason in a comment.
    pub fn skip(mut self, invariant: Invariant) -> ProviderCheck<P> {
        self.skipped.insert(invariant);
        self
    }

    /// Makes the check inject faults into each request of the service and return stale reads. The check also searches the service for
    /// objects that exist, but are not in the state.
    pub fn service<S: FaultInjection + Clone + 'static>(mut self, service: &S) -> ProviderCheck<P> {
        self.service = Some(Arc::new(service.clone()));
        self
    }

    /// Sets the time limit for running sequences, in real time. The search for accepted configurations before them does not count.
    /// The default is 5 seconds. For [`run`](ProviderCheck::run), the environment variable `FERROFORM_CHECK_SECONDS` takes precedence, for example with a longer
    /// time for a nightly job.
    pub fn budget(mut self, budget: Duration) -> ProviderCheck<P> {
        self.budget = budget;
        self
    }

    /// Sets the seed of the first random sequence; the seeds of the following sequences are derived from it. By default, each run uses
    /// a different seed. If the environment variable `FERROFORM_CHECK_SEED` is set, the check runs only the random sequence with this
    /// seed.
    pub fn seed(mut self, seed: u64) -> ProviderCheck<P> {
        self.seed = Some(seed);
        self
    }

    /// Runs the check.
    ///
    /// # Panics
    ///
    /// Panics if an invariant is violated. The message contains a minimal sequence of steps that violates it. Panics if the provider's definition is
    /// invalid, if it rejects its configuration, or if an option names an attribute that does not exist.
    #[track_caller]
    pub fn run(mut self) {
        if let Some(seconds) = number_of(SECONDS) {
            self.budget = Duration::from_secs(seconds);
        }
        if let Some(report) = self.find() {
            panic!("{report}");
        }
    }

    /// Runs the check, and returns the first violation instead of panicking.
    ///
    /// # Panics
    ///
    /// As [`run`](ProviderCheck::run), but not because of a violation.
    #[track_caller]
    pub fn find(self) -> Option<ViolationReport> {
        let mut statistics = Statistics::default();
        let finding = self.search(&mut statistics);
        println!("{statistics}");
        let finding = finding?;
        let seed = finding.seed.map(|it| format!("{SEED}={it} ")).unwrap_or_default();
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let text = format!("{finding}\n\nTo reproduce: {seed}cargo test {test}");
        Some(ViolationReport { invariant: finding.violation.invariant, text })
    }

    #[track_caller]
    fn search(self, statistics: &mut Statistics) -> Option<Finding> {
        let ProviderCheck { server, config, examples, values, not_read, skipped, service, .. } = self;
        let definition = server.definition_errors();
        assert!(!definition.has_error(), "the definition of the provider is invalid:\n{definition}");
        let options = ObjectOptions { examples, values, not_read };
        options.check_names(&server);
        let interceptor = Arc::new(Interceptor::default());
        let intercepted = Arc::new(InterceptedProvider::new(server, &interceptor));
        let mut under_test = ProviderUnderTest {
            intercepted,
            interceptor,
            config,
            skipped,
            service,
            targets: Vec::new(),
            results: Default::default(),
            idle: Default::default(),
            #[cfg(feature = "unstable-state-stores")]
            workspaces: Default::default(),
        };
        let mut rejected = Vec::new();
        if let Err(finding) = prepare(&mut under_test, &options, &mut rejected) {
            return Some(finding);
        }
        statistics.types = under_test.counts();
        let is_skipped = under_test.skipped.contains(&Invariant::ValidConfigurationCanBeApplied);
        if let Some((target, it)) = rejected.into_iter().next().filter(|_| !is_skipped) {
            return Some(report_rejected_configuration(&target, it));
        }
        match number_of(SEED) {
            Some(seed) => under_test.search_random(&under_test.sequences(), seed, statistics),
            None => under_test.search(self.seed.unwrap_or_else(random_seed), self.budget, statistics),
        }
    }
}

/// Reports a type for which no configuration was accepted.
fn report_rejected_configuration(target: &Target, rejected: RejectedConfiguration) -> Finding {
    let RejectedConfiguration { config, errors } = rejected;
    let (kind, name) = (target.kind, &target.name);
    let required = target.values.0.iter().filter(|it| it.absent.is_none());
    let required: Vec<String> = required.map(|it| format!("{} = …", it.name)).collect();
    let values = if required.is_empty() { "…".to_owned() } else { required.join(", ") };
    let existing = match kind {
        Kind::Resource => "",
        _ => " If the values must identify an existing object, create it in the service before the check.",
    };
    let problem = format!(
        "no generated configuration was accepted. Add values that the service accepts: `.example({name:?}, config! {{ {values} }})`.\
         {existing} The errors of the last configuration:\n{errors}"
    );
    let step = format!("the search for a configuration of the {} {name}", kind.noun());
    let violation = Violation::new(Invariant::ValidConfigurationCanBeApplied, &step, Path::ROOT, problem);
    let steps = vec![hcl::step("apply", &hcl::block(kind, name, "a", target.block(), &config, &[]))];
    Finding { violation, steps, seed: None }
}

/// The options of resource types and other objects.
struct ObjectOptions {
    examples: Vec<(String, Configuration)>,
    values: Vec<(String, Path, Vec<Literal>)>,
    not_read: Vec<(String, Path)>,
}

/// The types for which no configuration was accepted.
type RejectedTypes = Vec<(Target, RejectedConfiguration)>;

impl ObjectOptions {
    /// Panics if an option names a type or an attribute that does not exist.
    #[track_caller]
    fn check_names(&self, server: &ProviderServer) {
        let named = self.examples.iter().flat_map(|(name, example)| {
            let paths = example.names().map(|it| Some(Path::attribute(it)));
            paths.chain([None]).map(move |path| (name, path))
        });
        let named = named.chain(self.values.iter().map(|(name, path, _)| (name, Some(path.clone()))));
        for (name, path) in named.chain(self.not_read.iter().map(|(name, path)| (name, Some(path.clone())))) {
            let definitions = server.provider().definitions();
            let objects: Vec<_> = definitions.iter().filter(|(owner, _)| owner.name == name).collect();
            assert!(!objects.is_empty(), "the provider has no object with the name {name}");
            let has = |path: &Path| {
                objects.iter().any(|(_, it)| match it.configurable() {
                    Some(it) => it.schema().block.at(path).is_some(),
                    None => true,
                })
            };
            if let Some(path) = path {
                assert!(has(&path), "{name} has no attribute {path}");
            }
        }
    }

    /// The target for an object with this block.
    #[track_caller]
    fn target(&self, kind: Kind, name: &str, block: &Block) -> Target {
        let mut fixed = FixedValues::new();
        for (_, path, literals) in self.values.iter().filter(|(it, ..)| it == name) {
            if let Some(ferroform::schema::Member::Attribute(attribute)) = block.at(path) {
                let values = literals.iter().map(|it| value_of(attribute, it.clone()));
                fixed.insert(attribute_names(path), values.collect());
            }
        }
        let fields = BlockValues::of(block, &[], &fixed);
        let examples = self.examples.iter().filter(|(it, _)| it == name);
        let mut fields = examples.fold(fields, |fields, (_, example)| {
            // Required attributes can be missing in an example.
            let optional = block.clone().map_attributes(|it| match it.mode() {
                ferroform::schema::Mode::Required => it.optional(),
                _ => it,
            });
            // Another object with the same name can have attributes that this one lacks.
            let example = match kind {
                Kind::Function => example.clone(),
                _ => example.within(block),
            };
            match evaluate(&optional, &example) {
                Ok(example) => fields.with_example(block, &example),
                Err(errors) => panic!("the example of {name} is invalid:\n{errors}"),
            }
        });
        if kind == Kind::Function {
            // All arguments of a function are required, but they can be null.
            fields.0.iter_mut().for_each(|it| it.absent = it.absent.take().filter(Value::is_null));
        }
        let base = fields.base(block);
        let not_read =
            self.not_read.iter().filter(|(it, _)| it == name).map(|(_, path)| attribute_names(path));
        Target {
            kind,
            name: name.to_owned(),
            block: block.clone(),
            values: fields,
            base,
            not_read: not_read.collect(),
            has_remote_object: true,
            example: None,
            links: Vec::new(),
            existing: ExistingValues::new(),
        }
    }
}

/// The value of an attribute, converted to its type.
#[track_caller]
fn value_of(attribute: &Attribute, literal: Literal) -> Value {
    let name = attribute.name().to_string();
    let block = Block::new().attribute(attribute.clone().optional());
    let evaluated = evaluate(&block, &Configuration::new().set(name.as_str(), literal));
    let evaluated = evaluated.unwrap_or_else(|errors| panic!("a value of {name} is invalid:\n{errors}"));
    evaluated.attribute_or_null(&name).clone()
}

/// Finds configurations that the provider accepts.
fn prepare(
    under_test: &mut ProviderUnderTest,
    options: &ObjectOptions,
    rejected: &mut RejectedTypes,
) -> Result<(), Finding> {
    let provider = under_test.intercepted.clone();
    let mut of_provider = options.target(Kind::Provider, "", &provider.schema().block);
    if let Ok(config) = evaluate(&of_provider.block, &under_test.config) {
        of_provider.values = of_provider.values.with_example(&of_provider.block, &config);
        of_provider.base = config;
    }
    under_test.targets.push(of_provider);
    let of_kind = |kind: Kind| {
        let all = provider.definitions().iter().filter(move |(owner, _)| owner.kind == kind);
        all.filter_map(|(owner, it)| Some((owner.name.to_owned(), it.configurable()?.schema().block.clone())))
    };
    for (name, block) in of_kind(Kind::Resource) {
        let mut target = options.target(Kind::Resource, &name, &block);
        let found = under_test.prepare(|run| find_resource_base(run, &mut target))?;
        match found {
            Some(Ok(())) => under_test.targets.push(target),
            Some(Err(it)) => rejected.push((target, it)),
            None => {}
        }
    }
    prepare_linked(under_test, rejected)?;
    for (name, function) in provider.definitions().of_kind::<dyn AnyFunction>() {
        let parameters = function.signature().positional_parameters().iter().cloned();
        let variadic = function.signature().variadic_parameter().cloned();
        let block = Block::new().with_attributes(parameters.chain(variadic));
        under_test.targets.push(options.target(Kind::Function, name, &block));
    }
    for kind in scenarios::CONFIGURED_KINDS.iter().copied() {
        for (name, block) in of_kind(kind) {
            let mut target = options.target(kind, &name, &block);
            let example_fields = target.values.clone();
            let found = under_test.prepare(|run| {
                target.existing = run.create_objects()?;
                target.values = example_fields.clone().with_existing_values(&target.existing, &block);
                let apply = |run: &mut SequenceRun<'_>, config: &Value| {
                    scenarios::try_configuration(run, &target, config)
                };
                find_base(run, &target, apply)
            })?;
            match found {
                Some(Ok((base, ()))) => {
                    target.base = base;
                    under_test.targets.push(target);
                }
                Some(Err(it)) => rejected.push((target, it)),
                None => {}
            }
        }
    }
    Ok(())
}

/// The maximum number of combinations of links that are tried for a type.
const MAX_LINKS: usize = 8;

/// Finds configurations of the rejected resource types that refer to objects of other types.
fn prepare_linked(under_test: &mut ProviderUnderTest, rejected: &mut RejectedTypes) -> Result<(), Finding> {
    let mut remaining = Vec::new();
    for (target, last) in std::mem::take(rejected) {
        let mut accepted = None;
        for links in possible_links(&target, &under_test.targets).into_iter().take(MAX_LINKS) {
            let found = under_test.prepare(|run| {
                let mut linked = target.with_links(run.create_related(&links)?);
                Ok((find_resource_base(run, &mut linked)?, linked))
            })?;
            if let Some((Ok(()), linked)) = found {
                accepted = Some(linked);
                break;
            }
        }
        match accepted {
            Some(linked) => under_test.targets.push(linked),
            None => remaining.push((target, last)),
        }
    }
    *rejected = remaining;
    Ok(())
}

/// Adds the values of an object's attributes.
fn record_values(existing: &mut ExistingValues, state: &Value) {
    let Value::Object(object) = state else { return };
    for (name, value) in object.iter().filter(|(_, it)| !it.is_null()) {
        existing.entry(name.clone()).or_default().push(value.clone());
    }
}

fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    // Each `RandomState` has different keys.
    RandomState::new().hash_one(()) % MAX_SEED
}

impl SequenceRun<'_> {
    /// Creates an object of each resource type, and returns the values of their attributes.
    pub(super) fn create_objects(&mut self) -> StepResult<ExistingValues> {
        let mut existing = BTreeMap::new();
        let provider = self.provider;
        for target in provider.targets(Kind::Resource) {
            let target = match self.with_related(target) {
                Err(SequenceEnd::Rejected) => continue,
                related => &*related?,
            };
            let mut object = self.object(target, "a");
            // Objects of two types can conflict with each other.
            if self.apply(&mut object, &target.base)?.is_err() {
                self.steps.pop();
            }
            if let Some(state) = &object.instance.stored {
                record_values(&mut existing, &state.value);
            }
        }
        Ok(existing)
    }

    /// Creates an object of each resource type, and returns the configuration with the values of these objects.
    pub(super) fn config_for_existing_objects(&mut self, target: &Target) -> StepResult<Value> {
        let existing = self.create_objects()?;
        let Value::Object(mut object) = target.base.clone() else { return Ok(target.base.clone()) };
        for (name, value) in object.iter_mut() {
            let at = target.existing.get(name).and_then(|before| before.iter().position(|it| it == value));
            if let Some(it) = at.and_then(|at| existing.get(name)?.get(at)) {
                *value = it.clone();
            }
        }
        Ok(Value::Object(object))
    }
}
