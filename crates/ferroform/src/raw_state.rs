//! Earlier shapes of an object: typed, and as they were stored.

use std::borrow::Borrow;
use std::fmt;

use ferroform_value::{Error, Path, Step, Value, json};

use ferroform_engine::StoredState;
use ferroform_engine::type_mismatch::mismatch;

use crate::{Attr, Context as _, Data, Result};

/// An object as it was stored, by an earlier version of the provider or by another one: JSON of whatever
/// shape.
///
/// Values are taken out by path. They are read as states are: what is not there is null, attributes that the
/// wanted type does not have are left behind, and numbers, bools and texts stand for each other where nothing is
/// lost.
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
    /// The version of the shape that it has.
    pub version: i64,
    data: Data,
}

impl From<StoredState> for RawState {
    fn from(stored: StoredState) -> RawState {
        RawState { version: stored.version, data: Data::trusted(stored.ty().clone(), stored.value().clone()) }
    }
}

impl RawState {
    /// The object of that JSON text.
    ///
    /// # Errors
    ///
    /// Where the text is not JSON.
    pub fn new(version: i64, text: &[u8]) -> Result<RawState> {
        Ok(StoredState::new(version, text)?.into())
    }

    /// The value at that place, as a Rust type; null where there is no such place.
    ///
    /// # Errors
    ///
    /// Where it is not one of the type, or something on the way to it has no places inside.
    pub fn get<T: Attr>(&self, place: impl Borrow<Path>) -> Result<T> {
        let place = place.borrow();
        let found = place.steps().iter().try_fold(self.data.value(), inside).at(place.clone())?;
        let text = json::encode_simple(found)?;
        let read = json::decode_state(&text, &T::ty(), true).and_then(|it| T::from_value(&it));
        Ok(read.map_err(|error| error.under(place))?)
    }

    /// The whole object as a Rust type, mostly a model.
    ///
    /// # Errors
    ///
    /// Where it is not one.
    pub fn read<T: Attr>(&self) -> Result<T> {
        self.get(Path::ROOT)
    }

    /// The whole object, of the type that the text has by itself: arrays are tuples.
    pub fn data(&self) -> &Data {
        &self.data
    }
}

/// What is inside is not printed: some of it may be sensitive.
impl fmt::Debug for RawState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawState").field("version", &self.version).finish_non_exhaustive()
    }
}

/// What stands there in JSON, which has one kind of object for maps and objects, and one of array.
fn inside<'a>(value: &'a Value, step: &Step) -> Result<&'a Value, Error> {
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
