//! The names of sibling fields in options.

use syn::Ident;

use crate::ast::Model;
use crate::errors::Errors;

/// Rejects names without a field. If the model has flattened fields, the generated code checks the names instead.
pub(crate) fn siblings(names: &[Ident], model: &Model, errors: &mut Errors) {
    if model.flattened().next().is_some() {
        return;
    }
    for name in names.iter().filter(|name| !model.attribute_fields().any(|it| it.ident == **name)) {
        errors.at(name, no_field(&name.to_string(), model));
    }
}

/// The message about an unknown field.
pub(crate) fn no_field(name: &str, model: &Model) -> String {
    let known: Vec<_> = model.attribute_fields().map(|it| format!("`{}`", it.ident)).collect();
    format!("unknown field `{name}`; the fields are {}", known.join(", "))
}
