//! Timeouts: in schemas, in plans, and as deadlines of methods.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, Block, Nested, Schema};
use ferroform::timeouts::{Operation, TimeoutDefaults};
use ferroform::value::Type;
use ferroform::{
    ApplyCx, Args, DataCx, DataSource, Diagnostic, Known, Maybe, Model, Planned, Provider, ReadCx, Registry,
    RequestCx, Resource, Result, Timeouts, path,
};
use ferroform_engine::timeouts::DEFAULT_TIMEOUT;
use ferroform_testing::{Action, Configuration, Harness, Instance, Invariant, config, unknown};

const MINUTE: Duration = Duration::from_secs(60);

/// The names of the updated jobs.
static UPDATED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn was_updated(name: &str) -> bool {
    UPDATED.lock().unwrap().remove(name)
}

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Job>("test_job")
            .resource::<WithoutUpdate>("test_still")
            .resource::<All>("test_all")
            .data_source::<Search>("test_search");
    }
}

/// A job whose methods take a configured time.
#[derive(Model, Clone, Debug, PartialEq)]
struct Job {
    name: String,
    /// The duration of the methods in minutes.
    takes: u32,
    /// Whether `create` records no checkpoint.
    #[attr(default = false)]
    skips_checkpoint: bool,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// The timeout of the last method in minutes.
    #[attr(computed)]
    had: u64,
    /// The timeouts of the methods.
    #[attr(timeouts(create = "30m", read = "20m", update = "10m", delete = "5m"))]
    timeouts: Option<Timeouts>,
}

async fn work(cx: &ApplyCx<Job>, plan: &Planned<Job>) -> Result<JobComputed> {
    let had = cx.remaining().map_or(0, |it| it.as_secs() / 60);
    assert_eq!(cx.deadline(), cx.remaining().map(|it| cx.clock().now() + it));
    let id = format!("job {}", plan.name);
    if !plan.skips_checkpoint {
        cx.checkpoint_at(path!(id), &id);
    }
    if plan.name == "client" {
        cx.clock().sleep(MINUTE * plan.takes).await;
        return Err(Diagnostic::error("timeout: global").into());
    }
    cx.sleep(MINUTE * plan.takes).await?;
    Ok(JobComputed { id, had })
}

impl Resource for Job {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<JobComputed> {
        work(cx, &plan).await
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        if state.name == "slow to read" {
            cx.sleep(MINUTE * state.takes).await?;
        }
        // The service does not return the timeouts.
        Ok(Some(Job { timeouts: None, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<JobComputed> {
        UPDATED.lock().unwrap().insert(plan.name.clone());
        work(cx, &plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.sleep(MINUTE * state.takes).await
    }

    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(Job {
            id: format!("job {id}"),
            name: id,
            takes: 1,
            skips_checkpoint: false,
            had: 30,
            timeouts: None,
        })
    }
}

/// A resource without `update`, with timeouts in a block.
#[derive(Model, Clone, Debug, PartialEq)]
struct WithoutUpdate {
    name: String,
    #[attr(computed, follows(name))]
    id: String,
    #[attr(block, timeouts(create, default = "40m"))]
    limits: Option<Timeouts>,
}

impl Resource for WithoutUpdate {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<WithoutUpdateComputed> {
        cx.sleep(MINUTE * 45).await?;
        Ok(WithoutUpdateComputed { id: format!("still {}", plan.name) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
        assert_eq!(
            cx.remaining(),
            Some(MINUTE * 40),
            "an operation without a timeout has the default timeout"
        );
        cx.sleep(MINUTE * 50).await
    }
}

/// A resource without timeouts.
#[derive(Model, Clone, Debug, PartialEq)]
struct All {
    timeouts: Option<Timeouts>,
}

impl Resource for All {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<AllComputed> {
        assert_eq!(cx.remaining(), Some(DEFAULT_TIMEOUT));
        Ok(AllComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        assert_eq!(cx.remaining(), Some(DEFAULT_TIMEOUT));
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Search {
    name: String,
    #[attr(computed)]
    found: String,
    #[attr(timeouts(read = "2m"))]
    timeouts: Option<Timeouts>,
}

impl DataSource for Search {
    type Provider = Test;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<SearchComputed> {
        cx.sleep(MINUTE * 3).await?;
        Ok(SearchComputed { found: args.name })
    }
}

fn harness() -> Harness {
    // The objects exist only in the state.
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject)
}

fn job() -> Instance {
    harness().resource("test_job")
}

fn create_with_timeout(job: Configuration) -> (String, Duration, Instance) {
    let harness = harness();
    let mut it = harness.resource("test_job");
    let errors = it.try_apply(job).error().to_string();
    (errors, harness.clock().elapsed(), it)
}

#[test]
fn create_ends_at_deadline_and_keeps_checkpoint() {
    let (errors, elapsed, job) = create_with_timeout(config! { name = "a", takes = 40 });
    expect![[r#"
        Operation Timed Out: The creation of test_job timed out after 30m. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.

        To increase the timeout, configure for example: timeouts = { create = "1h" }"#]]
    .assert_eq(&errors);
    assert_eq!(elapsed, MINUTE * 30);
    assert!(job.is_tainted());
    assert_eq!(job.state().get::<String>(path!(id)), "job a");
}

#[test]
fn create_without_checkpoint_reports_partial_completion() {
    let (errors, _, job) = create_with_timeout(config! { name = "a", takes = 40, skips_checkpoint = true });
    assert!(
        errors.contains(
            "after 30m. The object is not in the state. Check whether it exists before you apply again."
        ),
        "{errors}"
    );
    assert!(!job.exists());
}

/// The timeout of a client is the deadline, so that the client fails before the method is dropped.
#[test]
fn error_of_a_client_after_the_deadline_names_the_timeouts() {
    let client = |takes: u32| config! { name = "client", takes = takes, skips_checkpoint = true };
    let (errors, elapsed, _) = create_with_timeout(client(30));
    expect![[r#"
        timeout: global: The creation of test_job failed after 30m; the timeout is 30m.

        To increase the timeout, configure for example: timeouts = { create = "1h" }"#]]
    .assert_eq(&errors);
    assert_eq!(elapsed, MINUTE * 30);
    let (errors, ..) = create_with_timeout(client(29));
    assert_eq!(errors, "timeout: global");
}

#[test]
fn configured_timeout_replaces_the_default() {
    let mut job = job();
    job.apply(config! { name = "a", takes = 2, timeouts = { create = "1h" } });
    assert_eq!(job.state().get::<u64>(path!(had)), 60);
    let update = |time: &str| config! { name = "a", takes = 3, timeouts = { create = "1h", update = time } };
    let errors = job.try_apply(update("90s")).error().to_string();
    assert!(errors.contains("The update of test_job timed out after 1m30s."), "{errors}");
    assert_eq!(job.state().get::<u32>(path!(takes)), 2, "a failed update keeps the prior state");
    assert!(!job.is_tainted());
    job.apply(update("1h30m"));
    assert_eq!(job.state().get::<u64>(path!(had)), 90);
}

#[test]
fn read_and_delete_use_timeouts_of_the_state() {
    let harness = harness();
    let mut job = harness.resource("test_job").with_state(config! {
        name = "slow to read", takes = 3, skips_checkpoint = false, id = "i", had = 0, timeouts = { read = "2m" }
    });
    let errors = job.try_destroy().error().to_string();
    assert!(errors.contains("The read of test_job timed out after 2m. Nothing was changed."), "{errors}");
    assert!(errors.contains("timeouts = { read = \"4m\" }"), "{errors}");
    assert!(job.exists());

    let mut job = harness.resource("test_job").with_state(config! {
        name = "b", takes = 6, skips_checkpoint = false, id = "i", had = 0
    });
    let errors = job.try_destroy().error().to_string();
    assert!(errors.contains("The deletion of test_job timed out after 5m."), "{errors}");
    assert!(job.exists());
}

#[test]
fn invalid_timeout_is_reported_by_validation() {
    let validation_error = |time: &str| {
        job().try_apply(config! { name = "a", takes = 1, timeouts = { create = time } }).error().to_string()
    };
    expect![[r#"timeouts.create: Invalid Attribute Value: A duration such as "30m" or "1h30m" is required, but got "soon"."#]]
        .assert_eq(&validation_error("soon"));
    expect![[r#"timeouts.create: Invalid Attribute Value: A duration longer than zero, such as "30m", is required, but got "-5m"."#]]
        .assert_eq(&validation_error("-5m"));
    let errors =
        job().try_apply(config! { name = "a", takes = 1, timeouts = { open = "5m" } }).error().to_string();
    assert!(errors.contains("open"), "{errors}");
    let mut timeouts_block = harness().resource("test_still");
    let errors =
        timeouts_block.try_apply(config! { name = "a", limits { create = "5" } }).error().to_string();
    assert!(errors.starts_with("limits.create: Invalid Attribute Value"), "{errors}");
}

#[test]
fn timeouts_without_an_operation_are_reported() {
    // Terraform sends `timeouts = { crate = "5m" }` without the unknown name.
    let warnings = job().plan(config! { name = "a", takes = 1, timeouts = {} }).warnings.to_string();
    expect![[r#"timeouts: No Timeout Set: None of the timeouts is set: create, read, update, delete. Terraform drops other names, such as misspelled ones, without a message."#]]
        .assert_eq(&warnings);
    let warnings = |timeouts: Configuration| job().plan(timeouts).warnings;
    assert!(warnings(config! { name = "a", takes = 1, timeouts = { read = "5m" } }).is_empty());
    assert!(warnings(config! { name = "a", takes = 1 }).is_empty());
}

#[test]
fn changed_timeouts_keep_computed_values() {
    let mut job = job();
    job.apply(config! { name = "only timeouts", takes = 1 });
    let set = |create: &str| config! { name = "only timeouts", takes = 1, timeouts = { create = create } };
    let diff = job.apply(set("1h"));
    expect![[r#"
        update
        + timeouts.create = "1h""#]]
    .assert_eq(&diff.to_string());
    assert!(!was_updated("only timeouts"));
    assert_eq!(job.state().get::<String>(path!(timeouts.create)), "1h");
    // The same duration in another format is not a change.
    assert_eq!(job.plan(set("60m")).action, Action::NoOp);
    // Removed timeouts are removed from the state.
    job.apply(config! { name = "only timeouts", takes = 1 });
    assert!(!was_updated("only timeouts"));
    // Together with another change, they are part of an update.
    let both = job.apply(config! { name = "only timeouts", takes = 2, timeouts = { create = "2h" } });
    assert!(both.after.unwrap().is_unknown(path!(had)));
    assert!(was_updated("only timeouts"));
}

#[test]
fn changed_timeouts_do_not_require_replacement() {
    let mut timeouts_block = harness().resource("test_still");
    let first = timeouts_block.try_apply(config! { name = "a" }).error().to_string();
    assert!(!timeouts_block.exists() && first.contains("limits { create = \"1h20m\" }"), "{first}");
    timeouts_block.apply(config! { name = "a", limits { create = "50m" } });
    let id = timeouts_block.state().get::<String>(path!(id));
    let diff = timeouts_block.apply(config! { name = "a", limits { create = "1h", default = "2h" } });
    expect![[r#"
        update
        ~ limits.create = "50m" -> "1h"
        + limits.default = "2h""#]]
    .assert_eq(&diff.to_string());
    assert_eq!(timeouts_block.state().get::<String>(path!(id)), id);
    let both = timeouts_block.plan(config! { name = "b", limits { create = "55m" } });
    assert_eq!((both.action, both.requires_replace), (Action::Replace, vec![path!(name)]));
}

#[test]
fn unknown_timeouts_are_planned() {
    let mut job = job();
    let first = job.apply_once_known(
        config! { name = "a", takes = 1, timeouts = { create = unknown() } },
        config! { name = "a", takes = 1, timeouts = { create = "45m" } },
    );
    assert!(first.after.unwrap().is_unknown(path!(timeouts.create)));
    assert_eq!(job.state().get::<u64>(path!(had)), 45);
    assert!(job.plan_with_unknowns(config! { name = "a", takes = 1, timeouts = { create = "45m" } }) > 4);
}

#[test]
fn imported_object_has_no_timeouts() {
    let mut job = job();
    job.import("x");
    let diff = job.apply(config! { name = "x", takes = 1, timeouts = { delete = "20m" } });
    assert_eq!(diff.action, Action::Update);
    assert!(!was_updated("x"));
    job.destroy();
}

#[test]
fn operations_have_the_default_timeout() {
    let mut all = harness().resource("test_all");
    all.apply(config! {});
    all.destroy();
    assert_eq!(names(&All::schema().block), ["create", "read", "update", "delete"]);
}

#[test]
fn data_source_has_a_deadline() {
    let harness = harness();
    let search = harness.data_source("test_search");
    let errors = search.try_read(config! { name = "a" }).error().to_string();
    assert!(errors.contains("The read of test_search timed out after 2m."), "{errors}");
    let found = search.read(config! { name = "a", timeouts = { read = "5m" } });
    assert_eq!(found.get::<String>(path!(timeouts.read)), "5m");
}

/// Returns the operations in the timeouts of a schema.
fn names(block: &Block) -> Vec<String> {
    let inside = block.get("timeouts").and_then(|it| it.nested()).map(|it| it.block());
    inside.into_iter().flat_map(|it| it.attributes()).map(|it| it.name().to_string()).collect()
}

#[test]
fn schema_has_only_named_operations() {
    let job = Job::schema().block;
    assert_eq!(names(&job), ["create", "read", "update", "delete"]);
    assert_eq!(names(&Search::schema().block), ["read"]);
    let timeouts = job.get("timeouts").unwrap();
    assert_eq!(timeouts.full_description(), "The timeouts of the methods.");
    let create = timeouts.nested().unwrap().block().get("create").unwrap();
    assert_eq!(create.ty(), &Type::String);
    expect!["The timeout of create, such as `1h30m`. Defaults to `30m`."]
        .assert_eq(&create.full_description());
    let schema = WithoutUpdate::schema();
    let timeouts_block = &schema.block.blocks()[0];
    assert_eq!(timeouts_block.block().attributes().len(), 2);
    expect!["The timeout of create, such as `1h30m`. Defaults to `40m`."]
        .assert_eq(&timeouts_block.block().attributes()[0].full_description());
}

fn limits(name: &str) -> Attribute {
    Attribute::timeouts(name, TimeoutDefaults::new().with(Operation::Create, DEFAULT_TIMEOUT))
}

#[test]
fn invalid_runtime_timeouts_are_reported() {
    let inner = Attribute::raw_nested("inner", Nested::list(Block::new().attribute(limits("timeouts"))));
    for (block, expected) in [
        (Block::new().attribute(limits("timeouts")), expect![[""]]),
        (
            Block::new().attribute(inner),
            expect![
                "In resource test_thing: inner.timeouts: timeouts are supported only at the root of a resource, data source, ephemeral resource, list resource, action or state store. This is a bug in the provider; please report it to its authors."
            ],
        ),
        (
            Block::new().attribute(limits("timeouts")).block(limits("more")),
            expect![
                "In resource test_thing: more: timeouts are declared more than once. This is a bug in the provider; please report it to its authors."
            ],
        ),
        (
            Block::new().attribute(limits("timeouts").requires_replace()),
            expect![
                "In resource test_thing: timeouts: timeouts must be optional and support no other option. This is a bug in the provider; please report it to its authors."
            ],
        ),
        (
            Block::new().attribute(Attribute::timeouts("timeouts", TimeoutDefaults::new())),
            expect![
                "In resource test_thing: timeouts: timeouts must name at least one operation. This is a bug in the provider; please report it to its authors."
            ],
        ),
    ] {
        check_errors(block, expected);
    }
}

/// A provider configuration and a data source with timeouts that do not apply.
struct InvalidTimeouts;

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    #[attr(timeouts(read))]
    timeouts: Option<Timeouts>,
}

impl Provider for InvalidTimeouts {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = Settings;

    async fn configure(_: &RequestCx, _: ferroform::Config<Settings>) -> Result<Maybe<Self>> {
        Ok(Known(InvalidTimeouts))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<WithReadTimeout>("test_with_timeout");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct WithReadTimeout {
    #[attr(timeouts(create, read))]
    timeouts: Option<Timeouts>,
}

impl DataSource for WithReadTimeout {
    type Provider = InvalidTimeouts;

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<WithReadTimeoutComputed> {
        Ok(WithReadTimeoutComputed {})
    }
}

#[test]
fn timeouts_outside_resources_are_reported() {
    let messages: Vec<String> = ferroform::server::<InvalidTimeouts>()
        .definition_errors()
        .iter()
        .map(|it| it.detail.clone())
        .collect();
    expect![[r#"
        In the provider's configuration: timeouts: timeouts are supported only at the root of a resource, data source, ephemeral resource, list resource, action or state store. This is a bug in the provider; please report it to its authors.
        In data source test_with_timeout: timeouts: a data source has no operation "create", only read. This is a bug in the provider; please report it to its authors."#]]
    .assert_eq(&messages.join("\n"));
}

fn check_errors(block: Block, expected: Expect) {
    let schema = Schema::new(block);
    let server = crate::common::server(schema);
    let messages: Vec<String> = server.definition_errors().iter().map(|it| it.detail.clone()).collect();
    expected.assert_eq(&messages.join("\n"));
}
