//! The certificates that servers present.

use std::error::Error;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use ferroform::{Context as _, Diagnostic, Known, Result};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{HOST, LOCATION};
use hyper::rt::{Read, Write};
use hyper::{Method, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Intercept;
use rustls::ClientConfig;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tower_service::Service;
use url::Url;

use crate::Tls;
use crate::proxy::ProxySelector;

/// The certificate chain of a server, starting with the server certificate.
type Certificates = Vec<CertificateDer<'static>>;

/// The number of requests after which the provider stops following redirects, as in Go.
const MAX_REQUESTS: usize = 10;

/// Opens a TLS connection and returns the certificates that the server presents.
pub(crate) async fn tls(url: &Url, verify: bool) -> Result<Certificates> {
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let uri = Uri::try_from(format!("https://{authority}"))?;
    let connection = connect(create_http_connector(), uri, verify).await;
    let (certificates, _) = connection.context(failure(url, None))?;
    Ok(certificates)
}

/// Sends an HTTP request, follows redirects and returns the certificates of the last server.
pub(crate) async fn https(url: Url, verify: bool, provider: &Tls) -> Result<Certificates> {
    let Known(proxy) = &provider.proxy else {
        let detail = "The \"proxy\" block of the provider configuration is known only after apply.";
        return Err(Diagnostic::error("Unknown Proxy").detail(detail).into());
    };
    match follow_redirects(Method::HEAD, url.clone(), verify, proxy).await {
        Ok(certificates) => Ok(certificates),
        // Some servers do not support HEAD.
        Err(_) => follow_redirects(Method::GET, url, verify, proxy).await,
    }
}

async fn follow_redirects(
    method: Method,
    mut url: Url,
    verify: bool,
    proxy: &ProxySelector,
) -> Result<Certificates> {
    for _ in 0..MAX_REQUESTS {
        if url.scheme() != "https" {
            let error = format!("the server redirected to {url}, which does not use HTTPS");
            return Err(Diagnostic::error(error).into());
        }
        let (certificates, response) = send_request(&method, &url, verify, proxy).await?;
        let location = response.headers().get(LOCATION).filter(|_| is_redirect(response.status().as_u16()));
        let Some(location) = location else { return Ok(certificates) };
        url = url.join(location.to_str()?)?;
    }
    Err(Diagnostic::error(format!("stopped after {MAX_REQUESTS} redirects")).into())
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Sends a request, through the configured proxy if there is one.
async fn send_request(
    method: &Method,
    url: &Url,
    verify: bool,
    proxy: &ProxySelector,
) -> Result<(Certificates, Response<Incoming>)> {
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let uri = Uri::try_from(format!(
        "https://{authority}{}",
        &url[url::Position::BeforePath..url::Position::AfterQuery]
    ))?;
    let path = uri.path_and_query().map_or("/", |it| it.as_str());
    let request =
        Request::builder().method(method).uri(path).header(HOST, authority).body(Empty::<Bytes>::new())?;
    let proxy = proxy.select(url, &uri);
    let failure = failure(url, proxy.as_ref());
    let response = match proxy {
        None => exchange(create_http_connector(), uri, verify, request).await,
        Some(proxy) if proxy.uri().scheme_str().is_some_and(|it| it.starts_with("socks5")) => {
            let connector = SocksV5::new(proxy.uri().clone(), create_http_connector());
            let connector = match proxy.raw_auth() {
                Some((user, password)) => connector.with_auth(user.to_owned(), password.to_owned()),
                None => connector,
            };
            exchange(connector, uri, verify, request).await
        }
        Some(proxy) => exchange(create_tunnel(&proxy)?, uri, verify, request).await,
    };
    response.context(failure)
}

/// The beginning of the error of a request, which names the server and the proxy, without the credentials for the proxy.
fn failure(url: &Url, proxy: Option<&Intercept>) -> String {
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
    let via = proxy.and_then(|it| it.uri().authority()).map(|it| format!(" through the proxy {it}"));
    format!("the request to {host}:{port}{} failed", via.unwrap_or_default())
}

/// Creates a connector that uses an HTTP proxy. The certificate of an HTTPS proxy is always verified.
fn create_tunnel(proxy: &Intercept) -> Result<Tunnel<HttpsConnector<HttpConnector>>> {
    let connector = HttpsConnector::from((create_http_connector(), create_tls_config(true)?));
    let tunnel = Tunnel::new(proxy.uri().clone(), connector);
    Ok(match proxy.basic_auth() {
        Some(header) => tunnel.with_auth(header.clone()),
        None => tunnel,
    })
}

fn create_http_connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector
}

async fn exchange<C>(
    connector: C,
    uri: Uri,
    verify: bool,
    request: Request<Empty<Bytes>>,
) -> Result<(Certificates, Response<Incoming>)>
where
    C: Service<Uri, Response: Connection + Read + Write + Send + Unpin, Future: Send, Error: Into<BoxError>>
        + Send
        + 'static,
{
    let (certificates, stream) = connect(connector, uri, verify).await?;
    let (mut sender, connection) = http1::handshake(stream).await?;
    let mut response = pin!(sender.send_request(request));
    let response = tokio::select! {
        response = &mut response => response?,
        ended = connection => {
            ended?;
            response.await?
        }
    };
    Ok((certificates, response))
}

type BoxError = Box<dyn Error + Send + Sync>;

/// Opens a TLS connection.
async fn connect<C>(
    connector: C,
    uri: Uri,
    verify: bool,
) -> Result<(Certificates, MaybeHttpsStream<C::Response>)>
where
    C: Service<Uri, Response: Connection + Read + Write + Send + Unpin, Future: Send, Error: Into<BoxError>>
        + Send
        + 'static,
{
    let mut connector = HttpsConnector::from((connector, create_tls_config(verify)?));
    poll_fn(|cx| connector.poll_ready(cx)).await.map_err(connection_error)?;
    let stream = connector.call(uri).await.map_err(connection_error)?;
    let certificates = match &stream {
        MaybeHttpsStream::Https(stream) => stream.inner().get_ref().1.peer_certificates(),
        MaybeHttpsStream::Http(_) => None,
    };
    let certificates = certificates.context("the server presented no certificates")?.to_vec();
    let certificates = certificates.into_iter().map(CertificateDer::into_owned).collect();
    Ok((certificates, stream))
}

/// Converts an error to a diagnostic with the messages of the error and of its sources.
fn connection_error(error: BoxError) -> Diagnostic {
    let mut messages = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        messages.push(error.to_string());
        cause = error.source();
    }
    messages.dedup();
    Diagnostic::error(messages.join(": "))
}

fn create_tls_config(verify: bool) -> Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    let builder = match verify {
        true => builder.with_platform_verifier()?,
        false => builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
    };
    Ok(builder.with_no_client_auth())
}

/// Accepts every certificate, but verifies that the server has the private key.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
