//! Bugs in `update`.

use super::prelude::*;

/// The service cannot move a note to another region, so `update` does not send the region, but a change of it does not
/// require replacement.
pub mod change_is_ignored {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        #[attr(requires_replace_if = is_immutable)]
        region: String,
    }

    fn is_immutable(_: &schema::ValueChange<String>) -> bool {
        !PLANTED
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title region);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title, region: prior.region };
            cx.provider.notes.replace(&prior.id, note).await?;
            Ok(NoteComputed { id: prior.id })
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[
            Invariant::ReplacementIsComplete,
            Invariant::RefreshIsIdempotent,
            Invariant::PlanIsEmptyAfterApply,
        ];

        fn life_cycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            note.apply(config! { title = "b", region = "eu" });
            note.destroy();
        }

        fn trouble(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            note.apply(config! { title = "a", region = "us" });
        }
    }
}

/// The service replaces the note with the body of a `PUT` request, but the request contains only what the author had in
/// mind. The author's test has no comment.
pub mod update_resets_omitted_attribute {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        comment: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title comment);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let mut body = json!({ "title": plan.title });
            if !PLANTED {
                body["comment"] = json!(plan.comment);
            }
            cx.provider.notes.request("PUT", &format!("/{}", prior.id), &body).await?;
            Ok(NoteComputed { id: prior.id })
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::RefreshIsIdempotent, Invariant::PlanIsEmptyAfterApply];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn life_cycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn trouble(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", comment = "c" });
            note.apply(config! { title = "b", comment = "c" });
        }
    }
}

/// `update` merges the attributes that are set, so an attribute that is removed from the configuration keeps its value.
pub mod removed_value_is_kept {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        comment: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title comment);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let comment = if PLANTED { plan.comment.or(prior.comment) } else { plan.comment };
            let note = Note { id: String::new(), title: plan.title, comment };
            cx.provider.notes.replace(&prior.id, note).await?;
            Ok(NoteComputed { id: prior.id })
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[
            Invariant::RefreshIsIdempotent,
            Invariant::PlanIsEmptyAfterApply,
            Invariant::ReplacementIsComplete,
        ];

        fn life_cycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b", comment = "c" });
            note.apply(config! { title = "b", comment = "d" });
            note.destroy();
        }

        fn trouble(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", comment = "c" });
            note.apply(config! { title = "a" });
        }
    }
}

/// The service cannot change a note, so `update` creates another one and deletes the old one. If the second request fails,
/// nothing refers to the new note.
pub mod orphan_after_failed_update {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        #[attr(computed)]
        id: String,
        title: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title };
            if PLANTED {
                let id = cx.provider.notes.insert(note).await?;
                cx.provider.notes.remove(&prior.id).await?;
                return Ok(NoteComputed { id });
            }
            // If the second request fails, the next read finds nothing, and the next plan creates the note.
            cx.provider.notes.remove(&prior.id).await?;
            Ok(NoteComputed { id: cx.provider.notes.insert(note).await? })
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedUpdateKeepsState];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn life_cycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn trouble(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            service.inject(Fault::status(500).when(|it| it.method != "GET").after(1));
            note.try_apply(config! { title = "b" }).error();
            note.refresh();
            note.apply(config! { title = "b" });
            note.destroy();
            assert!(service.objects().is_empty());
        }
    }
}
