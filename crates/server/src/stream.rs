//! A connection over a Unix socket, which wakes its task only for what that waits for.
//!
//! tokio's own is woken whenever the host has read something as well, since one could write again then: that is as often
//! as there is something to read, and waking up is most of what a small call costs.

use std::io::{self, IoSlice, Read as _, Write as _};
use std::mem;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

pub(super) struct Connection {
    socket: AsyncFd<UnixStream>,
    /// The same socket for writing, by a descriptor of its own that is there beforehand: a provider that has run out of
    /// them can still answer.
    output: Output,
}

enum Output {
    /// All that was to be written has been.
    Open(UnixStream),
    /// The host is slow to read, and there is more.
    Full(AsyncFd<UnixStream>),
    Broken,
}

impl Connection {
    /// Must be called within a runtime.
    pub(super) fn new(socket: tokio::net::UnixStream) -> io::Result<Self> {
        let socket = socket.into_std()?;
        let output = Output::Open(socket.try_clone()?);
        Ok(Self { socket: watch(socket, Interest::READABLE)?, output })
    }

    fn poll_put(
        &mut self,
        context: &mut Context<'_>,
        put: impl Fn(&mut UnixStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            match &mut self.output {
                Output::Open(socket) => match put(socket) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    done => return Poll::Ready(done),
                },
                Output::Full(socket) => {
                    ready!(socket.poll_write_ready(context))?.retain_ready();
                }
                Output::Broken => return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            }
            self.output = match mem::replace(&mut self.output, Output::Broken) {
                Output::Open(socket) => Output::Full(watch(socket, Interest::WRITABLE)?),
                Output::Full(socket) => Output::Open(socket.into_inner()),
                Output::Broken => Output::Broken,
            };
        }
    }
}

#[allow(
    deprecated,
    reason = "its successor is unsafe, as a type may lie about its descriptor; that of the standard library does not"
)]
fn watch(socket: UnixStream, interest: Interest) -> io::Result<AsyncFd<UnixStream>> {
    AsyncFd::with_interest(socket, interest)
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.socket.poll_read_ready(context))?;
            let room = buffer.initialize_unfilled();
            let Ok(read) = ready.try_io(|socket| socket.get_ref().read(room)) else { continue };
            let read = read?;
            if 0 < read && read < room.len() {
                // That was all there is; without this there would be another look at an empty socket.
                ready.clear_ready();
            }
            buffer.advance(read);
            return Poll::Ready(Ok(()));
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll_put(context, |socket| socket.write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_put(context, |socket| socket.write_vectored(parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Nothing is kept back.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.socket.get_ref().shutdown(Shutdown::Write))
    }
}
