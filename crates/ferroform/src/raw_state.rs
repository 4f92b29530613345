//! Stored states of other schema versions.

use std::borrow::Borrow;
use std::fmt;

use ferroform_value::{Error, Path, Step, Value, json};

use ferroform_engine::StoredState;
use ferroform_engine::type_mismatch::mismatch;

use crate::{Attr, Context as _, Data, Result};

/// A stored object in JSON, from an earlier version of the provider or from another provider.
///
/// Values are read by attribute path, in the same way as Terraform reads states: a missing value is null, attributes that
/// the Rust type does not have are dropped, and numbers, bools and strings are converted into each other without loss.
///
/// ```
/// use ferroform::{RawState, path};
///
/// let old = RawState::new(0, br#"{"name": "a", "size": "7", "tags": ["x", null]}"#)?;
/// assert_eq!(old.get::<u32>(path!(size))?, 7);
/// assert_eq!(old.get::<Vec<Option<String>>>(path!(tags))?, [Some("x".to_owned()), None]);
/// assert_eq!(old.get::<Option<String>>(path!(owner.name))?, None);
/// assert_eq!(
///     old.get::<bool>(path!(name)).unwrap_err().to_string(),
///     "name: Value Conversion Error: A bool is required.",
/// );
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct RawState {
    /// The schema version.
    pub version: i64,
    data: Data,
}

impl From<StoredState> for RawState {
    fn from(stored: StoredState) -> RawState {
        RawState { version: stored.version, data: Data::trusted(stored.ty().clone(), stored.value().clone()) }
    }
}

impl RawState {
    /// Parses an object in JSON.
    ///
    /// # Errors
    ///
    /// If it is not JSON.
    pub fn new(version: i64, json: &[u8]) -> Result<RawState> {
        Ok(StoredState::new(version, json)?.into())
    }

    /// Reads the value at an attribute path; null if there is none.
    ///
    /// # Errors
    ///
    /// If the value is not a `T`, or a step of the path leads into a scalar.
    pub fn get<T: Attr>(&self, path: impl Borrow<Path>) -> Result<T> {
        let path = path.borrow();
        let value = path.steps().iter().try_fold(self.data.value(), step_into).at(path.clone())?;
        let json = json::encode_simple(value)?;
        let read = json::decode_state(&json, &T::ty(), true).and_then(|it| T::from_value(&it));
        Ok(read.map_err(|error| error.at(path.clone()))?)
    }

    /// Reads the whole object, usually as a model.
    ///
    /// # Errors
    ///
    /// If the object is not a `T`.
    pub fn read<T: Attr>(&self) -> Result<T> {
        self.get(Path::ROOT)
    }

    /// The whole object with the type that JSON implies: arrays are tuples.
    pub fn data(&self) -> &Data {
        &self.data
    }
}

/// The object is not printed, because it may contain sensitive values.
impl fmt::Debug for RawState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawState").field("version", &self.version).finish_non_exhaustive()
    }
}

/// One step of a path in JSON, which does not distinguish maps from objects, or lists from tuples.
fn step_into<'a>(value: &'a Value, step: &Step) -> Result<&'a Value, Error> {
    let found = match (value, step) {
        (Value::Null, _) => None,
        (Value::Object(it), Step::Attribute(name)) => it.get(name),
        (Value::Object(it), Step::Key(key)) => it.get(key),
        (Value::Tuple(it), Step::Index(index)) => it.get(*index),
        (it, Step::Attribute(_) | Step::Key(_)) => return Err(mismatch("an object", it)),
        (it, Step::Index(_) | Step::Element(_)) => return Err(mismatch("an array", it)),
    };
    Ok(found.unwrap_or(&Value::Null))
}
