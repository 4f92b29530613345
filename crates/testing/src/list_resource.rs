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

/// The results of a list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The listed objects, in their order.
    pub objects: Vec<ListedObject>,
    /// The warnings that are not about an object.
    pub warnings: Diagnostics,
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
        ListResource {
            harness: self.clone(),
            type_name: type_name.into(),
            list: self.find(type_name),
            resource: self.find(type_name),
            limit: None,
            include_resource: false,
        }
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
        self.try_list(config).ok().objects
    }

    /// Like [`list`](ListResource::list), but returns the outcome with all results instead of panicking. If an error is
    /// reported, [`partial`](Outcome::partial) returns the results before it.
    #[track_caller]
    pub fn try_list(&self, config: Configuration) -> Outcome<Listing> {
        let step = format!("the list of {}", self.type_name);
        let mut listing = Listing::default();
        let listed = self.run_list(&step, &config, &mut listing);
        Outcome::with_partial(&self.harness, step, listing, listed)
    }

    #[track_caller]
    pub(crate) fn run_list(&self, step: &str, config: &Configuration, listing: &mut Listing) -> Result<()> {
        let mut remaining = Diagnostics::new();
        for event in self.events(step, config)? {
            let owner = Kind::ListResource.named(&self.type_name);
            let diagnostics = self.harness.check_diagnostics(step, owner, event.diagnostics);
            match (event.identity, diagnostics) {
                (Some(identity), Ok(warnings)) => {
                    let object = self.object(step, identity, event.display_name, event.object, warnings);
                    listing.objects.push(object);
                }
                (_, Ok(all) | Err(all)) => remaining.extend(all),
            }
        }
        if remaining.has_error() {
            return Err(remaining);
        }
        listing.warnings = remaining;
        Ok(())
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
        let identity = Snapshot::new(owner, identity);
        let object = object.map(|value| {
            let block = &self.resource.schema().block;
            self.harness.check(Invariant::StateIsValid, step, &contract::check_state(block, &value));
            let value = self.harness.round_trip(step, &value, block.ty());
            Snapshot::new(SchemaOwner::Object(self.resource.clone()), value)
        });
        ListedObject { identity, display_name, object, warnings }
    }
}
