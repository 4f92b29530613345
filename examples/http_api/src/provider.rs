//! The configuration of the provider, and its resources and data sources.

use ferroform::defaults::env;
use ferroform::{Config, Known, Maybe, Model, Provider, Registry, RequestCx, Result, Unknown};
use reqwest::Url;

use crate::client::Client;
use crate::user::User;
use crate::users::Users;

/// Manages the users of a directory.
#[derive(Model, Clone, Debug, PartialEq)]
pub struct Settings {
    /// The URL of the API. Default: the environment variable `DIRECTORY_ENDPOINT`.
    #[attr(default_with = env("DIRECTORY_ENDPOINT"))]
    endpoint: Url,
    /// The token for the API. Default: the environment variable `DIRECTORY_TOKEN`.
    #[attr(sensitive, default_with = env("DIRECTORY_TOKEN"))]
    token: String,
}

impl Provider for Client {
    const ADDRESS: &'static str = "registry.terraform.io/acme/directory";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        // During a plan, the endpoint can be the attribute of a resource that does not exist yet.
        let Known(settings) = Settings::from_config(config)? else { return Ok(Unknown) };
        Ok(Known(Client::new(settings.endpoint, settings.token)?))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<User>("directory_user").data_source::<Users>("directory_users");
    }
}
