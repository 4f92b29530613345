//! The requests that a mock service receives, and its responses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A JSON object.
pub type JsonObject = Map<String, Value>;

/// A request that a mock service has received.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The method, such as `POST`.
    pub method: String,
    /// The path, such as `/v1/notes/7`. It is encoded as in the request, so that an ID can contain a slash.
    pub path: String,
    /// The decoded parameters after the `?`.
    pub query: BTreeMap<String, String>,
    /// The headers. Their names are in lowercase.
    pub headers: BTreeMap<String, String>,
    /// The body: null if it is empty, and a string if it is not JSON.
    pub body: Value,
}

impl Request {
    /// Returns the ID in a path that consists of `collection` and an ID.
    pub(super) fn id_in(&self, collection: &str) -> Option<String> {
        let id = self.path.strip_prefix(collection)?.strip_prefix('/')?;
        if id.is_empty() || id.contains('/') { None } else { Some(decode(id)) }
    }
}

/// A response of a mock service.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

impl Response {
    /// A response with a status and a JSON body. The body of `Value::Null` is empty.
    pub fn new(status: u16, body: impl Into<Value>) -> Response {
        Response { status, headers: Vec::new(), body: body.into() }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Response {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// An error with a message.
    pub(super) fn error(status: u16, message: &str) -> Response {
        Response::new(status, json!({ "message": message }))
    }
}

/// Decodes the parameters of a query.
pub(super) fn decode_query(query: &str) -> BTreeMap<String, String> {
    let pairs = query.split('&').filter(|it| !it.is_empty());
    let decoded = pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(&name.replace('+', " ")), decode(&value.replace('+', " ")))
    });
    decoded.collect()
}

/// Decodes each `%` with two hexadecimal digits.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Encodes all characters that have a meaning in a URL.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => encoded.push(byte.into()),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_is_decoded() {
        let query = decode_query("name=a%20b+c&page=%2F%C3%A9&%zz&empty=");
        let expected = [("name", "a b c"), ("page", "/é"), ("%zz", ""), ("empty", "")];
        assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn encoded_text_is_decoded_to_the_same_text() {
        for text in ["a/b ?é%", "100%", "%41", ""] {
            assert_eq!(decode(&encode(text)), text);
        }
    }
}
