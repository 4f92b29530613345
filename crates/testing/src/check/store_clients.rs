//! The clients of a state store.

use std::sync::Arc;

use ferroform_engine::provider::AnyConfiguredStateStore;

/// The clients of a state store.
#[derive(Default)]
pub(super) struct Clients {
    all: Vec<Arc<dyn AnyConfiguredStateStore>>,
    selected: usize,
}

impl Clients {
    /// Adds a client, and selects it.
    pub(super) fn add(&mut self, client: Arc<dyn AnyConfiguredStateStore>) {
        self.selected = self.all.len();
        self.all.push(client);
    }

    /// The number of the selected client.
    pub(super) fn selected(&self) -> usize {
        self.selected
    }

    /// Selects the client with this number.
    pub(super) fn select(&mut self, number: usize) {
        self.selected = number;
    }

    /// The client with this number.
    pub(super) fn get(&self, number: usize) -> Arc<dyn AnyConfiguredStateStore> {
        self.all[number].clone()
    }
}
