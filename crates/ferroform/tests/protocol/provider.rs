//! The provider of the plugin process. The requests of each test determine its behavior.

use std::fs::File;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Barrier;
use std::{env, fmt, thread};

use ferroform::raw::LogMasks;
use ferroform_proto::{Message as _, tfplugin5, tfplugin6};
use ferroform_server::{self, Plugin, Protocol, Stopper};
use tfplugin6::{
    apply_resource_change, configure_provider, get_provider_schema, plan_resource_change, read_resource,
    stop_provider, upgrade_resource_state,
};
use tonic::codegen::async_trait;
use tonic::{Request, Response, Status};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{self, Layer};
use tracing_subscriber::prelude::*;

/// Environment variable of a plugin process: the protocols to serve.
pub(crate) const PROTOCOLS: &str = "TRANSPORT_TEST_PROTOCOLS";
/// Environment variable of a plugin process that installs its own subscriber: the file for the messages of this
/// program. Terraform's log lines go to the standard error stream.
pub(crate) const OWN_LOG: &str = "TRANSPORT_TEST_OWN_LOG";
/// Environment variable of a plugin process that listens on a TCP port.
pub(crate) const TCP: &str = "TRANSPORT_TEST_TCP";

pub(crate) const ADDRESS: &str = "registry.terraform.io/acme/big-cloud";

/// The number of RPCs that must be able to block at the same time: more than the asynchronous worker threads.
pub(crate) const BLOCKED_RPCS: usize = 12;

static MEETING: Barrier = Barrier::new(BLOCKED_RPCS);

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    let protocols = env::var(PROTOCOLS).ok()?;
    let mut plugin = Plugin::new(ADDRESS);
    if protocols.contains('5') {
        plugin = plugin.protocol(Protocol::V5, |_| Five);
    }
    if protocols.contains('6') {
        plugin = plugin.protocol(Protocol::V6, |context| Six(context.stopper.clone()));
    }
    if env::var_os(TCP).is_some() {
        plugin = plugin.tcp();
    }
    if let Some(path) = env::var_os(OWN_LOG) {
        let messages = Messages(File::create(path).unwrap());
        tracing_subscriber::registry()
            .with(messages)
            .with(ferroform_server::log::layer(ADDRESS, &LogMasks::default()))
            .init();
    }
    Some(ferroform_server::serve(plugin))
}

/// A layer of the provider, which writes the message of each event to a line of a file.
struct Messages(File);

impl<S: tracing::Subscriber> Layer<S> for Messages {
    fn on_event(&self, event: &tracing::Event<'_>, _: layer::Context<'_, S>) {
        struct Line<'a>(&'a File);
        impl Visit for Line<'_> {
            fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
                if field.name() == "message" {
                    writeln!(self.0, "{value:?}").unwrap();
                }
            }
        }
        if event.metadata().target().starts_with("protocol") {
            event.record(&mut Line(&self.0));
        }
    }
}

struct Five;

#[async_trait]
impl tfplugin6::provider_server::Provider for Five {
    async fn get_provider_schema(
        &self,
        _: Request<get_provider_schema::Request>,
    ) -> Result<Response<tfplugin6::get_provider_schema::Response>, Status> {
        let schema = tfplugin5::Schema { version: 5, block: None };
        let provider = schema.encode_to_vec().into();
        Ok(Response::new(tfplugin6::get_provider_schema::Response { provider, ..Default::default() }))
    }
}

struct Six(Stopper);

#[async_trait]
impl tfplugin6::provider_server::Provider for Six {
    async fn get_provider_schema(
        &self,
        _: Request<get_provider_schema::Request>,
    ) -> Result<Response<get_provider_schema::Response>, Status> {
        let schema = tfplugin6::Schema { version: 6, block: None };
        let provider = schema.encode_to_vec().into();
        Ok(Response::new(get_provider_schema::Response { provider, ..Default::default() }))
    }

    /// Panics in the way that the request names.
    async fn configure_provider(
        &self,
        request: Request<configure_provider::Request>,
    ) -> Result<Response<configure_provider::Response>, Status> {
        let behavior = request.into_inner().terraform_version;
        if behavior == "thread" {
            let _ = thread::spawn(|| panic!("not caught")).join();
        }
        assert_ne!(behavior, "raw", "no luck");
        Ok(Response::new(configure_provider::Response::default()))
    }

    /// Returns the prior state.
    async fn read_resource(
        &self,
        request: Request<read_resource::Request>,
    ) -> Result<Response<read_resource::Response>, Status> {
        let request = request.into_inner();
        ferroform_server::log::annotate("tf_resource_type", &request.type_name);
        tracing::info!(name = %request.type_name, "reading");
        let new_state = request.current_state;
        Ok(Response::new(read_resource::Response { new_state, ..Default::default() }))
    }

    /// Waits for the stop request, and prints its start and end to the standard error stream.
    async fn plan_resource_change(
        &self,
        _: Request<plan_resource_change::Request>,
    ) -> Result<Response<plan_resource_change::Response>, Status> {
        eprintln!("planning");
        self.0.token().cancelled().await;
        eprintln!("cancelled");
        Ok(Response::new(plan_resource_change::Response::default()))
    }

    /// Blocks its thread forever.
    async fn apply_resource_change(
        &self,
        _: Request<apply_resource_change::Request>,
    ) -> Result<Response<apply_resource_change::Response>, Status> {
        eprintln!("applying");
        loop {
            thread::park();
        }
    }

    /// Blocks its thread until `BLOCKED_RPCS` RPCs block.
    async fn upgrade_resource_state(
        &self,
        _: Request<upgrade_resource_state::Request>,
    ) -> Result<Response<upgrade_resource_state::Response>, Status> {
        MEETING.wait();
        Ok(Response::new(upgrade_resource_state::Response::default()))
    }

    async fn stop_provider(
        &self,
        _: Request<stop_provider::Request>,
    ) -> Result<Response<stop_provider::Response>, Status> {
        self.0.stop();
        Ok(Response::new(stop_provider::Response::default()))
    }
}
