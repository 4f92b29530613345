//! State stores: configuration, states, locks, cancellation, panics, and sensitive values.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use expect_test::expect;
use ferroform::state_store::LockInfo;
use ferroform::validators::length_at_most;
use ferroform::{
    Args, Config, Diagnostic, Known, Maybe, Model, Provider, Registry, RequestCx, Result, StateStore,
    StoreCx, path,
};
use ferroform_testing::{Harness, config, unknown};

struct Cloud {
    region: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    region: Option<String>,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.region.map(|it| Cloud { region: it.unwrap_or_else(|| "eu".into()) }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.state_store::<Bucket>("cloud_bucket").state_store::<Plain>("cloud_plain");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct BucketConfig {
    #[attr(validate = length_at_most(12))]
    bucket: String,
    #[attr(default = "states/")]
    prefix: String,
    #[attr(sensitive)]
    token: Option<String>,
    tags: Option<Vec<Tag>>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tag {
    name: String,
}

/// A state store in memory. The ID of a state determines how its methods fail.
struct Bucket {
    name: String,
    token: String,
    states: Mutex<BTreeMap<String, Vec<u8>>>,
    locks: Mutex<BTreeMap<String, LockInfo>>,
}

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StateStore for Bucket {
    type Provider = Cloud;
    type Config = BucketConfig;

    async fn validate(_: &RequestCx, config: Config<BucketConfig>) -> Result<()> {
        match config.bucket {
            Known(name) if name == "forbidden" => {
                Err(Diagnostic::error("Forbidden Bucket").at(path!(bucket)).into())
            }
            _ => Ok(()),
        }
    }

    async fn configure(cx: &StoreCx<Self>, args: Args<BucketConfig>) -> Result<Self> {
        if args.bucket == "missing" {
            let token = args.token.unwrap_or_default();
            return Err(Diagnostic::error(format!("No Bucket for {token}")).at(path!(bucket)).into());
        }
        let name = format!("{}/{}/{}", cx.provider.region, args.bucket, args.prefix);
        let token = args.token.unwrap_or_default();
        Ok(Bucket { name, token, states: Mutex::default(), locks: Mutex::default() })
    }

    async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
        match state_id {
            "name" => return Ok(Some(self.name.clone().into_bytes())),
            "leak" => return Err(Diagnostic::error(format!("{} is expired", self.token)).into()),
            "stuck" => cx.sleep(Duration::from_secs(3600)).await?,
            "warning" => cx.warn("Old State"),
            _ => {}
        }
        Ok(locked(&self.states).get(state_id).cloned())
    }

    async fn write(&self, cx: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
        match state_id {
            "panic" => panic!("the state store panics"),
            "stuck" => {
                tracing::info!("the write has started");
                cx.sleep(Duration::from_secs(3600)).await?;
            }
            _ => {}
        }
        locked(&self.states).insert(state_id.to_owned(), state);
        Ok(())
    }

    async fn lock(&self, _: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
        let mut locks = locked(&self.locks);
        if let Some(holder) = locks.get(state_id) {
            return Err(holder.already_locked(state_id).into());
        }
        let lock = LockInfo { who: "ada@build-7".into(), ..LockInfo::new(operation) };
        let id = lock.id.clone();
        locks.insert(state_id.to_owned(), lock);
        Ok(Some(id))
    }

    async fn unlock(&self, _: &StoreCx<Self>, state_id: &str, lock_id: &str) -> Result<()> {
        let mut locks = locked(&self.locks);
        match locks.get(state_id) {
            Some(holder) if holder.id != lock_id => Err(holder.already_locked(state_id).into()),
            _ => {
                locks.remove(state_id);
                Ok(())
            }
        }
    }

    async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
        Ok(locked(&self.states).keys().cloned().collect())
    }

    async fn delete(&self, _: &StoreCx<Self>, state_id: &str) -> Result<()> {
        locked(&self.states).remove(state_id);
        Ok(())
    }
}

/// A state store without configuration and locks.
struct Plain;

impl StateStore for Plain {
    type Provider = Cloud;
    type Config = ();

    async fn configure(_: &StoreCx<Self>, (): ()) -> Result<Self> {
        Ok(Plain)
    }

    async fn read(&self, _: &StoreCx<Self>, _: &str) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    async fn write(&self, _: &StoreCx<Self>, _: &str, _: Vec<u8>) -> Result<()> {
        Ok(())
    }

    async fn lock(&self, _: &StoreCx<Self>, _: &str, _: &str) -> Result<Option<String>> {
        Ok(None)
    }

    async fn unlock(&self, _: &StoreCx<Self>, _: &str, _: &str) -> Result<()> {
        Ok(())
    }

    async fn states(&self, _: &StoreCx<Self>) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    async fn delete(&self, _: &StoreCx<Self>, _: &str) -> Result<()> {
        Ok(())
    }
}

fn cloud() -> Harness {
    Harness::start::<Cloud>(config! {})
}

#[test]
fn states_are_written_read_listed_and_deleted() {
    let bucket = cloud().state_store("cloud_bucket").configure(config! { bucket = "one" });
    assert_eq!(bucket.read("default"), None);
    for length in [1, 15, 16, 17, 32, 1000] {
        let state = vec![b'x'; length];
        bucket.write("default", &state);
        assert_eq!(bucket.read("default"), Some(state));
    }
    bucket.write("other", "state");
    assert_eq!(bucket.states(), ["default", "other"]);
    bucket.delete("default");
    bucket.delete("absent");
    assert_eq!((bucket.read("default"), bucket.states()), (None, vec!["other".to_owned()]));
    let errors = bucket.try_write("default", "").error().to_string();
    expect!["Error Writing State: The upload of the state is damaged: no chunk was received. Nothing was stored, and the previous state is unchanged."]
        .assert_eq(&errors);
}

#[test]
fn second_locker_gets_an_error_that_names_the_holder() {
    let bucket = cloud().state_store("cloud_bucket").configure(config! { bucket = "one" });
    let id = bucket.lock("default", "OperationTypeApply").unwrap();
    let errors = bucket.try_lock("default", "OperationTypePlan").error().to_string();
    assert!(errors.starts_with("Workspace Already Locked: "), "{errors}");
    for part in ["ada@build-7", "OperationTypeApply", &id] {
        assert!(errors.contains(part), "{errors}");
    }
    bucket.lock("other", "OperationTypePlan").unwrap();
    bucket.try_unlock("default", "another ID").error();
    bucket.unlock("default", &id);
    bucket.lock("default", "OperationTypePlan").unwrap();
}

#[test]
fn state_store_can_have_no_configuration_and_no_locks() {
    let plain = cloud().state_store("cloud_plain").configure(config! {});
    assert_eq!(plain.lock("default", "OperationTypeApply"), None);
    assert_eq!(plain.states(), [""; 0]);
}

#[test]
fn configuration_has_defaults_and_uses_the_provider() {
    let cloud = Harness::start::<Cloud>(config! { region = "us" });
    let bucket = cloud.state_store("cloud_bucket").configure(config! { bucket = "one" });
    assert_eq!(bucket.read("name").unwrap(), b"us/one/states/");
    let bucket = cloud.state_store("cloud_bucket").configure(config! { bucket = "two", prefix = "p/" });
    assert_eq!(bucket.read("name").unwrap(), b"us/two/p/");
}

#[test]
fn invalid_configurations_are_reported_at_their_path() {
    let cloud = cloud();
    let store = cloud.state_store("cloud_bucket");
    expect!["bucket: Forbidden Bucket"]
        .assert_eq(&store.try_configure(config! { bucket = "forbidden" }).error().to_string());
    expect!["bucket: Invalid Attribute Value Length: A string of at most 12 bytes is required, but this has 14 bytes."]
        .assert_eq(&store.try_configure(config! { bucket = "much-too-long!" }).error().to_string());
    expect![[r#"bucket: Missing required argument: The argument "bucket" is required, but no definition was found."#]]
        .assert_eq(&store.try_configure(config! {}).error().to_string());
}

#[test]
fn state_store_must_be_configured() {
    let cloud = cloud();
    let bucket = cloud.state_store("cloud_bucket").configure(config! { bucket = "one" });
    bucket.write("default", "state");
    let errors = cloud.state_store("cloud_bucket").try_configure(config! { bucket = "missing" }).error();
    expect!["bucket: No Bucket for "].assert_eq(&errors.to_string());
    let expected =
        "State Store Not Configured: cloud_bucket must be configured before its states can be used.";
    assert_eq!(bucket.try_read("default").error().to_string(), expected);
    assert_eq!(bucket.try_write("default", "state").error().to_string(), expected);
}

#[test]
fn sensitive_values_of_the_configuration_are_masked_in_all_diagnostics() {
    let cloud = cloud();
    let store = cloud.state_store("cloud_bucket");
    let errors = store.try_configure(config! { bucket = "missing", token = "t0p-s3cret" }).error();
    expect!["bucket: No Bucket for (sensitive value)"].assert_eq(&errors.to_string());
    let bucket = store.configure(config! { bucket = "one", token = "t0p-s3cret" });
    expect!["(sensitive value) is expired"].assert_eq(&bucket.try_read("leak").error().to_string());
}

#[test]
fn panic_in_a_method_is_an_error() {
    let bucket = cloud().state_store("cloud_bucket").configure(config! { bucket = "one" });
    let errors = bucket.try_write("panic", "state").error().to_string();
    assert!(errors.contains("the state store panics"), "{errors}");
    assert!(errors.contains("Check the state and its lock before retrying."), "{errors}");
    bucket.write("default", "state");
}

#[test]
fn interrupted_write_is_an_error() {
    let cloud = cloud();
    let bucket = cloud.state_store("cloud_bucket").configure(config! { bucket = "one" });
    cloud.stop_at("the write has started");
    let errors = bucket.try_write("stuck", "state").error().to_string();
    expect![[r#"Operation Canceled: Writing the state "stuck" was interrupted. The operation may have completed. Check the state and its lock before retrying."#]]
        .assert_eq(&errors);
    assert_eq!(bucket.states(), [""; 0]);
}

#[test]
fn unknown_values_are_accepted_by_the_validation_only() {
    let cloud = cloud();
    let errors = cloud.state_store("cloud_bucket").try_configure(config! { bucket = unknown() }).error();
    assert!(errors.to_string().contains("bucket"), "{errors}");
}
