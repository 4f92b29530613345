//! From a literal configuration to the value that core sends: converted to the schema's types, with core's
//! own errors where it does not fit.

use ferroform::schema::{Attribute, Block, Mode, NestedBlock, Nesting};
use ferroform::value::{Error, Object, Path, Step, Typed, Value};
use ferroform::{Diagnostic, Diagnostics, Result};

use super::literal::{Configuration, Entry, Literal};

/// The value of a configuration for a schema.
///
/// Stricter than core in one place: core drops attributes that a nested attribute's object does not have;
/// here they are an error, because in a test they are a mistake.
pub(crate) fn read(block: &Block, config: &Configuration) -> Result<Value> {
    let mut reader = Reader { place: Path::ROOT, found: Diagnostics::new() };
    let value = Value::Object(reader.block(block, config));
    if reader.found.is_empty() { Ok(value) } else { Err(reader.found) }
}

struct Reader {
    place: Path,
    found: Diagnostics,
}

impl Reader {
    fn say(&mut self, summary: &str, detail: String) {
        self.found.push(Diagnostic::error(summary).detail(detail).at(self.place.clone()));
    }

    fn within<T>(&mut self, step: Step, read: impl FnOnce(&mut Reader) -> T) -> T {
        self.place.push(step);
        let it = read(self);
        self.place.pop();
        it
    }

    fn block(&mut self, block: &Block, config: &Configuration) -> Object {
        self.names(block, config);
        let attributes = block.attributes.iter().map(|attribute| {
            let entry = config.entries.iter().find(|(name, _)| **name == *attribute.name);
            let step = Step::Attribute(attribute.name.clone());
            let value = self.within(step, |reader| match entry {
                Some((_, Entry::Attribute(it))) => reader.attribute(attribute, it),
                Some((_, Entry::Block(_))) => {
                    let name = &attribute.name;
                    let detail = format!("Blocks of type \"{name}\" are not expected here. Did you mean to define argument \"{name}\"? If so, use the equals sign to assign it a value.");
                    reader.say("Unsupported block type", detail);
                    Value::Null
                }
                None => {
                    if attribute.mode == Mode::Required {
                        let name = &attribute.name;
                        let detail = format!("The argument \"{name}\" is required, but no definition was found.");
                        reader.say("Missing required argument", detail);
                    }
                    Value::Null
                }
            });
            (attribute.name.clone(), value)
        });
        let mut object: Object = attributes.collect();
        for nested in &block.blocks {
            let step = Step::Attribute(nested.name.clone());
            let value = self.within(step, |reader| reader.blocks(nested, config));
            object.insert(nested.name.clone(), value);
        }
        object
    }

    /// Names that the schema does not have, and attributes that are there twice.
    fn names(&mut self, block: &Block, config: &Configuration) {
        for (i, (name, entry)) in config.entries.iter().enumerate() {
            let is_attribute = matches!(entry, Entry::Attribute(_));
            let is_known = block.get(name).is_some() || block.blocks.iter().any(|it| *it.name == **name);
            let step = Step::Attribute(name.as_str().into());
            self.within(step, |reader| {
                if !is_known {
                    let (summary, detail) = if is_attribute {
                        (
                            "Unsupported argument",
                            format!("An argument named \"{name}\" is not expected here."),
                        )
                    } else {
                        (
                            "Unsupported block type",
                            format!("Blocks of type \"{name}\" are not expected here."),
                        )
                    };
                    let names = block.attributes.iter().map(|it| &*it.name);
                    let names: Vec<&str> = names.chain(block.blocks.iter().map(|it| &*it.name)).collect();
                    reader.say(summary, format!("{detail} The schema has: {}.", names.join(", ")));
                } else if is_attribute && config.entries[..i].iter().any(|(it, _)| it == name) {
                    reader.say("Attribute redefined", format!("The argument \"{name}\" was already set."));
                }
            });
        }
    }

    fn attribute(&mut self, attribute: &Attribute, literal: &Literal) -> Value {
        match &attribute.nested {
            Some(nested) => self.nested(nested.nesting, &nested.block, literal),
            None => {
                if let Literal::Object(it) = literal
                    && it.entries.iter().any(|(_, it)| matches!(it, Entry::Block(_)))
                {
                    self.say("Invalid expression", "There can be no block inside a value.".into());
                    return Value::Null;
                }
                let (ty, value) = literal.typed();
                Typed { ty, value }.fit(&attribute.ty).unwrap_or_else(|error| self.unfit(&error))
            }
        }
    }

    fn unfit(&mut self, error: &Error) -> Value {
        let place = error.path().clone().below(&self.place);
        let detail = format!("Inappropriate value for attribute \"{place}\": {}.", error.message());
        self.found.push(Diagnostic::error("Incorrect attribute value type").detail(detail).at(place));
        Value::Null
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, literal: &Literal) -> Value {
        let wanted = match (nesting, literal) {
            (_, Literal::Null) => return Value::Null,
            (_, Literal::Unknown) => return Value::UNKNOWN,
            (Nesting::Single, Literal::Object(it)) => return Value::Object(self.block(block, it)),
            (Nesting::List, Literal::Tuple(it)) => return Value::List(self.elements(block, it)),
            (Nesting::Set, Literal::Tuple(it)) => return Value::set(self.elements(block, it)),
            (Nesting::Map, Literal::Object(it)) => {
                let entries = it.entries.iter().map(|(key, it)| {
                    let value = self.within(Step::Key(key.as_str().into()), |reader| match it {
                        Entry::Attribute(it) => reader.nested(Nesting::Single, block, it),
                        Entry::Block(it) => Value::Object(reader.block(block, it)),
                    });
                    (key.as_str(), value)
                });
                return Value::map(entries.collect::<Vec<_>>());
            }
            (Nesting::Single, _) => "an object",
            (Nesting::List, _) => "a list of objects",
            (Nesting::Set, _) => "a set of objects",
            (Nesting::Map, _) => "a map of objects",
        };
        let error = Error::new(format!("{wanted} is required, but this is {}", literal.kind()));
        self.unfit(&error)
    }

    fn elements(&mut self, block: &Block, elements: &[Literal]) -> Vec<Value> {
        let read = |(i, it)| self.within(Step::Index(i), |reader| reader.nested(Nesting::Single, block, it));
        elements.iter().enumerate().map(read).collect()
    }

    fn blocks(&mut self, nested: &NestedBlock, config: &Configuration) -> Value {
        let mut found = Vec::new();
        for (_, entry) in config.entries.iter().filter(|(name, _)| **name == *nested.name) {
            match entry {
                Entry::Block(it) => {
                    let step = Step::Index(found.len());
                    found.push(self.within(step, |reader| Value::Object(reader.block(&nested.block, it))));
                }
                // A dynamic block over something that is not known yet.
                Entry::Attribute(Literal::Unknown) => return Value::UNKNOWN,
                Entry::Attribute(_) => {
                    let name = &nested.name;
                    let detail = format!(
                        "An argument named \"{name}\" is not expected here. Did you mean to define a block of type \"{name}\"?"
                    );
                    self.say("Unsupported argument", detail);
                }
            }
        }
        match nested.nesting {
            Nesting::List => Value::List(found),
            Nesting::Set => Value::set(found),
            Nesting::Single | Nesting::Map => {
                if found.len() > 1 {
                    let detail = format!("Only one \"{}\" block is allowed.", nested.name);
                    self.say("Duplicate block", detail);
                }
                found.pop().unwrap_or(Value::Null)
            }
        }
    }
}
