//! Bugs in `delete`.

use super::prelude::*;

/// A note that another program has deleted cannot be destroyed.
pub mod delete_is_not_idempotent {
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

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            let existed = cx.provider.notes.remove(&state.id).await?;
            if PLANTED && !existed {
                return Err(Diagnostic::error("Note Not Found").into());
            }
            Ok(())
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DeleteIsIdempotent];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(_: &Harness, _: Option<&Service>) {
            // A read before the deletion would notice that the note does not exist.
            let cx = ApplyCx::<Note>::detached(Cloud::default(), Clock::test());
            let note = Note { id: "n-1".to_owned(), title: "a".to_owned() };
            crate::run(Note::delete(&cx, note)).unwrap();
        }
    }
}

/// If the request fails, the note is no longer in the state.
pub mod delete_error_is_swallowed {
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

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            let deleted = cx.provider.notes.remove(&state.id).await;
            if !PLANTED {
                deleted?;
            }
            Ok(())
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedDeleteKeepsState, Invariant::DestroyRemovesObject];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            service.unwrap().inject(Fault::status(500).when(|it| it.method == "DELETE"));
            note.try_destroy().error();
            assert!(note.exists());
            note.destroy();
        }
    }
}

/// `delete` deletes every note with the title. With `create_before_destroy`, that includes the replacement.
pub mod delete_removes_the_replacement {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        #[attr(requires_replace)]
        region: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title region);
        correct!(read);
        correct!(update title region);

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            let is_deleted =
                |id: &String, note: &Note| if PLANTED { note.title == state.title } else { *id == state.id };
            cx.provider.notes.request().await.retain(|id, note| !is_deleted(id, note));
            Ok(())
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ReplacementIsComplete];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            // The old note is deleted before the new one is created.
            note.apply(config! { title = "a", region = "us" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut old = harness.resource("cloud_note");
            old.apply(config! { title = "a", region = "eu" });
            let mut new = harness.resource("cloud_note");
            new.apply(config! { title = "a", region = "us" });
            old.destroy();
            new.refresh();
            assert!(new.exists());
        }
    }
}
