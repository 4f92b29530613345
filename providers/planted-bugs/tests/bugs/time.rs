//! Bugs that involve time: waits, retries and eventual consistency.

use super::prelude::*;

/// The author waits for the status "ready". A note without a size never gets it.
pub mod wait_without_limit {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        size: u64,
    }

    impl Note {
        /// The status that the service returns.
        fn status(&self) -> &'static str {
            if self.size == 0 { "failed" } else { "ready" }
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), size: plan.size };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            loop {
                match cx.provider.notes.get(&id).await?.context("Note Not Found")?.status() {
                    "ready" => return Ok(NoteComputed { id }),
                    "failed" if !PLANTED => return Err(Diagnostic::error("The Creation Failed").into()),
                    _ => cx.clock().sleep(Duration::from_secs(5)).await,
                }
            }
        }

        correct!(read);
        correct!(update size);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::MethodEnds];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { size = 1 });
            note.apply(config! { size = 2 });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! { size = 0 }).error();
            note.destroy();
        }
    }
}

/// A request that the service rejects because of its rate limit is repeated forever.
pub mod retry_without_limit {
    use super::*;
    use ferroform::wait::{Retry, RetryError};

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let body = json!({ "title": plan.title });
            let attempt = async || {
                let response = cx.provider.notes.send("POST", "", &body).await?;
                match response.status {
                    429 => Err(RetryError::transient(Diagnostic::error("Too Many Requests"))),
                    201 => Ok(response.body["id"].as_str().unwrap_or_default().to_owned()),
                    _ => Err(Diagnostic::error("Cannot Create the Note").into()),
                }
            };
            let id = if PLANTED {
                loop {
                    match attempt().await {
                        Ok(id) => break id,
                        Err(RetryError::Permanent(errors)) => return Err(errors),
                        Err(_) => cx.clock().sleep(Duration::from_secs(1)).await,
                    }
                }
            } else {
                Retry::new("create the note").run(cx, attempt).await?
            };
            cx.checkpoint_at(path!(id), &id);
            let note = Note { id: String::new(), title: plan.title };
            cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::MethodEnds];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            service.unwrap().inject(Fault::status(429).always());
            harness.resource("cloud_note").try_apply(config! { title = "a" }).error();
        }
    }
}

/// The wait for a large note blocks its thread.
pub mod wait_blocks_thread {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        size: u64,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), size: plan.size };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            // The service needs a second for each hundred units.
            let wait = Duration::from_secs((plan.size / 100).min(5));
            if PLANTED {
                std::thread::sleep(wait);
            } else {
                cx.sleep(wait).await?;
            }
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::MethodEnds];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { size = 1 });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").apply(config! { size = 500 });
        }
    }
}

/// Reads of the service lag behind writes. The first read after the creation finds nothing, so the next plan creates a second
/// note.
pub mod read_finds_nothing_after_create {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            if !PLANTED {
                cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            }
            Ok(NoteComputed { id })
        }

        correct!(read);

        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::StaleReadsConverge, Invariant::RefreshIsIdempotent];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            service.unwrap().lag(3);
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            assert!(note.exists());
            note.destroy();
        }
    }
}

/// `create` reads the note once to get the revision, and fails if the read lags behind.
pub mod create_reads_once {
    use super::*;
    use ferroform::wait::Wait;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
        #[attr(computed, use_state_for_unknown)]
        #[serde(default)]
        revision: u64,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title, revision: 0 };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            let wait = Wait::new("the note").target(["readable"]).max_not_found(if PLANTED { 0 } else { 20 });
            let note = wait
                .run(cx, async || Ok(cx.provider.notes.get(&id).await?.map(|note| ("readable", note))))
                .await?;
            Ok(NoteComputed { id, revision: note.revision })
        }

        correct!(read);

        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::StaleReadsConverge, Invariant::RefreshIsIdempotent];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            service.unwrap().lag(3);
            harness.resource("cloud_note").apply(config! { title = "a" });
        }
    }
}
