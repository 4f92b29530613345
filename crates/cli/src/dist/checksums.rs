//! The file `…_SHA256SUMS`, in the format of `sha256sum`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use ring::digest::{Context, SHA256};

use super::error::{DistError, DistErrorKind, Result};

/// The SHA-256 checksums of files by name, in hexadecimal notation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Checksums(BTreeMap<String, String>);

impl Checksums {
    /// Calculates the checksums of files in a directory.
    pub(crate) fn calculate(directory: &Path, names: impl IntoIterator<Item = String>) -> Result<Checksums> {
        let checksum = |name: String| Ok((name.clone(), sha256(&directory.join(name))?));
        Ok(Checksums(names.into_iter().map(checksum).collect::<Result<_>>()?))
    }

    /// Reads a file of checksums.
    pub(crate) fn read(file: &Path) -> Result<Checksums> {
        let content = std::fs::read_to_string(file).map_err(DistError::file(file))?;
        let mut checksums = BTreeMap::new();
        for (index, line) in content.lines().enumerate() {
            let invalid = |expected: &str| {
                let message = format!("line {}: {expected}", index + 1);
                DistError::new(DistErrorKind::Verification, message).at(file)
            };
            let parts = line.split_once("  ");
            let is_hex = |it: &str| it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit());
            let Some((checksum, name)) =
                parts.filter(|(checksum, name)| is_hex(checksum) && !name.is_empty())
            else {
                return Err(invalid("expected a SHA-256 checksum, two spaces and a file name"));
            };
            if checksums.insert(name.to_owned(), checksum.to_ascii_lowercase()).is_some() {
                return Err(invalid(&format!("the file {name} is listed twice")));
            }
        }
        Ok(Checksums(checksums))
    }

    /// The content of the file, sorted by name.
    pub(crate) fn content(&self) -> String {
        self.0.iter().fold(String::new(), |mut content, (name, checksum)| {
            let _ = writeln!(content, "{checksum}  {name}");
            content
        })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the checksum of the file with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Returns the SHA-256 checksum of a file in hexadecimal notation.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(DistError::file(path))?;
    let mut context = Context::new(&SHA256);
    let mut buffer = [0; 64 * 1024];
    loop {
        let length = file.read(&mut buffer).map_err(DistError::file(path))?;
        if length == 0 {
            break;
        }
        context.update(&buffer[..length]);
    }
    Ok(context.finish().as_ref().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_have_the_format_of_sha256sum() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("b"), "").unwrap();
        std::fs::write(directory.path().join("a"), "abc").unwrap();
        let checksums = Checksums::calculate(directory.path(), ["b".to_owned(), "a".to_owned()]).unwrap();
        // As `sha256sum a b` prints them.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
                        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n";
        assert_eq!(checksums.content(), expected);
        let file = directory.path().join("SHA256SUMS");
        std::fs::write(&file, expected).unwrap();
        assert_eq!(Checksums::read(&file).unwrap(), checksums);
    }

    #[test]
    fn invalid_lines_are_errors() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("SHA256SUMS");
        let checksum = "0".repeat(64);
        for (content, expected) in [
            ("abc  a\n".to_owned(), "line 1: expected a SHA-256 checksum, two spaces and a file name"),
            (format!("{checksum} a\n"), "line 1: expected a SHA-256 checksum, two spaces and a file name"),
            (format!("{checksum}  a\n{checksum}  a\n"), "line 2: the file a is listed twice"),
        ] {
            std::fs::write(&file, content).unwrap();
            let error = Checksums::read(&file).unwrap_err();
            assert_eq!(error.to_string(), format!("{}: {expected}", file.display()));
        }
    }
}
