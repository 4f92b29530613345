//! The action `probe_notify`: its events are lines of the file `notify.log` in the provider's directory.

use std::time::Duration;

use ferroform::{Action, Args, Config, Diagnostic, InvokeCx, Known, Model, PlanActionCx, Result, path};

use super::Probe;

/// Notifies a recipient.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Notify {
    /// The recipient. `absent` cannot be planned, `broken` fails, `panic` panics, and `stuck` waits for an hour.
    to: String,
    /// The number of steps.
    #[attr(default = 2)]
    steps: u64,
    /// The password of the recipient, which must not be printed.
    #[attr(sensitive)]
    password: Option<String>,
    /// A token that is not stored.
    #[attr(write_only)]
    token: Option<String>,
}

impl Action for Notify {
    type Provider = Probe;

    async fn plan(_: &PlanActionCx<Self>, config: Config<Self>) -> Result<()> {
        match config.to {
            Known(to) if to == "absent" => Err(Diagnostic::error("No Such Recipient").at(path!(to)).into()),
            _ => Ok(()),
        }
    }

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        let log = |line: String| cx.provider.store.append("notify.log", &line);
        for step in 1..=args.steps {
            cx.progress(format!("step {step} for {}", args.to)).await;
        }
        if let Some(password) = &args.password {
            cx.progress(format!("log in with {password}")).await;
        }
        match &*args.to {
            "broken" => return Err(Diagnostic::error("The recipient is broken").at(path!(to)).into()),
            "panic" => panic!("the recipient panics"),
            "stuck" => {
                let slept = cx.sleep(Duration::from_secs(3600)).await;
                log("canceled".to_owned())?;
                slept?;
            }
            _ => {}
        }
        log(format!("notified {} with a token of {} bytes", args.to, args.token.unwrap_or_default().len()))
    }
}
