//! One server behind the mux.

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::ServerCapabilities;
use tokio::sync::OnceCell;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};
use tonic::{Code, Status};

#[cfg(feature = "client")]
use super::child::Child;
use super::config::{self, Names};
use super::rpcs::{GET_METADATA, GET_PROVIDER_SCHEMA, Kind, Rpc};
use super::{grpc, merge, protobuf};
use crate::body::CompleteBody;
use crate::protocol::Protocol;
use crate::server::Route;

/// A server of some types.
pub(crate) struct Server {
    /// The name in error messages.
    pub(super) name: String,
    /// The protocol that Terraform speaks with the mux.
    protocol: Protocol,
    backend: Backend,
    metadata: OnceCell<Metadata>,
    config_names: OnceCell<Names>,
}

/// Where the server runs.
pub(crate) enum Backend {
    /// In this process, with the protocol of the mux.
    InProcess(Route),
    /// In a process of its own, with either protocol.
    #[cfg(feature = "client")]
    Child(Child),
}

/// What a server reports about itself.
pub(super) struct Metadata {
    pub(super) types: Vec<(Kind, Bytes)>,
    pub(super) capabilities: ServerCapabilities,
}

impl Server {
    pub(crate) fn new(name: String, protocol: Protocol, backend: Backend) -> Server {
        Server { name, protocol, backend, metadata: OnceCell::new(), config_names: OnceCell::new() }
    }

    /// Sends an RPC whose body contains one message or more, and returns the response as it is.
    pub(super) async fn send(&self, rpc: &Rpc, body: Bytes) -> Result<http::Response<Body>, Status> {
        let request = |protocol| {
            let name = rpc.name(protocol).ok_or_else(|| {
                Status::unimplemented(format!("the protocol of {} has no such RPC", self.name))
            })?;
            Ok::<_, Status>(grpc::request(protocol, name, CompleteBody::new([body], None)))
        };
        match &self.backend {
            Backend::InProcess(route) => {
                let Ok(response) = route.call(request(self.protocol)?).await;
                Ok(response)
            }
            #[cfg(feature = "client")]
            Backend::Child(child) => child.send(&self.name, request).await,
        }
    }

    /// Sends a message, and returns the message of the response in the protocol of the mux.
    pub(super) async fn unary(&self, rpc: &Rpc, message: &Bytes) -> Result<Bytes, Status> {
        let response = self.send(rpc, grpc::framed(message)).await?;
        if let Some(status) = Status::from_header_map(response.headers()) {
            return Err(status);
        }
        let (body, trailers) = CompleteBody::receive_all(response.into_body()).await?;
        let message = match trailers.as_ref().and_then(Status::from_header_map) {
            Some(status) if status.code() != Code::Ok => return Err(status),
            _ => grpc::first_message(&body)?,
        };
        #[cfg(feature = "client")]
        if let Backend::Child(child) = &self.backend
            && rpc.name == GET_PROVIDER_SCHEMA.name
            && child.protocol(&self.name).await? != self.protocol
        {
            return super::translate::schemas(&message, self.protocol)
                .map_err(|it| Status::internal(format!("{} cannot be served: {}", self.name, it.reason())));
        }
        Ok(message)
    }

    /// The types and capabilities. Only a provider of an old library does not have the RPC for them; its schema contains
    /// them too.
    pub(super) async fn metadata(&self) -> Result<&Metadata, Status> {
        let find = async {
            match self.unary(&GET_METADATA, &Bytes::new()).await {
                Ok(response) => Metadata::new(merge::types(&response)?, protobuf::find(&response, 1)?),
                Err(status) if status.code() == Code::Unimplemented => {
                    let schemas = self.schemas().await?;
                    Metadata::new(merge::types_of_schemas(&schemas)?, protobuf::find(&schemas, 6)?)
                }
                Err(status) => Err(status),
            }
        };
        self.metadata.get_or_try_init(|| find).await
    }

    /// The names in the configuration of the provider.
    pub(super) async fn config_names(&self) -> Result<&Names, Status> {
        let find = async { config::names(&protobuf::find(&self.schemas().await?, 1)?.unwrap_or_default()) };
        self.config_names.get_or_try_init(|| find).await
    }

    /// The response to GetProviderSchema.
    async fn schemas(&self) -> Result<Bytes, Status> {
        self.unary(&GET_PROVIDER_SCHEMA, &Bytes::new()).await
    }
}

impl Metadata {
    fn new(types: Vec<(Kind, Bytes)>, capabilities: Option<Bytes>) -> Result<Metadata, Status> {
        let capabilities = ServerCapabilities::decode(capabilities.unwrap_or_default())
            .map_err(|error| Status::internal(error.to_string()))?;
        Ok(Metadata { types, capabilities })
    }
}
