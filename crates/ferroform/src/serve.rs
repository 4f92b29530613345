//! A provider as a process.

use std::process::ExitCode;
use std::sync::Arc;

use tracing_subscriber::registry::LookupSpan;

use crate::Provider;
use ferroform_engine::ProviderServer;
use ferroform_server::log::BoxedLayer;
use ferroform_server::{Plugin, Protocol, Service};

use crate::raw::AnyProvider;
use crate::typed::TypedProvider;

/// A server for the provider `P`, not configured yet: what [`serve`] runs, for tests that call it in process.
pub fn server<P: Provider>() -> ProviderServer {
    ProviderServer::new(Arc::new(TypedProvider::<P>::new()))
}

/// Serves the provider `P` under protocol 6, until the host ends it: the whole of a provider's `main`.
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
/// Run by hand, the program explains itself and fails. With `--debug` it waits for a host that is told where
/// it is, so that it can run in a debugger.
///
/// Methods may block their thread and use tokio, also by synchronous clients: see
/// [Threads, blocking code and tokio](crate::guide::threading).
pub fn serve<P: Provider>() -> ExitCode {
    serve_protocols::<P>(&[Protocol::V6])
}

/// Serves the provider `P` under these protocols; the host takes the newest that it knows.
///
/// Nested attributes are an error under protocol 5: there they are blocks. So are blocks that the provider may write.
pub fn serve_protocols<P: Provider>(protocols: &[Protocol]) -> ExitCode {
    let plugin = protocols.iter().fold(Plugin::new(P::ADDRESS), |plugin, protocol| match protocol {
        Protocol::V5 => plugin.protocol5(|context| Service::new(server::<P>(), context)),
        Protocol::V6 => plugin.protocol6(|context| Service::new(server::<P>(), context)),
    });
    ferroform_server::serve(plugin)
}

/// The layer that writes the log lines of the provider `P` as Terraform reads them, for a provider that sends its
/// `tracing` events elsewhere too. `None` if nobody asks for logs; as a layer, `None` does nothing.
///
/// [`serve`] writes these lines by itself. It leaves a subscriber in place that was installed before, so a provider with
/// layers of its own installs the whole subscriber first:
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
///     let own = file.ok().map(|file| tracing_subscriber::fmt::layer().with_writer(file).with_filter(LevelFilter::WARN));
///     tracing_subscriber::registry().with(own).with(ferroform::log_layer::<Local, _>()).init();
///     ferroform::serve::<Local>()
/// }
/// ```
///
/// The standard output belongs to the handshake with Terraform: no layer may write there.
pub fn log_layer<P, S>() -> Option<BoxedLayer<S>>
where
    P: Provider,
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    ferroform_server::log::layer(P::ADDRESS)
}

/// Serves a provider that is made at run time: [`serve_protocols`] for those without a type.
pub fn serve_raw(provider: Arc<dyn AnyProvider>, protocols: &[Protocol]) -> ExitCode {
    let plugin = protocols.iter().fold(Plugin::new(provider.address()), |plugin, protocol| {
        let provider = provider.clone();
        match protocol {
            Protocol::V5 => plugin.protocol5(|context| Service::new(ProviderServer::new(provider), context)),
            Protocol::V6 => plugin.protocol6(|context| Service::new(ProviderServer::new(provider), context)),
        }
    });
    ferroform_server::serve(plugin)
}
