//! Servers on this machine: one that speaks TLS, and proxies.

#![allow(clippy::unwrap_used, reason = "test code")]

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A server that runs until the test ends.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    /// The first lines of requests, and the credentials that a proxy has received.
    pub(super) requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// The first argument of `handle` logs a request. It must do so before it responds, because the test reads the log.
    fn start(handle: impl Fn(&dyn Fn(String), TcpStream) -> io::Result<()> + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        let log = move |it| log.lock().unwrap().push(it);
        thread::spawn(move || {
            for stream in listener.incoming() {
                // A client that rejects the certificate closes the connection, which is an error here.
                let _ = handle(&log, stream.unwrap());
            }
        });
        Server { address, requests }
    }

    /// A TLS server with a response for each request, such as `HEAD /a`; it closes the connection otherwise.
    pub(super) fn tls(chain: &str, key: &str, respond: fn(&str) -> Option<String>) -> Server {
        let chain = CertificateDer::pem_slice_iter(chain.as_bytes()).collect::<Result<_, _>>().unwrap();
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap());
        Server::start(move |log, stream| {
            let connection = ServerConnection::new(Arc::clone(&config)).map_err(io::Error::other)?;
            let mut stream = StreamOwned::new(connection, stream);
            let request = head(&mut stream)?.remove(0);
            let request = request.trim_end_matches(" HTTP/1.1").to_owned();
            log(request.clone());
            if let Some(response) = respond(&request) {
                write!(stream, "HTTP/1.1 {response}\r\ncontent-length: 0\r\n\r\n")?;
                stream.conn.send_close_notify();
                stream.flush()?;
            }
            Ok(())
        })
    }

    /// An HTTP proxy that connects every tunnel to one server.
    pub(super) fn http_proxy(target: SocketAddr) -> Server {
        Server::start(move |log, mut client| {
            let is_logged =
                |it: &String| it.starts_with("CONNECT ") || it.to_lowercase().starts_with("proxy-auth");
            head(&mut client)?.into_iter().filter(is_logged).for_each(log);
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
            forward(client, target)
        })
    }

    /// A SOCKS5 proxy that connects every connection to one server.
    pub(super) fn socks_proxy(target: SocketAddr) -> Server {
        Server::start(move |log, mut client| {
            let read = |client: &mut TcpStream, length: usize| -> io::Result<Vec<u8>> {
                let mut bytes = vec![0; length];
                client.read_exact(&mut bytes)?;
                Ok(bytes)
            };
            let methods = read(&mut client, 2)?[1];
            read(&mut client, methods.into())?;
            client.write_all(&[5, 2])?;
            let user_length = read(&mut client, 2)?[1];
            let user = read(&mut client, user_length.into())?;
            let password_length = read(&mut client, 1)?[0];
            let password = read(&mut client, password_length.into())?;
            client.write_all(&[1, 0])?;
            let header = read(&mut client, 4)?;
            let length = if header[3] == 3 { usize::from(read(&mut client, 1)?[0]) } else { 4 };
            let host = read(&mut client, length + 2)?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            log(format!("{} {} {}", text(&user), text(&password), text(&host[..length])));
            client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])?;
            forward(client, target)
        })
    }
}

/// Reads the lines up to the first empty one.
fn head(stream: &mut impl io::Read) -> io::Result<Vec<String>> {
    let mut reader = BufReader::with_capacity(1, stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match line.trim_end() {
            "" => return Ok(lines),
            line => lines.push(line.to_owned()),
        }
    }
}

/// Copies the data of two connections.
fn forward(client: TcpStream, target: SocketAddr) -> io::Result<()> {
    let server = TcpStream::connect(target)?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || io::copy(&mut from_client, &mut to_server));
    let (mut from_server, mut to_client) = (server, client);
    thread::spawn(move || io::copy(&mut from_server, &mut to_client));
    Ok(())
}
