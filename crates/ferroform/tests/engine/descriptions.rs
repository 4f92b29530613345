//! Descriptions in schemas: doc comments, the values of enums, doc comments of types, and defaults.

use std::sync::atomic::{AtomicU64, Ordering};

use ferroform::defaults::env;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Schema};
use ferroform::validators::at_most;
use ferroform::value::Type;
use ferroform::{Attr, Model};

/// A percentage.
#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = at_most(100))]
struct Percent(u8);

/// The share of one user.
#[derive(Attr, Clone, Debug, PartialEq)]
struct Share(Percent);

/// The class of a machine.
///
/// It cannot be changed.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
enum Class {
    /// For tests.
    Small,
    Large,
}

#[derive(Attr, Clone, Debug, PartialEq)]
struct Undocumented(Class);

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    /// The load.
    load: Percent,
    bare_load: Percent,
    share: Option<Share>,
    shares: Vec<Share>,
    /// The class.
    #[attr(default = Class::Small)]
    class: Class,
    wrapped: Undocumented,
    /// The port.
    #[attr(default = 80)]
    port: u16,
    #[attr(default = "eu-west-1")]
    region: String,
    /// The zone
    #[attr(default = "")]
    zone: String,
    /// The ports.
    #[attr(default = vec![80, 443])]
    ports: Vec<u16>,
    /// The password.
    #[attr(default = "hunter2", sensitive)]
    password: String,
    /// The token.
    #[attr(default_with = env("EXAMPLE_TOKEN").or("TOKEN"), sensitive)]
    token: String,
    /// The endpoint.
    #[attr(default_with = env("EXAMPLE_ENDPOINT").otherwise("https://example.com"))]
    endpoint: String,
    /// The path.
    #[attr(default_with = env("EXAMPLE_PATH"))]
    path: Option<String>,
    /// The user.
    #[attr(default_with = user)]
    user: Option<String>,
    /// In *plain* text.
    #[attr(default = "`x`", plain_description)]
    plain: String,
}

fn user() -> Option<String> {
    None
}

#[test]
fn types_and_defaults_are_part_of_the_description() {
    let schema = Machine::schema();
    let description = |name: &str| schema.block.get(name).unwrap().full_description();
    let class =
        "The class of a machine.\n\nIt cannot be changed.\n\nOne of:\n\n- `small`: For tests.\n- `large`";
    for (name, expected) in [
        ("load", "The load.\n\nA percentage."),
        ("bare_load", "A percentage."),
        ("share", "The share of one user.\n\nA percentage."),
        ("shares", "The share of one user.\n\nA percentage."),
        ("class", "The class.\n\nOne of:\n\n- `small`: For tests.\n- `large`\n\nDefaults to `small`."),
        ("wrapped", class),
        ("port", "The port. Defaults to `80`."),
        ("region", "Defaults to `eu-west-1`."),
        ("zone", "The zone\n\nDefaults to `\"\"`."),
        ("ports", "The ports. Defaults to `[80, 443]`."),
        ("password", "The password."),
        ("token", "The token. Defaults to the environment variable `EXAMPLE_TOKEN` or `TOKEN`."),
        (
            "endpoint",
            "The endpoint. Defaults to the environment variable `EXAMPLE_ENDPOINT`, or else to `https://example.com`.",
        ),
        ("path", "The path. Defaults to the environment variable `EXAMPLE_PATH`."),
        ("user", "The user."),
        ("plain", "In *plain* text. Defaults to \"`x`\"."),
    ] {
        assert_eq!(description(name), expected, "{name}");
    }
}

#[test]
fn description_does_not_depend_on_the_order_of_the_calls() {
    let port = || Attribute::raw("port", Type::Number);
    let expected = "The port. Defaults to `80`.";
    assert_eq!(port().description("The port.").default(|| 80_u16).full_description(), expected);
    assert_eq!(port().default(|| 80_u16).description("The port.").full_description(), expected);
    for secret in [
        port().description("The port.").default(|| 80_u16).sensitive(),
        port().sensitive().default(|| 80_u16).description("The port."),
        port().default(|| 80_u16).sensitive().description("The port."),
    ] {
        assert_eq!(secret.full_description(), "The port.");
    }
    assert_eq!(port().default(|| 80_u16).default(|| 81_u16).full_description(), "Defaults to `81`.");
}

#[test]
fn default_that_differs_at_each_use_is_not_described() {
    let next = AtomicU64::new(0);
    let revision = Attribute::of::<u64>("revision").default(move || next.fetch_add(1, Ordering::Relaxed));
    assert_eq!(revision.description("The revision.").full_description(), "The revision.");
}

/// The mode and the default are checked together, in whatever order the methods set them.
#[test]
fn default_is_checked_against_the_mode_in_every_order() {
    let string = || Attribute::of::<String>("name");
    let default = |it: Attribute| it.default(|| "a".to_owned());
    let default_with = |it: Attribute| it.default_with::<String, _>(|| Some("a".to_owned()));
    let errors = |it: Attribute| -> Vec<String> {
        let errors = Schema::new(Block::new().attribute(it)).definition_errors();
        errors.iter().map(ToString::to_string).collect()
    };
    let of_computed = "name: a computed attribute cannot have a default, unless it is optional as well";
    let of_required = "name: a required attribute cannot have a default";
    for (mode, of_default, of_function) in [
        (Mode::Required, vec![of_required], vec![]),
        (Mode::Optional, vec![], vec![]),
        (Mode::Computed, vec![of_computed], vec![of_computed]),
        (Mode::OptionalComputed, vec![], vec![]),
    ] {
        assert_eq!(errors(default(string().with_mode(mode))), of_default, "{mode:?}, default");
        assert_eq!(errors(default(string()).with_mode(mode)), of_default, "default, {mode:?}");
        assert_eq!(errors(default_with(string().with_mode(mode))), of_function, "{mode:?}, default_with");
        assert_eq!(errors(default_with(string()).with_mode(mode)), of_function, "default_with, {mode:?}");
        for it in [default_with(string().with_mode(mode)), default_with(string()).with_mode(mode)] {
            assert_eq!(it.requires_value(), mode == Mode::Required, "{mode:?}");
        }
    }
    let two_defaults = ["name: an attribute cannot have two defaults"];
    assert_eq!(errors(default(default_with(string()))), two_defaults);
    assert_eq!(errors(default_with(default(string()))), two_defaults);
    assert_eq!(errors(default(default(string()))), two_defaults);
    // The last mode counts.
    assert_eq!(errors(default(string()).computed().optional()), Vec::<String>::new());
    assert_eq!(default(string()).optional().mode(), Mode::OptionalComputed);
}

#[test]
fn default_that_is_no_finite_number_is_reported_as_such() {
    let level = |it: f64| Attribute::of::<f64>("level").default(move || it);
    for (value, expected) in [
        (
            f64::NAN,
            "level: the default is invalid: a number is required, but got NaN, which Terraform cannot represent",
        ),
        (f64::INFINITY, "level: the default is invalid: a finite number is required, but got +Inf"),
    ] {
        let errors = Schema::new(Block::new().attribute(level(value))).definition_errors();
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }
}
