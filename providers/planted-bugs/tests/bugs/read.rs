//! Bugs in `read`, in imports and identities.

use super::prelude::*;

/// The title comes from the state, so a change outside of Terraform is not detected.
pub mod attribute_is_forgotten_in_read {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title text);
        correct!(update title text);
        correct!(delete);

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some(note) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            if PLANTED {
                return Ok(Some(Note { text: note.text, ..state }));
            }
            Ok(Some(Note { id: state.id, ..note }))
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DriftIsDetected];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", text = "x" });
            note.apply(config! { title = "b", text = "y" });
            note.refresh();
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", text = "x" });
            note.clone().apply(config! { title = "b", text = "x" });
            note.refresh();
            assert_eq!(note.state().get::<String>(path!(title)), "b");
        }
    }
}

/// A note that another program has deleted is an error in each plan. The author's test destroys nothing.
pub mod not_found_is_an_error {
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
        correct!(update title);
        correct!(delete);

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let note = cx.provider.notes.get(&state.id).await?;
            if PLANTED && note.is_none() {
                return Err(Diagnostic::error("Note Not Found").into());
            }
            Ok(note.map(|note| Note { id: state.id, ..note }))
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::DeletionIsDetected, Invariant::DestroyRemovesObject];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            let _ = note.clone().try_destroy();
            note.refresh();
            assert!(!note.exists());
        }
    }
}

/// If the service is not available, the next plan creates all notes again.
pub mod error_is_taken_for_not_found {
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
        correct!(update title);
        correct!(delete);

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let found = cx.provider.notes.get(&state.id).await;
            let note = if PLANTED { found.ok().flatten() } else { found? };
            Ok(note.map(|note| Note { id: state.id, ..note }))
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedReadKeepsState];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.clone().destroy();
            note.refresh();
            assert!(!note.exists());
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            service.unwrap().inject(Fault::status(503));
            note.try_refresh().error();
            assert!(note.exists());
        }
    }
}

/// The region cannot change, so `read` takes it from the state, but after an import the state does not contain it yet.
pub mod import_loses_attribute {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(import = "{id}")]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        #[attr(requires_replace)]
        region: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title region);
        correct!(update title region);
        correct!(delete);

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some(note) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            let region = if PLANTED { state.region } else { note.region };
            Ok(Some(Note { id: state.id, title: note.title, region }))
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ImportRestoresState];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            note.apply(config! { title = "b", region = "us" });
            let id: String = note.state().get(path!(id));
            assert_eq!(harness.resource("cloud_note").import(&id).get::<String>(path!(title)), "b");
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            let id: String = note.state().get(path!(id));
            assert_eq!(harness.resource("cloud_note").import(&id), note.state());
        }
    }
}

/// The identity contains the owner, which an update can change. The author's test changes only the title.
pub mod identity_drifts {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(identity = NoteIdentity)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        owner: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct NoteIdentity {
        id: String,
        account: Option<String>,
    }

    impl Identity<Note> for NoteIdentity {
        fn of(_: &Cloud, note: &Note) -> Result<Self> {
            let account = if PLANTED { note.owner.clone() } else { "main".to_owned() };
            Ok(NoteIdentity { id: note.id.clone(), account: Some(account) })
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title owner);
        correct!(read);
        correct!(update title owner);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::IdentityIsStable];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", owner = "ada" });
            note.apply(config! { title = "b", owner = "ada" });
            note.refresh();
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", owner = "ada" });
            note.apply(config! { title = "a", owner = "grace" });
        }
    }
}

/// The account of an identity is optional, but the import requires it.
pub mod import_requires_optional_account {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(identity = NoteIdentity)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct NoteIdentity {
        id: String,
        account: Option<String>,
    }

    impl Identity<Note> for NoteIdentity {
        fn of(_: &Cloud, note: &Note) -> Result<Self> {
            Ok(NoteIdentity { id: note.id.clone(), account: Some("main".to_owned()) })
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);

        async fn import_by_identity(_: &ReadCx<Self>, identity: NoteIdentity) -> Result<Self> {
            let account = identity.account.or((!PLANTED).then(|| "main".to_owned()));
            match account.context("Missing Account")?.as_str() {
                "main" => Ok(Note { id: identity.id, title: String::new() }),
                _ => Err(Diagnostic::error("Unknown Account").into()),
            }
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ImportRestoresState];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            let id: String = note.state().get(path!(id));
            let mut imported = harness.resource("cloud_note");
            imported.import_by_identity(config! { id = id, account = "main" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            let id: String = note.state().get(path!(id));
            harness.resource("cloud_note").import_by_identity(config! { id = id });
        }
    }
}
