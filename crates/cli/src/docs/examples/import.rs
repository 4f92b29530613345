//! Import blocks: their resource type, and their identity.

use ferroform_engine::Kind;
use ferroform_engine::configuration::{Configuration, Entry, evaluate};
use ferroform_engine::schema::{self, Attribute, Nested};
use ferroform_lang::body::Block;

use super::super::objects::Object;
use super::location;
use super::problem::Problem;

/// Validates an `import` block. A resource of another provider is ignored.
pub(super) fn validate(objects: &[Object<'_>], block: &Block<'_>, problems: &mut Vec<Problem>) {
    let argument = |name: &str| block.body.arguments.iter().find(|it| it.name == name);
    let Some(to) = argument("to") else {
        problems.push(Problem::error(block.header.start, "the argument to is required"));
        return;
    };
    let types = to.value.references().others;
    let resource = objects.iter().find(|it| it.kind == Kind::Resource && types.contains(it.name));
    let Some(resource) = resource else { return };
    let Some(argument) = argument("identity") else {
        if argument("id").is_none() {
            problems.push(Problem::error(block.header.start, "the argument id or identity is required"));
        }
        return;
    };
    let start = argument.value.at().start;
    let Some(schema) = resource.identity else {
        let message = format!("the resource {} has no identity", resource.name);
        problems.push(Problem::error(start, message));
        return;
    };
    let identity = match argument.value.known_parts() {
        Ok(it) => it,
        Err(errors) => {
            problems.extend(errors.iter().map(Problem::of_source));
            return;
        }
    };
    let attribute = Attribute::raw_nested("identity", Nested::single(schema.block.clone()));
    let configuration = Configuration { entries: vec![("identity".into(), Entry::Argument(identity))] };
    if let Err(errors) = evaluate(&schema::Block::new().attribute(attribute), &configuration) {
        problems.extend(errors.iter().map(|it| location::problem(it, block, &block.body)));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use ferroform_engine::schema::IdentitySchema;
    use ferroform_lang::{Span, body};
    use ferroform_value::Type;

    use super::super::super::objects::Content;
    use super::*;

    #[test]
    fn identities_and_types_are_checked() {
        let attributes =
            [Attribute::raw("number", Type::Number), Attribute::raw("zone", Type::Number).optional()];
        let identity = IdentitySchema::raw(schema::Block::new().with_attributes(attributes));
        let empty = schema::Block::new();
        let object = |name, identity| Object {
            kind: Kind::Resource,
            name,
            description: String::new(),
            content: Content::Schema(&empty),
            identity,
        };
        let objects = [object("x_disk", Some(&identity)), object("x_plain", None)];
        let text = "import {\n  to = x_disk.a\n  identity = {\n    number = 1\n    zone = var.zone\n  }\n}
import {\n  to = x_disk.b[\"k\"]\n  identity = {\n    nmber = 1\n    zone = \"x\"\n  }\n}
import {\n  to = x_plain.a\n  identity = { number = 1 }\n}
import {\n  to = x_plain.a\n  id = \"1\"\n}
import {\n  to = x_plain.a\n}
import {\n  to = other_type.a\n  identity = 1\n}
import {\n  id = \"1\"\n}
import {\n  to = x_disk.c\n  identity = \"1\"\n}\n";
        let mut problems = Vec::new();
        let file = body::parse(text).unwrap();
        file.blocks.iter().for_each(|it| validate(&objects, it, &mut problems));
        let line = |at| Span::of(text, at..at).start.line;
        let lines: Vec<String> =
            problems.iter().map(|it| format!("{}: {}", line(it.at), it.message)).collect();
        expect![[r#"
            11: Unsupported argument: An argument named "nmber" is not expected here. Did you mean "number"?
            10: Missing required argument: The argument "number" is required, but no definition was found.
            12: Incorrect attribute value type: Inappropriate value for attribute "identity.zone": a number is required.
            17: the resource x_plain has no identity
            23: the argument id or identity is required
            30: the argument to is required
            35: Incorrect attribute value type: Inappropriate value for attribute "identity": object required, but have string."#]]
        .assert_eq(&lines.join("\n"));
    }
}
