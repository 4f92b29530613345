//! List resources: limit, back-pressure, whole objects, checks of results, errors and cancellation.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use expect_test::expect;
use ferroform::raw::{
    AnyConfigurable, AnyListResource, AnyListed, Definition, ListResults, MethodFuture, RequestContext,
};
use ferroform::schema::{Attribute, Block, Schema};
use ferroform::value::{Type, Value};
use ferroform::{
    ApplyCx, Args, Clock, Config, Diagnostic, Known, ListCx, ListResource, Listed, Maybe, Model, Planned,
    Provider, ReadCx, Registry, RequestCx, Resource, Result, UnknownConfig, path,
};
use ferroform_testing::{Harness, config, unknown};

struct Cloud {
    /// The number of machines that the list has produced.
    produced: Arc<AtomicU64>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    channel: Option<u64>,
    #[attr(sensitive)]
    token: Option<String>,
}

/// The counters of the providers, by their `channel`.
static CHANNELS: Mutex<Vec<Arc<AtomicU64>>> = Mutex::new(Vec::new());

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        let channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
        let counter = |it: Option<u64>| it.map(|it| channels[it as usize].clone()).unwrap_or_default();
        Ok(config.channel.map(|it| Cloud { produced: counter(it) }))
    }

    fn register(registry: &mut Registry<Self>) {
        let schema = Schema::new(Block::new().attribute(Attribute::raw("mistake", Type::String)));
        registry
            .resource::<Machine>("cloud_machine")
            .list_resource::<Machines>("cloud_machine")
            .resource::<Disk>("cloud_disk")
            .raw("cloud_disk", Definition::ListResource(Arc::new(Disks(schema))))
            .unknown_config(UnknownConfig::Proceed);
    }
}

/// A virtual machine.
#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(identity, requires_replace)]
    region: String,
    #[attr(identity, requires_replace)]
    number: u64,
    #[attr(sensitive)]
    password: Option<String>,
    #[attr(write_only)]
    key: Option<String>,
    #[attr(computed)]
    address: String,
}

impl Resource for Machine {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed { address: format!("10.0.0.{}", plan.number) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// The machines of a region.
#[derive(Model, Clone, Debug, PartialEq)]
struct Machines {
    #[attr(default = "eu")]
    region: String,
    #[attr(sensitive)]
    secret: Option<String>,
    /// The number of machines. All by default.
    count: Option<u64>,
    /// The number of the machine with a problem.
    at: Option<u64>,
    problem: Option<String>,
}

impl ListResource for Machines {
    type Resource = Machine;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        match config.region {
            Known(Some(region)) if region == "moon" => {
                Err(Diagnostic::error("Unknown Region").at(path!(region)).into())
            }
            _ => Ok(()),
        }
    }

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let problem = |number| if args.at == Some(number) { args.problem.as_deref() } else { None };
        for number in 1..=args.count.unwrap_or(u64::MAX) {
            cx.provider.produced.store(number, Ordering::Relaxed);
            let machine = Machine {
                region: args.region.clone(),
                number,
                password: Some(format!("password-{number}")),
                key: None,
                address: format!("10.0.0.{number}"),
            };
            let name = format!("machine {number}");
            match problem(number) {
                Some("error") => return Err(Diagnostic::error("Page Not Available").into()),
                Some("panic") => panic!("the list panics"),
                Some("sleep") => {
                    tracing::info!("waiting for the next page");
                    cx.sleep(Duration::from_secs(3600)).await?;
                }
                Some("warning") => {
                    cx.warn("Slow Region");
                    let listed = cx.listed(machine, name)?.warn("Machine Is Stopped");
                    cx.send(listed).await?;
                    continue;
                }
                Some("last warning") => {
                    cx.warn("Slow Region");
                    break;
                }
                Some("broken") => {
                    let error = Diagnostic::error("Machine Is Broken")
                        .detail("The password password-2 and the secret hunter22 are wrong; token to-ken.")
                        .at(path!(address));
                    cx.send(cx.listed(machine, name)?.report(error)).await?;
                    continue;
                }
                Some("bare") => {
                    let identity = MachineIdentity { region: machine.region, number };
                    cx.send(Listed::new(identity, name)).await?;
                    continue;
                }
                Some("write-only") => {
                    let machine = Machine { key: Some("k".into()), ..machine };
                    cx.send(cx.listed(machine, name)?).await?;
                    continue;
                }
                Some("other") => {
                    let identity = MachineIdentity { region: machine.region.clone(), number: number + 1 };
                    cx.send(Listed::new(identity, name).object(machine)).await?;
                    continue;
                }
                _ => {}
            }
            cx.send(cx.listed(machine, name)?).await?;
        }
        Ok(())
    }
}

/// A disk, which a list without Rust types lists.
#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    #[attr(identity, requires_replace)]
    name: String,
    #[attr(identity, requires_replace)]
    zone: Option<String>,
    size: u64,
}

impl Resource for Disk {
    type Provider = Cloud;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<DiskComputed> {
        Ok(DiskComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<DiskComputed> {
        Ok(DiskComputed {})
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A list with a valid result, a result with a mistake, and another valid result.
struct Disks(Schema);

fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    Value::Object(attributes.into_iter().map(|(name, it)| (name.into(), it)).collect())
}

impl AnyConfigurable for Disks {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyListResource for Disks {
    fn list(&self, _: RequestContext, config: Value, results: ListResults) -> MethodFuture<()> {
        Box::pin(async move {
            let identity = |name: Value| object([("name", name), ("zone", Value::Null)]);
            let disk = |name: &str, size: Value| {
                object([("name", name.into()), ("zone", Value::Null), ("size", size)])
            };
            let valid = |name: &str| {
                let mut listed = AnyListed::new(identity(name.into()), name);
                listed.object = Some(disk(name, 1.into()));
                listed
            };
            results.send(valid("a")).await?;
            let mut listed = valid("b");
            match config.attribute("mistake").and_then(Value::as_str).unwrap_or_default() {
                "no identity" => listed.identity = Value::Null,
                "null identity" => listed.identity = identity(Value::Null),
                "incomplete identity" => {
                    listed.identity = object([("name", Value::Null), ("zone", "z".into())]);
                }
                "unknown identity" => listed.identity = identity(Value::UNKNOWN),
                "other identity" => listed.identity = object([("id", "b".into())]),
                "unknown object" => listed.object = Some(disk("b", Value::UNKNOWN)),
                "other object" => listed.object = Some(disk("b", "big".into())),
                "null object" => listed.object = Some(Value::Null),
                _ => {}
            }
            // The mistake of a method that does not return the error.
            let _ = results.send(listed).await;
            results.send(valid("c")).await
        })
    }
}

fn harness() -> Harness {
    Harness::start::<Cloud>(config! { token = "to-ken" })
}

/// The harness with the number of machines that the list has produced.
fn counting_harness() -> (Harness, Arc<AtomicU64>) {
    let counter = Arc::new(AtomicU64::new(0));
    let mut channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
    channels.push(counter.clone());
    let channel = channels.len() - 1;
    drop(channels);
    (Harness::start::<Cloud>(config! { channel = channel as u64, token = "to-ken" }), counter)
}

#[test]
fn list_returns_identities_and_display_names() {
    let found = harness().list_resource("cloud_machine").list(config! { count = 3 });
    let names: Vec<_> = found.iter().map(|it| it.display_name()).collect();
    assert_eq!(names, ["machine 1", "machine 2", "machine 3"]);
    assert_eq!(found[1].identity().get::<String>(path!(region)), "eu");
    assert_eq!(found[1].identity().get::<u64>(path!(number)), 2);
    assert!(found.iter().all(|it| it.object().is_none() && it.warnings().is_empty()));
}

#[test]
fn whole_objects_are_returned_only_on_request() {
    let machines = harness().list_resource("cloud_machine").include_resource();
    let found = machines.list(config! { count = 1, region = "us" });
    let object = found[0].object().unwrap();
    assert_eq!(object.get::<String>(path!(address)), "10.0.0.1");
    assert_eq!(object.get::<String>(path!(region)), "us");
}

#[test]
fn write_only_values_of_listed_objects_are_removed() {
    let machines = harness().list_resource("cloud_machine").include_resource();
    let found = machines.list(config! { count = 1, at = 1, problem = "write-only" });
    assert_eq!(found[0].object().unwrap().get::<Option<String>>(path!(key)), None);
}

#[test]
fn result_without_requested_object_has_a_warning() {
    let config = config! { count = 2, at = 2, problem = "bare" };
    let machines = harness().list_resource("cloud_machine");
    assert!(machines.list(config.clone())[1].warnings().is_empty());
    let found = machines.include_resource().list(config);
    assert!(found[0].warnings().is_empty());
    expect![[r#"Incomplete List Result: Terraform requested the whole objects of cloud_machine, but the result "machine 2" has none, so no configuration can be generated for it."#]].assert_eq(&found[1].warnings().to_string());
    assert!(found[1].object().is_none());
}

#[test]
fn limit_ends_an_endless_list() {
    let (harness, produced) = counting_harness();
    let found = harness.list_resource("cloud_machine").limit(3).list(config! {});
    assert_eq!(found.len(), 3);
    assert_eq!(produced.load(Ordering::Relaxed), 3, "no machine is produced beyond the limit");
}

#[test]
fn limit_above_the_number_of_objects_has_no_effect() {
    assert_eq!(harness().list_resource("cloud_machine").limit(9).list(config! { count = 2 }).len(), 2);
}

#[test]
fn warnings_precede_the_next_result() {
    let config = config! { count = 3, at = 2, problem = "warning" };
    let found = harness().list_resource("cloud_machine").list(config);
    let warnings: Vec<String> = found.iter().map(|it| it.warnings().to_string()).collect();
    assert_eq!(warnings, ["", "Slow Region\nMachine Is Stopped", ""]);
}

#[test]
fn error_keeps_the_results_before_it() {
    let config = config! { count = 9, at = 4, problem = "error" };
    let outcome = harness().list_resource("cloud_machine").try_list(config);
    assert_eq!(outcome.partial().objects.len(), 3);
    let errors = outcome.error();
    assert_eq!(errors.to_string(), "Page Not Available");
}

#[test]
fn panic_keeps_the_results_before_it() {
    let config = config! { count = 9, at = 3, problem = "panic" };
    let outcome = harness().list_resource("cloud_machine").try_list(config);
    assert_eq!(outcome.partial().objects.len(), 2);
    let errors = outcome.error();
    let error = errors.iter().next().unwrap();
    assert!(error.detail.contains("the list panics"), "{errors}");
}

#[test]
fn error_about_an_object_ends_the_list() {
    let (harness, produced) = counting_harness();
    let config = config! { at = 2, problem = "broken", secret = "hunter22" };
    let outcome = harness.list_resource("cloud_machine").include_resource().try_list(config);
    assert_eq!(outcome.partial().objects.len(), 1);
    let errors = outcome.error();
    expect!["Machine Is Broken: address: The password (sensitive value) and the secret (sensitive value) are wrong; token (sensitive value)."].assert_eq(&errors.to_string());
    assert_eq!(produced.load(Ordering::Relaxed), 2);
}

#[test]
fn warning_after_the_last_result_is_reported() {
    let config = config! { count = 3, at = 3, problem = "last warning" };
    let listing = harness().list_resource("cloud_machine").try_list(config).ok();
    assert_eq!(listing.objects.len(), 2);
    assert_eq!(listing.warnings.to_string(), "Slow Region");
}

#[test]
fn interrupted_list_keeps_its_results() {
    let harness = harness();
    harness.stop_at("waiting for the next page");
    let config = config! { count = 3, at = 2, problem = "sleep" };
    let outcome = harness.list_resource("cloud_machine").try_list(config);
    assert_eq!(outcome.partial().objects.len(), 1);
    let errors = outcome.error();
    expect!["Operation Canceled: The list of cloud_machine was interrupted. Nothing was changed."]
        .assert_eq(&errors.to_string());
}

#[test]
fn identity_of_another_object_is_an_error() {
    let config = config! { count = 9, at = 2, problem = "other" };
    let machines = harness().list_resource("cloud_machine").include_resource();
    let outcome = machines.try_list(config);
    assert_eq!(outcome.partial().objects.len(), 1);
    let errors = outcome.error();
    expect!["Inconsistent List Result: number: the identity of the result contains 3, but the object has 2. This is a bug in the provider; please report it to its authors."].assert_eq(&errors.to_string());
}

#[test]
fn mistakes_in_results_are_explained() {
    let disks = harness().list_resource("cloud_disk").include_resource();
    let errors_of = |mistake: &str| {
        let outcome = disks.try_list(config! { mistake = (mistake) });
        assert_eq!(outcome.partial().objects.len(), 1, "{mistake}");
        let errors = outcome.error();
        format!("{mistake}: {errors}\n")
    };
    let all: String =
        ["no identity", "null identity", "incomplete identity", "unknown identity", "other identity"]
            .into_iter()
            .map(errors_of)
            .collect();
    expect![[r#"
        no identity: Incomplete List Result: The result "b" of cloud_disk has no identity. This is a bug in the provider; please report it to its authors.
        null identity: Incomplete List Result: The result "b" of cloud_disk has no identity. This is a bug in the provider; please report it to its authors.
        incomplete identity: Incomplete List Result: The identity of the result "b" of cloud_disk requires a known value for the attribute "name". This is a bug in the provider; please report it to its authors.
        unknown identity: Incomplete List Result: The identity of the result "b" of cloud_disk requires a known value for the attribute "name". This is a bug in the provider; please report it to its authors.
        other identity: Provider produced invalid object: name: the attribute is missing. This is a bug in the provider; please report it to its authors.
        Provider produced invalid object: zone: the attribute is missing. This is a bug in the provider; please report it to its authors.
        Provider produced invalid object: id: there is no such attribute, but the provider returned "b". This is a bug in the provider; please report it to its authors.
    "#]].assert_eq(&all);
    let disks = harness().skip_check(ferroform_testing::Invariant::StateIsValid);
    let disks = disks.list_resource("cloud_disk").include_resource();
    let all: String = ["unknown object", "other object"]
        .into_iter()
        .map(|mistake| {
            let outcome = disks.try_list(config! { mistake = (mistake) });
            assert_eq!(outcome.partial().objects.len(), 1, "{mistake}");
            let errors = outcome.error();
            format!("{mistake}: {errors}\n")
        })
        .collect();
    expect![[r#"
        unknown object: Provider produced invalid object: size: the value must be known after apply, but the provider returned an unknown value. This is a bug in the provider; please report it to its authors.
        other object: Provider produced invalid object: size: the type in the schema is number, but the provider returned "big". This is a bug in the provider; please report it to its authors.
    "#]].assert_eq(&all);
    let found = disks.list(config! { mistake = "null object" });
    assert_eq!(found.len(), 3);
    assert!(found[1].object().is_none() && !found[1].warnings().is_empty());
}

#[test]
fn configuration_is_validated() {
    let machines = harness().list_resource("cloud_machine");
    let errors = machines.try_list(config! { region = "moon" }).error();
    assert_eq!(errors.to_string(), "region: Unknown Region");
}

#[test]
fn list_needs_a_configured_provider() {
    let harness = Harness::start::<Cloud>(config! { channel = unknown() });
    let errors = harness.list_resource("cloud_machine").try_list(config! { count = 1 }).error();
    assert!(errors.iter().all(|it| it.is_provider_not_configured()), "{errors}");
}

#[test]
fn detached_list_context_returns_sent_results() {
    let (cx, mut sent) = ListCx::<Machines>::detached(Cloud { produced: Arc::default() }, Clock::test());
    let args =
        Args::<Machines> { region: "eu".into(), secret: None, count: Some(2), at: None, problem: None };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(Machines::list(&cx, args)).unwrap();
    let names: Vec<String> = sent.take().into_iter().map(|it| it.display_name).collect();
    assert_eq!(names, ["machine 1", "machine 2"]);
    assert!(sent.take().is_empty(), "each result is taken once");
}
