//! The validation of configurations by the provider.

use std::path::Path;

use ferroform_engine::{Diagnostic, Diagnostics, Kind};
use ferroform_proto::tfplugin6::attribute_path::step::Selector;
use ferroform_proto::tfplugin6::{
    self as wire, ClientCapabilities, DynamicValue, diagnostic, validate_action_config,
    validate_data_resource_config, validate_ephemeral_resource_config, validate_list_resource_config,
    validate_provider_config, validate_resource_config, validate_state_store_config,
};
use ferroform_server::client::{Plugin, PluginCommand};
use ferroform_value::{Step, Type, Value, msgpack};
use tokio::runtime::Runtime;

use crate::provider_schema::binary::with_directory;

/// A running provider.
pub(super) struct Provider {
    runtime: Runtime,
    plugin: Plugin,
}

impl Provider {
    /// Starts the provider. It is not configured.
    pub(super) fn start(binary: &Path) -> Result<Provider, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
        let command = PluginCommand::new(with_directory(binary)).on_log(|_| {});
        let plugin = runtime.block_on(command.start()).map_err(|it| it.to_string())?;
        Ok(Provider { runtime, plugin })
    }

    /// Ends the provider.
    pub(super) fn stop(self) {
        // The examples are validated, so an error at the end of the process does not matter.
        drop(self.runtime.block_on(self.plugin.stop()));
    }

    /// Validates the configuration of an object. A function has none.
    pub(super) fn validate(
        &mut self,
        kind: Kind,
        name: &str,
        value: Value,
        ty: &Type,
    ) -> Result<Diagnostics, String> {
        let bytes = msgpack::encode(&value, ty).map_err(|error| format!("cannot encode {name}: {error}"))?;
        let config = DynamicValue { msgpack: bytes.into(), ..DynamicValue::default() };
        let diagnostics = self.runtime.block_on(call(&self.plugin, kind, name, config));
        let diagnostics =
            diagnostics.map_err(|error| format!("the provider cannot validate {name}: {error}"))?;
        Ok(diagnostics.into_iter().map(diagnostic).collect())
    }
}

/// Calls the RPC of the kind.
async fn call(
    plugin: &Plugin,
    kind: Kind,
    name: &str,
    config: DynamicValue,
) -> Result<Vec<wire::Diagnostic>, String> {
    let (config, type_name) = (Some(config), name.to_owned());
    let client_capabilities =
        Some(ClientCapabilities { write_only_attributes_allowed: true, ..ClientCapabilities::default() });
    let mut client = plugin.client();
    // The responses of these RPCs have different types with the same field.
    macro_rules! call {
        ($rpc:ident, $request:expr) => {
            client.$rpc($request).await.map(|it| it.into_inner().diagnostics)
        };
    }
    let diagnostics = match kind {
        Kind::Provider => call!(validate_provider_config, validate_provider_config::Request { config }),
        Kind::Resource => call!(
            validate_resource_config,
            validate_resource_config::Request { type_name, config, client_capabilities }
        ),
        Kind::DataSource => {
            call!(validate_data_resource_config, validate_data_resource_config::Request { type_name, config })
        }
        Kind::EphemeralResource => call!(
            validate_ephemeral_resource_config,
            validate_ephemeral_resource_config::Request { type_name, config }
        ),
        Kind::ListResource => call!(
            validate_list_resource_config,
            validate_list_resource_config::Request {
                type_name,
                config,
                include_resource_object: None,
                limit: None
            }
        ),
        Kind::Action => {
            call!(validate_action_config, validate_action_config::Request { action_type: type_name, config })
        }
        Kind::StateStore => {
            call!(validate_state_store_config, validate_state_store_config::Request { type_name, config })
        }
        // They have no configuration that Terraform validates.
        Kind::Function | Kind::ProviderMeta => Ok(Vec::new()),
    };
    diagnostics.map_err(|status| status.to_string())
}

fn diagnostic(it: wire::Diagnostic) -> Diagnostic {
    let steps = it.attribute.map(|it| it.steps).unwrap_or_default();
    let step = |it: wire::attribute_path::Step| match it.selector? {
        Selector::AttributeName(name) => Some(Step::Attribute(name.into())),
        Selector::ElementKeyString(key) => Some(Step::Key(key.as_str().into())),
        Selector::ElementKeyInt(index) => Some(Step::Index(usize::try_from(index).ok()?)),
    };
    let is_warning = it.severity == i32::from(diagnostic::Severity::Warning);
    let create = if is_warning { Diagnostic::warning } else { Diagnostic::error };
    create(it.summary).detail(it.detail).at(steps.into_iter().map_while(step).collect())
}
