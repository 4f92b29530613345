//! Levels of subsystems, fields of requests and masks of log lines, in a provider that logs secrets.

use std::env;
use std::process::ExitCode;

use ferroform::value::{Type, Value as Data, msgpack};
use ferroform::{
    Args, Config, DataCx, DataSource, Diagnostic, Maybe, Model, Provider, Registry, RequestCx, Result, path,
};
use ferroform_proto::tfplugin6::{DynamicValue, configure_provider, read_data_source};
use serde_json::Value;

use crate::plugin::{Setup, without_tls};

/// Environment variable that makes the plugin process serve this provider.
const SERVED: &str = "TRANSPORT_TEST_LOUD";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(SERVED)?;
    Some(ferroform::serve::<Loud>())
}

struct Loud {
    token: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    #[attr(sensitive)]
    token: String,
}

impl Provider for Loud {
    const ADDRESS: &'static str = "example.com/test/loud";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.token.map(|token| Loud { token }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Account>("loud_account");
        registry.mask_log_field("authorization").mask_log_pattern("sess-[0-9]+");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Account {
    name: String,
    #[attr(sensitive)]
    password: String,
    #[attr(computed)]
    id: String,
}

impl DataSource for Account {
    type Provider = Loud;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<AccountComputed> {
        let (name, password) = (&args.name, &args.password);
        let span = tracing::info_span!("sign_in", password, authorization = "Basic abc").entered();
        tracing::info!(%name, password, "signing in with {password} and {}", cx.provider.token);
        tracing::debug!(target: "loud::http", authorization = "Basic abc", "GET /accounts?session=sess-123");
        tracing::debug!(target: "loud::cache", "miss");
        drop(span);
        if name == "library" {
            // Libraries know neither the schema nor the log layer.
            println!("connecting with {}", cx.provider.token);
            eprintln!("the server rejected {}", cx.provider.token);
            panic_in_task(cx.provider.token.clone()).await;
        }
        if name == "nobody" {
            return Err(Diagnostic::error("No Account")
                .detail("There is no such account.")
                .at(path!(name))
                .into());
        }
        Ok(AccountComputed { id: format!("id-of-{name}") })
    }
}

/// Panics in a spawned task.
async fn panic_in_task(token: String) {
    assert!(tokio::spawn(async move { panic!("no session for {token}") }).await.is_err());
}

fn encode(attributes: &[(&str, Option<&str>)]) -> Option<DynamicValue> {
    let ty = Type::object(attributes.iter().map(|(name, _)| (*name, Type::String)));
    let value = |it: &Option<&str>| it.map_or(Data::Null, Data::string);
    let object = attributes.iter().map(|(name, it)| ((*name).into(), value(it))).collect();
    let msgpack = msgpack::encode(&Data::Object(object), &ty).unwrap().into();
    Some(DynamicValue { msgpack, ..Default::default() })
}

/// Reads an account, and returns the log.
pub(crate) async fn log_of(setup: Setup, name: &str) -> String {
    let (mut plugin, handshake) = setup.env(SERVED, "1").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let config = encode(&[("token", Some("pr0vider-token"))]);
    let request = configure_provider::Request { config, ..Default::default() };
    channel.provider().configure_provider(request).await.unwrap();
    let config = encode(&[("name", Some(name)), ("password", Some("hunter2-hunter2")), ("id", None)]);
    let type_name = "loud_account".to_owned();
    let request = read_data_source::Request { type_name, config, ..Default::default() };
    channel.provider().read_data_source(request).await.unwrap();
    assert!(plugin.end(channel).await.success());
    plugin.errors().await
}

fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn with_message<'a>(lines: &'a [Value], message: &str) -> &'a Value {
    let found = lines.iter().find(|it| it["@message"].as_str().unwrap().starts_with(message));
    found.unwrap_or_else(|| panic!("no line with {message:?}: {lines:?}"))
}

pub(crate) async fn secrets_are_masked_by_schema_field_and_pattern() {
    let log = log_of(without_tls().env("TF_LOG", "trace"), "ada").await;
    for secret in ["hunter2", "pr0vider-token", "Basic abc", "sess-123"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    let lines = lines(&log);
    let signing_in = with_message(&lines, "signing in");
    assert_eq!(signing_in["@message"], "signing in with (sensitive value) and (sensitive value)");
    assert_eq!((&signing_in["name"], &signing_in["password"]), (&"ada".into(), &"(sensitive value)".into()));
    let request = with_message(&lines, "GET");
    assert_eq!(request["@message"], "GET /accounts?session=***");
    assert_eq!(request["authorization"], "***");
}

pub(crate) async fn secrets_of_the_provider_are_masked_in_all_output() {
    for level in ["off", "trace"] {
        let log = log_of(without_tls().env("TF_LOG", level), "library").await;
        assert!(!log.contains("pr0vider-token"), "{log}");
        for line in ["connecting with", "the server rejected", "no session for"] {
            assert!(log.contains(&format!("{line} (sensitive value)")), "{line} in {log}");
        }
    }
}

pub(crate) async fn subsystems_have_levels_of_their_own() {
    let setup = without_tls()
        .env("TF_LOG", "info")
        .env("TF_LOG_PROVIDER_LOUD_HTTP", "debug")
        .env("TF_LOG_SDK", "off");
    let lines = lines(&log_of(setup, "nobody").await);
    let messages: Vec<_> = lines.iter().map(|it| it["@module"].as_str().unwrap()).collect();
    assert_eq!(messages, ["protocol.log_masks", "loud.http"], "{lines:?}");
    // The fields of the request do not depend on the level of the SDK.
    assert_eq!(lines[1]["tf_data_source_type"], "loud_account");
    let only_sdk = without_tls().env("TF_LOG_SDK_PROTO", "error");
    let log = log_of(only_sdk, "nobody").await;
    assert_eq!(log.lines().count(), 1, "{log}");
}

pub(crate) async fn diagnostics_of_a_response_are_logged() {
    let lines = lines(&log_of(without_tls().env("TF_LOG", "trace"), "nobody").await);
    let error = with_message(&lines, "Response contains error diagnostic");
    for (name, expected) in [
        ("@level", "error"),
        ("@module", "sdk.proto"),
        ("diagnostic_severity", "ERROR"),
        ("diagnostic_summary", "No Account"),
        ("diagnostic_detail", "There is no such account."),
        ("diagnostic_attribute", "name"),
        ("tf_rpc", "ReadDataSource"),
        ("tf_data_source_type", "loud_account"),
        ("tf_provider_addr", "example.com/test/loud"),
        ("tf_proto_version", "6.11"),
    ] {
        assert_eq!(error[name], expected, "{name}");
    }
    let served = lines.iter().rfind(|it| it["@message"] == "Served request").unwrap();
    assert_eq!(
        (&served["diagnostic_error_count"], &served["diagnostic_warning_count"]),
        (&1.into(), &0.into())
    );
    assert_eq!(served["tf_req_id"], error["tf_req_id"]);
}
