//! Bugs in state stores.

use ferroform::state_store::LockInfo;

use super::prelude::*;
use crate::http_client;

/// A document of the service: a state or a lock.
#[derive(Serialize, Deserialize)]
pub struct Document {
    name: String,
    content: String,
}

/// The configuration of the state stores.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct BucketConfig {
    /// Begins the names of the states.
    prefix: String,
}

/// The state store: the states and their locks are documents of the service.
pub struct Bucket {
    prefix: String,
    cache: std::sync::Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Bucket {
    fn new(args: Args<BucketConfig>) -> Bucket {
        Bucket { prefix: args.prefix.clone(), cache: Default::default() }
    }

    fn state(&self, state_id: &str) -> String {
        format!("{}-state-{state_id}", self.prefix)
    }

    fn lock(&self, state_id: &str) -> String {
        format!("{}-lock-{state_id}", self.prefix)
    }

    async fn read(&self, remote: &Remote<Document>, state_id: &str) -> Result<Option<Vec<u8>>> {
        Ok(remote.get(&self.state(state_id)).await?.map(|it| it.content.into_bytes()))
    }

    async fn write(&self, remote: &Remote<Document>, state_id: &str, state: Vec<u8>) -> Result<()> {
        put(remote, &self.state(state_id), &state).await
    }

    /// Creates the lock, unless it exists.
    async fn create_lock(
        &self,
        remote: &Remote<Document>,
        state_id: &str,
        operation: &str,
    ) -> Result<Option<String>> {
        let lock = LockInfo::new(operation);
        let content = String::from_utf8(lock.to_json()?).context("Invalid Lock")?;
        let document = json!({ "name": self.lock(state_id), "content": content });
        let response = remote.send("POST", "", &document).await?;
        match response.status {
            201 => Ok(Some(lock.id)),
            409 => Err(self
                .holder(remote, state_id)
                .await?
                .context("Lock Released")?
                .already_locked(state_id)
                .into()),
            _ => Err(status_error(&response)),
        }
    }

    async fn holder(&self, remote: &Remote<Document>, state_id: &str) -> Result<Option<LockInfo>> {
        let document = remote.get(&self.lock(state_id)).await?;
        document.map(|it| LockInfo::from_json(it.content.as_bytes())).transpose()
    }

    async fn remove_lock(&self, remote: &Remote<Document>, state_id: &str, lock_id: &str) -> Result<()> {
        match self.holder(remote, state_id).await? {
            None => Err(Diagnostic::error("Workspace Not Locked").into()),
            Some(holder) if holder.id != lock_id => Err(holder.already_locked(state_id).into()),
            Some(_) => remote.remove(&self.lock(state_id)).await.map(drop),
        }
    }

    async fn names(&self, remote: &Remote<Document>, prefixes: &[String]) -> Result<Vec<String>> {
        let documents = remote.request("GET", "", &Value::Null).await?;
        let documents: Vec<Document> = serde_json::from_value(documents).context("Invalid List")?;
        let workspace =
            |it: &Document| prefixes.iter().find_map(|prefix| Some(it.name.strip_prefix(prefix)?.to_owned()));
        Ok(documents.iter().filter_map(workspace).collect())
    }
}

async fn put(remote: &Remote<Document>, name: &str, content: &[u8]) -> Result<()> {
    let content = std::str::from_utf8(content).context("Invalid Document")?;
    remote
        .request("PUT", &format!("/{}", encode(name)), &json!({ "name": name, "content": content }))
        .await?;
    Ok(())
}

fn status_error(response: &http_client::Response) -> Diagnostics {
    Diagnostic::error("API Error").detail(format!("The API returned the status {}.", response.status)).into()
}

fn documents_api() -> Service {
    let service = Service::start();
    service.collection("/notes").key("name").put_creates();
    service
}

/// Correct methods of a state store.
macro_rules! correct_store {
    () => {
        type Provider = Cloud;
        type Config = BucketConfig;

        async fn configure(_: &StoreCx<Self>, args: Args<BucketConfig>) -> Result<Self> {
            Ok(Store(Bucket::new(args)))
        }
    };
    (read) => {
        async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
            self.0.read(&cx.provider.notes, state_id).await
        }
    };
    (write) => {
        async fn write(&self, cx: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
            self.0.write(&cx.provider.notes, state_id, state).await
        }
    };
    (lock) => {
        async fn lock(&self, cx: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
            self.0.create_lock(&cx.provider.notes, state_id, operation).await
        }
    };
    (unlock) => {
        async fn unlock(&self, cx: &StoreCx<Self>, state_id: &str, lock_id: &str) -> Result<()> {
            self.0.remove_lock(&cx.provider.notes, state_id, lock_id).await
        }
    };
    (states) => {
        async fn states(&self, cx: &StoreCx<Self>) -> Result<Vec<String>> {
            self.0.names(&cx.provider.notes, &[self.0.state("")]).await
        }
    };
    (delete) => {
        async fn delete(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<()> {
            cx.provider.notes.remove(&self.0.state(state_id)).await.map(drop)
        }
    };
    ($($method:ident)+) => {
        correct_store!();
        $(correct_store!($method);)+
    };
}

/// Declares the provider `Cloud` with the state store, and what an author tests.
macro_rules! store {
    (violates $($invariant:ident)+; expose_bug($harness:ident, $service:ident) $expose_bug:block) => {
        type Note = Document;

        pub struct Store(Bucket);

        cloud_over_http! { state_store Store = "cloud_bucket" }

        impl Bug for Cloud {
            const VIOLATES: &[Invariant] = &[$(Invariant::$invariant),+];

            fn service() -> Option<Service> {
                Some(documents_api())
            }

            fn lifecycle(harness: &Harness) {
                let store = store(harness);
                let lock = store.lock("default", "OperationTypeApply").unwrap();
                assert!(store.try_lock("default", "OperationTypeApply").error().has_error());
                store.write("default", r#"{"serial":1}"#);
                assert_eq!(store.read("default").unwrap(), br#"{"serial":1}"#);
                store.unlock("default", &lock);
                assert_eq!(store.states(), ["default"]);
                store.delete("default");
                assert_eq!(store.read("default"), None);
            }

            fn expose_bug($harness: &Harness, $service: Option<&Service>) $expose_bug
        }
    };
}

fn store(harness: &Harness) -> ferroform_testing::ConfiguredStateStore {
    harness.state_store("cloud_bucket").configure(config! { prefix = "a" })
}

/// Whether the state is locked, and the lock, are two requests.
pub mod lock_is_taken_twice {
    use super::*;

    impl StateStore for Store {
        correct_store! { read write unlock states delete }

        async fn lock(&self, cx: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
            let remote = &cx.provider.notes;
            if !PLANTED {
                return self.0.create_lock(remote, state_id, operation).await;
            }
            if let Some(holder) = self.0.holder(remote, state_id).await? {
                return Err(holder.already_locked(state_id).into());
            }
            let lock = LockInfo::new(operation);
            put(remote, &self.0.lock(state_id), &lock.to_json()?).await?;
            Ok(Some(lock.id))
        }
    }

    store! {
        violates LockIsExclusive;
        expose_bug(harness, service) {
            let service = service.unwrap();
            let other = service.clone();
            // Between the two requests, another client locks the state.
            let lock = json!({ "name": "a-lock-default", "content": r#"{"ID":"1"}"# });
            let intrude = move || drop(other.collection("/notes").insert(lock.clone()));
            service.inject(Fault::call(intrude).when(|it| it.method == "PUT" || it.method == "POST"));
            assert!(store(harness).try_lock("default", "OperationTypeApply").error().has_error());
        }
    }
}

/// The ID of the lock is not compared.
pub mod unlock_ignores_lock_id {
    use super::*;

    impl StateStore for Store {
        correct_store! { read write lock states delete }

        async fn unlock(&self, cx: &StoreCx<Self>, state_id: &str, lock_id: &str) -> Result<()> {
            if !PLANTED {
                return self.0.remove_lock(&cx.provider.notes, state_id, lock_id).await;
            }
            cx.provider.notes.remove(&self.0.lock(state_id)).await.map(drop)
        }
    }

    store! {
        violates LockIsExclusive;
        expose_bug(harness, _service) {
            let store = store(harness);
            store.lock("default", "OperationTypeApply").unwrap();
            assert!(store.try_unlock("default", "another").error().has_error());
        }
    }
}

/// The error does not say who holds the lock, so nobody can release the lock of a client that has crashed.
pub mod lock_error_lacks_id {
    use super::*;

    impl StateStore for Store {
        correct_store! { read write unlock states delete }

        async fn lock(&self, cx: &StoreCx<Self>, state_id: &str, operation: &str) -> Result<Option<String>> {
            let locked = self.0.create_lock(&cx.provider.notes, state_id, operation).await;
            if PLANTED {
                return locked.map_err(|_| Diagnostic::error("Cannot Lock State").into());
            }
            locked
        }
    }

    store! {
        violates LockCanBeReleased;
        expose_bug(harness, _service) {
            let store = store(harness);
            let id = store.lock("default", "OperationTypeApply").unwrap();
            let errors = store.try_lock("default", "OperationTypeApply").error();
            assert!(errors.to_string().contains(&id));
        }
    }
}

/// The state is parsed and encoded again.
pub mod state_is_reformatted {
    use super::*;

    impl StateStore for Store {
        correct_store! { read lock unlock states delete }

        async fn write(&self, cx: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
            let state = match PLANTED {
                true => {
                    serde_json::from_slice::<Value>(&state).context("Invalid State")?.to_string().into_bytes()
                }
                false => state,
            };
            self.0.write(&cx.provider.notes, state_id, state).await
        }
    }

    store! {
        violates StateIsStored;
        expose_bug(harness, _service) {
            let store = store(harness);
            store.write("default", r#"{ "serial": 1 }"#);
            assert_eq!(store.read("default").unwrap(), br#"{ "serial": 1 }"#);
        }
    }
}

/// The old state is deleted before the new one is stored.
pub mod write_deletes_old_state_first {
    use super::*;

    impl StateStore for Store {
        correct_store! { read lock unlock states delete }

        async fn write(&self, cx: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
            if PLANTED {
                cx.provider.notes.remove(&self.0.state(state_id)).await?;
            }
            self.0.write(&cx.provider.notes, state_id, state).await
        }
    }

    store! {
        violates FailedWriteKeepsState;
        expose_bug(harness, service) {
            let store = store(harness);
            store.write("default", r#"{"serial":1}"#);
            service.unwrap().inject(Fault::status(500).when(|it| it.method == "PUT"));
            assert!(store.try_write("default", r#"{"serial":2}"#).error().has_error());
            assert_eq!(store.read("default").unwrap(), br#"{"serial":1}"#);
        }
    }
}

/// A read that fails returns no state, so that Terraform creates everything again.
pub mod error_is_taken_for_missing_state {
    use super::*;

    impl StateStore for Store {
        correct_store! { write lock unlock states delete }

        async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
            let read = self.0.read(&cx.provider.notes, state_id).await;
            if PLANTED { Ok(read.unwrap_or_default()) } else { read }
        }
    }

    store! {
        violates FailedReadKeepsState;
        expose_bug(harness, service) {
            let store = store(harness);
            service.unwrap().inject(Fault::status(500));
            assert!(store.try_read("default").error().has_error());
        }
    }
}

/// The process keeps the state that it has read or written.
pub mod state_is_cached {
    use super::*;

    impl StateStore for Store {
        correct_store! { lock unlock states }

        async fn read(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<Option<Vec<u8>>> {
            let cached = self.0.cache.lock().unwrap().get(state_id).cloned();
            match cached {
                Some(state) if PLANTED => Ok(Some(state)),
                _ => self.0.read(&cx.provider.notes, state_id).await,
            }
        }

        async fn write(&self, cx: &StoreCx<Self>, state_id: &str, state: Vec<u8>) -> Result<()> {
            self.0.write(&cx.provider.notes, state_id, state.clone()).await?;
            self.0.cache.lock().unwrap().insert(state_id.to_owned(), state);
            Ok(())
        }

        async fn delete(&self, cx: &StoreCx<Self>, state_id: &str) -> Result<()> {
            self.0.cache.lock().unwrap().remove(state_id);
            cx.provider.notes.remove(&self.0.state(state_id)).await.map(drop)
        }
    }

    store! {
        violates DriftIsDetected DeletionIsDetected;
        expose_bug(harness, service) {
            let store = store(harness);
            store.write("default", r#"{"serial":1}"#);
            let document = json!({ "name": "a-state-default", "content": r#"{"serial":2}"# });
            service.unwrap().collection("/notes").insert(document);
            assert_eq!(store.read("default").unwrap(), br#"{"serial":2}"#);
        }
    }
}

/// The list contains the locks, too.
pub mod locks_are_listed {
    use super::*;

    impl StateStore for Store {
        correct_store! { read write lock unlock delete }

        async fn states(&self, cx: &StoreCx<Self>) -> Result<Vec<String>> {
            let (states, locks) = (self.0.state(""), self.0.lock(""));
            let prefixes = if PLANTED { vec![states, locks] } else { vec![states] };
            self.0.names(&cx.provider.notes, &prefixes).await
        }
    }

    store! {
        violates StateIsStored;
        expose_bug(harness, _service) {
            let store = store(harness);
            store.lock("default", "OperationTypeApply").unwrap();
            store.write("default", r#"{"serial":1}"#);
            assert_eq!(store.states(), ["default"]);
        }
    }
}
