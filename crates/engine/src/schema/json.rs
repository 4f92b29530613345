//! Schemas that `terraform providers schema -json` prints.
//!
//! ```text
//! "id": { "type": "string", "description_kind": "plain", "computed": true }
//!
//! Attribute::raw("id", Type::String).computed()
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use ferroform_value::{Error, Step, Type, json};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Attribute, Block, DescriptionKind, IdentitySchema, LazySchema, Mode, Nested, Nesting, Schema};
use crate::function::FunctionSignature;
use crate::{Definition, Kind};

/// The schemas of a provider, as `terraform providers schema -json` prints them.
///
/// It lets a provider whose schemas are built at run time serve the schemas of another provider, for example in a test
/// or in a port. The output of Terraform contains no defaults, validators, plan modifiers or state upgrades.
///
/// ```
/// use ferroform::raw::Kind;
/// use ferroform::schema::ProviderSchemas;
///
/// let printed = br#"{
///     "format_version": "1.0",
///     "provider_schemas": {
///         "registry.terraform.io/example/cloud": {
///             "resource_schemas": {
///                 "cloud_server": {
///                     "version": 2,
///                     "block": { "attributes": { "name": { "type": "string", "required": true } } }
///                 }
///             }
///         }
///     }
/// }"#;
/// let schemas = ProviderSchemas::from_json(printed, "registry.terraform.io/example/cloud")?;
/// let server = schemas.of_kind(Kind::Resource)["cloud_server"].read()?;
/// assert_eq!(server.version, 2);
/// assert!(server.block.get("name").is_some());
/// # Ok::<(), ferroform::value::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProviderSchemas {
    /// The schema of the provider's configuration; `None` if the output has none.
    pub provider: Option<JsonSchema>,
    objects: BTreeMap<Kind, BTreeMap<String, JsonSchema>>,
    /// The JSON of the functions and of the resource identities, if the output has them.
    functions: Option<Bytes>,
    identities: Option<Bytes>,
}

/// A schema in JSON. It takes a fraction of the memory of a [`Schema`], so a provider with thousands of types can keep
/// all of them and create each [`Schema`] when it is needed. All schemas of [`ProviderSchemas`] share the memory of the
/// output that they come from.
#[derive(Clone, Debug)]
pub struct JsonSchema(Bytes);

type Objects<T> = BTreeMap<String, T>;

impl ProviderSchemas {
    /// Reads the schemas of the provider with this address from the output of `terraform providers schema -json`. The
    /// schemas of single types are read by [`JsonSchema::read`].
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format, or if it does not contain the provider.
    pub fn from_json(output: &[u8], address: &str) -> Result<ProviderSchemas, Error> {
        let mut all = ProviderSchemas::all(output)?;
        all.remove(address).ok_or_else(|| {
            let names = names(&all);
            Error::new(format!("no schemas for {address}; the output contains schemas for {names}"))
        })
    }

    /// Reads the schemas from the output of `terraform providers schema -json` with one provider.
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format, or if it does not contain exactly one provider.
    pub fn only_provider(output: &[u8]) -> Result<ProviderSchemas, Error> {
        let mut all = ProviderSchemas::all(output)?;
        match all.pop_first() {
            Some((_, only)) if all.is_empty() => Ok(only),
            first => {
                all.extend(first);
                Err(Error::new(format!("expected the schemas of one provider, but got {}", names(&all))))
            }
        }
    }

    /// Reads the schemas of each provider from the output of `terraform providers schema -json`, by the addresses of
    /// the providers.
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format.
    pub fn all(output: &[u8]) -> Result<BTreeMap<String, ProviderSchemas>, Error> {
        let output = Bytes::copy_from_slice(output);
        let document = parse(std::str::from_utf8(&output).map_err(|error| invalid(&error))?)?;
        // A minor version only adds fields. Terraform 1.0 and earlier print version 0.x of the same format.
        if let Some(version) = document.get("format_version").map(|it| it.get())
            && !["\"0.", "\"1."].iter().any(|it| version.starts_with(it))
        {
            return Err(Error::invalid_value("the format version 1.x", version));
        }
        let providers = section(&document, "provider_schemas")?.into_iter();
        let read = |(address, json)| Ok((address, ProviderSchemas::of(json, &output)?));
        providers.map(read).collect()
    }

    /// The schemas of the provider, which is a part of the output.
    fn of(provider: &RawValue, output: &Bytes) -> Result<ProviderSchemas, Error> {
        let provider = parse(provider.get())?;
        let slice = |it: &RawValue| output.slice_ref(it.get().as_bytes());
        let part = |name| provider.get(name).map(|it| slice(it));
        let schemas = |kind: &Kind| -> Result<(Kind, Objects<JsonSchema>), Error> {
            let all = section(&provider, &kind.json_property())?.into_iter();
            Ok((*kind, all.map(|(name, it)| (name, JsonSchema(slice(it)))).collect()))
        };
        Ok(ProviderSchemas {
            provider: part("provider").map(JsonSchema),
            objects: Definition::KINDS.iter().map(schemas).collect::<Result<_, _>>()?,
            functions: part("functions"),
            identities: part("resource_identity_schemas"),
        })
    }

    /// The schemas of the objects of a kind, by their type names. Functions have [signatures](ProviderSchemas::functions)
    /// instead.
    pub fn of_kind(&self, kind: Kind) -> &BTreeMap<String, JsonSchema> {
        static NONE: BTreeMap<String, JsonSchema> = BTreeMap::new();
        self.objects.get(&kind).unwrap_or(&NONE)
    }

    /// Creates the signatures of the functions, by their names.
    ///
    /// # Errors
    ///
    /// If the JSON is not one of functions. The error has the name of the function.
    pub fn functions(&self) -> Result<BTreeMap<String, FunctionSignature>, Error> {
        each(members_of(self.functions.as_deref())?, |name, json| Ok((name.to_owned(), function(json)?)))
    }

    /// Creates the identity schemas of the resources, by their type names.
    ///
    /// # Errors
    ///
    /// If the JSON is not one of identity schemas. The error has the type name.
    pub fn identities(&self) -> Result<BTreeMap<String, IdentitySchema>, Error> {
        each(members_of(self.identities.as_deref())?, |name, json| Ok((name.to_owned(), identity(json)?)))
    }
}

impl JsonSchema {
    /// Creates the schema. Nested blocks that are equal in the JSON share one [`Block`].
    ///
    /// # Errors
    ///
    /// If the JSON is not a schema that Ferroform supports. The error has the attribute path.
    pub fn read(&self) -> Result<Schema, Error> {
        let json: SchemaJson<'_> = serde_json::from_slice(&self.0).map_err(|error| invalid(&error))?;
        Ok(Schema::new(Reader::default().block(json.block)?).version(json.version))
    }

    /// Returns a schema that is created from the JSON when it is needed.
    ///
    /// # Errors
    ///
    /// As [`read`](JsonSchema::read).
    pub fn into_lazy(self) -> Result<LazySchema, Error> {
        self.read()?;
        // The JSON does not change, so it can be read again.
        Ok(LazySchema::new(move || self.read().unwrap_or_else(|_| Schema::new(Block::new()))))
    }
}

fn names(providers: &Objects<ProviderSchemas>) -> String {
    let names: Vec<&str> = providers.keys().map(String::as_str).collect();
    if names.is_empty() { "no provider".to_owned() } else { names.join(", ") }
}

/// The members of an object, which are not parsed yet.
fn parse(json: &str) -> Result<Objects<&RawValue>, Error> {
    serde_json::from_str(json).map_err(|error| invalid(&error))
}

fn invalid(error: &dyn fmt::Display) -> Error {
    Error::new(format!("invalid schema JSON: {error}"))
}

/// The members of a member of an object; none if it is absent.
fn section<'a>(of: &Objects<&'a RawValue>, name: &str) -> Result<Objects<&'a RawValue>, Error> {
    of.get(name).map_or_else(|| Ok(Objects::new()), |it| parse(it.get()))
}

/// The members of a part of the output; none if it is absent.
fn members_of<'a, T: Deserialize<'a>>(json: Option<&'a [u8]>) -> Result<Members<T>, Error> {
    let mut json = serde_json::Deserializer::from_slice(json.unwrap_or(b"{}"));
    members(&mut json).map_err(|error| invalid(&error))
}

/// The JSON of a schema.
#[derive(Deserialize)]
struct SchemaJson<'a> {
    #[serde(default)]
    version: i64,
    #[serde(borrow, default)]
    block: BlockJson<'a>,
}

/// The JSON of a block, and of the nested objects of an attribute.
#[derive(Deserialize, Default)]
#[serde(default)]
struct BlockJson<'a> {
    #[serde(borrow, deserialize_with = "members")]
    attributes: Members<AttributeJson<'a>>,
    #[serde(borrow, deserialize_with = "members")]
    block_types: Members<NestedJson<'a>>,
    description: String,
    description_kind: String,
    deprecated: bool,
    deprecation_message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AttributeJson<'a> {
    #[serde(borrow, rename = "type")]
    ty: Option<&'a RawValue>,
    #[serde(borrow)]
    nested_type: Option<Box<NestedTypeJson<'a>>>,
    description: String,
    description_kind: String,
    required: bool,
    optional: bool,
    computed: bool,
    sensitive: bool,
    write_only: bool,
    deprecated: bool,
    deprecation_message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct NestedTypeJson<'a> {
    nesting_mode: String,
    #[serde(borrow, deserialize_with = "members")]
    attributes: Members<AttributeJson<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct NestedJson<'a> {
    nesting_mode: String,
    min_items: u64,
    max_items: u64,
    /// It is parsed only if no equal block has been parsed before.
    #[serde(borrow)]
    block: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct FunctionJson<'a> {
    description: String,
    summary: String,
    deprecation_message: String,
    #[serde(borrow)]
    return_type: Option<&'a RawValue>,
    #[serde(borrow)]
    parameters: Vec<ParameterJson<'a>>,
    #[serde(borrow)]
    variadic_parameter: Option<ParameterJson<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ParameterJson<'a> {
    name: String,
    description: String,
    is_nullable: bool,
    #[serde(borrow, rename = "type")]
    ty: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct IdentityJson<'a> {
    version: i64,
    #[serde(borrow, deserialize_with = "members")]
    attributes: Members<IdentityAttributeJson<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct IdentityAttributeJson<'a> {
    #[serde(borrow, rename = "type")]
    ty: Option<&'a RawValue>,
    description: String,
    required_for_import: bool,
}

/// The members of a JSON object. A schema has many small objects, for which a map would take several times the memory.
type Members<T> = Vec<(String, T)>;

fn members<'de, T: Deserialize<'de>, D: Deserializer<'de>>(json: D) -> Result<Members<T>, D::Error> {
    struct Collect<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Collect<T> {
        type Value = Members<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Members<T>, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = object.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    json.deserialize_map(Collect(PhantomData))
}

/// The format of a description. Terraform prints every other format as plain text.
fn description_kind(json: &str) -> DescriptionKind {
    if json == "markdown" { DescriptionKind::Markdown } else { DescriptionKind::Plain }
}

/// The deprecation message. Terraform does not print it before version 1.15, only that something is deprecated.
fn deprecation(is_deprecated: bool, message: String) -> Option<String> {
    is_deprecated.then_some(message)
}

/// Reads the blocks of a schema.
#[derive(Default)]
struct Reader<'a> {
    /// The nested blocks so far, by their JSON.
    blocks: HashMap<&'a str, Arc<Block>>,
}

impl<'a> Reader<'a> {
    fn block(&mut self, json: BlockJson<'a>) -> Result<Block, Error> {
        let block = attributes(json.attributes)?;
        let block = block.description_of_kind(json.description, description_kind(&json.description_kind));
        let deprecated = deprecation(json.deprecated, json.deprecation_message);
        let blocks: Vec<_> = each(json.block_types, |name, json| self.nested_block(name, json))?;
        Ok(block.with(|it| it.deprecated = deprecated).nested_blocks(blocks))
    }

    fn nested_block(&mut self, name: &str, json: NestedJson<'a>) -> Result<Attribute, Error> {
        let nesting = nesting(&json.nesting_mode)?;
        let block = self.shared_block(json.block.map_or("{}", RawValue::get))?;
        Ok(Attribute::raw_block(name, Nested::new(nesting, block), json.min_items, json.max_items))
    }

    fn shared_block(&mut self, json: &'a str) -> Result<Arc<Block>, Error> {
        if let Some(block) = self.blocks.get(json) {
            return Ok(block.clone());
        }
        let parsed = serde_json::from_str(json).map_err(|error| invalid(&error))?;
        let block = Arc::new(self.block(parsed)?);
        self.blocks.insert(json, block.clone());
        Ok(block)
    }
}

fn attributes(json: Members<AttributeJson<'_>>) -> Result<Block, Error> {
    Ok(Block::new().with_attributes(each::<_, Vec<_>, _>(json, attribute)?))
}

/// Converts each member. An error has the name of the member.
fn each<T, C: FromIterator<U>, U>(
    members: Members<T>,
    mut convert: impl FnMut(&str, T) -> Result<U, Error>,
) -> Result<C, Error> {
    let convert = |(name, json): (String, T)| {
        convert(&name, json).map_err(|error| error.below(Step::Attribute(name.as_str().into())))
    };
    members.into_iter().map(convert).collect()
}

fn attribute(name: &str, json: AttributeJson<'_>) -> Result<Attribute, Error> {
    let mode = Mode::from_flags(json.required, json.optional, json.computed)?;
    let attribute = match json.nested_type {
        Some(nested) => {
            let nesting = nesting(&nested.nesting_mode)?;
            Attribute::raw_nested(name, Nested::new(nesting, attributes(nested.attributes)?))
        }
        None => Attribute::raw(name, ty(json.ty)?),
    };
    let mut attribute = attribute.with_mode(mode);
    attribute = attribute.description_of_kind(json.description, description_kind(&json.description_kind));
    attribute.sensitive = json.sensitive;
    attribute.write_only = json.write_only;
    Ok(match deprecation(json.deprecated, json.deprecation_message) {
        Some(message) => attribute.deprecated(message),
        None => attribute,
    })
}

fn ty(json: Option<&RawValue>) -> Result<Type, Error> {
    let missing = || Error::new("a type is missing");
    json::type_from_slice(json.ok_or_else(missing)?.get().as_bytes())
}

fn nesting(mode: &str) -> Result<Nesting, Error> {
    match mode {
        "single" => Ok(Nesting::Single),
        "list" => Ok(Nesting::List),
        "set" => Ok(Nesting::Set),
        "map" => Ok(Nesting::Map),
        other => {
            let expected = "the nesting mode \"single\", \"list\", \"set\" or \"map\"";
            Err(Error::invalid_value(expected, format!("{other:?}")))
        }
    }
}

fn function(json: FunctionJson<'_>) -> Result<FunctionSignature, Error> {
    let is_variadic = json.variadic_parameter.is_some();
    let parameter = |it: ParameterJson<'_>| {
        let ty = ty(it.ty).map_err(|error| error.below(Step::Attribute(it.name.as_str().into())))?;
        let mode = if it.is_nullable { Mode::Optional } else { Mode::Required };
        Ok(Attribute::raw(it.name, ty).with_mode(mode).description(it.description))
    };
    let parameters = json.parameters.into_iter().chain(json.variadic_parameter).map(parameter);
    let block = Block::new().with_attributes(parameters.collect::<Result<Vec<_>, Error>>()?);
    let deprecated = deprecation(!json.deprecation_message.is_empty(), json.deprecation_message);
    let block = block.description(json.description).with(|it| it.deprecated = deprecated);
    let signature = FunctionSignature::new(block, ty(json.return_type)?).summary(json.summary);
    Ok(if is_variadic { signature.variadic() } else { signature })
}

fn identity(json: IdentityJson<'_>) -> Result<IdentitySchema, Error> {
    let attribute = |name: &str, it: IdentityAttributeJson<'_>| {
        let mode = if it.required_for_import { Mode::Required } else { Mode::Optional };
        Ok(Attribute::raw(name, ty(it.ty)?).with_mode(mode).description(it.description))
    };
    let attributes: Vec<_> = each(json.attributes, attribute)?;
    Ok(IdentitySchema::raw(Block::new().with_attributes(attributes)).version(json.version))
}
