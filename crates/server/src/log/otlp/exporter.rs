//! Sends spans to the collector, in a thread of its own, so that neither requests nor log lines wait for it.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use super::message::{FinishedSpan, encode};
use super::settings::Settings;

/// How long the exporter collects spans before it sends them.
const INTERVAL: Duration = Duration::from_secs(1);
/// The number of spans that are sent at once.
const BATCH: usize = 512;
/// How long the end of the process waits for the last spans. Terraform kills the process after 2 s.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) enum Command {
    Export(Box<FinishedSpan>),
    Flush(SyncSender<()>),
}

/// Starts the thread.
pub(super) fn start(settings: Settings) -> io::Result<Sender<Command>> {
    let (sender, receiver) = channel();
    thread::Builder::new().name("traces".into()).spawn(move || run(&settings, &receiver))?;
    Ok(sender)
}

/// Sends all spans that have ended, and waits for the response of the collector.
pub(super) fn flush(exporter: &Sender<Command>) {
    let (done, finished) = sync_channel(1);
    if exporter.send(Command::Flush(done)).is_ok() {
        let _ = finished.recv_timeout(FLUSH_TIMEOUT);
    }
}

fn run(settings: &Settings, commands: &Receiver<Command>) {
    let mut spans = Vec::new();
    loop {
        let flushed = match commands.recv_timeout(INTERVAL) {
            Ok(Command::Export(span)) => {
                spans.push(*span);
                if spans.len() < BATCH {
                    continue;
                }
                None
            }
            Ok(Command::Flush(done)) => Some(done),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !spans.is_empty() {
            // A collector that does not respond must not fill the memory, so spans are sent once.
            if let Err(error) = post(settings, &encode(&settings.service, &spans)) {
                tracing::warn!(target: "sdk", %error, "cannot send traces to {}", settings.authority);
            }
            spans.clear();
        }
        if let Some(done) = flushed {
            let _ = done.send(());
        }
    }
}

/// Sends the message with an HTTP request.
fn post(settings: &Settings, body: &[u8]) -> io::Result<()> {
    let Settings { authority, path, headers, timeout, .. } = settings;
    let address = authority.to_socket_addrs()?.next();
    let address = address.ok_or_else(|| io::Error::other(format!("{authority} has no address")))?;
    let mut stream = TcpStream::connect_timeout(&address, *timeout)?;
    stream.set_write_timeout(Some(*timeout))?;
    stream.set_read_timeout(Some(*timeout))?;
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut response = [0; 12];
    stream.read_exact(&mut response)?;
    // `HTTP/1.1 200`
    match response.get(9) {
        Some(b'2') => Ok(()),
        _ => Err(io::Error::other(format!("the response is {}", String::from_utf8_lossy(&response)))),
    }
}
