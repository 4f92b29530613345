//! A provider mirror: a directory from which `terraform init` installs providers without a registry.
//!
//! The directory has the layout that `terraform providers mirror` writes, so it serves as a `filesystem_mirror`, and as a
//! `network_mirror` if a web server serves it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::checksums::sha256;
use super::error::{DistError, DistErrorKind, Result};
use super::platform::Platform;
use super::release::Release;
use crate::source_address::Address;

/// Adds a release to a mirror, and returns the directories that contain it. The other versions remain.
pub(crate) fn add(
    release: &Release,
    platforms: &[Platform],
    address: &Address,
    mirror: &Path,
) -> Result<Vec<PathBuf>> {
    let directories: Vec<PathBuf> = address.mirror_directories().iter().map(|it| mirror.join(it)).collect();
    for directory in &directories {
        fs::create_dir_all(directory).map_err(DistError::file(directory))?;
        let mut archives = Map::new();
        for platform in platforms {
            let name = release.archive_name(*platform);
            let target = directory.join(&name);
            fs::copy(release.path(&name), &target).map_err(DistError::file(&target))?;
            let hash = format!("zh:{}", sha256(&target)?);
            archives.insert(platform.to_string(), json!({ "hashes": [hash], "url": name }));
        }
        write(&directory.join(format!("{}.json", release.version())), &json!({ "archives": archives }))?;
        // The index is written last, because it makes the version visible.
        let path = directory.join("index.json");
        let mut index = read_index(&path)?;
        index.insert(release.version().to_owned(), json!({}));
        write(&path, &json!({ "versions": index }))?;
    }
    Ok(directories)
}

/// Returns the versions of a mirror; none if the file does not exist.
fn read_index(path: &Path) -> Result<Map<String, Value>> {
    let content = match fs::read(path) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => return Err(DistError::file(path)(error)),
    };
    let mut index: Value = serde_json::from_slice(&content).map_err(DistError::file(path))?;
    match index["versions"].take() {
        Value::Object(versions) => Ok(versions),
        found => {
            let message = format!("versions: expected an object, found {found}");
            Err(DistError::new(DistErrorKind::File, message).at(path))
        }
    }
}

fn write(path: &Path, value: &Value) -> Result {
    fs::write(path, format!("{value:#}\n")).map_err(DistError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_added_to_the_index() {
        let directory = tempfile::tempdir().unwrap();
        let mirror = directory.path().join("mirror");
        let platform: Platform = "linux_amd64".parse().unwrap();
        for version in ["1.0.0", "1.1.0"] {
            let release = Release::new("disk", version, directory.path()).unwrap();
            fs::write(release.path(&release.archive_name(platform)), "").unwrap();
            let directories = add(&release, &[platform], &"acme/disk".parse().unwrap(), &mirror).unwrap();
            assert_eq!(directories.len(), 2);
        }
        let read = |name: &str| -> Value {
            let path = mirror.join("registry.opentofu.org/acme/disk").join(name);
            serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
        };
        assert_eq!(read("index.json"), json!({ "versions": { "1.0.0": {}, "1.1.0": {} } }));
        // The checksum of an empty file.
        let hash = "zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let archive = json!({ "hashes": [hash], "url": "terraform-provider-disk_1.1.0_linux_amd64.zip" });
        assert_eq!(read("1.1.0.json"), json!({ "archives": { "linux_amd64": archive } }));
    }

    #[test]
    fn invalid_index_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("index.json");
        for (content, expected) in [
            ("{", "EOF while parsing an object at line 1 column 1"),
            ("{}", "versions: expected an object, found null"),
        ] {
            fs::write(&path, content).unwrap();
            assert_eq!(read_index(&path).unwrap_err().to_string(), format!("{}: {expected}", path.display()));
        }
    }
}
