//! Starts plugins and connects to them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use base64::Engine as _;
use ferroform_proto::tfplugin6::provider_client::ProviderClient;
use ferroform_server::Protocol;
use ferroform_server::client::ProviderChannel;
use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::client::ResolvesClientCert;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tonic::body::Body;
use tonic::codegen::{Service, http};

use crate::Identity;

/// The environment variable with which Terraform identifies itself to a plugin.
const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The directory with the sockets of all tests. Plugins that are killed leave their sockets there.
pub fn sockets() -> PathBuf {
    std::env::temp_dir().join(format!("ff-{}", std::process::id()))
}

/// A directory for the sockets of one test.
pub struct Directory(PathBuf);

impl Directory {
    /// Creates an empty directory below the directory of all sockets.
    pub fn new(name: &str) -> Self {
        let path = sockets().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// True if the directory is empty.
    pub fn is_empty(&self) -> bool {
        std::fs::read_dir(&self.0).unwrap().next().is_none()
    }
}

/// The arguments and the environment of a plugin.
pub struct Setup {
    command: Command,
}

impl Setup {
    /// A program with an empty environment, except for the directory of its socket and what Windows needs for networking.
    pub fn of(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::var_os("SystemRoot").map(|it| ("SystemRoot", it)));
        command.env("PLUGIN_UNIX_SOCKET_DIR", sockets()).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command }
    }

    /// Adds the environment of Terraform without TLS.
    #[must_use]
    pub fn started_by_terraform(self) -> Self {
        self.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
    }

    /// Adds the environment of Terraform with this certificate.
    #[must_use]
    pub fn with_client_certificate(self, identity: &Identity) -> Self {
        self.started_by_terraform().env("PLUGIN_CLIENT_CERT", identity.pem())
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Starts the plugin.
    pub fn start(mut self) -> Plugin {
        let mut child = self.command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap()).lines();
        let stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        Plugin { child, stdout, stderr }
    }

    /// Starts the plugin and parses its handshake line.
    pub async fn start_and_handshake(self) -> (Plugin, Handshake) {
        let mut plugin = self.start();
        let line = plugin.stdout.next_line().await.unwrap();
        let Some(line) = line else { panic!("no handshake, but: {}", plugin.errors().await) };
        (plugin, Handshake::parse(&line))
    }

    /// Runs the plugin to its end. Returns the exit code, stdout and stderr.
    pub async fn output(mut self) -> (Option<i32>, String, String) {
        let output = self.command.output().await.unwrap();
        let string = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), string(output.stdout), string(output.stderr))
    }
}

/// A running plugin. It is killed when dropped.
pub struct Plugin {
    child: Child,
    /// The lines of its stdout.
    pub stdout: Lines<BufReader<ChildStdout>>,
    /// The lines of its stderr.
    pub stderr: Lines<BufReader<ChildStderr>>,
}

impl Plugin {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Kills the process.
    pub async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Sends a signal by its name.
    #[cfg(unix)]
    pub async fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().await.unwrap().success());
    }

    /// Returns the next line on stderr that contains this string.
    pub async fn wait_for_line(&mut self, part: &str) -> String {
        loop {
            let line =
                self.stderr.next_line().await.unwrap().unwrap_or_else(|| panic!("no line contains {part:?}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Returns the remaining lines on stderr after the process has ended.
    pub async fn errors(&mut self) -> String {
        let mut output = String::new();
        self.stderr.get_mut().read_to_string(&mut output).await.unwrap();
        output
    }

    /// Requests the shutdown, and waits for the end of the process.
    pub async fn end(&mut self, channel: Channel) -> ExitStatus {
        ferroform_proto::shutdown(channel, origin()).await.unwrap();
        timeout(Duration::from_secs(10), self.child.wait()).await.expect("it ends").unwrap()
    }

    /// Closes the standard streams, as Terraform does when it ends, and waits for the end of the process.
    pub async fn wait_without_streams(self) -> ExitStatus {
        let Plugin { mut child, stdout, stderr } = self;
        drop((stdout, stderr));
        child.wait().await.unwrap()
    }

    /// Waits for the end of the process.
    pub async fn wait(&mut self) -> ExitStatus {
        self.child.wait().await.unwrap()
    }
}

/// The parsed handshake line.
#[derive(Clone, Debug, PartialEq)]
pub struct Handshake {
    /// The version of the handshake.
    pub version: String,
    /// The protocol version.
    pub protocol: String,
    /// `unix` or `tcp`.
    pub network: String,
    /// The address.
    pub address: String,
    /// `grpc`.
    pub rpc: String,
    /// The server's certificate, in base64.
    pub certificate: String,
    /// Further fields.
    pub rest: Vec<String>,
}

impl Handshake {
    fn parse(line: &str) -> Self {
        let mut parts = line.split('|').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_else(|| panic!("not a handshake: {line}"));
        let (version, protocol, network, address) = (next(), next(), next(), next());
        let (rpc, certificate) = (next(), next());
        Self { version, protocol, network, address, rpc, certificate, rest: parts.collect() }
    }

    /// Opens a connection to the address.
    pub async fn dial(&self) -> Box<dyn Io> {
        match self.network.as_str() {
            #[cfg(unix)]
            "unix" => Box::new(tokio::net::UnixStream::connect(&self.address).await.unwrap()),
            _ => Box::new(TcpStream::connect(&self.address).await.unwrap()),
        }
    }

    /// Connects without TLS.
    pub async fn connect_without_tls(&self) -> Channel {
        Channel::over(self.dial().await).await.unwrap()
    }

    /// Connects with this certificate.
    pub async fn connect(&self, identity: &Identity) -> Channel {
        self.try_connect(Some(identity)).await.unwrap()
    }

    /// Connects with TLS and reads once, because a rejected client may find out only when it reads.
    pub async fn try_connect(&self, identity: Option<&Identity>) -> Result<Channel, BoxError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let der = base64::engine::general_purpose::STANDARD_NO_PAD.decode(&self.certificate)?;
        let verifier = ServerPin { certificate: der.into(), provider: Arc::clone(&provider) };
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match identity {
            Some(identity) => {
                config.with_client_cert_resolver(identity.resolver() as Arc<dyn ResolvesClientCert>)
            }
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        let name = ServerName::try_from("localhost")?;
        let stream = TlsConnector::from(Arc::new(config)).connect(name, self.dial().await).await?;
        Channel::over(Box::new(stream)).await
    }
}

/// A connection with or without TLS.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Accepts only the certificate of the handshake line, for `localhost`.
#[derive(Debug)]
struct ServerPin {
    certificate: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for ServerPin {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        assert_eq!(*end_entity, self.certificate);
        rustls::client::verify_server_name(&rustls::server::ParsedCertificate::try_from(end_entity)?, name)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        unreachable!("only TLS 1.3 is offered")
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// An HTTP/2 connection for the generated clients.
#[derive(Clone)]
pub struct Channel(SendRequest<Body>);

impl Channel {
    async fn over(stream: Box<dyn Io>) -> Result<Self, BoxError> {
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(16 << 20).initial_connection_window_size(64 << 20);
        let (sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
        tokio::spawn(async move { connection.await.ok() });
        Ok(Self(sender))
    }

    /// The provider's service in protocol 6.
    pub fn provider(&self) -> ProviderClient<Self> {
        let client = ProviderClient::with_origin(self.clone(), origin());
        client.max_decoding_message_size(256 << 20).max_encoding_message_size(256 << 20)
    }

    /// A client for the protocol 5 service, with the RPC names of protocol 6.
    pub fn provider_5(&self) -> ProviderClient<ProviderChannel<Self>> {
        ProviderClient::with_origin(ProviderChannel::new(self.clone(), Protocol::V5), origin())
    }
}

/// The server name in requests.
pub fn origin() -> http::Uri {
    http::Uri::from_static("http://localhost")
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
