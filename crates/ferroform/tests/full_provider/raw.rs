//! The provider built at run time, without models.

use std::sync::Arc;

use ferroform::defaults::env;
use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyDataSource, AnyProvider, AnyResource, Definition, Definitions,
    MethodFuture, ProviderData, RequestContext, ResourceCapabilities,
};
use ferroform::schema::{
    Attribute, AttributeExt as _, Block, BlockExt as _, GroupRule, IdentitySchema, ImportPattern, Mode,
    Nested, RelationKind, Schema, Upgrades, ValueChange,
};
use ferroform::timeouts::{Operation, TimeoutDefaults};
use ferroform::validators::{Validator, between, each, length_at_most};
use ferroform::value::{Object, Type, Value};
use ferroform::{Diagnostic, Dynamic, Known, Maybe, Unknown};

use super::{same_words, with_computed_values};

/// A provider whose schemas are built at run time.
pub struct RuntimeProvider {
    config: Schema,
    meta: Schema,
    definitions: Definitions,
}

struct Machine {
    schema: Schema,
    identity: IdentitySchema,
    imports: Vec<ImportPattern>,
}

struct Image(Schema);

fn string(name: &str) -> Attribute {
    Attribute::raw(name, Type::String)
}

fn number(name: &str) -> Attribute {
    Attribute::raw(name, Type::Number)
}

fn schema(block: Block) -> Schema {
    Schema::new(block)
}

pub fn provider() -> Arc<dyn AnyProvider> {
    let endpoint = string("endpoint").description("The URL of the service.");
    let otherwise = env("FERROFORM_NO_SUCH_VARIABLE").otherwise("https://example.com");
    let config = Block::new()
        .description("The provider configuration.")
        .attribute(endpoint.default_with::<Dynamic, _>(otherwise))
        .attribute(string("token").optional().sensitive());
    let meta = Block::new().description("Provider metadata.").attribute(string("cost_centre").optional());
    let image = Block::new()
        .description("A disk image.")
        .attribute(string("name").not_null())
        .attribute(number("size").not_null().computed());
    let identity_block = Block::new().attribute(string("name").description("The name of the machine."));
    let machine = Machine {
        schema: Schema::new(machine()).version(1),
        identity: IdentitySchema::raw(identity_block),
        imports: vec![ImportPattern::new().attribute("name")],
    };
    Arc::new(RuntimeProvider {
        config: schema(config),
        meta: schema(meta),
        definitions: Definitions::new()
            .with("cloud_machine", Definition::Resource(Arc::new(machine)))
            .with("cloud_image", Definition::DataSource(Arc::new(Image(schema(image))))),
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
        .with_attributes(values())
        .with_attributes(objects())
        .block(
            Attribute::raw_nested("boot", Nested::single(route()))
                .not_null()
                .description("The network route of the boot server."),
        )
        .block(not_null_nested("port", Nested::list(route())).min_items(1).max_items(2).requires_replace())
        .block(not_null_nested("tag", Nested::set(rule())).deprecated("Use labels."))
        .block(not_null_nested("route", Nested::map(route())))
        .block(
            not_null_nested("endpoint", Nested::list(endpoint())).optional_computed().use_state_for_unknown(),
        )
        .attribute(Attribute::timeouts(
            "timeouts",
            TimeoutDefaults::new()
                .with(Operation::Create, std::time::Duration::from_secs(30 * 60))
                .with_default_timeout(Operation::Delete),
        ))
}

fn not_null_nested(name: &str, nested: Nested) -> Attribute {
    Attribute::raw_nested(name, nested).with_mode(Mode::Optional)
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
        string("name")
            .not_null()
            .description("The name of the machine.")
            .requires_replace()
            .validate(length_at_most::<String>(8)),
        string("id").not_null().computed().use_state_for_unknown(),
        string("image").optional().plain_description("*Plain*.").deprecated("Take a snapshot."),
        string("snapshot").optional(),
        string("user").optional(),
        string("secret").optional().sensitive().requires_replace_if_configured(),
        number("size").not_null().default(|| Dynamic::of(10).unwrap()).validate(between::<u16>(1, 100)),
        string("region")
            .not_null()
            .default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("eu")),
        string("zone").optional_computed().use_non_null_state_for_unknown(),
        string("url").not_null().computed().follows(["name", "zone"]),
        string("password").optional().write_only().fingerprint(),
        number("password_revision").not_null().computed().follows(["password"]),
        string("note").optional().suppress_diff::<Dynamic, _>(same_case).suppress_on_refresh(),
        Attribute::raw("words", Type::list(Type::String)).optional().semantic_eq::<Dynamic, _>(same),
        number("capacity").optional().requires_replace_if(shrinks),
        number("revision").not_null().computed().plan_with(next),
        Attribute::raw("ports", Type::set(Type::Number))
            .optional()
            .min_items(1)
            .max_items(3)
            .validate(each::<ferroform::Set<u32>, _>(between::<u32>(1, 65_535))),
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
        .attribute(string("text").optional().description("The content as a string."))
        .choice();
    let disk = Block::new()
        .attribute(number("slot").not_null().key())
        .attribute(
            string("kind").not_null().default(|| Dynamic::of("ssd".to_owned()).unwrap()).requires_replace(),
        )
        .attribute(string("serial").not_null().computed().use_state_for_unknown());
    vec![
        Attribute::raw_nested("source", Nested::single(source))
            .optional()
            .description("The source of the content."),
        Attribute::raw_nested("disks", Nested::list(disk)).not_null().description("A disk."),
        Attribute::raw_nested("rules", Nested::set(rule())).optional(),
        Attribute::raw_nested("routes", Nested::map(route())).optional(),
    ]
}

fn rule() -> Block {
    Block::new().attribute(number("number").not_null().key()).attribute(string("note").optional())
}

fn route() -> Block {
    Block::new()
        .attribute(string("to").not_null().validate(length_at_most::<String>(8)))
        .attribute(string("via").optional())
}

fn endpoint() -> Block {
    Block::new().attribute(string("host").not_null().optional_computed())
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

fn ready<T: Send + 'static>(it: T) -> MethodFuture<T> {
    Box::pin(async { Ok(it) })
}

impl AnyConfigurable for Machine {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(())
    }
}

impl AnyResource for Machine {
    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities::new().update()
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        ready(change.plan)
    }

    fn create(&self, _: RequestContext, plan: Value) -> MethodFuture<Object> {
        const COMPUTED: [&str; 7] =
            ["id", "zone", "url", "password_revision", "revision", "disks", "endpoint"];
        let Value::Object(plan) = with_computed_values(plan) else { unreachable!("a plan is an object") };
        let computed = plan.iter().filter(|(name, _)| COMPUTED.contains(&&***name));
        ready(computed.map(|(name, it)| (name.clone(), it.clone())).collect())
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        ready(state)
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        self.create(call, plan)
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(())
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

impl AnyConfigurable for Image {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(())
    }
}

impl AnyDataSource for Image {
    fn read(&self, _: RequestContext, _: Value) -> MethodFuture<Object> {
        ready([("size".into(), 7.into())].into_iter().collect())
    }
}

impl AnyConfigurable for RuntimeProvider {
    fn schema(&self) -> &Schema {
        &self.config
    }
}

impl AnyProvider for RuntimeProvider {
    fn address(&self) -> &str {
        "registry.terraform.io/acme/cloud"
    }

    fn configure(&self, _: RequestContext, _: Value) -> MethodFuture<Maybe<ProviderData>> {
        ready(Known(Arc::new(()) as ProviderData))
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn provider_meta(&self) -> Option<&Schema> {
        Some(&self.meta)
    }
}
