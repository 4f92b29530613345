//! The schemas of a workspace's providers, with which plans are printed.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ferroform::schema::Block;
use ferroform_engine::{Kind, ProviderServer};
use ferroform_server::client::decode_schemas;
use tokio::runtime;

use super::address::equal_addresses;
use crate::plugin::PluginCommand;
use crate::plugin::tfplugin6::get_provider_schema;

/// The schemas of a workspace's providers.
pub(crate) struct Schemas {
    /// The attached providers by their addresses.
    attached: BTreeMap<String, ProviderServer>,
    /// The provider binaries by their addresses.
    binaries: BTreeMap<String, Binary>,
}

/// A provider binary, and its schemas, which are loaded on first use.
struct Binary {
    program: PathBuf,
    schemas: OnceLock<BTreeMap<(Kind, String), Arc<Block>>>,
}

impl Schemas {
    pub(super) fn new(
        attached: BTreeMap<String, ProviderServer>,
        binaries: &BTreeMap<String, PathBuf>,
    ) -> Schemas {
        let binary = |(address, program): (&String, &PathBuf)| {
            (address.clone(), Binary { program: program.clone(), schemas: OnceLock::new() })
        };
        Schemas { attached, binaries: binaries.iter().map(binary).collect() }
    }

    /// Returns the schema of a resource or data source; `None` for a provider that Terraform contains.
    pub(crate) fn block(&self, provider: &str, kind: Kind, type_name: &str) -> Option<Arc<Block>> {
        // Terraform and OpenTofu use different registries for the same provider.
        equal_addresses(provider).iter().find_map(|address| {
            if let Some(server) = self.attached.get(address) {
                return server.block(kind.named(type_name)).ok().map(|it| Arc::new(it.clone()));
            }
            let binary = self.binaries.get(address)?;
            let schemas = binary.schemas.get_or_init(|| read_schemas(&binary.program));
            schemas.get(&(kind, type_name.to_owned())).cloned()
        })
    }
}

/// Starts the binary and reads the schemas of its resources and data sources. Returns none if it does not start, because a plan
/// can be printed without them.
fn read_schemas(program: &Path) -> BTreeMap<(Kind, String), Arc<Block>> {
    let read = async {
        let plugin = PluginCommand::new(program).on_log(|_| {}).start().await.ok()?;
        let response = plugin.client().get_provider_schema(get_provider_schema::Request {}).await;
        let protocol = plugin.protocol();
        // The schemas are complete, so an error while stopping the plugin does not matter.
        let _ = plugin.stop().await;
        let mut response = response.ok()?.into_inner();
        let kinds = [Kind::Resource, Kind::DataSource].into_iter();
        let schemas = kinds.flat_map(|kind| {
            let schemas = decode_schemas(protocol, &mut response, kind);
            schemas.into_iter().map(move |(name, schema)| ((kind, name), schema))
        });
        Some(schemas.filter_map(|(key, schema)| Some((key, Arc::new(schema.ok()?.block)))).collect())
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.ok().and_then(|it| it.block_on(read)).unwrap_or_default()
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schemas")
            .field("attached", &self.attached.keys())
            .field("binaries", &self.binaries.keys())
            .finish_non_exhaustive()
    }
}
