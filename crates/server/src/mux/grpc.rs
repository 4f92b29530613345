//! gRPC messages over HTTP/2: each is preceded by five bytes, and the trailers contain the status.

use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};

use crate::body::CompleteBody;
use crate::protocol::Protocol;

const HEADER: usize = 5;

/// The bytes in front of a message: not compressed, and the length.
fn header(length: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[1..].copy_from_slice(&(length as u32).to_be_bytes());
    header
}

/// The first message of a body.
pub(super) fn first_message(body: &Bytes) -> Result<Bytes, Status> {
    if body.len() < HEADER {
        return Err(Status::internal("a request contains no message"));
    }
    if body[0] != 0 {
        return Err(Status::unimplemented("compressed messages are not supported"));
    }
    let length = u32::from_be_bytes([body[1], body[2], body[3], body[4]]) as usize;
    let end = HEADER.saturating_add(length);
    if end > body.len() {
        return Err(Status::internal("a message is not complete"));
    }
    Ok(body.slice(HEADER..end))
}

/// A body of one message.
pub(super) fn framed(message: &[u8]) -> Bytes {
    [&header(message.len())[..], message].concat().into()
}

/// A request for an RPC of the provider.
pub(super) fn request<B>(protocol: Protocol, name: &str, body: B) -> http::Request<B> {
    let uri = format!("http://localhost/{}/{name}", protocol.service());
    let mut request = http::Request::new(body);
    *request.method_mut() = http::Method::POST;
    *request.version_mut() = http::Version::HTTP_2;
    // The names of services and RPCs contain only letters, digits and dots.
    *request.uri_mut() = uri.parse().unwrap_or_default();
    request.headers_mut().insert("te", http::HeaderValue::from_static("trailers"));
    request.headers_mut().insert("content-type", http::HeaderValue::from_static("application/grpc"));
    request
}

/// A successful response of one message, which consists of parts.
pub(super) fn response(parts: Vec<Bytes>) -> http::Response<Body> {
    let length = parts.iter().map(Bytes::len).sum();
    let header = Bytes::copy_from_slice(&header(length));
    let frames = [header].into_iter().chain(parts).filter(|it| !it.is_empty());
    with_body(Body::new(CompleteBody::new(frames, Some(ok_trailers()))))
}

/// A successful response with this body, which contains the trailers.
pub(super) fn with_body(body: Body) -> http::Response<Body> {
    let mut response = http::Response::new(body);
    response.headers_mut().insert("content-type", http::HeaderValue::from_static("application/grpc"));
    response
}

/// The trailers of a successful response.
pub(super) fn ok_trailers() -> http::HeaderMap {
    let mut trailers = http::HeaderMap::new();
    trailers.insert("grpc-status", http::HeaderValue::from_static("0"));
    trailers
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn first_message_is_found() {
        let body = [framed(b"one"), framed(b"two")].concat().into();
        assert_eq!(first_message(&body).unwrap(), "one");
        assert_eq!(first_message(&framed(b"")).unwrap(), "");
    }

    #[test]
    fn invalid_bodies_are_rejected() {
        let code = |body: &'static [u8]| first_message(&Bytes::from_static(body)).unwrap_err().code();
        assert_eq!(code(b""), Code::Internal);
        assert_eq!(code(&[0, 0, 0, 0, 2, 1]), Code::Internal);
        assert_eq!(code(&[1, 0, 0, 0, 0]), Code::Unimplemented);
    }
}
