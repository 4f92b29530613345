//! Secrets that leave the provider.

use super::prelude::*;

/// A changed password is logged. The author's test changes only the title.
pub mod secret_in_log {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        #[attr(sensitive)]
        password: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        correct!(create title password);
        correct!(read);
        correct!(delete);

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            if prior.password != plan.password {
                let shown = if PLANTED { &*plan.password } else { "***" };
                tracing::debug!("changing the password of {} to {shown}", plan.title);
            }
            let note = Note { id: String::new(), title: plan.title, password: plan.password };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id })
        }
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", password = "first" });
            note.apply(config! { title = "b", password = "first" });
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", password = "first" });
            note.apply(config! { title = "a", password = "second" });
        }
    }
}

/// A failed request is logged with its headers, which contain the token of the provider.
pub mod provider_token_in_error_log {
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
            if found.is_err() && PLANTED {
                tracing::warn!("the request failed: {}", cx.provider.notes.describe_request());
            }
            Ok(found?.map(|note| Note { id: state.id, ..note }))
        }
    }

    cloud_over_http! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

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
            service.unwrap().inject(Fault::status(500));
            note.try_refresh().error();
        }
    }
}

/// A token that cannot be revoked is logged. In the error itself, Ferroform masks it.
pub mod secret_in_log_of_close {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Token {
        role: String,
        #[attr(computed, sensitive)]
        value: String,
    }

    type Note = Value;

    impl EphemeralResource for Token {
        type Provider = Cloud;
        type Private = String;

        async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
            let value = cx.provider.notes.insert(&json!({ "role": args.role })).await?;
            cx.opened(&value)?;
            Ok(Opened::new(TokenComputed { value: value.clone() }, value))
        }

        async fn close(cx: &OpenedCx<Self>, token: String) -> Result<()> {
            let closed = cx.provider.notes.remove(&token).await;
            if closed.is_err() {
                tracing::warn!("cannot revoke {}", if PLANTED { &token } else { "the token" });
            }
            closed.map(drop)
        }
    }

    cloud_over_http! { ephemeral_resource Token = "cloud_token" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

        fn service() -> Option<Service> {
            Some(crate::tokens_api())
        }

        fn lifecycle(harness: &Harness) {
            harness.ephemeral_resource("cloud_token").open(config! { role = "reader" }).close();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
            service.unwrap().inject(Fault::status(500));
            token.try_close().error();
        }
    }
}

/// If somebody has revoked the token, the log of the renewal contains it.
pub mod secret_in_log_of_renew {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Token {
        role: String,
        #[attr(computed, sensitive)]
        value: String,
    }

    impl EphemeralResource for Token {
        type Provider = Cloud;
        type Private = String;

        async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
            let value = format!("tok-8f2c91-{}", cx.provider.notes.insert(&args.role).await?);
            cx.opened(&value)?;
            Ok(Opened::new(TokenComputed { value: value.clone() }, value).renew_in(Duration::from_secs(600)))
        }

        async fn renew(cx: &OpenedCx<Self>, token: String) -> Result<Renewed<Self>> {
            if cx.provider.notes.get(note_of(&token)).await?.is_none() {
                tracing::warn!("{} was revoked", if PLANTED { &token } else { "the token" });
            }
            Ok(Renewed::new(token).renew_in(Duration::from_secs(600)))
        }

        async fn close(cx: &OpenedCx<Self>, token: String) -> Result<()> {
            cx.provider.notes.remove(note_of(&token)).await?;
            Ok(())
        }
    }

    fn note_of(token: &str) -> &str {
        token.trim_start_matches("tok-8f2c91-")
    }

    #[derive(Default)]
    pub struct Cloud {
        notes: Table<String>,
    }

    ferroform_testing::provider! { impl Cloud { ephemeral_resource Token = "cloud_token" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

        fn lifecycle(harness: &Harness) {
            let mut token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
            token.renew();
            token.close();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
            // The token of the same role has another number.
            harness.disconnect();
            token.renew();
        }
    }
}

/// The password is in private state, which the state file contains in plain text.
pub mod secret_in_private_state {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        /// Write-only, so that the state does not contain it.
        #[attr(write_only)]
        password: Option<String>,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title, password: None };
            if PLANTED && let Some(password) = &plan.password {
                cx.set_private("password", password)?;
            }
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await? })
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { id: String::new(), title: plan.title, password: None };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", password = "first" });
            note.apply(config! { title = "b", password = "second" });
            note.destroy();
        }

        fn expose_bug(_: &Harness, _: Option<&Service>) {
            let cx = ApplyCx::<Note>::detached(Cloud::default(), Clock::test());
            let plan =
                Planned::<Note> { id: Unknown, title: "a".to_owned(), password: Some("first".to_owned()) };
            crate::run(Note::create(&cx, plan)).unwrap();
            assert_eq!(cx.private::<String>("password"), Ok(None));
        }
    }
}

/// The connection string, which is not sensitive, contains the password. The author's test checks only its host.
pub mod secret_in_state {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Note {
        #[attr(computed, use_state_for_unknown)]
        id: String,
        title: String,
        #[attr(sensitive, requires_replace)]
        password: Option<String>,
        #[attr(computed, use_state_for_unknown)]
        url: String,
    }

    impl Resource for Note {
        type Provider = Cloud;

        async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
            let password = if PLANTED { plan.password.as_deref().unwrap_or_default() } else { "" };
            let url = format!("db://admin:{password}@example.com");
            let note =
                Note { id: String::new(), title: plan.title, password: plan.password, url: url.clone() };
            Ok(NoteComputed { id: cx.provider.notes.insert(&note).await?, url })
        }

        async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
            let note = Note { title: plan.title, ..prior.clone() };
            cx.provider.notes.replace(&prior.id, &note).await?;
            Ok(NoteComputed { id: prior.id, url: prior.url })
        }

        correct!(read);
        correct!(delete);
    }

    cloud_in_memory! { resource Note = "cloud_note" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::SecretsAreRedacted];

        fn lifecycle(harness: &Harness) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", password = "first" });
            assert!(note.state().get::<String>(path!(url)).ends_with("@example.com"));
            note.destroy();
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            let mut note = harness.resource("cloud_note");
            note.apply(config! { title = "a", password = "first" });
            assert!(!note.state().get::<String>(path!(url)).contains("first"));
        }
    }
}
