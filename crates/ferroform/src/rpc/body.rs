//! What comes in and goes out with a call.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use tokio_util::sync::DropGuard;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Bytes;

use super::MAX_MESSAGE;

/// A request that is all there, so that nothing that runs for it has to wait for the rest.
pub(super) struct Gathered(VecDeque<hyper::Result<Frame<Bytes>>>);

impl Gathered {
    /// Waits for the rest. Of what is too long to be read, a part is enough: its length stands at its beginning.
    pub(super) async fn from(mut body: Incoming) -> Self {
        let mut frames = VecDeque::new();
        let mut length = 0;
        while length <= MAX_MESSAGE {
            let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await else { break };
            length += frame.as_ref().ok().and_then(Frame::data_ref).map_or(0, Bytes::len);
            frames.push_back(frame);
        }
        Self(frames)
    }
}

impl hyper::body::Body for Gathered {
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

/// A body whose call is over when it is dropped, sent or not.
pub(super) struct Guarded {
    body: Body,
    _guard: DropGuard,
}

impl Guarded {
    pub(super) fn new(body: Body, guard: DropGuard) -> Self {
        Self { body, _guard: guard }
    }
}

impl hyper::body::Body for Guarded {
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
