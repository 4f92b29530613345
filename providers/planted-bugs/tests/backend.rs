//! The services that the providers share: one in memory, and one that is a mock of an HTTP API.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferroform::wait::Wait;
use ferroform::{Context as _, Diagnostic, Model, RequestCx, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::http_client::{Response, send_with};

/// A service in memory: objects by the IDs that it assigns. Each request has an await point, like one over a network, and
/// then takes effect at once.
#[derive(Debug)]
pub struct Table<T> {
    objects: Mutex<BTreeMap<String, T>>,
    assigned_ids: AtomicU64,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { objects: Mutex::default(), assigned_ids: AtomicU64::new(0) }
    }
}

impl<T: Clone> Table<T> {
    /// Sends a request.
    pub async fn request(&self) -> MutexGuard<'_, BTreeMap<String, T>> {
        tokio::task::yield_now().await;
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates an object, and returns its ID.
    pub async fn insert(&self, object: &T) -> Result<String> {
        let id = format!("n-{}", self.assigned_ids.fetch_add(1, Ordering::Relaxed) + 1);
        self.request().await.insert(id.clone(), object.clone());
        Ok(id)
    }

    /// Returns an object, or `None` if it does not exist.
    pub async fn get(&self, id: &str) -> Result<Option<T>> {
        Ok(self.request().await.get(id).cloned())
    }

    /// Replaces an object. An object that does not exist is an error.
    pub async fn replace(&self, id: &str, object: &T) -> Result<()> {
        *self.request().await.get_mut(id).context("Object Not Found")? = object.clone();
        Ok(())
    }

    /// Deletes an object. Returns false if it does not exist.
    pub async fn remove(&self, id: &str) -> Result<bool> {
        Ok(self.request().await.remove(id).is_some())
    }

    /// Waits until a read returns the object, or finds nothing. This service is consistent.
    pub async fn settle(&self, _: &RequestCx, _: &str, _: Option<&T>) -> Result<()> {
        Ok(())
    }
}

/// The `provider` block of a provider for an HTTP API.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Settings {
    pub endpoint: String,
    #[attr(sensitive)]
    pub token: Option<String>,
}

/// A client of a collection of an HTTP API.
pub struct Remote<T> {
    endpoint: String,
    authorization: String,
    object: PhantomData<fn() -> T>,
}

impl<T: Serialize + DeserializeOwned> Remote<T> {
    pub fn new(settings: Settings) -> Remote<T> {
        let authorization = format!("Bearer {}", settings.token.unwrap_or_default());
        Remote { endpoint: settings.endpoint, authorization, object: PhantomData }
    }

    /// Describes a request with its headers, as for a log.
    pub fn describe_request(&self) -> String {
        format!("{} (authorization: {})", self.endpoint, self.authorization)
    }

    /// Sends a request, and returns its response.
    pub async fn send(&self, method: &str, path: &str, body: &Value) -> Result<Response> {
        let url = format!("{}/notes{path}", self.endpoint);
        send_with(method, &url, body, &[("authorization", &self.authorization)]).await
    }

    /// Sends a request, and returns the body of its response. An error status is an error.
    pub async fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let response = self.send(method, path, body).await?;
        if response.status < 400 { Ok(response.body) } else { Err(status_error(&response)) }
    }

    /// Creates an object, and returns its ID.
    pub async fn insert(&self, object: &T) -> Result<String> {
        let created = self.request("POST", "", &json!(object)).await?;
        Ok(created["id"].as_str().context("Missing ID")?.to_owned())
    }

    /// Returns an object, or `None` if it does not exist.
    pub async fn get(&self, id: &str) -> Result<Option<T>> {
        let response = self.send("GET", &format!("/{}", encode(id)), &Value::Null).await?;
        match response.status {
            200 => Ok(Some(serde_json::from_value(response.body).context("Invalid Object")?)),
            404 => Ok(None),
            _ => Err(status_error(&response)),
        }
    }

    /// Replaces an object. An object that does not exist is an error.
    pub async fn replace(&self, id: &str, object: &T) -> Result<()> {
        self.request("PUT", &format!("/{}", encode(id)), &json!(object)).await?;
        Ok(())
    }

    /// Deletes an object. Returns false if it does not exist.
    pub async fn remove(&self, id: &str) -> Result<bool> {
        let response = self.send("DELETE", &format!("/{}", encode(id)), &Value::Null).await?;
        match response.status {
            ..400 => Ok(true),
            404 => Ok(false),
            _ => Err(status_error(&response)),
        }
    }

    /// Waits until a read returns the object, or finds nothing, because reads can lag behind writes.
    pub async fn settle(&self, cx: &RequestCx, id: &str, expected: Option<&T>) -> Result<()> {
        let wait = Wait::new("the note").pending(["outdated"]).target(["settled"]).max_not_found(30);
        let poll = async || {
            let found = self.get(id).await?.map(|it| json!(it));
            let expected = expected.map(|it| json!(it));
            let fields = expected.as_ref().and_then(Value::as_object).into_iter().flatten();
            let is_settled = match &found {
                Some(found) => {
                    expected.is_some()
                        && fields.filter(|it| it.0 != "id").all(|(name, value)| found[name] == *value)
                }
                None => expected.is_none(),
            };
            Ok(Some((if is_settled { "settled" } else { "outdated" }, ())))
        };
        wait.run(cx, poll).await
    }
}

/// Encodes an ID as a segment of a path.
pub fn encode(id: &str) -> String {
    id.bytes().map(|it| format!("%{it:02X}")).collect()
}

/// Decodes a segment of a path in which every byte is encoded.
pub fn decode(segment: &str) -> String {
    let bytes = segment.split('%').filter_map(|it| u8::from_str_radix(it, 16).ok());
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

fn status_error(response: &Response) -> ferroform::Diagnostics {
    Diagnostic::error("API Error").detail(format!("The API returned the status {}.", response.status)).into()
}

/// Correct methods of a resource `Note` with a computed `id`, whose objects the service `notes` of the provider stores. The
/// other fields of the model follow the name of `create` and `update`.
macro_rules! correct {
    (create $($field:ident)*) => {
        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), $($field: plan.$field),* };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            Ok(NoteComputed { id })
        }
    };
    (read) => {
        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            Ok(cx.provider.notes.get(&state.id).await?.map(|note| Note { id: state.id, ..note }))
        }
    };
    (update $($field:ident)*) => {
        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), $($field: plan.$field),* };
            cx.provider.notes.replace(&prior.id, &note).await?;
            cx.provider.notes.settle(cx, &prior.id, Some(&note)).await?;
            Ok(NoteComputed { id: prior.id })
        }
    };
    (delete) => {
        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            cx.provider.notes.remove(&state.id).await?;
            cx.provider.notes.settle(cx, &state.id, None).await
        }
    };
}

/// Declares the provider `Cloud` with the service `notes` in memory.
macro_rules! cloud_in_memory {
    ($($objects:tt)*) => {
        #[derive(Default)]
        pub struct Cloud {
            notes: Table<Note>,
        }

        ferroform_testing::provider! { impl Cloud { $($objects)* } }
    };
}

/// Declares the provider `Cloud` with the service `notes`, an HTTP API.
macro_rules! cloud_over_http {
    ($($kind:ident $object:ty = $name:literal),*) => {
        pub struct Cloud {
            notes: Remote<Note>,
        }

        impl Provider for Cloud {
            const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
            type Config = Settings;

            async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
                Ok(Settings::from_config(config)?.map(|it| Cloud { notes: Remote::new(it) }))
            }

            fn register(registry: &mut Registry<Self>) {
                $(registry.$kind::<$object>($name);)*
            }
        }
    };
}

pub(crate) use {cloud_in_memory, cloud_over_http, correct};
