//! The objects of a provider schema.

use std::fmt;

use ferroform_value::{Type as ValueType, json};
use serde_json::Value;

use super::definition::{
    Collection, Description, Field, Form, Function, Identity, Kind, Mode, Model, Object, Provider, Type,
};
use crate::provider_schema::model::{
    self, Attribute, Block, BlockType, ByName, IdentitySchema, Parameter, ProviderSchema, Schema,
};

/// The namespace of a provider whose source has no address, such as a binary.
const NAMESPACE: &str = "registry.terraform.io/example";

/// Converts a schema. Parts that cannot be generated are omitted, with a warning.
///
/// # Errors
///
/// Returns the first attribute with an invalid type or name.
pub(super) fn provider(
    address: &str,
    schema: &ProviderSchema,
    number: &'static str,
    warnings: &mut Vec<String>,
) -> Result<Provider, String> {
    let convert = Converter { number };
    let name = address.rsplit('/').next().unwrap_or_default();
    let address =
        if address.split('/').count() == 3 { address.to_owned() } else { format!("{NAMESPACE}/{name}") };
    let mut objects = Vec::new();
    for (kind, schemas) in [
        (Kind::Resource, &schema.resource_schemas),
        (Kind::DataSource, &schema.data_source_schemas),
        (Kind::EphemeralResource, &schema.ephemeral_resource_schemas),
        (Kind::ListResource, &schema.list_resource_schemas),
    ] {
        for (name, it) in schemas {
            let identity = schema.resource_identity_schemas.get(name);
            if kind == Kind::ListResource
                && (identity.is_none() || !schema.resource_schemas.contains_key(name))
            {
                warnings.push(format!(
                    "list resource {name}: omitted, because it has no resource with an identity"
                ));
                continue;
            }
            let identity = identity.filter(|_| kind == Kind::Resource);
            let identity = identity.map(|it| convert.identity(it)).transpose();
            let object = || Ok::<_, Unsupported>((convert.schema(it)?, identity?));
            let (model, identity) = object().map_err(|error| format!("{} {name}: {error}", kind.noun()))?;
            let mut object = Object { identity, ..Object::new(kind, name, model) };
            keep_identity(&mut object);
            objects.push(object);
        }
    }
    for (name, it) in &schema.action_schemas {
        let model = it.block.as_ref().map(|it| convert.block(it)).transpose();
        let model = model.map_err(|error| format!("action {name}: {error}"))?.unwrap_or_default();
        objects.push(Object::new(Kind::Action, name, model));
    }
    for name in schema.state_store_schemas.keys() {
        warnings.push(format!("state store {name}: omitted, because state stores are not supported"));
    }
    let function = |(name, it): (&String, &model::Function)| {
        convert.function(name, it).map_err(|error| format!("function {name}: {error}"))
    };
    Ok(Provider {
        address,
        config: convert
            .schema(&schema.provider)
            .map_err(|error| format!("provider configuration: {error}"))?,
        objects,
        functions: schema.functions.iter().map(function).collect::<Result<_, _>>()?,
    })
}

/// An attribute that cannot be generated.
#[derive(Debug, PartialEq)]
pub(super) struct Unsupported {
    /// The names of the enclosing attributes and blocks, from the outermost.
    path: Vec<String>,
    message: String,
}

impl Unsupported {
    fn new(message: impl Into<String>) -> Unsupported {
        Unsupported { path: Vec::new(), message: message.into() }
    }

    /// Adds the name of the enclosing object to the path.
    fn inside(name: &str) -> impl FnOnce(Unsupported) -> Unsupported + use<'_> {
        |mut error| {
            error.path.insert(0, name.to_owned());
            error
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path.join("."))?;
        }
        f.write_str(&self.message)
    }
}

type Result<T, E = Unsupported> = std::result::Result<T, E>;

struct Converter {
    /// The Rust type of numbers, because a schema does not distinguish integers.
    number: &'static str,
}

impl Converter {
    fn schema(&self, schema: &Schema) -> Result<Model> {
        let model = schema.block.as_ref().map(|it| self.block(it)).transpose()?.unwrap_or_default();
        Ok(Model { version: schema.version, ..model })
    }

    fn block(&self, block: &Block) -> Result<Model> {
        let mut fields = self.attributes(&block.attributes)?;
        for (name, it) in &block.block_types {
            fields.push(self.nested_block(name, it).map_err(Unsupported::inside(name))?);
        }
        Ok(Model {
            description: description(&block.description, &block.description_kind),
            deprecated: deprecated(block.deprecated, &block.deprecation_message),
            version: 0,
            fields: sorted(fields),
        })
    }

    fn nested_block(&self, name: &str, block: &BlockType) -> Result<Field> {
        check_name(name)?;
        // The description and the deprecation of a block are those of its field.
        let mut model = self.block(&block.block)?;
        let (description, deprecated) = (std::mem::take(&mut model.description), model.deprecated.take());
        let is_single = matches!(&*block.nesting_mode, "single" | "group");
        let mode = if block.min_items > 0 { Mode::Required } else { Mode::Optional };
        let limits = if is_single { (0, 0) } else { (block.min_items, block.max_items) };
        Ok(Field {
            description,
            deprecated,
            form: Form::Block,
            min_items: limits.0,
            max_items: limits.1,
            ..Field::new(name, nested(&block.nesting_mode, model)?, mode)
        })
    }

    fn attributes(&self, attributes: &ByName<Attribute>) -> Result<Vec<Field>> {
        let attribute =
            |(name, it): (&String, &Attribute)| self.attribute(name, it).map_err(Unsupported::inside(name));
        attributes.iter().map(attribute).collect()
    }

    fn attribute(&self, name: &str, attribute: &Attribute) -> Result<Field> {
        check_name(name)?;
        let mode = match (attribute.required, attribute.optional, attribute.computed) {
            (true, ..) => Mode::Required,
            (_, true, true) => Mode::OptionalComputed,
            (_, true, false) => Mode::Optional,
            (_, false, _) => Mode::Computed,
        };
        let (form, ty) = match &attribute.nested_type {
            Some(it) => {
                let fields = sorted(self.attributes(&it.attributes)?);
                let model = Model { fields, ..Model::default() };
                (Form::NestedAttribute, nested(&it.nesting_mode, model)?)
            }
            None => (Form::Attribute, self.ty(&attribute.ty)?),
        };
        Ok(Field {
            description: description(&attribute.description, &attribute.description_kind),
            deprecated: deprecated(attribute.deprecated, &attribute.deprecation_message),
            form,
            is_sensitive: attribute.sensitive,
            is_write_only: attribute.write_only,
            ..Field::new(name, ty, mode)
        })
    }

    fn ty(&self, ty: &Value) -> Result<Type> {
        let ty = json::type_from_slice(ty.to_string().as_bytes())
            .map_err(|error| Unsupported::new(error.to_string()))?;
        self.value_type(&ty)
    }

    fn value_type(&self, ty: &ValueType) -> Result<Type> {
        let element = |collection, element: &ValueType| {
            if element.has_dynamic() {
                let message =
                    format!("the type {ty} is not supported, because its elements have different types");
                return Err(Unsupported::new(message));
            }
            Ok(Type::Collection(collection, Box::new(self.value_type(element)?)))
        };
        Ok(match ty {
            ValueType::Bool => Type::Scalar("bool"),
            ValueType::Number => Type::Scalar(self.number),
            ValueType::String => Type::Scalar("String"),
            ValueType::Dynamic => Type::Scalar("Dynamic"),
            ValueType::List(it) => element(Collection::List, it)?,
            ValueType::Set(it) => element(Collection::Set, it)?,
            ValueType::Map(it) => element(Collection::Map, it)?,
            ValueType::Tuple(elements) => {
                // The standard library implements the traits of tuples up to this length.
                if elements.is_empty() || elements.len() > 12 {
                    return Err(Unsupported::new(format!(
                        "a tuple has 1 to 12 elements, but the type is {ty}"
                    )));
                }
                Type::Tuple(elements.iter().map(|it| self.value_type(it)).collect::<Result<_, _>>()?)
            }
            ValueType::Object(object) => {
                let field = |it: &ferroform_value::Attribute| {
                    check_name(&it.name)?;
                    Ok::<_, Unsupported>(Field::new(&*it.name, self.value_type(&it.ty)?, Mode::Optional))
                };
                let fields =
                    object.attributes().iter().map(|it| field(it).map_err(Unsupported::inside(&it.name)));
                Type::Model(Model { fields: fields.collect::<Result<_, _>>()?, ..Model::default() })
            }
        })
    }

    fn identity(&self, identity: &IdentitySchema) -> Result<Identity> {
        let mut fields = Vec::new();
        for (name, it) in &identity.attributes {
            let mode = if it.required_for_import { Mode::Required } else { Mode::Optional };
            let description = description(&it.description, "markdown");
            let ty = check_name(name).and_then(|()| self.ty(&it.ty));
            let ty = ty.map_err(Unsupported::inside(name)).map_err(Unsupported::inside("identity"))?;
            fields.push(Field { description, ..Field::new(name, ty, mode) });
        }
        let model = Model { fields: sorted(fields), ..Model::default() };
        Ok(Identity { version: identity.version, model })
    }

    fn function(&self, name: &str, function: &model::Function) -> Result<Function> {
        let parameter = |it: &Parameter| {
            let mode = if it.is_nullable { Mode::Optional } else { Mode::Required };
            let ty = check_name(&it.name).and_then(|()| self.ty(&it.ty));
            let ty = ty.map_err(Unsupported::inside(&it.name))?;
            let description = description(&it.description, "markdown");
            Ok::<_, Unsupported>(Field { description, ..Field::new(&it.name, ty, mode) })
        };
        let parameters = function.parameters.iter().chain(&function.variadic_parameter);
        let first_paragraph =
            function.description.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        Ok(Function {
            name: name.to_owned(),
            parameters: Model {
                description: description(&function.description, "markdown"),
                deprecated: Some(function.deprecation_message.clone()).filter(|it| !it.is_empty()),
                version: 0,
                fields: parameters.map(parameter).collect::<Result<_, _>>()?,
            },
            is_variadic: function.variadic_parameter.is_some(),
            summary: Some(function.summary.clone()).filter(|it| *it != first_paragraph),
            result: self.ty(&function.return_type)?,
        })
    }
}

/// Marks the identity attributes of a resource: another identity means another object.
fn keep_identity(object: &mut Object) {
    let Some(identity) = &object.identity else { return };
    for field in &mut object.model.fields {
        let is_identity = identity.model.fields.iter().any(|it| it.name == field.name);
        field.requires_replace = is_identity && field.mode != Mode::Computed;
    }
}

/// Returns the type of nested objects.
fn nested(nesting_mode: &str, model: Model) -> Result<Type> {
    let model = Type::Model(model);
    Ok(match nesting_mode {
        "single" | "group" => model,
        "list" => Type::Collection(Collection::List, Box::new(model)),
        "set" => Type::Collection(Collection::Set, Box::new(model)),
        "map" => Type::Collection(Collection::Map, Box::new(model)),
        other => return Err(Unsupported::new(format!("invalid nesting mode {other:?}"))),
    })
}

fn description(content: &str, kind: &str) -> Description {
    Description { content: content.to_owned(), is_plain: !content.is_empty() && kind != "markdown" }
}

fn deprecated(is_deprecated: bool, message: &str) -> Option<String> {
    is_deprecated.then(|| message.to_owned())
}

/// Sorts fields in the order of documentation: what the configuration sets, blocks, what the provider sets.
fn sorted(mut fields: Vec<Field>) -> Vec<Field> {
    fields.sort_by_key(|it| (it.form == Form::Block, it.mode));
    fields
}

/// Checks that Terraform accepts the name in a schema.
fn check_name(name: &str) -> Result<()> {
    let is_start = |it: char| it.is_ascii_lowercase() || it == '_';
    if name.starts_with(is_start) && name.chars().all(|it| is_start(it) || it.is_ascii_digit()) {
        Ok(())
    } else {
        Err(Unsupported::new(
            "a name consists of lowercase letters, digits and underscores, and does not start with a digit",
        ))
    }
}
