//! Descriptions in schemas: doc comments, the values of enums, doc comments of types, and defaults.

use ferroform::defaults::env;
use ferroform::schema::{Attribute, AttributeExt as _};
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
    let description = |name: &str| schema.block.get(name).unwrap().description.clone();
    let class =
        "The class of a machine.\n\nIt cannot be changed.\n\nOne of:\n\n- `small`: For tests.\n- `large`";
    for (name, expected) in [
        ("load", "The load.\n\nA percentage."),
        ("bare_load", "A percentage."),
        ("share", "The share of one user.\n\nA percentage."),
        ("shares", "The share of one user.\n\nA percentage."),
        ("class", &*format!("The class.\n\n{class}\n\nDefaults to `small`.")),
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
    assert_eq!(port().description("The port.").default(|| 80_u16).description, expected);
    assert_eq!(port().default(|| 80_u16).description("The port.").description, expected);
    for secret in [
        port().description("The port.").default(|| 80_u16).sensitive(),
        port().sensitive().default(|| 80_u16).description("The port."),
        port().default(|| 80_u16).sensitive().description("The port."),
    ] {
        assert_eq!(secret.description, "The port.");
    }
    assert_eq!(port().default(|| 80_u16).default(|| 81_u16).description, "Defaults to `81`.");
}
