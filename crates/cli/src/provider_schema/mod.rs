//! The schema of a provider: of a binary, or of a file with the output of `terraform providers schema -json`.
//!
//! ```text
//! provider binary ──▶ binary ──┐
//!                              ├─▶ ProviderSchema, with the engine's schemas ──▶ print: JSON
//! JSON file, stdin ──▶ source ─┘
//! ```

pub(crate) mod binary;
pub(crate) mod print;
pub(crate) mod source;

use std::collections::BTreeMap;

use ferroform_engine::schema::{
    Attribute, Block, IdentitySchema, JsonSchema, NestedBlock, Nesting, ProviderSchemas, Schema,
};
use ferroform_engine::{Definition, FunctionSignature, Kind};
use ferroform_value::Error;

/// Schemas by the name of their type.
pub(crate) type ByName<T> = BTreeMap<String, T>;

/// All schemas of a provider.
#[derive(Debug)]
pub(crate) struct ProviderSchema {
    pub(crate) provider: Schema,
    objects: BTreeMap<Kind, ByName<Schema>>,
    pub(crate) functions: ByName<FunctionSignature>,
    /// The identity schemas of resources.
    pub(crate) identities: ByName<IdentitySchema>,
}

impl ProviderSchema {
    /// Reads the schemas of a provider in JSON.
    pub(crate) fn from_json(json: &ProviderSchemas) -> Result<ProviderSchema, String> {
        let read = |kind: &Kind| {
            let all = by_name(kind.noun(), json.of_kind(*kind), JsonSchema::read)?;
            Ok::<_, String>((*kind, all))
        };
        let provider = json.provider.as_ref().map(JsonSchema::read).transpose();
        Ok(ProviderSchema {
            provider: provider.map_err(|error| format!("provider: {error}"))?.unwrap_or_default(),
            objects: Definition::KINDS.iter().map(read).collect::<Result<_, _>>()?,
            functions: json.functions().map_err(|error| format!("function {error}"))?,
            identities: json.identities().map_err(|error| format!("resource identity {error}"))?,
        })
    }

    /// A provider with these resources, for tests.
    #[cfg(test)]
    pub(crate) fn with_resources(names: &[&str]) -> ProviderSchema {
        let resources = names.iter().map(|it| ((*it).to_owned(), Schema::default())).collect();
        ProviderSchema {
            provider: Schema::default(),
            objects: [(Kind::Resource, resources)].into(),
            functions: ByName::new(),
            identities: ByName::new(),
        }
    }

    /// The schemas of the objects of a kind. Functions have signatures instead.
    pub(crate) fn of_kind(&self, kind: Kind) -> &ByName<Schema> {
        static NONE: ByName<Schema> = BTreeMap::new();
        self.objects.get(&kind).unwrap_or(&NONE)
    }
}

/// Decodes the values of a map. An error names the entry with its kind.
fn by_name<'a, T, U>(
    noun: &str,
    all: impl IntoIterator<Item = (&'a String, T)>,
    decode: impl Fn(T) -> Result<U, Error>,
) -> Result<ByName<U>, String> {
    let entry = |(name, it): (&String, T)| match decode(it) {
        Ok(it) => Ok((name.clone(), it)),
        Err(error) => Err(format!("{noun} {name}: {error}")),
    };
    all.into_iter().map(entry).collect()
}

/// The attributes of a block in the order in which Terraform prints them.
pub(crate) fn sorted_attributes(block: &Block) -> Vec<&Attribute> {
    let mut all: Vec<&Attribute> = block.attributes().iter().collect();
    all.sort_by_key(|it| it.name());
    all
}

/// The nested blocks in the order in which Terraform prints them.
pub(crate) fn sorted_blocks(block: &Block) -> Vec<&NestedBlock> {
    let mut all: Vec<&NestedBlock> = block.blocks().iter().collect();
    all.sort_by_key(|it| it.name());
    all
}

/// The name of a nesting mode in schemas.
pub(crate) fn nesting_mode(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "single",
        Nesting::List => "list",
        Nesting::Set => "set",
        Nesting::Map => "map",
    }
}

/// A nesting mode in words.
pub(crate) fn nesting_text(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "object",
        Nesting::List => "list of objects",
        Nesting::Set => "set of objects",
        Nesting::Map => "map of objects",
    }
}

/// A signature: `join(separator string, items string...) string`.
pub(crate) fn signature(name: &str, function: &FunctionSignature) -> String {
    let positional = function.positional_parameters().iter().map(|it| format!("{} {}", it.name(), it.ty()));
    let variadic = function.variadic_parameter().map(|it| format!("{} {}...", it.name(), it.ty()));
    let parameters: Vec<String> = positional.chain(variadic).collect();
    format!("{name}({}) {}", parameters.join(", "), function.result)
}
