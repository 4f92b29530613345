//! Resource identity in every operation.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

mod cloud;
mod custom_identity;
mod import;
mod runtime_resource;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ferroform::path;
use ferroform::schema::ImportPattern;
use ferroform::value::Value;
use ferroform_engine::{ReadRequest, RpcMetadata};
use ferroform_testing::{Action, Instance, config, unknown};

use cloud::{BUCKETS, DISKS, cloud};

/// Runs a test that must fail a check of the test kit, and returns the panic message.
fn failed_check(test: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(test)).expect_err("the check must fail");
    panic.downcast_ref::<String>().cloned().unwrap()
}

fn identity(it: &Instance) -> String {
    it.identity().to_string().replace('\n', ", ")
}

#[test]
fn identity_is_returned_by_every_operation() {
    let mut disk = cloud().resource("cloud_disk");
    let plan = disk.plan(config! { project = "steps", name = "a", size = 1 });
    let planned = plan.identity.unwrap().to_string();
    assert_eq!(planned, "project = \"steps\"\nzone = \"north\"\nname = \"a\"", "the identity is planned");

    disk.apply(config! { project = "steps", name = "a", size = 1 });
    assert_eq!(disk.identity().to_string(), planned);
    let plan = disk.plan(config! { project = "steps", name = "a", size = 2 });
    assert_eq!((plan.action, plan.identity.unwrap().to_string()), (Action::Update, planned.clone()));
    disk.apply(config! { project = "steps", name = "a", size = 2 });
    assert_eq!(disk.refresh().identity.unwrap().to_string(), planned);

    // The name is semantically equal.
    disk.apply(config! { project = "steps", name = "A", size = 2 });
    assert_eq!(disk.identity().get::<String>(path!(name)), "a");

    let plan = disk.plan(config! { project = "steps", name = "b", size = 2 });
    assert_eq!(plan.action, Action::Replace);
    assert_eq!(plan.identity.unwrap().get::<String>(path!(name)), "b", "the new object's");
    disk.apply(config! { project = "steps", name = "b", size = 2 });
    assert_eq!(disk.identity().get::<String>(path!(name)), "b");
    disk.destroy();
}

#[test]
fn unknown_identity_is_not_planned() {
    let mut disk = cloud().resource("cloud_disk");
    let plan = disk.plan(config! { project = "later", name = unknown(), size = 1 });
    assert!(plan.identity.is_none(), "a part of it would be unknown");
    disk.apply_once_known(
        config! { project = "later", name = unknown(), size = 1 },
        config! { project = "later", name = "a", size = 1 },
    );
    assert_eq!(identity(&disk), r#"project = "later", zone = "north", name = "a""#);
    // An object that is not replaced keeps its identity.
    let plan = disk.plan(config! { project = "later", name = "a", size = unknown() });
    assert_eq!(plan.identity.unwrap().get::<String>(path!(name)), "a");
}

#[test]
fn partially_created_object_has_identity() {
    let mut disk = cloud().resource("cloud_disk");
    disk.try_apply(config! { project = "failing", name = "a", size = 13 }).error();
    assert!(disk.is_tainted());
    assert_eq!(identity(&disk), r#"project = "failing", zone = "north", name = "a""#);
    disk.apply(config! { project = "failing", name = "a", size = 1 });
    disk.try_apply(config! { project = "failing", name = "a", size = 13 }).error();
    assert_eq!(identity(&disk), r#"project = "failing", zone = "north", name = "a""#);
}

#[test]
fn missing_object_has_no_identity() {
    let mut disk = cloud().resource("cloud_disk");
    disk.apply(config! { project = "gone", name = "a", size = 1 });
    DISKS.lock().unwrap().retain(|_, it| it.project != "gone");
    let found = disk.refresh();
    assert_eq!(found.action, Action::Delete);
    assert!(found.identity.is_none());
}

#[test]
fn identity_is_created_from_upgraded_state() {
    let mut disk = cloud().resource("cloud_disk");
    disk.apply(config! { project = "old", name = "a", size = 1 });
    // The state of a provider version without identities.
    let state = config! { project = "old", zone = "north", name = "a", size = 1, id = "disk-a" };
    let mut disk = cloud().resource("cloud_disk").with_state(state);
    let plan = disk.plan(config! { project = "old", name = "a", size = 2 });
    assert_eq!(plan.identity.unwrap().get::<String>(path!(name)), "a");
    disk.refresh();
    assert_eq!(identity(&disk), r#"project = "old", zone = "north", name = "a""#);
}

#[test]
fn identity_attributes_may_come_from_the_provider() {
    let harness = cloud();
    let mut bucket = harness.resource("cloud_bucket");
    let planned = bucket.plan(config! { name = "parts" }).identity.unwrap().to_string();
    assert_eq!(planned, "account = \"1\"\nname = \"parts\"");
    bucket.apply(config! { name = "parts" });
    bucket.apply(config! { name = "parts", text = "x" });
    assert_eq!(bucket.identity().to_string(), planned);

    // A partially created object has an identity too.
    let mut partial = harness.resource("cloud_bucket");
    partial.try_apply(config! { name = "partial", text = "failing" }).error();
    assert!(partial.is_tainted());
    assert_eq!(partial.identity().to_string(), "account = \"1\"\nname = \"partial\"");

    // The same object cannot belong to another account.
    harness.configure(config! { account = "2" });
    let failed_check = failed_check(|| drop(bucket.refresh()));
    assert!(failed_check.contains("invariant violated: the identity is stable"), "{failed_check}");
    assert!(
        failed_check.contains(r#"account: the identity of the object is "1", but the provider returned "2""#),
        "{failed_check}"
    );
    BUCKETS.lock().unwrap().remove("parts");
}

#[test]
fn unconfigured_provider_does_not_create_identity() {
    let harness = cloud();
    harness.configure(config! { account = unknown() });
    let mut bucket = harness.resource("cloud_bucket");
    assert!(bucket.plan(config! { name = "early" }).identity.is_none());
}

#[test]
fn panic_in_identity_keeps_the_object() {
    let mut bucket = cloud().resource("cloud_bucket");
    let errors = bucket.try_apply(config! { name = "panic" }).error();
    assert!(errors.to_string().contains("The method `identify` panicked at"), "{errors}");
    assert!(!bucket.exists(), "it panics while it is planned");
    BUCKETS.lock().unwrap().remove("panic");
}

#[test]
fn mutable_identity_may_change() {
    let mut alias = cloud().resource("cloud_alias");
    let plan = alias.plan(config! { words = ["a"] });
    assert!(plan.identity.is_none(), "the number is not known yet");
    alias.apply(config! { words = ["a"] });
    assert_eq!(identity(&alias), r#"number = 1, words = ["a"]"#);
    let plan = alias.plan(config! { words = ["b", "c"] });
    let planned = plan.identity.unwrap().to_string();
    assert_eq!((plan.action, planned.as_str()), (Action::Update, "number = 1\nwords = [\"b\", \"c\"]"));
    alias.apply(config! { words = ["b", "c"] });
    assert_eq!(identity(&alias), r#"number = 2, words = ["b", "c"]"#);

    // If the update fails, the identity is that of the object in the state.
    alias.try_apply(config! { words = ["taken"] }).error();
    assert_eq!(alias.state().to_string(), "words = [\"b\", \"c\"]\nnumber = 2");
    assert_eq!(identity(&alias), r#"number = 2, words = ["b", "c"]"#);
    alias.try_apply(config! { words = [] }).error();
    assert_eq!(alias.state().to_string(), "words = [\"b\", \"c\"]\nnumber = 9");
    assert_eq!(identity(&alias), r#"number = 9, words = ["b", "c"]"#);
}

#[test]
fn immutable_identity_must_not_change() {
    let mut fickle = cloud().resource("cloud_fickle");
    fickle.apply(config! { size = 1 });
    let message = failed_check(|| drop(fickle.apply(config! { size = 2 })));
    assert!(message.contains("step: `update` of cloud_fickle"), "{message}");
    assert!(
        message.contains(r#"id: the identity of the object is "size-1", but the provider returned "size-2""#),
        "{message}"
    );

    let mut fickle =
        cloud().resource("cloud_fickle").with_state(config! { size = 1, drifts_to = "x", id = "y" });
    // The identity was unknown and is fixed from now on.
    fickle.refresh();
    assert_eq!(identity(&fickle), r#"id = "x""#);

    let mut fickle = cloud().resource("cloud_fickle");
    let errors = fickle.try_apply(config! { size = 0 }).error();
    assert!(errors.to_string().starts_with("Missing Resource Identity After Create: "), "{errors}");
    assert!(fickle.is_tainted(), "the created object is in the state");
}

#[test]
fn older_identity_version_is_upgraded() {
    let mut disk = cloud().resource("cloud_disk");
    disk.apply(config! { project = "versions", name = "a", size = 1 });
    disk.upgrade_identity(1, r#"{"project_and_name":"versions/a","gone":true}"#);
    assert_eq!(identity(&disk), r#"project = "versions", name = "a""#);
    disk.refresh();
    assert_eq!(
        identity(&disk),
        r#"project = "versions", zone = "north", name = "a""#,
        "the rest is found out"
    );

    let errors = disk.try_upgrade_identity(1, r#"{"project_and_name":"a"}"#).error();
    assert!(errors.to_string().contains("No such identity"), "{errors}");

    // Without an upgrade function, the identity is created from the state.
    disk.upgrade_identity(0, r#"{"anything":1}"#);
    disk.apply(config! { project = "versions", name = "a", size = 2 });
    assert_eq!(identity(&disk), r#"project = "versions", zone = "north", name = "a""#);
}

#[test]
fn invalid_older_identity_is_reported() {
    let server = ferroform::server::<cloud::Cloud>();
    let error = |type_name: &str, version, json: &str| {
        server.upgrade_resource_identity(type_name, version, json.as_bytes()).unwrap_err().to_string()
    };
    assert!(error("cloud_disk", 2, "{}").starts_with("Unexpected Identity Upgrade Request: "));
    assert!(error("cloud_disk", 3, "{}").contains("has version 3, and the current version is 2"));
    assert!(
        error("cloud_disk", 1, r#"{"project_and_name":[]}"#)
            .starts_with("Unable to Read Previously Saved Identity for UpgradeResourceIdentity: ")
    );
    assert_eq!(
        error("cloud_disk", 1, r#"{"project_and_name":"a"}"#),
        "Unable to upgrade the identity of cloud_disk from version 1: No such identity."
    );
    assert_eq!(server.upgrade_resource_identity("cloud_disk", 0, b"").unwrap(), Value::Null);
}

#[test]
fn flattened_models_contribute_identity_attributes() {
    use ferroform::{Attr, Model};

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Plain {
        name: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(import = "{location}/{floor}")]
    struct Location {
        #[attr(identity, requires_replace, rename = "where")]
        location: String,
        #[attr(identity, optional, computed, requires_replace)]
        floor: Option<u8>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(identity_version = 3, import = "{where}")]
    struct Chair {
        #[attr(flatten)]
        location: Location,
        #[attr(flatten)]
        plain: Plain,
    }

    assert!(Plain::identity().is_none());
    let identity = Chair::identity().unwrap();
    assert_eq!((identity.version, identity.mutable, identity.by_provider), (3, false, false));
    let parts: Vec<String> = identity
        .block
        .attributes()
        .iter()
        .map(|it| format!("{} {:?} {}", it.name(), it.mode(), it.ty()))
        .collect();
    assert_eq!(parts, ["where Required string", "floor Optional number"]);
    let identity = <Chair as Model>::Identity::from_value(&Value::object([
        ("where", "hall".into()),
        ("floor", Value::Null),
    ]));
    let identity = identity.unwrap();
    assert_eq!(
        identity,
        ChairIdentity { location: LocationIdentity { location: "hall".into(), floor: None }, plain: () }
    );

    let patterns = |all: Vec<ImportPattern>| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        patterns(Location::import_patterns()),
        ["{where}/{floor}"],
        "the pattern uses the attribute names"
    );
    assert_eq!(patterns(Chair::import_patterns()), ["{where}"], "the name of a flattened attribute");
}

#[test]
fn failed_read_keeps_state_and_identity() {
    let server = ferroform::server::<cloud::Cloud>();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let string = |it: &str| Value::string(it);
    let state = Value::object([("size", Value::from(1)), ("drifts_to", string("x")), ("id", string("y"))]);
    let identity = Some(Value::object([("id", string("y"))]));
    let type_name = "cloud_fickle".to_owned();
    let request = ReadRequest {
        type_name,
        state: Some(state.clone()),
        private: Vec::new(),
        identity: identity.clone(),
        metadata: RpcMetadata::default(),
    };
    let response = runtime.block_on(async {
        server.configure_provider(Value::object([("account", string("1"))]), &RpcMetadata::default()).await;
        server.read_resource(request).await
    });
    assert_eq!((response.state, response.identity), (Some(state), identity));
    assert_eq!(
        response.diagnostics.to_string(),
        r#"id: Unexpected Identity Change: id: the identity of the object is "y", but the provider returned "x". This is a bug in the provider; please report it to its authors."#
    );
}
