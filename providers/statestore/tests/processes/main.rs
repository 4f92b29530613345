//! Several provider processes that use one database at the same time, and are killed.
//!
//! Each test runs with SQLite and with PostgreSQL. The tests start a PostgreSQL server of their own. Without the program
//! `initdb` they fail if the environment variable `FERROFORM_E2E` is `required`; otherwise they print that PostgreSQL was
//! not tested.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod client;
mod database;

use std::time::Duration;

use client::Client;
use database::{Database, databases};
use ferroform_testing::{ProviderCheck, config};
use terraform_provider_statestore::Provider;

fn state(serial: u64, content: &str) -> Vec<u8> {
    format!(r#"{{"version":4,"serial":{serial},"lineage":"a","content":"{content}"}}"#).into_bytes()
}

/// Runs a test with each database.
fn with_each_database(test: impl AsyncFn(Database)) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for database in databases() {
        println!("{database:?}");
        let limited = async { tokio::time::timeout(Duration::from_secs(120), test(database)).await };
        runtime.block_on(limited).expect("the test hangs");
    }
}

#[test]
fn states_of_several_chunks_are_shared_by_processes() {
    with_each_database(async |database| {
        let (writer, reader) = (Client::start(&database).await, Client::start(&database).await);
        assert_eq!(reader.store.read("default").await.unwrap(), b"");
        let large = state(1, &"x".repeat(3 << 20));
        writer.store.write("default", &large).await.unwrap();
        assert_eq!(reader.store.read("default").await.unwrap(), large);
        assert_eq!(reader.store.states().await.unwrap(), ["default"]);
        reader.store.delete("default").await.unwrap();
        assert_eq!(writer.store.states().await.unwrap(), [""; 0]);
    });
}

#[test]
fn lock_of_a_killed_process_remains_until_it_is_released_by_its_id() {
    with_each_database(async |database| {
        let crashed = Client::start(&database).await;
        let id = crashed.store.lock("default", "OperationTypeApply").await.unwrap();
        crashed.kill().await;
        let client = Client::start(&database).await;
        let errors = client.store.lock("default", "OperationTypePlan").await.unwrap_err();
        assert!(errors[0].starts_with("Workspace Already Locked: "), "{errors:?}");
        for part in ["tester@", "OperationTypeApply", &id] {
            assert!(errors[0].contains(part), "{part} in {errors:?}");
        }
        assert!(client.store.unlock("default", "another").await.is_err());
        client.store.unlock("default", &id).await.unwrap();
        client.store.lock("default", "OperationTypePlan").await.unwrap();
    });
}

#[test]
fn only_one_of_many_lockers_gets_the_lock() {
    with_each_database(async |database| {
        let clients =
            [Client::start(&database).await, Client::start(&database).await, Client::start(&database).await];
        for round in 0..10 {
            let name = format!("workspace-{round}");
            let lock = |client: usize| clients[client].store.lock(&name, "OperationTypeApply");
            let results: [_; 3] = tokio::join!(lock(0), lock(1), lock(2)).into();
            let locked: Vec<_> = results.iter().filter_map(|it| it.as_ref().ok()).collect();
            assert_eq!(locked.len(), 1, "{results:?}");
            for errors in results.iter().filter_map(|it| it.as_ref().err()) {
                assert!(errors[0].contains(locked[0]), "the error names the holder: {errors:?}");
            }
        }
    });
}

/// Each client appends its name to the content, without a lock. No change is lost.
#[test]
fn simultaneous_writes_lose_nothing() {
    const CLIENTS: usize = 3;
    const CHANGES: usize = 15;
    with_each_database(async |database| {
        let first = Client::start(&database).await;
        first.store.write("default", &state(0, "")).await.unwrap();
        let change = async |number: usize| {
            let client = Client::start(&database).await;
            let mut rejected = 0;
            for _ in 0..CHANGES {
                loop {
                    let (serial, content) = client.read().await;
                    let content = format!("{content}client-{number} ");
                    match client.store.write("default", &state(serial + 1, &content)).await {
                        Ok(()) => break,
                        Err(errors) => {
                            assert!(errors[0].starts_with("State Changed by Another Client: "), "{errors:?}");
                            rejected += 1;
                        }
                    }
                }
            }
            rejected
        };
        let rejected: [u32; CLIENTS] = tokio::join!(change(0), change(1), change(2)).into();
        println!("rejected writes: {rejected:?}");
        let (serial, content) = first.read().await;
        assert_eq!(serial, (CLIENTS * CHANGES) as u64);
        for client in 0..CLIENTS {
            assert_eq!(content.matches(&format!("client-{client} ")).count(), CHANGES);
        }
    });
}

/// Kills the process in the middle of writes. The state is always one that was written completely.
#[test]
fn killed_write_stores_all_or_nothing() {
    const COPIES: usize = 300_000;
    with_each_database(async |database| {
        let reader = Client::start(&database).await;
        let mut newest = 0;
        for round in 0..6_u64 {
            let writer = Client::start(&database).await;
            writer.store.read("default").await.unwrap();
            let store = writer.store.clone();
            let writes = tokio::spawn(async move {
                for serial in newest + 1.. {
                    store.write("default", &state(serial, &serial.to_string().repeat(COPIES))).await.unwrap();
                }
            });
            tokio::time::sleep(Duration::from_millis(100 + 23 * round)).await;
            writer.kill().await;
            // The client fails because the connection ends.
            assert!(writes.await.unwrap_err().is_panic());
            let read = reader.store.read("default").await.unwrap();
            if read.is_empty() {
                continue;
            }
            let (serial, content) = reader.read().await;
            assert!(serial >= newest, "serial {serial} follows {newest}");
            assert_eq!(content, serial.to_string().repeat(COPIES));
            newest = serial;
        }
        assert!(newest > 0, "no write was completed");
    });
}

/// The tests of the crate check SQLite.
#[test]
fn provider_violates_no_invariant_with_postgresql() {
    for database in databases() {
        if let Database::Postgresql(url) = database {
            ProviderCheck::<Provider>::new().example("statestore_database", config! { url = url }).run();
        }
    }
}
