//! Timeouts of ephemeral resources, list resources and state stores.

use std::time::Duration;

use expect_test::expect;
use ferroform::{
    Args, EphemeralResource, ListCx, ListResource, Model, OpenCx, Opened, OpenedCx, Planned, Renewed,
    Resource, Result, StateStore, StoreCx, Timeouts,
};
use ferroform_testing::{Harness, config, provider};

provider! {
    Slow {
        resource Machine = "slow_machine",
        list_resource Machines = "slow_machine",
        ephemeral_resource Lease = "slow_lease",
        state_store Bucket = "slow_bucket",
    }
}

fn harness() -> Harness {
    Harness::start::<Slow>(config! {})
}

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

/// A lease whose operations take the configured minutes.
#[derive(Model, Clone, Debug, PartialEq)]
struct Lease {
    opens_in: u64,
    renews_in: u64,
    #[attr(computed)]
    id: String,
    #[attr(timeouts(open = "5m", renew = "2m", close))]
    timeouts: Option<Timeouts>,
}

impl EphemeralResource for Lease {
    type Provider = Slow;
    type Private = u64;

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        cx.sleep(minutes(args.opens_in)).await?;
        Ok(Opened::new(LeaseComputed { id: "lease".into() }, args.renews_in).renew_in(minutes(1)))
    }

    async fn renew(cx: &OpenedCx<Self>, renews_in: u64) -> Result<Renewed<Self>> {
        cx.sleep(minutes(renews_in)).await?;
        Ok(Renewed::new(renews_in))
    }

    async fn close(cx: &OpenedCx<Self>, renews_in: u64) -> Result<()> {
        assert_eq!(cx.remaining(), Some(minutes(20)));
        cx.sleep(minutes(renews_in)).await
    }
}

#[test]
fn ephemeral_resource_has_timeouts_for_open_renew_and_close() {
    let lease = |config| harness().ephemeral_resource("slow_lease").try_open(config);
    let error = lease(config! { opens_in = 6, renews_in = 1 }).error();
    expect![[r#"
        Operation Timed Out: Opening slow_lease timed out after 5m. The operation may have partially completed. Check the remote object before retrying.

        To increase the timeout, configure for example: timeouts = { open = "10m" }"#]]
    .assert_eq(&error.to_string());
    let config = config! { opens_in = 6, renews_in = 4, timeouts = { open = "10m", renew = "3m" } };
    let mut opened = lease(config).ok();
    let error = opened.try_renew().error().to_string();
    assert!(error.contains("Renewing slow_lease timed out after 3m"), "{error}");
    assert!(error.contains(r#"timeouts = { renew = "6m" }"#), "{error}");
    opened.close();
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    #[attr(identity, requires_replace)]
    name: String,
}

impl Resource for Machine {
    crate::common::state_only_resource!(Slow, MachineComputed {});
}

/// A list that takes six minutes.
#[derive(Model, Clone, Debug, PartialEq)]
struct Machines {
    #[attr(timeouts(list = "5m"))]
    timeouts: Option<Timeouts>,
}

impl ListResource for Machines {
    type Resource = Machine;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        cx.sleep(minutes(6)).await
    }
}

#[test]
fn list_resource_has_a_timeout_for_list() {
    let list = |config| harness().list_resource("slow_machine").try_list(config);
    let error = list(config! {}).error().to_string();
    assert!(error.contains(r#"timeouts = { list = "10m" }"#), "{error}");
    assert!(list(config! { timeouts = { list = "10m" } }).ok().objects.is_empty());
}

/// A state store whose operations take the minutes in the ID of the state.
struct Bucket;

#[derive(Model, Clone, Debug, PartialEq)]
struct BucketConfig {
    #[attr(timeouts(read = "5m", lock = "1m", default = "2m"))]
    timeouts: Option<Timeouts>,
}

async fn work(cx: &StoreCx<Bucket>, state_id: &str) -> Result<()> {
    cx.sleep(minutes(state_id.parse()?)).await
}

impl StateStore for Bucket {
    type Provider = Slow;
    type Config = BucketConfig;

    async fn configure(_: &StoreCx<Self>, _: Args<BucketConfig>) -> Result<Self> {
        Ok(Bucket)
    }

    async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
        work(cx, state_id).await.map(|()| None)
    }

    async fn write(&self, cx: &StoreCx<Self>, state_id: &str, _: Vec<u8>) -> Result<()> {
        work(cx, state_id).await
    }

    async fn lock(&self, cx: &StoreCx<Self>, state_id: &str, _: &str) -> Result<Option<String>> {
        work(cx, state_id).await.map(|()| Some("lock".into()))
    }

    async fn unlock(&self, cx: &StoreCx<Self>, state_id: &str, _: &str) -> Result<()> {
        work(cx, state_id).await
    }

    async fn states(&self, cx: &StoreCx<Self>) -> Result<Vec<String>> {
        work(cx, "3").await.map(|()| Vec::new())
    }

    async fn delete(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<()> {
        work(cx, state_id).await
    }
}

#[test]
fn state_store_has_timeouts_for_its_operations() {
    let store = harness().state_store("slow_bucket").configure(config! { timeouts = { lock = "4m" } });
    let hint = |error: String, operation: &str, time: &str| {
        let hint = format!("timeouts = {{ {operation} = {time:?} }}");
        assert!(error.contains("Operation Timed Out") && error.contains(&hint), "{error}");
    };
    assert_eq!(store.try_read("4").ok(), None);
    hint(store.try_read("6").error().to_string(), "read", "10m");
    assert_eq!(store.try_lock("3", "plan").ok().as_deref(), Some("lock"));
    hint(store.try_lock("5", "plan").error().to_string(), "lock", "8m");
    hint(store.try_write("3", "{}").error().to_string(), "default", "4m");
    hint(store.try_unlock("3", "lock").error().to_string(), "default", "4m");
    hint(store.try_states().error().to_string(), "default", "4m");
    hint(store.try_delete("3").error().to_string(), "default", "4m");
}
