//! Merges the responses of all servers.
//!
//! A type of two servers is an error that names both, as are attributes of the provider that differ:
//!
//! ```text
//! Invalid Provider Server Combination
//!
//! The resource type "cloud_server" is served by example.com/acme/cloud and by example.com/acme/legacy. …
//! ```

use std::collections::HashMap;

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{Diagnostic, ServerCapabilities, diagnostic::Severity};
use tonic::Status;
use tonic::codegen::Bytes;

use super::config;
use super::protobuf::{fields, find, put, with_field};
use super::rpcs::{Errors, Kind, Rpc};
use super::translate;
use crate::protocol::Protocol;

/// The types in a response to GetMetadata.
pub(super) fn types(metadata: &Bytes) -> Result<Vec<(Kind, Bytes)>, Status> {
    let mut types = Vec::new();
    for field in fields(metadata) {
        let field = field?;
        if let Some((kind, ..)) = Kind::ALL.iter().find(|(_, number, _)| *number == field.number) {
            types.push((*kind, find(&field.value, 1)?.unwrap_or_default()));
        }
    }
    Ok(types)
}

/// True if the diagnostics in a field of the message contain an error.
pub(super) fn has_error(message: &Bytes, number: u64) -> Result<bool, Status> {
    for field in fields(message) {
        let field = field?;
        if field.number != number {
            continue;
        }
        let diagnostic =
            Diagnostic::decode(field.value).map_err(|error| Status::internal(error.to_string()))?;
        if diagnostic.severity() != Severity::Warning {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The merged response, in parts. `request` is the message that Terraform has sent.
pub(super) fn responses(
    rpc: &Rpc,
    protocol: Protocol,
    request: &Bytes,
    all: Vec<(&str, Bytes)>,
) -> Result<Vec<Bytes>, Status> {
    match (rpc.name, rpc.errors) {
        ("GetProviderSchema", _) => schemas(protocol, &all),
        ("GetMetadata", _) => unique(rpc, 2, &all, &metadata_key),
        ("GetFunctions", _) => unique(rpc, 2, &all, &|number| (number == 1).then_some("function")),
        ("GetResourceIdentitySchemas", _) => {
            unique(rpc, 2, &all, &|number| (number == 1).then_some("resource type"))
        }
        ("ValidateProviderConfig", _) if protocol == Protocol::V5 => {
            // The first field is the prepared configuration, which the servers return as it is.
            let mut parts = without(1, &all)?;
            let config = find(request, 1)?.unwrap_or_default();
            parts.push(with_field(1, &config).into());
            Ok(parts)
        }
        (_, Errors::Text) => {
            let errors: Result<Vec<_>, Status> = all.iter().map(|(_, response)| find(response, 1)).collect();
            let errors: Vec<_> = errors?.into_iter().flatten().collect();
            Ok(vec![if errors.is_empty() {
                Bytes::new()
            } else {
                with_field(1, &errors.join(&b"; "[..])).into()
            }])
        }
        _ => Ok(all.into_iter().map(|(_, response)| response).collect()),
    }
}

fn metadata_key(number: u64) -> Option<&'static str> {
    Kind::ALL.iter().find(|(_, metadata, _)| *metadata == number).map(|(kind, ..)| kind.description())
}

fn without(number: u64, all: &[(&str, Bytes)]) -> Result<Vec<Bytes>, Status> {
    let mut parts = Vec::new();
    for (_, response) in all {
        for field in fields(response) {
            let field = field?;
            if field.number != number {
                parts.push(field.encoded);
            }
        }
    }
    Ok(parts)
}

/// The capabilities of the mux: it serves its own metadata, so it can be called without a request for the schema.
fn capabilities() -> Vec<u8> {
    let capabilities = ServerCapabilities {
        plan_destroy: true,
        get_provider_schema_optional: true,
        move_resource_state: true,
        generate_resource_config: true,
    };
    capabilities.encode_to_vec()
}

fn invalid_combination(detail: String) -> Vec<u8> {
    let diagnostic = Diagnostic {
        severity: Severity::Error.into(),
        summary: "Invalid Provider Server Combination".into(),
        detail: format!("{detail} This is a bug in the provider. Report it to the provider's developers."),
        attribute: None,
    };
    diagnostic.encode_to_vec()
}

/// Concatenates responses in which each name may occur only once. `describe` returns the kind of the names in a field.
fn unique(
    rpc: &Rpc,
    diagnostics: u64,
    all: &[(&str, Bytes)],
    describe: &dyn Fn(u64) -> Option<&'static str>,
) -> Result<Vec<Bytes>, Status> {
    let mut owners: HashMap<(u64, Bytes), &str> = HashMap::new();
    let (mut parts, mut errors) = (Vec::new(), Vec::new());
    for (server, response) in all {
        for field in fields(response) {
            let field = field?;
            if rpc.name == "GetMetadata" && field.number == 1 {
                continue;
            }
            if let Some(kind) = describe(field.number) {
                let name = find(&field.value, 1)?.unwrap_or_default();
                if let Some(other) = owners.insert((field.number, name.clone()), server) {
                    put(&mut errors, diagnostics, &served_twice(kind, &name, other, server));
                }
            }
            parts.push(field.encoded);
        }
    }
    if !errors.is_empty() {
        parts = vec![errors.into()];
    }
    if rpc.name == "GetMetadata" {
        parts.push(with_field(1, &capabilities()).into());
    }
    Ok(parts)
}

fn served_twice(kind: &str, name: &Bytes, first: &str, second: &str) -> Vec<u8> {
    let name = String::from_utf8_lossy(name);
    invalid_combination(format!("The {kind} \"{name}\" is served by {first} and by {second}."))
}

fn schemas(protocol: Protocol, all: &[(&str, Bytes)]) -> Result<Vec<Bytes>, Status> {
    let kind =
        |number| Kind::ALL.iter().find(|(.., schema)| *schema == number).map(|(kind, ..)| kind.description());
    let mut owners: HashMap<(u64, Bytes), &str> = HashMap::new();
    let (mut parts, mut errors) = (Vec::new(), Vec::new());
    let (mut providers, mut metas) = (Vec::new(), Vec::new());
    for (server, response) in all {
        for field in fields(response) {
            let field = field?;
            match field.number {
                1 => providers.push((*server, field.value)),
                5 => metas.push((*server, field.value)),
                6 => {}
                number => {
                    if let Some(kind) = kind(number) {
                        let name = find(&field.value, 1)?.unwrap_or_default();
                        if let Some(other) = owners.insert((number, name.clone()), server) {
                            put(&mut errors, 4, &served_twice(kind, &name, other, server));
                        }
                    }
                    parts.push(field.encoded);
                }
            }
        }
    }
    for (number, schemas) in [(1, providers), (5, metas)] {
        let mut comparable = Vec::new();
        for (_, schema) in &schemas {
            comparable.push(match protocol {
                Protocol::V6 => schema.clone(),
                Protocol::V5 => {
                    translate::schema(schema, Protocol::V6).map_err(|it| Status::internal(it.reason()))?
                }
            });
        }
        match config::widest(&comparable)? {
            Ok(widest) => {
                parts.extend(schemas.get(widest).map(|(_, schema)| Bytes::from(with_field(number, schema))));
            }
            Err(difference) => {
                let (server, widest) = (schemas[difference.schema].0, schemas[difference.widest].0);
                let detail = format!(
                    "The attribute or block \"{}\" in the provider schema of {server} differs from the provider \
                     schema of {widest}.",
                    difference.name
                );
                put(&mut errors, 4, &invalid_combination(detail));
            }
        }
    }
    if !errors.is_empty() {
        parts = vec![errors.into()];
    }
    parts.push(with_field(6, &capabilities()).into());
    Ok(parts)
}
