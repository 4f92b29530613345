//! The start of the process: from `main` to the handshake line.
//!
//! 1. Check the definition of the plugin, and that Terraform has started the process (`TF_PLUGIN_MAGIC_COOKIE`) or that
//!    it runs with `--debug`.
//! 2. Capture stdout and stderr, and start the log.
//! 3. Negotiate the protocol version, open the listener, and create the certificate.
//! 4. Print the handshake line.
//! 5. Serve RPCs until Terraform requests the shutdown.
//!
//! If a step fails, the process prints a message and ends with exit code 1.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::{env, mem};

use ferroform_proto::tfplugin6::provider_server::{Provider, ProviderServer};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::environment::{Environment, Process};
use super::error::Error;
use super::executor::Executor;
use super::handshake;
use super::listen::Listener;
use super::log::{self, RequestSpans};
use super::mux::{self, Backend, Mux};
use super::protocol::{MAX_MESSAGE, Protocol};
use super::server::{Route, Router, Server};
use super::service::Service;
use super::service_context::{ExitTasks, ServiceContext};
use super::{debug, protocol_5, services, signals, standard_streams, tls};
use ferroform_engine::concurrency::stop::Stopper;
use ferroform_engine::panics;
use ferroform_engine::provider::LogMasks;

type CreateService = Box<dyn FnOnce(&ServiceContext) -> Route>;

/// Creates the service of one provider.
pub type CreateProvider = Box<dyn Fn(&ServiceContext) -> Service>;

/// One of the providers that are served as one.
pub enum CombinedProvider {
    /// A provider in this process.
    InProcess(CreateProvider),
    /// A provider binary, which runs as a child process.
    #[cfg(feature = "client")]
    Plugin(crate::client::PluginCommand),
}

impl CombinedProvider {
    fn backend(&self, protocol: Protocol, context: &ServiceContext) -> Backend {
        match self {
            CombinedProvider::InProcess(create) => {
                Backend::InProcess(service_route(create(context), protocol))
            }
            #[cfg(feature = "client")]
            CombinedProvider::Plugin(command) => {
                Backend::Child(super::mux::Child::new(command.clone(), protocol, context))
            }
        }
    }
}

/// The service in one version of the protocol.
pub(super) fn service_route<P: Provider>(service: P, protocol: Protocol) -> Route {
    let server = ProviderServer::new(service);
    let route =
        Route::new(server.max_decoding_message_size(MAX_MESSAGE).max_encoding_message_size(MAX_MESSAGE));
    match protocol {
        Protocol::V5 => protocol_5::route(route),
        Protocol::V6 => route,
    }
}

/// The provider that a process serves, with one or both protocols.
pub struct Plugin {
    address: String,
    protocols: Vec<(Protocol, CreateService)>,
    tcp: bool,
    log_masks: Box<dyn Fn() -> LogMasks>,
}

impl Plugin {
    /// A provider with this source address, such as `registry.terraform.io/hashicorp/local`.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            protocols: Vec::new(),
            tcp: false,
            log_masks: Box::new(LogMasks::default),
        }
    }

    /// Serves a protocol. The service is created only if this protocol is negotiated. Its RPCs have the names of protocol 6,
    /// and its schemas are messages of the served protocol.
    #[must_use]
    pub fn protocol<P: Provider>(
        mut self,
        protocol: Protocol,
        create: impl FnOnce(&ServiceContext) -> P + 'static,
    ) -> Self {
        let create = move |context: &ServiceContext| service_route(create(context), protocol);
        self.protocols.push((protocol, Box::new(create)));
        self
    }

    /// Serves several providers as one, with these protocol versions. Each provider has a name for error messages.
    #[must_use]
    pub fn combined(mut self, providers: Vec<(String, CombinedProvider)>, protocols: &[Protocol]) -> Self {
        let providers = Rc::new(providers);
        for protocol in protocols.iter().copied() {
            let providers = Rc::clone(&providers);
            let create = move |context: &ServiceContext| {
                let server = |(name, provider): &(String, CombinedProvider)| {
                    mux::Server::new(name.clone(), protocol, provider.backend(protocol, context))
                };
                Mux::new(protocol, providers.iter().map(server).collect()).route()
            };
            self.protocols.push((protocol, Box::new(create)));
        }
        self
    }

    /// Listens on a local port, even if Unix sockets are supported.
    #[must_use]
    pub fn tcp(mut self) -> Self {
        self.tcp = true;
        self
    }

    /// Masks log lines, in addition to the values of sensitive attributes. The masks are created only if a log level is set.
    #[must_use]
    pub fn log_masks(mut self, create: impl Fn() -> LogMasks + 'static) -> Self {
        self.log_masks = Box::new(create);
        self
    }

    fn check(&self) -> Result<(), Error> {
        let parts: Vec<&str> = self.address.split('/').collect();
        if parts.len() != 3 || parts.iter().any(|part| part.is_empty()) {
            let address = &self.address;
            return Err(Error::new(format!(
                "the address {address:?} is not of the form hostname/namespace/type"
            )));
        }
        if self.protocols.is_empty() {
            return Err(Error::new("the provider supports no protocol version"));
        }
        Ok(())
    }

    fn versions(&self) -> Vec<u16> {
        self.protocols.iter().map(|(protocol, _)| protocol.number()).collect()
    }
}

/// Serves the provider until Terraform ends the process. The `main` function of a provider returns the result.
///
/// If the process was not started by Terraform, it prints an explanation and fails. With `--debug`, it waits for
/// Terraform to reattach and prints the required environment variable; `--debug-env-file PATH` writes the variable
/// to a file as well.
pub fn serve(plugin: Plugin) -> ExitCode {
    let result = plugin.check().and_then(|()| {
        let arguments =
            Arguments::parse(env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()))?;
        if !arguments.debug && !handshake::is_plugin(&Process) {
            let directory =
                env::current_exe().ok().and_then(|path| Some(path.parent()?.display().to_string()));
            let directory = directory.as_deref().unwrap_or("/directory/of/this/executable");
            return Err(Error::new(handshake::explanation(&plugin.address, directory)));
        }
        // If the streams cannot be captured, the provider works as long as it writes nothing to them.
        let _captured = if arguments.debug { None } else { standard_streams::capture().ok() };
        panics::report_panics_to_terraform();
        let _flush = log::start(&plugin.address, &plugin.log_masks)?;
        let executor = Executor::new().map_err(Error::context("cannot start the server"))?;
        let prepare = prepare(plugin, &arguments, &Process, &executor);
        let server = executor.connections().block_on(prepare)?;
        executor.serve(server.run());
        Ok(())
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let message = error.to_string();
            if handshake::is_plugin(&Process) {
                // Terraform shows the user the line that it reads instead of the handshake line.
                let line = message.replace('\n', " ") + "\n";
                // `println!` would panic if the stream has no reader anymore.
                let _ = standard_streams::write_to_stdout(line.as_bytes());
            }
            let _ = writeln!(standard_streams::Stderr, "{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments {
    debug: bool,
    /// The file for the environment variable of debug mode.
    file: Option<PathBuf>,
}

impl Arguments {
    /// Parses the arguments. As in Go providers, options begin with one or two dashes. Unknown arguments are
    /// ignored.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Error> {
        let mut parsed = Self::default();
        while let Some(argument) = arguments.next() {
            let name = argument.trim_start_matches('-');
            if name.len() == argument.len() {
                continue;
            }
            match name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value))) {
                ("debug", None | Some("true")) => parsed.debug = true,
                ("debug-env-file", value) => {
                    let path = value.map(str::to_owned).or_else(|| arguments.next());
                    let path = path.filter(|path| !path.is_empty());
                    parsed.file =
                        Some(path.ok_or_else(|| Error::new("--debug-env-file needs a path"))?.into());
                    parsed.debug = true;
                }
                _ => {}
            }
        }
        Ok(parsed)
    }
}

/// Opens the socket and prints the handshake line.
async fn prepare(
    mut plugin: Plugin,
    arguments: &Arguments,
    environment: &dyn Environment,
    executor: &Executor,
) -> Result<Server, Error> {
    let versions = plugin.versions();
    let version = if arguments.debug {
        versions.into_iter().max().unwrap_or_default()
    } else {
        handshake::negotiate(&versions, environment)
    };
    let listener = Listener::open(plugin.tcp, arguments.debug, environment)?;
    let address = listener.address().clone();
    let shutdown = CancellationToken::new();
    let (tls, announcement) = if arguments.debug {
        signals::stop_when_interrupted(shutdown.clone())?;
        let value = debug::reattach_variable(&plugin.address, version, &address);
        if let Some(path) = &arguments.file {
            debug::write_file(path, &value)?;
        }
        (None, debug::instructions(&value))
    } else {
        signals::ignore_interrupts()?;
        let tls = environment.get("PLUGIN_CLIENT_CERT").map(|pem| tls::configure(&pem)).transpose()?;
        let certificate = tls.as_ref().map(|(_, certificate)| certificate.as_ref());
        let line = handshake::line(version, &address, certificate, environment);
        (tls.map(|(config, _)| TlsAcceptor::from(config)), line + "\n")
    };

    let create = mem::take(&mut plugin.protocols).into_iter().find(|(it, _)| it.number() == version);
    let (protocol, create) = create.ok_or_else(|| Error::new("the provider supports no protocol version"))?;
    let context = ServiceContext {
        stopper: Stopper::new(),
        protocol,
        executor: executor.clone(),
        exit_tasks: ExitTasks::default(),
        running: TaskTracker::new(),
    };
    let proto_version = format!("{}.11", protocol.number());
    let router = Router {
        provider: create(&context),
        others: services::all(&shutdown).await,
        executor: context.executor,
        stopper: context.stopper,
        requests: Arc::new(RequestSpans::new(plugin.address, proto_version)),
        running: context.running,
        exit_tasks: context.exit_tasks,
    };
    let terminated = CancellationToken::new();
    if !arguments.debug {
        signals::stop_when_terminated(router.stopper.clone(), terminated.clone(), shutdown.clone())?;
    }
    standard_streams::write_to_stdout(announcement.as_bytes())
        .map_err(Error::context("cannot print the handshake line"))?;
    Ok(Server { listener, tls, router, shutdown, terminated })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, String> {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned());
        Arguments::parse(arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn debug_arguments_are_parsed() {
        assert_eq!(parse(&[]), Ok(Arguments::default()));
        assert_eq!(parse(&["debug", "--other", "-debug=false"]), Ok(Arguments::default()));
        assert_eq!(parse(&["-debug"]), Ok(Arguments { debug: true, file: None }));
        let file = Ok(Arguments { debug: true, file: Some("x.env".into()) });
        assert_eq!(parse(&["--debug", "--debug-env-file", "x.env"]), file);
        assert_eq!(parse(&["--debug-env-file=x.env"]), file);
        assert_eq!(parse(&["--debug-env-file"]), Err("--debug-env-file needs a path".into()));
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for address in ["local", "a//b", "a/b/c/d", ""] {
            let error = Plugin::new(address).check().unwrap_err().to_string();
            assert!(error.ends_with("is not of the form hostname/namespace/type"), "{error}");
        }
        let error = Plugin::new("a/b/c").check().unwrap_err().to_string();
        assert_eq!(error, "the provider supports no protocol version");
    }
}
