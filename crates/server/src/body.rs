//! The bodies of requests and responses.
//!
//! A request body is received completely before the request is handled. A task that handles a request occupies a thread for as long as a provider's method runs, which can block. If it
//! received the body itself, a slow sender would occupy the thread too.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio_util::sync::DropGuard;
use tonic::Status;
use tonic::codegen::Bytes;

use super::protocol::MAX_MESSAGE;

/// A complete request body. The task that handles the request never waits for the network.
pub(super) struct CompleteBody(VecDeque<hyper::Result<Frame<Bytes>>>);

impl CompleteBody {
    /// A body that consists of these bytes, and trailers.
    pub(super) fn new(
        data: impl IntoIterator<Item = Bytes>,
        trailers: Option<tonic::codegen::http::HeaderMap>,
    ) -> Self {
        let data = data.into_iter().map(|bytes| Ok(Frame::data(bytes)));
        Self(data.chain(trailers.map(|it| Ok(Frame::trailers(it)))).collect())
    }

    /// The data of a request.
    pub(super) fn into_bytes(self) -> Result<Bytes, Status> {
        let mut parts = Vec::new();
        for frame in self.0 {
            let frame =
                frame.map_err(|error| Status::internal(format!("a request is not complete: {error}")))?;
            parts.extend(frame.into_data());
        }
        Ok(joined(parts))
    }

    /// The data and the trailers of a response.
    pub(super) async fn receive_all(
        body: tonic::body::Body,
    ) -> Result<(Bytes, Option<tonic::codegen::http::HeaderMap>), Status> {
        let (mut parts, mut trailers) = (Vec::new(), None);
        for frame in receive(body).await {
            match frame?.into_data() {
                Ok(data) => parts.push(data),
                Err(frame) => trailers = frame.into_trailers().ok(),
            }
        }
        Ok((joined(parts), trailers))
    }

    /// Receives the body.
    pub(super) async fn from(body: Incoming) -> Self {
        Self(receive(body).await)
    }
}

/// The bytes of all parts. One part is not copied.
fn joined(mut parts: Vec<Bytes>) -> Bytes {
    if parts.len() == 1 { parts.swap_remove(0) } else { parts.concat().into() }
}

/// Receives the frames up to the end or the first error; a closed connection would return errors forever. If a message
/// is too long, only its beginning is received, which contains its length.
async fn receive<B: Body<Data = Bytes> + Unpin>(mut body: B) -> VecDeque<Result<Frame<Bytes>, B::Error>> {
    let mut frames = VecDeque::new();
    let mut length = 0;
    while length <= MAX_MESSAGE {
        let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await else { break };
        let is_error = frame.is_err();
        length += frame.as_ref().ok().and_then(Frame::data_ref).map_or(0, Bytes::len);
        frames.push_back(frame);
        if is_error {
            break;
        }
    }
    frames
}

impl Body for CompleteBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Poll::Ready(self.0.pop_front())
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }
}

/// A response body that cancels the RPC when it is dropped. The body of a stream exists as long as the RPC runs.
pub(super) struct GuardedBody {
    body: tonic::body::Body,
    _cancel_on_drop: DropGuard,
}

impl GuardedBody {
    pub(super) fn new(body: tonic::body::Body, cancel_on_drop: DropGuard) -> Self {
        Self { body, _cancel_on_drop: cancel_on_drop }
    }
}

impl Body for GuardedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// A body of one megabyte followed by endless errors, or of endless megabytes.
    struct Endless {
        begun: bool,
        fails: bool,
    }

    impl Body for Endless {
        type Data = Bytes;
        type Error = &'static str;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
            let fails = std::mem::replace(&mut self.begun, true) && self.fails;
            Poll::Ready(Some(if fails {
                Err("gone")
            } else {
                Ok(Frame::data(Bytes::from_static(&[0; 1 << 20])))
            }))
        }
    }

    fn received(fails: bool) -> (usize, bool) {
        let mut receiving = std::pin::pin!(receive(Endless { begun: false, fails }));
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(frames) = receiving.as_mut().poll(&mut context) else {
            panic!("the body is complete")
        };
        (frames.len(), frames.back().is_some_and(Result::is_err))
    }

    #[test]
    fn endless_request_is_not_received_completely() {
        assert_eq!(received(true), (2, true));
        assert_eq!(received(false), ((MAX_MESSAGE >> 20) + 1, false));
    }
}
