//! The zip files of a release.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::error::{DistError, DistErrorKind, Result};

/// Terraform starts a file whose name begins with this prefix and the name of the provider.
const PROVIDER_PREFIX: &str = "terraform-provider-";

/// The permissions of an executable file.
const EXECUTABLE: u32 = 0o755;

/// Writes an archive with executable files, each with its name in the archive. The same content produces the same archive:
/// its files have no date.
pub(crate) fn write(archive: &Path, files: &[(String, PathBuf)]) -> Result {
    let file = File::create(archive).map_err(DistError::file(archive))?;
    let mut writer = ZipWriter::new(BufWriter::new(file));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(EXECUTABLE);
    for (name, path) in files {
        let mut source = File::open(path).map_err(DistError::file(path))?;
        writer.start_file(name.as_str(), options).map_err(DistError::file(archive))?;
        std::io::copy(&mut source, &mut writer).map_err(DistError::file(path))?;
    }
    let mut file = writer.finish().map_err(DistError::file(archive))?;
    file.flush().map_err(DistError::file(archive))
}

/// Returns the files in a directory with their names, sorted by name. Other directories in it are an error.
pub(crate) fn files_in(directory: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(DistError::file(directory))? {
        let path = entry.map_err(DistError::file(directory))?.path();
        let name = path.file_name().and_then(|it| it.to_str()).filter(|_| path.is_file());
        let Some(name) = name else {
            let message = "only files with names in UTF-8 can be included";
            return Err(DistError::new(DistErrorKind::Package, message).at(&path));
        };
        files.push((name.to_owned(), path.clone()));
    }
    files.sort();
    Ok(files)
}

/// Checks that an archive contains the executable file and no unsafe entries, and that its content can be decompressed.
/// Returns the content of the executable file.
pub(crate) fn check(archive: &Path, name: &str) -> Result<Vec<u8>> {
    let file = File::open(archive).map_err(DistError::file(archive))?;
    let mut zip = ZipArchive::new(BufReader::new(file)).map_err(DistError::file(archive))?;
    let invalid = |message: String| DistError::new(DistErrorKind::Verification, message).at(archive);
    let (mut seen, has_provider) = (HashSet::new(), zip.index_for_name(name).is_some());
    for index in 0..zip.len() {
        let entry = zip.by_index(index).map_err(DistError::file(archive))?;
        let entry_name = entry.name().map_err(DistError::file(archive))?;
        if !is_inside(&entry_name) {
            return Err(invalid(format!(
                "archive entry {entry_name:?} would be extracted outside the provider directory"
            )));
        }
        if !entry.is_file() && !entry.is_dir() {
            return Err(invalid(format!("archive entry {entry_name:?} is neither a file nor a directory")));
        }
        let lowercase = entry_name.to_lowercase();
        if !seen.insert(lowercase.clone()) {
            return Err(invalid(format!(
                "archive entry {entry_name:?} differs from another entry at most in case"
            )));
        }
        if has_provider && entry_name != name && lowercase.starts_with(PROVIDER_PREFIX) {
            return Err(invalid(format!(
                "Terraform could start the archive entry {entry_name:?} instead of {name}: the names of other files must \
                 not begin with {PROVIDER_PREFIX}"
            )));
        }
    }
    let Some(index) = zip.index_for_name(name) else {
        let names: Vec<_> = zip.file_names().flatten().collect();
        return Err(invalid(format!("expected the file {name}, found {}", names.join(", "))));
    };
    let mut binary = zip.by_index(index).map_err(DistError::file(archive))?;
    if binary.unix_mode().is_some_and(|mode| mode & 0o111 == 0) {
        return Err(invalid(format!("the file {name} is not executable")));
    }
    // Reading to the end verifies the CRC-32 of the entry.
    let mut content = Vec::new();
    binary.read_to_end(&mut content).map_err(DistError::file(archive))?;
    if content.is_empty() {
        return Err(invalid(format!("the file {name} is empty")));
    }
    Ok(content)
}

/// Extracts an archive that [`check`] has accepted, as Terraform does, and calls the function with the path of the file `name`.
pub(crate) fn with_extracted<T>(archive: &Path, name: &str, run: impl FnOnce(&Path) -> T) -> Result<T> {
    /// Removes the directory.
    struct Extracted(PathBuf);
    impl Drop for Extracted {
        fn drop(&mut self) {
            // A temporary directory that cannot be removed does no harm.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
    let directory = std::env::temp_dir().join(format!("ferroform-dist-{}", std::process::id()));
    fs::create_dir(&directory).map_err(DistError::file(&directory))?;
    let directory = Extracted(directory);
    let file = File::open(archive).map_err(DistError::file(archive))?;
    let mut zip = ZipArchive::new(BufReader::new(file)).map_err(DistError::file(archive))?;
    zip.extract(&directory.0).map_err(DistError::file(archive))?;
    Ok(run(&directory.0.join(name)))
}

/// True if the name is a relative path without `..`, with Unix or Windows separators.
fn is_inside(name: &str) -> bool {
    let is_absolute = name.starts_with(['/', '\\']) || name.contains(':');
    !is_absolute && !name.split(['/', '\\']).any(|it| it == "..") && !name.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_reproducible_and_contain_an_executable_file() {
        let directory = tempfile::tempdir().unwrap();
        let [binary, first, second] =
            ["binary", "first.zip", "second.zip"].map(|it| directory.path().join(it));
        std::fs::write(&binary, "content ".repeat(1_000)).unwrap();
        let files = [("terraform-provider-a_v1.0.0".to_owned(), binary.clone())];
        write(&first, &files).unwrap();
        File::open(&binary).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        write(&second, &files).unwrap();
        let (first_content, second_content) =
            (std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
        assert!(first_content == second_content && first_content.len() < 1_000);
        let binary_content = check(&first, "terraform-provider-a_v1.0.0").unwrap();
        assert_eq!(binary_content, std::fs::read(&binary).unwrap());

        let error = check(&first, "terraform-provider-a_v2.0.0").unwrap_err();
        assert_eq!(error.kind, DistErrorKind::Verification);
        let expected = "expected the file terraform-provider-a_v2.0.0, found terraform-provider-a_v1.0.0";
        assert_eq!(error.to_string(), format!("{}: {expected}", first.display()));

        // A byte of the compressed content differs.
        let mut damaged = first_content;
        damaged[70] ^= 1;
        std::fs::write(&first, damaged).unwrap();
        assert_eq!(check(&first, "terraform-provider-a_v1.0.0").unwrap_err().kind, DistErrorKind::File);
        assert_eq!(check(&binary, "a").unwrap_err().kind, DistErrorKind::File);
    }

    #[test]
    fn files_of_directory_are_added() {
        let directory = tempfile::tempdir().unwrap();
        let [included, archive] = ["included", "archive.zip"].map(|it| directory.path().join(it));
        assert_eq!(files_in(&included).unwrap_err().kind, DistErrorKind::File);
        fs::create_dir(&included).unwrap();
        for name in ["cloud-go", "NOTICE.txt"] {
            fs::write(included.join(name), name).unwrap();
        }
        write(&archive, &files_in(&included).unwrap()).unwrap();
        let zip = ZipArchive::new(File::open(&archive).unwrap()).unwrap();
        let names: Vec<_> = zip.file_names().flatten().collect();
        assert_eq!(names, ["NOTICE.txt", "cloud-go"]);

        fs::create_dir(included.join("directory")).unwrap();
        let error = files_in(&included).unwrap_err();
        assert_eq!(error.kind, DistErrorKind::Package);
        assert!(error.to_string().ends_with("only files with names in UTF-8 can be included"), "{error}");
    }

    #[test]
    fn empty_and_plain_files_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let [binary, archive] = ["binary", "archive.zip"].map(|it| directory.path().join(it));
        std::fs::write(&binary, "").unwrap();
        write(&archive, &[("a".to_owned(), binary)]).unwrap();
        assert!(check(&archive, "a").unwrap_err().to_string().ends_with("the file a is empty"));

        let mut writer = ZipWriter::new(File::create(&archive).unwrap());
        writer.start_file("a", SimpleFileOptions::default().unix_permissions(0o644)).unwrap();
        writer.write_all(b"content").unwrap();
        writer.finish().unwrap();
        assert!(check(&archive, "a").unwrap_err().to_string().ends_with("the file a is not executable"));
    }

    #[test]
    fn entries_outside_the_directory_and_links_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let archive = directory.path().join("archive.zip");
        for (name, is_rejected) in [
            ("../../evil", true),
            ("docs/../../evil", true),
            ("/etc/evil", true),
            ("..\\evil", true),
            ("C:\\evil", true),
            ("docs/LICENSE", false),
            ("a..b", false),
        ] {
            let mut writer = ZipWriter::new(File::create(&archive).unwrap());
            for name in ["a", name] {
                writer.start_file(name, SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
                writer.write_all(b"content").unwrap();
            }
            writer.finish().unwrap();
            let result = check(&archive, "a");
            assert_eq!(result.is_err(), is_rejected, "{name}");
            if let Err(error) = result {
                assert_eq!(error.kind, DistErrorKind::Verification);
                let expected =
                    format!("archive entry {name:?} would be extracted outside the provider directory");
                assert_eq!(error.to_string(), format!("{}: {expected}", archive.display()));
            }
        }

        let mut writer = ZipWriter::new(File::create(&archive).unwrap());
        writer.add_symlink("link", "/etc", SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap();
        let error = check(&archive, "a").unwrap_err().to_string();
        assert!(error.ends_with("archive entry \"link\" is neither a file nor a directory"), "{error}");
    }

    #[test]
    fn entries_that_terraform_could_start_instead_of_the_provider_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let [archive, file] = ["archive.zip", "file"].map(|it| directory.path().join(it));
        std::fs::write(&file, "content").unwrap();
        let provider = "terraform-provider-a_v1.0.0";
        for (name, is_rejected) in [
            ("terraform-provider-a", true),
            ("terraform-provider-a_v2.0.0", true),
            ("Terraform-Provider-A_v1.0.0", true),
            ("terraform-provider-a_go", true),
            ("docs/terraform-provider-a", false),
            ("a_go", false),
        ] {
            write(&archive, &[provider, name].map(|it| (it.to_owned(), file.clone()))).unwrap();
            let result = check(&archive, provider);
            assert_eq!(result.is_err(), is_rejected, "{name}");
            if let Err(error) = result {
                assert_eq!(error.kind, DistErrorKind::Verification);
            }
        }
    }
}
