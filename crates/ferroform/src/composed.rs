//! Composed attributes: computed strings that consist of other attributes of the resource.
//!
//! ```text
//! #[attr(import = "{role}/{database}")]
//! struct Grant {
//!     role: String,
//!     database: String,
//!     #[attr(composed)]                   like the first import pattern, or `composed = "{role}@{database}"`
//!     id: String,
//! }
//!
//! planned state   { role = "r", database = unknown, id = unknown }
//! new state       { role = "r", database = "d", id = "r/d" }
//! ```
//!
//! The plan, the new state and the result of a read are filled here, so a method neither computes nor returns the value.

use ferroform_engine::schema::ImportPattern;
use ferroform_value::{Object, Value};

use crate::Model;
use crate::model::composed_attribute::{ComposedAttribute, ComposedPart};

/// The composed attributes of a model.
pub(crate) struct Composed {
    attributes: &'static [ComposedAttribute],
    import_id: Option<ImportPattern>,
}

impl Composed {
    pub(crate) fn of<M: Model>() -> Composed {
        let attributes = M::__COMPOSED;
        let has_import_id = attributes.iter().any(|it| it.parts.is_empty());
        let import_id = has_import_id.then(|| M::import_patterns().into_iter().next()).flatten();
        Composed { attributes, import_id }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// The object with the composed attributes of which every part is known. The others stay as they are.
    pub(crate) fn fill(&self, value: Value) -> Value {
        let Value::Object(mut object) = value else { return value };
        for attribute in self.attributes {
            if let Some(composed) = self.compose(attribute, &object) {
                object.insert(attribute.name, Value::string(composed));
            }
        }
        Value::Object(object)
    }

    /// The computed attributes that a method returned, with the composed ones.
    pub(crate) fn fill_computed(&self, planned: &Value, mut computed: Object) -> Object {
        let Value::Object(planned) = planned else { return computed };
        if self.is_empty() {
            return computed;
        }
        let mut object = planned.clone();
        for (name, value) in computed.iter() {
            object.insert(name.clone(), value.clone());
        }
        for attribute in self.attributes {
            if let Some(composed) = self.compose(attribute, &object) {
                computed.insert(attribute.name, Value::string(composed));
            }
        }
        computed
    }

    fn compose(&self, attribute: &ComposedAttribute, object: &Object) -> Option<String> {
        let value_of = |name: &str| match object.get(name)?.without_type() {
            Value::String(it) => Some(it.to_string()),
            Value::Bool(it) => Some(it.to_string()),
            Value::Number(it) => Some(it.to_string()),
            _ => None,
        };
        if attribute.parts.is_empty() {
            return self.import_id.as_ref()?.write(value_of);
        }
        let parts = attribute.parts.iter().map(|it| match it {
            ComposedPart::Literal(literal) => Some((*literal).to_owned()),
            ComposedPart::Attribute(name) => value_of(name),
        });
        parts.collect()
    }
}
