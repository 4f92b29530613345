//! A provider for an HTTP API: the users of a directory.
//!
//! ```hcl
//! provider "directory" {
//!   endpoint = "https://directory.example.com"
//! }
//!
//! resource "directory_user" "ada" {
//!   email = "ada@example.com"
//!   name  = "Ada"
//! }
//! ```

use std::process::ExitCode;

use ferroform::defaults::env;
use ferroform::{
    ApplyCx, Args, Config, Context, DataCx, DataSource, Diagnostic, Known, Maybe, Model, Planned, Provider,
    ReadCx, Registry, RequestCx, Resource, Result, Unknown,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

fn main() -> ExitCode {
    ferroform::serve::<Directory>()
}

type Response = ureq::http::Response<ureq::Body>;

/// The client of the API, which is available in every method of a resource as `cx.provider`.
struct Directory {
    agent: ureq::Agent,
    endpoint: String,
    token: String,
}

/// The configuration of the provider.
#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    /// The URL of the directory.
    #[attr(default_with = env("DIRECTORY_ENDPOINT"))]
    endpoint: String,
    /// The token for the API.
    #[attr(sensitive, default_with = env("DIRECTORY_TOKEN"))]
    token: Option<String>,
}

impl Provider for Directory {
    const ADDRESS: &'static str = "registry.terraform.io/example/directory";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        // The endpoint can be an attribute of a resource that does not exist yet.
        let Known(settings) = Settings::from_config(config)? else { return Ok(Unknown) };
        // A response with a status other than 2xx is not an error of the HTTP client, because `send` reads its body.
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let token = settings.token.unwrap_or_default();
        Ok(Known(Directory { agent, endpoint: settings.endpoint, token }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<User>("directory_user").data_source::<Lookup>("directory_user");
    }
}

/// A user as the API sends and receives it.
#[derive(Serialize, Deserialize)]
struct ApiUser {
    #[serde(default)]
    id: String,
    email: String,
    name: String,
    active: bool,
}

impl Directory {
    /// Sends a request. Returns `None` if the API has no such object.
    fn send(&self, method: &str, path: &str, body: Option<&ApiUser>) -> Result<Option<Response>> {
        let summary = || format!("{method} {path} failed");
        let body = body.map(serde_json::to_vec).transpose()?.unwrap_or_default();
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.endpoint))
            .header("Authorization", format!("Bearer {}", self.token))
            .header("Content-Type", "application/json")
            .body(body)
            .context(summary())?;
        let mut response = self.agent.run(request).context(summary())?;
        match response.status().as_u16() {
            404 => Ok(None),
            200..300 => Ok(Some(response)),
            status => {
                let body = response.body_mut().read_to_string().unwrap_or_default();
                Err(Diagnostic::error("Directory API Error")
                    .detail(format!("{}: {status} {body}", summary())))?
            }
        }
    }

    /// Sends a request, and reads the object in the response.
    fn receive<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        body: Option<&ApiUser>,
    ) -> Result<Option<T>> {
        let Some(mut response) = self.send(method, path, body)? else { return Ok(None) };
        response.body_mut().read_json().map(Some).context(format!("{method} {path} returned invalid JSON"))
    }
}

/// A user of the directory.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
struct User {
    /// Identifier that the directory assigns.
    #[attr(computed, use_state_for_unknown)]
    id: String,
    /// Address of the user.
    #[attr(requires_replace)]
    email: String,
    /// Name to display.
    name: String,
    /// Whether the user can sign in.
    #[attr(default = true)]
    active: bool,
}

impl From<ApiUser> for User {
    fn from(user: ApiUser) -> User {
        User { id: user.id, email: user.email, name: user.name, active: user.active }
    }
}

impl Resource for User {
    type Provider = Directory;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<UserComputed> {
        let user = ApiUser { id: String::new(), email: plan.email, name: plan.name, active: plan.active };
        let created: ApiUser =
            cx.provider.receive("POST", "/users", Some(&user))?.context("User Not Created")?;
        Ok(User::from(created).into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let user: Option<ApiUser> = cx.provider.receive("GET", &format!("/users/{}", state.id), None)?;
        Ok(user.map(User::from))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<UserComputed> {
        let path = format!("/users/{}", prior.id);
        let user = ApiUser { id: prior.id, email: plan.email, name: plan.name, active: plan.active };
        let updated: ApiUser = cx.provider.receive("PUT", &path, Some(&user))?.context("User Not Found")?;
        Ok(User::from(updated).into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        // If the user no longer exists, the deletion has succeeded.
        cx.provider.send("DELETE", &format!("/users/{}", state.id), None)?;
        Ok(())
    }
}

/// Looks up a user by email.
#[derive(Model, Clone, Debug, PartialEq)]
struct Lookup {
    /// Address of the user.
    email: String,
    /// Identifier of the user.
    #[attr(computed)]
    id: String,
    /// Name to display.
    #[attr(computed)]
    name: String,
}

impl DataSource for Lookup {
    type Provider = Directory;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<LookupComputed> {
        let users: Vec<ApiUser> = cx.provider.receive("GET", "/users", None)?.unwrap_or_default();
        let found = users.into_iter().find(|user| user.email == args.email);
        let user = found.context(format!("User {:?} Not Found", args.email))?;
        Ok(LookupComputed { id: user.id, name: user.name })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};
    use std::thread;

    use ferroform::path;
    use ferroform_testing::{Action, Harness, config};
    use tiny_http::{Header, Method, Server};

    use super::*;

    /// The users of the mock server by id.
    type Users = Arc<Mutex<BTreeMap<String, ApiUser>>>;

    /// Starts a mock of the API on a free port, and returns its URL and its users.
    fn mock() -> (String, Users) {
        let server = Server::http("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", server.server_addr());
        let users = Users::default();
        let shared = Arc::clone(&users);
        thread::spawn(move || {
            for mut request in server.incoming_requests() {
                let is_authorized = request.headers().iter().any(|header| header.value == "Bearer secret");
                let mut body = String::new();
                request.as_reader().read_to_string(&mut body).expect("a body");
                let (status, body) = match is_authorized {
                    true => respond(&shared, request.method(), request.url(), &body),
                    false => (401, "no token".to_owned()),
                };
                let json = Header::from_bytes("Content-Type", "application/json").expect("a header");
                let response =
                    tiny_http::Response::from_string(body).with_status_code(status).with_header(json);
                request.respond(response).expect("a client");
            }
        });
        (url, users)
    }

    fn respond(users: &Users, method: &Method, url: &str, body: &str) -> (u16, String) {
        let mut users = users.lock().expect("no test panics with the lock");
        let id = url.strip_prefix("/users/").unwrap_or_default().to_owned();
        let json = |user: &ApiUser| serde_json::to_string(user).expect("valid JSON");
        match method {
            Method::Get if id.is_empty() => {
                (200, serde_json::to_string(&users.values().collect::<Vec<_>>()).expect("valid JSON"))
            }
            Method::Get => users.get(&id).map_or((404, String::new()), |user| (200, json(user))),
            Method::Post | Method::Put => {
                let mut user: ApiUser = serde_json::from_str(body).expect("a user");
                user.id = if id.is_empty() { format!("u-{}", users.len() + 1) } else { id };
                let response = json(&user);
                users.insert(user.id.clone(), user);
                (200, response)
            }
            Method::Delete => (if users.remove(&id).is_some() { 204 } else { 404 }, String::new()),
            _ => (405, String::new()),
        }
    }

    #[test]
    fn user_is_created_updated_recreated_and_destroyed() {
        let (url, users) = mock();
        let harness = Harness::start::<Directory>(config! { endpoint = url, token = "secret" });
        let mut user = harness.resource("directory_user");
        user.apply(config! { email = "ada@example.com", name = "Ada" });
        assert_eq!(user.state().get::<String>(path!(id)), "u-1");

        let plan = user.plan(config! { email = "ada@example.com", name = "Ada Lovelace" });
        assert_eq!(plan.action, Action::Update);
        user.apply(config! { email = "ada@example.com", name = "Ada Lovelace" });
        let found = harness.data_source("directory_user").read(config! { email = "ada@example.com" });
        assert_eq!(found.get::<String>(path!(name)), "Ada Lovelace");

        // The user is changed outside of Terraform: the next plan reverts the drift.
        users.lock().expect("no test panics with the lock").get_mut("u-1").expect("the user").active = false;
        user.refresh();
        assert!(!user.state().get::<bool>(path!(active)));
        let plan = user.plan(config! { email = "ada@example.com", name = "Ada Lovelace" });
        assert_eq!(plan.action, Action::Update);

        // The user is deleted outside of Terraform: the next plan recreates it.
        users.lock().expect("no test panics with the lock").clear();
        user.refresh();
        assert!(!user.exists());
        user.apply(config! { email = "ada@example.com", name = "Ada" });
        user.destroy();
        assert!(users.lock().expect("no test panics with the lock").is_empty());
    }

    #[test]
    fn token_is_masked_in_an_error_of_the_api() {
        let (url, _) = mock();
        let harness = Harness::start::<Directory>(config! { endpoint = url, token = "expired" });
        let error =
            harness.resource("directory_user").try_apply(config! { email = "a@b", name = "A" }).error();
        assert!(error.to_string().contains("401 no token"), "{error}");
        assert!(!error.to_string().contains("expired"), "{error}");
    }
}
