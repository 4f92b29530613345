//! The schema of a provider binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use ferroform_engine::{Definition, Kind};
use ferroform_proto::tfplugin6::get_provider_schema::{Request, Response};
use ferroform_proto::tfplugin6::{
    Diagnostic, ResourceIdentitySchema, diagnostic, get_resource_identity_schemas,
};
use ferroform_server::Protocol;
use ferroform_server::client::{
    PluginCommand, decode_function, decode_identity, decode_schema, decode_schemas,
};

use super::{ProviderSchema, by_name};

/// The gRPC status code of an RPC that the provider does not implement.
const UNIMPLEMENTED: i32 = 12;

/// Starts the provider and reads its schema.
pub(crate) fn of_binary(binary: &Path) -> Result<ProviderSchema, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    runtime.block_on(async {
        // Log lines of the provider are not part of the output of the command.
        let plugin = PluginCommand::new(with_directory(binary))
            .on_log(|_| {})
            .start()
            .await
            .map_err(|it| it.to_string())?;
        let protocol = plugin.protocol();
        let identity_request = get_resource_identity_schemas::Request {};
        let mut client = plugin.client();
        let response = client.get_provider_schema(Request {}).await;
        let identities = client.get_resource_identity_schemas(identity_request).await;
        // The responses are complete, so an error at the end of the process does not matter.
        drop(plugin.stop().await);
        let mut response =
            response.map_err(|it| format!("the provider returned no schema: {it}"))?.into_inner();
        error_of(&response.diagnostics)?;
        let identities = match identities {
            Ok(identities) => {
                let identities = identities.into_inner();
                error_of(&identities.diagnostics)?;
                identities.identity_schemas
            }
            Err(status) if i32::from(status.code()) == UNIMPLEMENTED => BTreeMap::new(),
            Err(status) => return Err(format!("the provider returned no identity schemas: {status}")),
        };
        decode(&mut response, &identities, protocol)
    })
}

/// Decodes all schemas.
fn decode(
    response: &mut Response,
    identities: &BTreeMap<String, ResourceIdentitySchema>,
    protocol: Protocol,
) -> Result<ProviderSchema, String> {
    let decode_all = |kind: &Kind| {
        let all = decode_schemas(protocol, response, *kind).into_iter().map(|(name, schema)| {
            let schema = schema.map_err(|error| format!("{} {name}: {error}", kind.noun()))?;
            Ok((name, schema))
        });
        Ok::<_, String>((*kind, all.collect::<Result<_, String>>()?))
    };
    let objects = Definition::KINDS.iter().map(decode_all).collect::<Result<_, _>>()?;
    Ok(ProviderSchema {
        provider: decode_schema(protocol, &response.provider)
            .map_err(|error| format!("provider: {error}"))?,
        objects,
        functions: by_name("function", &response.functions, |it| decode_function(it.clone()))?,
        identities: by_name("resource identity", identities, |it| decode_identity(it.clone()))?,
    })
}

/// Returns the path of a binary with a directory. A name alone would be searched for in the directories of `PATH`.
pub(crate) fn with_directory(binary: &Path) -> Cow<'_, Path> {
    match binary.parent() {
        Some(directory) if directory.as_os_str().is_empty() => Cow::Owned(Path::new(".").join(binary)),
        _ => Cow::Borrowed(binary),
    }
}

/// Returns the first error of a response.
fn error_of(diagnostics: &[Diagnostic]) -> Result<(), String> {
    let is_error = |it: &&Diagnostic| it.severity == i32::from(diagnostic::Severity::Error);
    match diagnostics.iter().find(is_error) {
        Some(error) => Err(format!("the provider returned an error: {}\n\n{}", error.summary, error.detail)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ferroform_proto::tfplugin6::schema::nested_block::NestingMode;
    use ferroform_proto::{Message as _, tfplugin5};

    use super::*;

    /// In protocol 5, the fields after `deprecated` have other numbers.
    #[test]
    fn schemas_of_protocol_5_are_converted() {
        let token = tfplugin5::schema::Attribute {
            name: "token".to_owned(),
            r#type: "\"string\"".into(),
            optional: true,
            deprecated: true,
            write_only: true,
            deprecation_message: "Use `key`.".to_owned(),
            ..Default::default()
        };
        let inside = tfplugin5::schema::Block { attributes: vec![token], ..Default::default() };
        let login = tfplugin5::schema::NestedBlock {
            type_name: "login".to_owned(),
            block: Some(inside),
            nesting: NestingMode::List.into(),
            max_items: 1,
            ..Default::default()
        };
        let outside = tfplugin5::schema::Block { block_types: vec![login], ..Default::default() };
        let bytes = tfplugin5::Schema { version: 1, block: Some(outside) }.encode_to_vec();
        let mut response = Response { provider: bytes.into(), ..Response::default() };
        let schemas = decode(&mut response, &BTreeMap::new(), Protocol::V5).unwrap();
        expect_test::expect![[r#"

            ### Optional

            > **NOTE**: Write-only arguments require Terraform 1.11 or later, or OpenTofu 1.11 or later.

            - `login` (Block List, Max: 1) See [the nested schema](#nestedblock--login).

            <a id="nestedblock--login"></a>
            ### Nested Schema for `login`

            Optional:

            - `token` (String, Deprecated, [Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)) **Deprecated:** Use `key`.
        "#]]
        .assert_eq(&crate::docs::markdown::schema(&schemas.provider.block));
    }
}
