//! The resource `probe_talker`: `create` writes to the log and to the standard streams.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use super::Probe;

/// More than the 64 KiB that Terraform reads as one line.
const LONG: usize = 200 << 10;

/// An object whose creation is logged.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Talker {
    #[attr(requires_replace)]
    name: String,
}

impl Resource for Talker {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<TalkerComputed> {
        let name = &plan.name;
        tracing::trace!("{name} traces");
        tracing::debug!("{name} debugs");
        tracing::info!("{name} informs");
        tracing::warn!("{name} warns");
        tracing::error!("{name} fails");
        println!("{name} prints");
        eprintln!("{name} prints to stderr");
        println!("{}", "#".repeat(LONG));
        eprintln!("{}", "@".repeat(LONG));
        println!("{name} prints again");
        Ok(TalkerComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
