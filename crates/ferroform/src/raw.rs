//! The author's traits without their types: values in, values out.
//!
//! The engine knows only these. A provider that is made at run time, from an API description say, implements
//! them itself.

pub use ferroform_engine::provider::{
    AnyChange, AnyDataSource, AnyProvider, AnyResource, MethodFuture, Move, ResourceCapabilities,
};
pub use ferroform_engine::{MoveSource, ProviderData, RequestContext, StoredState};
