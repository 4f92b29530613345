//! Import blocks: their resource type, and their identity.

use ferroform_engine::Kind;
use ferroform_lang::body::Block;
use ferroform_value::{Path, Value};

use super::super::objects::Object;
use super::Problem;
use super::config::unknown;
use crate::provider_schema::types;

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
    let entries = match argument.value.known_parts() {
        Ok(it) if matches!(it.value, Value::Unknown(_)) => return,
        Ok(it) => it.into_entries(),
        Err(errors) => {
            let error = |it: &ferroform_lang::Diagnostic| {
                Problem::error(it.span().start.byte, format!("{}: {}", it.summary(), it.detail()))
            };
            problems.extend(errors.iter().map(error));
            return;
        }
    };
    let Ok(entries) = entries else {
        problems.push(Problem::error(start, "an object is required"));
        return;
    };
    let attributes = &schema.identity_attributes;
    for it in attributes.iter().filter(|it| it.required_for_import) {
        if !entries.iter().any(|(name, _)| **name == *it.name) {
            problems.push(Problem::error(
                start,
                format!("the attribute {} of the identity is required", it.name),
            ));
        }
    }
    for (name, typed) in entries {
        let at = argument.value.part(&Path::attribute(name.clone())).start;
        let Some(attribute) = attributes.iter().find(|it| *it.name == *name) else {
            let names = attributes.iter().map(|it| it.name.as_str());
            problems.push(Problem::error(at, unknown("attribute", &name, names)));
            continue;
        };
        match types::parse(&attribute.r#type).map(|ty| typed.fit(&ty)) {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => {
                let path = error.path().clone().below(&Path::attribute(name));
                problems.push(Problem::error(at, format!("{path}: {}", error.message())));
            }
            Err(error) => problems.push(Problem::error(at, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use ferroform_lang::{Span, body};
    use ferroform_proto::tfplugin6::ResourceIdentitySchema;
    use ferroform_proto::tfplugin6::resource_identity_schema::IdentityAttribute;

    use super::super::super::objects::Content;
    use super::*;

    #[test]
    fn identities_and_types_are_checked() {
        let attribute = |name: &str, is_required| IdentityAttribute {
            name: name.to_owned(),
            r#type: "\"number\"".into(),
            required_for_import: is_required,
            optional_for_import: !is_required,
            ..IdentityAttribute::default()
        };
        let identity = ResourceIdentitySchema {
            identity_attributes: vec![attribute("number", true), attribute("zone", false)],
            ..ResourceIdentitySchema::default()
        };
        let object = |name, identity| Object {
            kind: Kind::Resource,
            name,
            description: String::new(),
            content: Content::Schema(Default::default()),
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
            10: the attribute number of the identity is required
            11: unknown attribute nmber; did you mean number?
            12: zone: a number is required
            17: the resource x_plain has no identity
            23: the argument id or identity is required
            30: the argument to is required
            35: an object is required"#]]
        .assert_eq(&lines.join("\n"));
    }
}
