//! Starts any provider binary as Terraform does, and calls its RPCs, for providers that are written in any language.
//!
//! [`PluginCommand::start`] performs the handshake with mutual TLS. [`Plugin::client`] returns a generated gRPC client
//! with all RPCs, for both protocols. The messages are in [`tfplugin6`], and the schemas of protocol 5 in [`tfplugin5`].
//!
//! ```no_run
//! use ferroform_testing::plugin::tfplugin6::{Schema, get_provider_schema};
//! use ferroform_testing::plugin::{Message as _, PluginCommand};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let plugin = PluginCommand::new("./terraform-provider-local").start().await?;
//! let request = get_provider_schema::Request {};
//! let response = plugin.client().get_provider_schema(request).await?.into_inner();
//! // A provider with protocol 5 would return a `tfplugin5::Schema`.
//! let file = Schema::decode(&*response.resource_schemas["local_file"])?;
//! println!("local_file has the schema version {}", file.version);
//! plugin.stop().await?;
//! # Ok(())
//! # }
//! ```

pub use ferroform_proto::{Bytes, Message, tfplugin5, tfplugin6};
pub use ferroform_server::Protocol;
pub use ferroform_server::client::{
    Channel, Plugin, PluginCommand, PluginError, PluginErrorKind, ProviderChannel,
};
