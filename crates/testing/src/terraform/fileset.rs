//! The function `fileset`: the files in a directory that match a pattern.

use std::fs;
use std::path::Path;

/// Returns the paths of the files in a directory and its subdirectories that match a pattern, sorted.
pub(crate) fn fileset(directory: &Path, pattern: &str) -> Vec<String> {
    let patterns: Vec<Vec<String>> =
        alternatives(pattern).iter().map(|it| it.split('/').map(str::to_owned).collect()).collect();
    let mut found = Vec::new();
    collect(directory, &mut Vec::new(), &mut |path| {
        if patterns.iter().any(|it| matches_path(it, path)) {
            found.push(path.join("/"));
        }
    });
    found.sort();
    found
}

/// Calls a function with the path of each file below a directory.
fn collect(directory: &Path, path: &mut Vec<String>, found: &mut dyn FnMut(&[String])) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        path.push(entry.file_name().to_string_lossy().into_owned());
        if entry.path().is_file() {
            found(path);
        } else if entry.file_type().is_ok_and(|it| it.is_dir()) {
            collect(&entry.path(), path, found);
        }
        path.pop();
    }
}

/// Expands `{a,b}` in a pattern.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![pattern.to_owned()] };
    let all = inside.split(',').flat_map(|it| alternatives(&format!("{before}{it}{after}")));
    all.collect()
}

/// True if the names of a path match a pattern, in which `**` matches any number of directories.
fn matches_path(pattern: &[String], path: &[String]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((first, rest)) if first == "**" => {
            (0..=path.len()).any(|skipped| matches_path(rest, &path[skipped..]))
                || rest.is_empty() && !path.is_empty()
        }
        Some((first, rest)) => path.split_first().is_some_and(|(name, inside)| {
            let (first, name): (Vec<char>, Vec<char>) = (first.chars().collect(), name.chars().collect());
            matches_name(&first, &name) && matches_path(rest, inside)
        }),
    }
}

/// True if a name matches a pattern with `*`, `?` and classes such as `[a-z]` or `[^a]`.
fn matches_name(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], name) => name.is_empty(),
        (['*', rest @ ..], name) => (0..=name.len()).any(|skipped| matches_name(rest, &name[skipped..])),
        (['[', rest @ ..], [character, inside @ ..]) => {
            let Some(end) = rest.iter().position(|it| *it == ']') else { return false };
            is_in_class(&rest[..end], *character) && matches_name(&rest[end + 1..], inside)
        }
        (['\\', first, rest @ ..], [character, inside @ ..]) => {
            first == character && matches_name(rest, inside)
        }
        ([first, rest @ ..], [character, inside @ ..]) => {
            (*first == '?' || first == character) && matches_name(rest, inside)
        }
        (_, []) => false,
    }
}

fn is_in_class(class: &[char], character: char) -> bool {
    let (class, is_negated) = match class {
        ['^' | '!', rest @ ..] => (rest, true),
        class => (class, false),
    };
    let mut rest = class;
    let mut found = false;
    while let [first, after @ ..] = rest {
        (found, rest) = match after {
            ['-', last, after @ ..] => (found || (*first..=*last).contains(&character), after),
            _ => (found || *first == character, after),
        };
    }
    found != is_negated
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
            let path: Vec<String> = path.split('/').map(str::to_owned).collect();
            let patterns = alternatives(pattern);
            let mut patterns = patterns.iter().map(|it| it.split('/').map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(patterns.any(|it| matches_path(&it, &path)), expected, "{pattern} {path:?}");
        }
    }
}
