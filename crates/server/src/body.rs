//! Request bodies: received completely before the request is handled.
//!
//! A task that handles a request occupies a thread for as long as a provider's method runs, which can block. If it
//! received the body itself, a slow sender would occupy the thread too.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, Incoming};
use tonic::codegen::Bytes;

use super::protocol::MAX_MESSAGE;

/// A complete request body. The task that handles the request never waits for the network.
pub(super) struct CompleteBody(VecDeque<hyper::Result<Frame<Bytes>>>);

impl CompleteBody {
    /// Receives the body.
    pub(super) async fn from(body: Incoming) -> Self {
        Self(receive(body).await)
    }
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
