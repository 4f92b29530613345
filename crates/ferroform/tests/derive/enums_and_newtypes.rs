//! The generated code of `#[derive(Attr)]` for newtypes and enums without data.

use std::collections::BTreeMap;

use ferroform::schema::{Attribute, AttributeExt as _};
use ferroform::validators::matches;
use ferroform::value::{Type, Value};
use ferroform::view::InConfig;
use ferroform::{Attr, Config, Known, Maybe, Model, Planned, Unknown};

/// A short name.
#[derive(Attr, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[attr(validate = short, validate = matches("^[a-z]*$", "only lowercase letters are allowed"))]
struct Id(String);

fn short(id: &str) -> Result<(), String> {
    if id.len() <= 4 { Ok(()) } else { Err(format!("at most 4 letters are allowed, not {}", id.len())) }
}

/// The loudness level.
#[derive(Attr, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[attr(rename_all = "kebab-case")]
enum Level {
    /// Suitable at night.
    VeryLow,
    High,
    /// The maximum of the device,
    /// and one more.
    #[attr(rename = "11")]
    Eleven,
}

/// A host name that is compared without regard to case.
#[derive(Attr, Clone, Debug)]
struct Host(String);

impl PartialEq for Host {
    fn eq(&self, other: &Host) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

#[derive(Attr, Clone, Debug, PartialEq)]
struct Tags(Vec<String>);

#[derive(Model, Clone, Debug, PartialEq)]
struct Speaker {
    id: Id,
    /// The volume.
    level: Option<Level>,
    #[attr(default = Host("Localhost".into()))]
    host: Host,
    tags: Tags,
    rooms: BTreeMap<Id, Level>,
}

#[test]
fn enum_accepts_only_its_variants() {
    for (level, name) in [(Level::VeryLow, "very-low"), (Level::High, "high"), (Level::Eleven, "11")] {
        assert_eq!(level.to_value(), name.into());
        assert_eq!(Level::from_value(&name.into()), Ok(level));
    }
    let error = Level::from_value(&"low".into()).expect_err("not a level");
    assert_eq!(error.to_string(), r#"one of "very-low", "high", "11" is required, but got "low""#);
    assert!(Level::from_value(&Value::Null).is_err());
}

#[test]
fn rename_rules_convert_variant_names() {
    macro_rules! rule {
        ($rule:literal, $($name:literal),+) => {{
            #[derive(Attr, Clone, Debug, PartialEq)]
            #[attr(rename_all = $rule)]
            enum It { HTTPServer, TcpV6, Any }
            assert_eq!([It::HTTPServer, It::TcpV6, It::Any].map(|it| it.to_value()), [$($name.into()),+]);
        }};
    }
    rule!("snake_case", "http_server", "tcp_v6", "any");
    rule!("kebab-case", "http-server", "tcp-v6", "any");
    rule!("SCREAMING_SNAKE_CASE", "HTTP_SERVER", "TCP_V6", "ANY");
    rule!("SCREAMING-KEBAB-CASE", "HTTP-SERVER", "TCP-V6", "ANY");
    rule!("camelCase", "httpServer", "tcpV6", "any");
    rule!("PascalCase", "HTTPServer", "TcpV6", "Any");
    rule!("lowercase", "httpserver", "tcpv6", "any");
    rule!("UPPERCASE", "HTTPSERVER", "TCPV6", "ANY");
}

#[test]
fn enum_description_lists_the_variants() {
    let schema = Speaker::schema();
    let list = "One of:\n\n- `very-low`: Suitable at night.\n- `high`\n- `11`: The maximum of the device,\n  and one more.";
    assert_eq!(
        schema.block.get("level").map(|it| it.full_description()),
        Some(format!("The volume.\n\n{list}"))
    );
    assert_eq!(
        schema.block.get("rooms").map(|it| it.full_description()),
        Some(format!("The loudness level.\n\n{list}"))
    );
}

#[test]
fn newtype_has_the_type_of_its_content() {
    assert_eq!(Id::ty(), Type::String);
    assert_eq!(Id::from_value(&"abcd".into()), Ok(Id("abcd".into())));
    let error = Id::from_value(&"abcde".into()).expect_err("too long");
    assert_eq!(error.to_string(), "At most 4 letters are allowed, not 5.");
    let error = Id::from_value(&"A".into()).expect_err("a capital");
    assert_eq!(error.to_string(), "Only lowercase letters are allowed, but got \"A\".");
    assert_eq!(Tags::ty(), Type::list(Type::String));
}

/// The configuration view of a newtype of a collection can contain unknown elements. The view of a scalar newtype is
/// either known or unknown.
#[test]
fn newtype_views_contain_maybe_elements() {
    let value = Value::object([
        ("id", "a".into()),
        ("level", Value::UNKNOWN),
        ("host", Value::Null),
        ("tags", Value::List(vec![Value::UNKNOWN])),
        ("rooms", Value::map([("hall", Value::from("11"))])),
    ]);
    let config = Config::<Speaker>::from_value(&value).expect("a configuration");
    let _: &Maybe<<Tags as Attr>::In<InConfig>> = &config.tags;
    assert_eq!(config.id, Known(Id("a".into())));
    assert_eq!(config.tags, Known(vec![Unknown]));
    assert_eq!(config.rooms, Known(BTreeMap::from([(Id("hall".into()), Known(Level::Eleven))])));
    let planned = Planned::<Speaker>::from_value(&Value::Null);
    assert!(planned.is_err());
}

#[test]
fn semantic_equality_is_the_partial_eq_of_the_type() {
    let attribute = Attribute::of::<Host>("host");
    assert_eq!(Host::from_value(&"A".into()), Host::from_value(&"a".into()));
    assert_eq!(&**attribute.name(), "host");
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Cached {
    text: String,
    #[attr(skip)]
    length: usize,
}

#[test]
fn skipped_field_is_not_an_attribute() {
    assert_eq!(Cached::ty(), Type::object([("text", Type::String)]));
    let read = Cached::from_value(&Cached { text: "a".into(), length: 1 }.to_value());
    assert_eq!(read, Ok(Cached { text: "a".into(), length: 0 }));
}

#[test]
fn enum_has_string_conversions() {
    for (level, name) in [(Level::VeryLow, "very-low"), (Level::High, "high"), (Level::Eleven, "11")] {
        assert_eq!(level.as_str(), name);
        assert_eq!(level.to_string(), name);
        assert_eq!(name.parse(), Ok(level));
    }
    assert_eq!(
        format!("{:>5}|{:<5}|", Level::High, Level::High),
        " high|high |",
        "width and alignment apply"
    );
    const HIGH: &str = Level::High.as_str();
    assert_eq!(HIGH, "high");
    let error = "hihg".parse::<Level>().unwrap_err();
    assert_eq!(error, Level::from_value(&"hihg".into()).unwrap_err());
    assert!(error.to_string().contains("did you mean \"high\"?"), "{error}");
}

/// An enum whose author writes the conversions.
#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(without(as_str, display, from_str))]
enum Weekday {
    Monday,
    Sunday,
}

impl Weekday {
    fn as_str(&self) -> &'static str {
        "a day"
    }
}

impl std::fmt::Display for Weekday {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Weekday::Sunday { "Sun" } else { "Mon" })
    }
}

impl std::str::FromStr for Weekday {
    type Err = String;

    fn from_str(day: &str) -> Result<Weekday, String> {
        if day == "Sun" { Ok(Weekday::Sunday) } else { Err(format!("{day} is not Sunday")) }
    }
}

#[test]
fn author_can_write_string_conversions_of_enum() {
    assert_eq!(Weekday::Monday.as_str(), "a day");
    assert_eq!(Weekday::Sunday.to_string(), "Sun");
    assert_eq!("Sun".parse(), Ok(Weekday::Sunday));
    assert_eq!(Weekday::Sunday.to_value(), "sunday".into());
}
