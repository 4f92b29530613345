//! One server behind the mux.

use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};

use super::grpc;
use super::rpcs::Rpc;
use crate::body::CompleteBody;
use crate::protocol::Protocol;
use crate::server::Route;

/// A server in this process.
pub(super) struct Server {
    /// The name in error messages.
    pub(super) name: String,
    protocol: Protocol,
    route: Route,
}

impl Server {
    pub(super) fn new(name: String, protocol: Protocol, route: Route) -> Server {
        Server { name, protocol, route }
    }

    /// Sends an RPC whose body contains one message or more.
    pub(super) async fn send(&self, rpc: &Rpc, body: Bytes) -> Result<http::Response<Body>, Status> {
        let name = rpc
            .name(self.protocol)
            .ok_or_else(|| Status::unimplemented("the protocol of the server has no such RPC"))?;
        let request = grpc::request(self.protocol, name, CompleteBody::new([body], None));
        let Ok(response) = self.route.call(request).await;
        Ok(response)
    }

    /// Sends a message, and returns the message of the response.
    pub(super) async fn unary(&self, rpc: &Rpc, message: &Bytes) -> Result<Bytes, Status> {
        let response = self.send(rpc, grpc::framed(message)).await?;
        if let Some(status) = Status::from_header_map(response.headers()) {
            return Err(status);
        }
        let (body, trailers) = CompleteBody::receive_all(response.into_body()).await?;
        match trailers.as_ref().and_then(Status::from_header_map) {
            Some(status) if status.code() != tonic::Code::Ok => Err(status),
            _ => grpc::first_message(&body),
        }
    }
}
