//! The services with their objects, which outlive the provider.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferroform::value::json;
use ferroform::{Attr, Context as _, Diagnostic, Result};
use serde_json::Value as Json;

use super::Corpus;

/// The objects of all services, and the calls.
#[derive(Default)]
struct Services {
    objects: BTreeMap<(String, String), Json>,
    /// The number of objects that were created with a name.
    created: BTreeMap<(String, String), u32>,
    calls: Vec<String>,
}

static SERVICES: Mutex<Services> =
    Mutex::new(Services { objects: BTreeMap::new(), created: BTreeMap::new(), calls: Vec::new() });

fn services() -> MutexGuard<'static, Services> {
    SERVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all objects and calls.
pub(crate) fn reset() {
    *services() = Services::default();
}

/// Returns and removes the calls.
pub(crate) fn calls() -> Vec<String> {
    std::mem::take(&mut services().calls)
}

/// Changes an attribute of an object outside of Terraform. Returns false if the object does not exist.
pub(crate) fn change(service: &str, id: &str, attribute: &str, value: Json) -> bool {
    match services().objects.get_mut(&(service.to_owned(), id.to_owned())) {
        Some(object) => {
            object[attribute] = value;
            true
        }
        None => false,
    }
}

/// Deletes an object outside of Terraform. Returns false if the object does not exist.
pub(crate) fn delete(service: &str, id: &str) -> bool {
    services().objects.remove(&(service.to_owned(), id.to_owned())).is_some()
}

impl Corpus {
    pub(super) fn service(&self) -> &str {
        &self.service
    }

    fn key(&self, id: &str) -> (String, String) {
        (self.service.clone(), id.to_owned())
    }

    /// Returns the ID of a new object. A replacement has another ID than the object that it replaces.
    pub(super) fn new_id(&self, name: &str) -> String {
        let mut services = services();
        let count = services.created.entry(self.key(name)).or_default();
        *count += 1;
        format!("{name}-{count}")
    }

    pub(super) fn log(&self, call: String) {
        services().calls.push(call);
    }

    pub(super) fn create<M: Attr>(&self, id: &str, object: &M) -> Result<()> {
        self.log(format!("create {id}"));
        self.write(id, object)
    }

    pub(super) fn update<M: Attr>(&self, id: &str, object: &M) -> Result<()> {
        self.log(format!("update {id}"));
        if !services().objects.contains_key(&self.key(id)) {
            return Err(Diagnostic::error(format!("The object {id} does not exist")).into());
        }
        self.write(id, object)
    }

    fn write<M: Attr>(&self, id: &str, object: &M) -> Result<()> {
        let text = json::encode(&object.to_value(), &M::ty())?;
        let stored = serde_json::from_slice(&text).context("cannot store the object")?;
        services().objects.insert(self.key(id), stored);
        Ok(())
    }

    pub(super) fn read<M: Attr>(&self, id: &str) -> Result<Option<M>> {
        self.log(format!("read {id}"));
        let stored = services().objects.get(&self.key(id)).map(ToString::to_string);
        let Some(text) = stored else { return Ok(None) };
        Ok(Some(M::from_value(&json::decode(text.as_bytes(), &M::ty())?)?))
    }

    /// Returns the IDs of all objects, in the order of the IDs.
    pub(super) fn ids(&self) -> Vec<String> {
        let services = services();
        let own = services.objects.keys().filter(|(service, _)| *service == self.service);
        own.map(|(_, id)| id.clone()).collect()
    }

    pub(super) fn delete(&self, id: &str) -> Result<()> {
        self.log(format!("delete {id}"));
        if services().objects.remove(&self.key(id)).is_none() {
            return Err(Diagnostic::error(format!("The object {id} does not exist")).into());
        }
        Ok(())
    }
}

/// Returns an error if the attribute `fail` requests a failure of this operation.
pub(super) fn check(fail: Option<&String>, operation: &str) -> Result<()> {
    if fail.is_some_and(|it| it == operation) {
        return Err(Diagnostic::error(format!("The {operation} failed, as requested")).into());
    }
    Ok(())
}
