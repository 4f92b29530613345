//! Answers that are written by hand, and sent from the memory that they are written to.
//!
//! tonic copies what a method answers into a buffer of its own, which for the schemas of thousands of types is
//! megabytes once more. Such a method answers an empty message, with the real one beside it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::Frame;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::{self, HeaderMap, HeaderValue};
use tonic::{Response, Status};

use super::MAX_MESSAGE;
use super::pages::Pages;

/// As much as goes into one frame, whatever the host, so that with its head it is one record of TLS.
const CHUNK: usize = (16 << 10) - 9;

/// A message in pieces, with what stands before it: that it is not compressed, and its length.
#[derive(Clone)]
struct Whole(VecDeque<Bytes>);

/// Answers a message that is written already.
pub(super) fn answer<T: Default>(message: Pages) -> Result<Response<T>, Status> {
    let mut pieces: VecDeque<Bytes> = message.into_pieces().into();
    let length: usize = pieces.iter().map(Bytes::len).sum();
    let too_long =
        || Status::out_of_range(format!("the answer has {length} bytes, of at most {MAX_MESSAGE}"));
    let on_wire = u32::try_from(length).ok().filter(|_| length <= MAX_MESSAGE).ok_or_else(too_long)?;
    let [a, b, c, d] = on_wire.to_be_bytes();
    pieces.push_front(Bytes::copy_from_slice(&[0, a, b, c, d]));
    let mut response = Response::new(T::default());
    response.extensions_mut().insert(Whole(pieces));
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
    rest: VecDeque<Bytes>,
    ended: bool,
}

impl Chunks {
    fn next(&mut self) -> Option<Bytes> {
        while let Some(piece) = self.rest.front_mut() {
            if !piece.is_empty() {
                return Some(piece.split_to(CHUNK.min(piece.len())));
            }
            self.rest.pop_front();
        }
        None
    }
}

impl hyper::body::Body for Chunks {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Poll::Ready(match self.next() {
            Some(next) => Some(Ok(Frame::data(next))),
            None if self.ended => None,
            None => {
                self.ended = true;
                let ok = (Status::GRPC_STATUS, HeaderValue::from_static("0"));
                Some(Ok(Frame::trailers(HeaderMap::from_iter([ok]))))
            }
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

    fn message(bytes: &[u8]) -> Pages {
        let mut pages = Pages::default();
        pages.push(bytes);
        pages
    }

    #[test]
    fn a_message_is_sent_in_pieces_and_ends_well() {
        // In two pieces of memory.
        let content: Vec<u8> = (0..600_000_u32).map(|it| it as u8).collect();
        let response: Response<()> = answer(message(&content)).unwrap();
        let Whole(rest) = response.extensions().get().unwrap();
        let mut frames = frames(Chunks { rest: rest.clone(), ended: false });
        let trailers = frames.pop().unwrap().into_trailers().unwrap();
        assert_eq!(trailers.get("grpc-status").unwrap(), "0");
        let pieces: Vec<Bytes> = frames.into_iter().map(|it| it.into_data().unwrap()).collect();
        assert!(pieces.iter().all(|it| (1..=CHUNK).contains(&it.len())));
        assert_eq!(pieces.len(), 1 + 600_000_usize.div_ceil(CHUNK) + 1);
        assert_eq!(pieces.concat(), [&[0, 0, 9, 0x27, 0xc0], &*content].concat());
    }

    #[test]
    fn an_empty_message_is_sent_too() {
        let response: Response<()> = answer(Pages::default()).unwrap();
        let Whole(rest) = response.extensions().get().unwrap();
        let frames = frames(Chunks { rest: rest.clone(), ended: false });
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].data_ref().unwrap(), &[0_u8; 5][..]);
    }

    #[test]
    fn what_the_host_does_not_take_is_an_error() {
        assert!(answer::<()>(message(&vec![0; MAX_MESSAGE])).is_ok());
        let error = answer::<()>(message(&vec![0; MAX_MESSAGE + 1])).unwrap_err();
        assert_eq!(error.message(), "the answer has 268435457 bytes, of at most 268435456");
    }
}
