//! A mock of the API.

use ferroform_testing::mock::{Collection, Pagination, Response, Service};
use serde_json::json;

/// The token that the mock accepts.
pub(crate) const TOKEN: &str = "secret";

pub(crate) struct Mock {
    pub(crate) service: Service,
    pub(crate) users: Collection,
}

impl Mock {
    /// Starts the service on a free port.
    pub(crate) fn start() -> Mock {
        let service = Service::start().require_header("authorization", &format!("Bearer {TOKEN}"));
        let users = service
            .collection("/v1/users")
            .id("id", |number| format!("u-{number}"))
            .unique("email")
            .validate(|user, _| {
                let rejection = |errors| Err(Response::new(422, json!({ "errors": errors })));
                match (user["email"].as_str(), user["name"].as_str()) {
                    (_, Some("")) => rejection(json!({ "name": "The name is empty." })),
                    (Some(email), _) if email.contains('@') => Ok(()),
                    _ => rejection(json!({ "email": "The address has no @." })),
                }
            })
            .computed(|user, prior| {
                let revision = prior.and_then(|it| it["revision"].as_u64()).unwrap_or_default() + 1;
                user.insert("revision".to_owned(), revision.into());
            })
            .list_field("users")
            .pagination(Pagination::PageToken { parameter: "page", next: "next", size: 2 });
        Mock { service, users }
    }

    /// Returns the endpoint of the API.
    pub(crate) fn url(&self) -> String {
        format!("{}/v1/", self.service.url())
    }
}
