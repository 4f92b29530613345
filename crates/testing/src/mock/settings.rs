//! The settings of a collection.

use std::sync::Arc;

use super::request::{JsonObject, Response};

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
    /// The status after a request that creates the object.
    pub creating: &'static str,
    /// The status after a request that updates the object.
    pub updating: &'static str,
    /// The status after a request that deletes the object.
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
pub(super) type Compute = Arc<dyn Fn(&mut JsonObject, Option<&JsonObject>) + Send + Sync>;
/// A function that can reject an object.
pub(super) type Validate =
    Arc<dyn Fn(&JsonObject, Option<&JsonObject>) -> Result<(), Response> + Send + Sync>;

/// The source of an object's ID.
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
