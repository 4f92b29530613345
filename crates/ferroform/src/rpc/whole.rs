//! Answers that are written by hand, in one piece of memory, and sent from there.
//!
//! tonic copies what a method answers into a buffer of its own, which for the schemas of thousands of types is
//! megabytes once more. Such a method answers an empty message, with the real one beside it.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::Frame;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::{self, HeaderMap, HeaderValue};
use tonic::{Response, Status};

use super::MAX_MESSAGE;

/// What stands before a message: that it is not compressed, and its length.
pub(super) const PREFIX: usize = 5;
/// As much as goes into one frame, whatever the host, so that with its head it is one record of TLS.
const CHUNK: usize = (16 << 10) - 9;

/// A message with its prefix.
#[derive(Clone)]
struct Whole(Bytes);

/// Answers a message that is written already, with room for its prefix before it.
pub(super) fn answer<T: Default>(mut bytes: Vec<u8>) -> Result<Response<T>, Status> {
    let length = bytes.len().saturating_sub(PREFIX);
    let too_long =
        || Status::out_of_range(format!("the answer has {length} bytes, of at most {MAX_MESSAGE}"));
    let on_wire = u32::try_from(length).ok().filter(|_| length <= MAX_MESSAGE).ok_or_else(too_long)?;
    let [a, b, c, d] = on_wire.to_be_bytes();
    bytes.splice(..PREFIX.min(bytes.len()), [0, a, b, c, d]);
    let mut response = Response::new(T::default());
    response.extensions_mut().insert(Whole(bytes.into()));
    Ok(response)
}

/// Puts such a message in the place of the empty one.
pub(super) fn put_in(mut response: http::Response<Body>) -> http::Response<Body> {
    match response.extensions_mut().remove() {
        Some(Whole(rest)) => response.map(|_| Body::new(Chunks { rest, ended: false })),
        None => response,
    }
}

struct Chunks {
    rest: Bytes,
    ended: bool,
}

impl hyper::body::Body for Chunks {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let next = CHUNK.min(self.rest.len());
        Poll::Ready(match next {
            0 if self.ended => None,
            0 => {
                self.ended = true;
                let ok = (Status::GRPC_STATUS, HeaderValue::from_static("0"));
                Some(Ok(Frame::trailers(HeaderMap::from_iter([ok]))))
            }
            _ => Some(Ok(Frame::data(self.rest.split_to(next)))),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use hyper::body::Body as _;

    use super::*;

    fn frames(mut body: Chunks) -> Vec<Frame<Bytes>> {
        let mut context = Context::from_waker(Waker::noop());
        let next = || match Pin::new(&mut body).poll_frame(&mut context) {
            Poll::Ready(it) => it.map(Result::unwrap),
            Poll::Pending => panic!("it is all there"),
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn a_message_is_sent_in_pieces_and_ends_well() {
        let message: Vec<u8> = (0..40_000_u32).map(|it| it as u8).collect();
        let response: Response<()> = answer([&[0; PREFIX], &*message].concat()).unwrap();
        let Whole(rest) = response.extensions().get().unwrap();
        let mut frames = frames(Chunks { rest: rest.clone(), ended: false });
        let trailers = frames.pop().unwrap().into_trailers().unwrap();
        assert_eq!(trailers.get("grpc-status").unwrap(), "0");
        let pieces: Vec<Bytes> = frames.into_iter().map(|it| it.into_data().unwrap()).collect();
        assert_eq!(pieces.iter().map(Bytes::len).collect::<Vec<_>>(), [CHUNK, CHUNK, 40_005 - 2 * CHUNK]);
        assert_eq!(pieces.concat(), [&[0, 0, 0, 0x9c, 0x40], &*message].concat());
    }

    #[test]
    fn what_the_host_does_not_take_is_an_error() {
        assert!(answer::<()>(vec![0; PREFIX + MAX_MESSAGE]).is_ok());
        let error = answer::<()>(vec![0; PREFIX + MAX_MESSAGE + 1]).unwrap_err();
        assert_eq!(error.message(), "the answer has 268435457 bytes, of at most 268435456");
    }
}
