//! Provider metadata: `provider_meta` blocks.

use std::sync::Arc;

use expect_test::expect;
use ferroform::raw::RequestContext;
use ferroform::raw::{AnyConfigurable, AnyDataSource, Definition, MethodFuture};
use ferroform::schema::{Attribute, AttributeExt as _, Block, Schema};
use ferroform::value::{Object, Type, Value};
use ferroform::{
    ApplyCx, Args, Change, Config, Cx, Data, DataCx, DataSource, Diagnostic, Dynamic, Known, Maybe, Model,
    PlanCx, Planned, Proposed, Provider, ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_engine::ProviderServer;
use ferroform_testing::{Configuration, Harness, Invariant, config, unknown};

struct Test;

/// The provider metadata of a module.
#[derive(Model, Clone, Debug, PartialEq)]
struct Meta {
    /// The team that pays for the resources.
    #[attr(validate = not_empty)]
    team: String,
    labels: Option<Vec<String>>,
    #[attr(sensitive)]
    token: Option<String>,
}

fn not_empty(team: &str) -> Result<(), &'static str> {
    if team.is_empty() { Err("the team is required") } else { Ok(()) }
}

/// A model that is not registered as provider metadata.
#[derive(Model, Clone, Debug, PartialEq)]
struct Other {
    crew: Option<String>,
}

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.provider_meta::<Meta>().resource::<Thing>("test_thing").data_source::<Lookup>("test_lookup");
    }
}

/// Returns the team in the provider metadata of the module.
fn team(cx: &Cx<Test>) -> Result<String> {
    let meta: Option<Config<Meta>> = cx.provider_meta::<Meta>()?;
    let data = cx.provider_meta_data().map(|it| it.get::<Option<Maybe<String>>>(path!(team)).unwrap());
    assert_eq!(data.is_some(), meta.is_some());
    Ok(match meta.map(|it| it.team) {
        Some(Known(team)) => team,
        Some(_) => "a team that is not known yet".into(),
        None => "none".into(),
    })
}

/// Records the team that called each method.
#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    size: u8,
    #[attr(computed)]
    planned_by: String,
    #[attr(computed)]
    applied_by: String,
    #[attr(computed)]
    read_by: Option<String>,
}

impl Resource for Thing {
    type Provider = Test;

    async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(match change.prior {
            None => Proposed::<Self> { planned_by: Known(team(cx)?), ..change.plan },
            Some(_) => change.plan,
        })
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        if plan.size == 98 {
            let meta = cx.provider_meta::<Meta>()?.unwrap();
            return Err(Diagnostic::error("Invalid Token").detail(format!("token: {:?}", meta.token)).into());
        }
        if plan.size == 99 {
            cx.provider_meta::<Other>()?;
        }
        let applied_by = team(cx)?;
        Ok(ThingComputed { planned_by: plan.planned_by.unwrap_or_default(), applied_by, read_by: None })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        // Changes the state only in the test that reads it.
        Ok(Some(Thing { read_by: (state.size == 7).then(|| team(cx)).transpose()?, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<ThingComputed> {
        Ok(ThingComputed { planned_by: prior.planned_by, applied_by: team(cx)?, read_by: None })
    }

    async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
        cx.warn(format!("deleted by {}", team(cx)?));
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Lookup {
    #[attr(computed)]
    read_by: String,
}

impl DataSource for Lookup {
    type Provider = Test;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<LookupComputed> {
        Ok(LookupComputed { read_by: team(cx)? })
    }
}

fn harness() -> Harness {
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject)
}

fn with(meta: Configuration) -> Harness {
    harness().with_provider_meta(meta)
}

#[test]
fn every_method_receives_provider_meta() {
    let harness = with(config! { team = "red", labels = ["a"] });
    let mut thing = harness.resource("test_thing");
    thing.apply(config! { size = 1 });
    assert_eq!(thing.state().get::<String>(path!(planned_by)), "red");
    assert_eq!(thing.state().get::<String>(path!(applied_by)), "red");
    let harness = harness.with_provider_meta(config! { team = "blue" });
    thing.apply(config! { size = 2 });
    assert_eq!(thing.state().get::<String>(path!(applied_by)), "blue", "an update");
    let mut read =
        harness.resource("test_thing").with_state(config! { size = 7, planned_by = "", applied_by = "" });
    read.refresh();
    assert_eq!(read.state().get::<String>(path!(read_by)), "blue");
    thing.destroy();
    let found = harness.data_source("test_lookup").read(config! {});
    assert_eq!(found.get::<String>(path!(read_by)), "blue");
}

#[test]
fn provider_meta_may_be_omitted() {
    let mut thing = harness().resource("test_thing");
    thing.apply(config! { size = 1 });
    assert_eq!(thing.state().get::<String>(path!(applied_by)), "none");
}

#[test]
fn provider_meta_may_be_unknown_during_planning() {
    let planned = with(config! { team = unknown() }).resource("test_thing").plan(config! { size = 1 });
    assert_eq!(planned.after.unwrap().get::<String>(path!(planned_by)), "a team that is not known yet");
}

#[test]
fn provider_meta_is_validated() {
    let harness = with(config! { team = "" });
    let errors = harness.resource("test_thing").try_apply(config! { size = 1 }).error().to_string();
    assert!(
        errors.contains("In the provider_meta block of the module, team: The team is required"),
        "{errors}"
    );
    assert_eq!(harness.data_source("test_lookup").try_read(config! {}).error().to_string(), errors);
    let mut old =
        harness.resource("test_thing").with_state(config! { size = 1, planned_by = "", applied_by = "" });
    assert_eq!(old.try_destroy().error().to_string(), errors);
}

#[test]
fn sensitive_value_of_provider_meta_is_masked() {
    let harness = with(config! { team = "red", token = "t0p-secret" });
    let errors = harness.resource("test_thing").try_apply(config! { size = 98 }).error().to_string();
    assert_eq!(errors, "Invalid Token: token: Known(Some(\"(sensitive value)\"))");
}

#[test]
fn reading_another_model_is_an_error() {
    let errors =
        with(config! { team = "red" }).resource("test_thing").try_apply(config! { size = 99 }).error();
    let errors = errors.to_string();
    assert!(
        errors.starts_with("Cannot Read the provider_meta Block: The provider has registered"),
        "{errors}"
    );
}

/// Defines a provider with a registration.
macro_rules! provider {
    ($name:ident, $registry:ident => $register:expr) => {
        struct $name;

        impl Provider for $name {
            const ADDRESS: &'static str = "example.com/test/test";
            type Config = ();

            async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
                Ok(Known($name))
            }

            fn register($registry: &mut Registry<Self>) {
                $register;
            }
        }
    };
}

/// Returns a metadata schema that is built at run time.
fn runtime_schema() -> Schema {
    let team = Attribute::raw("team", Type::String).validate::<Dynamic, _>(|it: &Dynamic| {
        match it.get::<String>() {
            Ok(team) if team.is_empty() => Err("the team is required"),
            _ => Ok(()),
        }
    });
    Schema::new(Block::new().with_attributes([team, Attribute::raw("size", Type::Number).optional()]))
}

/// A data source that returns the team.
struct Team(Schema);

impl AnyConfigurable for Team {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyDataSource for Team {
    fn read(&self, call: RequestContext, _: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let meta = call.provider_meta().cloned().map(|(value, ty)| Data::typed(ty, value)).transpose()?;
            let team = meta.map(|it| it.get::<String>(path!(team))).transpose()?;
            Ok(Object::from_iter([("team".into(), team.unwrap_or_default().into())]))
        })
    }
}

provider!(BuiltAtRunTime, registry => {
    let team = Attribute::raw("team", Type::String).computed();
    let schema = Schema::new(Block::new().attribute(team));
    registry.raw_provider_meta(runtime_schema()).raw("test_team", Definition::DataSource(Arc::new(Team(schema))));
});

#[test]
fn provider_meta_schema_may_be_built_at_run_time() {
    let harness =
        Harness::start::<BuiltAtRunTime>(config! {}).with_provider_meta(config! { team = "red", size = 3 });
    let found = harness.data_source("test_team").read(config! {});
    assert_eq!(found.get::<String>(path!(team)), "red");
    let errors = harness
        .with_provider_meta(config! { team = "" })
        .data_source("test_team")
        .try_read(config! {})
        .error()
        .to_string();
    assert!(
        errors.contains("In the provider_meta block of the module, team: The team is required"),
        "{errors}"
    );
}

/// Provider metadata cannot contain computed attributes, because it is not stored.
#[derive(Model, Clone, Debug, PartialEq)]
struct Computes {
    #[attr(default = "red")]
    team: String,
    #[attr(computed)]
    id: String,
    access: Option<Access>,
    timeouts: Option<ferroform::Timeouts>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Access {
    #[attr(write_only)]
    token: Option<String>,
}

provider!(Twice, registry => registry.provider_meta::<Meta>().provider_meta::<Other>());
provider!(TwiceAtRunTime, registry => registry.provider_meta::<Meta>().raw_provider_meta(runtime_schema()));
provider!(Invalid, registry => registry.raw_provider_meta(Computes::schema()).concurrency_limit(0));

#[test]
fn invalid_provider_meta_definitions_are_reported() {
    let errors = |server: ProviderServer| {
        server.definition_errors().iter().map(|it| it.detail.clone()).collect::<Vec<_>>().join("\n")
    };
    expect!["In the provider: provider_meta is registered twice. This is a bug in the provider; please report it to its authors."]
        .assert_eq(&errors(ferroform::server::<Twice>()));
    assert_eq!(errors(ferroform::server::<TwiceAtRunTime>()), errors(ferroform::server::<Twice>()));
    expect![[r#"
        In the provider: the concurrency limit is 0, so no method can run. This is a bug in the provider; please report it to its authors.
        In provider_meta: team: a `provider_meta` block has no defaults. This is a bug in the provider; please report it to its authors.
        In provider_meta: id: a `provider_meta` block is set by the practitioner, so it cannot have computed attributes. This is a bug in the provider; please report it to its authors.
        In provider_meta: access.token: a `provider_meta` block is not stored, so it cannot have write-only attributes. This is a bug in the provider; please report it to its authors.
        In provider_meta: timeouts: timeouts are supported only at the root of a resource, data source, ephemeral resource, list resource, action or state store. This is a bug in the provider; please report it to its authors."#]].assert_eq(&errors(ferroform::server::<Invalid>()));
}
