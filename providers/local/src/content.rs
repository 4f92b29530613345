//! The data sources `local_file` and `local_sensitive_file`.

use ferroform::{Args, Context, Cx, DataSource, Diagnostic, Model, Result, path};

use crate::binary::Base64;
use crate::checksums::Checksums;
use crate::{Local, disk};

/// Reads a file from the local filesystem.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Content {
    /// The path to the file. The file must exist.
    filename: String,
    /// The content of the file as a string; bytes that are not UTF-8 become the replacement character.
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

    async fn read(_: &Cx<Local>, args: Args<Self>) -> Result<ContentComputed> {
        let bytes = existing(&args.filename)?;
        Ok(ContentComputed {
            content: String::from_utf8_lossy(&bytes).into_owned(),
            checksums: Checksums::of(&bytes),
            content_base64: Base64(bytes),
        })
    }
}

/// Reads a file from the local filesystem, without showing its content.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct SensitiveContent {
    /// The path to the file. The file must exist.
    filename: String,
    /// The content of the file as a string; bytes that are not UTF-8 become the replacement character.
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

    async fn read(_: &Cx<Local>, args: Args<Self>) -> Result<SensitiveContentComputed> {
        let bytes = existing(&args.filename)?;
        Ok(SensitiveContentComputed {
            content: String::from_utf8_lossy(&bytes).into_owned(),
            checksums: Checksums::of(&bytes),
            content_base64: Base64(bytes),
        })
    }
}

fn existing(filename: &str) -> Result<Vec<u8>> {
    let missing = || Diagnostic::error("File Not Found").detail(format!("There is no file at {filename:?}."));
    disk::read(filename)?.ok_or_else(missing).at(path!(filename))
}
