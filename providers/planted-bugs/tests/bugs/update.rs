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
            cx.provider.notes.replace(&prior.id, &note).await?;
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

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", region = "eu" });
            note.apply(config! { title = "b", region = "eu" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
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
        #[serde(skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title comment);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let comment = if PLANTED { None } else { plan.comment };
            let sent = Note { id: String::new(), title: plan.title, comment };
            cx.provider.notes.replace(&prior.id, &sent).await?;
            cx.provider.notes.settle(cx, &prior.id, Some(&sent)).await?;
            Ok(NoteComputed { id: prior.id })
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::RefreshIsIdempotent, Invariant::PlanIsEmptyAfterApply];

        fn service() -> Option<Service> {
            Some(crate::notes_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
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
            cx.provider.notes.replace(&prior.id, &note).await?;
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

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b", comment = "c" });
            note.apply(config! { title = "b", comment = "d" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", comment = "c" });
            note.apply(config! { title = "a" });
        }
    }
}

/// An update renames the note and then writes its text. If the second request fails, the state contains the old name, under
/// which the next read finds nothing.
pub mod renamed_note_is_lost {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Note {
        /// The name of the note, which the service uses as the ID.
        #[attr(computed)]
        id: String,
        name: String,
        text: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: plan.name.clone(), name: plan.name, text: plan.text };
            let id = cx.provider.notes.insert(&note).await?;
            cx.checkpoint_at(path!(id), &id);
            cx.provider.notes.settle(cx, &id, Some(&note)).await?;
            Ok(NoteComputed { id })
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: plan.name.clone(), name: plan.name, text: plan.text };
            if prior.id != note.id {
                let path = format!("/{}/rename", encode(&prior.id));
                cx.provider.notes.request("POST", &path, &json!({ "name": note.name })).await?;
                if !PLANTED {
                    cx.checkpoint_at(path!(id), &note.id);
                }
            }
            cx.provider.notes.replace(&note.id, &note).await?;
            cx.provider.notes.settle(cx, &note.id, Some(&note)).await?;
            Ok(NoteComputed { id: note.id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_over_http! { resource Note = "cloud_note" }

    /// Renames a note.
    fn rename(service: &Service, request: &Request) -> Option<Response> {
        let id = request.path.strip_prefix("/notes/")?.strip_suffix("/rename")?;
        let notes = service.collection("/notes");
        let name = request.body["name"].clone();
        if notes.get(name.as_str()?).is_some() {
            return Some(Response::new(409, Value::Null));
        }
        let Some(mut note) = notes.remove(&decode(id)) else { return Some(Response::new(404, Value::Null)) };
        note.extend([("id".to_owned(), name.clone()), ("name".to_owned(), name)]);
        notes.insert(note);
        Some(Response::new(204, Value::Null))
    }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::FailedUpdateKeepsState];

        fn service() -> Option<Service> {
            let service = Service::start();
            service.collection("/notes").key("id");
            service.route(rename);
            Some(service)
        }

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { name = "a", text = "x" });
            note.apply(config! { name = "b", text = "y" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { name = "a", text = "x" });
            service.unwrap().inject(Fault::status(500).when(|it| it.method == "PUT"));
            note.try_apply(config! { name = "b", text = "y" }).error();
            note.refresh();
            assert!(note.exists());
            note.apply(config! { name = "b", text = "y" });
            note.destroy();
        }
    }
}
