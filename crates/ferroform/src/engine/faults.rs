//! What is wrong with timeouts, with `provider_meta` and with the provider's own limits.

use super::{Server, fault};
use crate::schema::{Block, Schema};
use crate::timeouts::{self, Owner};
use crate::{Diagnostic, Diagnostics};

impl Server {
    pub(super) fn faults_of_life(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        let mut timeouts = |owner: &str, kind, block: &Block| {
            let faults = timeouts::faults(block, kind).into_iter();
            all.extend(
                faults.map(|it| Diagnostic { summary: it.summary.into(), ..fault(owner, &it.to_string()) }),
            );
        };
        for (name, it) in self.provider.resources() {
            timeouts(&format!("resource {name}"), Owner::Resource, &it.schema().block);
        }
        for (name, it) in self.provider.data_sources() {
            timeouts(&format!("data source {name}"), Owner::DataSource, &it.schema().block);
        }
        timeouts("the provider's configuration", Owner::Provider, &self.provider.schema().block);
        if let Some(meta) = self.provider.meta() {
            timeouts(META, Owner::Provider, &meta.block);
            all.extend(faults_of_meta(meta));
        }
        if self.provider.concurrency() == Some(0) {
            all.push(fault("the provider", "a concurrency of 0 lets no method run"));
        }
        all
    }
}

const META: &str = "provider_meta";

/// A module writes it, and nobody stores it.
fn faults_of_meta(meta: &Schema) -> Diagnostics {
    let mut all: Diagnostics = meta.faults().iter().map(|it| fault(META, &it.to_string())).collect();
    for it in &meta.block.attributes {
        let what = match it {
            _ if it.mode.is_computed() => "nothing is computed or has a default in it",
            _ if it.write_only => "nothing of it is stored, so nothing is write-only",
            _ if it.holds_computed() => "nothing inside is computed or has a default",
            _ => continue,
        };
        all.push(fault(META, &format!("{}: {what}", it.name)));
    }
    all
}
