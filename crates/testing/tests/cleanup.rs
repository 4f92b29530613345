//! The objects of a failed test are destroyed.

mod common;

use std::env;
use std::process::Command;
use std::sync::{Arc, Mutex};

use common::{MockResource, ObjectStore, computed, failure_message, harness, string};
use ferroform::Diagnostic;
use ferroform::value::Value;
use ferroform_testing::{Harness, config};

/// A harness, its objects, and the names of the deleted objects in their order.
fn recording() -> (Harness, ObjectStore, Arc<Mutex<Vec<String>>>) {
    let (objects, deleted) = (ObjectStore::default(), Arc::<Mutex<Vec<String>>>::default());
    let mut resource = MockResource::correct(&objects);
    let (delete, names) = (resource.delete, Arc::clone(&deleted));
    resource.delete = Box::new(move |cx, state: Value| {
        names.lock().expect("not poisoned").push(string(&state, "name"));
        delete(cx, state)
    });
    (harness(resource), objects, deleted)
}

#[test]
fn objects_of_failed_test_are_destroyed_in_reverse_order() {
    let (harness, objects, deleted) = recording();
    let message = failure_message(move || {
        let (mut a, mut b, mut c) =
            (harness.resource("test_thing"), harness.resource("test_thing"), harness.resource("test_thing"));
        a.apply(config! { name = "a" });
        b.apply(config! { name = "b" });
        c.apply(config! { name = "c" });
        b.destroy();
        // The name requires replacement, so this is another object.
        a.apply(config! { name = "a2" });
        panic!("the assertion of the test");
    });
    assert_eq!(message, "the assertion of the test");
    assert_eq!(*deleted.lock().expect("not poisoned"), ["b", "a", "a2", "c"]);
    assert!(objects.lock().expect("not poisoned").is_empty());
}

#[test]
fn object_is_destroyed_if_its_creation_violates_an_invariant() {
    let objects = ObjectStore::default();
    let mut resource = MockResource::correct(&objects);
    // A name that differs from the planned one.
    let create = resource.create;
    resource.create = Box::new(move |cx, plan| {
        let mut object = create(cx, plan)?;
        object.insert("note", Value::string("not planned"));
        Ok(object)
    });
    let store = objects.clone();
    let message =
        failure_message(move || harness(resource).resource("test_thing").apply(config! { name = "a" }));
    assert!(message.contains("the result of apply matches the plan"), "{message}");
    assert!(store.lock().expect("not poisoned").is_empty());
}

#[test]
fn partially_created_object_is_destroyed() {
    let objects = ObjectStore::default();
    let mut resource = MockResource::correct(&objects);
    let create = resource.create;
    resource.create = Box::new(move |cx, plan| {
        let id = computed(&plan).get("id").cloned().unwrap_or(Value::Null);
        create(cx, plan)?;
        cx.checkpoint_value(ferroform::path!(id), id);
        Err(Diagnostic::error("No Address Available").into())
    });
    let message =
        failure_message(move || harness(resource).resource("test_thing").apply(config! { name = "a" }));
    assert!(message.contains("No Address Available"), "{message}");
    assert!(objects.lock().expect("not poisoned").is_empty());
}

#[test]
fn imported_objects_and_objects_of_passed_tests_stay() {
    let (passed, objects, deleted) = recording();
    passed.resource("test_thing").apply(config! { name = "a" });
    failure_message(move || {
        let mut imported = passed.resource("test_thing");
        imported.import("a");
        panic!("the assertion of the test");
    });
    // `a` was created by the failed test's harness too, before the panic.
    assert_eq!(*deleted.lock().expect("not poisoned"), ["a"]);
    assert!(objects.lock().expect("not poisoned").is_empty());

    let (passed, objects, deleted) = recording();
    passed.resource("test_thing").apply(config! { name = "a" });
    drop(passed);
    assert!(deleted.lock().expect("not poisoned").is_empty());
    assert_eq!(objects.lock().expect("not poisoned").len(), 1);
}

/// The name of the test that fails in a child process.
const FAIL: &str = "FERROFORM_TEST_CLEANUP";

#[test]
fn harness_prints_which_objects_it_destroys() {
    if env::var_os(FAIL).is_some() {
        let objects = ObjectStore::default();
        let mut resource = MockResource::correct(&objects);
        resource.delete = Box::new(|_, state| match string(&state, "name").as_str() {
            "a" => Ok(()),
            _ => Err(Diagnostic::error("Cannot Delete Thing").detail("The password is hunter22.").into()),
        });
        let harness = harness(resource);
        let (mut a, mut b) = (harness.resource("test_thing"), harness.resource("test_thing"));
        a.apply(config! { name = "a" });
        b.apply(config! { name = "b", secret = "hunter22" });
        panic!("the assertion of the test");
    }
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["--exact", "harness_prints_which_objects_it_destroys", "--nocapture"]).env(FAIL, "1");
    let output = child.output().expect("it starts");
    assert!(!output.status.success());
    let printed = String::from_utf8_lossy(&output.stderr);
    let expected = "The test failed, so the harness destroys the objects that the test created:\n\
                    - test_thing: not destroyed, so delete the remote object yourself: Cannot Delete Thing: The \
                    password is (sensitive value).\n\
                    - test_thing: destroyed\n";
    assert!(printed.contains(expected), "{printed}");
}
