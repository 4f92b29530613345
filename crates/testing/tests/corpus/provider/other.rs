//! The ephemeral resource `corpus_token` and the action `corpus_notify`.

use ferroform::{
    Action, Args, Config, Diagnostic, EphemeralResource, InvokeCx, Known, Model, OpenCx, Opened, OpenedCx,
    PlanActionCx, Result, path,
};

use super::Corpus;
use super::service::check;

/// A token that is not stored.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Token {
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
