//! Bugs in data sources and list resources.

use super::prelude::*;

/// Declares a provider with a list resource of notes. The tests create `$few` notes and `$many` notes.
macro_rules! list_bug {
    ([$($violated:ident),*], $few:literal, $many:literal, $service:expr) => {
        impl Bug for Cloud {
            const VIOLATES: &[Invariant] = &[$(Invariant::$violated),*];

            fn service() -> Option<Service> {
                $service
            }

            fn lifecycle(harness: &Harness) {
                create_and_list(harness, $few);
            }

            fn expose_bug(harness: &Harness, _: Option<&Service>) {
                create_and_list(harness, $many);
            }
        }
    };
}

/// Creates notes, and compares them with the listed ones.
fn create_and_list(harness: &Harness, number: usize) {
    let mut created = BTreeSet::new();
    for index in 0..number {
        let mut note = harness.resource("cloud_note");
        note.apply(config! { title = index.to_string() });
        created.insert(note.state().get::<String>(path!(id)));
    }
    let listed = harness.list_resource("cloud_note").list(config! {});
    assert_eq!(listed.len(), number);
    assert_eq!(
        listed.iter().map(|it| it.identity().get::<String>(path!(id))).collect::<BTreeSet<_>>(),
        created
    );
}

/// Only the first page is read. The author's test has fewer notes than a page.
pub mod pagination_loses_objects {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown, identity)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Notes {}

    impl ListResource for Notes {
        type Resource = Note;

        async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
            let mut path = String::new();
            loop {
                let page = cx.provider.notes.request("GET", &path, &Value::Null).await?;
                let notes: Vec<Note> =
                    serde_json::from_value(page["items"].clone()).context("Invalid Page")?;
                for note in notes {
                    let title = note.title.clone();
                    cx.send(cx.listed(note, title)?).await?;
                }
                match page["next_page_token"].as_str() {
                    Some(token) if !PLANTED => path = format!("?page_token={token}"),
                    _ => return Ok(()),
                }
            }
        }
    }

    cloud_over_http! { resource Note = "cloud_note", list_resource Notes = "cloud_note" }

    fn paginated_api() -> Service {
        let service = crate::notes_api();
        service.collection("/notes").pagination(Pagination::page_token(2));
        service
    }

    list_bug! { [ListReturnsEachObject], 2, 5, Some(paginated_api()) }
}

/// The next page begins with the last note of the page before.
pub mod pagination_repeats_objects {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown, identity)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Notes {}

    impl Cloud {
        /// The service: at most three notes, beginning with the ID.
        async fn page(&self, from: &str) -> Vec<Note> {
            let notes = self.notes.request().await;
            let notes = notes.range(from.to_owned()..).take(3);
            notes.map(|(id, note)| Note { id: id.clone(), ..note.clone() }).collect()
        }
    }

    impl ListResource for Notes {
        type Resource = Note;

        async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
            let mut from = String::new();
            loop {
                let page = cx.provider.page(&from).await;
                let is_last = page.len() < 3;
                for note in page {
                    if note.id == from && !PLANTED {
                        continue;
                    }
                    from = note.id.clone();
                    let title = note.title.clone();
                    cx.send(cx.listed(note, title)?).await?;
                }
                if is_last {
                    return Ok(());
                }
            }
        }
    }

    cloud_in_memory! { resource Note = "cloud_note", list_resource Notes = "cloud_note" }

    list_bug! { [ListReturnsEachObject], 2, 4, None }
}

/// The list ends with a page that is not full. After the last page, the service returns the last page again.
pub mod list_never_ends {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown, identity)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Notes {}

    impl Cloud {
        /// The service: a page of two notes, and the number of all notes.
        async fn page(&self, number: usize) -> (Vec<Note>, usize) {
            let notes = self.notes.request().await;
            let last = notes.len().saturating_sub(1) / 2;
            let page = notes.iter().skip(number.min(last) * 2).take(2);
            (page.map(|(id, note)| Note { id: id.clone(), ..note.clone() }).collect(), notes.len())
        }
    }

    impl ListResource for Notes {
        type Resource = Note;

        async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
            for number in 0.. {
                let (page, total) = cx.provider.page(number).await;
                let is_last = if PLANTED { page.len() < 2 } else { (number + 1) * 2 >= total };
                for note in page {
                    let title = note.title.clone();
                    cx.send(cx.listed(note, title)?).await?;
                }
                if is_last {
                    break;
                }
            }
            Ok(())
        }
    }

    cloud_in_memory! { resource Note = "cloud_note", list_resource Notes = "cloud_note" }

    list_bug! { [ListReturnsEachObject, MethodEnds], 3, 4, None }
}

/// The data source searches only the first page. The author's test has fewer notes than a page.
pub mod data_source_reads_first_page {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct NoteByTitle {
        title: String,
        #[attr(computed)]
        id: String,
    }

    impl DataSource for NoteByTitle {
        type Provider = Cloud;

        async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<NoteByTitleComputed> {
            let mut path = String::new();
            loop {
                let page = cx.provider.notes.request("GET", &path, &Value::Null).await?;
                let notes: Vec<Note> =
                    serde_json::from_value(page["items"].clone()).context("Invalid Page")?;
                if let Some(note) = notes.into_iter().find(|it| it.title == args.title) {
                    return Ok(NoteByTitleComputed { id: note.id });
                }
                let token = page["next_page_token"].as_str().filter(|_| !PLANTED);
                path = format!("?page_token={}", token.context("Note Not Found")?);
            }
        }
    }

    cloud_over_http! { resource Note = "cloud_note", data_source NoteByTitle = "cloud_note_by_title" }

    fn find_last(harness: &Harness, count: usize) {
        let mut note = harness.resource("cloud_note");
        for index in 0..count {
            note = harness.resource("cloud_note");
            note.apply(config! { title = index.to_string() });
        }
        let title = (count - 1).to_string();
        let found = harness.data_source("cloud_note_by_title").read(config! { title = title });
        assert_eq!(found.get::<String>(path!(id)), note.state().get::<String>(path!(id)));
    }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DataSourceFindsEachObject];

        fn service() -> Option<Service> {
            let service = crate::notes_api();
            drop(service.collection("/notes").pagination(Pagination::page_token(5)));
            Some(service)
        }

        fn lifecycle(harness: &Harness) {
            find_last(harness, 3);
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            find_last(harness, 7);
        }
    }
}

/// The data source lists only the first notes. The author's test has fewer notes.
pub mod data_source_returns_first_notes {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct AllNotes {
        #[attr(computed)]
        ids: Vec<String>,
    }

    impl DataSource for AllNotes {
        type Provider = Cloud;

        async fn read(cx: &DataCx<Self>, _: Args<Self>) -> Result<AllNotesComputed> {
            let count = if PLANTED { 10 } else { usize::MAX };
            let ids = cx.provider.notes.request().await.keys().take(count).cloned().collect();
            Ok(AllNotesComputed { ids })
        }
    }

    cloud_in_memory! { resource Note = "cloud_note", data_source AllNotes = "cloud_notes" }

    fn create_and_read(harness: &Harness, count: usize) {
        for index in 0..count {
            harness.resource("cloud_note").apply(config! { title = index.to_string() });
        }
        let found = harness.data_source("cloud_notes").read(config! {});
        assert_eq!(found.get::<Vec<String>>(path!(ids)).len(), count);
    }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DataSourceFindsEachObject];

        fn lifecycle(harness: &Harness) {
            create_and_read(harness, 2);
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            create_and_read(harness, 11);
        }
    }
}

/// Each read of the data source takes the next port, so a plan after an apply has another value.
pub mod data_source_depends_on_call_order {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct FreePort {
        first: u64,
        #[attr(computed)]
        port: u64,
    }

    impl DataSource for FreePort {
        type Provider = Cloud;

        async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<FreePortComputed> {
            let used = if PLANTED { cx.provider.used.fetch_add(1, Ordering::Relaxed) } else { 0 };
            Ok(FreePortComputed { port: args.first.saturating_add(used) })
        }
    }

    #[derive(Default)]
    pub struct Cloud {
        used: AtomicU64,
    }

    ferroform_testing::provider! { impl Cloud { data_source FreePort = "cloud_free_port" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DataSourceIsDeterministic];

        fn lifecycle(harness: &Harness) {
            let port = harness.data_source("cloud_free_port").read(config! { first = 80 });
            assert_eq!(port.get::<u64>(path!(port)), 80);
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let ports = harness.data_source("cloud_free_port");
            assert_eq!(ports.read(config! { first = 80 }), ports.read(config! { first = 80 }));
        }
    }
}

/// The order of a hash set is random. The author's test has one name.
pub mod data_source_has_hash_order {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Unique {
        names: Vec<String>,
        #[attr(computed)]
        unique: Vec<String>,
    }

    impl DataSource for Unique {
        type Provider = Cloud;

        async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<UniqueComputed> {
            let unique: HashSet<String> = args.names.into_iter().collect();
            let mut unique: Vec<String> = unique.into_iter().collect();
            if !PLANTED {
                unique.sort();
            }
            Ok(UniqueComputed { unique })
        }
    }

    ferroform_testing::provider! { pub Cloud { data_source Unique = "cloud_unique" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DataSourceIsDeterministic];

        fn lifecycle(harness: &Harness) {
            let unique = harness.data_source("cloud_unique").read(config! { names = ["a", "a"] });
            assert_eq!(unique.get::<Vec<String>>(path!(unique)), ["a"]);
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let names = || config! { names = ["a", "b", "c", "d", "e", "f", "g", "h"] };
            let unique = harness.data_source("cloud_unique");
            assert_eq!(unique.read(names()), unique.read(names()));
        }
    }
}
