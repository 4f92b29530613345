//! Conformance of values to types: an object has exactly the attributes of its type, a tuple has as many elements as
//! its type, and all elements of a collection have one type.

use std::sync::Arc;

use crate::error::Error;
use crate::ty::{ObjectType, Type};
use crate::value::{Object, Typed, Value};

impl Object {
    /// Returns the attributes with their types.
    ///
    /// ```
    /// use ferroform_value::{Attribute, Object, ObjectType, Type};
    ///
    /// let types = ObjectType::new([Attribute::new("port", Type::Number)]);
    /// let mut server = Object::default();
    /// assert!(server.typed_attributes(&types).is_err());
    /// server.insert("port", 80.into());
    /// let (name, value, ty) = server.typed_attributes(&types)?.next().unwrap();
    /// assert_eq!((&**name, value, ty), ("port", &80.into(), &Type::Number));
    /// # Ok::<(), ferroform_value::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the object does not have exactly the attributes of the type.
    pub fn typed_attributes<'a>(
        &'a self,
        types: &'a ObjectType,
    ) -> Result<impl ExactSizeIterator<Item = (&'a Arc<str>, &'a Value, &'a Type)>, Error> {
        if !self.has_names_of(types) {
            return Err(self.attribute_mismatch(types));
        }
        Ok(self.iter().zip(types.attributes()).map(|((name, value), attribute)| (name, value, &attribute.ty)))
    }

    /// Returns the error for all missing and unsupported attributes.
    fn attribute_mismatch(&self, types: &ObjectType) -> Error {
        let expected = types.attributes().iter().map(|it| &it.name);
        let missing = expected.filter(|name| self.get(name).is_none()).cloned();
        let unsupported = self.iter().map(|(name, _)| name).filter(|name| types.get(name).is_none()).cloned();
        Error::attribute_mismatch(missing.collect(), unsupported.collect())
    }
}

/// Returns the elements of a tuple with their types.
pub(crate) fn typed_elements<'a>(
    elements: &'a [Value],
    types: &'a [Type],
) -> Result<impl ExactSizeIterator<Item = (&'a Value, &'a Type)>, Error> {
    if elements.len() == types.len() {
        Ok(elements.iter().zip(types))
    } else {
        Err(Error::tuple_length(types.len(), elements.len()))
    }
}

/// Merges the type of an element into the common type, and returns whether that is possible. The type `any` of an
/// untyped null or unknown value merges with every type.
pub(crate) fn merge_element_type(common: &mut Option<Type>, ty: &Type) -> bool {
    match common {
        Some(common) if common == ty || *ty == Type::Dynamic => return true,
        Some(common) if *common != Type::Dynamic => return false,
        _ => *common = Some(ty.clone()),
    }
    true
}

/// Checks that all elements of a collection have one type, even if the schema has the element type `any`.
pub(crate) fn check_element_types<'a>(
    ty: &Type,
    elements: impl ExactSizeIterator<Item = &'a Value>,
) -> Result<(), Error> {
    if elements.len() > 1 && ty.has_dynamic() {
        let mut common = None;
        for element in elements {
            if !merge_element_type(&mut common, &Typed::resolve(element.clone(), ty)?.ty) {
                return Err(Error::inconsistent_elements(None));
            }
        }
    }
    Ok(())
}
