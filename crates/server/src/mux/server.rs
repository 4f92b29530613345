//! One server behind the mux.

use ferroform_engine::Kind;
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::ServerCapabilities;
use tokio::sync::OnceCell;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};
use tonic::{Code, Status};

#[cfg(feature = "client")]
use super::child::Child;
use super::config::{self, Names};
use super::{grpc, merge, protobuf};
use crate::body::CompleteBody;
use crate::protocol::Protocol;
use crate::provider_messages::FIELDS;
use crate::rpcs::{GET_PROVIDER_SCHEMA, Rpc};
use crate::server::Route;

/// A server of some types.
pub(crate) struct Server {
    /// The name in error messages.
    pub(super) name: String,
    /// The protocol that Terraform speaks with the mux.
    protocol: Protocol,
    backend: Backend,
    description: OnceCell<Description>,
}

/// Where the server runs.
pub(crate) enum Backend {
    /// In this process, with the protocol of the mux.
    InProcess(Route),
    /// In a process of its own, with either protocol.
    #[cfg(feature = "client")]
    Child(Child),
}

/// What the mux needs from the schema of a server.
pub(super) struct Description {
    pub(super) types: Vec<(Kind, Bytes)>,
    pub(super) capabilities: ServerCapabilities,
    /// The names in the configuration of the provider.
    pub(super) config_names: Names,
}

impl Server {
    pub(crate) fn new(name: String, protocol: Protocol, backend: Backend) -> Server {
        Server { name, protocol, backend, description: OnceCell::new() }
    }

    /// Sends an RPC whose body contains one message or more, and returns the response as it is.
    pub(super) async fn send(&self, rpc: &Rpc, body: Bytes) -> Result<http::Response<Body>, Status> {
        let request = |protocol| {
            let name = rpc.name(protocol).ok_or_else(|| {
                Status::unimplemented(format!("the protocol of {} does not have this RPC", self.name))
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
                .map_err(|reason| Status::internal(format!("{} cannot be served: {reason}", self.name)));
        }
        Ok(message)
    }

    /// The response to GetProviderSchema.
    pub(super) async fn schemas(&self) -> Result<Bytes, Status> {
        let response = self.unary(&GET_PROVIDER_SCHEMA, &Bytes::new()).await?;
        if !self.description.initialized() {
            // Another request may have set it in the meantime.
            let _ = self.description.set(Description::new(&response)?);
        }
        Ok(response)
    }

    /// The description. GetMetadata would be faster, but after it, `tf5muxserver` and `tf6muxserver` report all types as
    /// duplicates. Terraform does not use it.
    pub(super) async fn description(&self) -> Result<&Description, Status> {
        let find = async { Description::new(&self.unary(&GET_PROVIDER_SCHEMA, &Bytes::new()).await?) };
        self.description.get_or_try_init(|| find).await
    }

    /// True if the server runs in a process of its own. Some Go providers need a second for their schema.
    pub(super) fn is_child(&self) -> bool {
        !matches!(self.backend, Backend::InProcess(_))
    }
}

impl Description {
    /// The response to GetMetadata.
    pub(super) fn metadata(&self) -> Bytes {
        let mut message = protobuf::with_field(1, &self.capabilities.encode_to_vec());
        for (kind, name) in &self.types {
            let number = FIELDS.iter().find(|(it, ..)| it == kind).map_or(0, |(_, number, _)| *number);
            protobuf::put(&mut message, number, &protobuf::with_field(1, name));
        }
        message.into()
    }

    fn new(schemas: &Bytes) -> Result<Description, Status> {
        let capabilities = protobuf::find(schemas, 6)?.unwrap_or_default();
        Ok(Description {
            types: merge::types(schemas)?,
            capabilities: ServerCapabilities::decode(capabilities)
                .map_err(|error| Status::internal(error.to_string()))?,
            config_names: config::names(&protobuf::find(schemas, 1)?.unwrap_or_default())?,
        })
    }
}
