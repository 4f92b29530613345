//! The provider built at run time, without models.

use std::sync::Arc;

use ferroform::defaults::env;
use ferroform::raw::{
    AnyChange, AnyDataSource, AnyProvider, AnyResource, MethodFuture, ResourceCapabilities,
};
use ferroform::schema::{
    Attribute, AttributeExt as _, Block, BlockExt as _, GroupRule, IdentitySchema, ImportPattern, Mode,
    Nested, RelationKind, Schema, Upgrades, ValueChange,
};
use ferroform::timeouts::{Operation, TimeoutDefaults};
use ferroform::validators::{Validator, between, each, length_at_most};
use ferroform::value::{Number, Object, Type, Value};
use ferroform::{Diagnostic, Dynamic, Known, Maybe, ProviderData, RequestContext, Unknown};

use super::{filled, same_words};

/// A provider whose parts are as a description says.
pub struct Described {
    config: Schema,
    meta: Schema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
    data_sources: Vec<(String, Arc<dyn AnyDataSource>)>,
}

struct Machine {
    schema: Schema,
    identity: IdentitySchema,
    imports: Vec<ImportPattern>,
}

struct Image(Schema);

fn text(name: &str) -> Attribute {
    Attribute::raw(name, Type::String)
}

fn number(name: &str) -> Attribute {
    Attribute::raw(name, Type::Number)
}

fn schema(block: Block) -> Schema {
    Schema { version: 0, block }
}

pub fn provider() -> Arc<dyn AnyProvider> {
    let endpoint = text("endpoint").description("Where it is.");
    let otherwise = env("FERROFORM_NO_SUCH_VARIABLE").otherwise("https://example.com");
    let config = Block::new()
        .description("How to reach it.")
        .attribute(endpoint.default_with::<Dynamic, _>(otherwise))
        .attribute(text("token").optional().sensitive());
    let meta = Block::new().description("What a module says.").attribute(text("cost_centre").optional());
    let image = Block::new()
        .description("A picture of a disk.")
        .attribute(text("name").not_null())
        .attribute(number("size").not_null().computed());
    let known_by = Block::new().attribute(text("name").description("Its name."));
    let machine = Machine {
        schema: Schema { version: 1, block: machine() },
        identity: IdentitySchema::raw(known_by),
        imports: vec![ImportPattern::new().attribute("name")],
    };
    Arc::new(Described {
        config: schema(config),
        meta: schema(meta),
        resources: vec![("cloud_machine".to_owned(), Arc::new(machine))],
        data_sources: vec![("cloud_image".to_owned(), Arc::new(Image(schema(image))))],
    })
}

fn machine() -> Block {
    let no_root = Validator::new("", |it: &Value| match it.attribute("user") {
        Some(Value::String(user)) if &**user == "root" => {
            let detail = "A user other than root is required.";
            Err(Diagnostic::error("Invalid Attribute Value").detail(detail).into())
        }
        _ => Ok(()),
    });
    Block::new()
        .description("A machine.")
        .deprecated("Use a server.")
        .group(GroupRule::ExactlyOne, ["image", "snapshot"])
        .group(GroupRule::AllOrNone, ["user", "secret"])
        .validate::<Dynamic, _>(no_root.partial())
        .attributes(values())
        .attributes(objects())
        .block(
            Attribute::raw_nested("boot", Nested::single(route()))
                .not_null()
                .description("What it starts from."),
        )
        .block(several("port", Nested::list(route())).min_items(1).max_items(2).requires_replace())
        .block(several("tag", Nested::set(rule())).deprecated("Use labels."))
        .block(several("route", Nested::map(route())))
        .block(several("endpoint", Nested::list(endpoint())).optional_computed().use_state_for_unknown())
        .attribute(Attribute::timeouts(
            "timeouts",
            TimeoutDefaults::new()
                .with(Operation::Create, std::time::Duration::from_secs(30 * 60))
                .with_default_timeout(Operation::Delete),
        ))
}

fn several(name: &str, nested: Nested) -> Attribute {
    Attribute::raw_nested(name, nested).mode(Mode::Optional)
}

fn values() -> Vec<Attribute> {
    let same_case = |old: &Dynamic, new: &Dynamic| match (old.value(), new.value()) {
        (Value::String(old), Value::String(new)) => old.eq_ignore_ascii_case(new),
        _ => false,
    };
    let same = |old: &Dynamic, new: &Dynamic| match (old.get::<Vec<String>>(), new.get::<Vec<String>>()) {
        (Ok(old), Ok(new)) => same_words(&old, &new),
        _ => false,
    };
    vec![
        text("name")
            .not_null()
            .description("Its name.")
            .requires_replace()
            .validate(length_at_most::<String>(8)),
        text("id").not_null().computed().use_state_for_unknown(),
        text("image").optional().plain_description("*Plain*.").deprecated("Take a snapshot."),
        text("snapshot").optional(),
        text("user").optional(),
        text("secret").optional().sensitive().requires_replace_if_configured(),
        number("size")
            .not_null()
            .default(|| Dynamic::of(10).unwrap())
            .validate(between::<Number>(1.into(), 100.into())),
        text("region")
            .not_null()
            .default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("eu")),
        text("zone").optional_computed().use_non_null_state_for_unknown(),
        text("url").not_null().computed().follows(["name", "zone"]),
        text("password").optional().write_only().fingerprint(),
        number("password_revision").not_null().computed().follows(["password"]),
        text("note").optional().suppress_diff::<Dynamic, _>(same_case).suppress_on_refresh(),
        Attribute::raw("words", Type::list(Type::String)).optional().semantic_eq::<Dynamic, _>(same),
        number("capacity").optional().requires_replace_if(shrinks),
        number("revision").not_null().computed().plan_with(next),
        Attribute::raw("ports", Type::set(Type::Number))
            .optional()
            .min_items(1)
            .max_items(3)
            .validate(each::<ferroform::Set<Number>, _>(between::<Number>(1.into(), 65_535.into()))),
        Attribute::raw("labels", Type::map(Type::String)).optional(),
        Attribute::raw("any", Type::Dynamic).optional(),
        number("low").optional().relation(RelationKind::ConflictsWith, ["high"]),
        number("high").optional(),
        number("sum").optional().relation(RelationKind::AtMostSumOf, ["low", "high"]),
    ]
}

fn objects() -> Vec<Attribute> {
    let source = Block::new()
        .attribute(
            Attribute::raw_nested("bucket", Nested::single(route())).optional().description("A bucket."),
        )
        .attribute(text("text").optional().description("The text itself."))
        .choice();
    let disk = Block::new()
        .attribute(number("slot").not_null().key())
        .attribute(
            text("kind").not_null().default(|| Dynamic::of("ssd".to_owned()).unwrap()).requires_replace(),
        )
        .attribute(text("serial").not_null().computed().use_state_for_unknown());
    vec![
        Attribute::raw_nested("source", Nested::single(source))
            .optional()
            .description("Where it comes from."),
        Attribute::raw_nested("disks", Nested::list(disk)).not_null().description("A disk."),
        Attribute::raw_nested("rules", Nested::set(rule())).optional(),
        Attribute::raw_nested("routes", Nested::map(route())).optional(),
    ]
}

fn rule() -> Block {
    Block::new().attribute(number("number").not_null().key()).attribute(text("note").optional())
}

fn route() -> Block {
    Block::new()
        .attribute(text("to").not_null().validate(length_at_most::<String>(8)))
        .attribute(text("via").optional())
}

fn endpoint() -> Block {
    Block::new().attribute(text("host").not_null().optional_computed())
}

fn count(it: &Dynamic) -> Option<u64> {
    it.get().ok()
}

fn shrinks(it: &ValueChange<Dynamic>) -> bool {
    match (&it.prior, &it.plan) {
        (Some(old), Known(Some(new))) => count(new) < count(old),
        (_, Known(_)) => false,
        (_, Unknown) => true,
    }
}

fn next(it: &ValueChange<Dynamic>) -> Maybe<Dynamic> {
    let prior = it.prior.as_ref().and_then(count).unwrap_or(0);
    Known(Dynamic::of(if it.plan.is_unknown() { prior + 1 } else { prior }).unwrap())
}

fn answer<T: Send + 'static>(it: T) -> MethodFuture<T> {
    Box::pin(async { Ok(it) })
}

impl AnyResource for Machine {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities { plan: false, plan_delete: false, update: true, import: false }
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        answer(())
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        answer(change.plan)
    }

    fn create(&self, _: RequestContext, plan: Value) -> MethodFuture<Object> {
        const WRITTEN: [&str; 7] =
            ["id", "zone", "url", "password_revision", "revision", "disks", "endpoint"];
        let Value::Object(plan) = filled(plan) else { unreachable!("a plan is an object") };
        let written = plan.iter().filter(|(name, _)| WRITTEN.contains(&&***name));
        answer(written.map(|(name, it)| (name.clone(), it.clone())).collect())
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        answer(state)
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        self.create(call, plan)
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        answer(())
    }

    fn import(&self, _: RequestContext, _: String) -> MethodFuture<Value> {
        unreachable!("there is a pattern")
    }

    fn upgrades(&self) -> Upgrades {
        Upgrades::oldest(1)
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        &self.imports
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        Some(&self.identity)
    }
}

impl AnyDataSource for Image {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        answer(())
    }

    fn read(&self, _: RequestContext, _: Value) -> MethodFuture<Object> {
        answer([("size".into(), 7.into())].into_iter().collect())
    }
}

impl AnyProvider for Described {
    fn address(&self) -> &str {
        "registry.terraform.io/acme/cloud"
    }

    fn schema(&self) -> &Schema {
        &self.config
    }

    fn configure(&self, _: RequestContext, _: Value) -> MethodFuture<Maybe<ProviderData>> {
        answer(Known(Arc::new(()) as ProviderData))
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &self.data_sources
    }

    fn meta(&self) -> Option<&Schema> {
        Some(&self.meta)
    }
}
