//! What is wrong with timeouts, with `provider_meta` and with the provider's own limits.

use crate::ProviderServer;
use crate::rpc::get_provider_schema::fault;
use crate::schema::{Fault, Schema, SchemaKind};
use crate::{Diagnostic, Diagnostics, timeouts};

impl ProviderServer {
    pub(crate) fn faults_of_life(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, it) in self.provider.data_sources() {
            let found = timeouts::faults_of_data(&it.schema().block);
            all.extend(told(&format!("data source {name}"), found));
        }
        let found = timeouts::faults_of_provider(&self.provider.schema().block);
        all.extend(told("the provider's configuration", found));
        all.extend(self.provider.meta().map(faults_of_meta).unwrap_or_default());
        if self.provider.concurrency() == Some(0) {
            all.push(fault("the provider", "a concurrency of 0 lets no method run"));
        }
        all
    }
}

fn told(owner: &str, found: Vec<Fault>) -> impl Iterator<Item = Diagnostic> {
    found
        .into_iter()
        .map(move |it| Diagnostic { summary: it.summary.into(), ..fault(owner, &it.to_string()) })
}

const META: &str = "provider_meta";

/// A module writes it, and nobody stores it.
fn faults_of_meta(meta: &Schema) -> Diagnostics {
    let mut all: Diagnostics = told(META, meta.faults_of(SchemaKind::Meta)).collect();
    all.extend(told(META, timeouts::faults_of_provider(&meta.block)));
    all
}
