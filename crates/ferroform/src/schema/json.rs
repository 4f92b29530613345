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
use ferroform_value::{Error, Step, json};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Attribute, Block, DescriptionKind, LazySchema, Mode, Nested, Nesting, Schema};

/// The schemas of a provider, as `terraform providers schema -json` prints them.
///
/// It lets a provider whose schemas are built at run time serve the schemas of another provider, for example in a test
/// or in a port. The output of Terraform contains no defaults, validators, plan modifiers or state upgrades.
///
/// ```
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
/// let server = schemas.resources["cloud_server"].read()?;
/// assert_eq!(server.version, 2);
/// assert!(server.block.get("name").is_some());
/// # Ok::<(), ferroform::value::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProviderSchemas {
    /// The schema of the provider's configuration; `None` if the output has none.
    pub provider: Option<JsonSchema>,
    /// The schemas of the resources, by their type names.
    pub resources: BTreeMap<String, JsonSchema>,
    /// The schemas of the data sources, by their type names.
    pub data_sources: BTreeMap<String, JsonSchema>,
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
        let output = Bytes::copy_from_slice(output);
        let providers = providers(&output)?;
        let missing = || {
            Error::new(format!(
                "no schemas for {address}; the output contains schemas for {}",
                names(&providers)
            ))
        };
        ProviderSchemas::of(providers.get(address).ok_or_else(missing)?, &output)
    }

    /// Reads the schemas from the output of `terraform providers schema -json` with one provider.
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format, or if it does not contain exactly one provider.
    pub fn only_provider(output: &[u8]) -> Result<ProviderSchemas, Error> {
        let output = Bytes::copy_from_slice(output);
        let providers = providers(&output)?;
        match providers.values().collect::<Vec<_>>().as_slice() {
            [only] => ProviderSchemas::of(only, &output),
            _ => Err(Error::new(format!(
                "expected the schemas of one provider, but got {}",
                names(&providers)
            ))),
        }
    }

    /// The schemas of the provider, which is a part of the output.
    fn of(provider: &RawValue, output: &Bytes) -> Result<ProviderSchemas, Error> {
        let provider = parse(provider.get())?;
        Ok(ProviderSchemas {
            provider: provider.get("provider").map(|it| JsonSchema::part(it, output)),
            resources: schemas(&provider, "resource_schemas", output)?,
            data_sources: schemas(&provider, "data_source_schemas", output)?,
        })
    }
}

impl JsonSchema {
    fn part(json: &RawValue, output: &Bytes) -> JsonSchema {
        JsonSchema(output.slice_ref(json.get().as_bytes()))
    }

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

/// The schemas of each provider in the output, by their addresses.
fn providers(output: &[u8]) -> Result<Objects<&RawValue>, Error> {
    section(&parse(std::str::from_utf8(output).map_err(|error| invalid(&error))?)?, "provider_schemas")
}

fn names(providers: &Objects<&RawValue>) -> String {
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

fn schemas(of: &Objects<&RawValue>, name: &str, output: &Bytes) -> Result<Objects<JsonSchema>, Error> {
    let all = section(of, name)?.into_iter();
    Ok(all.map(|(name, it)| (name, JsonSchema::part(it, output))).collect())
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
    description_kind: Kind,
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
    description_kind: Kind,
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

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Markdown,
    #[default]
    #[serde(other)]
    Plain,
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

impl From<Kind> for DescriptionKind {
    fn from(kind: Kind) -> DescriptionKind {
        match kind {
            Kind::Markdown => DescriptionKind::Markdown,
            Kind::Plain => DescriptionKind::Plain,
        }
    }
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
        let block = block.description_of_kind(json.description, json.description_kind.into());
        let deprecated = deprecation(json.deprecated, json.deprecation_message);
        let blocks = each(json.block_types, |name, json| self.nested_block(name, json))?;
        Ok(block.with(|it| it.deprecated = deprecated).nested_blocks(blocks))
    }

    fn nested_block(&mut self, name: &str, json: NestedJson<'a>) -> Result<Attribute, Error> {
        let nesting = nesting(&json.nesting_mode)?;
        let block = self.shared_block(json.block.map_or("{}", RawValue::get))?;
        let attribute = Attribute::raw_nested(name, Nested::new(nesting, block));
        Ok(match nesting {
            Nesting::Single if json.min_items > 0 => attribute,
            Nesting::Single => attribute.optional(),
            _ => attribute.optional().min_items(json.min_items).max_items(json.max_items),
        })
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
    Ok(Block::new().attributes(each(json, attribute)?))
}

/// Converts each member. An error has the name of the member.
fn each<T>(
    members: Members<T>,
    mut convert: impl FnMut(&str, T) -> Result<Attribute, Error>,
) -> Result<Vec<Attribute>, Error> {
    let convert = |(name, json): (String, T)| {
        convert(&name, json).map_err(|error| error.below(Step::Attribute(name.as_str().into())))
    };
    members.into_iter().map(convert).collect()
}

fn attribute(name: &str, json: AttributeJson<'_>) -> Result<Attribute, Error> {
    let mode = mode(&json)?;
    let attribute = match (json.nested_type, json.ty) {
        (Some(nested), _) => {
            let nesting = nesting(&nested.nesting_mode)?;
            Attribute::raw_nested(name, Nested::new(nesting, attributes(nested.attributes)?))
        }
        (None, Some(ty)) => Attribute::raw(name, json::type_from_slice(ty.get().as_bytes())?),
        (None, None) => return Err(Error::new("the attribute has neither a type nor a nested type")),
    };
    let mut attribute = attribute.mode(mode);
    attribute = attribute.description_of_kind(json.description, json.description_kind.into());
    if json.sensitive {
        attribute = attribute.sensitive();
    }
    if json.write_only {
        attribute = attribute.write_only();
    }
    Ok(match deprecation(json.deprecated, json.deprecation_message) {
        Some(message) => attribute.deprecated(message),
        None => attribute,
    })
}

fn mode(json: &AttributeJson<'_>) -> Result<Mode, Error> {
    match (json.required, json.optional, json.computed) {
        (true, false, false) => Ok(Mode::Required),
        (false, true, false) => Ok(Mode::Optional),
        (false, false, true) => Ok(Mode::Computed),
        (false, true, true) => Ok(Mode::OptionalComputed),
        _ => Err(Error::new("the attribute must be required, optional, computed, or optional and computed")),
    }
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
