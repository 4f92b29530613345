//! The ephemeral resource `corpus_token`, the action `corpus_notify` and the list of things.

use ferroform::{
    Action, Args, Config, Diagnostic, EphemeralResource, InvokeCx, Known, ListCx, ListResource, Model,
    OpenCx, Opened, OpenedCx, PlanActionCx, Result, path,
};

use super::Corpus;
use super::service::check;
use super::thing::Thing;

/// A token that is not stored.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Token {
    /// The role. An ephemeral resource with the role `stuck` cannot be closed.
    role: String,
    /// `open` if the token cannot be opened.
    fail: Option<String>,
    #[attr(computed, sensitive)]
    value: String,
    /// The service, which is not secret.
    #[attr(computed)]
    service: String,
}

impl EphemeralResource for Token {
    type Provider = Corpus;
    type Private = String;

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        check(args.fail.as_ref(), "open")?;
        cx.provider.log(format!("open {}", args.role));
        cx.opened(&args.role)?;
        let service = cx.provider.service().to_owned();
        Ok(Opened::new(TokenComputed { value: format!("token-of-{}", args.role), service }, args.role))
    }

    async fn close(cx: &OpenedCx<Self>, role: String) -> Result<()> {
        cx.provider.log(format!("close {role}"));
        if role == "stuck" {
            return Err(Diagnostic::error("The close failed, as requested").into());
        }
        Ok(())
    }
}

/// Notifies a recipient.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Notify {
    /// The recipient: `absent` cannot be planned, and `broken` fails.
    to: String,
    text: Option<String>,
}

impl Action for Notify {
    type Provider = Corpus;

    async fn plan(_: &PlanActionCx<Self>, config: Config<Self>) -> Result<()> {
        match config.to {
            Known(to) if to == "absent" => Err(Diagnostic::error("No Such Recipient").at(path!(to)).into()),
            _ => Ok(()),
        }
    }

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        if args.to == "broken" {
            return Err(Diagnostic::error("Unreachable Recipient").at(path!(to)).into());
        }
        cx.provider.log(format!("notify {}: {}", args.to, args.text.unwrap_or_default()));
        Ok(())
    }
}

/// The things of a service.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Things {
    prefix: Option<String>,
}

impl ListResource for Things {
    type Resource = Thing;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let prefix = args.prefix.unwrap_or_default();
        for id in cx.provider.ids().into_iter().filter(|it| it.starts_with(&prefix)) {
            let Some(thing) = cx.provider.read::<Thing>(&id)? else { continue };
            cx.send(cx.listed(thing, id)?).await?;
        }
        Ok(())
    }
}
