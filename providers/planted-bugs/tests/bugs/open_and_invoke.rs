//! Bugs in ephemeral resources and actions.

use super::prelude::*;

/// Opening consists of two requests. If the second one fails, nobody revokes the token.
pub mod ephemeral_resource_stays_open {
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
            let token = json!({ "role": args.role });
            let id = cx.provider.notes.insert(&token).await?;
            if !PLANTED {
                cx.opened(&id)?;
            }
            cx.provider.notes.settle(cx, &id, Some(&token)).await?;
            let token = cx.provider.notes.get(&id).await?.context("Token Not Found")?;
            let value = format!("{}:{}", token["role"], token["id"]);
            Ok(Opened::new(TokenComputed { value }, id))
        }

        async fn close(cx: &OpenedCx<Self>, id: String) -> Result<()> {
            cx.provider.notes.remove(&id).await?;
            Ok(())
        }
    }

    cloud_over_http! { ephemeral_resource Token = "cloud_token" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::EphemeralResourceIsClosed];

        fn service() -> Option<Service> {
            Some(crate::tokens_api())
        }

        fn lifecycle(harness: &Harness) {
            harness.ephemeral_resource("cloud_token").open(config! { role = "reader" }).close();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            service.inject(Fault::status(500).when(|it| it.method == "GET"));
            let token = harness.ephemeral_resource("cloud_token");
            assert!(token.try_open(config! { role = "reader" }).error().has_error());
            assert!(service.objects().is_empty());
        }
    }
}

/// The client retries every failed request. If only the response was lost, the first token is never revoked.
pub mod token_is_created_twice {
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
            let token = json!({ "role": args.role });
            let id = match cx.provider.notes.insert(&token).await {
                Err(_) if PLANTED => cx.provider.notes.insert(&token).await?,
                result => result?,
            };
            cx.opened(&id)?;
            Ok(Opened::new(TokenComputed { value: format!("value of {id}") }, id))
        }

        async fn close(cx: &OpenedCx<Self>, id: String) -> Result<()> {
            cx.provider.notes.remove(&id).await?;
            Ok(())
        }
    }

    cloud_over_http! { ephemeral_resource Token = "cloud_token" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::EphemeralResourceIsClosed];

        fn service() -> Option<Service> {
            Some(crate::tokens_api())
        }

        fn lifecycle(harness: &Harness) {
            harness.ephemeral_resource("cloud_token").open(config! { role = "reader" }).close();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let service = service.unwrap();
            service.inject(Fault::connection_closed().processed().when(|it| it.method == "POST"));
            let _ = harness.ephemeral_resource("cloud_token").try_open(config! { role = "reader" });
            assert_eq!(service.objects().len(), 1);
        }
    }
}

/// A renewal creates another token. Only the new one is revoked at the end.
pub mod renewal_leaves_old_token {
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
            let id = cx.provider.notes.insert(&json!({ "role": args.role })).await?;
            cx.opened(&id)?;
            let value = format!("value of {id}");
            Ok(Opened::new(TokenComputed { value }, id).renew_in(Duration::from_secs(600)))
        }

        async fn renew(cx: &OpenedCx<Self>, id: String) -> Result<Renewed<Self>> {
            if PLANTED {
                let id = cx.provider.notes.insert(&json!({ "renews": id })).await?;
                return Ok(Renewed::new(id).renew_in(Duration::from_secs(600)));
            }
            cx.provider.notes.replace(&id, &json!({ "renewed": true })).await?;
            Ok(Renewed::new(id).renew_in(Duration::from_secs(600)))
        }

        async fn close(cx: &OpenedCx<Self>, id: String) -> Result<()> {
            cx.provider.notes.remove(&id).await?;
            Ok(())
        }
    }

    cloud_over_http! { ephemeral_resource Token = "cloud_token" }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::EphemeralResourceIsClosed];

        fn service() -> Option<Service> {
            Some(crate::tokens_api())
        }

        fn lifecycle(harness: &Harness) {
            let mut token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
            token.renew();
            token.close();
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            let mut token = harness.ephemeral_resource("cloud_token").open(config! { role = "reader" });
            token.renew();
            token.close();
            assert!(service.unwrap().objects().is_empty());
        }
    }
}

/// A failed request is logged, but Terraform reports success.
pub mod action_swallows_error {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Publish {
        note: String,
    }

    type Note = Value;

    impl Action for Publish {
        type Provider = Cloud;

        async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
            cx.progress("Publishing the note").await;
            let path = format!("/{}/publish", encode(&args.note));
            let published = cx.provider.notes.request("POST", &path, &Value::Null).await;
            if let (Err(errors), true) = (&published, PLANTED) {
                tracing::error!("the note was not published: {errors}");
                return Ok(());
            }
            published.map(drop)
        }
    }

    cloud_over_http! { action Publish = "cloud_publish" }

    /// Publishes any note.
    fn publish(_: &Service, request: &Request) -> Option<Response> {
        request.path.ends_with("/publish").then(|| Response::new(204, Value::Null))
    }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ActionReportsErrors];

        fn service() -> Option<Service> {
            let service = crate::notes_api();
            service.route(publish);
            Some(service)
        }

        fn lifecycle(harness: &Harness) {
            let published = harness.action("cloud_publish").invoke(config! { note = "a" });
            assert_eq!(published.progress, ["Publishing the note"]);
        }

        fn expose_bug(harness: &Harness, service: Option<&Service>) {
            service.unwrap().inject(Fault::status(500));
            let errors = harness.action("cloud_publish").try_invoke(config! { note = "a" }).error();
            assert!(errors.has_error());
        }
    }
}

/// If the action is canceled while it waits, it reports success.
pub mod canceled_action_succeeds {
    use super::*;

    #[derive(Model, Clone, Debug, PartialEq)]
    pub struct Restart {
        machine: String,
    }

    impl Action for Restart {
        type Provider = Cloud;

        async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
            cx.progress(format!("Restarting {}", args.machine)).await;
            tracing::debug!("waiting for the machine");
            for _ in 0..10 {
                let waited = cx.sleep(Duration::from_secs(10)).await;
                if PLANTED && waited.is_err() {
                    break;
                }
                waited?;
            }
            Ok(())
        }
    }

    ferroform_testing::provider! { pub Cloud { action Restart = "cloud_restart" } }

    impl Bug for Cloud {
        const VIOLATES: &[Invariant] = &[Invariant::ActionReportsErrors];

        fn lifecycle(harness: &Harness) {
            harness.action("cloud_restart").invoke(config! { machine = "m" });
        }

        fn expose_bug(harness: &Harness, _: Option<&Service>) {
            harness.stop_at("waiting for the machine");
            let errors = harness.action("cloud_restart").try_invoke(config! { machine = "m" }).error();
            assert!(errors.has_error());
        }
    }
}
