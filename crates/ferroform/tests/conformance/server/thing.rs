//! The methods of the resource that each case describes.

use ferroform::raw::RequestContext;
use ferroform::raw::{AnyChange, AnyConfigurable, AnyResource, MethodFuture, ResourceCapabilities};
use ferroform::schema::{Block, Schema, Upgrades};
use ferroform::value::{Number, Object, Path, Step, Type, Value, json};
use ferroform::{Data, Diagnostic, Diagnostics, IntoData as _, Result};
use serde_json::Value as Json;

use crate::common::{any, value};
use crate::server::schema::{Hook, planned};

pub struct Thing {
    pub schema: Schema,
    pub hooks: Vec<Hook>,
    pub behavior: Json,
}

/// Returns the rule that explains why Ferroform has no way to express the behavior of a case.
pub fn not_representable(it: &Json) -> Option<&'static str> {
    let returns_nothing = |method: &str| {
        let description = &it["behaviour"][method];
        matches!(description["mode"].as_str(), Some("none" | "removed")) && description["error"] != true
    };
    let destroys = it["rpc"] == "plan" && it["proposed"].is_null();
    let sets = it["behaviour"]["modify_plan"]["set"].is_array();
    let import = &it["behaviour"]["import"];
    let set = import["set"].as_array().into_iter().flatten().filter_map(|it| it["path"][0]["attr"].as_str());
    let mut imported = import["passthrough"].as_str().into_iter().chain(set);
    let is_missing =
        |name: &str| ["attributes", "blocks"].iter().all(|kind| it["schema"][kind].get(name).is_none());
    match () {
        () if stores_non_json_private_data(it) => Some("private-data-is-json"),
        () if returns_nothing("create") || returns_nothing("update") => Some("method-returns-an-object"),
        () if destroys && sets && it["behaviour"]["modify_plan"]["unless_destroy"] != true => {
            Some("destroy-has-no-planned-object")
        }
        () if imported.any(is_missing) => Some("import-returns-an-object-of-the-schema"),
        () => None,
    }
}

/// Returns true if a method or a plan modifier stores private data that is not JSON.
fn stores_non_json_private_data(it: &Json) -> bool {
    let is_json = |it: &Json| it.as_str().is_some_and(|it| serde_json::from_str::<Json>(it).is_ok());
    let methods = it["behaviour"].as_object().into_iter().flatten();
    let stored = methods.flat_map(|(_, it)| it["private"].as_object().into_iter().flatten());
    let sets_private = |it: &Json| it["name"] == "set_private" && !is_json(&it["value"]);
    stored.map(|(_, it)| it).any(|it| !is_json(it)) || any(&it["schema"], &sets_private)
}

impl AnyConfigurable for Thing {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(Ok(()))
    }
}

impl AnyResource for Thing {
    fn capabilities(&self) -> ResourceCapabilities {
        let mut capabilities = ResourceCapabilities::new().update();
        capabilities.plan_delete = self.behavior.get("modify_plan").is_some();
        capabilities.plan = capabilities.plan_delete || !self.hooks.is_empty();
        capabilities.import = self.behavior.get("import").is_some();
        capabilities
    }

    fn plan(&self, call: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        ready(self.planned(&call, change))
    }

    fn plan_delete(&self, call: RequestContext, _: Value) -> MethodFuture<()> {
        let description = &self.behavior["modify_plan"];
        ready(if description["unless_destroy"] == true { Ok(()) } else { report(&call, description) })
    }

    fn create(&self, call: RequestContext, plan: Value) -> MethodFuture<Object> {
        ready(self.applied(&call, "create", plan))
    }

    fn read(&self, call: RequestContext, state: Value) -> MethodFuture<Value> {
        let description = &self.behavior["read"];
        let state = if description["mode"] == "removed" { Value::Null } else { state };
        ready(
            report(&call, description)
                .and_then(|()| overridden(&self.schema.block, state, &description["overrides"])),
        )
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        ready(self.applied(&call, "update", plan))
    }

    fn delete(&self, call: RequestContext, _: Value) -> MethodFuture<()> {
        ready(report(&call, &self.behavior["delete"]))
    }

    fn import(&self, call: RequestContext, id: String) -> MethodFuture<Value> {
        ready(self.imported(&call, id))
    }

    fn upgrades(&self) -> Upgrades {
        Upgrades::oldest(self.schema.version)
    }
}

fn ready<T: Send + 'static>(it: Result<T>) -> MethodFuture<T> {
    Box::pin(async { it })
}

impl Thing {
    fn planned(&self, call: &RequestContext, change: AnyChange) -> Result<Value> {
        let mut plan = Data::new(self.schema.block.clone(), change.plan)?;
        for hook in &self.hooks {
            match hook.modifier["name"].as_str().unwrap() {
                "set_value" => {
                    let to = crate::server::typed(&hook.modifier["value"], &hook.ty).map_err(unsupported)?;
                    plan = put(plan, &hook.path, to)?;
                }
                "set_unknown" => plan = put(plan, &hook.path, Value::UNKNOWN)?,
                "set_private" => store_json(
                    call,
                    hook.modifier["key"].as_str().unwrap_or_default(),
                    hook.modifier["value"].as_str().unwrap_or_default(),
                )?,
                "requires_replace_always" => call.requires_replace(hook.path.clone()),
                "add_error" => return Err(planned("add_error").at(hook.path.clone()).into()),
                "add_warning" => call.report(planned("add_warning").at(hook.path.clone())),
                name => return Err(unsupported(format_args!("the plan modifier {name}"))),
            }
        }
        let description = &self.behavior["modify_plan"];
        for it in description["requires_replace"].as_array().into_iter().flatten() {
            call.requires_replace(path(it)?);
        }
        report(call, description)?;
        overridden(&self.schema.block, plan.into_value(), &description["set"])
    }

    fn applied(&self, call: &RequestContext, method: &str, plan: Value) -> Result<Object> {
        let description = &self.behavior[method];
        let filled = match description["mode"].as_str() {
            Some("plan") => plan,
            Some("none" | "removed") => {
                report(call, description)?;
                return Err(Diagnostic::error("a method must return an object").into());
            }
            _ => fill(plan, self.schema.block.ty(), ""),
        };
        let Value::Object(object) = overridden(&self.schema.block, filled, &description["overrides"])? else {
            return Ok(Object::default());
        };
        if description["error"] == true || description["attribute_error"] == true {
            call.checkpoint_object(object.clone());
        }
        report(call, description)?;
        Ok(object)
    }

    fn imported(&self, call: &RequestContext, id: String) -> Result<Value> {
        let description = &self.behavior["import"];
        report(call, description)?;
        let mut state = Data::new(self.schema.block.clone(), empty(&self.schema.block))?;
        if let Some(name) = description["passthrough"].as_str()
            && !id.is_empty()
        {
            state.set(Path::attribute(name), id)?;
        }
        overridden(&self.schema.block, state.into_value(), &description["set"])
    }
}

/// Returns an object whose attributes are null and whose blocks are absent.
fn empty(block: &Block) -> Value {
    let attributes = block.attributes().iter().map(|it| (it.name().clone(), Value::Null));
    Value::Object(
        attributes.chain(block.blocks().iter().map(|it| (it.name().clone(), it.absent()))).collect(),
    )
}

/// Reports the warning, stores the private data and returns the errors of a method's description, in this order.
fn report(call: &RequestContext, description: &Json) -> Result<()> {
    if description["warning"] == true {
        call.warn("Test Warning");
    }
    for (key, json) in description["private"].as_object().into_iter().flatten() {
        store_json(call, key, json.as_str().unwrap_or_default())?;
    }
    let mut found = Diagnostics::new();
    if description["error"] == true {
        found.push(Diagnostic::error("Test Error"));
    }
    if description["attribute_error"] == true {
        found.push(Diagnostic::error("Test Attribute Error").at(Path::attribute("name")));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Stores a JSON document in private state, with the type that it has in the Terraform language.
fn store_json(call: &RequestContext, key: &str, document: &str) -> Result<()> {
    let document = json::decode_simple(document.as_bytes())?;
    match document {
        Value::Dynamic(it) => call.set_private_value(key, &it.value, &it.ty),
        other => call.set_private_value(key, &other, &Type::Dynamic),
    }
}

pub fn path(it: &Json) -> Result<Path> {
    let step = |it: &Json| match (it["attr"].as_str(), it["index"].as_str(), it["key"].as_str()) {
        (Some(name), ..) => Ok(Step::Attribute(name.into())),
        (_, Some(index), _) => Ok(Step::Index(index.parse()?)),
        (.., Some(key)) => Ok(Step::Key(key.into())),
        _ => match crate::common::typed(&it["elem"]) {
            Some(element) => Ok(Step::Element(Box::new(element.value))),
            None => Err(unsupported(format_args!("the path step {it}"))),
        },
    };
    it.as_array().into_iter().flatten().map(step).collect()
}

/// The error about a part of a case for which Ferroform has no equivalent.
fn unsupported(part: impl std::fmt::Display) -> Diagnostics {
    Diagnostic::error(format!("unsupported: {part}")).into()
}

/// Replaces the values at the paths that a case lists.
fn overridden(block: &Block, state: Value, overrides: &Json) -> Result<Value> {
    let mut data = Data::new(block.clone(), state)?;
    for it in overrides.as_array().into_iter().flatten() {
        let at = path(&it["path"])?;
        let ty = data.at(&at)?.ty().clone();
        if let Some(other) = value_of_another_type(&it["value"], &ty) {
            data.set(&at, other)?;
        } else {
            let to =
                value(&it["value"], &ty).ok_or_else(|| unsupported(format_args!("the override {it}")))?;
            data = put(data, &at, to)?;
        }
    }
    Ok(data.into_value())
}

/// Returns the value with the type that its description shows, if it is not a value of the type.
fn value_of_another_type(it: &Json, ty: &Type) -> Option<Data> {
    match (it, ty) {
        (Json::String(_), Type::String | Type::Dynamic) | (Json::Bool(_), Type::Bool | Type::Dynamic) => None,
        (Json::String(it), Type::Number) if it.parse::<Number>().is_ok() => None,
        (Json::String(it), _) => Some(it.as_str().into_data()),
        (Json::Bool(it), _) => Some(it.into_data()),
        (Json::Array(_), Type::List(_) | Type::Set(_) | Type::Tuple(_)) => None,
        (Json::Array(all), _) => {
            Some(all.iter().map(|it| it.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?.into_data())
        }
        _ => None,
    }
}

/// Replaces the value at a path, also in a set, including values that no typed resource could return. Creates missing
/// objects and collections.
fn put(mut data: Data, at: &Path, to: Value) -> Result<Data> {
    let ty = data.ty().clone();
    if data.value().at(at).is_none() {
        let to = Data::typed(data.at(at)?.ty().clone(), to)?;
        data.set(at, to)?;
        return Ok(data);
    }
    let replaced = data
        .into_value()
        .transform::<Diagnostics>(&mut |path, it| Ok(if path == at { to.clone() } else { it }))?;
    // The object has the type of the schema, so the engine receives the value unchanged.
    Data::typed(ty, replaced)
}

/// Replaces unknown values with known ones.
fn fill(value: Value, ty: &Type, name: &str) -> Value {
    match (value, ty) {
        (Value::Unknown(_), ty) => computed_value(ty, name),
        (Value::Object(it), Type::Object(ty)) => Value::Object(
            it.into_iter()
                .map(|(name, value)| {
                    let ty = ty.get(&name).map_or(Type::Dynamic, |it| it.ty.clone());
                    let value = fill(value, &ty, &name);
                    (name, value)
                })
                .collect(),
        ),
        (Value::List(it), Type::List(ty)) => {
            Value::List(it.into_iter().map(|it| fill(it, ty, name)).collect())
        }
        (Value::Set(it), Type::Set(ty)) => Value::set(it.into_iter().map(|it| fill(it, ty, name))),
        (Value::Map(it), Type::Map(ty)) => {
            Value::Map(it.into_iter().map(|(key, it)| (key, fill(it, ty, name))).collect())
        }
        (value, _) => value,
    }
}

fn computed_value(ty: &Type, name: &str) -> Value {
    let string = || Value::string(format!("computed:{name}"));
    match ty {
        Type::String => string(),
        Type::Number => Value::from(42),
        Type::Bool => Value::Bool(true),
        Type::Dynamic => Value::dynamic(Type::String, string()),
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::map::<&str>([]),
        Type::Object(it) => {
            Value::object(it.attributes().iter().map(|a| (a.name.clone(), computed_value(&a.ty, &a.name))))
        }
        Type::Tuple(it) => Value::Tuple(it.iter().map(|ty| computed_value(ty, name)).collect()),
    }
}
