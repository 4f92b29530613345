//! Checks of identities and import patterns. The derive macros reject most errors at compile time.
//!
//! Examples of rejected definitions:
//!
//! ```text
//! the identity: zone: Terraform shows identities, but the attribute with this name is sensitive
//! the import pattern "{id}": it does not determine "name", and its Rust type cannot hold the placeholder
//! ```

use ferroform_value::{Error, Type};

use super::checker::{NAME, PLACEHOLDER, SCHEMA, at};
use super::{check_name, report_reserved_name};
use crate::schema::import_pattern::{Extent, ImportPart};
use crate::schema::{Attribute, Block, IdentitySchema, ImportPattern, Mode, Nesting, Replace, SchemaError};

/// All errors in the identity and the import patterns of a resource, in the order of their declarations.
pub fn check_import_and_identity(
    block: &Block,
    identity: Option<&IdentitySchema>,
    patterns: &[ImportPattern],
    has_import_by_identity: bool,
) -> Vec<SchemaError> {
    let mut errors = Vec::new();
    if let Some(identity) = identity {
        self::identity(block, identity, &mut errors);
        if identity.by_provider && !has_import_by_identity {
            report_unused_identity(block, identity, &mut errors);
        }
    }
    for it in patterns {
        if let Some(message) = pattern(block, it) {
            let error = Error::new(format!("the import pattern \"{it}\": {message}"));
            errors.push(SchemaError { summary: SCHEMA, error });
        }
        let named: Vec<&str> = it.attributes().collect();
        report_missing_placeholders(block, &named, &format!("the import pattern \"{it}\""), &mut errors);
    }
    if let Some(it) = identity.filter(|_| !has_import_by_identity) {
        let named: Vec<&str> = it.block.attributes().iter().map(|it| &*it.name).collect();
        report_missing_placeholders(block, &named, "the import by identity", &mut errors);
    }
    errors
}

/// Reports required attributes that an import does not determine and that have no placeholder until the object is read.
/// The check of the schema reports computed attributes without a placeholder.
fn report_missing_placeholders(block: &Block, named: &[&str], import: &str, errors: &mut Vec<SchemaError>) {
    let is_undetermined = |it: &&Attribute| {
        it.mode == Mode::Required && !it.nullable && !it.write_only && !named.contains(&&*it.name)
    };
    for it in block.attributes().iter().filter(is_undetermined) {
        match it.nested.as_deref() {
            Some(nested) if nested.nesting == Nesting::Single && !nested.block.is_choice() => {
                report_missing_placeholders(&nested.block, &[], import, errors);
            }
            Some(_) => {}
            None if it.accepts(&it.placeholder()) => {}
            None => {
                let message = format!(
                    "{import}: it does not determine \"{}\", and its Rust type cannot hold the placeholder until \
                     the object is read: {PLACEHOLDER}",
                    it.name
                );
                errors.push(SchemaError { summary: SCHEMA, error: Error::new(message) });
            }
        }
    }
}

/// Reports identity attributes that an import by identity cannot use, because the resource has no attribute of that name
/// and no method that converts the identity. An optional attribute is supported in addition to others: the import fails if
/// the object that is read has a different value.
fn report_unused_identity(block: &Block, identity: &IdentitySchema, errors: &mut Vec<SchemaError>) {
    let attributes = identity.block.attributes();
    let is_unused = |it: &&Attribute| block.get(&it.name).is_none();
    let are_all_unused = attributes.iter().all(|it| is_unused(&it));
    for it in attributes.iter().filter(is_unused).filter(|it| are_all_unused || it.mode == Mode::Required) {
        let message = "an import by identity cannot use it, because the resource has no attribute of this name: \
                       implement `import_by_identity`";
        let SchemaError { summary, error } = at(SCHEMA, &[&it.name], message.into());
        errors.push(SchemaError { summary, error: Error::new(format!("the identity: {error}")) });
    }
}

fn identity(block: &Block, identity: &IdentitySchema, errors: &mut Vec<SchemaError>) {
    let mut seen = Vec::new();
    for attribute in identity.block.attributes() {
        let mut error = |summary, message| {
            let SchemaError { summary, error } = at(summary, &[&attribute.name], message);
            errors.push(SchemaError { summary, error: Error::new(format!("the identity: {error}")) });
        };
        if seen.contains(&&attribute.name) {
            error(NAME, "the name is used more than once".into());
        }
        seen.push(&attribute.name);
        check_name(&attribute.name, &mut error);
        report_reserved_name(&attribute.name, &mut error);
        if let Some(message) = identity_attribute_error(block, identity, attribute) {
            error(SCHEMA, message.into());
        }
    }
    let mut report = |message: String| {
        let error = Error::new(format!("the identity: {message}"));
        errors.push(SchemaError { summary: SCHEMA, error });
    };
    if !identity.block.blocks().is_empty() {
        report("an identity cannot contain blocks".into());
    }
    for (i, it) in identity.upgrades.iter().enumerate() {
        let (old, now) = (it.version, identity.version);
        if old >= now {
            report(format!("there is an upgrade from version {old}, but the current version is {now}"));
        }
        if identity.upgrades[..i].iter().any(|other| other.version == old) {
            report(format!("there are two upgrades from version {old}"));
        }
    }
}

fn identity_attribute_error(
    block: &Block,
    identity: &IdentitySchema,
    attribute: &Attribute,
) -> Option<&'static str> {
    let is_scalar = |it: &Type| matches!(it, Type::Bool | Type::Number | Type::String);
    if !(is_scalar(attribute.ty()) || matches!(attribute.ty(), Type::List(element) if is_scalar(element))) {
        return Some("an identity attribute must be a bool, a number, a string or a list of these");
    }
    if attribute.sensitive || attribute.write_only {
        return Some(
            "Terraform shows identities, so an identity attribute cannot be sensitive or write-only",
        );
    }
    if attribute.mode.is_computed() || attribute.has_behavior() {
        return Some(
            "an identity attribute supports no option other than its type and whether it is required for import",
        );
    }
    let Some(resource_attribute) = block.get(&attribute.name) else {
        return (!identity.by_provider)
            .then_some("the resource has no such attribute, and the provider does not create the identity");
    };
    let can_change =
        resource_attribute.mode.is_configurable() && resource_attribute.behavior().replace == Replace::Never;
    match () {
        () if resource_attribute.ty() != attribute.ty() => {
            Some("the attribute with this name has another type")
        }
        () if resource_attribute.sensitive => {
            Some("Terraform shows identities, but the attribute with this name is sensitive")
        }
        () if resource_attribute.write_only => {
            Some("the attribute with this name is write-only, so its value is not stored")
        }
        () if can_change && !identity.mutable => Some(
            "a change of the identity means a different object, so the attribute with this name must require replacement",
        ),
        () => None,
    }
}

fn pattern(block: &Block, pattern: &ImportPattern) -> Option<String> {
    use ImportPart::Attribute as Part;
    if pattern.parts.windows(2).any(|pair| matches!(pair, [Part { .. }, Part { .. }])) {
        return Some("two attributes must be separated by a string".into());
    }
    let before_last = pattern.attributes().count().saturating_sub(1);
    let fields = pattern.parts.iter().filter(|it| matches!(it, Part { .. }));
    if fields.take(before_last).any(|it| matches!(it, Part { extent: Extent::Rest, .. })) {
        return Some("only the last attribute can match the rest".into());
    }
    let is_optional = |it: &ImportPart| matches!(it, Part { extent: Extent::Optional, .. });
    if let Some(first) = pattern.parts.iter().position(is_optional) {
        let mut attributes = pattern.parts.iter().skip(first).step_by(2);
        if !attributes.all(is_optional) || matches!(pattern.parts.last(), Some(ImportPart::Literal(_))) {
            return Some("only optional attributes can follow an optional attribute".into());
        }
        if first < 2 {
            return Some("an attribute and a separator must precede an optional attribute".into());
        }
    }
    let mut seen = Vec::new();
    for name in pattern.attributes() {
        let Some(it) = block.get(name) else { return Some(format!("there is no attribute \"{name}\"")) };
        match it.ty() {
            _ if it.write_only => {
                return Some(format!("\"{name}\" is write-only, so its value is not stored"));
            }
            Type::Bool | Type::Number | Type::String => {}
            ty => return Some(format!("\"{name}\" is a {ty}, which cannot be converted from a string")),
        }
        if seen.contains(&name) {
            return Some(format!("\"{name}\" occurs more than once"));
        }
        seen.push(name);
    }
    seen.is_empty().then(|| "it names no attribute".into())
}
