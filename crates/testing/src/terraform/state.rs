//! The state, and its file format: version 4, which the real CLI reads and writes as well.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path as FilePath;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ferroform::schema::Block;
use ferroform::value::{Path, Step, Type, Typed, Value, json};
use ferroform_lang::marks::{Mark, Marked, Marks};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::address::{Address, InstanceKey, Mode, ModuleInstance, ResourceName, Target, module_address};
use super::checks::Checks;
use super::problem::{Problem, Problems, Result};
use super::providers::ProviderKey;
use super::values::unknown_as_null;
use crate::instance_state::InstanceState;
use crate::workspace::Json;

/// The version of Terraform that the simulation behaves like.
pub(crate) const TERRAFORM_VERSION: &str = "1.11.4";

/// The name of the state file.
pub(crate) const FILE: &str = "terraform.tfstate";

/// The key of an object: its address, and the deposed key; `None` for the current object.
pub(crate) type ObjectKey = (Address, Option<String>);

/// The objects of a resource in a module instance, in a map by objects.
pub(crate) fn of_resource<'m, T>(
    map: &'m BTreeMap<ObjectKey, T>,
    module: &ModuleInstance,
    resource: &ResourceName,
) -> impl Iterator<Item = (&'m ObjectKey, &'m T)> {
    let first = Address { module: module.clone(), resource: resource.clone(), key: InstanceKey::None };
    let is_same = |it: &Address| it.module == *module && it.resource == *resource;
    map.range((first, None)..).take_while(move |((address, _), _)| is_same(address))
}

/// The state of a configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) serial: u64,
    pub(crate) lineage: String,
    pub(crate) outputs: BTreeMap<String, OutputValue>,
    pub(crate) objects: BTreeMap<ObjectKey, Object>,
    pub(crate) checks: Checks,
}

/// The value of an output of the root module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutputValue {
    pub(crate) typed: Typed,
    pub(crate) is_sensitive: bool,
}

impl OutputValue {
    /// Stores a value, with null for the unknown values inside it.
    pub(crate) fn of(value: &Marked) -> OutputValue {
        let is_sensitive = value.marks.contains(Mark::Sensitive);
        let known = unknown_as_null(&value.typed.value);
        OutputValue { typed: Typed::new(value.typed.ty.clone(), known), is_sensitive }
    }
}

/// A stored object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub(crate) provider: ProviderKey,
    pub(crate) schema_version: i64,
    /// The attributes as JSON, in the form of the schema version.
    pub(crate) attributes: String,
    /// The attribute paths that are sensitive because of the configuration.
    pub(crate) sensitive: Marks,
    pub(crate) private: Vec<u8>,
    /// The version of the identity schema and the identity as JSON.
    pub(crate) identity: Option<(i64, String)>,
    pub(crate) is_tainted: bool,
    pub(crate) dependencies: Vec<String>,
    pub(crate) create_before_destroy: bool,
}

impl Object {
    /// An object without attributes and metadata.
    pub(crate) fn empty(provider: ProviderKey) -> Object {
        Object {
            provider,
            schema_version: 0,
            attributes: String::new(),
            sensitive: Marks::none(),
            private: Vec::new(),
            identity: None,
            is_tainted: false,
            dependencies: Vec::new(),
            create_before_destroy: false,
        }
    }

    /// Stores the state of an instance.
    pub(crate) fn new(
        provider: ProviderKey,
        (block, version): (&Block, i64),
        identity_schema: Option<(&Block, i64)>,
        state: &InstanceState,
    ) -> Result<Object> {
        let encode = |value: &Value, ty: &Type| {
            let text = json::encode(value, ty).map_err(|error| {
                vec![Problem::error(
                    "Failed to encode state",
                    format!("The object cannot be stored: {error}."),
                )]
            })?;
            Ok::<_, Problems>(String::from_utf8_lossy(&text).into_owned())
        };
        let identity = match (&state.identity, identity_schema) {
            (Some(value), Some((block, version))) => Some((version, encode(value, block.ty())?)),
            _ => None,
        };
        Ok(Object {
            schema_version: version,
            attributes: encode(&state.value, block.ty())?,
            private: state.private.clone(),
            identity,
            is_tainted: state.tainted,
            ..Object::empty(provider)
        })
    }
}

impl State {
    /// Reads the state file of a directory. Without a file, the state is empty.
    pub(crate) fn read(directory: &FilePath) -> Result<State> {
        let path = directory.join(FILE);
        if !path.exists() {
            return Ok(State { lineage: new_lineage(directory), ..State::default() });
        }
        let invalid = |problem: String| vec![Problem::error("Invalid State File", problem)];
        let text = fs::read_to_string(&path)
            .map_err(|it| invalid(format!("The state file cannot be read: {it}.")))?;
        let members =
            members(&text).map_err(|it| invalid(format!("The state file is not valid JSON: {it}.")))?;
        let version = members.get("version").map_or("null", |it| it.get());
        if version != "4" {
            return Err(invalid(format!(
                "The state file has the version {version}. Version 4 is supported."
            )));
        }
        State::from_members(&members)
            .ok_or_else(|| invalid("The state file has an unexpected structure.".to_owned()))
    }

    /// Stores an output of the root module. Terraform does not store a null output.
    pub(crate) fn store_output(&mut self, name: &str, value: &Marked) {
        match value.typed.value.is_null() {
            true => self.outputs.remove(name),
            false => self.outputs.insert(name.to_owned(), OutputValue::of(value)),
        };
    }

    /// Writes the state file, with the next serial if the content has changed.
    pub(crate) fn write(&mut self, directory: &FilePath) -> Result<()> {
        let stored = State::read(directory)?;
        let is_same =
            self.outputs == stored.outputs && self.objects == stored.objects && self.checks == stored.checks;
        if is_same && stored.serial > 0 {
            return Ok(());
        }
        self.serial += 1;
        let failed = |error: String| {
            let detail = format!("The state file cannot be written: {error}.");
            vec![Problem::error("Failed to write state", detail)]
        };
        let text = self.text().map_err(|it| failed(it.to_string()))?;
        fs::write(directory.join(FILE), text + "\n").map_err(|it| failed(it.to_string()))
    }

    fn from_members(members: &Members) -> Option<State> {
        let json = |name: &str| members.get(name).and_then(|it| serde_json::from_str::<Json>(it.get()).ok());
        let mut state = State {
            serial: json("serial")?.as_u64()?,
            lineage: json("lineage")?.as_str()?.to_owned(),
            ..State::default()
        };
        state.checks = Checks::from_json(&json("check_results").unwrap_or_default());
        let outputs = members.get("outputs").and_then(|it| self::members(it.get()).ok()).unwrap_or_default();
        for (name, output) in outputs {
            let (output, value) = split(output.get(), "value")?;
            let ty = json::type_from_slice(output["type"].to_string().as_bytes()).ok()?;
            let value = json::decode(value.as_bytes(), &ty).ok()?;
            let is_sensitive = output["sensitive"] == true;
            state.outputs.insert(name, OutputValue { typed: Typed::new(ty, value), is_sensitive });
        }
        for resource in members.get("resources").and_then(|it| elements(it.get())).unwrap_or_default() {
            let (resource, instances) = split(resource.get(), "instances")?;
            let mode = resource["mode"].as_str()?;
            let mode = [Mode::Managed, Mode::Data].into_iter().find(|it| it.json_name() == mode)?;
            let id = ResourceName {
                mode,
                kind: resource["type"].as_str()?.to_owned(),
                name: resource["name"].as_str()?.to_owned(),
            };
            let module = match resource["module"].as_str() {
                Some(module) => parse_module(module)?,
                None => ModuleInstance::new(),
            };
            let provider = ProviderKey::parse(resource["provider"].as_str()?)?;
            for instance in elements(&instances).unwrap_or_default() {
                let (instance, attributes) = split(instance.get(), "attributes")?;
                let key = match &instance["index_key"] {
                    Json::Null => InstanceKey::None,
                    Json::Number(it) => InstanceKey::Index(usize::try_from(it.as_u64()?).ok()?),
                    Json::String(it) => InstanceKey::Name(it.clone()),
                    _ => return None,
                };
                let address = Address { module: module.clone(), resource: id.clone(), key };
                let deposed = instance["deposed"].as_str().map(str::to_owned);
                state
                    .objects
                    .insert((address, deposed), Object::from_json(&instance, attributes, provider.clone())?);
            }
        }
        Some(state)
    }

    /// The content of the state file.
    fn text(&self) -> serde_json::Result<String> {
        let mut resources: Vec<Box<RawValue>> = Vec::new();
        let mut objects = self.objects.iter().peekable();
        while let Some(((address, _), object)) = objects.peek().copied() {
            let mut json = json!({
                "mode": address.resource.mode.json_name(),
                "type": address.resource.kind,
                "name": address.resource.name,
                "provider": object.provider.to_string(),
            });
            if !address.module.is_empty() {
                json["module"] = json!(module_address(&address.module));
            }
            let is_same =
                |other: &Address| other.module == address.module && other.resource == address.resource;
            let mut instances: Vec<Box<RawValue>> = Vec::new();
            while let Some(((address, deposed), object)) = objects.next_if(|((it, _), _)| is_same(it)) {
                let json = object.json(&address.key, deposed.as_deref());
                instances.push(joined(
                    &json,
                    "attributes",
                    RawValue::from_string(object.attributes.clone())?,
                )?);
            }
            resources.push(joined(&json, "instances", to_raw_value(&instances)?)?);
        }
        let outputs = self.outputs.iter().map(|(name, it)| {
            let mut output = json!({ "type": type_json(&it.typed.ty) });
            if it.is_sensitive {
                output["sensitive"] = json!(true);
            }
            let value = RawValue::from_string(typed_text(&it.typed))?;
            Ok((name.clone(), joined(&output, "value", value)?))
        });
        let mut members = self::members(
            &json!({
                "version": 4,
                "terraform_version": TERRAFORM_VERSION,
                "serial": self.serial,
                "lineage": self.lineage,
                "check_results": self.checks.stored(),
            })
            .to_string(),
        )?;
        members
            .insert("outputs".to_owned(), to_raw_value(&outputs.collect::<serde_json::Result<Members>>()?)?);
        members.insert("resources".to_owned(), to_raw_value(&resources)?);
        serde_json::to_string_pretty(&members)
    }

    /// The current objects of all resource instances, in the order of their addresses.
    pub(crate) fn current(&self) -> impl Iterator<Item = (&Address, &Object)> {
        let current = self.objects.iter().filter(|((_, deposed), _)| deposed.is_none());
        current.map(|((address, _), object)| (address, object))
    }

    /// Moves the current and the deposed objects of an instance to another address.
    pub(crate) fn move_instance(&mut self, from: &Address, to: &Address) {
        let keys = self.objects.range((from.clone(), None)..).map(|(key, _)| key.clone());
        for key in keys.take_while(|(it, _)| it == from).collect::<Vec<_>>() {
            if let Some(object) = self.objects.remove(&key) {
                self.objects.insert((to.clone(), key.1), object);
            }
        }
    }

    pub(crate) fn get(&self, address: &Address) -> Option<&Object> {
        self.objects.get(&(address.clone(), None))
    }

    /// The keys of the instances of a resource in a module instance.
    pub(crate) fn instance_keys(
        &self,
        module: &ModuleInstance,
        resource: &ResourceName,
    ) -> impl Iterator<Item = &InstanceKey> {
        let current = of_resource(&self.objects, module, resource);
        current.filter(|((_, deposed), _)| deposed.is_none()).map(|((address, _), _)| &address.key)
    }
}

impl Object {
    fn from_json(json: &Json, attributes: String, provider: ProviderKey) -> Option<Object> {
        let identity = match &json["identity"] {
            Json::Null => None,
            it => Some((json["identity_schema_version"].as_i64().unwrap_or_default(), it.to_string())),
        };
        let private = match json["private"].as_str() {
            Some(it) => BASE64.decode(it).ok()?,
            None => Vec::new(),
        };
        let strings = |it: &Json| -> Vec<String> {
            it.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect()
        };
        Some(Object {
            provider,
            schema_version: json["schema_version"].as_i64()?,
            attributes,
            sensitive: read_paths(&json["sensitive_attributes"]),
            private,
            identity,
            is_tainted: json["status"] == "tainted",
            dependencies: strings(&json["dependencies"]),
            create_before_destroy: json["create_before_destroy"] == true,
        })
    }

    fn json(&self, key: &InstanceKey, deposed: Option<&str>) -> Json {
        let parse = |text: &str| serde_json::from_str::<Json>(text).unwrap_or(Json::Null);
        let mut json = json!({
            "schema_version": self.schema_version,
            "sensitive_attributes": paths_json(&self.sensitive),
        });
        if let Some(key) = key.json() {
            json["index_key"] = key;
        }
        if let Some(deposed) = deposed {
            json["deposed"] = json!(deposed);
        }
        if self.is_tainted {
            json["status"] = json!("tainted");
        }
        if let Some((version, identity)) = &self.identity {
            json["identity_schema_version"] = json!(version);
            json["identity"] = parse(identity);
        }
        if !self.private.is_empty() {
            json["private"] = json!(BASE64.encode(&self.private));
        }
        if !self.dependencies.is_empty() {
            json["dependencies"] = json!(self.dependencies);
        }
        if self.create_before_destroy {
            json["create_before_destroy"] = json!(true);
        }
        json
    }
}

/// The lineage of a new state. It only has to differ between states.
fn new_lineage(directory: &FilePath) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    (directory, std::process::id(), std::time::SystemTime::now()).hash(&mut hasher);
    let bits = hasher.finish();
    format!("{:08x}-{:04x}-4000-8000-{:012x}", bits >> 32, (bits >> 16) & 0xffff, bits & 0xffff_ffff_ffff)
}

fn parse_module(text: &str) -> Option<ModuleInstance> {
    Some(Target::parse(text)?.module)
}

/// The members of a JSON object as text, because [`Json`] rounds numbers.
type Members = BTreeMap<String, Box<RawValue>>;

fn members(text: &str) -> serde_json::Result<Members> {
    serde_json::from_str(text)
}

fn elements(text: &str) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(text).ok()
}

/// Splits a JSON object into a member as text and the other members.
fn split(text: &str, member: &str) -> Option<(Json, String)> {
    let mut members = members(text).ok()?;
    let text = members.remove(member).map_or_else(|| "null".to_owned(), |it| it.get().to_owned());
    let others = members.into_iter().map(|(name, it)| Some((name, serde_json::from_str(it.get()).ok()?)));
    Some((Json::Object(others.collect::<Option<_>>()?), text))
}

/// Adds a member to a JSON object, as the reverse of [`split`].
fn joined(others: &Json, member: &str, value: Box<RawValue>) -> serde_json::Result<Box<RawValue>> {
    let mut members = members(&others.to_string())?;
    members.insert(member.to_owned(), value);
    to_raw_value(&members)
}

/// A value as JSON, with the form of its own type.
pub(crate) fn typed_json(it: &Typed) -> Json {
    serde_json::from_str(&typed_text(it)).unwrap_or(Json::Null)
}

fn typed_text(it: &Typed) -> String {
    let text = json::encode(&it.value, &it.ty).unwrap_or_else(|_| b"null".to_vec());
    String::from_utf8_lossy(&text).into_owned()
}

pub(crate) fn type_json(ty: &Type) -> Json {
    serde_json::from_str(&json::type_to_string(ty)).unwrap_or(Json::Null)
}

fn paths_json(marks: &Marks) -> Json {
    let paths = marks.paths(Mark::Sensitive).map(|path| {
        let steps = path.steps().iter().map(|step| match step {
            Step::Attribute(name) => json!({ "type": "get_attr", "value": &**name }),
            Step::Index(index) => json!({ "type": "index", "value": { "value": index, "type": "number" } }),
            Step::Key(key) => {
                json!({ "type": "index", "value": { "value": key.as_str(), "type": "string" } })
            }
            Step::Element(_) => Json::Null,
        });
        steps.collect::<Json>()
    });
    paths.collect()
}

fn read_paths(json: &Json) -> Marks {
    let paths = json.as_array().into_iter().flatten().filter_map(|steps| {
        let steps = steps.as_array()?.iter().map(|step| match step["type"].as_str()? {
            "get_attr" => Some(Step::Attribute(step["value"].as_str()?.into())),
            _ => match &step["value"]["value"] {
                Json::String(it) => Some(Step::Key(it.as_str().into())),
                it => Some(Step::Index(usize::try_from(it.as_u64()?).ok()?)),
            },
        });
        Some((steps.collect::<Option<Path>>()?, Mark::Sensitive))
    });
    paths.collect()
}
