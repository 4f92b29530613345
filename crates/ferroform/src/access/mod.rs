//! Access to values by attribute path, without a model.
//!
//! A [`Data`] is a value with its type, or with its schema. It is read and written by attribute path, with the conversions
//! that models use: nothing is dropped, and every error contains the attribute path.
//!
//! ```
//! use ferroform::schema::{Attribute, AttributeExt as _, Block};
//! use ferroform::value::Value;
//! use ferroform::{Data, Unhandled, path, pattern};
//!
//! let schema = Block::new()
//!     .attribute(Attribute::of::<String>("name"))
//!     .attribute(Attribute::of::<Option<Vec<u16>>>("ports"));
//! let mut data = Data::new(schema, Value::Null)?;
//!
//! // Missing objects and collections on the path are created.
//! data.set(path!(name), "web")?;
//! data.set(path!(ports[0]), 80)?;
//! assert_eq!(data.get::<Vec<u16>>(path!(ports))?, [80]);
//!
//! // The schema rejects a value that is not a port.
//! let error = data.set(path!(ports[1]), 70_000).unwrap_err();
//! assert!(error.to_string().starts_with("ports[1]: Value Conversion Error: A whole number between 0 and 65535"));
//!
//! // A null that the Rust type cannot represent is an error, unless a default value is requested.
//! assert!(data.get::<u16>(path!(ports[7])).is_err());
//! assert_eq!(data.get::<Option<u16>>(path!(ports[7]))?, None);
//! assert_eq!(data.get_or::<u16>(path!(ports[7]), Unhandled::default().null_as_default())?, 0);
//!
//! assert_eq!(data.matches(&pattern!(ports[*]))?, [path!(ports[0])]);
//! # Ok::<(), ferroform::Diagnostics>(())
//! ```

mod build;
mod convert;
mod data;
mod dynamic;
mod paths;

pub use build::IntoData;
pub use data::Data;
pub use ferroform_engine::Pattern;
