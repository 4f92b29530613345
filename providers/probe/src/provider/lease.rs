//! The ephemeral resource `probe_lease`: its events are lines of the file `leases.log` in the provider's directory.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ferroform::{
    Args, Diagnostic, EphemeralResource, Model, OpenCx, Opened, OpenedCx, Renewed, Result,
    validators::at_least,
};

use super::Probe;

/// A lease of a secret.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Lease {
    /// The owner of the lease. `broken` fails after the lease is open, and `stuck` waits for an hour.
    owner: String,
    /// The seconds until the first renewal; it is not renewed by default.
    #[attr(validate = at_least(1))]
    renew_after: Option<u64>,
    /// The secret.
    #[attr(computed, sensitive)]
    secret: String,
}

/// The private data: the ID of the lease and its number of renewals.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Id {
    id: String,
    renewals: u64,
}

/// Several leases can be open in one process.
static COUNT: AtomicU64 = AtomicU64::new(0);

impl EphemeralResource for Lease {
    type Provider = Probe;
    type Private = Id;

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}-{}-{number}", args.owner, process::id());
        cx.provider.store.append("leases.log", &format!("open {id}"))?;
        let private = Id { id, renewals: 0 };
        cx.opened(&private)?;
        match &*args.owner {
            "broken" => return Err(Diagnostic::error("The lease is broken").into()),
            "stuck" => cx.sleep(Duration::from_secs(3600)).await?,
            _ => {}
        }
        let opened = Opened::new(LeaseComputed { secret: format!("secret of {}", args.owner) }, private);
        Ok(match args.renew_after {
            Some(seconds) => opened.renew_in(Duration::from_secs(seconds)),
            None => opened,
        })
    }

    async fn renew(cx: &OpenedCx<Self>, private: Id) -> Result<Renewed<Self>> {
        cx.provider.store.append("leases.log", &format!("renew {}", private.id))?;
        Ok(Renewed::new(Id { renewals: private.renewals + 1, ..private }))
    }

    async fn close(cx: &OpenedCx<Self>, private: Id) -> Result<()> {
        let line = format!("close {} after {} renewals", private.id, private.renewals);
        cx.provider.store.append("leases.log", &line)
    }
}
