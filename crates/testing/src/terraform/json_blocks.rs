//! The blocks of resources in JSON syntax.

use ferroform::schema::{Block as Schema, Member, Nesting};
use ferroform_lang::body::{Expression, Label};

use super::blocks::{Argument, Block, Body, Located};

/// Converts the arguments of a body in JSON syntax that are blocks in the schema to blocks. Returns `None` if there are none.
pub(crate) fn with_blocks<'a>(body: &Body<'a>, schema: &Schema) -> Option<Body<'a>> {
    let labels = |name: &str| match schema.member(name) {
        Some(Member::Block(it)) => Some(usize::from(it.nesting() == Nesting::Map)),
        None if name == "dynamic" => Some(1),
        _ => None,
    };
    let is_block = |it: &Argument<'a>| it.value.file.is_json() && labels(it.name).is_some();
    if !body.arguments.iter().any(is_block) {
        return None;
    }
    let mut resolved = Body { arguments: Vec::new(), blocks: body.blocks.clone() };
    for it in &body.arguments {
        match labels(it.name).filter(|_| is_block(it)) {
            Some(labels) => add_blocks(&mut resolved.blocks, it, labels, &mut Vec::new(), &it.value),
            None => resolved.arguments.push(it.clone()),
        }
    }
    Some(resolved)
}

/// Converts the argument `dynamic` in JSON syntax to blocks.
pub(crate) fn expand_dynamic(body: &mut Body<'_>) {
    let is_dynamic = |it: &mut Argument<'_>| it.name == "dynamic" && it.value.file.is_json();
    for it in body.arguments.extract_if(.., is_dynamic) {
        add_blocks(&mut body.blocks, &it, 1, &mut Vec::new(), &it.value);
    }
}

/// Adds the blocks of an argument, whose values are nested in an object for each label.
fn add_blocks<'a>(
    blocks: &mut Vec<Block<'a>>,
    argument: &Argument<'a>,
    labels: usize,
    path: &mut Vec<String>,
    value: &Located<'a>,
) {
    let file = value.file;
    let located = |expression| Located { expression, file };
    if let Some(elements) = value.expression.tuple_elements() {
        for it in elements {
            add_blocks(blocks, argument, labels, path, &located(it));
        }
        return;
    }
    let items = value.expression.object_items().unwrap_or_default().into_iter();
    let items = items
        .filter_map(|(key, value)| Some((key.at(), unquoted_key(file.text.get(key.at())?), located(value))));
    if path.len() < labels {
        for (_, label, inner) in items {
            path.push(label.to_owned());
            add_blocks(blocks, argument, labels, path, &inner);
            path.pop();
        }
        return;
    }
    let header = value.expression.at();
    let arguments = items.map(|(name_at, name, value)| Argument { name, name_at, value });
    let mut body = Body { arguments: arguments.collect(), blocks: Vec::new() };
    if argument.name == "dynamic" {
        let contents: Vec<_> = body.arguments.extract_if(.., |it| it.name == "content").collect();
        contents.iter().for_each(|it| add_blocks(&mut body.blocks, it, 0, &mut Vec::new(), &it.value));
    }
    let labels = path.iter().map(|it| Label { text: it.clone(), at: header.clone() });
    blocks.push(Block {
        name: argument.name,
        name_at: argument.name_at.clone(),
        labels: labels.collect(),
        header,
        body,
        file,
        overridden: None,
    });
}

/// Returns a key without its quotes.
fn unquoted_key(key: &str) -> &str {
    key.trim_matches('"')
}

/// Parses a reference that JSON syntax quotes, such as the argument `iterator`.
pub(crate) fn unquoted_reference<'a>(it: &Located<'a>) -> Expression<'a> {
    let quoted = it.file.text.get(it.expression.at()).filter(|_| it.file.is_json());
    let parsed = quoted.and_then(|it| Expression::parse(unquoted_key(it)).ok());
    parsed.unwrap_or_else(|| it.expression.clone())
}
