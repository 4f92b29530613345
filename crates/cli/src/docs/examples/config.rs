//! The value of a block for its schema, with the errors that Terraform itself reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use ferroform_lang::Errors;
use ferroform_lang::body::{Block as SourceBlock, Body, Expression};
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode as BlockNesting;
use ferroform_proto::tfplugin6::schema::object::NestingMode as ObjectNesting;
use ferroform_proto::tfplugin6::schema::{Attribute, Block, NestedBlock, Object};
use ferroform_value::{Path, Step, Type, Typed, Value, suggest};

use super::Problem;
use crate::provider_schema::types;

/// Converts blocks to values, and collects the problems.
#[derive(Default)]
pub(super) struct Converter {
    pub(super) problems: Vec<Problem>,
}

impl Converter {
    fn error(&mut self, at: usize, message: String) {
        self.problems.push(Problem::error(at, message));
    }

    /// Returns the value of a block. `ignored` are names that are not part of the schema, and `at` is the position for
    /// missing arguments.
    pub(super) fn block(&mut self, schema: &Block, body: &Body<'_>, ignored: &[&str], at: usize) -> Value {
        let names = || {
            let attributes = schema.attributes.iter().map(|it| it.name.as_str());
            attributes.chain(schema.block_types.iter().map(|it| it.type_name.as_str()))
        };
        for argument in &body.arguments {
            let name = argument.name;
            if schema.block_types.iter().any(|it| it.type_name == name) {
                self.error(argument.name_at.start, format!("{name} is a block: write `{name} {{ … }}`"));
            } else if !names().chain(ignored.iter().copied()).any(|it| it == name) {
                self.error(argument.name_at.start, unknown("argument", name, names()));
            }
        }
        for block in &body.blocks {
            let name = block_name(block);
            let attribute = schema.attributes.iter().find(|it| it.name == name);
            match attribute {
                // Providers that are written with SDKv2 have attributes that a configuration writes as blocks.
                Some(it) if has_block_syntax(it) => {}
                Some(_) => {
                    self.error(block.name_at.start, format!("{name} is an argument: write `{name} = …`"))
                }
                None if names().chain(ignored.iter().copied()).any(|it| it == name) => {}
                None => self.error(block.name_at.start, unknown("block type", name, names())),
            }
        }
        let mut entries: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for attribute in &schema.attributes {
            let argument = body.arguments.iter().find(|it| it.name == attribute.name);
            let value = match argument {
                Some(argument) => {
                    self.is_writable(attribute, argument.name_at.start);
                    self.argument(attribute, &argument.value)
                }
                None if body.blocks.iter().any(|it| block_name(it) == attribute.name) => Value::UNKNOWN,
                None => {
                    self.is_optional(attribute, at);
                    Value::Null
                }
            };
            entries.insert(attribute.name.as_str().into(), value);
        }
        for nested in &schema.block_types {
            entries.insert(nested.type_name.as_str().into(), self.nested_blocks(nested, body, at));
        }
        Value::Object(entries.into_iter().collect())
    }

    fn is_writable(&mut self, attribute: &Attribute, at: usize) {
        if !attribute.required && !attribute.optional {
            self.error(
                at,
                format!("the provider sets {}, so a configuration must not contain it", attribute.name),
            );
        }
    }

    fn is_optional(&mut self, attribute: &Attribute, at: usize) {
        if attribute.required {
            self.error(at, format!("the argument {} is required", attribute.name));
        }
    }

    /// Returns the value of an attribute.
    fn argument(&mut self, attribute: &Attribute, expression: &Expression<'_>) -> Value {
        let typed = match expression.known_parts() {
            Ok(typed) => typed,
            Err(errors) => return self.invalid(&errors),
        };
        match &attribute.nested_type {
            Some(object) => {
                let source = Argument { name: &attribute.name, expression };
                self.nested_attribute(object, typed, &source, &Path::ROOT)
            }
            None => match types::parse(&attribute.r#type).map(|ty| typed.fit(&ty)) {
                Ok(Ok(value)) => value,
                Ok(Err(error)) => {
                    let at = expression.part(error.path()).start;
                    let path = error.path().clone().below(&Path::attribute(attribute.name.as_str()));
                    self.error(at, format!("{path}: {}", error.message()));
                    Value::Null
                }
                Err(error) => {
                    self.error(expression.at().start, error);
                    Value::Null
                }
            },
        }
    }

    fn invalid(&mut self, errors: &Errors) -> Value {
        for it in errors.iter() {
            self.error(it.span().start.byte, format!("{}: {}", it.summary(), it.detail()));
        }
        Value::Null
    }

    /// Returns the value of a nested attribute. `path` is the path from the argument to the value.
    fn nested_attribute(
        &mut self,
        object: &Object,
        typed: Typed,
        source: &Argument<'_>,
        path: &Path,
    ) -> Value {
        if matches!(typed.value, Value::Null | Value::Unknown(_)) {
            return typed.value;
        }
        let expected = match object.nesting() {
            ObjectNesting::List | ObjectNesting::Set => match typed.into_elements() {
                Ok(elements) => {
                    let values = elements.into_iter().enumerate().map(|(index, it)| {
                        self.nested_object(object, it, source, &path.clone().then(Step::Index(index)))
                    });
                    let values: Vec<Value> = values.collect();
                    return match object.nesting() {
                        ObjectNesting::Set => Value::set(values),
                        _ => Value::List(values),
                    };
                }
                Err(_) => "a list of objects",
            },
            ObjectNesting::Map => match typed.into_entries() {
                Ok(entries) => {
                    let values = entries.into_iter().map(|(key, it)| {
                        let path = path.clone().then(Step::Key((&*key).into()));
                        let value = self.nested_object(object, it, source, &path);
                        (key, value)
                    });
                    return Value::map(values.collect::<Vec<_>>());
                }
                Err(_) => "a map of objects",
            },
            ObjectNesting::Single | ObjectNesting::Invalid => {
                return self.nested_object(object, typed, source, path);
            }
        };
        self.error(source.at(path), format!("{}: {expected} is required", source.path(path)));
        Value::Null
    }

    fn nested_object(&mut self, object: &Object, typed: Typed, source: &Argument<'_>, path: &Path) -> Value {
        if matches!(typed.value, Value::Null | Value::Unknown(_)) {
            return typed.value;
        }
        let at = source.at(path);
        let Ok(entries) = typed.into_entries() else {
            self.error(at, format!("{}: an object is required", source.path(path)));
            return Value::Null;
        };
        let mut entries: BTreeMap<Arc<str>, Typed> = entries.into_iter().collect();
        let mut values: Vec<(Arc<str>, Value)> = Vec::new();
        for attribute in &object.attributes {
            let inner = path.clone().name(attribute.name.as_str());
            let value = match entries.remove(attribute.name.as_str()) {
                Some(typed) => {
                    let at = source.at(&inner);
                    if !matches!(typed.value, Value::Null) {
                        self.is_writable(attribute, at);
                    }
                    match &attribute.nested_type {
                        Some(object) => self.nested_attribute(object, typed, source, &inner),
                        None => match types::parse(&attribute.r#type).map(|ty| typed.fit(&ty)) {
                            Ok(Ok(value)) => value,
                            Ok(Err(error)) => {
                                let path = error.path().clone().below(&inner);
                                let message = format!("{}: {}", source.path(&path), error.message());
                                self.error(source.at(&path), message);
                                Value::Null
                            }
                            Err(error) => {
                                self.error(at, error);
                                Value::Null
                            }
                        },
                    }
                }
                None => {
                    self.is_optional(attribute, at);
                    Value::Null
                }
            };
            values.push((attribute.name.as_str().into(), value));
        }
        for name in entries.keys() {
            let at = source.at(&path.clone().name(name.clone()));
            let names = object.attributes.iter().map(|it| it.name.as_str());
            self.error(at, unknown("attribute", name, names));
        }
        Value::Object(values.into_iter().collect())
    }

    /// Returns the value of all blocks of a type.
    fn nested_blocks(&mut self, schema: &NestedBlock, body: &Body<'_>, at: usize) -> Value {
        let empty = Block::default();
        let inner = schema.block.as_ref().unwrap_or(&empty);
        let name = &schema.type_name;
        let mut values: Vec<(Option<&str>, Value)> = Vec::new();
        let mut is_dynamic = false;
        for block in body.blocks.iter().filter(|it| block_name(it) == name) {
            let start = block.header.start;
            if block.name == "dynamic" {
                is_dynamic = true;
                for content in block.body.blocks.iter().filter(|it| it.name == "content") {
                    self.block(inner, &content.body, &[], content.header.start);
                }
                continue;
            }
            let label = block.labels.first().map(|it| it.text.as_str());
            if schema.nesting() == BlockNesting::Map && label.is_none() {
                self.error(start, format!("a block {name} has a label"));
            }
            let value = self.block(inner, &block.body, &[], start);
            values.push((label, value));
        }
        let count = values.len() as i64;
        let is_single =
            matches!(schema.nesting(), BlockNesting::Single | BlockNesting::Group | BlockNesting::Invalid);
        let max = if is_single { 1 } else { schema.max_items };
        if !is_dynamic && count < schema.min_items {
            self.error(
                at,
                format!("at least {} {name} blocks are required, but got {count}", schema.min_items),
            );
        }
        if max > 0 && count > max {
            self.error(at, format!("at most {max} {name} blocks are allowed, but got {count}"));
        }
        if is_dynamic {
            return Value::UNKNOWN;
        }
        match schema.nesting() {
            BlockNesting::List => Value::List(values.into_iter().map(|(_, it)| it).collect()),
            BlockNesting::Set => Value::set(values.into_iter().map(|(_, it)| it)),
            BlockNesting::Map => Value::map(
                values.into_iter().filter_map(|(label, it)| Some((label?, it))).collect::<Vec<_>>(),
            ),
            BlockNesting::Group if values.is_empty() => self.block(inner, &Body::default(), &[], at),
            _ => values.pop().map_or(Value::Null, |(_, it)| it),
        }
    }
}

/// An argument whose value is nested objects.
struct Argument<'a> {
    name: &'a str,
    expression: &'a Expression<'a>,
}

impl Argument<'_> {
    /// The position of a part of the value, in bytes.
    fn at(&self, path: &Path) -> usize {
        self.expression.part(path).start
    }

    /// The path of a part of the value from the block.
    fn path(&self, path: &Path) -> Path {
        path.clone().below(&Path::attribute(self.name))
    }
}

/// The type of the values of a block.
pub(super) fn block_type(block: &Block) -> Result<Type, String> {
    let mut attributes: Vec<(Arc<str>, Type)> = Vec::new();
    for it in &block.attributes {
        attributes.push((it.name.as_str().into(), attribute_type(it)?));
    }
    for it in &block.block_types {
        let inner = block_type(it.block.as_ref().unwrap_or(&Block::default()))?;
        let ty = match it.nesting() {
            BlockNesting::List => Type::list(inner),
            BlockNesting::Set => Type::set(inner),
            BlockNesting::Map => Type::map(inner),
            BlockNesting::Single | BlockNesting::Group | BlockNesting::Invalid => inner,
        };
        attributes.push((it.type_name.as_str().into(), ty));
    }
    Ok(Type::object(attributes))
}

fn attribute_type(it: &Attribute) -> Result<Type, String> {
    let Some(object) = &it.nested_type else { return types::parse(&it.r#type) };
    let attributes = object.attributes.iter().map(|it| Ok((it.name.as_str(), attribute_type(it)?)));
    let inner = Type::object(attributes.collect::<Result<Vec<_>, String>>()?);
    Ok(match object.nesting() {
        ObjectNesting::List => Type::list(inner),
        ObjectNesting::Set => Type::set(inner),
        ObjectNesting::Map => Type::map(inner),
        ObjectNesting::Single | ObjectNesting::Invalid => inner,
    })
}

/// The name of a block type. A dynamic block has the name of the blocks that it creates.
fn block_name<'b>(block: &'b SourceBlock<'_>) -> &'b str {
    match (block.name, block.labels.first()) {
        ("dynamic", Some(label)) => &label.text,
        (name, _) => name,
    }
}

/// Returns true for a list or set of objects, which Terraform also accepts as blocks.
fn has_block_syntax(attribute: &Attribute) -> bool {
    let is_object = |it: &Type| matches!(it, Type::Object(_));
    attribute.nested_type.is_none()
        && matches!(types::parse(&attribute.r#type), Ok(Type::List(it) | Type::Set(it)) if is_object(&it))
}

/// Returns the message about a name that the schema does not contain.
pub(super) fn unknown<'n>(kind: &str, name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let suggestion = suggest(name, names).map(|it| format!("; did you mean {it}?")).unwrap_or_default();
    format!("unknown {kind} {name}{suggestion}")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ferroform_lang::{Span, body};
    use ferroform_proto::tfplugin6::schema::nested_block::NestingMode;

    use super::*;

    fn attribute(name: &str, ty: &str, mode: &str) -> Attribute {
        Attribute {
            name: name.to_owned(),
            r#type: ty.to_owned().into_bytes().into(),
            required: mode.contains('r'),
            optional: mode.contains('o'),
            computed: mode.contains('c'),
            ..Attribute::default()
        }
    }

    /// A schema with all kinds of attributes and blocks.
    fn schema() -> Block {
        let object = |nesting: ObjectNesting| {
            let attributes =
                vec![attribute("size", "\"number\"", "r"), attribute("serial", "\"string\"", "c")];
            Some(Object { attributes, nesting: nesting.into(), ..Object::default() })
        };
        let nested = |name: &str, nesting| Attribute {
            nested_type: object(nesting),
            r#type: Vec::new().into(),
            ..attribute(name, "", "o")
        };
        let block = |name: &str, nesting: NestingMode, min_items, max_items| NestedBlock {
            type_name: name.to_owned(),
            block: Some(Block { attributes: vec![attribute("port", "\"number\"", "r")], ..Block::default() }),
            nesting: nesting.into(),
            min_items,
            max_items,
        };
        Block {
            attributes: vec![
                attribute("name", "\"string\"", "r"),
                attribute("id", "\"string\"", "c"),
                attribute("tags", "[\"map\",\"string\"]", "o"),
                attribute("any", "\"dynamic\"", "o"),
                attribute("rules", "[\"list\",[\"object\",{\"port\":\"number\"}]]", "oc"),
                nested("disks", ObjectNesting::List),
                nested("disk_map", ObjectNesting::Map),
                nested("boot", ObjectNesting::Single),
            ],
            block_types: vec![
                block("listener", NestingMode::List, 0, 2),
                block("login", NestingMode::Single, 0, 0),
                block("zone", NestingMode::Map, 0, 0),
            ],
            ..Block::default()
        }
    }

    /// Checks the problems of a block, or its value if there are none.
    fn check(arguments: &str, expected: Expect) {
        let text = format!("resource \"x_y\" \"a\" {{\n{arguments}\n}}\n");
        let file = body::parse(&text).unwrap();
        let block = &file.blocks[0];
        let mut converter = Converter::default();
        let value = converter.block(&schema(), &block.body, &["count", "lifecycle"], block.header.start);
        let line = |at| Span::of(&text, at..at).start.line;
        let lines: Vec<String> =
            converter.problems.iter().map(|it| format!("{}: {}", line(it.at), it.message)).collect();
        if lines.is_empty() {
            let ty = block_type(&schema()).unwrap();
            let bytes = ferroform_value::msgpack::encode(&value, &ty).unwrap();
            let decoded = ferroform_value::msgpack::decode(&bytes, &ty).unwrap();
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
                rules = (known after apply)
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
    fn mistakes_have_their_line() {
        check(
            "nme = \"a\"\nid = \"b\"",
            expect![[r#"
            2: unknown argument nme; did you mean name?
            1: the argument name is required
            3: the provider sets id, so a configuration must not contain it"#]],
        );
        check(
            "name = [1]\ntags = {\n a = 1\n b = []\n}",
            expect![[r#"
            2: name: string required, but have tuple
            5: tags["b"]: string required, but have tuple"#]],
        );
        check(
            "name = \"a\"\ndisks = [\n { size = \"x\" },\n { serial = \"s\" },\n { size = 1, sise = 2 },\n]",
            expect![[r#"
                4: disks[0].size: a number is required
                5: the argument size is required
                5: the provider sets serial, so a configuration must not contain it
                6: unknown attribute sise; did you mean size?"#]],
        );
        check(
            "name = \"a\"\ndisks = { size = 1 }\ndisk_map = []\nboot = \"x\"",
            expect![[r#"
                3: disks: a list of objects is required
                4: disk_map: a map of objects is required
                5: boot: an object is required"#]],
        );
        check(
            "name = \"a\"\nlistener = []\ntags {\n}\nlisteners {\n}",
            expect![[r#"
            3: listener is a block: write `listener { … }`
            4: tags is an argument: write `tags = …`
            6: unknown block type listeners; did you mean listener?"#]],
        );
        check(
            "name = \"a\"\nlogin {\n port = 1\n}\nlogin {\n}\nlistener {\n port = []\n}\nzone {\n port = 1\n}",
            expect![[r#"
                9: port: number required, but have tuple
                6: the argument port is required
                1: at most 1 login blocks are allowed, but got 2
                11: a block zone has a label"#]],
        );
        check(
            "name = 1 + []\ndynamic \"listener\" {\n content {\n  prt = 1\n }\n}",
            expect![[r#"
            2: Invalid operand: The operand is not suitable: number required, but have tuple.
            5: unknown argument prt; did you mean port?
            4: the argument port is required"#]],
        );
    }
}
