//! The provider of the corpus. All of its values follow from the configuration, and its objects outlive the provider,
//! because Terraform configures a provider in each command.

mod blocks;
mod data;
mod functions;
mod label;
mod nested;
mod other;
mod plan;
mod secret;
mod service;
mod thing;
mod values;

use ferroform::{Config, Diagnostic, Maybe, Model, Provider, Registry, RequestCx, Result, path};

pub(crate) use self::service::{calls, change, delete, reset};

/// The provider: the client of a service.
pub(crate) struct Corpus {
    service: String,
}

/// The `provider` block.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The name of the service. Services do not share objects.
    #[attr(default = "main")]
    service: String,
    #[attr(sensitive)]
    token: Option<String>,
}

impl Provider for Corpus {
    const ADDRESS: &'static str = "registry.terraform.io/example/corpus";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Corpus>> {
        let settings = Settings::from_config(config)?;
        if settings.as_known().is_some_and(|it| it.token.as_deref() == Some("expired")) {
            return Err(Diagnostic::error("Invalid Token").at(path!(token)).into());
        }
        Ok(settings.map(|it| Corpus { service: it.service }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<thing::Thing>("corpus_thing")
            .resource::<nested::Nested>("corpus_nested")
            .resource::<blocks::Blocks>("corpus_blocks")
            .resource::<values::Values>("corpus_values")
            .resource::<secret::Secret>("corpus_secret")
            .resource::<plan::Quota>("corpus_quota")
            .resource::<label::Label>("corpus_label")
            .data_source::<data::Find>("corpus_thing")
            .data_source::<data::Echo>("corpus_echo")
            .data_source::<data::Items>("corpus_items")
            .list_resource::<other::Things>("corpus_thing")
            .ephemeral_resource::<other::Token>("corpus_token")
            .action::<other::Notify>("corpus_notify")
            .function::<functions::Join>("join")
            .function::<functions::Describe>("describe")
            .function::<functions::Known>("known")
            .function::<functions::Greet>("greet")
            .function::<functions::Fail>("fail");
    }
}
