//! The methods of the resource that each case describes.

use ferroform::raw::{AnyChange, AnyResource, MethodFuture, ResourceCapabilities};
use ferroform::schema::{Block, Schema, Upgrades};
use ferroform::value::{Object, Path, Step, Type, Value};
use ferroform::{Attr, Data, Diagnostic, Diagnostics, RequestContext, Result};
use serde_json::Value as Json;

use crate::common::value;
use crate::server::schema::{Hook, planned};

pub struct Thing {
    pub schema: Schema,
    pub hooks: Vec<Hook>,
    pub behaviour: Json,
}

/// What a case's code does that ours cannot say.
pub fn unwritable(it: &Json) -> Option<&'static str> {
    let leaves_out = |what: &str| {
        let how = &it["behaviour"][what];
        matches!(how["mode"].as_str(), Some("none" | "removed")) && how["error"] != true
    };
    let destroys = it["rpc"] == "plan" && it["proposed"].is_null();
    let sets = it["behaviour"]["modify_plan"]["set"].is_array();
    let passed_to = it["behaviour"]["import"]["passthrough"].as_str();
    match () {
        () if leaves_out("create") || leaves_out("update") => Some("an answer is an object"),
        () if destroys && sets && it["behaviour"]["modify_plan"]["unless_destroy"] != true => {
            Some("a destruction has no plan to change")
        }
        () if passed_to.is_some_and(|name| it["schema"]["attributes"].get(name).is_none()) => {
            Some("an import answers an object of the schema, which has no other attributes")
        }
        () => None,
    }
}

impl AnyResource for Thing {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn capabilities(&self) -> ResourceCapabilities {
        let plan = !self.hooks.is_empty() || self.behaviour.get("modify_plan").is_some();
        ResourceCapabilities {
            plan,
            plan_delete: self.behaviour.get("modify_plan").is_some(),
            update: true,
            import: self.behaviour.get("import").is_some(),
        }
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(Ok(()))
    }

    fn plan(&self, call: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        ready(self.planned(&call, change))
    }

    fn plan_delete(&self, call: RequestContext, _: Value) -> MethodFuture<()> {
        let how = &self.behaviour["modify_plan"];
        ready(if how["unless_destroy"] == true { Ok(()) } else { say(&call, how) })
    }

    fn create(&self, call: RequestContext, plan: Value) -> MethodFuture<Object> {
        ready(self.applied(&call, "create", plan))
    }

    fn read(&self, call: RequestContext, state: Value) -> MethodFuture<Value> {
        let how = &self.behaviour["read"];
        let state = if how["mode"] == "removed" { Value::Null } else { state };
        ready(say(&call, how).and_then(|()| overridden(&self.schema.block, state, &how["overrides"])))
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        ready(self.applied(&call, "update", plan))
    }

    fn delete(&self, call: RequestContext, _: Value) -> MethodFuture<()> {
        ready(say(&call, &self.behaviour["delete"]))
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
            match hook.what["name"].as_str().unwrap() {
                "set_value" => {
                    let to = crate::server::typed(&hook.what["value"], &hook.ty).unwrap();
                    plan = put(plan, &hook.place, to);
                }
                "set_unknown" => plan = put(plan, &hook.place, Value::UNKNOWN),
                "set_private" => {
                    keep(call, hook.what["key"].as_str().unwrap(), hook.what["value"].as_str().unwrap())?
                }
                "requires_replace_always" => call.requires_replace(hook.place.clone()),
                "add_error" => return Err(planned("add_error").at(hook.place.clone()).into()),
                _ => call.report(planned("add_warning").at(hook.place.clone())),
            }
        }
        let how = &self.behaviour["modify_plan"];
        for it in how["requires_replace"].as_array().into_iter().flatten() {
            call.requires_replace(path(it));
        }
        say(call, how)?;
        overridden(&self.schema.block, plan.into_value(), &how["set"])
    }

    fn applied(&self, call: &RequestContext, what: &str, plan: Value) -> Result<Object> {
        let how = &self.behaviour[what];
        let filled = match how["mode"].as_str() {
            Some("plan") => plan,
            Some("none" | "removed") => {
                say(call, how)?;
                return Err(
                    Diagnostic::error("an answer is an object: there is no way to leave it out").into()
                );
            }
            _ => fill(plan, &self.schema.block.ty(), ""),
        };
        let Value::Object(made) = overridden(&self.schema.block, filled, &how["overrides"])? else {
            return Ok(Object::default());
        };
        if how["error"] == true || how["attribute_error"] == true {
            call.checkpoint_object(made.clone());
        }
        say(call, how)?;
        Ok(made)
    }

    fn imported(&self, call: &RequestContext, id: String) -> Result<Value> {
        let how = &self.behaviour["import"];
        say(call, how)?;
        let mut state = Data::new(self.schema.block.clone(), empty(&self.schema.block))?;
        if let Some(name) = how["passthrough"].as_str()
            && !id.is_empty()
        {
            state.set(Path::attribute(name), id)?;
        }
        overridden(&self.schema.block, state.into_value(), &how["set"])
    }
}

/// An object without anything in it, and without blocks.
fn empty(block: &Block) -> Value {
    let attributes = block.attributes.iter().map(|it| (it.name.clone(), Value::Null));
    Value::Object(attributes.chain(block.blocks.iter().map(|it| (it.name.clone(), it.absent()))).collect())
}

/// Warnings, private data and errors, in this order.
fn say(call: &RequestContext, how: &Json) -> Result<()> {
    if how["warning"] == true {
        call.warn("Test Warning");
    }
    for (key, text) in how["private"].as_object().into_iter().flatten() {
        keep(call, key, text.as_str().unwrap())?;
    }
    let mut found = Diagnostics::new();
    if how["error"] == true {
        found.push(Diagnostic::error("Test Error"));
    }
    if how["attribute_error"] == true {
        found.push(Diagnostic::error("Test Attribute Error").at(Path::attribute("name")));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn store<T: Attr>(call: &RequestContext, key: &str, value: &T) -> Result<()> {
    call.set_private_value(key, &value.to_value(), &T::ty())
}

/// Stores a JSON document in private state.
fn keep(call: &RequestContext, key: &str, text: &str) -> Result<()> {
    match serde_json::from_str::<Json>(text).unwrap() {
        Json::Bool(it) => store(call, key, &it),
        Json::String(it) => store(call, key, &it),
        Json::Number(it) => store(call, key, &it.as_i64().unwrap()),
        Json::Object(it) => {
            // A map of one kind of value, as the cases have it.
            let flags = it.iter().map(|(key, it)| Some((key.clone(), it.as_bool()?)));
            match flags.collect::<Option<std::collections::BTreeMap<_, _>>>() {
                Some(flags) => store(call, key, &flags),
                None => {
                    let numbers = it.iter().map(|(key, it)| (key.clone(), it.as_i64().unwrap()));
                    store(call, key, &numbers.collect::<std::collections::BTreeMap<_, _>>())
                }
            }
        }
        it => panic!("the document {it}"),
    }
}

fn path(it: &Json) -> Path {
    let step = |it: &Json| match (it["attr"].as_str(), it["index"].as_str(), it["key"].as_str()) {
        (Some(name), ..) => Step::Attribute(name.into()),
        (_, Some(index), _) => Step::Index(index.parse().unwrap()),
        (.., Some(key)) => Step::Key(key.into()),
        _ => panic!("the step {it}"),
    };
    it.as_array().unwrap().iter().map(step).collect()
}

/// Puts other values in place.
fn overridden(block: &Block, state: Value, overrides: &Json) -> Result<Value> {
    let mut data = Data::new(block.clone(), state)?;
    for it in overrides.as_array().into_iter().flatten() {
        let place = path(&it["path"]);
        let ty = data.at(&place).map(|it| it.ty().clone()).unwrap_or(Type::Dynamic);
        data = put(data, &place, value(&it["value"], &ty).unwrap());
    }
    Ok(data.into_value())
}

/// Puts a value in place, even one that an author's type would not write.
fn put(data: Data, place: &Path, to: Value) -> Data {
    let mut whole = data.value().clone();
    if let Some(slot) = whole.at_mut(place) {
        *slot = to;
    }
    // The type is the schema's, so what was put there is seen by the engine as it is.
    Data::typed(data.ty().clone(), whole).unwrap()
}

/// Fills in what is unknown.
fn fill(value: Value, ty: &Type, name: &str) -> Value {
    match (value, ty) {
        (Value::Unknown(_), ty) => made(ty, name),
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

fn made(ty: &Type, name: &str) -> Value {
    let text = || Value::string(format!("computed:{name}"));
    match ty {
        Type::String => text(),
        Type::Number => Value::from(42),
        Type::Bool => Value::Bool(true),
        Type::Dynamic => Value::dynamic(Type::String, text()),
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::map::<&str>([]),
        Type::Object(it) => {
            Value::object(it.attributes().iter().map(|a| (a.name.clone(), made(&a.ty, &a.name))))
        }
        Type::Tuple(it) => Value::Tuple(it.iter().map(|ty| made(ty, name)).collect()),
    }
}
