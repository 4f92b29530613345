//! Facts about a field's type that the derive needs at compile time, to reject schemas that Terraform does not support.

use super::shape::Shape;

/// Facts about an attribute type that a schema depends on.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TypeFacts {
    /// The type is a model, or a list, set or map of models.
    pub is_model: bool,
    /// The type is a list, set or map.
    pub is_collection: bool,
    /// The type is a set.
    pub is_set: bool,
    /// The type is a map.
    pub is_map: bool,
    /// A nested attribute, at any depth, is computed.
    pub has_computed: bool,
    /// A nested attribute, at any depth, is write-only.
    pub has_write_only: bool,
    /// The type contains a dynamic value.
    pub has_dynamic: bool,
    /// The model has a nested block.
    pub has_block: bool,
    /// An attribute of the model itself is stored.
    pub has_stored: bool,
    /// An attribute of the model itself is never set by the provider.
    pub has_input: bool,
    /// A model, at any depth, has options in `#[attr(…)]`, apart from types.
    pub has_options: bool,
    /// The model itself has a key.
    pub has_key: bool,
    /// A nested attribute, at any depth, is optional and computed, and its change may require replacement.
    pub has_replacing_optional_computed: bool,
    /// A model that is flattened into the model, at any depth, has `plan_with`.
    pub has_flattened_plan: bool,
    /// The reason why the type cannot be that of an attribute.
    pub rejection: Option<&'static str>,
}

impl TypeFacts {
    /// The facts about a scalar type.
    pub const SCALAR: TypeFacts = TypeFacts {
        is_model: false,
        is_collection: false,
        is_set: false,
        is_map: false,
        has_computed: false,
        has_write_only: false,
        has_dynamic: false,
        has_block: false,
        has_stored: false,
        has_input: false,
        has_options: false,
        has_key: false,
        has_replacing_optional_computed: false,
        has_flattened_plan: false,
        rejection: None,
    };

    /// The facts about a type without attributes.
    pub const fn of_shape(shape: Shape) -> TypeFacts {
        TypeFacts { has_dynamic: matches!(shape, Shape::Dynamic), ..TypeFacts::SCALAR }
    }

    /// The facts about a list of these.
    pub const fn list(self) -> TypeFacts {
        let plain = self.as_plain_value(self.is_collection);
        let rejection = match plain.rejection {
            None if self.has_dynamic => Some(
                "a collection cannot contain a dynamic value, because all its elements have the same type: make the whole attribute `Dynamic`",
            ),
            rejection => rejection,
        };
        TypeFacts {
            is_collection: true,
            is_set: false,
            is_map: false,
            is_model: self.is_model && !self.is_collection,
            rejection,
            ..self
        }
    }

    /// The facts about a map of these.
    pub const fn map(self) -> TypeFacts {
        TypeFacts { is_map: true, ..self.list() }
    }

    /// The facts about a set of these.
    pub const fn set(self) -> TypeFacts {
        let rejection = match self.rejection {
            None if self.has_write_only => {
                Some("a set cannot contain write-only attributes: use a list or a map")
            }
            None if self.is_model && self.has_replacing_optional_computed && !self.has_key => Some(
                "in a set without a `key`, an attribute that is `optional, computed` cannot require replacement: mark the attributes that identify an element with `key`",
            ),
            rejection => rejection,
        };
        TypeFacts { is_set: true, ..TypeFacts { rejection, ..self }.list() }
    }

    /// The facts about a tuple of these and the elements of `other`.
    pub const fn tuple_with(self, other: TypeFacts) -> TypeFacts {
        let (one, two) = (self.as_plain_value(true), other.as_plain_value(true));
        let rejection = match one.rejection {
            None => two.rejection,
            rejection => rejection,
        };
        let all = one.and(two);
        TypeFacts { is_model: false, is_collection: false, is_set: false, is_map: false, rejection, ..all }
    }

    /// The facts about a model: those of its own fields, of their types, and of the flattened models.
    pub const fn model(own: TypeFacts, fields: &[TypeFacts], flattened: &[TypeFacts]) -> TypeFacts {
        let mut all = own;
        let mut i = 0;
        while i < fields.len() {
            all = all.and(TypeFacts { has_stored: false, has_input: false, has_key: false, ..fields[i] });
            i += 1;
        }
        i = 0;
        while i < flattened.len() {
            all = all.and(flattened[i]);
            i += 1;
        }
        // A rejection of a field is reported at the field.
        TypeFacts {
            is_model: true,
            is_collection: false,
            is_set: false,
            is_map: false,
            rejection: None,
            ..all
        }
    }

    const fn and(self, other: TypeFacts) -> TypeFacts {
        TypeFacts {
            has_computed: self.has_computed || other.has_computed,
            has_write_only: self.has_write_only || other.has_write_only,
            has_dynamic: self.has_dynamic || other.has_dynamic,
            has_block: self.has_block || other.has_block,
            has_stored: self.has_stored || other.has_stored,
            has_input: self.has_input || other.has_input,
            has_options: self.has_options || other.has_options,
            has_key: self.has_key || other.has_key,
            has_replacing_optional_computed: self.has_replacing_optional_computed
                || other.has_replacing_optional_computed,
            has_flattened_plan: self.has_flattened_plan || other.has_flattened_plan,
            ..self
        }
    }

    /// In a collection of collections or a tuple, a model is not a nested attribute but the type of a value.
    const fn as_plain_value(self, is_plain: bool) -> TypeFacts {
        match self.rejection {
            None if is_plain && self.is_model && self.has_options => TypeFacts {
                rejection: Some(
                    "in a collection of collections or a tuple, the attributes of a model cannot have options: remove `#[attr(…)]` from its fields",
                ),
                ..self
            },
            _ => self,
        }
    }
}

/// The options of a field that its type may not support.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FieldOptions {
    /// `block`
    pub block: bool,
    /// The field has the option `object`.
    pub object: bool,
    /// `computed`, `optional, computed` or a default.
    pub computed: bool,
    /// `write_only`
    pub write_only: bool,
    /// `min_items` and `max_items`.
    pub items: Option<(u64, Option<u64>)>,
}

impl TypeFacts {
    /// Returns true if every configuration contains a block of this type: a single block that is not an `Option`, or a
    /// collection with a minimum number of blocks.
    pub const fn is_always_set(self, is_single: bool, min: u64) -> bool {
        if self.is_collection { min > 0 } else { is_single }
    }

    /// The reason why a field of this type cannot have these options.
    pub const fn rejection_reason(self, field: FieldOptions) -> Option<&'static str> {
        if let Some(reason) = self.rejection {
            return Some(reason);
        }
        if self.has_flattened_plan {
            return Some(
                "in a nested model, a flattened model cannot have `plan_with`: add the option to the attributes of the flattened model",
            );
        }
        if field.block && !self.is_model {
            return Some("`block` needs a model, or a list, set or map of models");
        }
        if field.object && !self.is_model {
            return Some("`object` requires a model, or a list, set or map of models");
        }
        if field.object && self.has_options {
            return Some(
                "in an attribute with `object`, the attributes of the model cannot have options: remove `#[attr(…)]` from its fields, or make it a nested attribute or a block",
            );
        }
        if !field.block && self.has_block {
            return Some(
                "a nested attribute cannot contain blocks: add `block` to this field, or remove it from the fields of the nested model",
            );
        }
        if field.block && field.computed && self.has_input {
            return Some(
                "in a block with `optional, computed`, every attribute must be `computed` or `optional, computed`",
            );
        }
        if field.computed && self.has_write_only {
            return Some("a computed attribute cannot contain write-only attributes");
        }
        if field.write_only && self.is_set {
            return Some("a set cannot be `write_only`: use a list or a map");
        }
        if field.write_only && self.has_stored && !field.object {
            return Some("all attributes inside a `write_only` attribute must be `write_only` too");
        }
        let Some((min, max)) = field.items else { return None };
        if !self.is_collection {
            return Some("`min_items` and `max_items` need a list, set or map");
        }
        match max {
            Some(0) => Some("`max_items` must be at least 1"),
            Some(max) if min > max => Some("`min_items` must not be greater than `max_items`"),
            _ if field.block && field.computed && min > 0 => {
                Some("a block with `optional, computed` can be omitted, so it cannot have `min_items`")
            }
            _ => None,
        }
    }
}
