//! ListResource: lists existing remote objects of a resource type, for `terraform query`.
//!
//! The provider's method sends results, and Terraform receives each of them as an event while the method continues. The
//! engine checks each result before Terraform does:
//!
//! | result | event |
//! |---|---|
//! | identity and, if Terraform requests it, object conform to the resource's schemas | identity, display name, object, warnings |
//! | the identity is missing or incomplete, or the object does not conform | only errors, and the last event |
//! | the provider has reported an error about it | only diagnostics, and the last event |
//! | Terraform requests the object, but it is missing | identity, display name, and a warning |
//!
//! Warnings of the method that are not about a result precede the next event. Errors of the method are the last event;
//! the events before it are kept. Terraform stops at the first error.

use std::sync::Arc;

use ferroform_value::{Path, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::concurrency::run_until::run_until;
use crate::contract::{self, changed_attributes, provider_bug};
use crate::diagnostic_kind::DiagnosticKind;
use crate::diagnostic_path::without_configuration;
use crate::normalization;
use crate::provider::{AnyListResource, AnyResource};
use crate::redaction::SensitiveValues;
use crate::redaction::display::display_value;
use crate::request::context::not_configured;
use crate::request::list_results::{AnyListed, ListResults};
use crate::resource_identity::{attributes_of, missing_identity_error};
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, Block, IdentitySchema, Mode};
use crate::state::overlay;
use crate::timeouts::Operation;
use crate::{Diagnostic, Diagnostics, ProviderServer, Result, RpcMetadata};

/// The parameters of a ListResource request.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// The resource type.
    pub type_name: String,
    /// The configuration of the list: the block `config` of a `list` block.
    pub config: Value,
    /// The maximum number of results; `None` if there is no limit.
    pub limit: Option<u64>,
    /// True if Terraform requests the whole object of each result.
    pub include_resource: bool,
    /// The metadata of the RPC.
    pub metadata: RpcMetadata,
}

/// An event of a list: a result, or only diagnostics.
#[derive(Clone, Debug, Default)]
pub struct ListEvent {
    /// The identity of the object; `None` if the event has only diagnostics.
    pub identity: Option<Value>,
    /// The name that Terraform shows for the object.
    pub display_name: String,
    /// The object, if it was requested.
    pub object: Option<Value>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl From<Diagnostics> for ListEvent {
    fn from(diagnostics: Diagnostics) -> ListEvent {
        ListEvent { diagnostics, ..ListEvent::default() }
    }
}

impl ProviderServer {
    /// Lists the objects of a resource type. Sends an event for each of them while the provider's method runs; the
    /// method waits while the channel is full, and is canceled if the channel is closed.
    pub async fn list_resource(&self, request: ListRequest, events: mpsc::Sender<ListEvent>) {
        let type_name = request.type_name.clone();
        let operation = format!("the list of {type_name}");
        let (list, masked) =
            self.mask_request::<dyn AnyListResource>(&type_name, &request.metadata, [&request.config]);
        let listed = masked.respond(&operation, Diagnostics::new(), async |diagnostics, sensitive| {
            let list = list?;
            self.list_into(&*list, request, &operation, &events, sensitive, diagnostics).await
        });
        let diagnostics = listed.await;
        if !diagnostics.is_empty() {
            // An error means that Terraform has ended the RPC.
            let _ = events.send(diagnostics.into()).await;
        }
    }

    async fn list_into(
        &self,
        list: &dyn AnyListResource,
        request: ListRequest,
        operation: &str,
        events: &mpsc::Sender<ListEvent>,
        sensitive: &SensitiveValues,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        let ListRequest { type_name, config, limit, include_resource, metadata } = request;
        let resource = self.find::<dyn AnyResource>(&type_name)?.clone();
        let identity = resource.identity().ok_or_else(|| missing_identity_error(&type_name))?.clone();
        if self.is_provider_skipped() {
            return Err(not_configured().into());
        }
        let block = &list.schema().block;
        let config = normalization::with_defaults(block, &config)?;
        let cx = self.non_deferrable_context(sensitive, &metadata)?;
        cx.set_timeout(block, Operation::List, &config);
        let finished = CancellationToken::new();
        let checks = ResultChecks { type_name, resource, identity, include_resource };
        let sender = EventSender {
            checks,
            sensitive: sensitive.clone(),
            events: events.downgrade(),
            finished: finished.clone(),
        };
        let sender = Arc::new(sender);
        let send = move |listed, warnings| sender.clone().send(listed, warnings);
        let method =
            list.list(cx.clone(), config, ListResults::new(cx.clone(), limit, include_resource, send));
        // Terraform can end the RPC while the method computes its next result.
        let ended = async {
            run_until(finished.cancelled(), events.closed()).await;
        };
        run_until(run(&cx, operation, Effect::Reads, method, diagnostics), ended).await;
        let is_shown = |it: &Diagnostic| *it.kind() != DiagnosticKind::ListComplete;
        *diagnostics = std::mem::take(diagnostics).into_iter().filter(is_shown).collect();
        Ok(())
    }
}

/// Sends the results of a method as events.
struct EventSender {
    checks: ResultChecks,
    sensitive: SensitiveValues,
    /// Weak, so that the stream ends when the RPC drops its sender, even if a method still blocks a thread.
    events: mpsc::WeakSender<ListEvent>,
    /// Canceled after the last event.
    finished: CancellationToken,
}

impl EventSender {
    /// Sends the event of a result. Returns false if it is the last one.
    async fn send(self: Arc<Self>, listed: AnyListed, warnings: Diagnostics) -> bool {
        let object = listed.object.clone();
        let mut event = self.checks.event_of(listed, warnings);
        let mut sensitive = self.sensitive.clone();
        if let Some(object) = &object {
            sensitive.add(&self.checks.resource.schema().block, object);
        }
        sensitive.mask(&mut event.diagnostics);
        let is_last = event.diagnostics.has_error();
        let Some(events) = self.events.upgrade().filter(|_| !self.finished.is_cancelled()) else {
            return false;
        };
        let is_sent = events.send(event).await.is_ok();
        if is_last {
            self.finished.cancel();
        }
        is_sent && !is_last
    }
}

/// The checks that each result has to pass.
struct ResultChecks {
    type_name: String,
    resource: Arc<dyn AnyResource>,
    identity: IdentitySchema,
    include_resource: bool,
}

impl ResultChecks {
    /// The event of a result. `diagnostics` precede those of the result.
    fn event_of(&self, listed: AnyListed, mut diagnostics: Diagnostics) -> ListEvent {
        let AnyListed { identity, display_name, object, diagnostics: reported } = listed;
        let block = &self.resource.schema().block;
        diagnostics.extend(about_object(block, reported));
        if diagnostics.has_error() {
            return diagnostics.into();
        }
        let object = object.filter(|it| self.include_resource && !it.is_null());
        let object = object.map(|it| overlay::without_write_only(block, &it));
        self.check_identity(&identity, &display_name, &mut diagnostics);
        if let Some(object) = &object {
            diagnostics.extend(about_object(block, contract::check_state(block, object)));
        }
        if diagnostics.has_error() {
            return diagnostics.into();
        }
        match &object {
            Some(object) => self.check_same_object(&identity, object, &mut diagnostics),
            None if self.include_resource => diagnostics.push(self.missing_object(&display_name)),
            None => {}
        }
        if diagnostics.has_error() {
            return diagnostics.into();
        }
        ListEvent { identity: Some(identity), display_name, object, diagnostics }
    }

    /// Checks that the identity conforms to its schema and contains what an import requires.
    fn check_identity(&self, identity: &Value, display_name: &str, diagnostics: &mut Diagnostics) {
        let block = &self.identity.block;
        let is_null = |it: &Attribute| identity.attribute(&it.name).is_none_or(Value::is_null);
        let violations = contract::check_type(block, identity);
        if !violations.is_empty() {
            return diagnostics.extend(about_object(block, violations));
        }
        if block.attributes().iter().all(is_null) {
            let detail = format!("The result {display_name:?} of {} has no identity.", self.type_name);
            return diagnostics.push(incomplete(detail));
        }
        let is_missing = |it: &&Attribute| match identity.attribute(&it.name) {
            Some(value) if !value.is_null() => !value.is_wholly_known(),
            _ => it.mode == Mode::Required,
        };
        for attribute in block.attributes().iter().filter(is_missing) {
            let detail = format!(
                "The identity of the result {display_name:?} of {} requires a known value for the attribute \"{}\".",
                self.type_name, attribute.name
            );
            diagnostics.push(incomplete(detail));
        }
    }

    /// Checks that the identity is that of the object, as far as it follows from the object.
    fn check_same_object(&self, identity: &Value, object: &Value, diagnostics: &mut Diagnostics) {
        let found = attributes_of(&self.identity, object);
        for (attribute, listed, found) in changed_attributes(&self.identity, identity, &found) {
            if !found.is_wholly_known() || attribute.is_semantically_equal(listed, found) {
                continue;
            }
            let (block, path) = (&self.identity.block, Path::attribute(attribute.name.clone()));
            let (listed, found) = (display_value(block, &path, listed), display_value(block, &path, found));
            let message = format!(
                "{}: the identity of the result contains {listed}, but the object has {found}",
                attribute.name
            );
            diagnostics.push(provider_bug("Inconsistent List Result", message));
        }
    }

    fn missing_object(&self, display_name: &str) -> Diagnostic {
        let detail = format!(
            "Terraform requested the whole objects of {}, but the result {display_name:?} has none, so no configuration \
             can be generated for it.",
            self.type_name
        );
        Diagnostic::warning(INCOMPLETE).detail(detail)
    }
}

/// The diagnostics with their paths in the details, because Terraform would look up the paths in the configuration.
fn about_object(block: &Block, all: Diagnostics) -> Diagnostics {
    let mut all: Vec<Diagnostic> = without_configuration(block, all).into_iter().collect();
    all.iter_mut().for_each(|it| it.path = None);
    all.into_iter().collect()
}

const INCOMPLETE: &str = "Incomplete List Result";

fn incomplete(detail: String) -> Diagnostic {
    provider_bug(INCOMPLETE, detail)
}
