//! Checks of relations and groups.

use syn::{Expr, Ident};

use super::siblings::siblings;
use crate::ast::{Field, Model, Role};
use crate::errors::Errors;
use crate::option_names;
use crate::relations::{ALL_OR_NONE, Group, RelatedAttributes, Relation, Subject};

/// Rejects unknown fields, and attributes that cannot take part in the relation.
pub(super) fn check(model: &Model, errors: &mut Errors) {
    for group in &model.groups {
        check_group(group, model, errors);
    }
    for field in &model.fields {
        for relation in &field.relations {
            check_relation(relation, field, model, errors);
        }
    }
}

/// Rejects string literals.
fn check_patterns(others: &RelatedAttributes, errors: &mut Errors) {
    for it in others.patterns.iter().filter(|it| matches!(it, Expr::Lit(_))) {
        errors
            .at(it, "name a field of this struct without quotes, and any other attribute with `pattern!(…)`");
    }
}

fn check_group(group: &Group, model: &Model, errors: &mut Errors) {
    let fields = &group.members.fields;
    check_patterns(&group.members, errors);
    siblings(fields, model, errors);
    for (i, name) in fields.iter().enumerate() {
        if fields[..i].contains(name) {
            errors.at(name, format!("`{name}` is named more than once"));
        }
        let Some(field) = model.attribute_fields().find(|it| it.ident == *name) else { continue };
        computed_only(name, field, errors);
        if group.variant != ALL_OR_NONE {
            always_set(name, field, errors);
        }
    }
    if fields.len() + group.members.patterns.len() < 2 {
        errors.at(&group.option_name, format!("`{}` needs at least two members", group.option_name));
    }
}

fn check_relation(relation: &Relation, field: &Field, model: &Model, errors: &mut Errors) {
    let Relation { kind, option_name, others } = relation;
    if matches!(field.role, Role::Computed) {
        let message =
            "this option has no effect on a computed-only attribute: the configuration cannot set it";
        errors.at(option_name, message);
    }
    if kind.subject == Subject::Presence
        && kind.option_name != option_names::REQUIRES
        && field.is_always_set()
    {
        errors.at(
            option_name,
            "this option has no effect on a required attribute or block: the configuration always sets it",
        );
    }
    check_patterns(others, errors);
    siblings(&others.fields, model, errors);
    for (name, other) in &model.related_fields(others) {
        if other.ident == field.ident {
            errors.at(name, format!("`{option_name}` cannot name its own field"));
            continue;
        }
        computed_only(name, other, errors);
        if kind.subject == Subject::Presence {
            always_set(name, other, errors);
        }
        if kind.subject == Subject::WriteOnly && !matches!(other.role, Role::WriteOnly) {
            errors.at(name, format!("`{name}` is not write-only"));
        }
    }
    if kind.subject == Subject::WriteOnly && matches!(field.role, Role::WriteOnly) {
        errors.at(option_name, "`prefer_write_only` cannot be used on a write-only attribute");
    }
}

fn computed_only(name: &Ident, field: &Field, errors: &mut Errors) {
    if matches!(field.role, Role::Computed) {
        errors.at(name, format!("`{name}` is computed only: the configuration cannot set it"));
    }
}

fn always_set(name: &Ident, field: &Field, errors: &mut Errors) {
    if field.is_always_set() {
        errors.at(name, format!("`{name}` is required, so the configuration always sets it"));
    }
}
