//! An HTTP/2 connection to a plugin.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::body::Body;
use tonic::codegen::{Service, http};

use super::error::{PluginError, PluginErrorKind};
use super::handshake::{Address, Handshake};
use super::tls::Identity;
use crate::listen::Stream;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

// States can be large, and the plugin runs on the same machine, so the HTTP/2 windows are large.
const STREAM_WINDOW: u32 = 16 << 20;
const CONNECTION_WINDOW: u32 = 64 << 20;

/// A connection to a plugin, for the generated gRPC clients of `ferroform_proto`. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Channel(SendRequest<Body>);

impl Channel {
    /// Connects to the address of the handshake.
    pub(super) async fn connect(handshake: Handshake, identity: Identity) -> Result<Channel, PluginError> {
        let connection = async {
            let certificate = handshake.certificate.ok_or("the plugin offers no certificate for TLS")?;
            let stream = dial(&handshake.address).await?;
            let tls = TlsConnector::from(Arc::new(identity.connect_to(certificate)?));
            Channel::over(Box::new(tls.connect(ServerName::try_from("localhost")?, stream).await?)).await
        };
        let message = "cannot connect to the plugin";
        connection.await.map_err(PluginError::context(PluginErrorKind::Connection, message))
    }

    async fn over(stream: Stream) -> Result<Channel, BoxError> {
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(STREAM_WINDOW).initial_connection_window_size(CONNECTION_WINDOW);
        let (sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(target: "sdk", %error, "the connection to a plugin was closed with an error");
            }
        });
        Ok(Channel(sender))
    }
}

/// Opens the connection without TLS.
async fn dial(address: &Address) -> std::io::Result<Stream> {
    match address {
        Address::Tcp(address) => Ok(Box::new(TcpStream::connect(address).await?)),
        #[cfg(unix)]
        Address::Unix(path) => Ok(Box::new(tokio::net::UnixStream::connect(path).await?)),
        #[cfg(not(unix))]
        Address::Unix(_) => Err(std::io::ErrorKind::Unsupported.into()),
    }
}

impl Service<http::Request<Body>> for Channel {
    type Response = http::Response<Incoming>;
    type Error = hyper::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, hyper::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), hyper::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(self.0.send_request(request))
    }
}
