//! The resource `probe_volume`: imported by patterns of its project and number.

use ferroform::{ApplyCx, Attr, Model, Planned, ReadCx, Resource, Result};
use serde::{Deserialize, Serialize};

use super::Probe;

/// A volume.
#[derive(Model, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[attr(import = "{kind}/{project}/{number}", import = "{project}/{number}")]
pub(crate) struct Volume {
    #[attr(identity, requires_replace)]
    pub(super) project: String,
    #[attr(identity, requires_replace)]
    pub(super) number: u16,
    #[attr(default = Kind::Fast, requires_replace)]
    kind: Kind,
    /// The size in gigabytes. Computed by the service by default.
    #[attr(optional, computed)]
    size: u64,
    label: Option<String>,
    #[attr(computed)]
    serial: String,
}

#[derive(Attr, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Fast,
    Cheap,
}

impl Volume {
    pub(super) fn has_size(&self, size: u64) -> bool {
        self.size == size
    }

    fn file(&self) -> String {
        format!("{}-{}", self.project, self.number)
    }
}

impl Resource for Volume {
    type Provider = Probe;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<VolumeComputed> {
        let volume = Volume {
            serial: format!("{}#{}", plan.project, plan.number),
            size: plan.size.unwrap_or(10),
            project: plan.project,
            number: plan.number,
            kind: plan.kind,
            label: plan.label,
        };
        cx.provider.store.write(&volume.file(), &volume)?;
        Ok(volume.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        cx.provider.store.read(&state.file())
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<VolumeComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.store.remove(&state.file())
    }
}
