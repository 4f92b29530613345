//! The objects of a provider schema.

use ferroform_engine::schema::{
    Attribute, Block, DescriptionKind, IdentitySchema, NestedBlock, Nesting, Schema, is_attribute_name,
};
use ferroform_engine::{Definition, FunctionSignature};
use ferroform_value::{Error, Step, Type as ValueType};

use super::definition::{
    Collection, Description, Field, Form, Function, Identity, Kind, Mode, Model, Object, Provider, Type,
};
use crate::provider_schema::ProviderSchema;

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
    let convert = Converter { number, may_contain_null: true };
    let name = address.rsplit('/').next().unwrap_or_default();
    let address =
        if address.split('/').count() == 3 { address.to_owned() } else { format!("{NAMESPACE}/{name}") };
    let mut objects = Vec::new();
    for &kind in Definition::KINDS {
        for (name, it) in schema.of_kind(kind) {
            let identity = schema.identities.get(name);
            if kind == Kind::StateStore {
                warnings.push(format!("state store {name}: omitted, because state stores are not supported"));
                continue;
            }
            if kind == Kind::ListResource
                && (identity.is_none() || !schema.of_kind(Kind::Resource).contains_key(name))
            {
                warnings.push(format!(
                    "list resource {name}: omitted, because it has no resource with an identity"
                ));
                continue;
            }
            let identity = identity.filter(|_| kind == Kind::Resource);
            let identity = identity.map(|it| convert.identity(it)).transpose();
            let is_sdkv2 = is_sdkv2(&it.block);
            let convert = Converter { may_contain_null: !is_sdkv2, ..convert };
            let object = || Ok::<_, Error>((convert.schema(it)?, identity?));
            let (mut model, identity) =
                object().map_err(|error| format!("{} {name}: {error}", kind.noun()))?;
            if is_sdkv2 && kind == Kind::Resource {
                model.version += 1;
                model.upgrades_from_sdkv2 = true;
            }
            let mut object = Object { identity, ..Object::new(kind, name, model) };
            keep_identity(&mut object);
            objects.push(object);
        }
    }
    let function = |(name, it): (&String, &FunctionSignature)| {
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

type Result<T, E = Error> = std::result::Result<T, E>;

/// Adds the name of the enclosing attribute or block to the path of an error.
fn inside(name: &str) -> impl FnOnce(Error) -> Error + use<> {
    let step = Step::Attribute(name.into());
    |error| error.below(step)
}

/// Returns true if the schema is one of SDKv2, which adds an `id` that is optional and computed, and has no nested
/// attributes.
fn is_sdkv2(block: &Block) -> bool {
    let is_id = |it: &Attribute| &**it.name() == "id" && it.mode() == Mode::OptionalComputed;
    block.attributes().iter().any(is_id) && !has_nested_attributes(block)
}

fn has_nested_attributes(block: &Block) -> bool {
    block.attributes().iter().any(|it| it.nested().is_some())
        || block.blocks().iter().any(|it| has_nested_attributes(it.block()))
}

#[derive(Clone, Copy)]
struct Converter {
    /// The Rust type of numbers, because a schema does not distinguish integers.
    number: &'static str,
    /// Configured collections can have null elements. SDKv2 rejects these in lists and sets, and drops them from maps.
    may_contain_null: bool,
}

impl Converter {
    fn schema(&self, schema: &Schema) -> Result<Model> {
        Ok(Model { version: schema.version, ..self.block(&schema.block)? })
    }

    fn block(&self, block: &Block) -> Result<Model> {
        let mut fields = self.attributes(block)?;
        for it in block.blocks() {
            fields.push(self.nested_block(it).map_err(inside(it.name()))?);
        }
        Ok(Model {
            description: description(block.full_description(), block.description_kind()),
            deprecated: block.deprecation().map(str::to_owned),
            fields: sorted(fields),
            ..Model::default()
        })
    }

    fn nested_block(&self, it: &NestedBlock) -> Result<Field> {
        check_name(it.name())?;
        // The description and the deprecation of a block are those of its field.
        let mut model = self.block(it.block())?;
        let (description, deprecated) = (std::mem::take(&mut model.description), model.deprecated.take());
        let mode = if it.min_items() > 0 { Mode::Required } else { Mode::Optional };
        let limits = if it.nesting() == Nesting::Single { (0, 0) } else { (it.min_items(), it.max_items()) };
        Ok(Field {
            description,
            deprecated,
            form: Form::Block,
            min_items: limits.0,
            max_items: limits.1,
            ..Field::new(&**it.name(), nested(it.nesting(), model), mode)
        })
    }

    fn attributes(&self, block: &Block) -> Result<Vec<Field>> {
        let attribute = |it: &Attribute| self.attribute(it).map_err(inside(it.name()));
        block.attributes().iter().map(attribute).collect()
    }

    fn attribute(&self, attribute: &Attribute) -> Result<Field> {
        check_name(attribute.name())?;
        let (form, ty) = match attribute.nested() {
            Some(it) => {
                let model = Model { fields: sorted(self.attributes(it.block())?), ..Model::default() };
                (Form::NestedAttribute, nested(it.nesting(), model))
            }
            None => {
                let is_configurable = attribute.mode() != Mode::Computed;
                let may_contain_null = self.may_contain_null && is_configurable;
                (Form::Attribute, Converter { may_contain_null, ..*self }.value_type(attribute.ty())?)
            }
        };
        Ok(Field {
            description: description(&attribute.full_description(), attribute.description_kind()),
            deprecated: attribute.behavior().deprecated.clone(),
            form,
            is_sensitive: attribute.is_sensitive(),
            is_write_only: attribute.is_write_only(),
            ..Field::new(&**attribute.name(), ty, attribute.mode())
        })
    }

    fn value_type(&self, ty: &ValueType) -> Result<Type> {
        let element = |collection, element: &ValueType| {
            if element.has_dynamic() {
                let message =
                    format!("the type {ty} is not supported, because its elements have different types");
                return Err(Error::new(message));
            }
            let element = Box::new(self.value_type(element)?);
            let element = if self.may_contain_null { Box::new(Type::Nullable(element)) } else { element };
            Ok(Type::Collection(collection, element))
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
                    return Err(Error::new(format!("a tuple has 1 to 12 elements, but the type is {ty}")));
                }
                Type::Tuple(elements.iter().map(|it| self.value_type(it)).collect::<Result<_, _>>()?)
            }
            ValueType::Object(object) => {
                let field = |it: &ferroform_value::Attribute| {
                    check_name(&it.name)?;
                    Ok::<_, Error>(Field::new(&*it.name, self.value_type(&it.ty)?, Mode::Optional))
                };
                let fields = object.attributes().iter().map(|it| field(it).map_err(inside(&it.name)));
                Type::Model(Model { fields: fields.collect::<Result<_, _>>()?, ..Model::default() })
            }
        })
    }

    fn identity(&self, identity: &IdentitySchema) -> Result<Identity> {
        let fields = self.attributes(&identity.block).map_err(inside("identity"))?;
        let model = Model { fields: sorted(fields), ..Model::default() };
        Ok(Identity { version: identity.version, model })
    }

    fn function(&self, name: &str, function: &FunctionSignature) -> Result<Function> {
        let parameters = &function.parameters;
        let first_paragraph =
            parameters.full_description().split("\n\n").next().unwrap_or_default().replace('\n', " ");
        Ok(Function {
            name: name.to_owned(),
            parameters: Model {
                description: description(parameters.full_description(), DescriptionKind::Markdown),
                deprecated: parameters.deprecation().map(str::to_owned),
                fields: self.attributes(parameters)?,
                ..Model::default()
            },
            is_variadic: function.is_variadic,
            summary: Some(function.summary.clone()).filter(|it| *it != first_paragraph),
            result: Converter { may_contain_null: false, ..*self }.value_type(&function.result)?,
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
fn nested(nesting: Nesting, model: Model) -> Type {
    let model = Type::Model(model);
    match nesting {
        Nesting::Single => model,
        Nesting::List => Type::Collection(Collection::List, Box::new(model)),
        Nesting::Set => Type::Collection(Collection::Set, Box::new(model)),
        Nesting::Map => Type::Collection(Collection::Map, Box::new(model)),
    }
}

fn description(content: &str, kind: DescriptionKind) -> Description {
    Description {
        content: content.to_owned(),
        is_plain: !content.is_empty() && kind == DescriptionKind::Plain,
    }
}

/// Sorts fields: the attributes by mode and name, then the blocks by name.
fn sorted(mut fields: Vec<Field>) -> Vec<Field> {
    fields.sort_by_cached_key(|it| (it.form == Form::Block, it.mode, it.name.clone()));
    fields
}

/// Checks that Terraform accepts the name in a schema.
fn check_name(name: &str) -> Result<()> {
    if is_attribute_name(name) {
        Ok(())
    } else {
        Err(Error::new(
            "a name consists of lowercase letters, digits and underscores, and does not start with a digit",
        ))
    }
}
