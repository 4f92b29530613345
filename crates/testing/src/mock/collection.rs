//! The collections of a mock service.

use std::sync::Arc;

use serde_json::Value;

use super::Service;
use super::request::{JsonObject, Response};
use super::settings::{Asynchronous, IdSource, Pagination, Settings};

/// The objects at a path of a mock service; see [`Service::collection`].
///
/// The methods up to [`asynchronous`](Collection::asynchronous) configure the API. The other methods access the objects
/// without a request, like another client of the service. Lag, latency and faults do not affect them.
#[derive(Clone, Debug)]
pub struct Collection {
    pub(super) service: Service,
    pub(super) path: String,
}

impl Collection {
    fn set(self, change: impl FnOnce(&mut Settings)) -> Collection {
        change(&mut self.service.state().store(&self.path).settings);
        self
    }

    /// Makes the service assign the ID in this field. `id` returns the ID of the first, second, … object. The default is the
    /// field `id` with this number.
    pub fn id(self, field: &str, id: impl Fn(u64) -> String + Send + Sync + 'static) -> Collection {
        self.set(|it| (it.id_field, it.id_source) = (field.to_owned(), IdSource::Service(Arc::new(id))))
    }

    /// Makes the client choose the ID, in this field. Another object with the same ID is rejected with the status 409.
    pub fn key(self, field: &str) -> Collection {
        self.set(|it| (it.id_field, it.id_source) = (field.to_owned(), IdSource::Client))
    }

    /// Makes a `PUT` request to an ID that does not exist create the object. Without this setting, the response is 404.
    pub fn put_creates(self) -> Collection {
        self.set(|it| it.put_creates = true)
    }

    /// Rejects an object whose value in this field is the same as that of another object, with the status 409. The body
    /// of the response contains the ID of the existing object.
    pub fn unique(self, field: &str) -> Collection {
        self.set(|it| it.unique.push(field.to_owned()))
    }

    /// Sets computed fields of each created and updated object. The second argument of `compute` is the object before
    /// the update.
    pub fn computed(
        self,
        compute: impl Fn(&mut JsonObject, Option<&JsonObject>) + Send + Sync + 'static,
    ) -> Collection {
        self.set(|it| it.computed.push(Arc::new(compute)))
    }

    /// Rejects created and updated objects for which `validate` returns a response. Its second argument is the object
    /// before the update. `validate` can read other collections, for example to reject an unknown ID:
    ///
    /// ```
    /// use ferroform_testing::mock::{Response, Service};
    /// use serde_json::json;
    ///
    /// let service = Service::start();
    /// let networks = service.collection("/networks");
    /// service.collection("/servers").validate(move |server, _| {
    ///     let id = server.get("network_id").and_then(|it| it.as_str());
    ///     let missing = || Response::new(422, json!({ "message": "The network does not exist." }));
    ///     id.and_then(|it| networks.get(it)).map(drop).ok_or_else(missing)
    /// });
    /// ```
    pub fn validate(
        self,
        validate: impl Fn(&JsonObject, Option<&JsonObject>) -> Result<(), Response> + Send + Sync + 'static,
    ) -> Collection {
        self.set(|it| it.validate.push(Arc::new(validate)))
    }

    /// Makes the service store these fields, but not return them, like passwords.
    pub fn not_returned<const N: usize>(self, fields: [&str; N]) -> Collection {
        self.set(|it| it.not_returned.extend(fields.map(str::to_owned)))
    }

    /// Makes a list an object that contains the objects in this field. Without this setting, it is an array, or an object
    /// with the field `items` if it also contains a page token or a total number.
    pub fn list_field(self, field: &str) -> Collection {
        self.set(|it| it.list_field = Some(field.to_owned()))
    }

    /// Splits lists into pages.
    ///
    /// # Panics
    ///
    /// Panics if the size of a page is 0.
    #[track_caller]
    pub fn pagination(self, pagination: Pagination) -> Collection {
        let (Pagination::PageToken { size, .. }
        | Pagination::Offset { size, .. }
        | Pagination::LinkHeader { size, .. }) = pagination;
        assert!(size > 0, "a page cannot be empty");
        self.set(|it| it.pagination = Some(pagination))
    }

    /// Makes changes of objects asynchronous: the service performs them in the background.
    pub fn asynchronous(self, asynchronous: Asynchronous) -> Collection {
        self.set(|it| it.asynchronous = Some(asynchronous))
    }

    /// Returns the objects in the order of their creation, including the fields that the service does not return.
    pub fn objects(&self) -> Vec<JsonObject> {
        let mut state = self.service.state();
        let objects = state.store(&self.path).existing().map(|it| it.object.clone());
        objects.collect()
    }

    /// Returns an object, including the fields that the service does not return.
    pub fn get(&self, id: &str) -> Option<JsonObject> {
        self.service.state().store(&self.path).find(id).map(|it| it.object.clone())
    }

    /// Creates an object without validation, and returns its ID. Replaces an object with the same key.
    ///
    /// # Panics
    ///
    /// Panics if the value is not an object, or if it has no ID although the client chooses it.
    #[track_caller]
    pub fn insert(&self, object: impl Into<Value>) -> String {
        let Value::Object(object) = object.into() else { panic!("only an object can be inserted") };
        let inserted = self.service.state().store(&self.path).insert(object);
        inserted.unwrap_or_else(|| panic!("the object has no ID"))
    }

    /// Changes an object.
    ///
    /// # Panics
    ///
    /// Panics if there is no object with this ID.
    #[track_caller]
    pub fn change(&self, id: &str, change: impl FnOnce(&mut JsonObject)) {
        match self.service.state().store(&self.path).find(id) {
            Some(entry) => change(&mut entry.object),
            None => panic!("{} has no object with the ID {id:?}", self.path),
        }
    }

    /// Deletes an object, and returns it if it existed.
    pub fn remove(&self, id: &str) -> Option<JsonObject> {
        self.service.state().store(&self.path).remove(id)
    }

    /// Deletes all objects.
    pub fn clear(&self) {
        self.service.state().store(&self.path).entries.clear();
    }
}
