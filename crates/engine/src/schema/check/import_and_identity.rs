//! What a resource must not say of its identity and its import ids. The derive refuses most of it at compile time.

use ferroform_value::{Error, Type};

use super::checker::{NAME, PLACEHOLDER, SCHEMA, at};
use super::{check_name, reserved};
use crate::schema::import_pattern::ImportPart;
use crate::schema::{Attribute, Block, IdentitySchema, ImportPattern, Mode, Nesting, Replace, SchemaError};

/// Every error, in the order of the declarations. The block is that of the resource itself.
pub fn check_import_and_identity(
    block: &Block,
    identity: Option<&IdentitySchema>,
    patterns: &[ImportPattern],
) -> Vec<SchemaError> {
    let mut errors = Vec::new();
    if let Some(identity) = identity {
        self::identity(block, identity, &mut errors);
    }
    for it in patterns {
        if let Some(why) = pattern(block, it) {
            let error = Error::new(format!("the import id \"{it}\": {why}"));
            errors.push(SchemaError { summary: SCHEMA, error });
        }
        let named: Vec<&str> = it.attributes().collect();
        without_placeholder(block, &named, &format!("the import id \"{it}\""), &mut errors);
    }
    if let Some(it) = identity {
        let named: Vec<&str> = it.block.attributes.iter().map(|it| &*it.name).collect();
        without_placeholder(block, &named, "the import by identity", &mut errors);
    }
    errors
}

/// What an import knows nothing of, and no value can stand in for until the object is read. Of what is computed the check
/// of the schema says so already.
fn without_placeholder(block: &Block, named: &[&str], what: &str, errors: &mut Vec<SchemaError>) {
    let is_open = |it: &&Attribute| {
        it.mode == Mode::Required && !it.nullable && !it.write_only && !named.contains(&&*it.name)
    };
    for it in block.attributes.iter().filter(is_open) {
        match it.nested.as_deref() {
            Some(nested) if nested.nesting == Nesting::Single && !nested.block.is_choice => {
                without_placeholder(&nested.block, &[], what, errors);
            }
            Some(_) => {}
            None if it.accepts(&it.placeholder()) => {}
            None => {
                let why = format!(
                    "{what}: it does not say what \"{}\" is, and its type cannot read the value that stands in until \
                     the object is read: {PLACEHOLDER}",
                    it.name
                );
                errors.push(SchemaError { summary: SCHEMA, error: Error::new(why) });
            }
        }
    }
}

fn identity(block: &Block, identity: &IdentitySchema, errors: &mut Vec<SchemaError>) {
    let mut seen = Vec::new();
    for part in &identity.block.attributes {
        let mut error = |summary, message| {
            let SchemaError { summary, error } = at(summary, &[&part.name], message);
            errors.push(SchemaError { summary, error: Error::new(format!("the identity: {error}")) });
        };
        if seen.contains(&&part.name) {
            error(NAME, "the name is used twice".into());
        }
        seen.push(&part.name);
        check_name(&part.name, &mut error);
        reserved(&part.name, &mut error);
        if let Some(why) = part_fault(block, identity, part) {
            error(SCHEMA, why.into());
        }
    }
    let mut say = |message: String| {
        let error = Error::new(format!("the identity: {message}"));
        errors.push(SchemaError { summary: SCHEMA, error });
    };
    if !identity.block.blocks.is_empty() {
        say("it holds no blocks".into());
    }
    for (i, it) in identity.upgrades.iter().enumerate() {
        let (old, now) = (it.version, identity.version);
        if old >= now {
            say(format!("there is an upgrade from version {old}, but the version now is {now}"));
        }
        if identity.upgrades[..i].iter().any(|other| other.version == old) {
            say(format!("there are two upgrades from version {old}"));
        }
    }
}

fn part_fault(block: &Block, identity: &IdentitySchema, part: &Attribute) -> Option<&'static str> {
    let scalar = |it: &Type| matches!(it, Type::Bool | Type::Number | Type::String);
    if !(scalar(&part.ty) || matches!(&part.ty, Type::List(element) if scalar(element))) {
        return Some("a part of an identity is a bool, a number, a string or a list of these");
    }
    if part.sensitive || part.write_only {
        return Some("an identity is shown, so no part of it can be sensitive or write-only");
    }
    if part.mode.is_computed() || part.has_behavior() {
        return Some("of a part of an identity nothing is said but its type, and whether an import needs it");
    }
    let Some(own) = block.get(&part.name) else {
        return (!identity.by_provider)
            .then_some("there is no such attribute, and the provider does not make it");
    };
    let changes = own.mode.is_configurable() && own.behavior().replace == Replace::Never;
    match () {
        () if own.ty != part.ty => Some("the attribute of that name has another type"),
        () if own.sensitive => Some("an identity is shown, but the attribute of that name is sensitive"),
        () if own.write_only => {
            Some("the attribute of that name is not stored, so nothing can be known by it")
        }
        () if changes && !identity.mutable => Some(
            "another identity is another object, but a change of the attribute of that name does not replace it",
        ),
        () => None,
    }
}

fn pattern(block: &Block, pattern: &ImportPattern) -> Option<String> {
    use ImportPart::Attribute as Part;
    if pattern.parts.windows(2).any(|pair| matches!(pair, [Part { .. }, Part { .. }])) {
        return Some("nothing tells where one attribute ends and the next begins".into());
    }
    let before_last = pattern.attributes().count().saturating_sub(1);
    let fields = pattern.parts.iter().filter(|it| matches!(it, Part { .. }));
    if fields.take(before_last).any(|it| matches!(it, Part { rest: true, .. })) {
        return Some("only the last attribute can take the rest".into());
    }
    let mut seen = Vec::new();
    for name in pattern.attributes() {
        let Some(it) = block.get(name) else { return Some(format!("there is no attribute \"{name}\"")) };
        match &it.ty {
            _ if it.write_only => {
                return Some(format!("\"{name}\" is write-only, so nothing is stored in it"));
            }
            Type::Bool | Type::Number | Type::String => {}
            ty => return Some(format!("\"{name}\" is a {ty}, which cannot be read from a text")),
        }
        if seen.contains(&name) {
            return Some(format!("\"{name}\" stands there twice"));
        }
        seen.push(name);
    }
    seen.is_empty().then(|| "it names no attribute".into())
}
