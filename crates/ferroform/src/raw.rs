//! The traits of providers, resources and data sources without Rust types: their methods receive and return values.
//!
//! Implement them for a provider whose schemas are built at run time, for example from an API description. [`Provider`],
//! [`Resource`] and [`DataSource`] are typed layers over these traits. [`Data`] reads and writes values by attribute path.
//!
//! The guide has a whole provider of this kind: [Schemas](crate::guide::schemas).
//!
//! [`Provider`]: crate::Provider
//! [`Resource`]: crate::Resource
//! [`DataSource`]: crate::DataSource
//! [`Data`]: crate::Data

pub use ferroform_engine::provider::{
    AnyChange, AnyDataSource, AnyProvider, AnyResource, MethodFuture, Move, ResourceCapabilities,
};
pub use ferroform_engine::{MoveSource, ProviderData, RequestContext, StoredState};
