//! Providers with one planted bug each, as an author makes it by mistake, and their corrections.
//!
//! `lifecycle` is a test that an author typically writes, and it passes in spite of the bug. `expose_bug` is a sequence that fails with
//! the bug, and passes with the correction.
//!
//! `check_provider` must find each bug, and nothing in the corrected provider, except for bugs that only their author can know:
//!
//! | bug | why `check_provider` does not find it |
//! |---|---|
//! | `duplicate_after_repeated_create` | many services store several objects with the same title, such as machines, and want them |
//!
//! Other bugs cannot be planted, because they do not compile, or because Ferroform prevents them:
//!
//! | bug | prevented by |
//! |---|---|
//! | a configured value changes during create or update | the methods return the computed part only |
//! | a computed value is missing or unknown after apply | the computed part has a field of a plain type for each value |
//! | unknown is taken for null in `create`, `update` and `read` | `Planned` and the model have no unknown values for inputs |
//! | a change without an `update` method is ignored | every change requires replacement |
//! | a write-only value is stored | the engine removes it from plans and states |
//! | a float with more than 53 bits is planned, but never applied | the plan and the state of an `f64` keep all digits of the configuration |
//! | an integer is truncated to the type of the field | an integer out of range is an error |
//! | set elements are reordered or duplicated | a `BTreeSet` has one order |
//! | a secret of the configuration in a diagnostic or a progress message | the engine masks it, in many encodings |
//! | a secret of an ephemeral resource, or of its private data, in the error of `renew` or `close` | the engine masks it |
//! | a list resource ignores the limit | `send` ends the method |
//! | a list resource with another identity than the resource | `listed` computes it as for the resource |
//! | private state lost in a move within a provider | the engine carries it over |
//! | a schema version without an upgrade | a compile error |
//! | a panic that ends the process and the other operations | the engine catches it in each method |
//! | a renewal without `renew` | the resource is closed, with an error |

#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::duplicate_mod,
    clippy::unwrap_used,
    reason = "test code"
)]

mod backend;
mod corrected;
#[path = "../../../crates/testing/tests/http_client/mod.rs"]
mod http_client;
mod planted;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ferroform::Provider;
use ferroform_testing::mock::Service;
use ferroform_testing::{Configuration, Harness, ProviderCheck, ViolationReport, config};

pub use ferroform_testing::Invariant;

/// A provider with a planted bug.
pub trait Bug: Provider {
    /// The invariants that the bug violates. `check_provider` reports one of them. Empty if it cannot find the bug.
    const VIOLATES: &'static [Invariant];

    /// The HTTP API of the provider, if it has one.
    fn service() -> Option<Service> {
        None
    }

    /// A test that an author typically writes.
    fn lifecycle(harness: &Harness);

    /// A test that fails because of the bug.
    fn expose_bug(harness: &Harness, service: Option<&Service>);
}

/// Returns the configuration of a provider.
fn configuration(service: Option<&Service>) -> Configuration {
    match service {
        Some(service) => config! { endpoint = service.url(), token = "t-secret" },
        None => config! {},
    }
}

/// Runs a test of a provider. Returns the message of the panic if it fails.
fn run_test<B: Bug>(test: impl FnOnce(&Harness, Option<&Service>)) -> Result<(), String> {
    let run = || {
        let service = B::service();
        let harness = Harness::start::<B>(configuration(service.as_ref()));
        let harness = harness.call_timeout(Duration::from_secs(3));
        if let Some(service) = &service {
            service.use_clock(harness.clock());
        }
        test(&harness, service.as_ref());
    };
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().copied().unwrap_or("?").to_owned(),
    })
}

/// Runs a method outside of a harness.
pub fn run<T>(method: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(method)
}

/// An API of notes with unique titles.
pub fn notes_api() -> Service {
    let service = Service::start();
    service.collection("/notes").id("id", |number| format!("n-{number}")).unique("title");
    service
}

/// An API of tokens, each of which is its own ID.
pub fn tokens_api() -> Service {
    let service = Service::start();
    service.collection("/notes").id("id", |number| format!("tok-8f2c91-{number}"));
    service
}

#[track_caller]
fn check<Planted: Bug, Corrected: Bug>() {
    run_test::<Planted>(|harness, _| Planted::lifecycle(harness)).expect("the lifecycle with the bug");
    run_test::<Corrected>(|harness, _| Corrected::lifecycle(harness))
        .expect("the lifecycle with the correction");
    run_test::<Planted>(Planted::expose_bug).expect_err("the sequence that exposes the bug");
    run_test::<Corrected>(Corrected::expose_bug)
        .expect("the sequence that exposes the bug, with the correction");
    let found = find_bug::<Planted>(BUDGET);
    match Planted::VIOLATES {
        [] => assert!(
            found.is_none(),
            "the table of bugs that `check_provider` does not find is outdated: {found:?}"
        ),
        violated => {
            let found = found.or_else(|| find_bug::<Planted>(MAX_BUDGET));
            let found = found.unwrap_or_else(|| panic!("the bug was not found in {MAX_BUDGET:?}"));
            assert!(violated.contains(&found.invariant()), "expected one of {violated:?}: {found}");
        }
    }
    if let Some(report) = find_false_positive::<Corrected>() {
        panic!("false positive: {report}");
    }
}

/// The time in which `check_provider` finds most bugs.
const BUDGET: Duration = Duration::from_secs(2);

/// The time in which it finds all of them, even if the machine has other work.
const MAX_BUDGET: Duration = Duration::from_secs(10);

/// The environment variable with the seconds for each corrected provider. `.ci/run` sets it.
const SECONDS: &str = "FERROFORM_FALSE_POSITIVE_SECONDS";

/// Searches a provider for false positives: briefly with the same sequences each time, or for longer with random ones.
fn find_false_positive<B: Bug>() -> Option<ViolationReport> {
    let (service, seconds) = (B::service(), std::env::var(SECONDS).ok());
    match seconds.map(|it| it.parse().expect("FERROFORM_FALSE_POSITIVE_SECONDS is not a number")) {
        Some(seconds) => check_of::<B>(service.as_ref()).budget(Duration::from_secs(seconds)).find(),
        None => check_of::<B>(service.as_ref()).budget(Duration::from_millis(700)).seed(1).find(),
    }
}

/// Searches a provider for its bug.
fn find_bug<B: Bug>(budget: Duration) -> Option<ViolationReport> {
    let service = B::service();
    check_of::<B>(service.as_ref()).budget(budget).seed(1).find()
}

/// A check of a provider, with control over its service.
fn check_of<B: Bug>(service: Option<&Service>) -> ProviderCheck<B> {
    let check = ProviderCheck::<B>::new().configure(configuration(service));
    match service {
        Some(it) => check.service(it),
        None => check,
    }
}

/// Declares a test for each bug.
macro_rules! bugs {
    ($($file:ident: $($bug:ident)*;)*) => {
        $($(
            #[test]
            fn $bug() {
                check::<planted::bugs::$file::$bug::Cloud, corrected::bugs::$file::$bug::Cloud>();
            }
        )*)*
    };
}

bugs! {
    create:
        inconsistent_result
        orphan_after_failed_create
        orphan_after_canceled_create
        duplicate_after_repeated_create
        duplicate_after_retried_request
        default_differs_from_service
        panic_for_short_title;
    data_and_lists:
        pagination_loses_objects
        pagination_repeats_objects
        list_never_ends
        data_source_reads_first_page
        data_source_returns_first_notes
        data_source_depends_on_call_order
        data_source_has_hash_order;
    delete:
        delete_is_not_idempotent
        delete_error_is_swallowed
        delete_removes_the_replacement;
    functions:
        function_depends_on_time
        function_takes_unknown_for_null;
    normalization:
        empty_list_becomes_null
        name_is_lowercased
        text_is_trimmed
        list_is_sorted
        duplicates_are_removed
        map_keys_are_lowercased
        large_integer_is_rounded
        fraction_is_rounded
        number_is_truncated
        long_text_is_truncated;
    open_and_invoke:
        ephemeral_resource_stays_open
        token_is_created_twice
        renewal_leaves_old_token
        action_swallows_error
        canceled_action_succeeds;
    plan:
        plan_depends_on_time
        plan_has_hash_order
        unknown_is_null_in_plan
        unknown_size_is_updated_in_place;
    read:
        attribute_is_forgotten_in_read
        not_found_is_an_error
        error_is_taken_for_not_found
        import_loses_attribute
        import_requires_optional_account
        identity_drifts;
    secrets:
        secret_in_log
        provider_token_in_error_log
        secret_in_log_of_close
        secret_in_log_of_renew
        secret_in_private_state
        secret_in_state;
    state:
        upgrade_drops_data
        upgrade_panics_for_null
        move_loses_id
        private_state_is_missing_after_import
        private_state_is_missing_in_update_after_import
        private_state_has_another_key
        private_state_is_outdated_after_update;
    state_stores:
        lock_is_taken_twice
        unlock_ignores_lock_id
        lock_error_lacks_id
        state_is_reformatted
        write_deletes_old_state_first
        error_is_taken_for_missing_state
        state_is_cached
        locks_are_listed;
    time:
        wait_without_limit
        retry_without_limit
        wait_blocks_thread
        read_finds_nothing_after_create
        create_reads_once;
    update:
        change_is_ignored
        update_resets_omitted_attribute
        removed_value_is_kept
        renamed_note_is_lost;
    validation:
        unknown_is_null_in_validation
        panic_in_validator
        overflow_in_validation;
}
