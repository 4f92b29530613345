//! Several servers as one provider: routes each RPC to the server of its type, and merges the RPCs about the provider.
//!
//! | RPC | servers |
//! |---|---|
//! | about a type, such as `PlanResourceChange` | the server of the type; the message is forwarded as it is |
//! | `GetProviderSchema`, `GetMetadata`, `GetFunctions`, … | all; the responses are merged |
//! | `ConfigureProvider` | one after the other, up to the first error |
//! | `ValidateProviderConfig`, `StopProvider` | all; errors are joined |
//!
//! A server runs in this process, or in a child process, which can be a provider of another language.

#[cfg(feature = "client")]
mod child;
mod config;
mod destroy;
mod grpc;
mod merge;
mod protobuf;
mod server;
mod translate;

use ferroform_engine::Kind;
use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::OnceCell;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};
use tonic::{Code, Status};

#[cfg(feature = "client")]
pub(super) use self::child::Child;
use self::config::Names;
pub(super) use self::server::{Backend, Server};
use crate::body::CompleteBody;
use crate::protocol::Protocol;
use crate::rpcs::{GET_METADATA, GET_PROVIDER_SCHEMA, PLAN_RESOURCE_CHANGE, Rpc, Target};
use crate::server::Route;

/// The servers of a provider, in the order in which the provider author lists them.
pub(super) struct Mux {
    protocol: Protocol,
    servers: Vec<Server>,
    owners: OnceCell<Owners>,
}

/// The server of each type, as its index.
type Owners = HashMap<(Kind, Bytes), usize>;

impl Mux {
    pub(super) fn new(protocol: Protocol, servers: Vec<Server>) -> Mux {
        Mux { protocol, servers, owners: OnceCell::new() }
    }

    /// The service of all servers.
    pub(super) fn route(self) -> Route {
        let mux = Arc::new(self);
        let name = mux.protocol.service();
        Route::with_name(name, move |request| {
            let mux = Arc::clone(&mux);
            Box::pin(async move { Ok(mux.call(request).await.unwrap_or_else(Status::into_http)) })
        })
    }

    async fn call(&self, request: http::Request<CompleteBody>) -> Result<http::Response<Body>, Status> {
        let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let rpc = Rpc::find(self.protocol, &name).ok_or_else(|| {
            Status::unimplemented(format!("{name} is not an RPC of protocol {}", self.protocol.number()))
        })?;
        let body = request.into_body().into_bytes()?;
        let message = grpc::first_message(&body)?;
        let (kind, type_name) = match rpc.target {
            Target::All => return Ok(grpc::response(self.merged(rpc, message).await?)),
            Target::Type(kind, field) => (kind, protobuf::find(&message, field)?),
            Target::StateUpload => {
                let meta = protobuf::find(&message, 1)?.unwrap_or_default();
                (Kind::StateStore, protobuf::find(&meta, 1)?)
            }
        };
        let server = self.owner(kind, type_name.unwrap_or_default()).await?;
        if rpc.name == PLAN_RESOURCE_CHANGE.name
            && let Some(planned) = destroy::planned(&message)?
            && !server.description().await?.capabilities.plan_destroy
        {
            return Ok(grpc::response(vec![planned]));
        }
        server.send(rpc, body).await
    }

    /// The only child process, if there is exactly one. It gets everything that no server in this process has, so its
    /// schema is not needed.
    fn only_child(&self) -> Option<&Server> {
        let mut children = self.servers.iter().filter(|it| it.is_child());
        children.next().filter(|_| children.next().is_none())
    }

    /// The server of a type. If no server has the type, the server that reports the error.
    async fn owner(&self, kind: Kind, name: Bytes) -> Result<&Server, Status> {
        let owner = self.owners().await?.get(&(kind, name)).and_then(|index| self.servers.get(*index));
        let owner = owner.or_else(|| self.only_child()).or_else(|| self.servers.first());
        owner.ok_or_else(|| Status::internal("the provider has no servers"))
    }

    /// The server of each type, except for the only child.
    async fn owners(&self) -> Result<&Owners, Status> {
        let find = async {
            let mut owners = Owners::new();
            let needs_children = self.only_child().is_none();
            for (index, server) in self.servers.iter().enumerate() {
                if server.is_child() && !needs_children {
                    continue;
                }
                for (kind, name) in &server.description().await?.types {
                    owners.entry((*kind, name.clone())).or_insert(index);
                }
            }
            Ok(owners)
        };
        self.owners.get_or_try_init(|| find).await
    }

    /// The merged response of all servers, in parts.
    async fn merged(&self, rpc: &Rpc, message: Bytes) -> Result<Vec<Bytes>, Status> {
        let config_field = match rpc.name {
            "ConfigureProvider" => Some(2),
            "ValidateProviderConfig" => Some(1),
            _ => None,
        };
        let mut responses = Vec::new();
        for server in &self.servers {
            let response = match rpc.name {
                name if name == GET_METADATA.name => server.description().await?.metadata(),
                name if name == GET_PROVIDER_SCHEMA.name => server.schemas().await?,
                _ => {
                    let request = match config_field {
                        Some(field) => self.with_config_of(server, &message, field).await?,
                        None => message.clone(),
                    };
                    match server.unary(rpc, &request).await {
                        // An old provider has nothing to merge, for example no functions.
                        Err(status) if status.code() == Code::Unimplemented => Bytes::new(),
                        response => response?,
                    }
                }
            };
            let is_last = rpc.name == "ConfigureProvider" && merge::has_error(&response, 1)?;
            responses.push((server.name.as_str(), response));
            if is_last {
                break;
            }
        }
        merge::responses(rpc, self.protocol, &message, responses)
    }

    /// The message with the part of the configuration that the server has in its schema.
    async fn with_config_of(&self, server: &Server, message: &Bytes, field: u64) -> Result<Bytes, Status> {
        if server.is_child() && self.only_child().is_some() {
            let mut others = Names::new();
            for other in self.servers.iter().filter(|it| !it.is_child()) {
                others.extend(other.description().await?.config_names.iter().cloned());
            }
            // One server has all attributes. If no server in this process has this one, the child is that server.
            if config::keys(message, field)?.iter().any(|key| !others.contains(key)) {
                return Ok(message.clone());
            }
        }
        config::project(message, field, &server.description().await?.config_names)
    }
}
