//! The function `fileset`: the files in a directory that match a pattern.

use std::fs;
use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

/// Returns the paths of the files in a directory and its subdirectories that match a pattern, sorted. `None` if the pattern is
/// invalid.
pub(crate) fn fileset(directory: &Path, pattern: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    // Without `**`, a pattern matches no path with more slashes than the pattern has.
    let depth = if pattern.contains("**") { usize::MAX } else { pattern.matches('/').count() };
    collect(directory, "", depth, &matcher(pattern)?, &mut found);
    found.sort();
    Some(found)
}

/// A matcher in which `*` matches no slash, as in Terraform.
fn matcher(pattern: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
    Some(glob.ok()?.compile_matcher())
}

/// Adds the files below a directory up to a depth. Their paths start with `prefix`.
fn collect(directory: &Path, prefix: &str, depth: usize, matcher: &GlobMatcher, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            if depth > 0 {
                collect(&entry.path(), &format!("{path}/"), depth - 1, matcher, found);
            }
        } else if entry.path().is_file() && matcher.is_match(&path) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_terraform() {
        for (pattern, path, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "d/a.txt", false),
            ("**", "d/e/a.txt", true),
            ("**/*.txt", "a.txt", true),
            ("**/*.txt", "d/e/a.txt", true),
            ("d/**/a.txt", "d/a.txt", true),
            ("{a,b}.t?t", "b.txt", true),
            ("[a-c]*", "dog", false),
            ("[^a-c]*", "dog", true),
            ("\\*", "a", false),
        ] {
            assert_eq!(matcher(pattern).unwrap().is_match(path), expected, "{pattern} {path:?}");
        }
        assert!(matcher("[a").is_none());
    }
}
