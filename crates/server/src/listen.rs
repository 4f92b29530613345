//! Where the host connects: a Unix socket, or a port of this machine where there is none.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::{fs, io};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

use super::environment::Environment;
use super::error::Error;

/// An address in the words of the handshake.
#[derive(Clone, Debug)]
pub(super) enum Address {
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no Unix sockets"))]
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

    pub(super) fn text(&self) -> String {
        match self {
            Self::Unix(path) => path.display().to_string(),
            Self::Tcp(address) => address.to_string(),
        }
    }
}

/// An open listener. A socket's file is removed when it is dropped.
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
    /// Opens a Unix socket where there are such, else a port. If the folder for the socket cannot be used, as with an empty
    /// `TMPDIR` or a path that is too long, it opens a port instead, but only if TLS keeps other users of this machine
    /// out. Must be called within a runtime.
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
                // Answers are small and waited for.
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Address::Unix(path) = &self.address {
            // Somebody else may have cleaned up.
            let _ = fs::remove_file(path);
        }
    }
}

fn open_tcp(environment: &dyn Environment) -> Result<Listener, Error> {
    let port = |name: &str| match environment.get(name) {
        Some(text) => text.parse::<u16>().map_err(Error::context(format!("{name} is not a port"))),
        None => Ok(0),
    };
    let (lowest, highest) = (port("PLUGIN_MIN_PORT")?, port("PLUGIN_MAX_PORT")?);
    if highest < lowest {
        return Err(Error::new("PLUGIN_MAX_PORT is below PLUGIN_MIN_PORT"));
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
        let folder = environment.get("PLUGIN_UNIX_SOCKET_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        // An empty `TMPDIR` would be the working directory.
        let folder = if folder.as_os_str().is_empty() { PathBuf::from("/tmp") } else { folder };
        let random = RandomState::new();
        for attempt in 0..100_u32 {
            let path = folder.join(format!("plugin{:x}", random.hash_one(attempt)));
            match UnixListener::bind(&path) {
                Ok(listener) => {
                    let address = Address::Unix(path.clone());
                    let listener = Listener { address, socket: Socket::Unix(listener) };
                    if let Some(group) = environment.get("PLUGIN_UNIX_SOCKET_GROUP") {
                        hand_to(&group, &path)?;
                    }
                    return Ok(listener);
                }
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
                Err(error) => {
                    let what = format!("cannot listen on the socket {}", path.display());
                    return Err(Error::context(what)(error));
                }
            }
        }
        Err(Error::new(format!("cannot find a free socket name in {}", folder.display())))
    }

    fn hand_to(group: &str, path: &Path) -> Result<(), Error> {
        let what = || format!("cannot hand the socket to the group {group} of PLUGIN_UNIX_SOCKET_GROUP");
        let id = group_id(group).map_err(Error::context(what()))?;
        chown(path, None, Some(id)).map_err(Error::context(what()))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o660)).map_err(Error::context(what()))
    }

    /// A number is itself; a name is looked up in the local file, as the C library's lookup needs `unsafe`.
    fn group_id(group: &str) -> io::Result<u32> {
        if let Ok(id) = group.parse() {
            return Ok(id);
        }
        let groups = fs::read_to_string("/etc/group")?;
        let id = groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(group)).then(|| fields.nth(1)?.parse().ok()).flatten()
        });
        id.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "/etc/group does not name it"))
    }
}

/// A connection, with TLS or without: what runs over it need not be compiled for each.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

pub(super) type Stream = Box<dyn Io>;
