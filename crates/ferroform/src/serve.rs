//! The provider as a plugin process.

use std::process::ExitCode;
use std::sync::Arc;

use tracing_subscriber::registry::LookupSpan;

use crate::{Provider, Registry};
use ferroform_engine::ProviderServer;
use ferroform_server::log::BoxedLayer;
use ferroform_server::{Plugin, Protocol, Service};

use crate::raw::{AnyProvider, LogMasks};

/// The server of the provider `P`, not configured yet, for tests that call RPCs in process. To test a provider, use
/// `ferroform-testing` instead.
#[must_use]
#[doc(hidden)]
pub fn server<P: Provider>() -> ProviderServer {
    ProviderServer::new(crate::provider::typed::<P>())
}

/// Serves the provider `P` with protocol 6, until Terraform ends the process: the `main` function of a provider.
///
/// ```no_run
/// # use ferroform::{Config, Known, Maybe, Provider, Registry, RequestCx, Result};
/// # struct Local;
/// # impl Provider for Local {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/local";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Local)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// fn main() -> std::process::ExitCode {
///     ferroform::serve::<Local>()
/// }
/// ```
///
/// If the executable is run directly, it prints an explanation and fails. With `--debug`, it prints the
/// environment variable with which Terraform connects to it, so that it can run in a debugger.
///
/// Methods may block their thread and use tokio, including synchronous clients: see
/// [Threading](crate::guide::threading).
#[must_use = "return the exit code from `main`"]
pub fn serve<P: Provider>() -> ExitCode {
    serve_protocols::<P>(&[Protocol::V6])
}

/// Serves the provider `P` with these protocol versions. Terraform chooses the newest that it supports.
///
/// Protocol 5 does not support nested attributes and computed blocks: with it, a schema that has them is an error.
///
/// ```no_run
/// use ferroform::Protocol;
/// # use ferroform::{Config, Known, Maybe, Provider, Registry, RequestCx, Result};
/// # struct Local;
/// # impl Provider for Local {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/local";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Local)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
///
/// fn main() -> std::process::ExitCode {
///     ferroform::serve_protocols::<Local>(&[Protocol::V5, Protocol::V6])
/// }
/// ```
#[must_use = "return the exit code from `main`"]
pub fn serve_protocols<P: Provider>(protocols: &[Protocol]) -> ExitCode {
    let plugin = Plugin::new(P::ADDRESS).log_masks(log_masks::<P>);
    let plugin = protocols.iter().fold(plugin, |plugin, protocol| {
        plugin.protocol(*protocol, |context| Service::new(server::<P>(), context))
    });
    ferroform_server::serve(plugin)
}

/// The `tracing` layer that writes log lines in Terraform's format, for a provider that installs a subscriber with
/// layers of its own. `None` if logging is off; as a layer, `None` does nothing.
///
/// [`serve`] installs this layer, unless the provider has installed a subscriber before:
///
/// ```no_run
/// # use ferroform::{Config, Known, Maybe, Provider, Registry, RequestCx, Result};
/// # struct Local;
/// # impl Provider for Local {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/local";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Local)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// use tracing::level_filters::LevelFilter;
/// use tracing_subscriber::prelude::*;
///
/// fn main() -> std::process::ExitCode {
///     let file = std::fs::File::options().append(true).create(true).open("/var/log/local-provider.log");
///     let file_layer = file.ok().map(|file| tracing_subscriber::fmt::layer().with_writer(file).with_filter(LevelFilter::WARN));
///     tracing_subscriber::registry().with(file_layer).with(ferroform::log_layer::<Local, _>()).init();
///     ferroform::serve::<Local>()
/// }
/// ```
///
/// No layer may write to the standard output, which is reserved for the handshake with Terraform.
pub fn log_layer<P, S>() -> Option<BoxedLayer<S>>
where
    P: Provider,
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    ferroform_server::log::layer(P::ADDRESS, &log_masks::<P>())
}

/// The masks of log lines that the provider registers.
pub(crate) fn log_masks<P: Provider>() -> LogMasks {
    let mut registry = Registry::<P>::new();
    P::register(&mut registry);
    registry.log_masks
}

/// Serves a provider that is built at run time: [`serve_protocols`] for an implementation of [`AnyProvider`].
#[must_use = "return the exit code from `main`"]
pub fn serve_raw(provider: Arc<dyn AnyProvider>, protocols: &[Protocol]) -> ExitCode {
    let masked = provider.clone();
    let plugin = Plugin::new(provider.address()).log_masks(move || masked.log_masks());
    let plugin = protocols.iter().fold(plugin, |plugin, protocol| {
        let provider = provider.clone();
        plugin.protocol(*protocol, |context| Service::new(ProviderServer::new(provider), context))
    });
    ferroform_server::serve(plugin)
}
