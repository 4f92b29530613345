//! The state store in process, with SQLite.

use ferroform_testing::{ConfiguredStateStore, Harness, ProviderCheck, config};

use crate::Provider;

fn harness() -> Harness {
    Harness::start::<Provider>(config! {})
}

/// Another client of the database in the directory.
fn client(directory: &tempfile::TempDir) -> ConfiguredStateStore {
    let path = directory.path().join("states.sqlite").display().to_string();
    harness().state_store("statestore_database").configure(config! { path = path })
}

fn state(serial: u64) -> String {
    format!(r#"{{"version":4,"serial":{serial},"lineage":"a"}}"#)
}

#[test]
fn state_is_written_read_listed_and_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let store = client(&directory);
    assert_eq!(store.read("default"), None);
    for serial in 1..4 {
        store.write("default", state(serial));
        assert_eq!(store.read("default").unwrap(), state(serial).as_bytes());
    }
    store.write("production", state(1));
    assert_eq!(client(&directory).states(), ["default", "production"]);
    store.delete("default");
    store.delete("default");
    assert_eq!((store.states(), store.read("default")), (vec!["production".to_owned()], None));
    store.write("default", state(1));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_database() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("states.sqlite");
    client(&directory).write("default", state(1));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    // A database that exists may have been created with other permissions.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    client(&directory).write("default", state(2));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// SQLite also accepts URIs and the name of a database in memory.
#[cfg(unix)]
#[test]
fn path_is_always_the_path_of_a_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = format!("file:{}/states.sqlite?mode=rwc", directory.path().display());
    let configure =
        |path: &str| harness().state_store("statestore_database").try_configure(config! { path = path });
    assert!(configure(&path).error().to_string().starts_with("Cannot Create file:"));
    let path = directory.path().join("file:states.sqlite");
    configure(path.to_str().unwrap()).ok().write("default", state(1));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!directory.path().join("states.sqlite").exists());
    for path in [":memory:", ""] {
        let error = configure(path).error().to_string();
        assert!(error.contains("The path of a file is required"), "{error}");
    }
}

#[test]
fn state_that_another_client_has_changed_is_not_deleted() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (client(&directory), client(&directory));
    first.write("default", state(1));
    second.read("default");
    first.write("default", state(2));
    let error = second.try_delete("default").error().to_string();
    assert!(
        error.starts_with("State Changed by Another Client: Another client has written serial 2"),
        "{error}"
    );
    first.delete("default");
    second.delete("default");
    // The write of a client that knows an earlier state does not restore it.
    let (first, second) = (client(&directory), client(&directory));
    first.write("default", state(1));
    second.read("default");
    first.delete("default");
    let error = second.try_write("default", state(2)).error().to_string();
    assert!(error.contains("Another client has deleted the state"), "{error}");
}

#[test]
fn second_of_two_simultaneous_writes_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (client(&directory), client(&directory));
    first.write("default", state(5));
    assert_eq!(first.read("default"), second.read("default"));
    first.write("default", state(6));
    // A client that continues after an error must not replace the state either.
    for serial in [6, 7] {
        let change = state(serial).replace("}", r#","outputs":{}}"#);
        let errors = second.try_write("default", change).error().to_string();
        let expected = format!(
            "State Changed by Another Client: Another client has written serial 6 of the state \"default\" since this client \
             has read it. Serial {serial} of this client is not stored, so that no changes are lost. Run the operation again, \
             with state locking."
        );
        assert_eq!(errors, expected);
    }
    assert_eq!(second.read("default").unwrap(), state(6).as_bytes());
    second.write("default", state(7));
}

#[test]
fn document_that_is_not_a_state_is_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let store = client(&directory);
    let errors = store.try_write("default", "no state").error().to_string();
    assert!(errors.starts_with("Invalid State: "), "{errors}");
    assert_eq!(store.states(), [""; 0]);
}

#[test]
fn lock_names_its_holder() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (client(&directory), client(&directory));
    let id = first.lock("default", "OperationTypeApply").unwrap();
    let errors = second.try_lock("default", "OperationTypePlan").error().to_string();
    assert!(errors.starts_with("Workspace Already Locked: "), "{errors}");
    assert!(errors.contains(&id) && errors.contains("OperationTypeApply"), "{errors}");
    second.try_unlock("default", "another").error();
    second.lock("production", "OperationTypePlan").unwrap();
    second.unlock("default", &id);
    let errors = first.try_unlock("default", &id).error().to_string();
    assert!(errors.starts_with("Workspace Not Locked: "), "{errors}");
    second.lock("default", "OperationTypePlan").unwrap();
}

#[test]
fn invalid_configurations_are_rejected() {
    let store = harness().state_store("statestore_database");
    let errors = store
        .try_configure(config! { path = "a", url = "postgresql://localhost/states" })
        .error()
        .to_string();
    assert!(errors.contains("path"), "{errors}");
    let errors =
        store.try_configure(config! { url = "postgresql://u:t0ps3cret@h/d?port=none" }).error().to_string();
    assert!(errors.starts_with("url: Invalid PostgreSQL URL") && !errors.contains("t0ps3cret"), "{errors}");
    let url = "https://u:t0ps3cret@h/d?a=b";
    let errors = store.try_configure(config! { url = url }).error().to_string();
    assert!(errors.starts_with("url: Invalid PostgreSQL URL") && !errors.contains("t0ps3cret"), "{errors}");
    let errors =
        store.try_configure(config! { url = "postgresql://h/d?sslmode=require" }).error().to_string();
    assert!(errors.starts_with("url: TLS Not Supported"), "{errors}");
    let errors =
        store.try_configure(config! { path = "/no/such/directory/states.sqlite" }).error().to_string();
    assert!(errors.starts_with("Cannot Create /no/such/directory/states.sqlite"), "{errors}");
    let url = "postgresql://u:t0ps3cret@localhost:1/d?connect_timeout=1";
    let errors = store.try_configure(config! { url = url }).error().to_string();
    assert!(errors.starts_with("Cannot Connect to PostgreSQL") && !errors.contains("t0ps3cret"), "{errors}");
}

#[test]
fn provider_violates_no_invariant() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("states.sqlite").display().to_string();
    ProviderCheck::<Provider>::new().example("statestore_database", config! { path = path }).run();
}
