//! Validators of whole objects, and the values that they receive.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Schema};
use ferroform::validators::{
    Validator, between, configured, each, length_at_most, not, one_of, size_at_least, warning,
};
use ferroform::value::Type;
use ferroform::{
    Args, Attr, Config, DataCx, DataSource, Diagnostic, Known, Maybe, Model, Provider, Registry, RequestCx,
    Result, Unknown, path,
};
use ferroform_testing::{Harness, config, unknown};

use crate::common::instance;

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = no_size_of_tape, validate = |it: &Config<Disk>| if it.size.is_known() { Ok(()) } else { Err(size_is_unknown()) })]
struct Disk {
    kind: String,
    size: Option<u64>,
    #[attr(write_only)]
    key: Option<String>,
    #[attr(computed)]
    serial: String,
}

fn no_size_of_tape(disk: &Config<Disk>) -> Result<(), &'static str> {
    match (&disk.kind, &disk.size) {
        (Known(kind), Known(Some(_))) if kind == "tape" => Err("a tape has no size"),
        _ => Ok(()),
    }
}

fn size_is_unknown() -> Diagnostic {
    Diagnostic::warning("The size is not known yet").at(path!(size))
}

/// A machine.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = name_differs_from_pin)]
struct Machine {
    name: String,
    #[attr(sensitive)]
    pin: Option<String>,
    #[attr(mixed, validate = size_at_least(1), validate = configured(one_key))]
    disks: Vec<Disk>,
    #[attr(block)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(name, id))]
struct Owner {
    name: Option<String>,
    id: Option<u64>,
}

fn one_key(disks: &Vec<Maybe<Config<Disk>>>) -> Result<(), String> {
    let keys = disks.iter().filter_map(|it| it.as_known()).filter(|it| !matches!(it.key, Known(None)));
    match keys.count() {
        0 | 1 => Ok(()),
        n => Err(format!("one disk has the key, not {n}")),
    }
}

fn name_differs_from_pin(machine: &Config<Machine>) -> Result<(), String> {
    match (&machine.name, &machine.pin) {
        (Known(name), Known(Some(pin))) if name == pin => Err(format!("{name:?} is the pin too")),
        _ => Ok(()),
    }
}

fn check(config: ferroform_testing::Configuration, expected: &str) {
    let found = instance(Machine::schema(), true, None).try_apply(config).error();
    assert_eq!(found.to_string(), expected);
}

#[test]
fn object_validator_reports_the_path_of_each_object() {
    check(
        config! { name = "m", disks = [{ kind = "ssd", size = 1 }, { kind = "tape", size = 2 }], owner {} },
        "disks[1]: Invalid Attribute Value: A tape has no size.\n\
         owner: Missing Attribute Configuration: Exactly one of \"name\", \"id\" must be set, but none is set.",
    );
    check(
        config! { name = "m", disks = [{ kind = "a", key = "x" }, { kind = "b", key = unknown() }] },
        "disks: Invalid Attribute Value: One disk has the key, not 2.",
    );
    check(
        config! { name = "m", disks = [] },
        "disks: Invalid Attribute Value: At least 1 element is required, but there are 0 elements.",
    );
}

#[test]
fn object_validator_error_masks_sensitive_values() {
    check(
        config! { name = "4711", pin = "4711", disks = [{ kind = "a" }] },
        "Invalid Attribute Value: \"(sensitive value)\" is the pin too.",
    );
}

#[test]
fn object_validator_receives_unknown_values() {
    let config =
        config! { name = unknown(), pin = "4711", disks = [{ kind = "tape", size = unknown() }, unknown()] };
    let warnings = instance(Machine::schema(), true, None).plan(config).warnings;
    assert_eq!(warnings.to_string(), "disks[0].size: The size is not known yet");
    let unknown = instance(Machine::schema(), true, None).plan(config! { name = "a", disks = unknown() });
    assert!(unknown.warnings.is_empty());
}

/// A function of plain structs would never be called, because the configuration has no value for `serial`.
#[test]
fn validator_function_on_mixed_object_is_rejected() {
    let never = |_: &Vec<Disk>| -> Result<(), &'static str> { Err("never") };
    let disks = Attribute::of::<Vec<Disk>>("disks").validate::<Vec<Disk>, _>(never);
    let errors = Schema::new(Block::new().attribute(disks)).definition_errors();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("use `validators::configured`"), "{}", errors[0]);
    let each =
        Attribute::of::<Vec<Disk>>("disks").validate::<Vec<Disk>, _>(each(configured(no_size_of_tape)));
    assert_eq!(Schema::new(Block::new().attribute(each)).definition_errors(), []);
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(validate = not_nine)]
struct Common {
    z: Option<i64>,
}

fn not_nine(common: &Config<Common>) -> Result<(), &'static str> {
    if common.z == Known(Some(9)) { Err("any number but nine is required") } else { Ok(()) }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Shared {
    #[attr(flatten)]
    common: Common,
    own: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Outer {
    #[attr(flatten)]
    shared: Shared,
    list: Option<Vec<Shared>>,
    #[attr(block)]
    part: Vec<Shared>,
}

/// The validator of a flattened model validates the attributes of the model in every object that contains it.
#[test]
fn flattened_model_keeps_its_validators() {
    assert_eq!(Outer::schema().definition_errors(), []);
    let config = config! { z = 9, own = unknown(), list = [{ z = 9, own = "a" }, { z = 8 }], part { z = 9 } };
    let found = instance(Outer::schema(), true, None).try_apply(config).error();
    assert_eq!(
        found.to_string(),
        "list[0]: Invalid Attribute Value: Any number but nine is required.\n\
         part[0]: Invalid Attribute Value: Any number but nine is required.\n\
         Invalid Attribute Value: Any number but nine is required."
    );
}

/// A value that cannot be converted to the validator's type is an error.
#[test]
fn value_of_unsupported_type_is_rejected_by_validator() {
    let fails =
        |block: Block, config| instance(Schema::new(block), true, None).try_apply(config).error().to_string();
    assert_eq!(
        fails(dynamic(length_at_most::<String>(3)), config! { it = 7 }),
        "it: Invalid Attribute Value: A string is required, but got a number."
    );
    assert_eq!(
        fails(dynamic(not(one_of::<u8>([1]), "anything else")), config! { it = 256 }),
        "it: Invalid Attribute Value: A whole number between 0 and 255 is required, but got 256."
    );
    assert_eq!(
        fails(dynamic(warning(each::<Vec<u8>, _>(between(1, 2)))), config! { it = "a" }),
        "it: Invalid Attribute Value: A collection is required, but got a string."
    );
    let port = Attribute::raw("port", Type::Number).sensitive().validate::<u8, _>(|_: &u8| Err("never"));
    assert_eq!(
        fails(Block::new().attribute(port), config! { port = 4711 }),
        "port: Invalid Attribute Value: A whole number between 0 and 255 is required, but got (sensitive value)."
    );
}

#[test]
fn validator_error_with_summary_of_read_error_is_not_a_read_error() {
    let strict =
        || Validator::<String>::new("strict", |_| Err(Diagnostic::error("Configuration Read Error").into()));
    assert_eq!(not(strict(), "anything else").validate(&"a".into()), Ok(()));
    let advice = warning(strict()).validate(&"a".into()).unwrap_err();
    assert_eq!((advice.has_error(), advice.len()), (false, 1));
    // A failed conversion stays an error.
    let unread = warning(strict_number()).validate(&"a".into()).unwrap_err();
    assert!(unread.has_error() && not(strict_number(), "anything else").validate(&"a".into()).is_err());
}

fn strict_number() -> Validator<u8> {
    one_of([1])
}

/// Returns a block with a dynamic attribute and its validator.
fn dynamic<T: Attr>(rule: Validator<T>) -> Block {
    Block::new().attribute(Attribute::raw("it", Type::Dynamic).validate::<T, _>(rule))
}

/// The compiler infers the argument types of closures.
#[derive(Model, Clone, Debug, PartialEq)]
struct Closures {
    #[attr(validate = |it| if it.is_empty() { Err("a name is required") } else { Ok(()) })]
    #[attr(suppress_diff = |old, new| old.eq_ignore_ascii_case(new))]
    #[attr(semantic_eq = |one, other| one.trim() == other.trim())]
    name: String,
}

#[test]
fn closures_are_validators() {
    let found = instance(Closures::schema(), true, None).try_apply(config! { name = "" }).error();
    assert_eq!(found.to_string(), "name: Invalid Attribute Value: A name is required.");
}

struct Strict;

/// How to reach the service.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(required_together(user, password))]
struct Settings {
    url: Option<String>,
    user: Option<String>,
    #[attr(sensitive)]
    password: Option<String>,
}

impl Provider for Strict {
    const ADDRESS: &'static str = "registry.terraform.io/example/strict";
    type Config = Settings;

    async fn validate(cx: &RequestCx, config: Config<Settings>) -> Result<()> {
        if config.url == Unknown {
            cx.warn("The address is not known yet");
        }
        match (config.url, config.password) {
            (Known(Some(url)), Known(Some(password))) if url.contains(&password) => {
                Err(Diagnostic::error("The password is no part of the address")
                    .detail(password)
                    .at(path!(url))
                    .into())
            }
            _ => Ok(()),
        }
    }

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        Ok(config.url.map(|_| Strict))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.data_source::<Lookup>("strict_lookup");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(id, name), validate = no_spaces)]
struct Lookup {
    #[attr(validate = length_at_most(3))]
    id: Option<String>,
    name: Option<String>,
    tags: Option<Vec<String>>,
    sizes: Option<BTreeMap<String, Vec<u8>>>,
    parts: Option<Vec<Part>>,
    #[attr(computed)]
    size: u64,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    kind: Option<u8>,
    #[attr(sensitive)]
    pin: Option<u8>,
}

fn no_spaces(lookup: &Config<Lookup>) -> Result<(), &'static str> {
    match &lookup.name {
        Known(Some(name)) if name.contains(' ') => Err("a name is one word"),
        _ => Ok(()),
    }
}

impl DataSource for Lookup {
    type Provider = Strict;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        match config.name {
            Known(Some(name)) if name == "secret" => {
                Err(Diagnostic::error("Not for you").at(path!(name)).into())
            }
            _ => Ok(()),
        }
    }

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<LookupComputed> {
        Ok(LookupComputed { size: 1 })
    }
}

#[test]
fn data_source_is_validated_by_options_and_method() {
    let harness = Harness::start::<Strict>(config! { url = "https://a" });
    let fails = |config| harness.data_source("strict_lookup").try_read(config).error().to_string();
    assert_eq!(harness.data_source("strict_lookup").read(config! { id = "a" }).get::<u64>(path!(size)), 1);
    assert_eq!(
        fails(config! {}),
        "Missing Attribute Configuration: Exactly one of \"id\", \"name\" must be set, but none is set."
    );
    assert_eq!(
        fails(config! { id = "long", name = "a b" }),
        "id: Invalid Attribute Value Length: A string of at most 3 bytes is required, but this has 4 bytes.\n\
         id: Invalid Attribute Combination: Exactly one of \"id\", \"name\" must be set, but \"id\" and \"name\" are set.\n\
         Invalid Attribute Value: A name is one word."
    );
    assert_eq!(fails(config! { name = "secret" }), "name: Not for you");
}

/// All conversion errors are reported at once and in the same format, wherever they occur.
#[test]
fn all_conversion_errors_are_reported_at_once() {
    let harness = Harness::start::<Strict>(config! {});
    let config = config! {
        id = "a",
        tags = [null, "b", null],
        sizes = { a = [1, 300], b = [null], c = null },
        parts = [{ kind = 1 }, null, { kind = 256, pin = 471 }, null],
    };
    let found = harness.data_source("strict_lookup").try_read(config).error().to_string();
    expect![[r#"
        tags[0]: Invalid Attribute Value: A string is required, but got null.
        tags[2]: Invalid Attribute Value: A string is required, but got null.
        sizes["a"][1]: Invalid Attribute Value: A whole number between 0 and 255 is required, but got 300.
        sizes["b"][0]: Invalid Attribute Value: A whole number is required, but got null.
        sizes["c"]: Invalid Attribute Value: A list is required, but got null.
        parts[2].kind: Invalid Attribute Value: A whole number between 0 and 255 is required, but got 256.
        parts[2].pin: Invalid Attribute Value: A whole number between 0 and 255 is required, but got (sensitive value).
        parts[1]: Invalid Attribute Value: An object is required, but got null.
        parts[3]: Invalid Attribute Value: An object is required, but got null."#]]
    .assert_eq(&found);
}

#[derive(Model, Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
struct Opening {
    port: u16,
    #[attr(default = "tcp")]
    proto: String,
    #[attr(sensitive)]
    pin: Option<u8>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    #[attr(mixed)]
    rules: BTreeSet<Opening>,
    #[attr(mixed, sensitive)]
    hidden: Option<BTreeSet<Opening>>,
}

#[test]
fn set_elements_equal_after_defaults_are_rejected() {
    let new = || instance(Firewall::schema(), true, None);
    let found = new().try_apply(
        config! { rules = [{ port = 80, pin = 7 }, { port = 80, proto = "tcp", pin = 7 }, { port = 81 }] },
    ).error();
    assert_eq!(
        found.to_string(),
        "rules: Duplicate Set Element: Two elements of the set are equal once their defaults are applied: \
         {pin = (sensitive value), port = 80, proto = \"tcp\"}. Remove one of them, or set different values."
    );
    let hidden = config! { rules = [], hidden = [{ port = 80 }, { port = 80, proto = "tcp" }] };
    assert_eq!(
        new().try_apply(hidden).error().to_string(),
        "hidden: Duplicate Set Element: Two elements of the set are equal once their defaults are applied. Remove one of them, or set different values."
    );
    new().plan(config! { rules = [{ port = 80 }, { port = 80, proto = unknown() }] });
}

#[test]
fn provider_is_validated_before_configure() {
    let error = |config| Harness::try_start::<Strict>(config).error().to_string();
    assert_eq!(
        error(config! { url = "https://hidden@a", user = "me", password = "hidden" }),
        "url: The password is no part of the address: (sensitive value)"
    );
    assert_eq!(
        error(config! { user = "me" }),
        "user: Invalid Attribute Combination: Either all or none of \"user\", \"password\" must be set, but only \"user\" is set."
    );
    let harness = Harness::start::<Strict>(config! { url = "https://a", user = "me", password = "hidden" });
    let warnings = harness.configure(config! { url = unknown() });
    assert_eq!(warnings.to_string(), "The address is not known yet");
}
