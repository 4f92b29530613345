//! What must hold of a value of a type: objects have the attributes of the type and no others, tuples as many
//! elements as the type, and the elements of a collection are all of one type.

use std::sync::Arc;

use crate::error::Error;
use crate::ty::{ObjectType, Type};
use crate::value::{Object, Typed, Value};

impl Object {
    /// The attributes with their types, where there are those of the type and no others.
    ///
    /// # Errors
    ///
    /// Where one is missing or too much.
    pub fn paired<'a>(
        &'a self,
        types: &'a ObjectType,
    ) -> Result<impl ExactSizeIterator<Item = (&'a Arc<str>, &'a Value, &'a Type)>, Error> {
        if !self.has_names_of(types) {
            return Err(self.other_names(types));
        }
        Ok(self.iter().zip(types.attributes()).map(|((name, value), attribute)| (name, value, &attribute.ty)))
    }

    /// The first name that is missing or not supported. Both sides are sorted by name.
    fn other_names(&self, types: &ObjectType) -> Error {
        let mut expected = types.attributes().iter();
        for (name, _) in self.iter() {
            match expected.next() {
                Some(expected) if expected.name == *name => {}
                Some(expected) if expected.name < *name => {
                    return Error::missing_attributes([expected.name.clone()]);
                }
                _ => return Error::unsupported_attribute(name.clone()),
            }
        }
        Error::missing_attributes(expected.next().map(|it| it.name.clone()))
    }
}

/// The elements of a tuple with their types.
pub(crate) fn paired<'a>(
    elements: &'a [Value],
    types: &'a [Type],
) -> Result<impl ExactSizeIterator<Item = (&'a Value, &'a Type)>, Error> {
    if elements.len() == types.len() {
        Ok(elements.iter().zip(types))
    } else {
        Err(Error::tuple_length(types.len(), elements.len()))
    }
}

/// Takes one more element's type into the common one. An untyped null or unknown goes with every type.
pub(crate) fn meet(common: &mut Option<Type>, ty: &Type) -> bool {
    match common {
        Some(common) if common == ty || *ty == Type::Dynamic => return true,
        Some(common) if *common != Type::Dynamic => return false,
        _ => *common = Some(ty.clone()),
    }
    true
}

/// The language's collections are of one type, also where the schema leaves it open.
pub(crate) fn same_type<'a>(
    ty: &Type,
    elements: impl ExactSizeIterator<Item = &'a Value>,
) -> Result<(), Error> {
    if elements.len() > 1 && ty.has_dynamic() {
        let mut common = None;
        for it in elements {
            if !meet(&mut common, &Typed::resolve(it.clone(), ty)?.ty) {
                return Err(Error::inconsistent_elements(None));
            }
        }
    }
    Ok(())
}
