//! The conversion of blocks of the source to configurations, which the engine evaluates as Terraform does.

use ferroform_engine::configuration::{Configuration, Entry};
use ferroform_lang::body::{Block as SourceBlock, Body};
use ferroform_value::{Type, Typed, Value};

use super::problem::Problem;

/// Converts the body of a block. The names for which `is_ignored` returns true are omitted. A value that is not
/// constant is unknown.
pub(super) fn configuration(
    body: &Body<'_>,
    is_ignored: &dyn Fn(&str) -> bool,
    problems: &mut Vec<Problem>,
) -> Configuration {
    let mut entries = Vec::new();
    for argument in body.arguments.iter().filter(|it| !is_ignored(it.name)) {
        let value = argument.value.known_parts().unwrap_or_else(|errors| {
            problems.extend(errors.iter().map(Problem::of_source));
            Typed::new(Type::Dynamic, Value::UNKNOWN)
        });
        entries.push((argument.name.into(), Entry::Argument(value)));
    }
    for block in &body.blocks {
        let (name, is_dynamic) = block_name(block);
        if is_ignored(name) {
            continue;
        }
        // Without content, a dynamic block is evaluated as an empty one.
        let empty = Body::default();
        let content = if is_dynamic { content(block).map_or(&empty, |it| &it.body) } else { &block.body };
        entries.push((
            name.into(),
            Entry::Block {
                label: block.labels.first().filter(|_| !is_dynamic).map(|it| it.text.as_str().into()),
                is_dynamic,
                content: configuration(content, &|_| false, problems),
            },
        ));
    }
    Configuration { entries }
}

/// The name of a block type, and whether the block is dynamic. A dynamic block has the name of the blocks that it
/// creates.
pub(super) fn block_name<'b>(block: &'b SourceBlock<'_>) -> (&'b str, bool) {
    match (block.name, block.labels.first()) {
        ("dynamic", Some(label)) => (&label.text, true),
        (name, _) => (name, false),
    }
}

/// The block `content` of a dynamic block.
pub(super) fn content<'b, 'a>(block: &'b SourceBlock<'a>) -> Option<&'b SourceBlock<'a>> {
    block.body.blocks.iter().find(|it| it.name == "content")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ferroform_engine::Diagnostics;
    use ferroform_engine::configuration::evaluate;
    use ferroform_engine::schema::{Attribute, Block, Nested, Nesting};
    use ferroform_lang::{Span, body};

    use super::super::location;
    use super::*;

    /// A schema with all kinds of attributes and blocks.
    fn schema() -> Block {
        let number = |name: &str| Attribute::raw(name, Type::Number);
        let string = |name: &str| Attribute::raw(name, Type::String);
        let nested = |name: &str, nesting| {
            let attributes = [number("size"), string("serial").computed()];
            Attribute::raw_nested(name, Nested::new(nesting, Block::new().with_attributes(attributes)))
                .optional()
        };
        let block = |name: &str, nesting, max_items| {
            let nested = Nested::new(nesting, Block::new().attribute(number("port")));
            Attribute::raw_block(name, nested, 0, max_items)
        };
        let rules = Type::list(Type::object([("port", Type::Number)]));
        Block::new()
            .attribute(string("name"))
            .attribute(string("id").computed())
            .attribute(Attribute::raw("tags", Type::map(Type::String)).optional())
            .attribute(Attribute::raw("any", Type::Dynamic).optional())
            .attribute(Attribute::raw("rules", rules).optional_computed())
            .attribute(nested("disks", Nesting::List))
            .attribute(nested("disk_map", Nesting::Map))
            .attribute(nested("boot", Nesting::Single))
            .block(block("listener", Nesting::List, 2))
            .block(block("login", Nesting::Single, 0))
            .block(block("zone", Nesting::Map, 0))
    }

    /// Checks the problems of a block, or its value if there are none.
    fn check(arguments: &str, expected: Expect) {
        let text = format!("resource \"x_y\" \"a\" {{\n{arguments}\n}}\n");
        let file = body::parse(&text).unwrap();
        let block = &file.blocks[0];
        let mut problems = Vec::new();
        let is_ignored = |name: &str| ["count", "lifecycle"].contains(&name);
        let configuration = configuration(&block.body, &is_ignored, &mut problems);
        let schema = schema();
        let evaluated = evaluate(&schema, &configuration);
        let errors = evaluated.as_ref().err().into_iter().flat_map(Diagnostics::iter);
        problems.extend(errors.map(|it| location::problem(it, block, &block.body)));
        let line = |at| Span::of(&text, at..at).start.line;
        let lines: Vec<String> =
            problems.iter().map(|it| format!("{}: {}", line(it.at), it.message)).collect();
        if lines.is_empty() {
            let ty = schema.ty();
            let bytes = ferroform_value::msgpack::encode(&evaluated.unwrap(), ty).unwrap();
            let decoded = ferroform_value::msgpack::decode(&bytes, ty).unwrap();
            let Value::Object(object) = decoded else { unreachable!() };
            let set = object.iter().filter(|(_, it)| **it != Value::Null);
            let set: Vec<String> = set.map(|(name, it)| format!("{name} = {}", it.summary())).collect();
            expected.assert_eq(&set.join("\n"));
        } else {
            expected.assert_eq(&lines.join("\n"));
        }
    }

    #[test]
    fn values_of_attributes_and_blocks_are_converted() {
        check(
            "name = 5\ntags = { a = true, b = var.b }\nany = [1, \"x\"]",
            expect![[r#"
            any = [1, "x"]
            listener = []
            name = "5"
            tags = {"a" = "true", "b" = (known after apply)}
            zone = {}"#]],
        );
        check(
            "name = var.name\ncount = 2\nlifecycle {}\ndisks = [{ size = \"3\" }, { size = local.size }]",
            expect![[r#"
                disks = [{size = 3}, {size = (known after apply)}]
                listener = []
                name = (known after apply)
                zone = {}"#]],
        );
        check(
            "name = \"a\"\ndisk_map = { a = { size = 1 } }\nboot = { size = 1, serial = null }",
            expect![[r#"
                boot = {size = 1}
                disk_map = {"a" = {size = 1}}
                listener = []
                name = "a"
                zone = {}"#]],
        );
        check(
            "name = \"a\"\nlistener {\n port = 1\n}\nlistener {\n port = 2\n}\nlogin {\n port = 3\n}\nzone \"z\" {\n port = 4\n}",
            expect![[r#"
                listener = [{port = 1}, {port = 2}]
                login = {port = 3}
                name = "a"
                zone = {"z" = {port = 4}}"#]],
        );
        check(
            "name = \"a\"\nrules {\n port = 1\n}\ndynamic \"listener\" {\n for_each = var.ports\n content {\n port = listener.value\n }\n}",
            expect![[r#"
                listener = (known after apply)
                name = "a"
                rules = [{port = 1}]
                zone = {}"#]],
        );
        check(
            "name = \"a\"\ndisks = var.disks\nboot = null",
            expect![[r#"
            disks = (known after apply)
            listener = []
            name = "a"
            zone = {}"#]],
        );
    }

    #[test]
    fn errors_have_the_line_of_the_argument_or_block() {
        check(
            "nme = \"a\"\nid = \"b\"",
            expect![[r#"
                2: Unsupported argument: An argument named "nme" is not expected here. Did you mean "name"?
                1: Missing required argument: The argument "name" is required, but no definition was found."#]],
        );
        check(
            "name = [1]\ntags = {\n a = 1\n b = []\n}",
            expect![[r#"
                2: Incorrect attribute value type: Inappropriate value for attribute "name": string required, but have tuple.
                5: Incorrect attribute value type: Inappropriate value for attribute "tags["b"]": string required, but have tuple."#]],
        );
        check(
            "name = \"a\"\ndisks = [\n { size = \"x\" },\n { serial = \"s\" },\n { size = 1, sise = 2 },\n]",
            expect![[r#"
                4: Incorrect attribute value type: Inappropriate value for attribute "disks[0].size": a number is required.
                5: Missing required argument: The argument "size" is required, but no definition was found.
                6: Unsupported argument: An argument named "sise" is not expected here. Did you mean "size"?"#]],
        );
        check(
            "name = \"a\"\ndisks = { size = 1 }\ndisk_map = []\nboot = \"x\"",
            expect![[r#"
                3: Incorrect attribute value type: Inappropriate value for attribute "disks": list of object required, but have object.
                4: Incorrect attribute value type: Inappropriate value for attribute "disk_map": map of object required, but have tuple.
                5: Incorrect attribute value type: Inappropriate value for attribute "boot": object required, but have string."#]],
        );
        check(
            "name = \"a\"\nlistener = []\ntags {\n}\nlisteners {\n}",
            expect![[r#"
                6: Unsupported block type: Blocks of type "listeners" are not expected here. Did you mean "listener"?
                4: Unsupported block type: Blocks of type "tags" are not expected here. Did you mean to define argument "tags"? If so, use the equals sign to assign it a value.
                3: Unsupported argument: An argument named "listener" is not expected here. Did you mean to define a block of type "listener"?"#]],
        );
        check(
            "name = \"a\"\nlogin {\n port = 1\n}\nlogin {\n}\nlistener {\n port = []\n}\nzone {\n port = 1\n}",
            expect![[r#"
                9: Incorrect attribute value type: Inappropriate value for attribute "listener[0].port": number required, but have tuple.
                6: Missing required argument: The argument "port" is required, but no definition was found.
                3: Duplicate login block: Only one "login" block is allowed.
                11: Missing key for zone: All zone blocks must have 1 labels (key)."#]],
        );
        check(
            "name = 1 + []\ndynamic \"listener\" {\n content {\n  prt = 1\n }\n}",
            expect![[r#"
                2: Invalid operand: The operand is not suitable: number required, but have tuple.
                5: Unsupported argument: An argument named "prt" is not expected here. Did you mean "port"?
                4: Missing required argument: The argument "port" is required, but no definition was found."#]],
        );
    }
}
