//! Checks of the provider's definition: timeouts, provider metadata (`provider_meta`) and the concurrency limit.

use crate::ProviderServer;
use crate::rpc::get_provider_schema::{definition_error, schema_error};
use crate::schema::{Schema, SchemaError, SchemaKind};
use crate::{Diagnostic, Diagnostics, schema};

impl ProviderServer {
    /// The errors in the timeouts of data sources, actions and the provider, in provider metadata, and in the concurrency
    /// limit.
    pub(crate) fn setting_errors(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for (name, it) in self.provider.data_sources() {
            let errors = schema::check_data_source_timeouts(&it.schema().block);
            all.extend(diagnostics_of(&format!("data source {name}"), errors));
        }
        for (name, it) in self.provider.actions() {
            let errors = schema::check_action_timeouts(&it.schema().block);
            all.extend(diagnostics_of(&format!("action {name}"), errors));
        }
        let errors = schema::check_provider_timeouts(&self.provider.schema().block);
        all.extend(diagnostics_of("the provider's configuration", errors));
        all.extend(self.provider.provider_meta().map(provider_meta_errors).unwrap_or_default());
        if self.provider.concurrency_limit() == Some(0) {
            all.push(definition_error("the provider", "the concurrency limit is 0, so no method can run"));
        }
        all
    }
}

fn diagnostics_of(owner: &str, errors: Vec<SchemaError>) -> impl Iterator<Item = Diagnostic> {
    errors.into_iter().map(move |it| schema_error(owner, &it))
}

const META: &str = "provider_meta";

/// The errors in the schema of `provider_meta`, which modules configure and which is not stored.
fn provider_meta_errors(meta: &Schema) -> Diagnostics {
    let mut all: Diagnostics =
        diagnostics_of(META, meta.definition_errors_of(SchemaKind::ProviderMeta)).collect();
    all.extend(diagnostics_of(META, schema::check_provider_timeouts(&meta.block)));
    all
}
