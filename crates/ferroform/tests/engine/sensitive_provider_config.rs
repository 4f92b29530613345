//! The sensitive values of the provider's configuration, keys of sensitive maps, values that a method has set, and encoded forms do
//! not appear in diagnostics.

use std::collections::BTreeMap;

use expect_test::expect;
use ferroform::{
    ApplyCx, Args, DataCx, DataSource, Diagnostic, Function, Maybe, Model, Parameters, Planned, Provider,
    ReadCx, Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::{Configuration, Harness, config};

/// A client whose errors quote its token.
struct Cloud {
    token: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct CloudConfig {
    #[attr(sensitive)]
    token: String,
    #[attr(sensitive)]
    headers: Option<BTreeMap<String, String>>,
}

impl Provider for Cloud {
    const ADDRESS: &'static str = "example.com/test/cloud";
    type Config = CloudConfig;

    async fn configure(_: &RequestCx, config: ferroform::Config<CloudConfig>) -> Result<Maybe<Self>> {
        Ok(config.token.map(|token| Cloud { token }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Server>("cloud_server")
            .data_source::<Image>("cloud_image")
            .function::<Decode>("decode");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "servers/{name}")]
struct Server {
    name: String,
    #[attr(computed, sensitive)]
    password: String,
}

impl Resource for Server {
    type Provider = Cloud;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ServerComputed> {
        let token = &cx.provider.token;
        match plan.name.as_str() {
            "url" => {
                Err(Diagnostic::error("GET /login?token=s3cret%2Ftoken+1 and s3cret%2ftoken%201").into())
            }
            "header" => Err(Diagnostic::error("Authorization: Basic dXNlcjpzM2NyZXQvdG9rZW4gMQ==").into()),
            "panic" => panic!("no access with {token}"),
            "checkpoint" => {
                cx.checkpoint_at(path!(password), &"generated-1".to_owned());
                Err(Diagnostic::error("Cannot start").detail("The password generated-1 is too weak.").into())
            }
            "guest-server" => {
                cx.checkpoint_at(path!(password), &"server-secret".to_owned());
                let name = &plan.name;
                Err(Diagnostic::error(format!("401 for {token} in cloud_server guest-server-secret"))
                    .detail(format!("no {name} at /{name}?user={token}, {token}s; guest_name is null"))
                    .into())
            }
            _ => {
                cx.warn(format!("Logged in with {token} and X-Secret-Header"));
                cx.warn("The password is generated-2");
                Ok(ServerComputed { password: "generated-2".into() })
            }
        }
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.warn(format!("GET with {}", cx.provider.token));
        Ok(Some(state))
    }

    async fn delete(cx: &ApplyCx<Self>, _: Self) -> Result<()> {
        Err(Diagnostic::error(format!("DELETE with {}: 401", cx.provider.token)).into())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Image {
    name: String,
}

impl DataSource for Image {
    type Provider = Cloud;

    async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<ImageComputed> {
        Err(Diagnostic::error(format!("401 for {}", cx.provider.token)).into())
    }
}

/// Decodes a string; its error quotes it.
#[derive(Parameters)]
struct Decode {
    input: String,
}

impl Function for Decode {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        assert!(self.input != "panic", "inputs: deco");
        Err(Diagnostic::error(format!("cannot decode {}", self.input)).at(path!(input)).into())
    }
}

#[test]
fn function_errors_mask_sensitive_values_of_the_provider_configuration() {
    let error = harness().function("decode").try_call::<String>(config! { input = "s3cret/token 1" }).error();
    assert_eq!(error.to_string(), "argument 1: cannot decode (sensitive value)");
}

/// An argument, the function's name and its parameter's name contain short tokens.
#[test]
fn function_errors_show_names_and_arguments_that_contain_the_token() {
    let error = |token: &str, input: &str| {
        let harness = Harness::start::<Cloud>(config! { token = token });
        harness.function("decode").try_call::<String>(config! { input = input }).error().to_string()
    };
    assert_eq!(error("guest", "guest-arg"), "argument 1: cannot decode guest-arg");
    assert_eq!(error("guest", "guest"), "argument 1: cannot decode (sensitive value)");
    let panicked = error("deco", "panic");
    assert!(panicked.contains("The function decode panicked"), "{panicked}");
    assert!(panicked.contains("inputs: (sensitive value)\n"), "{panicked}");
    assert!(error("inpu", "panic").contains("inputs: deco\n"));
}

fn harness() -> Harness {
    Harness::start::<Cloud>(config! { token = "s3cret/token 1", headers = { "X-Secret-Header" = "on" } })
}

#[test]
fn resource_errors_mask_sensitive_values_of_the_provider_configuration() {
    let create =
        |config: Configuration| harness().resource("cloud_server").try_apply(config).error().to_string();
    let errors = ["url", "header", "panic", "checkpoint"].map(|name| create(config! { name = name }));
    expect![[r#"
        GET /login?token=(sensitive value) and (sensitive value)
        Authorization: Basic dXNlcj(sensitive value)
        Provider Panicked: The creation of cloud_server panicked at crates/ferroform/tests/engine/sensitive_provider_config.rs:60: no access with (sensitive value)

        This is a bug in the provider; please report it to its authors. The object is not in the state. Check whether it exists before you apply again.
        Cannot start: The password (sensitive value) is too weak. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."#]].assert_eq(&errors.join("\n"));
}

/// Names contain a short token. The names are not sensitive, but another secret that contains a substring of them is.
#[test]
fn name_that_contains_the_token_is_shown() {
    let harness = Harness::start::<Cloud>(config! { token = "guest" });
    let error = harness.resource("cloud_server").try_apply(config! { name = "guest-server" }).error();
    expect!["401 for (sensitive value) in cloud_server (sensitive value)-(sensitive value): no guest-server at /guest-server?user=(sensitive value), (sensitive value)s; (sensitive value)_name is null. The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."]
        .assert_eq(&error.to_string());
    let harness = Harness::start::<Cloud>(config! { token = "pass" });
    let error = harness.resource("cloud_server").try_import("pass/x").error();
    assert!(error.to_string().contains("\"pass/x\""), "{error}");
    let harness = Harness::start::<Cloud>(config! { token = "cloud" });
    let error = harness.resource("cloud_server").try_apply(config! { name = "panic" }).error();
    assert!(error.to_string().contains("The creation of cloud_server panicked"), "{error}");
}

#[test]
fn warnings_and_reads_mask_sensitive_values() {
    let harness = harness();
    let mut server = harness.resource("cloud_server");
    let applied = server.apply(config! { name = "a" });
    let read = server.refresh().warnings;
    let destroyed = server.try_destroy().error();
    let image = harness.data_source("cloud_image").try_read(config! { name = "a" }).error();
    expect![[r#"
        Logged in with (sensitive value) and (sensitive value)
        The password is (sensitive value)
        GET with (sensitive value)
        DELETE with (sensitive value): 401
        401 for (sensitive value)"#]]
    .assert_eq(&format!("{}\n{read}\n{destroyed}\n{image}", applied.warnings));
}
