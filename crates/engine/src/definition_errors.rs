//! Checks of the provider's definition: timeouts, provider metadata (`provider_meta`) and the concurrency limit.

use crate::ProviderServer;
use crate::rpc::get_provider_schema::{definition_error, schema_error};
use crate::schema::{Schema, SchemaError, SchemaKind};
use crate::{Diagnostic, Diagnostics, schema};

impl ProviderServer {
    /// Every fault of them.
    pub(crate) fn setting_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, it) in self.provider.data_sources() {
            let found = schema::check_data_source_timeouts(&it.schema().block);
            all.extend(diagnostics_of(&format!("data source {name}"), found));
        }
        let found = schema::check_provider_timeouts(&self.provider.schema().block);
        all.extend(diagnostics_of("the provider's configuration", found));
        all.extend(self.provider.meta().map(provider_meta_errors).unwrap_or_default());
        if self.provider.concurrency() == Some(0) {
            all.push(definition_error("the provider", "with a concurrency limit of 0 no method can run"));
        }
        all
    }
}

fn diagnostics_of(owner: &str, found: Vec<SchemaError>) -> impl Iterator<Item = Diagnostic> {
    found.into_iter().map(move |it| schema_error(owner, &it))
}

const META: &str = "provider_meta";

/// The errors of the schema of `provider_meta`, which modules configure and no state stores.
fn provider_meta_errors(meta: &Schema) -> Diagnostics {
    let mut all: Diagnostics = diagnostics_of(META, meta.definition_errors_of(SchemaKind::Meta)).collect();
    all.extend(diagnostics_of(META, schema::check_provider_timeouts(&meta.block)));
    all
}
