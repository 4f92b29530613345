//! Bugs in `create`.

use super::prelude::*;

/// The digest depends on the style too, but the plan predicts it from the text. The author's test changes only the text.
pub mod inconsistent_result {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        text: String,
        #[attr(default = "plain")]
        style: String,
        #[attr(computed)]
        digest: String,
    }

    fn digest(text: &str, style: &str) -> String {
        format!("{style}:{}", text.len())
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
            let mut plan = change.plan;
            if let Some(prior) = change.prior
                && plan.text == Known(prior.text)
                && (PLANTED || plan.style == Known(prior.style))
            {
                plan.digest = Known(prior.digest);
            }
            Ok(plan)
        }

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let digest = digest(&plan.text, &plan.style);
            let note = Note { id: String::new(), text: plan.text, style: plan.style, digest: digest.clone() };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, digest })
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let digest = digest(&plan.text, &plan.style);
            let note = Note { id: String::new(), text: plan.text, style: plan.style, digest: digest.clone() };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id, digest })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ResultMatchesPlan];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { text = "a" });
            note.apply(config! { text = "long" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { text = "a" });
            note.apply(config! { text = "a", style = "bold" });
        }
    }
}

/// The creation consists of two requests. If the second one fails, the state does not contain the note.
pub mod orphan_after_failed_create {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
        #[attr(requires_replace)]
        tags: Vec<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title.clone(), tags: Vec::new() };
            let id = cx.provider.notes.insert(&note).await?;
            if !PLANTED {
                cx.checkpoint_at(path!(id), &id);
            }
            // The service accepts tags for an existing note only.
            let tagged = Note { id: String::new(), title: plan.title, tags: plan.tags };
            cx.provider.notes.replace(&id, &tagged).await?;
            cx.provider.notes.settle(cx, &id, Some(&tagged)).await?;
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedCreateKeepsObject];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", tags = ["x"] });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            service.inject(Fault::status(500).when(|it| it.method == "PUT"));
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! { title = "a", tags = ["x"] }).error();
            assert!(note.is_tainted());
            note.destroy();
            assert!(service.objects().is_empty());
        }
    }
}

/// A note is readable after some seconds. If the creation is canceled while it waits, the state does not contain the note.
pub mod orphan_after_canceled_create {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title };
            let id = cx.provider.notes.insert(&note).await?;
            tracing::debug!("waiting for the note");
            if !PLANTED {
                cx.checkpoint_at(path!(id), &id);
            }
            cx.sleep(Duration::from_secs(5)).await?;
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedCreateKeepsObject];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.stop_at("waiting for the note");
            let mut note = harness.resource("cloud_note");
            note.try_apply(config! { title = "a" }).error();
            assert!(note.is_tainted());
            note.destroy();
        }
    }
}

/// The service accepts several notes with the same title, so a repeated creation results in a second note.
pub mod duplicate_after_repeated_create {
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
            if !PLANTED {
                let notes = cx.provider.notes.request("GET", "", &Value::Null).await?;
                let mut notes = notes.as_array().into_iter().flatten();
                if let Some(note) = notes.find(|it| it["title"] == plan.title) {
                    let import = format!("Import the note with the ID {}.", note["id"]);
                    return Err(Diagnostic::error("Note Already Exists").detail(import).into());
                }
            }
            let note = Note { id: String::new(), title: plan.title };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[];

        fn service() -> Option<Service> {
            let service = Service::start();
            service.collection("/notes");
            Some(service)
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            service.inject(Fault::connection_closed().processed().when(|it| it.method == "POST"));
            harness.resource("cloud_note").try_apply(config! { title = "a" }).error();
            let _ = harness.resource("cloud_note").try_apply(config! { title = "a" });
            assert_eq!(service.objects().len(), 1);
        }
    }
}

/// The client retries every failed request. If only the response to the create request was lost, the service creates a second
/// note.
pub mod duplicate_after_retried_request {
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
            let id = match cx.provider.notes.insert(&note).await {
                Err(_) if PLANTED => cx.provider.notes.insert(&note).await?,
                result => result?,
            };
            cx.checkpoint_at(path!(id), &id);
            cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            Ok(NoteComputed { id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::RepeatedCreateIsSafe];

        fn service() -> Option<Service> {
            let service = Service::start();
            service.collection("/notes");
            Some(service)
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            service.inject(Fault::connection_closed().processed().when(|it| it.method == "POST"));
            let _ = harness.resource("cloud_note").try_apply(config! { title = "a" });
            assert_eq!(service.objects().len(), 1);
        }
    }
}

/// The request omits a size that equals the default of the provider, but the default of the service is another one. The
/// author's test sets the size.
pub mod default_differs_from_service {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(default = 10, requires_replace)]
        size: u64,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let requested = Some(plan.size).filter(|it| !PLANTED || *it != 10);
            let note = Note { id: String::new(), size: requested.unwrap_or(SERVICE_DEFAULT) };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await? })
        }

        correct!(read);
        correct!(delete);
    }

    /// The size of a note that is created without one.
    const SERVICE_DEFAULT: u64 = 20;

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::RefreshIsIdempotent, Invariant::PlanIsEmptyAfterApply];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { size = 1 });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").apply(config! {});
        }
    }
}

/// The prefix of a title that is shorter than three bytes, or that has a character of several bytes, is a panic.
pub mod panic_for_short_title {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
        #[attr(computed, use_state_for_unknown)]
        prefix: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let title = plan.title;
            let prefix = if PLANTED { title[..3].to_owned() } else { title.chars().take(3).collect() };
            let note = Note { id: String::new(), title, prefix: prefix.clone() };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, prefix })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::NothingPanics, Invariant::ValidConfigurationCanBeApplied];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "todo" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").apply(config! { title = "éé" });
        }
    }
}
