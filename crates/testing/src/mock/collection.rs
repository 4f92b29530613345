//! The collections of a mock service, and their settings.

use std::sync::Arc;

use serde_json::Value;

use super::{Object, Response, Service};

/// How the service splits a list into pages.
///
/// The functions create the most common form of each kind. The fields name its parameters:
///
/// ```
/// use ferroform_testing::mock::Pagination;
///
/// let pages = Pagination::PageToken { parameter: "page", next: "next", size: 2 };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pagination {
    /// Each page contains the token of the next one, or null if it is the last one.
    PageToken {
        /// The parameter for the token.
        parameter: &'static str,
        /// The field with the token of the next page.
        next: &'static str,
        /// The number of objects in a page.
        size: usize,
    },
    /// A request asks for objects from an offset. Each page contains the `total` number of objects.
    Offset {
        /// The parameter for the number of objects before the page.
        parameter: &'static str,
        /// The parameter for the number of objects in the page.
        limit: &'static str,
        /// The maximum number of objects in a page, which is also the default.
        size: usize,
    },
    /// Each page is an array, and the header `Link` contains the URL of the next one.
    LinkHeader {
        /// The parameter for the number of the page, which starts at 1.
        parameter: &'static str,
        /// The number of objects in a page.
        size: usize,
    },
}

impl Pagination {
    /// Pages with `?page_token=TOKEN` and the field `next_page_token`.
    pub const fn page_token(size: usize) -> Pagination {
        Pagination::PageToken { parameter: "page_token", next: "next_page_token", size }
    }

    /// Pages with `?offset=NUMBER&limit=NUMBER`.
    pub const fn offset(size: usize) -> Pagination {
        Pagination::Offset { parameter: "offset", limit: "limit", size }
    }

    /// Pages with `?page=NUMBER` and the header `Link`.
    pub const fn link_header(size: usize) -> Pagination {
        Pagination::LinkHeader { parameter: "page", size }
    }
}

/// Objects whose changes take time: the service accepts a change, and the object has another status until the next
/// `polls` reads. Until it is ready, the service rejects updates with the status 409.
///
/// ```
/// use ferroform_testing::mock::Asynchronous;
///
/// let slow = Asynchronous { polls: 3, ready: "available", ..Asynchronous::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asynchronous {
    /// The field with the status of the object.
    pub field: &'static str,
    /// The number of reads that return an object that is not ready.
    pub polls: u32,
    /// The status after a creation.
    pub creating: &'static str,
    /// The status after an update.
    pub updating: &'static str,
    /// The status after a deletion.
    pub deleting: &'static str,
    /// The status of an object that is ready.
    pub ready: &'static str,
}

impl Default for Asynchronous {
    fn default() -> Asynchronous {
        Asynchronous {
            field: "status",
            polls: 1,
            creating: "creating",
            updating: "updating",
            deleting: "deleting",
            ready: "ready",
        }
    }
}

/// A function that sets the computed fields of an object after a creation or, with the prior object, an update.
pub(super) type Compute = Arc<dyn Fn(&mut Object, Option<&Object>) + Send + Sync>;
/// A function that can reject an object.
pub(super) type Validate = Arc<dyn Fn(&Object, Option<&Object>) -> Result<(), Response> + Send + Sync>;

/// Who chooses the ID of an object.
#[derive(Clone)]
pub(super) enum IdSource {
    Service(Arc<dyn Fn(u64) -> String + Send + Sync>),
    Client,
}

/// The settings of a collection.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) id_field: String,
    pub(super) id_source: IdSource,
    pub(super) unique: Vec<String>,
    pub(super) computed: Vec<Compute>,
    pub(super) validate: Vec<Validate>,
    pub(super) not_returned: Vec<String>,
    /// The field of a list that contains the objects; `None` for a list that is an array.
    pub(super) list_field: Option<String>,
    pub(super) pagination: Option<Pagination>,
    pub(super) asynchronous: Option<Asynchronous>,
    pub(super) put_creates: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            id_field: "id".to_owned(),
            id_source: IdSource::Service(Arc::new(|number| number.to_string())),
            unique: Vec::new(),
            computed: Vec::new(),
            validate: Vec::new(),
            not_returned: Vec::new(),
            list_field: None,
            pagination: None,
            asynchronous: None,
            put_creates: false,
        }
    }
}

/// The objects at a path of a mock service; see [`Service::collection`].
///
/// Its first methods are the settings of the API, and the others access the objects without a request, as another
/// program does that uses the same service. Lag, latency and faults do not affect them.
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

    /// The service assigns the ID in this field. `id` returns the ID of the first, second, … object. The default is the
    /// field `id` with this number.
    pub fn id(self, field: &str, id: impl Fn(u64) -> String + Send + Sync + 'static) -> Collection {
        self.set(|it| (it.id_field, it.id_source) = (field.to_owned(), IdSource::Service(Arc::new(id))))
    }

    /// The client chooses the ID, in this field. Another object with the same ID is rejected with the status 409.
    pub fn key(self, field: &str) -> Collection {
        self.set(|it| (it.id_field, it.id_source) = (field.to_owned(), IdSource::Client))
    }

    /// A `PUT` request to an ID that does not exist creates the object. Without this setting, its response is 404.
    pub fn put_creates(self) -> Collection {
        self.set(|it| it.put_creates = true)
    }

    /// No two objects have the same value in this field. The status of the rejection is 409, and its body contains the
    /// ID of the existing object.
    pub fn unique(self, field: &str) -> Collection {
        self.set(|it| it.unique.push(field.to_owned()))
    }

    /// Sets computed fields of each created and updated object. The second argument of `compute` is the object before
    /// the update.
    pub fn computed(
        self,
        compute: impl Fn(&mut Object, Option<&Object>) + Send + Sync + 'static,
    ) -> Collection {
        self.set(|it| it.computed.push(Arc::new(compute)))
    }

    /// Rejects created and updated objects for which `validate` returns a response. Its second argument is the object
    /// before the update.
    pub fn validate(
        self,
        validate: impl Fn(&Object, Option<&Object>) -> Result<(), Response> + Send + Sync + 'static,
    ) -> Collection {
        self.set(|it| it.validate.push(Arc::new(validate)))
    }

    /// The service stores these fields, but does not return them, like passwords.
    pub fn not_returned<const N: usize>(self, fields: [&str; N]) -> Collection {
        self.set(|it| it.not_returned.extend(fields.map(str::to_owned)))
    }

    /// A list is an object that contains the objects in this field. Without this setting, it is an array, or an object
    /// with the field `items` if there is a token or a total number next to it.
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

    /// Changes of objects take time.
    pub fn asynchronous(self, asynchronous: Asynchronous) -> Collection {
        self.set(|it| it.asynchronous = Some(asynchronous))
    }

    /// Returns the objects in the order of their creation, including the fields that the service does not return.
    pub fn objects(&self) -> Vec<Object> {
        let mut state = self.service.state();
        let objects = state.store(&self.path).existing().map(|it| it.object.clone());
        objects.collect()
    }

    /// Returns an object, including the fields that the service does not return.
    pub fn get(&self, id: &str) -> Option<Object> {
        self.service.state().store(&self.path).find(id).map(|it| it.object.clone())
    }

    /// Creates an object without validation, and returns its ID.
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
    pub fn change(&self, id: &str, change: impl FnOnce(&mut Object)) {
        match self.service.state().store(&self.path).find(id) {
            Some(entry) => change(&mut entry.object),
            None => panic!("{} has no object with the ID {id:?}", self.path),
        }
    }

    /// Deletes an object, and returns it if it existed.
    pub fn remove(&self, id: &str) -> Option<Object> {
        self.service.state().store(&self.path).remove(id)
    }

    /// Deletes all objects.
    pub fn clear(&self) {
        self.service.state().store(&self.path).entries.clear();
    }
}
