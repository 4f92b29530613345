//! Bugs in `plan`.

use super::prelude::*;

/// The planned expiry depends on the time of the plan. The author's test plans and applies at the same time.
pub mod plan_depends_on_time {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        /// The expiry in seconds since 1970.
        #[attr(computed, use_state_for_unknown)]
        expires_at: u64,
    }

    fn expiry(clock: &Clock) -> u64 {
        let now = clock.system_time().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        now.as_secs() + 3600
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
            let mut plan = change.plan;
            if PLANTED && plan.expires_at.is_unknown() {
                plan.expires_at = Known(expiry(cx.clock()));
            }
            Ok(plan)
        }

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let expires_at = if let Known(planned) = plan.expires_at { planned } else { expiry(cx.clock()) };
            let note = Note { id: String::new(), title: plan.title, expires_at };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, expires_at })
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { title: plan.title, ..prior.clone() };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(prior.into())
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PlanIsDeterministic, Invariant::FinalPlanMatchesPlan];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a" });
            note.apply(config! { title = "b" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            let first = note.plan(config! { title = "a" }).after;
            harness.clock().advance(Duration::from_secs(60));
            assert_eq!(note.plan(config! { title = "a" }).after, first);
        }
    }
}

/// The order of a hash set is random. The author's test has one tag.
pub mod plan_has_hash_order {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        tags: Vec<String>,
        /// The tags without duplicates.
        #[attr(computed, use_state_for_unknown)]
        summary: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
            let mut plan = change.plan;
            if let (true, Known(tags)) = (plan.summary.is_unknown(), &plan.tags) {
                let tags: Option<HashSet<&str>> =
                    tags.iter().map(|it| it.as_known().map(String::as_str)).collect();
                if let Some(tags) = tags {
                    let mut tags: Vec<&str> = tags.into_iter().collect();
                    if !PLANTED {
                        tags.sort();
                    }
                    plan.summary = Known(tags.join(" "));
                }
            }
            Ok(plan)
        }

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let Known(summary) = plan.summary else {
                return Err(Diagnostic::error("Unknown Summary").into());
            };
            let note = Note { id: String::new(), tags: plan.tags, summary: summary.clone() };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, summary })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::PlanIsDeterministic, Invariant::FinalPlanMatchesPlan];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { tags = ["a"] });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.resource("cloud_note").apply(config! { tags = ["a", "b", "c", "d", "e", "f", "g", "h"] });
        }
    }
}

/// An unknown kind counts as omitted, so the plan predicts the price of the standard kind.
pub mod unknown_is_null_in_plan {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        #[attr(requires_replace)]
        kind: Option<String>,
        #[attr(computed, follows(kind))]
        price: u64,
    }

    fn price(kind: Option<&str>) -> u64 {
        kind.map_or(1, |it| 1 + it.len() as u64)
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
            let mut plan = change.plan;
            match &plan.kind {
                Known(kind) => plan.price = Known(price(kind.as_deref())),
                Unknown if PLANTED => plan.price = Known(price(None)),
                Unknown => {}
            }
            Ok(plan)
        }

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let price = price(plan.kind.as_deref());
            let note = Note { id: String::new(), kind: plan.kind, price };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, price })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] =
            &[Invariant::UnknownValuesAreAccepted, Invariant::FinalPlanMatchesPlan];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! {});
            note.apply(config! { kind = "large" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply_once_known(config! { kind = unknown() }, config! { kind = "large" });
        }
    }
}

/// A note cannot shrink, so a smaller size requires replacement. An unknown size can turn out to be smaller, but is planned
/// as an update.
pub mod unknown_size_is_updated_in_place {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        size: u64,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn plan(cx: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
            if let Some(prior) = &change.prior {
                let shrinks = match change.plan.size {
                    Known(size) => size < prior.size,
                    Unknown => !PLANTED,
                };
                if shrinks {
                    cx.requires_replace(path!(size));
                }
            }
            Ok(change.plan)
        }

        correct!(create size);
        correct!(read);
        correct!(update size);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] =
            &[Invariant::UnknownValuesAreAccepted, Invariant::FinalPlanMatchesPlan];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { size = 2 });
            note.apply(config! { size = 3 });
            note.apply(config! { size = 1 });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { size = 2 });
            note.apply_once_known(config! { size = unknown() }, config! { size = 1 });
        }
    }
}
