//! The function `direxists`.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use ferroform::{Diagnostic, Function, Parameters, RequestCx, Result, path};

use crate::disk;

/// Returns whether a directory exists.
///
/// If the path is not a directory, for example a file, the function returns an error. A `~` is not replaced with the
/// home directory: use the function `pathexpand` for it.
#[derive(Parameters)]
pub(crate) struct DirExists {
    /// The path to the directory, relative to the working directory or absolute.
    path: String,
}

impl Function for DirExists {
    type Output = bool;

    async fn call(self, _: &RequestCx) -> Result<bool> {
        let error = match fs::metadata(disk::clean(Path::new(&self.path))) {
            Ok(found) if found.is_dir() => return Ok(true),
            Ok(_) => format!("{:?} was found, but is not a directory", self.path),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => format!("cannot check whether the directory {:?} exists: {error}", self.path),
        };
        Err(Diagnostic::error(error).at(path!(path)).into())
    }
}
