//! Small providers, each with one mistake, and the same providers without it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use ferroform::{
    ApplyCx, Args, Config, EphemeralResource, Function, Known, Model, OpenCx, Opened, OpenedCx, Parameters,
    Planned, ReadCx, RequestCx, Resource, Result, Unknown,
};
use ferroform_testing::{Invariant, ProviderCheck, check_provider, config, provider};

/// The text of each note by its title.
#[derive(Default)]
struct Store(Mutex<BTreeMap<String, String>>);

impl Store {
    fn notes(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Implements a resource with `title` and `text` for a provider that has a `Store`.
macro_rules! resource {
    ($note:ident, $computed:ident of $provider:ident { $($methods:tt)* }) => {
        impl Resource for $note {
            type Provider = $provider;

            async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<$computed> {
                cx.provider.0.notes().insert(plan.title, plan.text);
                Ok($computed {})
            }

            async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
                let text = cx.provider.0.notes().get(&state.title).cloned();
                Ok(text.map(|text| $note { text, ..state }))
            }

            async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<$computed> {
                Self::create(cx, plan).await
            }

            async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
                cx.provider.0.notes().remove(&state.title);
                Ok(())
            }

            $($methods)*
        }
    };
}

#[track_caller]
fn finds<P: ferroform::Provider>(invariant: Invariant) {
    let found = ProviderCheck::<P>::new().seed(1).find();
    let report = found.unwrap_or_else(|| panic!("the violation of {invariant:?} was not found"));
    println!("{report}");
    assert_eq!(report.invariant(), invariant, "{report}");
}

mod validator {
    use super::*;

    #[derive(Default)]
    struct Panicking(Store);

    provider! { impl Panicking { resource Note = "panicking_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace, validate = starts_with_letter)]
        title: String,
        text: String,
    }

    fn starts_with_letter(title: &str) -> Result<(), &'static str> {
        let first = title.chars().next().expect("a title has a letter");
        if first.is_alphabetic() { Ok(()) } else { Err("a title that begins with a letter is required") }
    }

    resource! { Note, NoteComputed of Panicking {} }

    #[test]
    fn panic_in_a_validator_is_reported() {
        finds::<Panicking>(Invariant::InvalidConfigurationIsRejected);
    }
}

mod validation {
    use super::*;

    #[derive(Default)]
    struct Strict(Store);

    provider! { impl Strict { resource Note = "strict_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    resource! { Note, NoteComputed of Strict {
        async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
            match config.text {
                Known(_) => Ok(()),
                Unknown => Err(ferroform::Diagnostic::error("A text is required").at(ferroform::path!(text)).into()),
            }
        }
    } }

    #[test]
    fn validation_that_rejects_unknown_values_is_reported() {
        finds::<Strict>(Invariant::UnknownValuesAreAccepted);
    }
}

mod lock {
    use super::*;

    /// The lock of the service is held during an update.
    #[derive(Default)]
    struct Locking(Store, tokio::sync::Mutex<()>);

    provider! { impl Locking { resource Note = "locking_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Locking;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            cx.provider.0.notes().insert(plan.title, plan.text);
            Ok(NoteComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let text = cx.provider.0.notes().get(&state.title).cloned();
            Ok(text.map(|text| Note { text, ..state }))
        }

        async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let _lock = cx.provider.1.lock().await;
            cx.sleep(Duration::from_secs(1)).await?;
            Self::create(cx, plan).await
        }

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            let _lock = cx.provider.1.lock().await;
            cx.provider.0.notes().remove(&state.title);
            Ok(())
        }
    }

    #[test]
    fn deletion_that_waits_for_the_lock_of_an_update_is_no_violation() {
        check_provider::<Locking>();
    }
}

mod upgrade {
    use super::*;

    #[derive(Default)]
    struct Correct(Store);

    provider! { impl Correct { resource Note = "correct_note" } }

    /// A note, as version 0 stored it.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct NoteV0 {
        title: String,
        text: String,
    }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(version = 1, upgrade_from = NoteV0)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl From<NoteV0> for Note {
        fn from(old: NoteV0) -> Note {
            Note { title: old.title, text: old.text }
        }
    }

    resource! { Note, NoteComputed of Correct {} }

    #[derive(Default)]
    struct Losing(Store);

    provider! { impl Losing { resource LosingNote = "losing_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(version = 1, upgrade_from = NoteV0)]
    struct LosingNote {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl From<NoteV0> for LosingNote {
        fn from(old: NoteV0) -> LosingNote {
            LosingNote { title: old.title, text: String::new() }
        }
    }

    resource! { LosingNote, LosingNoteComputed of Losing {} }

    #[test]
    fn upgrade_that_loses_a_value_is_reported() {
        finds::<Losing>(Invariant::UpgradeKeepsValues);
    }

    #[test]
    fn correct_upgrade_violates_no_invariant() {
        check_provider::<Correct>();
    }
}

mod function {
    use super::*;

    provider! { Clocks { function Age = "age" } }

    /// The age of a file.
    #[derive(Parameters)]
    struct Age {
        /// The time of its creation, in seconds since 1970.
        created: u64,
    }

    impl Function for Age {
        type Output = u64;

        async fn call(self, _: &RequestCx) -> Result<u64> {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
            Ok(now.as_secs().saturating_sub(self.created))
        }
    }

    #[test]
    fn function_that_depends_on_time_is_reported() {
        finds::<Clocks>(Invariant::FunctionIsPure);
    }

    provider! { Words { function Shout = "shout" } }

    /// The text in upper case.
    #[derive(Parameters)]
    struct Shout {
        /// The text.
        text: Option<String>,
    }

    impl Function for Shout {
        type Output = String;

        async fn call(self, _: &RequestCx) -> Result<String> {
            Ok(self.text.unwrap_or_default().to_uppercase())
        }
    }

    #[test]
    fn correct_function_violates_no_invariant() {
        check_provider::<Words>();
    }

    /// The test runs itself in another process, whose output it reads.
    #[test]
    fn summary_names_types_with_unfinished_sequences() {
        const CHILD: &str = "FERROFORM_TEST_PRINTS_SUMMARY";
        if std::env::var_os(CHILD).is_some() {
            return check_provider::<Words>();
        }
        let test = "small::function::summary_names_types_with_unfinished_sequences";
        let mut child = std::process::Command::new(std::env::current_exe().expect("the test program"));
        child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").env("FERROFORM_CHECK_SECONDS", "0");
        let output = child.output().expect("the test program is started");
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let summary = "before all systematic sequences ran for: function shout";
        assert!(output.contains(summary), "{output}");
    }

    #[test]
    fn arguments_with_the_same_abbreviation_are_distinguished() {
        let texts = ["a", "b"].map(|it| "x".repeat(120) + it);
        ProviderCheck::<Words>::new().values("shout", ferroform::path!(text), texts).run();
    }
}

mod lease {
    use super::*;

    #[derive(Default)]
    struct Leases(Mutex<u64>);

    provider! { impl Leases { ephemeral_resource Lease = "leases_lease" } }

    /// A lease.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Lease {
        #[attr(computed)]
        number: u64,
    }

    impl EphemeralResource for Lease {
        type Provider = Leases;
        type Private = u64;

        async fn open(cx: &OpenCx<Self>, _: Args<Self>) -> Result<Opened<Self>> {
            let number = {
                let mut count = cx.provider.0.lock().unwrap_or_else(PoisonError::into_inner);
                *count += 1;
                *count
            };
            // The lease exists, but is not recorded yet.
            cx.sleep(Duration::from_secs(1)).await?;
            Ok(Opened::new(LeaseComputed { number }, number))
        }

        async fn close(_: &OpenedCx<Self>, _: u64) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lease_that_stays_open_is_reported_without_knowledge_of_the_service() {
        finds::<Leases>(Invariant::EphemeralResourceIsClosed);
    }
}

mod blocking {
    use super::*;

    #[derive(Default)]
    struct Blocking(Store);

    provider! { impl Blocking { resource Note = "blocking_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Blocking;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            cx.provider.0.notes().insert(plan.title, plan.text);
            std::thread::sleep(Duration::from_millis(1500));
            Ok(NoteComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            Ok(cx.provider.0.notes().get(&state.title).cloned().map(|text| Note { text, ..state }))
        }

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            cx.provider.0.notes().remove(&state.title);
            Ok(())
        }
    }

    #[test]
    fn method_that_blocks_its_thread_is_reported() {
        finds::<Blocking>(Invariant::MethodEnds);
    }
}

mod lookup {
    use std::sync::atomic::{AtomicU64, Ordering};

    use ferroform::{Args, DataCx, DataSource};

    use super::*;

    /// The notes by ID. All instances of the provider share them.
    static NOTES: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

    fn notes() -> MutexGuard<'static, BTreeMap<String, String>> {
        NOTES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[derive(Default)]
    struct Lookups;

    provider! {
        impl Lookups {
            resource Note = "lookups_note",
            data_source Counted = "lookups_counted",
            data_source Text = "lookups_text",
        }
    }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        text: String,
        #[attr(computed, use_state_for_unknown)]
        id: String,
    }

    impl Resource for Note {
        type Provider = Lookups;

        async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let id = format!("note-{}", COUNT.fetch_add(1, Ordering::Relaxed));
            notes().insert(id.clone(), plan.text);
            Ok(NoteComputed { id })
        }

        async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            Ok(notes().get(&state.id).cloned().map(|text| Note { text, ..state }))
        }

        async fn update(_: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            notes().insert(prior.id.clone(), plan.text);
            Ok(NoteComputed { id: prior.id })
        }

        async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
            notes().remove(&state.id);
            Ok(())
        }
    }

    fn find(id: &str) -> Result<String> {
        notes().get(id).cloned().ok_or_else(|| ferroform::Diagnostic::error("Note Not Found").into())
    }

    /// A note, with a text that differs in each read.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Counted {
        id: String,
        #[attr(computed)]
        text: String,
    }

    impl DataSource for Counted {
        type Provider = Lookups;

        async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<CountedComputed> {
            static READS: AtomicU64 = AtomicU64::new(0);
            Ok(CountedComputed {
                text: format!("{} {}", find(&args.id)?, READS.fetch_add(1, Ordering::Relaxed)),
            })
        }
    }

    /// The text of a note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Text {
        id: String,
        #[attr(computed)]
        text: String,
    }

    impl DataSource for Text {
        type Provider = Lookups;

        async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<TextComputed> {
            Ok(TextComputed { text: find(&args.id)? })
        }
    }

    #[test]
    fn each_data_source_is_read_with_the_id_of_an_existing_object() {
        finds::<Lookups>(Invariant::DataSourceIsDeterministic);
    }
}

mod combination {
    use super::*;

    #[derive(Default)]
    struct Combined(Store);

    provider! { impl Combined { resource Note = "combined_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Combined;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            cx.provider.0.notes().insert(plan.title, plan.text);
            Ok(NoteComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let text = cx.provider.0.notes().get(&state.title).cloned();
            assert!(state.title != "b" || text.as_deref() != Some("b"), "this combination is not supported");
            Ok(text.map(|text| Note { text, ..state }))
        }

        async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            Self::create(cx, plan).await
        }

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            cx.provider.0.notes().remove(&state.title);
            Ok(())
        }
    }

    /// The test runs itself in another process with the seed of the report.
    #[test]
    fn seed_of_a_random_sequence_reproduces_its_violation() {
        const SEED: &str = "FERROFORM_CHECK_SEED";
        let report = ProviderCheck::<Combined>::new().find().expect("a violation").to_string();
        if std::env::var_os(SEED).is_some() {
            panic!("{report}");
        }
        let seed = report.split_once("FERROFORM_CHECK_SEED=").and_then(|(_, it)| it.split(' ').next());
        let test = "small::combination::seed_of_a_random_sequence_reproduces_its_violation";
        let mut child = std::process::Command::new(std::env::current_exe().expect("the test program"));
        child.args(["--exact", test, "--nocapture"]).env(SEED, seed.expect("the report has a seed"));
        let output = child.output().expect("the test program is started");
        let output = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
        assert!(output.contains(&report), "{report}\n\n{output}");
        assert!(output.contains("in 1 sequence\n"), "{output}");
    }
}

mod writes {
    use super::*;

    /// The texts of the notes by their titles, with the number of writes since the last read.
    #[derive(Default)]
    struct Counting(Mutex<BTreeMap<String, (String, usize)>>);

    impl Counting {
        fn write(&self, title: String, text: String) {
            let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let writes = notes.get(&title).map_or(0, |(_, writes)| *writes);
            notes.insert(title, (text, writes + 1));
        }
    }

    provider! { impl Counting { resource Note = "counting_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Counting;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            cx.provider.write(plan.title, plan.text);
            Ok(NoteComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let mut notes = cx.provider.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((text, writes)) = notes.get_mut(&state.title) else { return Ok(None) };
            // The mistake: only one write is expected between two reads.
            let is_found = *writes < 2;
            *writes = 0;
            Ok(is_found.then(|| Note { text: text.clone(), ..state }))
        }

        async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            Self::create(cx, plan).await
        }

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            cx.provider.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.title);
            Ok(())
        }
    }

    #[test]
    fn read_that_loses_an_object_is_reported() {
        finds::<Counting>(Invariant::PrivateStateIsSufficient);
    }
}

mod example {
    use super::*;

    #[derive(Default)]
    struct Drafts(Mutex<BTreeMap<String, Note>>);

    provider! { impl Drafts { resource Note = "drafts_note" } }

    /// A note.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Note {
        #[attr(requires_replace)]
        title: String,
        text: String,
        label: Option<String>,
        color: Option<String>,
    }

    impl Drafts {
        fn notes(&self) -> MutexGuard<'_, BTreeMap<String, Note>> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Resource for Note {
        type Provider = Drafts;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            if plan.label.is_none() {
                return Err(ferroform::Diagnostic::error("A note requires a label").into());
            }
            let Planned::<Self> { title, text, label, color, .. } = plan;
            cx.provider.notes().insert(title.clone(), Note { title, text, label, color });
            Ok(NoteComputed {})
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let found = cx.provider.notes().get(&state.title).cloned();
            // The mistake: the text comes from the state.
            Ok(found.map(|it| Note { text: state.text, ..it }))
        }

        async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            Self::create(cx, plan).await
        }

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            cx.provider.notes().remove(&state.title);
            Ok(())
        }
    }

    #[test]
    fn systematic_sequence_is_shrunk_and_names_its_object_once() {
        let example = config! { title = "a", text = "b", label = "c", color = "red" };
        let check = ProviderCheck::<Drafts>::new().example("drafts_note", example).seed(1);
        let report = check.find().expect("a violation").to_string();
        println!("{report}");
        assert!(report.contains("drift is detected"), "{report}");
        assert!(report.contains("label") && !report.contains("color"), "{report}");
        assert!(report.contains("apply by another program\n"), "{report}");
        assert!(!report.contains("drafts_note.b") && !report.contains("\"drafts_note\" \"b\""), "{report}");
    }
}

mod rejected {
    use std::panic::catch_unwind;
    use std::time::Instant;

    use ferroform::{DataCx, DataSource, Diagnostic, Maybe, Provider, Registry};

    use super::*;

    provider! { Books { data_source Book = "books_book" } }

    /// A book.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Book {
        isbn: String,
        #[attr(computed)]
        title: String,
    }

    impl DataSource for Book {
        type Provider = Books;

        async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<BookComputed> {
            Err(Diagnostic::error("Book Not Found").into())
        }
    }

    #[test]
    fn data_source_without_accepted_configuration_is_reported_before_the_search() {
        let start = Instant::now();
        let report =
            ProviderCheck::<Books>::new().budget(Duration::from_secs(60)).find().expect("a violation");
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(report.invariant(), Invariant::ValidConfigurationCanBeApplied);
        let report = report.to_string();
        println!("{report}");
        assert!(report.contains(".example(\"books_book\", config! { isbn = … })"), "{report}");
        assert!(report.contains("create it in the service"), "{report}");
    }

    struct Remote;

    impl Provider for Remote {
        const ADDRESS: &'static str = "registry.terraform.io/example/remote";
        type Config = ();

        async fn configure(_: &RequestCx, (): Config<()>) -> Result<Maybe<Self>> {
            Err(Diagnostic::error("Endpoint Not Reachable").into())
        }

        fn register(_: &mut Registry<Self>) {}
    }

    #[test]
    fn rejected_provider_configuration_names_the_option() {
        let panic = catch_unwind(check_provider::<Remote>).expect_err("a panic");
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains("Endpoint Not Reachable"), "{message}");
        assert!(message.contains("`ProviderCheck::new().configure("), "{message}");
    }
}
