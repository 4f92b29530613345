//! Schemas that `terraform providers schema -json` prints.
//!
//! ```text
//! "id": { "type": "string", "description_kind": "plain", "computed": true }
//!
//! Attribute::raw("id", Type::String).computed()
//! ```

use std::collections::BTreeMap;

use ferroform_value::{Error, Step, Type, json};
use serde_json::Value as Json;
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
/// all of them and create each [`Schema`] when it is needed.
#[derive(Clone, Debug)]
pub struct JsonSchema(Box<RawValue>);

type Objects<T> = BTreeMap<String, T>;

impl ProviderSchemas {
    /// Reads the schemas of the provider with this address from the output of `terraform providers schema -json`. The
    /// schemas of single types are read by [`JsonSchema::read`].
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format, or if it does not contain the provider.
    pub fn from_json(output: &[u8], address: &str) -> Result<ProviderSchemas, Error> {
        let providers = providers(output)?;
        let missing =
            || Error::new(format!("there are no schemas of {address}, but of {}", names(&providers)));
        ProviderSchemas::of(providers.get(address).ok_or_else(missing)?)
    }

    /// Reads the schemas from the output of `terraform providers schema -json` with one provider.
    ///
    /// # Errors
    ///
    /// If the output is not JSON of that format, or if it does not contain exactly one provider.
    pub fn only_provider(output: &[u8]) -> Result<ProviderSchemas, Error> {
        let providers = providers(output)?;
        match providers.values().collect::<Vec<_>>().as_slice() {
            [only] => ProviderSchemas::of(only),
            _ => Err(Error::new(format!(
                "expected the schemas of one provider, but got {}",
                names(&providers)
            ))),
        }
    }

    fn of(provider: &RawValue) -> Result<ProviderSchemas, Error> {
        let provider = parse(provider.get())?;
        Ok(ProviderSchemas {
            provider: provider.get("provider").map(|it| JsonSchema((*it).to_owned())),
            resources: schemas(&provider, "resource_schemas")?,
            data_sources: schemas(&provider, "data_source_schemas")?,
        })
    }
}

impl JsonSchema {
    /// Creates the schema.
    ///
    /// # Errors
    ///
    /// If the JSON is not a schema that Ferroform supports. The error has the attribute path.
    pub fn read(&self) -> Result<Schema, Error> {
        let json: Json = serde_json::from_str(self.0.get()).map_err(|error| invalid(&error))?;
        let version = json.get("version").map_or(Some(0), Json::as_i64);
        let version = version.ok_or_else(|| Error::new("the schema version must be a whole number"))?;
        Ok(Schema::new(block(json.get("block").unwrap_or(&Json::Null))?).version(version))
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

fn invalid(error: &dyn std::fmt::Display) -> Error {
    Error::new(format!("invalid schema JSON: {error}"))
}

/// The members of a member of an object; none if it is absent.
fn section<'a>(of: &Objects<&'a RawValue>, name: &str) -> Result<Objects<&'a RawValue>, Error> {
    of.get(name).map_or_else(|| Ok(Objects::new()), |it| parse(it.get()))
}

fn schemas(of: &Objects<&RawValue>, name: &str) -> Result<Objects<JsonSchema>, Error> {
    let all = section(of, name)?.into_iter();
    Ok(all.map(|(name, it)| (name, JsonSchema(it.to_owned()))).collect())
}

/// The members of an object; none if it is absent.
fn members<'a>(json: &'a Json, name: &str) -> impl Iterator<Item = (&'a String, &'a Json)> {
    json.get(name).and_then(Json::as_object).into_iter().flatten()
}

fn is_set(json: &Json, name: &str) -> bool {
    json.get(name).and_then(Json::as_bool).unwrap_or_default()
}

fn string(json: &Json, name: &str) -> String {
    json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// The deprecation message. Terraform does not print it before version 1.15, only that something is deprecated.
fn deprecation(json: &Json) -> Option<String> {
    is_set(json, "deprecated").then(|| string(json, "deprecation_message"))
}

fn kind(json: &Json) -> DescriptionKind {
    match json.get("description_kind").and_then(Json::as_str) {
        Some("markdown") => DescriptionKind::Markdown,
        _ => DescriptionKind::Plain,
    }
}

fn block(json: &Json) -> Result<Block, Error> {
    let mut block = attributes(json)?;
    block.description = string(json, "description");
    block.description_kind = kind(json);
    block.deprecated = deprecation(json);
    for (name, it) in members(json, "block_types") {
        block = block.block(nested_block(name, it).map_err(|error| below(error, name))?);
    }
    Ok(block)
}

fn attributes(json: &Json) -> Result<Block, Error> {
    let attribute = |(name, it): (&String, &Json)| attribute(name, it).map_err(|error| below(error, name));
    let attributes = members(json, "attributes").map(attribute).collect::<Result<Vec<_>, _>>()?;
    Ok(Block::new().attributes(attributes))
}

fn below(error: Error, name: &str) -> Error {
    error.below(Step::Attribute(name.into()))
}

fn attribute(name: &str, json: &Json) -> Result<Attribute, Error> {
    let mut attribute = match (json.get("nested_type"), json.get("type")) {
        (Some(nested), _) => Attribute::raw_nested(name, Nested::new(nesting(nested)?, attributes(nested)?)),
        (None, Some(ty)) => Attribute::raw(name, type_of(ty)?),
        (None, None) => return Err(Error::new("the attribute has neither a type nor a nested type")),
    };
    attribute = attribute.mode(mode(json)?).description_of_kind(string(json, "description"), kind(json));
    if is_set(json, "sensitive") {
        attribute = attribute.sensitive();
    }
    if is_set(json, "write_only") {
        attribute = attribute.write_only();
    }
    Ok(match deprecation(json) {
        Some(message) => attribute.deprecated(message),
        None => attribute,
    })
}

fn mode(json: &Json) -> Result<Mode, Error> {
    let flags = ["required", "optional", "computed"].map(|name| is_set(json, name));
    match flags {
        [true, false, false] => Ok(Mode::Required),
        [false, true, false] => Ok(Mode::Optional),
        [false, false, true] => Ok(Mode::Computed),
        [false, true, true] => Ok(Mode::OptionalComputed),
        _ => Err(Error::new("the attribute must be required, optional, computed, or optional and computed")),
    }
}

fn type_of(json: &Json) -> Result<Type, Error> {
    match json.as_str() {
        Some("bool") => Ok(Type::Bool),
        Some("number") => Ok(Type::Number),
        Some("string") => Ok(Type::String),
        _ => json::type_from_slice(json.to_string().as_bytes()),
    }
}

fn nesting(json: &Json) -> Result<Nesting, Error> {
    match json.get("nesting_mode").and_then(Json::as_str) {
        Some("single") => Ok(Nesting::Single),
        Some("list") => Ok(Nesting::List),
        Some("set") => Ok(Nesting::Set),
        Some("map") => Ok(Nesting::Map),
        other => {
            let got = format!("{:?}", other.unwrap_or_default());
            Err(Error::invalid_value("the nesting mode \"single\", \"list\", \"set\" or \"map\"", got))
        }
    }
}

fn nested_block(name: &str, json: &Json) -> Result<Attribute, Error> {
    let nesting = nesting(json)?;
    let items = |name| json.get(name).and_then(Json::as_u64).unwrap_or_default();
    let (min, max) = (items("min_items"), items("max_items"));
    let block = block(json.get("block").unwrap_or(&Json::Null))?;
    let attribute = Attribute::raw_nested(name, Nested::new(nesting, block));
    Ok(match nesting {
        Nesting::Single if min > 0 => attribute,
        Nesting::Single => attribute.optional(),
        _ => attribute.optional().min_items(min).max_items(max),
    })
}
