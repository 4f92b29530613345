//! Detached contexts return what a method has recorded.

use std::sync::Arc;

use expect_test::expect;
use ferroform::raw::{AnyConfigurable, AnyDataSource, Definition, MethodFuture, RequestContext};
use ferroform::schema::{Block, Schema};
use ferroform::value::{Object, Path, Type, Value};
use ferroform::{
    Action, ApplyCx, Args, Clock, Deferral, InvokeCx, Known, Maybe, Model, MoveCx, PlanCx, Planned, Provider,
    ReadCx, Registry, RequestCx, Resource, Result, Unknown, path,
};
use ferroform_testing::{Harness, config};

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        let stores = StoresPrivateState(Schema::new(Block::new()));
        registry.raw("test_stores", Definition::DataSource(Arc::new(stores)));
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    #[attr(computed)]
    id: String,
    #[attr(computed)]
    addresses: Vec<String>,
}

impl Resource for Disk {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
        let found = DiskComputed { id: plan.name, addresses: vec!["10.0.0.1".into(), "10.0.0.2".into()] };
        cx.checkpoint(found.clone());
        Ok(found)
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Restart {
    machine: String,
}

impl Action for Restart {
    type Provider = Test;

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        cx.progress(format!("Restarting {}", args.machine)).await;
        Ok(())
    }
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

#[test]
fn checkpoints_are_read_by_path() {
    let cx = ApplyCx::<Disk>::detached(Test, Clock::test());
    assert_eq!(cx.checkpointed::<String>(path!(id)), Ok(None));
    run(Disk::create(&cx, Planned::<Disk> { name: "a".into(), id: Unknown, addresses: Unknown })).unwrap();
    assert_eq!(cx.checkpointed::<String>(path!(id)), Ok(Some("a".into())));
    assert_eq!(cx.checkpointed::<String>(path!(addresses[1])), Ok(Some("10.0.0.2".into())));
    cx.checkpoint_at(path!(addresses[1]), &"10.0.0.9".to_owned());
    assert_eq!(cx.checkpointed::<String>(path!(addresses[1])), Ok(Some("10.0.0.9".into())));
    assert_eq!(cx.checkpointed::<String>(path!(addresses[5])), Ok(None));
    assert!(cx.checkpointed::<i64>(path!(id)).is_err());
}

#[test]
fn plan_context_returns_deferral_replacement_paths_and_private_state() {
    let cx = PlanCx::<Disk>::detached(Test, Clock::test());
    assert_eq!((cx.deferral(), cx.replacement_paths()), (None, Vec::<Path>::new()));
    cx.set_private("etag", &7).unwrap();
    cx.requires_replace(path!(name));
    let _ = cx.defer(Deferral::AbsentPrerequisite);
    assert_eq!(cx.private("etag"), Ok(Some(7)));
    assert_eq!(cx.replacement_paths(), [path!(name)]);
    assert_eq!(cx.deferral(), Some(Deferral::AbsentPrerequisite));
}

#[test]
fn move_context_returns_private_state_and_diagnostics() {
    let cx = MoveCx::detached(Clock::test());
    cx.warn("The object has an old format");
    cx.set_private("etag", &7).unwrap();
    assert_eq!((cx.private("etag"), cx.private::<i64>("other")), (Ok(Some(7)), Ok(None)));
    assert_eq!(cx.diagnostics().to_string(), "The object has an old format");
}

#[test]
fn invoke_context_returns_progress_messages() {
    let cx = InvokeCx::<Restart>::detached(Test, Clock::test());
    run(Restart::invoke(&cx, Args::<Restart> { machine: "m-1".into() })).unwrap();
    assert_eq!(cx.progress_messages(), ["Restarting m-1"]);
}

/// A data source that stores a value in private state, which only resources have.
struct StoresPrivateState(Schema);

impl AnyConfigurable for StoresPrivateState {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyDataSource for StoresPrivateState {
    fn read(&self, cx: RequestContext, _: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            assert_eq!(cx.private_value("etag", &Type::Number)?, None);
            cx.remove_private("etag");
            cx.set_private_value("etag", &7.into(), &Type::Number)?;
            Ok(Object::default())
        })
    }
}

#[test]
fn set_private_in_data_source_is_an_error() {
    let errors = Harness::start::<Test>(config! {}).data_source("test_stores").try_read(config! {}).error();
    expect![[r#"Private State Not Supported: The read of test_stores cannot store "etag" in private state, because only the create, read, update, delete, plan, import and move of a resource have private state. This is a bug in the provider; please report it to its authors."#]].assert_eq(&errors.to_string());
}
