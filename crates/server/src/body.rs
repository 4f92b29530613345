//! What comes in and goes out with a call.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, Incoming};
use tonic::codegen::Bytes;

use super::protocol::MAX_MESSAGE;

/// A request that is all there, so that nothing that runs for it has to wait for the rest.
pub(super) struct Gathered(VecDeque<hyper::Result<Frame<Bytes>>>);

impl Gathered {
    /// Waits for the rest.
    pub(super) async fn from(body: Incoming) -> Self {
        Self(gather(body).await)
    }
}

/// What comes, to its end or to the first error: a connection that is gone answers with errors for ever. Of what is too
/// long to be read, a part is enough: its length stands at its beginning.
async fn gather<B: Body<Data = Bytes> + Unpin>(mut body: B) -> VecDeque<Result<Frame<Bytes>, B::Error>> {
    let mut frames = VecDeque::new();
    let mut length = 0;
    while length <= MAX_MESSAGE {
        let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await else { break };
        let broken = frame.is_err();
        length += frame.as_ref().ok().and_then(Frame::data_ref).map_or(0, Bytes::len);
        frames.push_back(frame);
        if broken {
            break;
        }
    }
    frames
}

impl Body for Gathered {
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

    /// One megabyte, then errors without an end; or megabytes without an end.
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

    fn gathered(fails: bool) -> (usize, bool) {
        let mut gathering = std::pin::pin!(gather(Endless { begun: false, fails }));
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(frames) = gathering.as_mut().poll(&mut context) else { panic!("it is all there") };
        (frames.len(), frames.back().is_some_and(Result::is_err))
    }

    #[test]
    fn a_request_without_an_end_is_not_waited_for() {
        assert_eq!(gathered(true), (2, true));
        assert_eq!(gathered(false), ((MAX_MESSAGE >> 20) + 1, false));
    }
}
