//! Evaluation of a configuration for a schema, as Terraform does before it calls the provider: converts the values
//! to the types of the schema, and reports Terraform's own errors.
//!
//! ```
//! use ferroform_engine::configuration::{Configuration, Entry, evaluate};
//! use ferroform_engine::schema::{Attribute, Block};
//! use ferroform_engine::value::{Type, Typed, Value};
//!
//! let block = Block::new().attribute(Attribute::raw("port", Type::Number));
//! let port = |value: Value, ty| Configuration {
//!     entries: vec![("port".into(), Entry::Argument(Typed::new(ty, value)))],
//! };
//! let evaluated = evaluate(&block, &port("80".into(), Type::String))?;
//! assert_eq!(evaluated, Value::object([("port", 80.into())]));
//!
//! let errors = evaluate(&block, &port(true.into(), Type::Bool)).unwrap_err();
//! assert!(errors.to_string().starts_with("port: Incorrect attribute value type: "));
//! # Ok::<(), ferroform_engine::Diagnostics>(())
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use ferroform_value::{Error, Path, Step, Type, Typed, Value, suggest};

use crate::diagnostic_kind::DiagnosticKind;
use crate::schema::{Attribute, Block, Member, Mode, Nesting};
use crate::{Diagnostic, Diagnostics, Result};

/// The content of a block in a configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    /// The arguments and blocks with their names, in the order of the source.
    pub entries: Vec<(Arc<str>, Entry)>,
}

/// An argument or a block in a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// `name = value`, with a value of its own type: `[…]` is a tuple, and `{…}` is an object.
    Argument(Typed),
    /// `name "label" { … }`.
    Block {
        /// The label.
        label: Option<Arc<str>>,
        /// True for the content of a `dynamic` block, which stands for an unknown number of blocks.
        is_dynamic: bool,
        /// The content.
        content: Configuration,
    },
    /// An unknown value: of an argument, or of all blocks with the name.
    Unknown(Typed),
    /// An argument whose value is invalid, with the detail of the error.
    Invalid(&'static str),
}

/// Evaluates a configuration for a schema.
///
/// Terraform ignores an unsupported attribute in the object of a nested attribute. This function reports an error,
/// because it is a mistake.
///
/// # Errors
///
/// Returns all errors, each with the path of the argument or block. The path of a block contains its position among the
/// blocks of the same name, or its label.
pub fn evaluate(block: &Block, configuration: &Configuration) -> Result<Value> {
    let mut evaluator = Evaluator { path: Path::ROOT, errors: Diagnostics::new() };
    let value = evaluator.block(block, configuration);
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

    fn report_unsupported(&mut self, summary: &str, detail: String) {
        let error = Diagnostic::error(summary).detail(detail).at(self.path.clone());
        self.errors.push(error.of_kind(DiagnosticKind::UnsupportedArgumentOrBlock));
    }

    fn within<T>(&mut self, step: Step, evaluate: impl FnOnce(&mut Evaluator) -> T) -> T {
        self.path.push(step);
        let result = evaluate(self);
        self.path.pop();
        result
    }

    fn block(&mut self, block: &Block, configuration: &Configuration) -> Value {
        self.names(block, configuration);
        let members = block.members().map(|member| {
            let name = member.name();
            let entries = configuration.entries.iter().filter(|(it, _)| it == name);
            let entries: Vec<&Entry> = entries.map(|(_, it)| it).collect();
            let value = self.within(Step::Attribute(name.clone()), |evaluator| match member {
                Member::Attribute(it) => evaluator.attribute(it, &entries),
                Member::Block(it) => {
                    let limits = (it.min_items, it.max_items);
                    evaluator.blocks(name, it.nesting, &it.block, limits, &entries)
                }
            });
            (name.clone(), value)
        });
        Value::Object(members.collect())
    }

    /// Reports names that the schema does not have, and attributes that are set more than once.
    fn names(&mut self, block: &Block, configuration: &Configuration) {
        for (i, (name, entry)) in configuration.entries.iter().enumerate() {
            let is_block = matches!(entry, Entry::Block { .. });
            self.within(Step::Attribute(name.clone()), |evaluator| {
                if block.member(name).is_none() {
                    evaluator.unsupported(block, name, is_block);
                } else if !is_block && configuration.entries[..i].iter().any(|(it, _)| it == name) {
                    evaluator
                        .report("Attribute redefined", format!("The argument \"{name}\" was already set."));
                }
            });
        }
    }

    fn unsupported(&mut self, block: &Block, name: &str, is_block: bool) {
        let names: Vec<&str> = block.members().map(|it| &**it.name()).collect();
        let hint = match suggest(name, names.iter().copied()) {
            Some(name) => format!("Did you mean \"{name}\"?"),
            None => format!("The schema has: {}.", names.join(", ")),
        };
        match is_block {
            true => self.unsupported_block(name, &hint),
            false => self.unsupported_argument(name, &hint),
        }
    }

    fn unsupported_argument(&mut self, name: &str, hint: &str) {
        let detail = format!("An argument named \"{name}\" is not expected here. {hint}");
        self.report_unsupported("Unsupported argument", detail);
    }

    fn unsupported_block(&mut self, name: &str, hint: &str) {
        let detail = format!("Blocks of type \"{name}\" are not expected here. {hint}");
        self.report_unsupported("Unsupported block type", detail);
    }

    fn attribute(&mut self, attribute: &Attribute, entries: &[&Entry]) -> Value {
        let name = &attribute.name;
        match entries.first() {
            Some(Entry::Argument(it) | Entry::Unknown(it)) => self.argument(attribute, it.clone()),
            Some(Entry::Invalid(detail)) => {
                self.report("Invalid expression", (*detail).to_owned());
                Value::Null
            }
            Some(Entry::Block { .. }) => match attribute_as_blocks(attribute) {
                Some((nesting, block)) => self.blocks(name, nesting, &block, (0, 0), entries),
                None => {
                    let hint = format!(
                        "Did you mean to define argument \"{name}\"? If so, use the equals sign to assign it a value."
                    );
                    self.unsupported_block(name, &hint);
                    Value::Null
                }
            },
            None => {
                if attribute.mode == Mode::Required {
                    let detail = format!("The argument \"{name}\" is required, but no definition was found.");
                    self.report("Missing required argument", detail);
                }
                Value::Null
            }
        }
    }

    fn argument(&mut self, attribute: &Attribute, value: Typed) -> Value {
        match &attribute.nested {
            // A conversion would lose the refinements.
            _ if matches!(value, Typed { ty: Type::Dynamic, value: Value::Unknown(_) }) => value.value,
            Some(nested) => self.nested(nested.nesting, &nested.block, value),
            None => value.fit(attribute.ty()).unwrap_or_else(|error| self.mismatch(&error)),
        }
    }

    fn mismatch(&mut self, error: &Error) -> Value {
        let path = error.path().clone().below(&self.path);
        let detail = format!("Inappropriate value for attribute \"{path}\": {}.", error.message());
        self.errors.push(Diagnostic::error("Incorrect attribute value type").detail(detail).at(path));
        Value::Null
    }

    /// The value of a nested attribute.
    fn nested(&mut self, nesting: Nesting, block: &Block, value: Typed) -> Value {
        if matches!(value.value, Value::Null | Value::Unknown(_)) {
            return value.value;
        }
        let (expected, found) = match nesting {
            Nesting::Single => match value.into_entries() {
                Ok(entries) => {
                    let entries = entries.into_iter().map(|(name, it)| (name, Entry::Argument(it)));
                    return self.block(block, &Configuration { entries: entries.collect() });
                }
                Err(found) => ("object", found),
            },
            Nesting::List | Nesting::Set => match value.into_elements() {
                Ok(elements) => {
                    let elements = elements.into_iter().enumerate();
                    let objects = elements.map(|(i, it)| self.element(Step::Index(i), block, it));
                    let objects: Vec<Value> = objects.collect();
                    return if nesting == Nesting::Set { Value::set(objects) } else { Value::List(objects) };
                }
                Err(found) if nesting == Nesting::Set => ("set of object", found),
                Err(found) => ("list of object", found),
            },
            Nesting::Map => match value.into_entries() {
                Ok(entries) => {
                    let objects = entries.into_iter().map(|(key, it)| {
                        let object = self.element(Step::Key((&*key).into()), block, it);
                        (key, object)
                    });
                    return Value::map(objects.collect::<Vec<_>>());
                }
                Err(found) => ("map of object", found),
            },
        };
        self.mismatch(&Error::type_mismatch(expected, found.ty.kind()))
    }

    fn element(&mut self, step: Step, block: &Block, value: Typed) -> Value {
        self.within(step, |evaluator| evaluator.nested(Nesting::Single, block, value))
    }

    /// The value of all blocks with a name. `limits` are the minimum and the maximum number of blocks.
    fn blocks(
        &mut self,
        name: &Arc<str>,
        nesting: Nesting,
        block: &Block,
        limits: (u64, u64),
        entries: &[&Entry],
    ) -> Value {
        let mut found: Vec<(Option<&Arc<str>>, Value)> = Vec::new();
        let mut labels = HashSet::new();
        let mut is_dynamic_found = false;
        for (i, entry) in entries.iter().enumerate() {
            match entry {
                Entry::Block { label, is_dynamic, content } => {
                    let label = label.as_ref();
                    if !is_dynamic {
                        let is_repeated = label.is_some_and(|it| !labels.insert(it));
                        self.label(name, nesting, label, is_repeated);
                    }
                    let step = label.map_or(Step::Index(i), |it| Step::Key((&**it).into()));
                    let value = self.within(step, |evaluator| evaluator.block(block, content));
                    match is_dynamic {
                        true => is_dynamic_found = true,
                        false => found.push((label, value)),
                    }
                }
                Entry::Unknown(it) => return it.value.clone(),
                Entry::Argument(_) | Entry::Invalid(_) => {
                    let hint = format!("Did you mean to define a block of type \"{name}\"?");
                    self.unsupported_argument(name, &hint);
                }
            }
        }
        self.count(name, nesting, limits, found.len() as u64, is_dynamic_found);
        match nesting {
            _ if is_dynamic_found => Value::UNKNOWN,
            Nesting::List => Value::List(found.into_iter().map(|(_, it)| it).collect()),
            Nesting::Set => Value::set(found.into_iter().map(|(_, it)| it)),
            Nesting::Map => Value::map(found.into_iter().filter_map(|(label, it)| Some((&**label?, it)))),
            Nesting::Single => found.pop().map_or(Value::Null, |(_, it)| it),
        }
    }

    fn label(&mut self, name: &str, nesting: Nesting, label: Option<&Arc<str>>, is_repeated: bool) {
        match (nesting, label) {
            (Nesting::Map, None) => {
                let detail = format!("All {name} blocks must have 1 labels (key).");
                self.report(&format!("Missing key for {name}"), detail);
            }
            (Nesting::Map, Some(label)) if is_repeated => {
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

    /// Checks the number of blocks as Terraform does. A dynamic block stands for any number of them.
    fn count(
        &mut self,
        name: &str,
        nesting: Nesting,
        (min, max): (u64, u64),
        found: u64,
        is_dynamic_found: bool,
    ) {
        let is_below_minimum = found < min && !is_dynamic_found;
        match nesting {
            Nesting::Single if found > 1 => {
                let detail = format!("Only one \"{name}\" block is allowed.");
                self.report(&format!("Duplicate {name} block"), detail);
            }
            Nesting::Single if is_below_minimum => {
                let detail = format!("A block of type \"{name}\" is required here.");
                self.report(&format!("Missing {name} block"), detail);
            }
            // The provider checks the number of blocks with labels.
            Nesting::Single | Nesting::Map => {}
            _ if is_below_minimum => {
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

/// The nesting and the elements of an attribute that Terraform also accepts as blocks, as SDKv2 declares them: a list
/// or set of objects.
fn attribute_as_blocks(attribute: &Attribute) -> Option<(Nesting, Block)> {
    let (nesting, element) = match attribute.ty() {
        Type::List(it) => (Nesting::List, it),
        Type::Set(it) => (Nesting::Set, it),
        _ => return None,
    };
    let Type::Object(object) = &**element else { return None };
    let attributes = object.attributes().iter();
    let attributes = attributes.map(|it| Attribute::raw(it.name.clone(), it.ty.clone()).optional());
    attribute.nested.is_none().then(|| (nesting, Block::new().with_attributes(attributes)))
}
