//! Bugs in upgrades, moves and private state.

use super::prelude::*;

/// The upgrade sets an attribute that the old version had already.
pub mod upgrade_drops_data {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct NoteV0 {
        id: String,
        title: String,
        comment: Option<String>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(version = 1, upgrade_from = NoteV0)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        comment: Option<String>,
        #[attr(default = 1)]
        priority: u64,
    }

    impl From<NoteV0> for Note {
        fn from(old: NoteV0) -> Note {
            let comment = if PLANTED { None } else { old.comment };
            Note { id: old.id, title: old.title, comment, priority: 1 }
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title comment priority);
        correct!(read);
        correct!(update title comment priority);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::UpgradeKeepsValues];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", comment = "c" });
            note.destroy();
            note.upgrade_state(0, r#"{ "id": "n-1", "title": "a", "comment": null }"#);
            assert_eq!(note.state().get::<String>(path!(title)), "a");
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.upgrade_state(0, r#"{ "id": "n-1", "title": "a", "comment": "c" }"#);
            assert_eq!(note.state().get::<Option<String>>(path!(comment)), Some("c".to_owned()));
        }
    }
}

/// The upgrade fails for a state without the optional size.
pub mod upgrade_panics_for_null {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct NoteV0 {
        id: String,
        size: Option<String>,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(version = 1, upgrade_from = NoteV0)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        size: Option<u64>,
    }

    impl From<NoteV0> for Note {
        fn from(old: NoteV0) -> Note {
            let size = if PLANTED { Some(old.size.unwrap()) } else { old.size };
            Note { id: old.id, size: size.and_then(|it| it.parse().ok()) }
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create size);
        correct!(read);
        correct!(update size);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::NothingPanics, Invariant::UpgradedStateCanBePlanned];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.upgrade_state(0, r#"{ "id": "n-1", "size": "10" }"#);
            assert_eq!(note.state().get::<u64>(path!(size)), 10);
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").upgrade_state(0, r#"{ "id": "n-1", "size": null }"#);
        }
    }
}

/// The moved state does not contain the ID, so the next read finds nothing.
pub mod move_loses_id {
    use super::*;

    /// The type of notes in an earlier version of the provider.
    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Text {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        text: String,
    }

    impl Resource for Text {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<TextComputed> {
            let note = Note { id: String::new(), title: plan.text };
            Ok(TextComputed { id: cx.provider.notes.insert(&note).await? })
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            Ok(cx.provider.notes.get(&state.id).await?.map(|note| Text { id: state.id, text: note.title }))
        }

        correct!(delete);
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    impl From<Text> for Note {
        fn from(old: Text) -> Note {
            Note { id: if PLANTED { String::new() } else { old.id }, title: old.text }
        }
    }

    impl Resource for Note {
        type Provider = Cloud;

        fn moves(moves: &mut Moves<Self>) {
            moves.from_type::<Text>("cloud_text");
        }

        correct!(create title);
        correct!(read);
        correct!(update title);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note", resource Text = "cloud_text" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::MoveKeepsObject];

        fn lifecycle(harness: &Harness) {
            let mut text = harness.resource("cloud_text");
            text.apply(config! { text = "a" });
            let mut note = harness.resource("cloud_note");
            note.move_from(&text);
            assert_eq!(note.state().get::<String>(path!(title)), "a");
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut text = harness.resource("cloud_text");
            text.apply(config! { text = "a" });
            let mut note = harness.resource("cloud_note");
            note.move_from(&text);
            note.refresh();
            assert!(note.exists());
        }
    }
}

/// `delete` needs a value that only `create` stores, so an imported note cannot be destroyed.
pub mod private_state_is_missing_after_import {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(import = "{id}")]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
    }

    /// Returns the key that the service requires for a deletion, and returns in each response.
    fn deletion_key(id: &str) -> String {
        format!("key of {id}")
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title };
            let id = cx.provider.notes.insert(&note).await?;
            cx.set_private("key", &deletion_key(&id))?;
            Ok(NoteComputed { id })
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some(note) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            if !PLANTED {
                cx.set_private("key", &deletion_key(&state.id))?;
            }
            Ok(Some(Note { id: state.id, ..note }))
        }

        correct!(update title);

        async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
            let key: String = cx.private("key")?.context("Missing Key")?;
            assert_eq!(key, deletion_key(&state.id));
            cx.provider.notes.remove(&state.id).await?;
            Ok(())
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PrivateStateIsSufficient, Invariant::ImportRestoresState];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            let id: String = note.state().get(path!(id));
            assert_eq!(harness.resource("cloud_note").import(&id), note.state());
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            let id: String = note.state().get(path!(id));
            let mut imported = harness.resource("cloud_note");
            imported.import(&id);
            imported.destroy();
        }
    }
}

/// `update` needs a value that only `create` stores, so an imported note cannot be updated. Its title cannot change.
pub mod private_state_is_missing_in_update_after_import {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    #[attr(import = "{id}")]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        title: String,
        text: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title, text: plan.text };
            let id = cx.provider.notes.insert(&note).await?;
            cx.set_private("owner", &"ada".to_owned())?;
            Ok(NoteComputed { id })
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some(note) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            if !PLANTED {
                cx.set_private("owner", &"ada".to_owned())?;
            }
            Ok(Some(Note { id: state.id, ..note }))
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            cx.private::<String>("owner")?.context("Missing Owner")?;
            let note = Note { id: String::new(), title: plan.title, text: plan.text };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id })
        }

        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PrivateStateIsSufficient, Invariant::ImportRestoresState];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "a", text = "b" });
            let id: String = note.state().get(path!(id));
            assert_eq!(harness.resource("cloud_note").import(&id), note.state());
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            let id: String = note.state().get(path!(id));
            let mut imported = harness.resource("cloud_note");
            imported.import(&id);
            imported.apply(config! { title = "a", text = "b" });
        }
    }
}

/// `update` reads private state with another key than the one that `create` and `read` use. The author has not tested an update.
pub mod private_state_has_another_key {
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
            cx.set_private("owner", &"ada".to_owned())?;
            Ok(NoteComputed { id })
        }

        correct!(read);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let key = if PLANTED { "user" } else { "owner" };
            cx.private::<String>(key)?.context("Missing Owner")?;
            let note = Note { id: String::new(), title: plan.title };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id })
        }

        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PrivateStateIsSufficient];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
        }
    }
}

/// `update` sends the revision that `create` has stored, and does not store the new one. The second update fails.
pub mod private_state_is_outdated_after_update {
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
            let id = cx.provider.notes.insert(&(plan.title, 1)).await?;
            cx.set_private("revision", &1_u64)?;
            Ok(NoteComputed { id })
        }

        async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
            let Some((title, revision)) = cx.provider.notes.get(&state.id).await? else { return Ok(None) };
            if !PLANTED {
                cx.set_private("revision", &revision)?;
            }
            Ok(Some(Note { title, ..state }))
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let known: u64 = cx.private("revision")?.context("Missing Revision")?;
            let (_, revision) = cx.provider.notes.get(&prior.id).await?.context("Note Not Found")?;
            if revision != known {
                return Err(Diagnostic::error("Concurrent Change").into());
            }
            cx.provider.notes.replace(&prior.id, &(plan.title, revision + 1)).await?;
            if !PLANTED {
                cx.set_private("revision", &(revision + 1))?;
            }
            Ok(NoteComputed { id: prior.id })
        }

        correct!(delete);
    }

    #[derive(Default)]
    pub struct Cloud {
        /// The titles and the revisions.
        notes: Table<(String, u64)>,
    }

    ferroform_testing::provider! { impl Cloud { resource Note = "cloud_note" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PrivateStateIsSufficient, Invariant::DriftIsDetected];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            for title in ["a", "b", "c"] {
                note.apply(config! { title = title });
            }
        }
    }
}
