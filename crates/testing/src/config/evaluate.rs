//! Evaluation of a configuration: converts it to the types of a schema and reports Terraform's own errors.

use ferroform::schema::{Attribute, Block, Mode, NestedBlock, Nesting};
use ferroform::value::{Error, Object, Path, Step, Typed, Value};
use ferroform::{Diagnostic, Diagnostics, Result};

use super::literal::{Configuration, Entry, Literal};

/// Evaluates a configuration for a schema.
///
/// Terraform ignores an unsupported attribute in the object of a nested attribute. This function reports an error,
/// because it is a mistake in a test.
pub(crate) fn evaluate(block: &Block, config: &Configuration) -> Result<Value> {
    let mut evaluator = Evaluator { path: Path::ROOT, errors: Diagnostics::new() };
    let value = Value::Object(evaluator.block(block, config));
    if evaluator.errors.is_empty() { Ok(value) } else { Err(evaluator.errors) }
}

struct Evaluator {
    path: Path,
    errors: Diagnostics,
}

impl Evaluator {
    fn report(&mut self, summary: &str, detail: String) {
        self.errors.push(Diagnostic::error(summary).detail(detail).at(self.path.clone()));
    }

    fn within<T>(&mut self, step: Step, evaluate: impl FnOnce(&mut Evaluator) -> T) -> T {
        self.path.push(step);
        let it = evaluate(self);
        self.path.pop();
        it
    }

    fn block(&mut self, block: &Block, config: &Configuration) -> Object {
        self.names(block, config);
        let attributes = block.attributes.iter().map(|attribute| {
            let entry = config.entries.iter().find(|(name, _)| **name == *attribute.name);
            let step = Step::Attribute(attribute.name.clone());
            let value = self.within(step, |evaluator| match entry {
                Some((_, Entry::Attribute(it))) => evaluator.attribute(attribute, it),
                Some((_, Entry::Block(_))) => {
                    let name = &attribute.name;
                    let detail = format!("Blocks of type \"{name}\" are not expected here. Did you mean to define argument \"{name}\"? If so, use the equals sign to assign it a value.");
                    evaluator.report("Unsupported block type", detail);
                    Value::Null
                }
                None => {
                    if attribute.mode == Mode::Required {
                        let name = &attribute.name;
                        let detail = format!("The argument \"{name}\" is required, but no definition was found.");
                        evaluator.report("Missing required argument", detail);
                    }
                    Value::Null
                }
            });
            (attribute.name.clone(), value)
        });
        let mut object: Object = attributes.collect();
        for nested in &block.blocks {
            let step = Step::Attribute(nested.name.clone());
            let value = self.within(step, |evaluator| evaluator.blocks(nested, config));
            object.insert(nested.name.clone(), value);
        }
        object
    }

    /// Reports names that the schema does not have, and attributes that are set more than once.
    fn names(&mut self, block: &Block, config: &Configuration) {
        for (i, (name, entry)) in config.entries.iter().enumerate() {
            let is_attribute = matches!(entry, Entry::Attribute(_));
            let is_known = block.get(name).is_some() || block.blocks.iter().any(|it| *it.name == **name);
            let step = Step::Attribute(name.as_str().into());
            self.within(step, |evaluator| {
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
                    evaluator.report(summary, format!("{detail} The schema has: {}.", names.join(", ")));
                } else if is_attribute && config.entries[..i].iter().any(|(it, _)| it == name) {
                    evaluator
                        .report("Attribute redefined", format!("The argument \"{name}\" was already set."));
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
                    self.report("Invalid expression", "A value cannot contain a block.".into());
                    return Value::Null;
                }
                if let Literal::Refined(it) = literal {
                    return Value::Unknown(Some(it.clone()));
                }
                let (ty, value) = literal.typed();
                Typed { ty, value }.fit(attribute.ty()).unwrap_or_else(|error| self.mismatch(&error))
            }
        }
    }

    fn mismatch(&mut self, error: &Error) -> Value {
        let path = error.path().clone().below(&self.path);
        let detail = format!("Inappropriate value for attribute \"{path}\": {}.", error.message());
        self.errors.push(Diagnostic::error("Incorrect attribute value type").detail(detail).at(path));
        Value::Null
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, literal: &Literal) -> Value {
        let expected = match (nesting, literal) {
            (_, Literal::Null) => return Value::Null,
            (_, Literal::Unknown) => return Value::UNKNOWN,
            (_, Literal::Refined(it)) => return Value::Unknown(Some(it.clone())),
            (Nesting::Single, Literal::Object(it)) => return Value::Object(self.block(block, it)),
            (Nesting::List, Literal::Tuple(it)) => return Value::List(self.elements(block, it)),
            (Nesting::Set, Literal::Tuple(it)) => return Value::set(self.elements(block, it)),
            (Nesting::Map, Literal::Object(it)) => {
                let entries = it.entries.iter().map(|(key, it)| {
                    let value = self.within(Step::Key(key.as_str().into()), |evaluator| match it {
                        Entry::Attribute(it) => evaluator.nested(Nesting::Single, block, it),
                        Entry::Block(it) => Value::Object(evaluator.block(block, &it.inside)),
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
        let error = Error::new(format!("{expected} is required, but got {}", literal.kind()));
        self.mismatch(&error)
    }

    fn elements(&mut self, block: &Block, elements: &[Literal]) -> Vec<Value> {
        let read =
            |(i, it)| self.within(Step::Index(i), |evaluator| evaluator.nested(Nesting::Single, block, it));
        elements.iter().enumerate().map(read).collect()
    }

    fn blocks(&mut self, nested: &NestedBlock, config: &Configuration) -> Value {
        let name = &nested.name;
        let mut found: Vec<(Option<&str>, Value)> = Vec::new();
        for (_, entry) in config.entries.iter().filter(|(it, _)| **it == **name) {
            match entry {
                Entry::Block(it) => {
                    self.label(nested, it.label.as_deref(), &found);
                    let step = match &it.label {
                        Some(label) => Step::Key(label.as_str().into()),
                        None => Step::Index(found.len()),
                    };
                    let value = self
                        .within(step, |evaluator| Value::Object(evaluator.block(&nested.block, &it.inside)));
                    found.push((it.label.as_deref(), value));
                }
                // A dynamic block whose `for_each` is unknown.
                Entry::Attribute(Literal::Unknown) => return Value::UNKNOWN,
                Entry::Attribute(Literal::Refined(it)) => return Value::Unknown(Some(it.clone())),
                Entry::Attribute(_) => {
                    let detail = format!(
                        "An argument named \"{name}\" is not expected here. Did you mean to define a block of type \"{name}\"?"
                    );
                    self.report("Unsupported argument", detail);
                }
            }
        }
        self.count(nested, found.len());
        match nested.nesting {
            Nesting::List => Value::List(found.into_iter().map(|(_, it)| it).collect()),
            Nesting::Set => Value::set(found.into_iter().map(|(_, it)| it)),
            Nesting::Map => Value::map(found.into_iter().filter_map(|(label, it)| Some((label?, it)))),
            Nesting::Single => found.pop().map_or(Value::Null, |(_, it)| it),
        }
    }

    fn label(&mut self, nested: &NestedBlock, label: Option<&str>, before: &[(Option<&str>, Value)]) {
        let name = &nested.name;
        match (nested.nesting, label) {
            (Nesting::Map, None) => {
                let detail = format!("All {name} blocks must have 1 labels (key).");
                self.report(&format!("Missing key for {name}"), detail);
            }
            (Nesting::Map, Some(label)) if before.iter().any(|(it, _)| *it == Some(label)) => {
                let detail = format!(
                    "A block for {name} \"{label}\" was already defined. The {name} labels must be unique."
                );
                self.report(&format!("Duplicate {name} block"), detail);
            }
            (Nesting::Single | Nesting::List | Nesting::Set, Some(_)) => {
                let detail = format!("No labels are expected for {name} blocks.");
                self.report(&format!("Extraneous label for {name}"), detail);
            }
            _ => {}
        }
    }

    /// Checks the number of blocks as Terraform does.
    fn count(&mut self, nested: &NestedBlock, found: usize) {
        let (name, found) = (&nested.name, found as u64);
        let (min, max) = (nested.min_items, nested.max_items);
        match nested.nesting {
            Nesting::Single if found > 1 => {
                let detail = format!("Only one \"{name}\" block is allowed.");
                self.report("Duplicate block", detail);
            }
            Nesting::Single if found < min => {
                let detail = format!("A block of type \"{name}\" is required here.");
                self.report(&format!("Missing {name} block"), detail);
            }
            // The provider checks the number of blocks with labels.
            Nesting::Single | Nesting::Map => {}
            _ if found < min => {
                let detail = format!("At least {min} \"{name}\" blocks are required.");
                self.report(&format!("Insufficient {name} blocks"), detail);
            }
            _ if max > 0 && found > max => {
                let detail = format!("No more than {max} \"{name}\" blocks are allowed");
                self.report(&format!("Too many {name} blocks"), detail);
            }
            _ => {}
        }
    }
}
