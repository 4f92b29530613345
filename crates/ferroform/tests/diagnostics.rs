//! Errors and warnings as a list, and the places that they are about.

use ferroform::value::{Path, Step};
use ferroform::{Diagnostic, Diagnostics, path, pattern};

#[test]
fn a_list_holds_each_once() {
    let broken = || Diagnostic::error("Broken").detail("At last.").at(path!(a));
    let odd = || Diagnostic::warning("Odd");
    let mut all = Diagnostics::new();
    assert!(all.is_empty() && !all.has_error());
    all.push(odd());
    assert!(!all.has_error());
    all.extend([broken(), odd(), broken()]);
    assert_eq!((all.len(), all.errors().count(), all.warnings().count()), (2, 1, 1));
    assert!(all.contains(&broken()) && !all.contains(&Diagnostic::error("Broken")));
    // Another place is another one.
    all.push(broken().at(path!(b)));
    assert_eq!(all.errors().filter_map(|it| it.path.clone()).collect::<Vec<_>>(), [path!(a), path!(b)]);
}

/// However many they are, and once their places are others.
#[test]
fn a_long_list_holds_each_once_too() {
    let one = |i: usize| Diagnostic::error("Broken").at(Path::from_iter([Step::Index(i)]));
    let mut all: Diagnostics = (0..100).chain(0..100).map(one).collect();
    assert_eq!(all.len(), 100);
    all = all.at(&path!(list));
    all.extend([one(1), one(1).at(path!(list[1])), one(100)]);
    assert_eq!(all.len(), 102);
    assert_eq!(all.iter().last(), Some(&one(100)));
}

#[test]
fn paths_know_what_holds_them() {
    let place = path!(disks[1].labels["a b"]);
    assert_eq!(place.parent(), Some(path!(disks[1].labels)));
    assert_eq!(place.last(), Some(&Step::from("a b")));
    assert_eq!((Path::ROOT.parent(), Path::ROOT.last()), (None, None));
    assert_eq!(path!(a).parent(), Some(Path::ROOT));
    assert_eq!(place.to_string(), r#"disks[1].labels["a b"]"#);
}

#[test]
fn patterns_are_absolute_or_relative() {
    let place = path!(disks[1].cache.size);
    let at = |pattern: ferroform::Pattern| pattern.at(&place).map(|it| it.to_string());
    assert_eq!(at(pattern!(disks[*].size)), Some("disks[*].size".into()));
    assert_eq!(at(pattern!(super.kind)), Some("disks[1].cache.kind".into()));
    assert_eq!(at(pattern!(super.super.super[*].name)), Some("disks[*].name".into()));
    assert_eq!(at(pattern!(super.super.super.super.name)), Some("name".into()));
    assert_eq!(at(pattern!(super.super.super.super.super.name)), None);
    let relative = pattern!(super.super.kind);
    assert!(relative.is_relative() && !pattern!(kind).is_relative());
    assert_eq!(relative.to_string(), "super.super.kind");
    // Built step by step it goes up where there is something to go up from.
    assert_eq!(pattern!(a[*].b).parent().parent(), pattern!(a));
    assert_eq!(pattern!(a).parent().parent().name("b"), pattern!(super.b));
    assert!(!relative.matches(&place), "nothing matches before it is absolute");
}
