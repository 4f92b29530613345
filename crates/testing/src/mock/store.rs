//! The objects of a collection, and the requests about them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::request::{JsonObject, Request, Response, encode};
use super::settings::{Asynchronous, IdSource, Pagination, Settings, Validate};

/// The objects of a collection.
#[derive(Default)]
pub(super) struct Store {
    pub(super) settings: Settings,
    /// In the order of their creation, with deleted objects that stale reads still return.
    pub(super) entries: Vec<Entry>,
    /// The number of IDs that the service has assigned.
    assigned_ids: u64,
}

/// The reads that return the object before the last write.
#[derive(Default)]
struct StaleReads {
    /// The object before the last write; `None` if it did not exist.
    object: Option<JsonObject>,
    /// The number of reads that still return it.
    remaining: u32,
}

/// An object.
pub(super) struct Entry {
    id: String,
    pub(super) object: JsonObject,
    is_deleted: bool,
    stale: StaleReads,
    /// The number of reads until the change ends that the service makes in the background.
    remaining_polls: u32,
    is_being_deleted: bool,
}

impl Entry {
    /// Returns the path of the object in a collection.
    pub(super) fn path_in(&self, collection: &str) -> String {
        format!("{collection}/{}", encode(&self.id))
    }

    /// Returns the object as a read does, and counts the read.
    fn read(&mut self, settings: &Settings) -> Option<JsonObject> {
        if self.stale.remaining > 0 {
            self.stale.remaining -= 1;
            return self.stale.object.clone();
        }
        let found = (!self.is_deleted).then(|| self.object.clone());
        if let (Some(asynchronous), 1..) = (settings.asynchronous, self.remaining_polls) {
            self.remaining_polls -= 1;
            if self.remaining_polls == 0 {
                self.is_deleted = self.is_being_deleted;
                self.object.insert(asynchronous.field.to_owned(), asynchronous.ready.into());
            }
        }
        found
    }

    /// Starts a change in the background, if the collection is asynchronous.
    fn start_change(
        &mut self,
        asynchronous: Option<Asynchronous>,
        status: fn(&Asynchronous) -> &'static str,
    ) {
        if let Some(asynchronous) = asynchronous {
            let status = if asynchronous.polls == 0 { asynchronous.ready } else { status(&asynchronous) };
            self.object.insert(asynchronous.field.to_owned(), status.into());
            self.remaining_polls = asynchronous.polls;
        }
    }
}

/// The validation of an object that a request creates or updates. It runs while the service is not locked.
pub(super) struct Validation {
    validate: Vec<Validate>,
    object: JsonObject,
    /// The object before an update.
    prior: Option<JsonObject>,
}

impl Validation {
    /// Returns the response of the first function that rejects the object.
    pub(super) fn run(&self) -> Result<(), Response> {
        self.validate.iter().try_for_each(|validate| validate(&self.object, self.prior.as_ref()))
    }
}

impl Store {
    /// Returns the objects that exist.
    pub(super) fn existing(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| !it.is_deleted)
    }

    /// Returns the object with this ID, if it exists.
    pub(super) fn find(&mut self, id: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|it| it.id == id && !it.is_deleted)
    }

    /// Creates an object without a request. Returns its ID, or `None` if the client has to choose it and has not.
    pub(super) fn insert(&mut self, object: JsonObject) -> Option<String> {
        let id = self.choose_id(&object)?;
        let object = self.complete(object, &id, None);
        self.entries.retain(|it| it.id != id);
        let mut entry = Entry {
            id: id.clone(),
            object,
            is_deleted: false,
            stale: StaleReads::default(),
            remaining_polls: 0,
            is_being_deleted: false,
        };
        entry.start_change(self.settings.asynchronous, |it| it.ready);
        entry.remaining_polls = 0;
        self.entries.push(entry);
        Some(id)
    }

    /// Makes all reads consistent.
    pub(super) fn end_stale_reads(&mut self) {
        self.entries.retain(|it| !it.is_deleted);
        self.entries.iter_mut().for_each(|it| it.stale.remaining = 0);
    }

    /// Deletes all objects, and assigns IDs from the first one again.
    pub(super) fn reset(&mut self) {
        self.entries.clear();
        self.assigned_ids = 0;
    }

    /// Deletes an object without a request.
    pub(super) fn remove(&mut self, id: &str) -> Option<JsonObject> {
        let index = self.entries.iter().position(|it| it.id == id && !it.is_deleted)?;
        Some(self.entries.remove(index).object)
    }

    /// Performs a request about the collection, or about the object with an ID. The next `lag` reads of a changed object
    /// are stale.
    pub(super) fn respond(&mut self, request: &Request, id: Option<&str>, lag: u32) -> Response {
        let response = match (request.method.as_str(), id) {
            ("GET", None) => self.list(request),
            ("POST", None) => self.create(&request.body, lag),
            ("GET", Some(id)) => self.get(id),
            ("PUT" | "PATCH", Some(id)) => self.update(request, id, lag),
            ("DELETE", Some(id)) => self.delete(id, lag),
            _ => Response::error(405, "This method is not supported here."),
        };
        self.entries.retain(|it| !it.is_deleted || it.stale.remaining > 0);
        response
    }

    /// Returns the validation of a request; `None` if the request creates or updates no object, or if the object is not ready or
    /// not unique.
    pub(super) fn validation(&mut self, request: &Request, id: Option<&str>) -> Option<Validation> {
        let Value::Object(body) = &request.body else { return None };
        let (object, prior) = match (request.method.as_str(), id) {
            ("POST", None) => (body.clone(), None),
            ("PUT" | "PATCH", Some(id)) => match self.existing().find(|it| it.id == id) {
                Some(entry) if entry.remaining_polls > 0 => return None,
                Some(entry) => (updated(request, &entry.object, body), Some(entry.object.clone())),
                None if self.creates(request) => (self.with_id(body, id), None),
                None => return None,
            },
            _ => return None,
        };
        self.check_unique(&object, id).ok()?;
        Some(Validation { validate: self.settings.validate.clone(), object, prior })
    }

    fn get(&mut self, id: &str) -> Response {
        // After a deletion, there can be an entry for stale reads.
        let entry = self.entries.iter_mut().find(|it| it.id == id);
        match entry.and_then(|it| it.read(&self.settings)) {
            Some(object) => Response::new(200, self.without_hidden_fields(object)),
            None => not_found(),
        }
    }

    fn create(&mut self, body: &Value, lag: u32) -> Response {
        let Value::Object(object) = body else { return not_an_object() };
        if let Err(response) = self.check_unique(object, None) {
            return response;
        }
        if let IdSource::Client = self.settings.id_source
            && let Some(id) = self.choose_id(object)
            && self.find(&id).is_some()
        {
            return conflict(&id);
        }
        let Some(id) = self.insert(object.clone()) else {
            return Response::error(422, &format!("The field {:?} is missing.", self.settings.id_field));
        };
        self.respond_to_write(&id, 201, None, lag)
    }

    fn update(&mut self, request: &Request, id: &str, lag: u32) -> Response {
        let Value::Object(body) = &request.body else { return not_an_object() };
        let Some(entry) = self.find(id) else {
            if !self.creates(request) {
                return not_found();
            }
            let object = self.with_id(body, id);
            if let Err(response) = self.check_unique(&object, None) {
                return response;
            }
            self.insert(object);
            return self.respond_to_write(id, 201, None, lag);
        };
        if entry.remaining_polls > 0 {
            return Response::error(409, "The object is not ready.");
        }
        let prior = entry.object.clone();
        let object = updated(request, &prior, body);
        if let Err(response) = self.check_unique(&object, Some(id)) {
            return response;
        }
        let object = self.complete(object, id, Some(&prior));
        if let Some(entry) = self.find(id) {
            entry.object = object;
        }
        self.respond_to_write(id, 200, Some(prior), lag)
    }

    /// Responds to a request that creates or updates an object. `prior` is the object that stale reads return.
    fn respond_to_write(&mut self, id: &str, status: u16, prior: Option<JsonObject>, lag: u32) -> Response {
        let asynchronous = self.settings.asynchronous;
        let Some(entry) = self.find(id) else { return not_found() };
        entry.start_change(asynchronous, if prior.is_none() { |it| it.creating } else { |it| it.updating });
        entry.stale = StaleReads { object: prior, remaining: lag };
        let object = entry.object.clone();
        Response::new(status, self.without_hidden_fields(object))
    }

    fn delete(&mut self, id: &str, lag: u32) -> Response {
        let asynchronous = self.settings.asynchronous;
        let Some(entry) = self.find(id) else { return not_found() };
        entry.stale = StaleReads { object: Some(entry.object.clone()), remaining: lag };
        entry.start_change(asynchronous, |it| it.deleting);
        entry.is_being_deleted = true;
        entry.is_deleted = entry.remaining_polls == 0;
        Response::new(if entry.is_deleted { 204 } else { 202 }, Value::Null)
    }

    fn list(&mut self, request: &Request) -> Response {
        let settings = &self.settings;
        let found = self.entries.iter_mut().filter_map(|it| it.read(settings));
        let found: Vec<JsonObject> = found.collect();
        let mut found: Vec<Value> =
            found.into_iter().map(|it| self.without_hidden_fields(it).into()).collect();
        // Parameters with the names of fields filter the list.
        for (name, value) in &request.query {
            let matches = |object: &Value| object.get(name).map(|it| text(it) == *value);
            if found.iter().any(|it| matches(it).is_some()) {
                found.retain(|it| matches(it) == Some(true));
            }
        }
        self.page(request, found)
    }

    /// Responds with the requested page of a list.
    fn page(&self, request: &Request, found: Vec<Value>) -> Response {
        let number = |parameter: &str| request.query.get(parameter).map(|it| it.parse::<usize>());
        let invalid = || Response::error(400, "A parameter is not a valid position.");
        let total = found.len();
        let slice = |start: usize, size: usize| -> Vec<Value> {
            found.iter().skip(start).take(size).cloned().collect()
        };
        let field = |default: Option<&str>| self.settings.list_field.clone().or(default.map(str::to_owned));
        let list = |field: Option<String>, objects: Vec<Value>| match field {
            Some(field) => json!({ field: objects }),
            None => objects.into(),
        };
        match self.settings.pagination {
            None => Response::new(200, list(field(None), found)),
            Some(Pagination::PageToken { parameter, next, size }) => {
                // The token is the ID of the last object of the page before, so that changes move no other object.
                let position =
                    |id: &String| found.iter().position(|it| text(&it[&self.settings.id_field]) == *id);
                let start = match request.query.get(parameter).map(position) {
                    None => 0,
                    Some(Some(last)) => last + 1,
                    Some(None) => return invalid(),
                };
                let objects = slice(start, size);
                let last = objects.last().filter(|_| start + size < total);
                let token = last.map(|it| text(&it[&self.settings.id_field]));
                let mut page = list(field(Some("items")), objects);
                page[next] = token.into();
                Response::new(200, page)
            }
            Some(Pagination::Offset { parameter, limit, size }) => {
                let (Ok(start), Ok(requested)) =
                    (number(parameter).unwrap_or(Ok(0)), number(limit).unwrap_or(Ok(size)))
                else {
                    return invalid();
                };
                let mut page = list(field(Some("items")), slice(start, requested.min(size)));
                page["total"] = total.into();
                Response::new(200, page)
            }
            Some(Pagination::LinkHeader { parameter, size }) => {
                let Ok(current @ 1..) = number(parameter).unwrap_or(Ok(1)) else { return invalid() };
                let start = (current - 1).saturating_mul(size);
                let response = Response::new(200, list(field(None), slice(start, size)));
                if start.saturating_add(size) >= total {
                    return response;
                }
                let mut query = request.query.clone();
                query.insert(parameter.to_owned(), (current + 1).to_string());
                let query: Vec<String> =
                    query.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
                let host = request.headers.get("host").map_or("", String::as_str);
                let url = format!("http://{host}{}?{}", request.path, query.join("&"));
                response.header("link", format!("<{url}>; rel=\"next\""))
            }
        }
    }

    /// Returns the ID of a new object.
    fn choose_id(&mut self, object: &JsonObject) -> Option<String> {
        match &self.settings.id_source {
            IdSource::Service(id) => {
                let id = Arc::clone(id);
                self.assigned_ids += 1;
                Some(id(self.assigned_ids))
            }
            IdSource::Client => object.get(&self.settings.id_field).map(text).filter(|it| !it.is_empty()),
        }
    }

    /// True if a request to an ID that does not exist creates the object.
    fn creates(&self, request: &Request) -> bool {
        self.settings.put_creates && request.method == "PUT"
    }

    /// Returns the object with its ID.
    fn with_id(&self, object: &JsonObject, id: &str) -> JsonObject {
        let mut object = object.clone();
        object.insert(self.settings.id_field.clone(), id.into());
        object
    }

    /// Returns an error if another object has the same value in a unique field. `id` is the ID of an updated object.
    fn check_unique(&self, object: &JsonObject, id: Option<&str>) -> Result<(), Response> {
        for field in &self.settings.unique {
            let value = object.get(field).filter(|it| !it.is_null());
            let others = self.existing().filter(|it| id.is_none_or(|id| id != it.id));
            let other = others.into_iter().find(|it| value.is_some() && it.object.get(field) == value);
            if let Some(other) = other {
                return Err(conflict(&other.id));
            }
        }
        Ok(())
    }

    /// Sets the ID and the computed fields.
    fn complete(&self, mut object: JsonObject, id: &str, prior: Option<&JsonObject>) -> JsonObject {
        let settings = &self.settings;
        if let IdSource::Service(_) = settings.id_source {
            object.insert(settings.id_field.clone(), id.into());
        } else if let Some(key) = prior.and_then(|it| it.get(&settings.id_field)) {
            object.insert(settings.id_field.clone(), key.clone());
        }
        settings.computed.iter().for_each(|compute| compute(&mut object, prior));
        object
    }

    /// Removes the fields that the service does not return.
    fn without_hidden_fields(&self, mut object: JsonObject) -> JsonObject {
        self.settings.not_returned.iter().for_each(|it| drop(object.remove(it)));
        object
    }
}

/// Returns the object after an update.
fn updated(request: &Request, prior: &JsonObject, body: &JsonObject) -> JsonObject {
    match request.method.as_str() {
        "PATCH" => merge(prior.clone(), body),
        _ => body.clone(),
    }
}

/// Merges a JSON merge patch (RFC 7396).
fn merge(mut object: JsonObject, patch: &JsonObject) -> JsonObject {
    for (name, value) in patch {
        let merged = match (value, object.remove(name)) {
            (Value::Null, _) => continue,
            (Value::Object(patch), Some(Value::Object(nested))) => merge(nested, patch).into(),
            (Value::Object(patch), _) => merge(JsonObject::new(), patch).into(),
            (value, _) => value.clone(),
        };
        object.insert(name.clone(), merged);
    }
    object
}

/// Returns a value as a string, as a URL contains it. An ID that a client chooses can be a number.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn not_found() -> Response {
    Response::error(404, "The object does not exist.")
}

fn not_an_object() -> Response {
    Response::error(400, "The body is not a JSON object.")
}

fn conflict(id: &str) -> Response {
    Response::new(409, json!({ "id": id, "message": "The object exists already." }))
}
