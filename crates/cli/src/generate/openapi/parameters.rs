//! The attributes for the parameters of paths, queries, headers and cookies.

use std::collections::HashSet;

use serde_json::Value;

use super::document::string;
use super::paths::{Item, PathParameter};
use super::schemas::Schemas;
use super::types::TypeReader;
use crate::generate::definition::{Description, Field, Mode, Type};
use crate::generate::names::snake_case;

/// The headers that OpenAPI describes elsewhere, so that these parameters have no effect.
const IGNORED_HEADERS: [&str; 3] = ["Accept", "Authorization", "Content-Type"];

/// The parameters of the operations of a path.
pub(super) struct Parameters<'a, 's, 'd> {
    pub(super) schemas: &'s Schemas<'d>,
    pub(super) item: &'a Item<'d>,
}

/// The operations and paths that declare the query parameters, headers and cookies of a resource.
pub(super) struct Operations<'d> {
    /// The operation that creates an object, and its path.
    pub(super) create: [Option<&'d Value>; 2],
    pub(super) others: [Option<&'d Value>; 4],
}

impl<'d> Parameters<'_, '_, 'd> {
    /// Returns the parameters in a query or a path that operations or paths declare, with their names. A parameter of an
    /// operation replaces the one of its path.
    fn declared(&self, owners: &[Option<&'d Value>], location: &str) -> Vec<(&'d str, &'d Value)> {
        let lists = owners.iter().flatten().filter_map(|it| it.get("parameters")?.as_array());
        let declared = lists.flatten().map(|it| self.schemas.document.resolve(it).1);
        let declared = declared.filter(|it| string(it, "in") == Some(location));
        let mut known = HashSet::new();
        declared
            .filter_map(|it| Some((string(it, "name")?, it)))
            .filter(|(name, _)| known.insert(*name))
            .collect()
    }

    /// Returns the parameters that become attributes in addition to those of the path: in the query, and required ones in
    /// headers and cookies. The client sets the other ones.
    fn inputs(&self, owners: &[Option<&'d Value>]) -> impl Iterator<Item = (&'d str, &'d Value)> + use<'d> {
        let is_input = |(name, it): &(&str, &Value)| {
            let is_of_client = IGNORED_HEADERS.iter().any(|ignored| name.eq_ignore_ascii_case(ignored));
            is_required(it) && !is_of_client
        };
        let others = ["header", "cookie"].into_iter().flat_map(|it| self.declared(owners, it));
        self.declared(owners, "query").into_iter().chain(others.filter(is_input).collect::<Vec<_>>())
    }

    /// Returns the query parameters, headers and cookies of a data source, each with the name of its attribute.
    pub(super) fn of_data_source(&self, read: &'d Value) -> Vec<(String, &'d Value)> {
        let declared = self.inputs(&[Some(read), Some(self.item.operations)]);
        declared.map(|(name, it)| (snake_case(name), it)).collect()
    }

    /// Returns the query parameters, headers and cookies of a resource: those that create an object, which have the value
    /// `true`, and those that the other operations require.
    pub(super) fn of_resource(&self, operations: &Operations<'d>) -> Vec<(String, &'d Value, bool)> {
        let create = self.inputs(&operations.create);
        let mut found: Vec<(String, &Value, bool)> =
            create.map(|(name, it)| (snake_case(name), it, true)).collect();
        for (name, it) in self.inputs(&operations.others) {
            let attribute = snake_case(name);
            if is_required(it) && found.iter().all(|(known, ..)| *known != attribute) {
                found.push((attribute, it, false));
            }
        }
        found
    }

    /// Returns the attribute for a query parameter, which is optional unless the parameter is required.
    pub(super) fn query(
        &self,
        types: &mut TypeReader<'_, 'd>,
        attribute: &str,
        parameter: &'d Value,
    ) -> Field {
        let mode = if is_required(parameter) { Mode::Required } else { Mode::Optional };
        self.field(types, attribute, Some(parameter), mode)
    }

    /// Returns the required attribute for a path parameter.
    pub(super) fn path(&self, types: &mut TypeReader<'_, 'd>, parameter: &PathParameter<'d>) -> Field {
        let field = self.field(types, &parameter.attribute, self.declaration(parameter), Mode::Required);
        Field { mode: Mode::Required, default: None, ..field }
    }

    /// Returns true if the last path parameter is the attribute `id`. Otherwise, the path contains another value, for
    /// example the name of the object, whose ID is a number.
    pub(super) fn is_id(
        &self,
        types: &mut TypeReader<'_, 'd>,
        parameter: &PathParameter<'d>,
        id: &Field,
    ) -> bool {
        let declared = self.declaration(parameter).and_then(|it| it.get("schema"));
        let is_named_id = snake_case(parameter.name).ends_with("id");
        is_named_id || declared.is_none_or(|it| types.field("id", it, Mode::Required).ty == id.ty)
    }

    /// Returns the declaration of a path parameter.
    fn declaration(&self, parameter: &PathParameter<'d>) -> Option<&'d Value> {
        let operations = self.item.operations;
        let declared = self.declared(&[operations.get("get"), Some(operations)], "path");
        declared.into_iter().find(|(name, _)| *name == parameter.name).map(|(_, it)| it)
    }

    /// Returns the attribute for a parameter. It is a string if the parameter has no schema, or an object.
    fn field(
        &self,
        types: &mut TypeReader<'_, 'd>,
        attribute: &str,
        declared: Option<&'d Value>,
        mode: Mode,
    ) -> Field {
        let schema = declared.and_then(|it| it.get("schema"));
        let field = schema.map(|it| types.field(attribute, it, mode));
        let is_simple = |ty: &Type| match ty {
            Type::Scalar(name) => *name != "Json",
            Type::Enum(it) => !it.has_data(),
            _ => false,
        };
        let field = field.filter(|it| match &it.ty {
            Type::Collection(_, element) => is_simple(element.non_null()),
            ty => is_simple(ty),
        });
        let mut field = field.unwrap_or_else(|| Field::new(attribute, Type::Scalar("String"), mode));
        if let Some(description) = declared.and_then(|it| string(it, "description")) {
            field.description = Description { content: description.trim().to_owned(), is_plain: false };
        }
        field.name = attribute.to_owned();
        field
    }
}

fn is_required(parameter: &Value) -> bool {
    parameter.get("required") == Some(&Value::Bool(true))
}
