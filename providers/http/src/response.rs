//! The header fields and the body of a response, in the form that Go's HTTP client returns.

use std::collections::BTreeMap;

use reqwest::header::{CACHE_CONTROL, CONTENT_LENGTH, PRAGMA, TRAILER, TRANSFER_ENCODING};
use reqwest::{Response, Version};

/// The header fields, without those that describe the transfer encoding.
pub(crate) fn headers(response: &Response) -> BTreeMap<String, String> {
    let mut headers = response.headers().clone();
    let is_chunked = headers.remove(TRANSFER_ENCODING).is_some();
    if is_chunked || response.version() == Version::HTTP_2 {
        headers.remove(TRAILER);
    }
    if is_chunked {
        headers.remove(CONTENT_LENGTH);
    }
    // `Pragma: no-cache` of HTTP/1.0 has the same meaning, and HTTP clients in Go add the newer form.
    if response.version() < Version::HTTP_2
        && let Some(pragma) = headers.get(PRAGMA).filter(|it| *it == "no-cache").cloned()
    {
        headers.entry(CACHE_CONTROL).or_insert(pragma);
    }
    let joined = headers.keys().map(|name| {
        let values: Vec<_> = headers.get_all(name).iter().map(|it| text(it.as_bytes())).collect();
        (canonical(name.as_str()), values.join(", "))
    });
    joined.collect()
}

/// Converts a header name to its canonical form: `content-type` becomes `Content-Type`.
fn canonical(name: &str) -> String {
    let words = name.split_inclusive('-').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// Decodes UTF-8. Each invalid byte becomes one replacement character, as in Go.
pub(crate) fn text(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    chunks.map(|it| it.valid().to_owned() + &"\u{fffd}".repeat(it.invalid().len())).collect()
}
