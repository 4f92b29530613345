//! CSV, text encodings and UUIDs, for functions.

use std::sync::Arc;

use ferroform::value::{Type, Typed, Value};
use sha1::Sha1;
use sha1::digest::Digest;

/// An encoding of strings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
    Latin1,
}

impl Encoding {
    /// Returns an encoding by its IANA name.
    pub(crate) fn named(name: &str) -> Option<Encoding> {
        Some(match name.to_ascii_uppercase().as_str() {
            "UTF-8" => Encoding::Utf8,
            "UTF-16LE" => Encoding::Utf16Little,
            "UTF-16BE" => Encoding::Utf16Big,
            "ISO-8859-1" | "LATIN1" => Encoding::Latin1,
            _ => return None,
        })
    }

    /// Encodes a string; `None` if the encoding does not have one of its characters.
    pub(crate) fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Encoding::Utf8 => Some(text.as_bytes().to_vec()),
            Encoding::Utf16Little => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Encoding::Utf16Big => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Encoding::Latin1 => text.chars().map(|it| u8::try_from(it).ok()).collect(),
        }
    }

    /// Decodes bytes; `None` if they are not valid.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        let units = |of: fn([u8; 2]) -> u16| {
            let (pairs, rest) = bytes.as_chunks::<2>();
            rest.is_empty().then(|| pairs.iter().map(|it| of(*it)).collect::<Vec<u16>>())
        };
        match self {
            Encoding::Utf8 => String::from_utf8(bytes.to_vec()).ok(),
            Encoding::Utf16Little => String::from_utf16(&units(u16::from_le_bytes)?).ok(),
            Encoding::Utf16Big => String::from_utf16(&units(u16::from_be_bytes)?).ok(),
            Encoding::Latin1 => Some(bytes.iter().map(|it| char::from(*it)).collect()),
        }
    }
}

/// Returns the UUID of version 5 for a name; `None` if the namespace is neither a UUID nor one of the standard's names.
pub(crate) fn uuid_v5(namespace: &str, name: &str) -> Option<String> {
    let namespace = match namespace {
        "dns" => "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "url" => "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
        "oid" => "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
        "x500" => "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
        other => other,
    };
    let digits = namespace.replace('-', "");
    let number = u128::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 32)?;
    let hash = Sha1::new_with_prefix(number.to_be_bytes()).chain_update(name).finalize();
    let (mut bytes, _) = hash.split_first_chunk::<16>().map(|(it, rest)| (*it, rest))?;
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = format!("{:032x}", u128::from_be_bytes(bytes));
    Some([&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-"))
}

/// Decodes CSV with a header to a list of objects.
///
/// # Errors
///
/// Returns the detail of an error.
pub(crate) fn csv_decode(text: &str) -> Result<Typed, String> {
    let mut records = csv_records(text)?.into_iter();
    let header: Vec<Arc<str>> =
        records.next().ok_or("missing header line")?.into_iter().map(Arc::from).collect();
    let mut sorted = header.clone();
    sorted.sort();
    if let Some(pair) = sorted.windows(2).find(|it| it[0] == it[1]) {
        return Err(format!("duplicate column name {:?}", pair[0]));
    }
    let ty = Type::object(header.iter().map(|it| (it.clone(), Type::String)));
    let mut rows = Vec::new();
    for (index, record) in records.enumerate() {
        if record.len() != header.len() {
            return Err(format!("record on line {}: wrong number of fields", index + 2));
        }
        let values = record.into_iter().map(Value::string);
        rows.push(Value::Object(header.iter().cloned().zip(values).collect()));
    }
    Ok(Typed::new(Type::list(ty), Value::List(rows)))
}

/// Splits CSV into records. A quoted field can contain commas, line breaks and doubled quotes.
fn csv_records(text: &str) -> Result<Vec<Vec<String>>, String> {
    let text = text.replace("\r\n", "\n");
    let mut records = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        // Empty lines are skipped.
        if let Some(next) = rest.strip_prefix('\n') {
            rest = next;
            continue;
        }
        let mut record = Vec::new();
        loop {
            let (field, after) = csv_field(rest)?;
            record.push(field);
            match after.strip_prefix(',') {
                Some(next) => rest = next,
                None => {
                    rest = after.strip_prefix('\n').unwrap_or(after);
                    break;
                }
            }
        }
        records.push(record);
    }
    Ok(records)
}

/// Returns the first field of a record, and what follows.
fn csv_field(text: &str) -> Result<(String, &str), String> {
    let Some(mut quoted) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        let (field, rest) = text.split_at(end);
        return match field.contains('"') {
            true => Err("bare \" in non-quoted field".to_owned()),
            false => Ok((field.to_owned(), rest)),
        };
    };
    let mut field = String::new();
    loop {
        let (part, rest) = quoted.split_once('"').ok_or("extraneous or missing \" in quoted field")?;
        field += part;
        match rest.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                quoted = next;
            }
            None if rest.is_empty() || rest.starts_with([',', '\n']) => return Ok((field, rest)),
            None => return Err("extraneous or missing \" in quoted field".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_those_of_the_standard() {
        let uuid = uuid_v5("dns", "www.example.com");
        assert_eq!(uuid.as_deref(), Some("2ed6657d-e927-568b-95e1-2665a8aea6a2"));
        assert_eq!(uuid_v5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com"), uuid);
        assert_eq!(uuid_v5("other", "a"), None);
    }

    #[test]
    fn quoted_fields_contain_separators() {
        let records = csv_records("a,b\r\n\n\"x,\"\"y\"\"\n\",\n").unwrap();
        assert_eq!(records, [["a", "b"], ["x,\"y\"\n", ""]]);
        assert!(
            csv_records("a\"b").is_err() && csv_records("\"a").is_err() && csv_records("\"a\"b").is_err()
        );
    }

    #[test]
    fn strings_are_encoded_and_decoded() {
        for name in ["UTF-8", "utf-16le", "UTF-16BE", "ISO-8859-1"] {
            let encoding = Encoding::named(name).unwrap();
            assert_eq!(
                encoding.decode(&encoding.encode("a\u{e9}").unwrap()).as_deref(),
                Some("a\u{e9}"),
                "{name}"
            );
        }
        assert_eq!(Encoding::Utf16Little.encode("a"), Some(vec![97, 0]));
        assert_eq!(Encoding::Latin1.encode("\u{20ac}"), None);
    }
}
