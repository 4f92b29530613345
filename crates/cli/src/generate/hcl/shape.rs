//! The types of example values, and of bodies with arguments and blocks.

use std::collections::BTreeMap;

use ferroform_lang::body::{Body, Expression, Variables};
use ferroform_value::Value;

use crate::generate::definition::{Collection, Field, Form, Mode, Model, Type};

/// The type of one or more values of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Null, or a value that depends on other objects.
    Unknown,
    Bool,
    Integer,
    Float,
    String,
    List(Box<Shape>),
    /// The attributes, and the number of objects that set them.
    Object {
        attributes: BTreeMap<String, (Shape, usize)>,
        objects: usize,
    },
    /// Values of different types.
    Mixed,
}

impl Shape {
    /// Returns the shape of an expression.
    fn of(expression: &Expression<'_>) -> Shape {
        match expression.evaluate(&Variables::default()) {
            Ok(value) => Shape::of_value(&value.value),
            Err(_) => Shape::Unknown,
        }
    }

    fn of_value(value: &Value) -> Shape {
        let elements = |elements: &mut dyn Iterator<Item = &Value>| {
            Shape::List(Box::new(elements.map(Shape::of_value).fold(Shape::Unknown, Shape::unify)))
        };
        let object = |attributes: &mut dyn Iterator<Item = (String, &Value)>| Shape::Object {
            attributes: attributes.map(|(name, it)| (name, (Shape::of_value(it), 1))).collect(),
            objects: 1,
        };
        match value.without_type() {
            Value::Bool(_) => Shape::Bool,
            Value::Number(it) if it.to_i64().is_some() => Shape::Integer,
            Value::Number(_) => Shape::Float,
            Value::String(_) => Shape::String,
            Value::List(it) | Value::Tuple(it) => elements(&mut it.iter()),
            Value::Set(it) => elements(&mut it.iter()),
            Value::Map(it) => object(&mut it.iter().map(|(name, it)| (name.to_string(), it))),
            Value::Object(it) => object(&mut it.iter().map(|(name, it)| (name.to_string(), it))),
            _ => Shape::Unknown,
        }
    }

    /// Returns the shape of values of both shapes.
    pub(super) fn unify(self, other: Shape) -> Shape {
        match (self, other) {
            (a, b) if a == b && !matches!(a, Shape::Object { .. }) => a,
            (Shape::Unknown, it) | (it, Shape::Unknown) => it,
            (Shape::Integer, Shape::Float) | (Shape::Float, Shape::Integer) => Shape::Float,
            (Shape::List(a), Shape::List(b)) => Shape::List(Box::new(a.unify(*b))),
            (
                Shape::Object { attributes: mut all, objects },
                Shape::Object { attributes: more, objects: more_objects },
            ) => {
                for (name, (shape, count)) in more {
                    let (known, known_count) = all.remove(&name).unwrap_or((Shape::Unknown, 0));
                    all.insert(name, (known.unify(shape), known_count + count));
                }
                Shape::Object { attributes: all, objects: objects + more_objects }
            }
            _ => Shape::Mixed,
        }
    }

    /// Returns the type. Objects whose attributes have the same simple type are maps. `is_unknown` is called if the type
    /// is not known.
    fn ty(&self, path: &str, is_unknown: &mut dyn FnMut(&str)) -> Type {
        match self {
            Shape::Unknown => {
                is_unknown(path);
                Type::Scalar("String")
            }
            Shape::Bool => Type::Scalar("bool"),
            Shape::Integer => Type::Scalar("i64"),
            Shape::Float => Type::Scalar("f64"),
            Shape::String => Type::Scalar("String"),
            Shape::Mixed => Type::Scalar("Dynamic"),
            Shape::List(element) => {
                // A collection cannot contain values of different types.
                if element.has_mixed() {
                    return Type::Scalar("Dynamic");
                }
                Type::Collection(Collection::List, Box::new(element.ty(path, is_unknown)))
            }
            // An empty object is a map more often than an object without attributes.
            Shape::Object { attributes, .. } if attributes.is_empty() => {
                is_unknown(path);
                Type::Collection(Collection::Map, Box::new(Type::Scalar("String")))
            }
            Shape::Object { attributes, objects } => match common_shape(attributes) {
                Some(element) => Type::Collection(Collection::Map, Box::new(element.ty(path, is_unknown))),
                None => {
                    let field = |(name, (shape, count)): (&String, &(Shape, usize))| {
                        let mode = if count < objects { Mode::Optional } else { Mode::Required };
                        field(name, shape, mode, path, is_unknown)
                    };
                    let fields = attributes.iter().map(field).collect();
                    Type::Model(Model { fields, ..Model::default() })
                }
            },
        }
    }

    fn has_mixed(&self) -> bool {
        match self {
            Shape::Mixed => true,
            Shape::List(element) => element.has_mixed(),
            Shape::Object { attributes, .. } => attributes.values().any(|(it, _)| it.has_mixed()),
            _ => false,
        }
    }
}

/// Returns the simple type of all attributes, if there is one.
fn common_shape(attributes: &BTreeMap<String, (Shape, usize)>) -> Option<&Shape> {
    let mut shapes = attributes.values().map(|(shape, _)| shape);
    let first = shapes.next()?;
    let is_simple = matches!(first, Shape::Bool | Shape::Integer | Shape::Float | Shape::String);
    (is_simple && attributes.len() > 1 && shapes.all(|it| it == first) || attributes.len() == 1 && is_simple)
        .then_some(first)
}

fn field(name: &str, shape: &Shape, mode: Mode, path: &str, is_unknown: &mut dyn FnMut(&str)) -> Field {
    let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let ty = shape.ty(&path, is_unknown);
    let form = if ty.model().is_some() { Form::NestedAttribute } else { Form::Attribute };
    Field { form, ..Field::new(name, ty, mode) }
}

/// The arguments and blocks of one or more bodies.
#[derive(Debug, Default)]
pub(super) struct Example {
    bodies: usize,
    /// The arguments, and the number of bodies that set them.
    arguments: BTreeMap<String, (Shape, usize)>,
    blocks: BTreeMap<String, ExampleBlock>,
}

/// The blocks of a type in one or more bodies.
#[derive(Debug, Default)]
struct ExampleBlock {
    example: Example,
    /// The number of bodies with blocks of the type.
    bodies: usize,
    is_repeated: bool,
    has_labels: bool,
}

impl Example {
    /// Adds a body, without the arguments and blocks of these names.
    pub(super) fn add(&mut self, body: &Body<'_>, except: &[&str]) {
        self.bodies += 1;
        for argument in body.arguments.iter().filter(|it| !except.contains(&it.name)) {
            let (shape, count) = self.arguments.remove(argument.name).unwrap_or((Shape::Unknown, 0));
            let shape = shape.unify(Shape::of(&argument.value));
            self.arguments.insert(argument.name.to_owned(), (shape, count + 1));
        }
        let mut seen: Vec<&str> = Vec::new();
        for block in body.blocks.iter().filter(|it| !except.contains(&it.name)) {
            // A block `dynamic "disk"` generates blocks `disk` with its block `content`.
            let content = block.body.blocks.iter().find(|it| it.name == "content");
            let (name, body, is_dynamic) = match (block.labels.first(), content) {
                (Some(label), Some(content)) if block.name == "dynamic" => {
                    (&*label.text, &content.body, true)
                }
                _ => (block.name, &block.body, false),
            };
            let known = self.blocks.entry(name.to_owned()).or_default();
            known.is_repeated |= is_dynamic || seen.contains(&name);
            known.has_labels |= !is_dynamic && !block.labels.is_empty();
            if !seen.contains(&name) {
                known.bodies += 1;
                seen.push(name);
            }
            known.example.add(body, &[]);
        }
    }

    /// Returns the model. `is_unknown` is called with the path of each attribute whose type is not known.
    pub(super) fn model(&self, is_unknown: &mut dyn FnMut(&str)) -> Model {
        self.model_at("", is_unknown)
    }

    fn model_at(&self, path: &str, is_unknown: &mut dyn FnMut(&str)) -> Model {
        let mut fields = Vec::new();
        for (name, (shape, count)) in &self.arguments {
            let mode = if *count < self.bodies { Mode::Optional } else { Mode::Required };
            fields.push(field(name, shape, mode, path, is_unknown));
        }
        fields.sort_by_key(|it| it.mode);
        for (name, block) in &self.blocks {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let is_required = block.bodies == self.bodies;
            let model = Box::new(Type::Model(block.example.model_at(&path, is_unknown)));
            let ty = match (block.has_labels, block.is_repeated) {
                (true, _) => Type::Collection(Collection::Map, model),
                (false, true) => Type::Collection(Collection::List, model),
                (false, false) => *model,
            };
            let min_items = u64::from(is_required && matches!(ty, Type::Collection(Collection::List, _)));
            let mode = if is_required { Mode::Required } else { Mode::Optional };
            fields.push(Field { form: Form::Block, min_items, ..Field::new(name, ty, mode) });
        }
        Model { fields, ..Model::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_unified() {
        let unified = |a: Shape, b: Shape| format!("{:?}", a.unify(b));
        assert_eq!(unified(Shape::Integer, Shape::Float), "Float");
        assert_eq!(unified(Shape::Unknown, Shape::Bool), "Bool");
        assert_eq!(unified(Shape::Bool, Shape::Integer), "Mixed");
        let list = |of| Shape::List(Box::new(of));
        assert_eq!(unified(list(Shape::Unknown), list(Shape::String)), "List(String)");
    }
}
