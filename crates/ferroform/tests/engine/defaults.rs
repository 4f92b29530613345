//! Defaults that may have no value, in resources, data sources, provider configurations and nested objects.

use std::process::Command;
use std::sync::Mutex;
use std::{env as environment, fmt};

use crate::common::check;
use expect_test::expect;
use ferroform::defaults::env;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested, Schema};
use ferroform::value::{Type, Value};
use ferroform::{
    ApplyCx, Args, Attr, Config, DataCx, DataSource, Known, Maybe, Model, Planned, Provider, ReadCx,
    Registry, RequestCx, Resource, Result, Set, path,
};
use ferroform_engine::{ApplyRequest, PlanRequest};
use ferroform_testing::{Action, Harness, Instance, config, unknown};

/// The value that a default function returns. Each test has its own, because tests run in parallel.
struct DefaultCell(Mutex<Option<&'static str>>);

impl DefaultCell {
    fn get(&self) -> Option<String> {
        self.0.lock().ok().and_then(|it| it.map(str::to_owned))
    }

    fn set(&self, value: Option<&'static str>) {
        *self.0.lock().expect("no test panics while it holds this") = value;
    }
}

fn none<T>() -> Option<T> {
    None
}

fn fails() -> Result<Option<String>, impl fmt::Display> {
    Err("the file with it cannot be read")
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Server3 {
    name: String,
    #[attr(default_with = || Some("eu".to_owned()))]
    region: String,
    #[attr(default_with = none)]
    zone: Option<String>,
    #[attr(default_with = || Some(3))]
    size: Option<i64>,
    disks: Option<Vec<Disk>>,
    by_name: Option<std::collections::BTreeMap<String, Disk>>,
    set: Option<Set<Disk>>,
    only: Option<Disk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    label: String,
    #[attr(default_with = || Some("ssd".to_owned()))]
    kind: String,
}

#[test]
fn default_replaces_omitted_values_at_every_depth() {
    check::<Server3>(
        None,
        config! {
            name = "a",
            disks = [{ label = "x" }, { label = "y", kind = "hdd" }, unknown()],
            by_name = { k = { label = "z" } },
            set = [{ label = "s" }],
            only = { label = "o" },
        },
        expect![[r#"
            create
            + name = "a"
            + region = "eu"
            + size = 3
            + disks[0].label = "x"
            + disks[0].kind = "ssd"
            + disks[1].label = "y"
            + disks[1].kind = "hdd"
            + disks[2] = (known after apply)
            + by_name["k"].label = "z"
            + by_name["k"].kind = "ssd"
            + set = [{kind = "ssd", label = "s"}]
            + only.label = "o"
            + only.kind = "ssd""#]],
    );
    // Neither an unknown value nor the prior value influences the default.
    check::<Server3>(
        Some(config! { name = "a", region = "us", zone = "z", size = 9 }),
        config! { name = "a", size = unknown() },
        expect![[r#"
            update
            ~ region = "us" -> "eu"
            ~ size = 9 -> (known after apply)
            - zone = "z""#]],
    );
    check::<Server3>(
        Some(config! { name = "a", region = "eu", size = 3 }),
        config! { name = "a", region = null },
        expect![[r#"no change"#]],
    );
}

static SECRET: DefaultCell = DefaultCell(Mutex::new(None));

struct Test {
    settings: String,
}

/// The provider configuration.
#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    #[attr(sensitive, default_with = || SECRET.get())]
    token: String,
    #[attr(default = 7)]
    retries: u8,
    #[attr(default_with = none)]
    region: Option<String>,
    login: Option<Login>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Login {
    #[attr(default_with = || Some("me".to_owned()), validate = ferroform::validators::length_at_most(4))]
    user: String,
}

impl Provider for Test {
    const ADDRESS: &'static str = "registry.terraform.io/example/test";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        if config.token == Known("not-a-good-token".into()) {
            return Err(std::io::Error::other("not-a-good-token cannot log in").into());
        }
        Ok(config.token.map(|token| Test {
            settings: format!(
                "{token} {:?} {:?} {:?}",
                config.retries.known(),
                config.region.known(),
                config.login.known().flatten().and_then(|it| it.user.known()),
            ),
        }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Thing>("test_thing").data_source::<Found>("test_found");
    }
}

static TOKEN: DefaultCell = DefaultCell(Mutex::new(None));

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(requires_replace)]
    name: String,
    #[attr(default_with = || TOKEN.get())]
    token: Option<String>,
    #[attr(computed, follows(token))]
    seen: Option<String>,
}

impl Resource for Thing {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        Ok(ThingComputed { seen: plan.token })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Found {
    #[attr(default_with = || Some("x".to_owned()))]
    query: String,
    #[attr(default_with = none)]
    label: Option<String>,
    #[attr(default_with = none)]
    needed: String,
    #[attr(computed)]
    settings: String,
    #[attr(computed)]
    result: String,
}

impl DataSource for Found {
    type Provider = Test;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<FoundComputed> {
        let query: String = args.query;
        let result = format!("{query} {:?} {}", args.label, args.needed);
        Ok(FoundComputed { settings: cx.provider.settings.clone(), result })
    }
}

/// The checks share one test because they change the same default values.
#[test]
fn provider_and_data_source_receive_defaults() {
    SECRET.set(Some("hush"));
    let harness = Harness::start::<Test>(config! { login = {} });
    let found = harness.data_source("test_found");
    let read = found.read(config! { needed = "n" });
    assert_eq!(read.get::<String>(path!(settings)), r#"hush Some(Some(7)) Some(None) Some("me")"#);
    assert_eq!(read.get::<String>(path!(result)), "x None n");
    assert_eq!(read.get::<String>(path!(query)), "x");
    expect![[r#"needed: Missing Configuration for Required Attribute: The argument "needed" is required, but it is not set. Set it in the configuration."#]]
        .assert_eq(&found.try_read(config! {}).error().to_string());

    // A configured value takes precedence over the default. An unknown value is not missing.
    harness.configure(config! { token = "mine", retries = 1, region = "r" });
    let read = found.read(config! { needed = "n", query = "y" });
    assert_eq!(read.get::<String>(path!(settings)), r#"mine Some(Some(1)) Some(Some("r")) None"#);
    harness.configure(config! { token = unknown() });

    // The default value of a sensitive attribute is masked.
    SECRET.set(Some("not-a-good-token"));
    let error = harness.try_configure(config! {}).error().to_string();
    assert!(error.contains("(sensitive value) cannot log in"), "{error}");
    SECRET.set(None);
    let missing = harness.try_configure(config! {}).error();
    expect![[r#"token: Missing Configuration for Required Attribute: The argument "token" is required, but it is not set. Set it in the configuration."#]]
        .assert_eq(&missing.to_string());
}

#[test]
fn apply_uses_planned_default() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let server = ferroform::server::<Test>();
    let settings = Value::object([
        ("token", Value::from("t")),
        ("retries", Value::Null),
        ("region", Value::Null),
        ("login", Value::Null),
    ]);
    assert!(runtime.block_on(server.configure_provider(settings, &Default::default())).is_empty());
    let config = Value::object([("name", Value::from("a")), ("token", Value::Null), ("seen", Value::Null)]);
    let plan = |prior: Value| {
        let request = PlanRequest {
            type_name: "test_thing".into(),
            prior: Some(prior),
            is_destroy: false,
            config: Some(config.clone()),
            prior_private: Vec::new(),
            ..PlanRequest::default()
        };
        runtime.block_on(server.plan_resource_change(request))
    };
    let apply = |prior: Value, planned: Value| {
        let request = ApplyRequest {
            type_name: "test_thing".into(),
            prior: Some(prior),
            planned: Some(planned),
            config: Some(config.clone()),
            planned_private: Vec::new(),
            ..ApplyRequest::default()
        };
        runtime.block_on(server.apply_resource_change(request)).state.expect("a state")
    };
    TOKEN.set(Some("here"));
    let planned = plan(Value::Null).planned.expect("a plan");
    TOKEN.set(Some("elsewhere"));
    let state = apply(Value::Null, planned);
    let of = |it: &Value, name: &str| it.attribute(name).and_then(|it| it.as_str().map(str::to_owned));
    assert_eq!((of(&state, "token"), of(&state, "seen")), (Some("here".into()), Some("here".into())));

    // The next plan uses the changed environment. Without a default value, the attribute is null, regardless of its
    // prior value.
    let planned = plan(state.clone()).planned.expect("a plan");
    assert_eq!(of(&planned, "token"), Some("elsewhere".into()));
    TOKEN.set(None);
    let planned = plan(state.clone()).planned.expect("a plan");
    assert_eq!(planned.attribute("token"), Some(&Value::Null));
    let state = apply(state, planned);
    assert_eq!((of(&state, "token"), of(&state, "seen")), (None, None));
}

/// Runs the test again in a child process with these environment variables. Returns true in the child process.
fn with_variables(test: &str, variables: &[(&str, &str)]) -> bool {
    if environment::var_os("FERROFORM_TEST_CHILD").is_some() {
        return true;
    }
    let mut child = Command::new(environment::current_exe().expect("this program"));
    child
        .args(["--exact", &format!("defaults::{test}")])
        .env("FERROFORM_TEST_CHILD", "1")
        .envs(variables.iter().copied());
    let output = child.output().expect("the child process starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    false
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Everything {
    #[attr(default_with = env("FERROFORM_TEST_TEXT"))]
    text: String,
    #[attr(default_with = env("FERROFORM_TEST_EMPTY").or("FERROFORM_TEST_NUMBER"))]
    number: u16,
    #[attr(default_with = env("FERROFORM_TEST_BOOL"))]
    flag: Option<bool>,
    #[attr(default_with = env("FERROFORM_TEST_ABSENT").otherwise("eu"))]
    region: String,
    #[attr(default_with = env("FERROFORM_TEST_ABSENT"))]
    absent: Option<String>,
    #[attr(default_with = env("FERROFORM_TEST_WORD"))]
    word: Option<crate::common::Word>,
}

fn everything() -> Instance {
    crate::common::instance(Everything::schema(), true, None)
}

#[test]
fn environment_variable_is_the_default() {
    let variables = [
        ("FERROFORM_TEST_TEXT", "t"),
        ("FERROFORM_TEST_EMPTY", ""),
        ("FERROFORM_TEST_NUMBER", "80"),
        ("FERROFORM_TEST_BOOL", "1"),
        ("FERROFORM_TEST_WORD", "Word"),
    ];
    if !with_variables("environment_variable_is_the_default", &variables) {
        return;
    }
    expect![[r#"
        create
        + text = "t"
        + number = 80
        + flag = true
        + region = "eu"
        + word = "Word""#]]
    .assert_eq(&everything().plan(config! {}).to_string());
    // A configured value takes precedence over the environment variable.
    let plan = everything().plan(config! { text = "mine", number = 1, absent = "a" });
    let after = plan.after.expect("a plan");
    assert_eq!((after.get::<String>(path!(text)), after.get::<u16>(path!(number))), ("mine".into(), 1));
}

#[test]
fn invalid_environment_variable_is_named_and_masked() {
    let variables = [("FERROFORM_TEST_NUMBER", "77777"), ("FERROFORM_TEST_BOOL", "perhaps")];
    if !with_variables("invalid_environment_variable_is_named_and_masked", &variables) {
        return;
    }
    let error = everything().try_apply(config! {}).error().to_string();
    expect![[r#"
        text: Missing Configuration for Required Attribute: The argument "text" is required, but it is not set. Set it in the configuration, or set the environment variable FERROFORM_TEST_TEXT.
        number: Invalid Default: The argument "number" is not set in the configuration, and its default is invalid: the environment variable FERROFORM_TEST_NUMBER is invalid: a whole number between 0 and 65535 is required, but got (sensitive value).
        flag: Invalid Default: The argument "flag" is not set in the configuration, and its default is invalid: the environment variable FERROFORM_TEST_BOOL is invalid: a bool is required."#]]
    .assert_eq(&error);
}

#[test]
fn missing_environment_variables_are_named() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Two {
        #[attr(default_with = env("FERROFORM_TEST_ABSENT").or("FERROFORM_TEST_ABSENT_TOO"))]
        token: String,
        #[attr(default_with = fails)]
        file: String,
    }
    let error = crate::common::instance(Two::schema(), true, None).try_apply(config! {}).error().to_string();
    expect![[r#"
        token: Missing Configuration for Required Attribute: The argument "token" is required, but it is not set. Set it in the configuration, or set one of the environment variables FERROFORM_TEST_ABSENT, FERROFORM_TEST_ABSENT_TOO.
        file: Invalid Default: The argument "file" is not set in the configuration, and its default is invalid: the file with it cannot be read."#]]
    .assert_eq(&error);
}

#[test]
fn schema_does_not_depend_on_environment() {
    let of = |name: &str| Everything::schema().block.get(name).map(|it| (it.mode(), it.is_nullable()));
    assert_eq!(of("text"), Some((Mode::OptionalComputed, false)));
    assert_eq!(of("absent"), Some((Mode::OptionalComputed, true)));
}

#[test]
fn default_from_environment_is_validated() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Validated {
        #[attr(default_with = || Some("much too long".to_owned()), validate = ferroform::validators::length_at_most(4))]
        user: String,
        #[attr(conflicts_with(user))]
        other: Option<String>,
    }
    let mut validated = crate::common::instance(Validated::schema(), true, None);
    let error = validated.try_apply(config! { other = "o" }).error().to_string();
    // Relations only consider configured values.
    assert!(
        error.starts_with("user: Invalid Attribute Value Length") && !error.contains("together"),
        "{error}"
    );
    assert_eq!(validated.plan(config! { user = "me" }).action, Action::Create);
}

#[test]
fn runtime_schema_behaves_the_same() {
    let required = Attribute::raw("a", Type::String).default_with::<String, _>(none);
    let optional =
        Attribute::raw("b", Type::String).with_mode(Mode::Optional).default_with::<String, _>(none);
    let block = Block::new().attribute(required).attribute(optional);
    let mut instance = crate::common::instance(Schema::new(block), true, None);
    let error = instance.try_apply(config! {}).error().to_string();
    assert!(error.starts_with("a: Missing Configuration") && !error.contains("b: "), "{error}");

    let lists = Attribute::of::<Vec<String>>("tags").default_with::<Vec<String>, _>(env("TAGS"));
    let twice = Attribute::of::<String>("x").default_with::<String, _>(none).computed();
    let schema = Schema::new(Block::new().attribute(lists).attribute(twice));
    let errors: Vec<String> = schema.definition_errors().iter().map(ToString::to_string).collect();
    expect![[r#"
        tags: an environment variable contains a string, which cannot be converted to its type
        x: a computed attribute cannot have a default, unless it is optional as well"#]]
    .assert_eq(&errors.join("\n"));
    assert_eq!(<Vec<String> as Attr>::ty(), Type::list(Type::String));
}

/// A disk without defaults.
#[derive(Model, Clone, Debug, PartialEq)]
struct DiskWithoutDefaults {
    label: String,
    kind: Option<String>,
}

/// A default object is used as returned, including null values. Only a configured object receives the defaults of its
/// attributes.
#[test]
fn default_object_is_used_as_a_whole() {
    let kind = Attribute::raw("kind", Type::String).default(|| "ssd".to_owned());
    let disk = Block::new().attribute(Attribute::raw("label", Type::String)).attribute(kind);
    let disks = Attribute::raw_nested("disks", Nested::list(disk));
    let disks = disks.default(|| vec![DiskWithoutDefaults { label: "a".to_owned(), kind: None }]);
    let schema = Schema::new(Block::new().attribute(disks));
    check_schema(
        &schema,
        config! {},
        expect![[r#"
            create
            + disks[0].label = "a""#]],
    );
    check_schema(
        &schema,
        config! { disks = [{ label = "a" }] },
        expect![[r#"
            create
            + disks[0].label = "a"
            + disks[0].kind = "ssd""#]],
    );
}

fn check_schema(schema: &Schema, config: ferroform_testing::Configuration, expected: expect_test::Expect) {
    let mut instance = crate::common::instance(schema.clone(), true, None);
    expected.assert_eq(&instance.plan(config).to_string());
}
