//! Checks of the provider's definition: timeouts, provider metadata (`provider_meta`) and the concurrency limit.

use crate::ProviderServer;
use crate::rpc::get_provider_schema::{fault, schema_fault};
use crate::schema::{Fault, Schema, SchemaKind};
use crate::{Diagnostic, Diagnostics, schema};

impl ProviderServer {
    /// Every fault of them.
    pub(crate) fn faults_of_life(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, it) in self.provider.data_sources() {
            let found = schema::faults_of_data(&it.schema().block);
            all.extend(diagnostics_of(&format!("data source {name}"), found));
        }
        let found = schema::faults_of_provider(&self.provider.schema().block);
        all.extend(diagnostics_of("the provider's configuration", found));
        all.extend(self.provider.meta().map(faults_of_meta).unwrap_or_default());
        if self.provider.concurrency() == Some(0) {
            all.push(fault("the provider", "with a concurrency limit of 0 no method can run"));
        }
        all
    }
}

fn diagnostics_of(owner: &str, found: Vec<Fault>) -> impl Iterator<Item = Diagnostic> {
    found.into_iter().map(move |it| schema_fault(owner, &it))
}

const META: &str = "provider_meta";

/// The faults of the schema of `provider_meta`, which modules configure and no state stores.
fn faults_of_meta(meta: &Schema) -> Diagnostics {
    let mut all: Diagnostics = diagnostics_of(META, meta.faults_of(SchemaKind::Meta)).collect();
    all.extend(diagnostics_of(META, schema::faults_of_provider(&meta.block)));
    all
}
