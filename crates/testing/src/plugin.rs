//! Starts any provider binary as Terraform does, and calls its RPCs, for providers that are written in any language.
//!
//! [`PluginCommand::start`] performs the handshake with mutual TLS. [`Plugin`] then has a generated gRPC client for
//! each version of the protocol, with all of its RPCs. The messages are in [`tfplugin6`], and those that only
//! protocol 5 has are in [`tfplugin5`].
//!
//! ```no_run
//! use ferroform_testing::plugin::tfplugin6::{Schema, get_provider_schema};
//! use ferroform_testing::plugin::{Message as _, PluginCommand};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let plugin = PluginCommand::new("./terraform-provider-local").start().await?;
//! let request = get_provider_schema::Request {};
//! let response = plugin.protocol_6().get_provider_schema(request).await?.into_inner();
//! let file = Schema::decode(&*response.resource_schemas["local_file"])?;
//! println!("local_file has the schema version {}", file.version);
//! plugin.stop().await?;
//! # Ok(())
//! # }
//! ```

pub use ferroform_proto::{Bytes, Message, tfplugin5, tfplugin6};
pub use ferroform_server::Protocol;
pub use ferroform_server::client::{Channel, Plugin, PluginCommand, PluginError, PluginErrorKind};
