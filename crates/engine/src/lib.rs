//! The engine of Ferroform: schemas, diagnostics, planning, and the algorithm of every RPC of the provider protocol.
//!
//! The engine works on [`Value`](value::Value) and [`Schema`](schema::Schema) only. It depends neither on the Rust
//! types of provider authors, which the crate `ferroform` converts, nor on wire messages, which the crate
//! `ferroform-server` converts. It calls the provider through the object-safe traits of [`provider`].
//!
//! Provider authors use the crate `ferroform`, which re-exports the public items. Everything else in this
//! crate is internal to the framework and can change in any release.

pub mod concurrency;
pub mod configuration;
mod configured_state_store;
pub mod contract;
pub mod diagnostic;
pub mod diagnostic_kind;
pub mod diagnostic_path;
pub mod normalization;

pub mod definitions;
pub mod element_matching;
pub mod failed_check;
pub mod function;
mod kind;
pub mod maybe;
pub mod panics;
pub mod path_pattern;
pub mod planning;
pub mod provider;
mod provider_server;
pub mod random;
pub mod redaction;
pub mod request;
pub mod resource_identity;
pub mod rpc;
pub mod run_method;
pub mod schema;
pub mod state;
pub mod state_chunks;
pub mod stored_state;
pub mod timeouts;
pub mod type_mismatch;
pub mod validator;
pub mod walk;

pub use ferroform_value as value;

pub use crate::concurrency::clock::Clock;
pub use crate::concurrency::stop::Stopper;
pub use crate::definitions::{Definition, Definitions};
pub use crate::diagnostic::{
    Context, Diagnostic, Diagnostics, FutureContext, Result, Severity, attribute_name,
};
pub use crate::function::{FunctionError, FunctionSignature};
pub use crate::kind::{Kind, Owner};
pub use crate::maybe::Maybe::{self, Known, Unknown};
pub use crate::path_pattern::Pattern;
pub use crate::provider_server::{ObjectObserver, ProviderServer};
pub use crate::request::context::{CHECKPOINT, ProviderData, RequestContext};
pub use crate::request::deferral::{Deferral, UnknownConfig};
pub use crate::request::progress::ActionEvent;
pub use crate::rpc::action::PlanActionResponse;
pub use crate::rpc::apply_resource_change::{ApplyRequest, ApplyResponse};
pub use crate::rpc::ephemeral_resource::{OpenResponse, RenewResponse};
pub use crate::rpc::import_resource_state::{ImportRequest, ImportResponse};
pub use crate::rpc::list_resource::{ListEvent, ListRequest};
pub use crate::rpc::move_resource_state::{MoveRequest, MoveResponse};
pub use crate::rpc::plan_resource_change::{PlanRequest, PlanResponse};
pub use crate::rpc::read_data_source::DataResponse;
pub use crate::rpc::read_resource::{ReadRequest, ReadResponse};
pub use crate::rpc::rpc_metadata::RpcMetadata;
pub use crate::rpc::state_store::{ConfigureStoreResponse, ReadStateResponse};
pub use crate::stored_state::{Move, MoveSource, StoredState};
