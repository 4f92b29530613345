//! Planned changes.

use std::collections::BTreeMap;

use ferroform::value::{Path, Value};
use ferroform_lang::marks::Marks;

use super::address::Address;
use super::configuration::ActionEvent;
use super::providers::ProviderKey;
use super::state::{Object, ObjectKey};
use crate::workspace::{Json, PlannedAction};

impl PlannedAction {
    /// True if the action causes the event of a trigger.
    pub(crate) fn causes(self, event: ActionEvent) -> bool {
        match event {
            ActionEvent::BeforeCreate | ActionEvent::AfterCreate => {
                self == PlannedAction::Create || self.is_replace()
            }
            ActionEvent::BeforeUpdate | ActionEvent::AfterUpdate => self == PlannedAction::Update,
        }
    }
}

/// Planned changes, by their objects.
pub(crate) type Changes = BTreeMap<ObjectKey, SimulatedChange>;

/// The planned change of an object.
#[derive(Clone)]
pub(crate) struct SimulatedChange {
    pub(crate) address: Address,
    pub(crate) deposed: Option<String>,
    /// The address before a `moved` block took effect.
    pub(crate) previous_address: Option<Address>,
    pub(crate) provider: ProviderKey,
    pub(crate) action: PlannedAction,
    /// The prior state; null if there is none.
    pub(crate) before: Value,
    pub(crate) before_marks: Marks,
    /// The planned state; null if the object is deleted.
    pub(crate) after: Value,
    pub(crate) after_marks: Marks,
    pub(crate) requires_replace: Vec<Path>,
    pub(crate) reason: Option<&'static str>,
    /// The import ID or identity, as the JSON of a plan.
    pub(crate) importing: Option<Json>,
    /// The object in the refreshed state.
    pub(crate) prior: Option<Object>,
    pub(crate) private: Vec<u8>,
    pub(crate) identity: Option<Value>,
    /// True if the object has `create_before_destroy` in its configuration, or because a dependent has it.
    pub(crate) create_before_destroy: bool,
}

impl SimulatedChange {
    /// The change of a current object: the prior and the planned state, with their marks.
    pub(crate) fn new(
        address: &Address,
        provider: &ProviderKey,
        action: PlannedAction,
        (before, before_marks): (Value, Marks),
        (after, after_marks): (Value, Marks),
    ) -> SimulatedChange {
        SimulatedChange {
            address: address.clone(),
            deposed: None,
            previous_address: None,
            provider: provider.clone(),
            action,
            before,
            before_marks,
            after,
            after_marks,
            requires_replace: Vec::new(),
            reason: None,
            importing: None,
            prior: None,
            private: Vec::new(),
            identity: None,
            create_before_destroy: false,
        }
    }

    pub(crate) fn key(&self) -> ObjectKey {
        (self.address.clone(), self.deposed.clone())
    }

    /// True if the change creates or updates the current object.
    pub(crate) fn is_create_or_update(&self) -> bool {
        self.action.is_replace() || matches!(self.action, PlannedAction::Create | PlannedAction::Update)
    }

    /// True if the old object is destroyed after related objects have been created and updated.
    pub(crate) fn is_destroyed_last(&self) -> bool {
        match self.action {
            PlannedAction::Delete => self.deposed.is_some() || self.create_before_destroy,
            action => action == PlannedAction::CreateBeforeDestroy,
        }
    }

    /// The dependencies of the object in the prior state.
    pub(crate) fn prior_dependencies(&self) -> impl Iterator<Item = &String> {
        self.prior.iter().flat_map(|it| &it.dependencies)
    }
}
