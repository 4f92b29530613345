//! HTTP and HTTPS servers for the tests. They send exactly the bytes that a test specifies.

#![allow(clippy::unwrap_used, dead_code, reason = "test code that several targets include")]

pub(crate) mod certificates;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A server on a free port of `localhost`, which runs until the end of the test process.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    scheme: &'static str,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A request that a server has received.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    /// The header fields as they were sent, without the line breaks.
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    /// The number of requests that the server received before.
    pub(crate) index: usize,
}

impl Request {
    /// The value of a header field; the name is compared as it was sent.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|it| it.strip_prefix(name)?.strip_prefix(": "))
    }
}

type Respond = dyn Fn(&Request) -> Vec<u8> + Send + Sync;

impl Server {
    /// Starts an HTTP server. If the response is empty, the connection is closed.
    pub(crate) fn start(respond: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static) -> Server {
        Server::new(None, respond)
    }

    /// Starts an HTTPS server.
    pub(crate) fn with_tls(
        config: ServerConfig,
        respond: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static,
    ) -> Server {
        Server::new(Some(Arc::new(config)), respond)
    }

    fn new(
        tls: Option<Arc<ServerConfig>>,
        respond: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = listener.local_addr().unwrap();
        let server = Server { address, scheme, requests: Arc::default() };
        let (requests, respond): (_, Arc<Respond>) = (server.requests.clone(), Arc::new(respond));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (requests, respond, tls) = (requests.clone(), respond.clone(), tls.clone());
                let serve = move || -> Option<()> {
                    let stream = stream.ok()?;
                    match tls {
                        None => serve(stream, &requests, &*respond),
                        Some(config) => {
                            let tls = ServerConnection::new(config).ok()?;
                            serve(StreamOwned::new(tls, stream), &requests, &*respond)
                        }
                    }
                };
                thread::spawn(serve);
            }
        });
        server
    }

    /// The URL of a path. The name `localhost` is the one in the certificates.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://localhost:{}{path}", self.scheme, self.address.port())
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The only request.
    pub(crate) fn request(&self) -> Request {
        let [request] = &*self.requests() else { panic!("expected one request, got {:?}", self.requests()) };
        request.clone()
    }
}

/// Responds to the requests of a connection until the client closes it.
fn serve(stream: impl Read + Write, requests: &Mutex<Vec<Request>>, respond: &Respond) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let first = lines.remove(0);
        let mut words = first.split(' ').map(str::to_owned);
        let length = lines
            .iter()
            .find_map(|it| it.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body).ok()?;
        let request = {
            let mut requests = requests.lock().unwrap();
            let request = Request {
                method: words.next()?,
                target: words.next()?,
                headers: lines,
                body: String::from_utf8(body).unwrap(),
                index: requests.len(),
            };
            requests.push(request.clone());
            request
        };
        let response = respond(&request);
        if response.is_empty() {
            return None;
        }
        stream.get_mut().write_all(&response).ok()?;
        stream.get_mut().flush().ok()?;
    }
}

/// A response with a length.
pub(crate) fn response(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let headers: String = headers.iter().map(|it| format!("{it}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A successful response.
pub(crate) fn ok(body: impl AsRef<[u8]>) -> Vec<u8> {
    response("200 OK", &["Content-Type: text/plain"], body)
}

/// A redirect.
pub(crate) fn redirect(status: u16, location: &str) -> Vec<u8> {
    response(&format!("{status} Redirect"), &[&format!("Location: {location}")], "")
}

/// A proxy for `CONNECT` requests that opens all tunnels to one address. It returns the lines of the requests.
pub(crate) fn tunnel(to: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    proxy(to, |client| {
        let mut head = Vec::new();
        // The client waits for the response before it sends anything else.
        while !head.ends_with(b"\r\n\r\n") {
            head.extend(read::<1>(client));
        }
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        String::from_utf8(head).unwrap().lines().map(str::to_owned).collect()
    })
}

/// A SOCKS5 proxy that connects all clients to one address. It returns the names of the hosts in the requests.
pub(crate) fn socks(to: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    proxy(to, |client| {
        let [5, methods] = read(client) else { panic!("another version") };
        for _ in 0..methods {
            read::<1>(client);
        }
        client.write_all(&[5, 0]).unwrap();
        // A request to connect to a host that is given by its name.
        let [5, 1, 0, 3, length] = read(client) else { panic!("another request") };
        let name = (0..length).map(|_| char::from(read::<1>(client)[0])).collect();
        read::<2>(client);
        client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        vec![name]
    })
}

fn read<const N: usize>(stream: &mut TcpStream) -> [u8; N] {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

/// Performs a handshake with each client, and connects it to the address.
fn proxy(
    to: SocketAddr,
    handshake: impl Fn(&mut TcpStream) -> Vec<String> + Send + 'static,
) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, lines) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let seen = lines.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut client = stream.unwrap();
            let received = handshake(&mut client);
            seen.lock().unwrap().extend(received);
            let server = TcpStream::connect(to).unwrap();
            let pairs = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
            for (from, to) in pairs {
                let (mut from, mut to) = (from.unwrap(), to.unwrap());
                thread::spawn(move || std::io::copy(&mut from, &mut to));
            }
        }
    });
    (address, lines)
}
