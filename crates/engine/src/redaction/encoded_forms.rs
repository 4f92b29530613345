//! Encoded forms of a sensitive value, as clients of APIs quote them in errors: in a URL, in a header, in a request body.
//!
//! ```text
//! value             my token+1
//! percent-encoded   my%20token%2B1, my+token%2B1; also with `-`, `.`, `_` and `~` encoded
//! base64            bXkgdG9rZW4rMQ==, and the characters of that inside longer encoded data
//! ```

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// The shortest base64 string inside longer data that is masked; a shorter one could occur by chance.
const MIN_INNER_BASE64_LENGTH: usize = 6;

/// The forms of the value other than the value itself, in no particular order.
pub(super) fn encoded_forms(value: &str) -> Vec<String> {
    let quoted = format!("{value:?}");
    let escaped = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(&quoted);
    let mut forms = vec![escaped.to_owned()];
    // RFC 3986 leaves `-`, `.`, `_` and `~` as they are, forms encode `~`, and some encoders encode everything except
    // letters and digits.
    for plain in ["-._~", "-._", "-._*", ""] {
        for (uppercase, space) in [(true, "%20"), (false, "%20"), (true, "+"), (false, "+")] {
            forms.push(percent_encoded(value, plain, uppercase, space));
        }
    }
    for engine in [STANDARD, URL_SAFE] {
        forms.push(engine.encode(value));
        forms.extend((0..3).filter_map(|offset| inner_base64(value, &engine, offset)));
    }
    forms.retain(|form| form != value);
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The value with all bytes encoded except letters, digits and `plain`.
fn percent_encoded(value: &str, plain: &str, uppercase: bool, space: &str) -> String {
    let mut encoded = String::new();
    for byte in value.bytes() {
        match byte {
            _ if byte.is_ascii_alphanumeric() || plain.as_bytes().contains(&byte) => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push_str(space),
            _ if uppercase => encoded.push_str(&format!("%{byte:02X}")),
            _ => encoded.push_str(&format!("%{byte:02x}")),
        }
    }
    encoded
}

/// The base64 characters of a value that follows `offset` bytes modulo 3 of other data, such as a token in the header of HTTP
/// basic authentication, which encodes `user:token`. Characters that also depend on the bytes around the value are not part
/// of the result.
fn inner_base64(value: &str, engine: &impl base64::Engine, offset: usize) -> Option<String> {
    let mut data = vec![0; offset];
    data.extend_from_slice(value.as_bytes());
    // Each character encodes six bits.
    let first = (offset * 8).div_ceil(6);
    let end = data.len() * 8 / 6;
    let encoded = engine.encode(&data);
    encoded.get(first..end).filter(|it| it.len() >= MIN_INNER_BASE64_LENGTH).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_found_inside_longer_base64_data() {
        for (before, after) in [("", ""), ("user:", ""), ("a", "bc"), ("ab", "c"), ("abc", "d")] {
            let encoded = STANDARD.encode(format!("{before}my secret token{after}"));
            let found = encoded_forms("my secret token").into_iter().filter(|it| encoded.contains(it));
            let longest = found.map(|it| it.len()).max();
            assert!(longest >= Some(18), "{encoded}: {longest:?}");
        }
    }

    #[test]
    fn percent_encoded_forms_are_those_of_paths_and_forms() {
        let forms = encoded_forms("a b/c+d");
        for form in ["a%20b%2Fc%2Bd", "a%20b%2fc%2bd", "a+b%2Fc%2Bd"] {
            assert!(forms.contains(&form.to_owned()), "{form}: {forms:?}");
        }
        let forms = encoded_forms("my-to ken_1.x~/u*");
        for form in [
            "my-to%20ken_1.x~%2Fu%2A",
            "my-to+ken_1.x%7E%2Fu*",
            "my-to+ken_1.x%7E%2Fu%2A",
            "my%2Dto%20ken%5F1%2Ex%7E%2Fu%2A",
        ] {
            assert!(forms.contains(&form.to_owned()), "{form}: {forms:?}");
        }
    }
}
