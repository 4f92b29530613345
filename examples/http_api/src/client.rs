//! The client of the HTTP API.

use std::time::Duration;

use ferroform::wait::{Retry, RetryError, Wait};
use ferroform::{Context, Diagnostic, RequestCx};
use reqwest::header::RETRY_AFTER;
use reqwest::{RequestBuilder, Response, StatusCode, Url};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, check};

/// The time limit for a request with its response.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The client. The methods of resources and data sources access it as `cx.provider`.
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    token: String,
}

/// A user as the API receives it.
#[derive(Serialize)]
pub(crate) struct NewUser {
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) active: bool,
}

/// A user as the API returns it.
#[derive(Deserialize)]
pub(crate) struct ApiUser {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) active: bool,
    /// The number of changes.
    revision: u64,
}

/// A page of a list.
#[derive(Deserialize)]
struct Page {
    users: Vec<ApiUser>,
    /// The token of the next page, unless this is the last one.
    next: Option<String>,
}

impl Client {
    pub(crate) fn new(endpoint: Url, token: String) -> ferroform::Result<Client> {
        // The implementation of TLS for this process. The result is an error if another client has installed one.
        rustls::crypto::ring::default_provider().install_default().ok();
        let user_agent = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
        let http = reqwest::Client::builder().timeout(TIMEOUT).user_agent(user_agent).build()?;
        Ok(Client { http, endpoint, token })
    }

    /// Returns the URL of an object. A segment can contain any characters, such as a slash.
    fn url(&self, segments: &[&str]) -> Result<Url, ApiError> {
        if segments.iter().any(|it| matches!(*it, "." | "..")) {
            return Err(ApiError::NotFound); // A URL cannot contain these segments.
        }
        let mut url = self.endpoint.clone();
        // A URL such as `mailto:ada@example.com` has no path.
        let path = url.path_segments_mut().ok().context("Invalid Endpoint");
        path?.pop_if_empty().extend(segments);
        Ok(url)
    }

    /// Sends a request. If the API limits the rate of requests, waits and sends it again.
    async fn send(&self, cx: &RequestCx, request: RequestBuilder) -> Result<Response, ApiError> {
        let request = request.bearer_auth(&self.token);
        let response = Retry::new("send the request").run(cx, || attempt(&request)).await?;
        check(response).await
    }

    pub(crate) async fn create_user(&self, cx: &RequestCx, user: &NewUser) -> Result<ApiUser, ApiError> {
        let request = self.http.post(self.url(&["users"])?).json(user);
        Ok(self.send(cx, request).await?.json().await?)
    }

    pub(crate) async fn read_user(&self, cx: &RequestCx, id: &str) -> Result<ApiUser, ApiError> {
        let request = self.http.get(self.url(&["users", id])?);
        Ok(self.send(cx, request).await?.json().await?)
    }

    pub(crate) async fn update_user(
        &self,
        cx: &RequestCx,
        id: &str,
        user: &NewUser,
    ) -> Result<ApiUser, ApiError> {
        let request = self.http.put(self.url(&["users", id])?).json(user);
        Ok(self.send(cx, request).await?.json().await?)
    }

    pub(crate) async fn delete_user(&self, cx: &RequestCx, id: &str) -> Result<(), ApiError> {
        self.send(cx, self.http.delete(self.url(&["users", id])?)).await?;
        Ok(())
    }

    /// Waits until reads return the revision that a request has written.
    pub(crate) async fn wait_for_revision(&self, cx: &RequestCx, written: &ApiUser) -> ferroform::Result<()> {
        let wait = Wait::new("the user").pending(["outdated"]).target(["readable"]).consecutive(2);
        wait.run(cx, async || match self.read_user(cx, &written.id).await {
            Err(ApiError::NotFound) => Ok(None),
            Ok(user) if user.revision < written.revision => Ok(Some(("outdated", ()))),
            user => Ok(user.map(|_| Some(("readable", ())))?),
        })
        .await
    }

    /// Returns the users of all pages.
    pub(crate) async fn users(&self, cx: &RequestCx) -> Result<Vec<ApiUser>, ApiError> {
        let mut users = Vec::new();
        let mut url = self.url(&["users"])?;
        loop {
            let page: Page = self.send(cx, self.http.get(url.clone())).await?.json().await?;
            users.extend(page.users);
            let Some(token) = page.next else { return Ok(users) };
            url.query_pairs_mut().clear().append_pair("page", &token);
        }
    }
}

/// Sends a request once.
async fn attempt(request: &RequestBuilder) -> Result<Response, RetryError> {
    let request = request.try_clone().context("The Body of the Request Is a Stream")?;
    let response = request.send().await.context("Cannot Send Request")?;
    if response.status() != StatusCode::TOO_MANY_REQUESTS {
        return Ok(response);
    }
    let error = Diagnostic::error("Too Many Requests").detail("The API limits the rate of requests.");
    let seconds = response.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse().ok());
    Err(match seconds {
        Some(seconds) => RetryError::after(Duration::from_secs(seconds), error),
        None => RetryError::transient(error),
    })
}
