//! The data sources `local_file` and `local_sensitive_file`.

use ferroform::{Args, Context, DataCx, DataSource, Diagnostic, Model, Result, path};

use crate::binary::Base64;
use crate::checksums::Checksums;
use crate::{Local, disk};

/// Reads a file from the local filesystem.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Content {
    /// The path to the file. The file must exist.
    filename: String,
    /// The content of the file as a string. Each byte that is not valid UTF-8 becomes U+FFFD.
    #[attr(computed)]
    content: String,
    /// The content of the file in base64.
    #[attr(computed)]
    content_base64: Base64,
    #[attr(flatten)]
    checksums: Checksums,
}

impl DataSource for Content {
    type Provider = Local;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<ContentComputed> {
        let bytes = existing(&args.filename)?;
        Ok(ContentComputed {
            content: text(&bytes),
            checksums: Checksums::of(&bytes).into(),
            content_base64: Base64(bytes),
        })
    }
}

/// Reads a file from the local filesystem, without showing its content.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct SensitiveContent {
    /// The path to the file. The file must exist.
    filename: String,
    /// The content of the file as a string. Each byte that is not valid UTF-8 becomes U+FFFD.
    #[attr(computed, sensitive)]
    content: String,
    /// The content of the file in base64.
    #[attr(computed, sensitive)]
    content_base64: Base64,
    #[attr(flatten)]
    checksums: Checksums,
}

impl DataSource for SensitiveContent {
    type Provider = Local;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<SensitiveContentComputed> {
        let bytes = existing(&args.filename)?;
        Ok(SensitiveContentComputed {
            content: text(&bytes),
            checksums: Checksums::of(&bytes).into(),
            content_base64: Base64(bytes),
        })
    }
}

/// Decodes UTF-8. Each invalid byte becomes one replacement character, as in Go.
pub(crate) fn text(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    chunks.map(|it| it.valid().to_owned() + &"\u{fffd}".repeat(it.invalid().len())).collect()
}

fn existing(filename: &str) -> Result<Vec<u8>> {
    let missing = || Diagnostic::error("File Not Found").detail(format!("There is no file at {filename:?}."));
    disk::read(filename)?.ok_or_else(missing).at(path!(filename))
}
