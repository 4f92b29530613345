//! Evaluates the body of a block for a schema.

use std::ops::Range;
use std::sync::Arc;

use ferroform::schema::{Attribute, Block, Mode, Nesting};
use ferroform_engine::configuration::{Configuration, Entry, evaluate};
use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::schema::Member;
use ferroform_engine::value::{Attribute as ObjectAttribute, ObjectType, Path, Step, Type, Typed, Value};
use ferroform_lang::body::TraversalStep;
use ferroform_lang::marks::{Mark, Marked, Marks};

use super::blocks::{self, Body, Located};
use super::configuration::LocatedBody;
use super::files::File;
use super::json_blocks::{unquoted_reference, with_blocks};
use super::problem::{Problem, Problems, Result};
use super::scope::Scope;

/// A decoded block.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    /// The evaluated arguments and blocks.
    pub(crate) configuration: Configuration,
    pub(crate) value: Value,
    /// The marks that come from the expressions.
    pub(crate) marks: Marks,
}

impl Decoded {
    /// Returns the marks that the state contains.
    pub(crate) fn sensitive(&self) -> Marks {
        self.marks.clone().without(Mark::Ephemeral)
    }
}

/// Evaluates the arguments and blocks of a body for a schema.
pub(crate) fn decode(scope: &Scope<'_>, config: &LocatedBody<'_>, block: &Block) -> Result<Decoded> {
    let (configuration, marks) = decode_entries(scope, config, block)?;
    match evaluate(block, &configuration) {
        Ok(value) => Ok(Decoded { configuration, value, marks }),
        Err(errors) => Err(errors
            .into_iter()
            .map(|it| {
                let (file, range) = position(config, it.path.as_ref());
                let problem = match it.kind() {
                    DiagnosticKind::UnsupportedArgumentOrBlock if file.is_json() => {
                        Problem::unsupported_property(it.detail)
                    }
                    _ => Problem::error(it.summary, it.detail),
                };
                Problem { path: it.path, ..problem }.at(file, range)
            })
            .collect()),
    }
}

/// Evaluates the arguments and blocks of a body to the entries of a configuration, with the marks of their values.
fn decode_entries(
    scope: &Scope<'_>,
    config: &LocatedBody<'_>,
    block: &Block,
) -> Result<(Configuration, Marks)> {
    let mut decoder = Decoder { problems: Problems::new(), marks: Marks::none() };
    let mut configuration = decoder.decode_body(scope, &config.body, block, &Path::ROOT);
    if config.is_overridden {
        configuration.entries.retain(|(name, _)| block.member(name).is_some());
    }
    if decoder.problems.is_empty() { Ok((configuration, decoder.marks)) } else { Err(decoder.problems) }
}

struct Decoder {
    problems: Problems,
    marks: Marks,
}

impl Decoder {
    fn decode_body(&mut self, scope: &Scope<'_>, body: &Body<'_>, block: &Block, at: &Path) -> Configuration {
        let resolved = with_blocks(body, block).unwrap_or_else(|problems| {
            self.problems.extend(problems);
            None
        });
        let body = resolved.as_ref().unwrap_or(body);
        let mut configuration = Configuration::default();
        for argument in &body.arguments {
            let path = at.clone().name(argument.name);
            match scope.evaluate(&argument.value) {
                Ok(it) => {
                    let member = block.member(argument.name);
                    let ty = member.map_or(Type::Dynamic, |it| it.ty().clone());
                    self.add_marks(&it.marks, &ty, &path);
                    // Terraform converts the whole value of a nested attribute, and ignores attributes that do not exist.
                    let it = match member {
                        Some(Member::Attribute(attribute)) if attribute.nested().is_some() => {
                            match it.typed.clone().fit(&configured_type(attribute)) {
                                Ok(value) => Marked { typed: Typed::new(ty, value), ..it },
                                Err(error) => {
                                    let at = error.path().clone().below(&path);
                                    let detail = format!(
                                        "Inappropriate value for attribute \"{at}\": {}.",
                                        error.message()
                                    );
                                    let problem = Problem::error("Incorrect attribute value type", detail);
                                    self.problems.push(problem.at_expression(&argument.value));
                                    continue;
                                }
                            }
                        }
                        _ => it,
                    };
                    let entry = match it.typed.value {
                        Value::Unknown(_) => Entry::Unknown(it.typed),
                        _ => Entry::Argument(it.typed),
                    };
                    configuration.entries.push((argument.name.into(), entry));
                }
                Err(problems) => {
                    self.problems.extend(problems);
                    // Only the error is reported, not a missing argument.
                    let unknown = Typed::new(Type::Dynamic, Value::UNKNOWN);
                    configuration.entries.push((argument.name.into(), Entry::Unknown(unknown)));
                }
            }
        }
        let mut counts = std::collections::HashMap::<String, usize>::new();
        for nested in &body.blocks {
            if nested.name == "dynamic" && nested.labels.len() == 1 && block.member("dynamic").is_none() {
                self.decode_dynamic(scope, nested, block, at, &mut configuration, &mut counts);
                continue;
            }
            let label = nested.labels.first().map(|it| Arc::from(it.text.as_str()));
            self.decode_block(
                scope,
                nested.name,
                label,
                &nested.body,
                block,
                at,
                &mut configuration,
                &mut counts,
            );
        }
        configuration
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a block that a dynamic block computes")]
    fn decode_block(
        &mut self,
        scope: &Scope<'_>,
        name: &str,
        label: Option<Arc<str>>,
        body: &Body<'_>,
        outer: &Block,
        at: &Path,
        configuration: &mut Configuration,
        counts: &mut std::collections::HashMap<String, usize>,
    ) {
        let index = counts.entry(name.to_owned()).or_default();
        let member = outer.member(name);
        let mut path = at.clone().name(name);
        match member.and_then(Member::nested) {
            Some((Nesting::List, _)) => path.push(Step::Index(*index)),
            Some((Nesting::Map, _)) => path.push(Step::Key(label.as_deref().unwrap_or_default().into())),
            // The marks inside a set are those of the set.
            _ => {}
        }
        *index += 1;
        let inner = member.and_then(Member::nested).map(|(_, it)| it.clone()).unwrap_or_default();
        let content = self.decode_body(scope, body, &inner, &path);
        configuration.entries.push((name.into(), Entry::Block { label, is_dynamic: false, content }));
    }

    /// Evaluates a `dynamic` block to one block for each element.
    fn decode_dynamic(
        &mut self,
        scope: &Scope<'_>,
        dynamic: &blocks::Block<'_>,
        outer: &Block,
        at: &Path,
        configuration: &mut Configuration,
        counts: &mut std::collections::HashMap<String, usize>,
    ) {
        let name = &*dynamic.labels[0].text;
        let argument = |name: &str| dynamic.body.argument(name);
        let content = dynamic.body.blocks.iter().find(|it| it.name == "content");
        let problem = match (outer.member(name).and_then(Member::nested), argument("for_each"), content) {
            (None, ..) => Some(Problem::unsupported_block(dynamic.file, name)),
            (_, None, _) => Some(Problem::missing_argument("for_each")),
            (_, _, None) => {
                let detail = "A dynamic block must have a nested block of type \"content\" to describe the body of each generated \
                              block.";
                Some(Problem::error("Missing dynamic content block", detail))
            }
            _ => None,
        };
        let (Some(for_each), Some(content), None) = (argument("for_each"), content, &problem) else {
            let problem = problem.map(|it| it.at(dynamic.file, dynamic.header.clone()));
            return self.problems.extend(problem);
        };
        let iterator =
            argument("iterator").and_then(|it| match unquoted_reference(it).static_traversal()?.as_slice() {
                [TraversalStep::Name(name)] => Some(name.clone()),
                _ => None,
            });
        let iterator = iterator.unwrap_or_else(|| name.to_owned());
        let label = || {
            let labels = argument("labels")?;
            let expression = labels.expression.tuple_elements()?.into_iter().next()?;
            Some(Located { expression, file: labels.file })
        };
        let collection = match scope.evaluate(for_each) {
            Ok(it) => it,
            Err(problems) => return self.problems.extend(problems),
        };
        let path = at.clone().name(name);
        let entries = match &collection.typed.value {
            Value::Unknown(_) => {
                let unknown = Marked::unknown(Type::Dynamic);
                let item = Marked::object([("key".into(), unknown.clone()), ("value".into(), unknown)]);
                let scope = scope.with(&iterator, &item);
                if let Some(it) = label()
                    && scope.evaluate(&it).is_ok_and(|it| it.typed.value.is_unknown())
                {
                    let detail = "The label value is not known, so the block cannot be generated.";
                    let problem = Problem::error("Invalid dynamic block label", detail);
                    return self.problems.push(problem.at_expression(&it));
                }
                let inner = outer.member(name).and_then(Member::nested).map(|(_, it)| it.clone());
                let inner = inner.unwrap_or_default();
                let content = self.decode_body(&scope, &content.body, &inner, &path);
                configuration
                    .entries
                    .push((name.into(), Entry::Block { label: None, is_dynamic: true, content }));
                return;
            }
            Value::Null => {
                let detail = "Cannot use a null value in for_each.";
                let problem = Problem::error("Invalid dynamic for_each value", detail);
                return self.problems.push(problem.at_expression(for_each));
            }
            _ => collection.into_key_value_pairs(),
        };
        let Some((entries, root)) = entries else {
            let detail = "Cannot use a value of this type in for_each. An iterable collection is required.";
            let problem = Problem::error("Invalid dynamic for_each value", detail);
            return self.problems.push(problem.at_expression(for_each));
        };
        for (key, mut value) in entries {
            // The elements of a sensitive collection are sensitive, not the blocks as a whole.
            value.marks.extend(root.clone());
            let item = Marked::object([("key".into(), key), ("value".into(), value)]);
            let scope = scope.with(&iterator, &item);
            let label = match label().map(|it| scope.evaluate_as(&it, &Type::String)).transpose() {
                Ok(label) => label.and_then(|it| it.typed.value.as_str().map(Arc::from)),
                Err(problems) => return self.problems.extend(problems),
            };
            self.decode_block(&scope, name, label, &content.body, outer, at, configuration, counts);
        }
    }

    fn add_marks(&mut self, marks: &Marks, ty: &Type, path: &Path) {
        self.marks.extend(marks.clone().after_conversion(ty).below(path));
    }
}

/// The type of a nested attribute in a configuration, in which attributes that are not required can be omitted.
fn configured_type(attribute: &Attribute) -> Type {
    let Some(nested) = attribute.nested() else { return attribute.ty().clone() };
    let attributes = nested.block().attributes().iter().map(|it| {
        let inner = ObjectAttribute::new(it.name().clone(), configured_type(it));
        if it.mode() == Mode::Required { inner } else { inner.optional() }
    });
    let object = Type::Object(Arc::new(ObjectType::new(attributes)));
    match nested.nesting() {
        Nesting::Single => object,
        Nesting::List => Type::list(object),
        Nesting::Set => Type::set(object),
        Nesting::Map => Type::map(object),
    }
}

/// The position of the argument or block at an attribute path, or of the whole block without a path.
pub(crate) fn position<'a>(config: &LocatedBody<'a>, path: Option<&Path>) -> (&'a File, Range<usize>) {
    let mut body = &config.body;
    let mut found = (config.file, config.header.clone());
    let mut steps = path.map(Path::steps).unwrap_or_default();
    while let Some((Step::Attribute(name), rest)) = steps.split_first() {
        if let Some(it) = body.argument(name) {
            return (it.file, it.expression.part(&rest.iter().cloned().collect()));
        }
        let is_dynamic =
            |it: &blocks::Block<'_>| it.name == "dynamic" && it.labels.iter().any(|it| it.text == **name);
        let blocks: Vec<_> = body.blocks.iter().filter(|it| it.name == &**name || is_dynamic(it)).collect();
        let block = match rest.first() {
            Some(Step::Index(index)) => blocks.get(*index),
            Some(Step::Key(key)) => {
                blocks.iter().rfind(|it| it.labels.iter().any(|label| label.text == **key))
            }
            // The error is about the number of blocks.
            _ => blocks.last(),
        };
        let Some(block) = block.or(blocks.last()) else { break };
        if is_dynamic(block) {
            let content = block.body.blocks.iter().find(|it| it.name == "content");
            let block = content.unwrap_or(block);
            return (block.file, block.header.clone());
        }
        found = (block.file, block.header.clone());
        body = &block.body;
        steps = rest.get(1..).unwrap_or_default();
    }
    found
}

/// Adds the position of the block to diagnostics without a position.
pub(crate) fn located(problems: Problems, config: &LocatedBody<'_>) -> Problems {
    let problems = problems.into_iter();
    problems
        .map(|it| {
            // An error without an address is not about the configuration.
            if it.address.is_none() {
                return it;
            }
            let (file, range) = position(config, it.path.as_ref());
            it.at(file, range)
        })
        .collect()
}
