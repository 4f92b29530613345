//! The listener: a Unix socket, or a local port on systems without Unix sockets.
//!
//! Terraform reads the address in the handshake line: `unix|/tmp/plugin1a2b` for a socket, `tcp|127.0.0.1:10000` for a
//! port. Ports are taken from the range that Terraform passes in `PLUGIN_MIN_PORT` and `PLUGIN_MAX_PORT`. The file of a
//! socket is deleted when the listener is dropped.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::{fs, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

use super::environment::Environment;
use super::error::Error;

/// An address, as the handshake line contains it.
#[derive(Clone, Debug)]
pub(super) enum Address {
    #[cfg_attr(not(unix), allow(dead_code, reason = "only tests use it there"))]
    Unix(PathBuf),
    Tcp(SocketAddr),
}

impl Address {
    pub(super) fn network(&self) -> &'static str {
        match self {
            Self::Unix(_) => "unix",
            Self::Tcp(_) => "tcp",
        }
    }

    pub(super) fn string(&self) -> String {
        match self {
            Self::Unix(path) => path.display().to_string(),
            Self::Tcp(address) => address.to_string(),
        }
    }
}

/// An open listener. The file of a socket is removed when the listener is dropped.
pub(super) struct Listener {
    address: Address,
    socket: Socket,
}

enum Socket {
    #[cfg(unix)]
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// Opens a Unix socket, or a TCP port on Windows and on request.
    ///
    /// If the directory of the socket is unusable, for example because `TMPDIR` is empty or the path is too long, it
    /// opens a TCP port instead, but only if TLS keeps other users of this machine out. Must be called within a
    /// runtime.
    pub(super) fn open(tcp: bool, is_debug: bool, environment: &dyn Environment) -> Result<Self, Error> {
        #[cfg(unix)]
        if !tcp {
            let has_tls = !is_debug && environment.get("PLUGIN_CLIENT_CERT").is_some();
            return unix::open(environment).or_else(|error| match has_tls {
                true => open_tcp(environment).map_err(|_| error),
                false => Err(error),
            });
        }
        let _ = (tcp, is_debug);
        open_tcp(environment)
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    pub(super) async fn accept(&self) -> io::Result<Stream> {
        Ok(match &self.socket {
            #[cfg(unix)]
            Socket::Unix(listener) => Box::new(listener.accept().await?.0),
            Socket::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Responses are small, and Terraform waits for them.
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Address::Unix(path) = &self.address {
            // Another process may have removed the file.
            let _ = fs::remove_file(path);
        }
    }
}

fn open_tcp(environment: &dyn Environment) -> Result<Listener, Error> {
    let port = |name: &str| match environment.get(name) {
        Some(value) => value.parse::<u16>().map_err(Error::context(format!("{name} is not a port"))),
        None => Ok(0),
    };
    let (lowest, highest) = (port("PLUGIN_MIN_PORT")?, port("PLUGIN_MAX_PORT")?);
    if highest < lowest {
        return Err(Error::new("PLUGIN_MAX_PORT is less than PLUGIN_MIN_PORT"));
    }
    let mut last = None;
    for port in lowest..=highest {
        match std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return from_std(listener).map_err(Error::context("cannot listen on a port")),
            Err(error) => last = Some(error),
        }
    }
    let cause = last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into());
    Err(Error::context("cannot find a free port in PLUGIN_MIN_PORT..PLUGIN_MAX_PORT")(cause))
}

fn from_std(listener: std::net::TcpListener) -> io::Result<Listener> {
    listener.set_nonblocking(true)?;
    let address = Address::Tcp(listener.local_addr()?);
    Ok(Listener { address, socket: Socket::Tcp(TcpListener::from_std(listener)?) })
}

#[cfg(unix)]
mod unix {
    use std::collections::hash_map::RandomState;
    use std::hash::BuildHasher;
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::path::Path;

    use super::*;

    pub(super) fn open(environment: &dyn Environment) -> Result<Listener, Error> {
        let directory =
            environment.get("PLUGIN_UNIX_SOCKET_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        // An empty `TMPDIR` would be the working directory.
        let directory = if directory.as_os_str().is_empty() { PathBuf::from("/tmp") } else { directory };
        let random = RandomState::new();
        for attempt in 0..100_u32 {
            let path = directory.join(format!("plugin{:x}", random.hash_one(attempt)));
            match UnixListener::bind(&path) {
                Ok(listener) => {
                    let address = Address::Unix(path.clone());
                    let listener = Listener { address, socket: Socket::Unix(listener) };
                    match environment.get("PLUGIN_UNIX_SOCKET_GROUP") {
                        Some(group) => set_group(&group, &path)?,
                        // In debug mode, there is no TLS that keeps other users of this machine out.
                        None => fs::set_permissions(&path, fs::Permissions::from_mode(0o600))
                            .map_err(Error::context("cannot set the permissions of the socket"))?,
                    }
                    return Ok(listener);
                }
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
                Err(error) => {
                    let message = format!("cannot listen on the socket {}", path.display());
                    return Err(Error::context(message)(error));
                }
            }
        }
        Err(Error::new(format!("cannot find a free socket name in {}", directory.display())))
    }

    fn set_group(group: &str, path: &Path) -> Result<(), Error> {
        let message =
            || format!("cannot change the group of the socket to {group} from PLUGIN_UNIX_SOCKET_GROUP");
        let id = group_id(group).map_err(Error::context(message()))?;
        chown(path, None, Some(id)).map_err(Error::context(message()))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o660)).map_err(Error::context(message()))
    }

    /// The id of a group. A name is looked up in `/etc/group`, because the lookup of the C library requires
    /// `unsafe`.
    fn group_id(group: &str) -> io::Result<u32> {
        if let Ok(id) = group.parse() {
            return Ok(id);
        }
        let groups = fs::read_to_string("/etc/group")?;
        let id = groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(group)).then(|| fields.nth(1)?.parse().ok()).flatten()
        });
        id.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the group is not in /etc/group"))
    }
}

/// A connection with or without TLS. As a trait object, so that code that uses it is compiled once.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

pub(super) type Stream = Box<dyn Io>;
