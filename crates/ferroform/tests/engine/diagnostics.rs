//! Collections of diagnostics, diagnostic kinds and attribute paths.

use std::future::Future;
use std::time::Duration;

use ferroform::raw::RequestContext;
use ferroform::value::{Path, Step};
use ferroform::wait::{Backoff, Retry, RetryError, Wait};
use ferroform::{Clock, Context, Deferral, Diagnostic, Diagnostics, RequestCx, Result, path, pattern};

fn deferred() -> Diagnostics {
    RequestContext::detached(Clock::test()).defer(Deferral::Other)
}

#[test]
fn equal_diagnostics_are_kept_once() {
    let broken = || Diagnostic::error("Broken").detail("At last.").at(path!(a));
    let warning = || Diagnostic::warning("Warned");
    let mut all = Diagnostics::new();
    assert!(all.is_empty() && !all.has_error());
    all.push(warning());
    assert!(!all.has_error());
    all.extend([broken(), warning(), broken()]);
    assert_eq!((all.len(), all.errors().count(), all.warnings().count()), (2, 1, 1));
    assert!(all.contains(&broken()) && !all.contains(&Diagnostic::error("Broken")));
    // The same diagnostic with another path is a different diagnostic, and an outer path is prepended.
    all.push(broken().at(path!(b)));
    assert_eq!(all.errors().filter_map(|it| it.path.clone()).collect::<Vec<_>>(), [path!(a), path!(b.a)]);
}

/// Duplicates are removed from long lists, also if the paths change afterwards.
#[test]
fn equal_diagnostics_in_a_long_list_are_kept_once() {
    let one = |i: usize| Diagnostic::error("Broken").at(Path::from_iter([Step::Index(i)]));
    let mut all: Diagnostics = (0..100).chain(0..100).map(one).collect();
    assert_eq!(all.len(), 100);
    all = all.at(path!(list));
    all.extend([one(1), one(1).at(path!(list)), one(100)]);
    assert_eq!(all.len(), 102);
    assert_eq!(all.iter().last(), Some(&one(100)));
}

/// Returns the only error of a result.
fn error<T>(result: Result<T>) -> Diagnostic {
    let all: Vec<Diagnostic> = result.err().into_iter().flatten().collect();
    let [one] = all.as_slice() else { panic!("{all:?}") };
    one.clone()
}

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built")
        .block_on(test)
}

/// Returns the names of the predicates that return true.
fn kinds(it: &Diagnostic) -> Vec<&'static str> {
    let all = [
        (it.is_timeout(), "timeout"),
        (it.is_cancellation(), "cancellation"),
        (it.is_not_found(), "not found"),
        (it.is_unexpected_state(), "unexpected state"),
        (it.is_deferral(), "deferral"),
        (it.is_provider_not_configured(), "provider not configured"),
        (it.is_provider_bug(), "provider bug"),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect()
}

#[test]
fn wait_errors_have_kinds() {
    let cx = RequestCx::detached(Clock::test());
    let wait = |state: Option<&'static str>| {
        let wait = Wait::new("the server").pending(["building"]).target(["active"]);
        error(run(wait.run(&cx, async || Ok(state.map(|it| (it, ()))))))
    };
    assert_eq!(kinds(&wait(Some("building"))), ["timeout"]);
    assert_eq!(kinds(&wait(Some("broken"))), ["unexpected state"]);
    assert_eq!(kinds(&wait(None)), ["not found"]);
    let not_found =
        Wait::new("the server").target(["active"]).run_until_gone(&cx, async || Ok(Some(("broken", ()))));
    assert_eq!(kinds(&error(run(not_found))), ["timeout"]);
}

#[test]
fn context_and_retry_keep_the_kind() {
    let cx = RequestCx::detached(Clock::test());
    let interrupted: Result<()> = Err(cx.interrupted());
    let with_context = interrupted.context("Cannot Start").at(path!(name)).context("Cannot Create");
    assert_eq!(kinds(&error(with_context.clone())), ["cancellation"]);
    let attempt = async || with_context.clone().map_err(RetryError::transient);
    let retried = error(run(Retry::new("start")
        .attempts(2)
        .backoff(Backoff::constant(Duration::from_secs(1)))
        .run(&cx, attempt)));
    assert_eq!((kinds(&retried), retried.path), (vec!["cancellation"], Some(path!(name))));
    assert_eq!(kinds(&error(Err::<(), _>(deferred()).context("Later"))), ["deferral"]);
    assert!(
        kinds(&Diagnostic::error("Operation Timed Out")).is_empty(),
        "the summary does not determine the kind"
    );
}

/// Tests compare diagnostics with expected ones, which have no kind.
#[test]
fn diagnostic_equality_ignores_the_kind() {
    let deferral = || error(Err::<(), _>(deferred()));
    let lookalike = || Diagnostic::error(deferral().summary);
    assert_eq!(deferral(), lookalike());
    assert_ne!(deferral(), lookalike().detail("Later."));
    // Code can distinguish the two by kind, so a list contains both.
    let are_deferrals = |list: Diagnostics| list.iter().map(Diagnostic::is_deferral).collect::<Vec<_>>();
    assert_eq!(
        are_deferrals([deferral(), lookalike(), deferral(), lookalike()].into_iter().collect()),
        [true, false]
    );
    let many = (0..100).map(|i| Diagnostic::error(i.to_string()));
    let long: Diagnostics = many.chain([lookalike(), deferral(), lookalike(), deferral()]).collect();
    assert_eq!((long.len(), are_deferrals(long)[100..].to_vec()), (102, vec![false, true]));
}

#[test]
fn path_contains_its_children() {
    let path = path!(disks[1].labels["a b"]);
    assert_eq!(path.parent(), Some(path!(disks[1].labels)));
    assert_eq!(path.last(), Some(&Step::from("a b")));
    assert_eq!((Path::ROOT.parent(), Path::ROOT.last()), (None, None));
    assert_eq!(path!(a).parent(), Some(Path::ROOT));
    assert_eq!(path.to_string(), r#"disks[1].labels["a b"]"#);
}

#[test]
fn path_patterns_are_absolute_or_relative() {
    let path = path!(disks[1].cache.size);
    let at = |pattern: ferroform::Pattern| pattern.at(&path).map(|it| it.to_string());
    assert_eq!(at(pattern!(disks[*].size)), Some("disks[*].size".into()));
    assert_eq!(at(pattern!(super.kind)), Some("disks[1].cache.kind".into()));
    assert_eq!(at(pattern!(super.super.super[*].name)), Some("disks[*].name".into()));
    assert_eq!(at(pattern!(super.super.super.super.name)), Some("name".into()));
    assert_eq!(at(pattern!(super.super.super.super.super.name)), None);
    let relative = pattern!(super.super.kind);
    assert!(relative.is_relative() && !pattern!(kind).is_relative());
    assert_eq!(relative.to_string(), "super.super.kind");
    // `parent` of a relative pattern leads one level up.
    assert_eq!(pattern!(a[*].b).parent().parent(), pattern!(a));
    assert_eq!(pattern!(a).parent().parent().name("b"), pattern!(super.b));
    assert!(!relative.matches(&path), "a relative pattern matches no path");
}
