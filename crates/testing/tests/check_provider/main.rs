//! `check_provider` finds the mistakes of small providers, and none in correct ones.

mod cloud;
mod linked;
mod notes;
mod small;

use std::panic::catch_unwind;
use std::time::Duration;

use cloud::{Cloud, Mistake};
use ferroform::Attr as _;
use ferroform::value::Value;
use ferroform_testing::{Configuration, Invariant, ProviderCheck, config};

/// A check of the provider with a mistake.
fn cloud(mistake: Option<Mistake>) -> ProviderCheck<Cloud> {
    let mistake = mistake.map(|it| it.to_value());
    let config = match &mistake {
        Some(Value::String(it)) => config! { mistake = it.to_string() },
        _ => Configuration::new(),
    };
    ProviderCheck::new().configure(config).seed(1)
}

#[track_caller]
fn finds(mistake: Mistake, invariant: Invariant) {
    let found = cloud(Some(mistake)).find();
    let report = found.unwrap_or_else(|| panic!("{mistake:?} was not found"));
    println!("{report}");
    assert_eq!(report.invariant(), invariant, "{report}");
}

#[test]
fn correct_provider_violates_no_invariant() {
    cloud(None).run();
}

#[test]
fn example_applies_to_each_object_of_the_name() {
    // The list resource and the data source lack most of these attributes.
    let example = config! { name = "web", size = 2, note = "n" };
    cloud(None).example("cloud_machine", example).budget(Duration::from_millis(1)).run();
    let misspelled = || cloud(None).example("cloud_machine", config! { nmae = "web" }).run();
    let panic = catch_unwind(misspelled).expect_err("a panic");
    assert_eq!(panic.downcast_ref(), Some(&"cloud_machine has no attribute nmae".to_owned()));
}

macro_rules! mistakes {
    ($($name:ident: $mistake:ident violates $invariant:ident;)+) => {$(
        #[test]
        fn $name() {
            finds(Mistake::$mistake, Invariant::$invariant);
        }
    )+};
}

mistakes! {
    drift_that_a_read_ignores_is_reported: TagsAreCopiedFromTheState violates DriftIsDetected;
    creation_without_checkpoint_is_reported: NoCheckpoint violates FailedCreateKeepsObject;
    read_that_rejects_a_missing_object_is_reported: MissingObjectIsAnErrorInRead violates DeletionIsDetected;
    deletion_that_is_not_idempotent_is_reported: MissingObjectIsAnErrorInDelete violates DeleteIsIdempotent;
    canceled_read_that_removes_the_object_is_reported: MissingObjectIsTakenForCanceledRead violates FailedReadKeepsState;
    service_that_normalizes_strings_is_reported: ServiceLowersCase violates NormalizedValuesAreConsistent;
    float_that_loses_digits_is_reported: SizeIsAFloatOf32Bits violates BoundaryValuesRoundTrip;
    empty_string_that_becomes_null_is_reported: EmptyNoteIsNull violates BoundaryValuesRoundTrip;
    list_that_loses_objects_is_reported: ListLosesObjects violates ListReturnsEachObject;
    secret_in_a_log_is_reported: PasswordInLog violates SecretsAreRedacted;
    secret_in_a_log_of_close_is_reported: LeaseInCloseError violates SecretsAreRedacted;
    wait_without_limit_is_reported: WaitWithoutLimit violates MethodEnds;
    cancellation_that_is_ignored_is_reported: CancellationIsIgnored violates MethodEnds;
    private_state_that_an_update_removes_is_reported: PrivateStateIsLostInUpdate violates PrivateStateIsSufficient;
    import_that_loses_an_attribute_is_reported: ImportIsPartial violates ImportRestoresState;
    action_that_swallows_an_error_is_reported: ActionSwallowsErrors violates ActionReportsErrors;
    unknown_value_that_is_taken_for_an_empty_one_is_reported: UnknownIsEmpty violates FinalPlanMatchesPlan;
    data_source_that_depends_on_the_order_is_reported: DataDependsOnOrder violates DataSourceIsDeterministic;
    random_plan_is_reported: PlanIsRandom violates PlanIsDeterministic;
    deletion_of_the_new_object_is_reported: DeletesByName violates ReplacementIsComplete;
}

mod service {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::notes::{Mistake, Notes, Service};

    /// A check of the provider with a service of its own.
    fn notes(mistake: Option<Mistake>) -> ProviderCheck<Notes> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let config = config! { service = number };
        let config = match mistake.map(|it| it.to_value()) {
            Some(Value::String(it)) => config.set("mistake", it.to_string()),
            _ => config,
        };
        ProviderCheck::new().configure(config).service(&Service::number(number)).seed(1)
    }

    #[track_caller]
    fn finds(mistake: Mistake, invariant: Invariant) {
        let found = notes(Some(mistake)).find();
        let report = found.unwrap_or_else(|| panic!("{mistake:?} was not found"));
        println!("{report}");
        assert_eq!(report.invariant(), invariant, "{report}");
    }

    #[test]
    fn correct_provider_violates_no_invariant() {
        notes(None).run();
    }

    #[test]
    fn report_contains_the_fault_of_a_step_that_panics() {
        let report = notes(Some(Mistake::FailedRequestPanics)).find().expect("a violation");
        assert_eq!(report.invariant(), Invariant::NothingPanics, "{report}");
        let text = report.to_string();
        assert!(text.contains("\n     and request 1 of `create` fails with an error"), "{text}");
    }

    mistakes! {
        failed_request_that_removes_the_object_is_reported: FailedRequestIsTakenForMissingObject violates FailedReadKeepsState;
        failed_request_before_the_checkpoint_is_reported: LabelFailsBeforeCheckpoint violates FailedCreateKeepsObject;
        read_that_lags_behind_the_creation_is_reported: CreateReadsOnce violates StaleReadsConverge;
        swallowed_error_of_a_deletion_is_reported: DeleteSwallowsErrors violates FailedDeleteKeepsState;
        lease_that_stays_open_is_reported: LeaseIsNotRecorded violates EphemeralResourceIsClosed;
        action_that_swallows_the_error_of_a_request_is_reported: ActionSwallowsErrors violates ActionReportsErrors;
    }
}
