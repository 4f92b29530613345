//! The only RPC of the plugin library's services that a client calls.

use tonic::body::Body;
use tonic::client::{Grpc, GrpcService};
use tonic::codegen::http::Uri;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::codegen::{Body as HttpBody, Bytes, StdError};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use crate::plugin::Empty;

/// Calls `plugin.GRPCController/Shutdown`, which requests the end of the process.
///
/// # Errors
///
/// Returns an error if the connection ends before the response.
pub async fn shutdown<T>(channel: T, origin: Uri) -> Result<(), Status>
where
    T: GrpcService<Body, Error: Into<StdError>>,
    T::ResponseBody: HttpBody<Data = Bytes, Error: Into<StdError> + Send> + Send + 'static,
{
    let mut client = Grpc::with_origin(channel, origin);
    let unavailable = |error: T::Error| Status::unavailable(error.into().to_string());
    client.ready().await.map_err(unavailable)?;
    let path = PathAndQuery::from_static("/plugin.GRPCController/Shutdown");
    client.unary(Request::new(Empty {}), path, ProstCodec::<Empty, Empty>::default()).await?;
    Ok(())
}
