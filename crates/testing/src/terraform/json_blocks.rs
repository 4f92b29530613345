//! The blocks of resources in JSON syntax.

use ferroform::schema::{Block as Schema, Member, Nesting};
use ferroform_lang::body::{Expression, Label};

use super::blocks::{Argument, Block, Body, Located};
use super::files::File;
use super::problem::{Problem, Result};

/// Converts the arguments of a body in JSON syntax that are blocks in the schema to blocks. Returns `None` if there are none.
///
/// # Errors
///
/// Returns an error if the value of such an argument is not an object, null, or an array of those.
pub(crate) fn with_blocks<'a>(body: &Body<'a>, schema: &Schema) -> Result<Option<Body<'a>>> {
    let labels = |name: &str| match schema.member(name) {
        Some(Member::Block(it)) => Some(usize::from(it.nesting() == Nesting::Map)),
        None if name == "dynamic" => Some(1),
        _ => None,
    };
    let is_block = |it: &Argument<'a>| it.value.file.is_json() && labels(it.name).is_some();
    if !body.arguments.iter().any(is_block) {
        return Ok(None);
    }
    let mut resolved = Body { arguments: Vec::new(), blocks: body.blocks.clone() };
    for it in &body.arguments {
        match labels(it.name).filter(|_| is_block(it)) {
            Some(labels) => add_blocks(&mut resolved.blocks, it, labels, &mut Vec::new(), &it.value)?,
            None => resolved.arguments.push(it.clone()),
        }
    }
    Ok(Some(resolved))
}

/// Converts the argument `dynamic` in JSON syntax to blocks.
pub(crate) fn expand_dynamic(body: &mut Body<'_>) -> Result<()> {
    let is_dynamic = |it: &mut Argument<'_>| it.name == "dynamic" && it.value.file.is_json();
    let mut dynamic = body.arguments.extract_if(.., is_dynamic);
    dynamic.try_for_each(|it| add_blocks(&mut body.blocks, &it, 1, &mut Vec::new(), &it.value))
}

/// Adds the blocks of an argument, whose values are nested in an object for each label.
fn add_blocks<'a>(
    blocks: &mut Vec<Block<'a>>,
    argument: &Argument<'a>,
    labels: usize,
    path: &mut Vec<Label>,
    value: &Located<'a>,
) -> Result<()> {
    let located = |expression| Located { expression, file: value.file };
    let elements = value.expression.tuple_elements().map(|it| it.into_iter().map(located));
    if path.len() == labels {
        return match elements {
            Some(mut elements) => elements.try_for_each(|it| add_block(blocks, argument, path, &it)),
            None if is_null(value) => Ok(()),
            None => add_block(blocks, argument, path, value),
        };
    }
    let objects = elements.map_or_else(|| vec![value.clone()], Iterator::collect);
    let properties = objects.iter().map(properties).collect::<Result<Vec<_>>>()?.concat();
    if properties.is_empty() {
        let label = if argument.name == "dynamic" { "type" } else { "key" };
        let detail = format!(
            "At least one object property is required, whose name represents the {} block's {label}.",
            argument.name
        );
        return Err(vec![Problem::error("Missing block label", detail).at_expression(value)]);
    }
    for (key, inner) in properties {
        let name = key.constant().ok().and_then(|it| Some(it.value.as_str()?.to_owned()));
        let text = name.unwrap_or_else(|| unquoted(value.file, &key).to_owned());
        path.push(Label { text, at: key.at() });
        add_blocks(blocks, argument, labels, path, &inner)?;
        path.pop();
    }
    Ok(())
}

/// Adds a block with the properties of an object.
fn add_block<'a>(
    blocks: &mut Vec<Block<'a>>,
    argument: &Argument<'a>,
    labels: &[Label],
    value: &Located<'a>,
) -> Result<()> {
    let file = value.file;
    let arguments = properties(value)?.into_iter();
    let arguments =
        arguments.map(|(key, value)| Argument { name: unquoted(file, &key), name_at: key.at(), value });
    let mut body = Body { arguments: arguments.collect(), blocks: Vec::new() };
    if argument.name == "dynamic" {
        let mut contents = body.arguments.extract_if(.., |it| it.name == "content");
        contents.try_for_each(|it| add_blocks(&mut body.blocks, &it, 0, &mut Vec::new(), &it.value))?;
    }
    blocks.push(Block {
        name: argument.name,
        name_at: argument.name_at.clone(),
        labels: labels.to_vec(),
        header: value.expression.at(),
        body,
        file,
        overridden: None,
    });
    Ok(())
}

/// Returns the names and values of an object without its comments; none for null.
fn properties<'a>(value: &Located<'a>) -> Result<Vec<(Expression<'a>, Located<'a>)>> {
    match value.expression.object_items() {
        Some(items) => Ok(items
            .into_iter()
            .filter(|(key, _)| unquoted(value.file, key) != "//")
            .map(|(key, expression)| (key, Located { expression, file: value.file }))
            .collect()),
        None if is_null(value) => Ok(Vec::new()),
        None => {
            let detail = "Either a JSON object or JSON array of objects is required here, to define arguments and child \
                          blocks.";
            Err(vec![Problem::error("Incorrect JSON value type", detail).at_expression(value)])
        }
    }
}

fn is_null(value: &Located<'_>) -> bool {
    value.expression.constant().is_ok_and(|it| it.value.is_null())
}

/// Returns the text of an expression without the quotes that JSON syntax requires.
fn unquoted<'a>(file: &'a File, it: &Expression<'_>) -> &'a str {
    let text = &file.text[it.at()];
    text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text)
}

/// Parses a reference that JSON syntax quotes, such as the argument `iterator`.
pub(crate) fn unquoted_reference<'a>(it: &Located<'a>) -> Expression<'a> {
    let parsed = Expression::parse(unquoted(it.file, &it.expression)).ok().filter(|_| it.file.is_json());
    parsed.unwrap_or_else(|| it.expression.clone())
}
