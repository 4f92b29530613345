//! The public plugin client starts provider binaries as Terraform does: this provider, and a provider that is written
//! in Go if `FERROFORM_TEST_GO_PROVIDER` is the path of HashiCorp's AWS provider.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use ferroform::value::{Object, Type, Value, json, msgpack};
use ferroform_testing::plugin::tfplugin6::schema::Block;
use ferroform_testing::plugin::tfplugin6::schema::nested_block::NestingMode;
use ferroform_testing::plugin::tfplugin6::{
    DynamicValue, Schema, call_function, get_provider_schema, validate_resource_config,
};
use ferroform_testing::plugin::{Message as _, Plugin, PluginCommand, PluginErrorKind, Protocol};

fn own() -> PluginCommand {
    PluginCommand::new(env!("CARGO_BIN_EXE_terraform-provider-local"))
}

async fn schema(plugin: &Plugin) -> get_provider_schema::Response {
    let request = get_provider_schema::Request {};
    plugin.client().get_provider_schema(request).await.unwrap().into_inner()
}

/// The type of an object, and the object in which nothing is configured.
fn empty(block: &Block) -> (Type, Value) {
    let (mut types, mut object) = (Vec::new(), Object::default());
    for it in &block.attributes {
        types.push((it.name.clone(), json::type_from_slice(&it.r#type).unwrap()));
        object.insert(it.name.as_str(), Value::Null);
    }
    for it in &block.block_types {
        let (inside, _) = empty(it.block.as_ref().unwrap());
        let (ty, value) = match it.nesting() {
            NestingMode::List => (Type::list(inside), Value::List(Vec::new())),
            NestingMode::Set => (Type::set(inside), Value::set([])),
            _ => (inside, Value::Null),
        };
        types.push((it.type_name.clone(), ty));
        object.insert(it.type_name.as_str(), value);
    }
    (Type::object(types), Value::Object(object))
}

#[tokio::test]
async fn own_provider_serves_its_schema_and_functions() {
    let plugin = own().start().await.unwrap();
    assert_eq!(plugin.protocol(), Protocol::V6);
    let schema = schema(&plugin).await;
    assert!(schema.diagnostics.is_empty() && schema.resource_schemas.contains_key("local_file"));
    let path = msgpack::encode(&"/".into(), &Type::String).unwrap();
    let request = call_function::Request {
        name: "direxists".into(),
        arguments: vec![DynamicValue { msgpack: path.into(), ..Default::default() }],
    };
    let response = plugin.client().call_function(request).await.unwrap().into_inner();
    let result = msgpack::decode(&response.result.unwrap().msgpack, &Type::Bool).unwrap();
    assert_eq!((result, response.error), (Value::Bool(true), None));
    assert!(plugin.stop().await.unwrap().success());
}

#[tokio::test]
async fn failed_start_names_the_step() {
    let start = async |command: PluginCommand| {
        let error = command.on_log(|_| {}).start().await.unwrap_err();
        (error.kind(), error.to_string())
    };
    let (kind, message) = start(PluginCommand::new("./no-such-provider")).await;
    assert_eq!(kind, PluginErrorKind::Start);
    assert!(message.starts_with("cannot start ./no-such-provider: "), "{message}");

    let (kind, message) =
        start(PluginCommand::new("sh").arg("-c").arg("echo missing library >&2; exit 3")).await;
    assert_eq!(kind, PluginErrorKind::Exited);
    assert_eq!(message, "sh exited before the handshake (exit status: 3): missing library");

    // The error does not wait for a process that holds the streams open.
    let sleep = PluginCommand::new("sh").arg("-c").arg("sleep 600 & echo $! >&2; exit 3");
    let (kind, message) = start(sleep).await;
    assert_eq!(kind, PluginErrorKind::Exited);
    let sleeping = message.rsplit(' ').next().unwrap();
    assert!(std::process::Command::new("kill").arg(sleeping).status().unwrap().success(), "{message}");

    let (kind, message) = start(PluginCommand::new("echo").arg("hello")).await;
    assert_eq!(kind, PluginErrorKind::Handshake);
    assert_eq!(message, "fewer than five fields in the handshake line \"hello\"");

    let (kind, message) = start(PluginCommand::new("echo").arg("1|6|unix|/no/such/socket|grpc|")).await;
    assert_eq!(kind, PluginErrorKind::Connection);
    assert!(message.starts_with("cannot connect to the plugin: "), "{message}");
}

#[tokio::test]
async fn log_lines_are_passed_on() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let on_log = move |line: &str| log.lock().unwrap().push(line.to_owned());
    let plugin = own().env("TF_LOG", "trace").on_log(on_log).start().await.unwrap();
    schema(&plugin).await;
    plugin.stop().await.unwrap();
    assert!(lines.lock().unwrap().iter().any(|it| it.contains("GetProviderSchema")), "{lines:?}");
}

#[tokio::test]
async fn go_provider_serves_its_schema_and_validates() {
    let Some(program) = std::env::var_os("FERROFORM_TEST_GO_PROVIDER").filter(|it| !it.is_empty()) else {
        // Not `eprintln!`, which the test runner captures.
        std::io::stderr().write_all(b"skipped: FERROFORM_TEST_GO_PROVIDER is not set\n").unwrap();
        return;
    };
    let plugin = PluginCommand::new(Path::new(&program)).on_log(|_| {}).start().await.unwrap();
    assert_eq!(plugin.protocol(), Protocol::V5);
    let schemas = schema(&plugin).await;
    assert!(schemas.resource_schemas.len() > 1_000, "{}", schemas.resource_schemas.len());

    // Protocols 5 and 6 encode the attributes that are used here in the same way.
    let type_name = "aws_iam_access_key".to_owned();
    let schema = Schema::decode(&*schemas.resource_schemas[&type_name]).unwrap();
    let (ty, value) = empty(&schema.block.unwrap());
    let validate = async |status: &str| {
        let Value::Object(mut config) = value.clone() else { panic!("an object") };
        config.insert("user", "someone".into());
        config.insert("status", status.into());
        let config = msgpack::encode(&Value::Object(config), &ty).unwrap();
        let request = validate_resource_config::Request {
            type_name: type_name.clone(),
            config: Some(DynamicValue { msgpack: config.into(), ..Default::default() }),
            client_capabilities: None,
        };
        plugin.client().validate_resource_config(request).await.unwrap().into_inner().diagnostics
    };
    assert_eq!(validate("Active").await, []);
    let rejected = validate("Sleeping").await;
    assert!(rejected.iter().any(|it| it.summary.contains("status")), "{rejected:?}");
    plugin.stop().await.unwrap();
}
