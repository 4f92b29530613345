//! Cases about provider RPCs: the results of the Go framework for schemas and methods that are described as data.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "test code")]

mod defects;
mod leaves;
mod outcome;
pub mod rules;
pub mod schema;
mod schema_json;
mod thing;

use crate::common::{Case, ty, value};
use ferroform::schema::{Block, Schema};
use ferroform::value::Value;
use ferroform_engine::Kind;
use ferroform_engine::{ApplyRequest, ImportRequest, PlanRequest, ProviderServer, ReadRequest, RpcMetadata};
use serde_json::Value as Json;

use self::outcome::Outcome;
use self::thing::Thing;
use crate::test_provider::TestProvider;

const NAME: &str = "test_thing";
/// The prefix of the rule about a schema or a method that has no equivalent in Ferroform. Every other part of a case that
/// this adapter does not support is an error that begins with `unsupported: `, and fails.
const NOT_REPRESENTABLE: &str = "not representable: ";

#[test]
fn recorded_server_cases_pass() {
    crate::common::family_by("server", run, rules::applies, 15);
}

pub fn run(case: &Case) -> Result<(), String> {
    match run_case(case) {
        Ok(Some((outcome, block))) => outcome.check(&case.expected, &block),
        Ok(None) => Ok(()),
        Err(why) => Err(why),
    }
}

/// Returns the result of the RPC, or `None` if both sides reject the schema or the method before the call.
fn run_case(case: &Case) -> Result<Option<(Outcome, Block)>, String> {
    let it = &case.input;
    let is_rejected =
        case.expected["diagnostics"].as_array().unwrap().iter().any(|it| it["severity"] == "error");
    // Ferroform rejects such definitions before it runs them. The case passes if the Go framework rejects them too.
    if let Some(why) = thing::not_representable(it) {
        return if is_rejected { Ok(None) } else { Err(format!("{NOT_REPRESENTABLE}{why}")) };
    }
    let schema = match schema::schema(&it["schema"]) {
        Err(why) if is_rejected && why == schema::no_such_mode() => return Ok(None),
        it => it?,
    };
    let described = schema.clone();
    let behavior = it.get("behaviour").cloned().unwrap_or(Json::Null);
    let thing = Thing { hooks: schema::hooks(&it["schema"])?, schema, behavior };
    let server = ProviderServer::new(TestProvider::with_thing(thing));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let outcome = runtime.block_on(async {
        server.configure_provider(Value::Null, &RpcMetadata::default()).await;
        call(it, &server, &described).await
    })?;
    Ok(Some((outcome, described.block)))
}

async fn call(it: &Json, server: &ProviderServer, schema: &Schema) -> Result<Outcome, String> {
    let object = schema.block.ty();
    let at = |name: &str| it.get(name).and_then(|it| value(it, object)).filter(|it| !it.is_null());
    let type_name = NAME.to_owned();
    Ok(match it["rpc"].as_str().unwrap() {
        "plan" => {
            let request = PlanRequest {
                type_name,
                prior: at("prior"),
                is_destroy: at("proposed").is_none(),
                config: at("config"),
                prior_private: outcome::private_bytes(&it["prior_private"]),
                ..PlanRequest::default()
            };
            let response = server.plan_resource_change(request).await;
            let outcome = Outcome::new("planned", response.planned, response.diagnostics);
            outcome.private(response.private).replace(response.requires_replace)
        }
        "apply" => {
            let request = ApplyRequest {
                type_name,
                prior: at("prior"),
                planned: at("planned"),
                config: at("config"),
                planned_private: outcome::private_bytes(&it["planned_private"]),
                ..ApplyRequest::default()
            };
            let response = server.apply_resource_change(request).await;
            Outcome::new("state", response.state, response.diagnostics).private(response.private)
        }
        "read" => {
            let private = outcome::private_bytes(&it["prior_private"]);
            let response = server
                .read_resource(ReadRequest {
                    type_name,
                    state: at("state"),
                    private,
                    ..ReadRequest::default()
                })
                .await;
            Outcome::new("state", response.state, response.diagnostics).private(response.private)
        }
        "import" => {
            let id = it["id"].as_str().unwrap().into();
            let response = server
                .import_resource_state(ImportRequest { type_name, id, ..ImportRequest::default() })
                .await;
            Outcome::new("imported", response.state, response.diagnostics).private(response.private)
        }
        "upgrade" => {
            let version = it["version"].as_str().unwrap().parse().unwrap();
            let json = it["json"].as_str().unwrap_or_default();
            let (state, found) = server.upgrade_resource_state(NAME, version, json.as_bytes()).await;
            Outcome::new("state", state, found)
        }
        "validate" => {
            let allowed = it["write_only_allowed"].as_bool().unwrap_or(true);
            let config = at("config").unwrap_or(Value::Null);
            Outcome::new("", None, server.validate_config(Kind::Resource.named(NAME), config, allowed).await)
        }
        "schema" => Outcome::new("schema", None, server.definition_errors()).schema(schema),
        rpc => return Err(format!("unknown RPC: {rpc}")),
    })
}

/// Returns the value of a case as a value of the type that the case declares.
fn typed(it: &Json, of: &Json) -> Result<Value, String> {
    value(it, &ty(of)).ok_or_else(|| format!("{it} is not a value of the type {of}"))
}
