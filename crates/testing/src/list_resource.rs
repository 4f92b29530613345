//! List resources under test.

use std::future::pending;
use std::sync::Arc;

use ferroform::raw::{AnyListResource, AnyResource};
use ferroform::value::Value;
use ferroform::{Diagnostics, Result};
use ferroform_engine::Kind;
use ferroform_engine::concurrency::run_until::run_until;
use ferroform_engine::{ListEvent, ListRequest, contract};
use tokio::sync::mpsc;

use crate::diff::SchemaOwner;
use crate::outcome::StepFailure;
use crate::{Configuration, Harness, Invariant, Outcome, Snapshot};

/// A list resource of the provider under test; see [`Harness::list_resource`].
///
/// ```no_run
/// # fn example(harness: ferroform_testing::Harness) {
/// use ferroform::path;
/// use ferroform_testing::config;
///
/// let machines = harness.list_resource("cloud_machine").limit(10).include_resource();
/// let found = machines.list(config! { name_prefix = "web-" });
/// assert_eq!(found[0].display_name(), "web-1");
/// assert_eq!(found[0].identity().get::<String>(path!(name)), "web-1");
/// assert_eq!(found[0].object().unwrap().get::<u64>(path!(size)), 4);
/// # }
/// ```
#[derive(Clone)]
pub struct ListResource {
    harness: Harness,
    type_name: String,
    list: Arc<dyn AnyListResource>,
    resource: Arc<dyn AnyResource>,
    limit: Option<u64>,
    include_resource: bool,
}

/// One result of a list.
#[derive(Clone, Debug)]
pub struct ListedObject {
    identity: Snapshot,
    display_name: String,
    object: Option<Snapshot>,
    warnings: Diagnostics,
}

impl ListedObject {
    /// Returns the identity of the object.
    pub fn identity(&self) -> &Snapshot {
        &self.identity
    }

    /// Returns the name that Terraform shows for the object.
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// Returns the whole object, if it was requested with [`include_resource`](ListResource::include_resource) and the
    /// provider returned it.
    pub fn object(&self) -> Option<&Snapshot> {
        self.object.as_ref()
    }

    /// Returns the warnings about the object, and those that the provider reported since the previous result.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }
}

impl Harness {
    /// Returns the list resource of this type.
    ///
    /// # Panics
    ///
    /// Panics if the provider has no list resource of this type.
    #[track_caller]
    pub fn list_resource(&self, type_name: &str) -> ListResource {
        let list = self.server().find::<dyn AnyListResource>(type_name);
        let list = list.unwrap_or_else(|error| panic!("{error}")).clone();
        let resource = self
            .server()
            .find::<dyn AnyResource>(type_name)
            .unwrap_or_else(|error| panic!("{error}"))
            .clone();
        let (harness, type_name) = (self.clone(), type_name.into());
        ListResource { harness, type_name, list, resource, limit: None, include_resource: false }
    }
}

impl ListResource {
    /// Sets the maximum number of results, like the `limit` of a `list` block. By default, there is no limit.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> ListResource {
        self.limit = Some(limit);
        self
    }

    /// Requests the whole objects, like the `include_resource` of a `list` block.
    #[must_use]
    pub fn include_resource(mut self) -> ListResource {
        self.include_resource = true;
        self
    }

    /// Validates the configuration and lists the objects.
    ///
    /// # Panics
    ///
    /// Panics if an error is reported, or if an invariant is violated.
    #[track_caller]
    pub fn list(&self, config: Configuration) -> Vec<ListedObject> {
        let (found, outcome) = self.try_list(config);
        outcome.ok();
        found
    }

    /// Like [`list`](ListResource::list), but returns the results before an error, and the outcome with the warnings that are
    /// not about a result instead of panicking.
    #[track_caller]
    pub fn try_list(&self, config: Configuration) -> (Vec<ListedObject>, Outcome<Diagnostics>) {
        let mut found = Vec::new();
        let step = format!("the list of {}", self.type_name);
        let mut remaining = Diagnostics::new();
        match self.events(&step, &config) {
            Ok(events) => {
                for event in events {
                    let diagnostics = self.harness.check_diagnostics(&step, event.diagnostics);
                    match (event.identity, diagnostics) {
                        (Some(identity), Ok(warnings)) => {
                            found.push(self.object(
                                &step,
                                identity,
                                event.display_name,
                                event.object,
                                warnings,
                            ));
                        }
                        (_, Ok(all) | Err(all)) => remaining.extend(all),
                    }
                }
            }
            Err(errors) => remaining.extend(errors),
        }
        let result = if remaining.has_error() { Err(StepFailure::Errors(remaining)) } else { Ok(remaining) };
        (found, Outcome::new(&self.harness, step, result))
    }

    /// Validates the configuration, and receives events as Terraform does: up to the limit.
    #[track_caller]
    fn events(&self, step: &str, config: &Configuration) -> Result<Vec<ListEvent>> {
        let block = &self.list.schema().block;
        let owner = Kind::ListResource.named(&self.type_name);
        let (config, _) = self.harness.evaluate_and_validate(step, owner, block, config)?;
        let request = ListRequest {
            type_name: self.type_name.clone(),
            config,
            limit: self.limit,
            include_resource: self.include_resource,
            metadata: self.harness.metadata(),
        };
        let (sender, mut receiver) = mpsc::channel(1);
        let mut events: Vec<ListEvent> = Vec::new();
        let receiving = async {
            while self.limit.is_none_or(|limit| (events.len() as u64) < limit) {
                let Some(event) = receiver.recv().await else { break };
                events.push(event);
            }
        };
        let listing = async {
            self.harness.server().list_resource(request, sender).await;
            pending().await
        };
        let resource = &self.resource.schema().block;
        self.harness.run(step, run_until(receiving, listing), |_| ());
        let objects = events.iter().filter_map(|it| it.object.as_ref());
        objects.for_each(|it| self.harness.sensitive_values().record(resource, it));
        Ok(events)
    }

    #[track_caller]
    fn object(
        &self,
        step: &str,
        identity: Value,
        display_name: String,
        object: Option<Value>,
        warnings: Diagnostics,
    ) -> ListedObject {
        let owner = SchemaOwner::Identity(self.resource.clone());
        let identity = self.harness.round_trip(step, &identity, owner.block().ty());
        let identity = Snapshot { owner, value: identity };
        let object = object.map(|value| {
            let block = &self.resource.schema().block;
            self.harness.check(Invariant::StateIsValid, step, &contract::check_state(block, &value));
            let value = self.harness.round_trip(step, &value, block.ty());
            Snapshot { owner: SchemaOwner::Object(self.resource.clone()), value }
        });
        ListedObject { identity, display_name, object, warnings }
    }
}
