//! The directory of the documentation: writing pages, and comparing them.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use ferroform_engine::Definition;

use super::kind;
use super::markdown::PAGE_LIMIT;
use super::pages::{MARKER, Pages};

/// The result of a run.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The pages that changed, or that are not up to date.
    pub(super) changes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// Writes the pages that differ, and removes generated pages of types that do not exist anymore.
///
/// No page is written if one of them exists and was not generated.
pub(super) fn write(directory: &Path, pages: &Pages) -> Result<Report, String> {
    let mut report = Report { warnings: too_long(&pages.content), ..Report::default() };
    let mut changed = Vec::new();
    for (name, content) in &pages.content {
        let existing = read(&directory.join(name))?;
        let is_generated = |it: &[u8]| has_marker(it) || pages.from_templates.contains(name);
        if existing.as_ref().is_some_and(|it| it != content && !is_generated(it.as_slice())) {
            let file = directory.join(name);
            return Err(format!(
                "{} exists, but this command has not generated it. Move the file to the directory of the templates, or \
                 delete it.",
                file.display()
            ));
        }
        if existing.as_ref() != Some(content) {
            changed.push((name, content));
        }
    }
    for (name, content) in changed {
        let file = directory.join(name);
        let written =
            file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, content));
        written.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        report.changes.push(format!("wrote {name}"));
    }
    for name in stale(directory, pages)? {
        let file = directory.join(&name);
        fs::remove_file(&file).map_err(|error| format!("cannot remove {}: {error}", file.display()))?;
        report.changes.push(format!("removed {name}"));
    }
    Ok(report)
}

/// Compares the pages with those in the directory.
pub(super) fn check(directory: &Path, pages: &Pages) -> Result<Report, String> {
    let mut report = Report { warnings: too_long(&pages.content), ..Report::default() };
    for (name, content) in &pages.content {
        match read(&directory.join(name))? {
            None => report.changes.push(format!("{name} is missing")),
            Some(existing) if existing != *content => {
                let lines = existing.split(|it| *it == b'\n').zip(content.split(|it| *it == b'\n'));
                let line = 1 + lines.take_while(|(old, new)| old == new).count();
                report.changes.push(format!("{name}:{line} is not up to date"));
            }
            Some(_) => {}
        }
    }
    let stale = stale(directory, pages)?;
    report.changes.extend(stale.iter().map(|it| format!("{it} describes a type that does not exist")));
    Ok(report)
}

fn too_long(pages: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let long = pages.iter().filter(|(name, content)| name.ends_with(".md") && content.len() > PAGE_LIMIT);
    long.map(|(name, it)| format!("{name} has {} bytes, but the registry shows {PAGE_LIMIT}", it.len()))
        .collect()
}

/// Returns the generated pages that are not among the pages, sorted by name.
fn stale(directory: &Path, pages: &Pages) -> Result<Vec<String>, String> {
    let mut stale = Vec::new();
    for &kind in Definition::KINDS {
        let of_kind = kind::directory(kind);
        let path = directory.join(&of_kind);
        let entries = match fs::read_dir(&path) {
            Ok(it) => it,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        };
        for entry in entries {
            let entry = entry.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            let name = format!("{of_kind}/{}", entry.file_name().to_string_lossy());
            let is_page = name.ends_with(".md") && !pages.content.contains_key(&name);
            if is_page && read(&entry.path())?.is_some_and(|it| has_marker(&it)) {
                stale.push(name);
            }
        }
    }
    stale.sort();
    Ok(stale)
}

/// Returns whether this command has generated a page without a template of the provider.
fn has_marker(page: &[u8]) -> bool {
    String::from_utf8_lossy(page).contains(MARKER)
}

/// Reads a page; `None` if it does not exist.
fn read(file: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(file) {
        Ok(it) => Ok(Some(it)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_over_the_limit_of_the_registry_are_reported() {
        let page = |name: &str, length| (name.to_owned(), vec![b'x'; length]);
        let pages = [page("resources/a.md", PAGE_LIMIT), page("resources/b.md", PAGE_LIMIT + 1)].into();
        assert_eq!(too_long(&pages), ["resources/b.md has 500001 bytes, but the registry shows 500000"]);
    }
}
