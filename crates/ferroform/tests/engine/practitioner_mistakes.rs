//! Mistakes of practitioners: the summary, and a detail that states what is expected, what is configured, and the
//! nearest valid value.

use std::net::IpAddr;
use std::time::Duration;

use expect_test::expect;
use ferroform::attr::{GoDuration, MacAddress};
use ferroform::schema::{Attribute, AttributeExt as _, Block, Schema};
use ferroform::validators::{all, any, at_least, at_most, between, each, matches, one_of};
use ferroform::value::{Error, Type, Value};
use ferroform::{Args, Attr, DataCx, DataSource, Model, Result, view::View};
use ferroform_testing::{Configuration, Harness, Literal, config, provider};

#[derive(Attr, Clone, Copy, Debug, PartialEq)]
#[attr(rename_all = "kebab-case")]
enum Size {
    Small,
    Large,
    ExtraLarge,
}

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = at_most(100))]
struct Percent(u8);

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = at_least(Percent(10)))]
struct LargePercent(Percent);

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = matches("^[a-z]+$", "lowercase letters are required"))]
struct Name(String);

#[derive(Attr, Clone, Debug, PartialEq)]
struct Start(jiff::Timestamp);

#[derive(Attr, Clone, Debug, PartialEq)]
struct Address(IpAddr);

/// A color that the provider author implements by hand.
#[derive(Clone, Debug, PartialEq)]
struct Color(u32);

impl Attr for Color {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let string = String::from_value(value)?;
        let hex = string.strip_prefix('#').unwrap_or(&string);
        let invalid = |reason| {
            Error::invalid_value("a color such as #ff0000", format_args!("{string:?}")).with_reason(reason)
        };
        u32::from_str_radix(hex, 16).map(Color).map_err(invalid)
    }

    fn to_value(&self) -> Value {
        format!("#{:06x}", self.0).into()
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Machine {
    size: Option<Size>,
    #[attr(validate = one_of(["small", "large"]))]
    size_string: Option<String>,
    #[attr(validate = ferroform::validators::one_of_case_insensitive(["Small", "Large"]))]
    size_any_case: Option<String>,
    sizes: Option<Vec<Size>>,
    #[attr(sensitive)]
    secret_size: Option<Size>,
    #[attr(validate = at_most(100))]
    percent: Option<u8>,
    percent_newtype: Option<Percent>,
    #[attr(validate = at_most(Percent(50)))]
    half: Option<Percent>,
    large: Option<LargePercent>,
    #[attr(validate = at_least(10), validate = at_most(100))]
    both: Option<u8>,
    #[attr(validate = all([at_least(10), at_most(100)]))]
    nested_both: Option<u8>,
    #[attr(validate = any([at_most(10), one_of([80_u8])]))]
    either: Option<u8>,
    #[attr(validate = each(between(1, 64)))]
    cores: Option<Vec<u8>>,
    #[attr(validate = at_most(100))]
    wide: Option<i64>,
    #[attr(validate = at_least(0.5))]
    share: Option<f64>,
    #[attr(sensitive, validate = at_most(100))]
    secret: Option<u8>,
    unlimited: Option<i64>,
    name: Option<Name>,
    #[attr(validate = matches("^[a-z]+$", "lowercase letters are required"))]
    label: Option<String>,
    start: Option<jiff::Timestamp>,
    start_newtype: Option<Start>,
    wait: Option<Duration>,
    #[attr(validate = matches("^[0-9]+s$", "a number of seconds such as 30s is required"))]
    seconds: Option<GoDuration>,
    #[attr(sensitive, validate = matches("^[0-9]+s$", "a number of seconds such as 30s is required"))]
    secret_seconds: Option<GoDuration>,
    address: Option<IpAddr>,
    address_newtype: Option<Address>,
    network: Option<ipnet::IpNet>,
    mac: Option<MacAddress>,
    url: Option<url::Url>,
    uuid: Option<uuid::Uuid>,
    document: Option<ferroform::attr::Json>,
    color: Option<Color>,
    #[attr(sensitive)]
    token: Option<url::Url>,
}

impl DataSource for Machine {
    type Provider = Cloud;

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<MachineComputed> {
        Ok(MachineComputed {})
    }
}

provider! { Cloud { data_source Machine = "cloud_machine" } }

fn errors(config: Configuration) -> String {
    Harness::start::<Cloud>(config! {}).data_source("cloud_machine").try_read(config).error().to_string()
}

fn number(decimal: &str) -> Literal {
    Literal::Number(decimal.parse().unwrap())
}

#[test]
fn unknown_variant_suggests_the_nearest_variant() {
    let config = config! {
        size = "smal",
        size_string = "Large",
        size_any_case = "larg",
        sizes = ["small", "extra_large", "huge"],
        secret_size = "gigantic",
    };
    expect![[r#"
        size: Invalid Attribute Value Match: One of "small", "large", "extra-large" is required, but got "smal"; did you mean "small"?
        size_string: Invalid Attribute Value Match: One of "small", "large" is required, but got "Large"; did you mean "large"?
        size_any_case: Invalid Attribute Value Match: One of "Small", "Large" (case-insensitive) is required, but got "larg"; did you mean "Large"?
        sizes[1]: Invalid Attribute Value Match: One of "small", "large", "extra-large" is required, but got "extra_large"; did you mean "extra-large"?
        sizes[2]: Invalid Attribute Value Match: One of "small", "large", "extra-large" is required, but got "huge".
        secret_size: Invalid Attribute Value Match: One of "small", "large", "extra-large" is required, but got (sensitive value)."#]]
    .assert_eq(&errors(config));
}

/// The message of the pattern describes the accepted strings more precisely than that of the type.
#[test]
fn rejected_pattern_is_reported_instead_of_a_conversion_error() {
    expect![[r#"
        seconds: Invalid Attribute Value Match: A number of seconds such as 30s is required, but got "soon".
        secret_seconds: Invalid Attribute Value Match: Requirement: a number of seconds such as 30s is required. The value is not shown, because it is sensitive."#]].assert_eq(&errors(config! { seconds = "soon", secret_seconds = "later" }));
    expect![[r#"
        seconds: Invalid Attribute Value Match: A number of seconds such as 30s is required, but got "1m".
        secret_seconds: Invalid Time Duration String Value: A duration in the format of Go such as 1h30m is required, but got (sensitive value)."#]].assert_eq(&errors(config! { seconds = "1m", secret_seconds = "99999999999s" }));
}

/// The range is that of the Rust type and all validators together, whichever of them rejects the number.
#[test]
fn number_out_of_range_names_the_effective_range() {
    let below_and_above = |below: &str, above: &str| {
        let config = |it: &str| {
            config! {
                percent = number(it),
                percent_newtype = number(it),
                half = number(it),
                large = number(it),
                both = number(it),
                nested_both = number(it),
                // A message about another attribute contains the number, although it is also a secret.
                secret = number(it),
            }
        };
        format!("{}\n\n{}", errors(config(below)), errors(config(above)))
    };
    expect![[r#"
        percent: Invalid Attribute Value: A whole number between 0 and 100 is required, but got -1.
        percent_newtype: Invalid Attribute Value: A whole number between 0 and 100 is required, but got -1.
        half: Invalid Attribute Value: A whole number between 0 and 50 is required, but got -1.
        large: Invalid Attribute Value: A whole number between 10 and 100 is required, but got -1.
        both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got -1.
        nested_both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got -1.
        secret: Invalid Attribute Value: A whole number between 0 and 100 is required, but got (sensitive value).

        percent: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 101.
        percent_newtype: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 101.
        half: Invalid Attribute Value: A whole number between 0 and 50 is required, but got 101.
        large: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 101.
        both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 101.
        nested_both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 101.
        secret: Invalid Attribute Value: A whole number between 0 and 100 is required, but got (sensitive value)."#]]
    .assert_eq(&below_and_above("-1", "101"));
    expect![[r#"
        percent: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 10.5.
        percent_newtype: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 10.5.
        half: Invalid Attribute Value: A whole number between 0 and 50 is required, but got 10.5.
        large: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 10.5.
        both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 10.5.
        nested_both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 10.5.
        secret: Invalid Attribute Value: A whole number between 0 and 100 is required, but got (sensitive value).

        percent: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 1000000000000000000000000000000.
        percent_newtype: Invalid Attribute Value: A whole number between 0 and 100 is required, but got 1000000000000000000000000000000.
        half: Invalid Attribute Value: A whole number between 0 and 50 is required, but got 1000000000000000000000000000000.
        large: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 1000000000000000000000000000000.
        both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 1000000000000000000000000000000.
        nested_both: Invalid Attribute Value: A whole number between 10 and 100 is required, but got 1000000000000000000000000000000.
        secret: Invalid Attribute Value: A whole number between 0 and 100 is required, but got (sensitive value)."#]]
    .assert_eq(&below_and_above("10.5", "1e30"));
}

/// A bound of a 64-bit type is stated only if the number exceeds it.
#[test]
fn bounds_of_wide_types_are_named_if_they_matter() {
    expect![[r#"
        either: Invalid Attribute Value: A whole number between 0 and 10 is required, but got 20.
        either: Invalid Attribute Value Match: One of 80 is required, but got 20.
        cores[1]: Invalid Attribute Value: A whole number between 1 and 64 is required, but got 65.
        wide: Invalid Attribute Value: A whole number of at most 100 is required, but got 101.
        share: Invalid Attribute Value: A number of at least 0.5 is required, but got 0.4.
        unlimited: Invalid Attribute Value: A whole number is required, but got 0.5."#]]
    .assert_eq(&errors(config! {
        either = 20, cores = [1, 65], wide = 101, share = 0.4, unlimited = 0.5,
    }));
    expect![[r#"
        cores[1]: Invalid Attribute Value: A whole number between 1 and 64 is required, but got 300.
        cores[2]: Invalid Attribute Value: A whole number between 1 and 64 is required, but got -1.
        wide: Invalid Attribute Value: A whole number between -9223372036854775808 and 100 is required, but got -9223372036854775809.
        unlimited: Invalid Attribute Value: A whole number between -9223372036854775808 and 9223372036854775807 is required, but got 9223372036854775808."#]]
    .assert_eq(&errors(config! {
        cores = [1, 300, (-1)],
        wide = number("-9223372036854775809"),
        unlimited = number("9223372036854775808"),
    }));
}

#[test]
fn ranges_that_exclude_every_number_are_reported_with_the_schema() {
    let attribute = Attribute::of::<u8>("size").validate::<u8, _>(at_least(10)).validate::<u8, _>(at_most(5));
    let schema = Schema::new(Block::new().attribute(attribute));
    expect!["size: its validators accept no number: they require a whole number between 10 and 5"]
        .assert_eq(&schema.definition_errors().iter().map(ToString::to_string).collect::<String>());
}

#[test]
fn malformed_strings_name_the_expected_format_and_the_value() {
    let config = config! {
        name = "Web 1",
        label = "Web 1",
        start = "2024-13-01T00:00:00Z",
        start_newtype = "tomorrow",
        wait = "-5m",
        address = "10.0.0.256",
        address_newtype = "localhost",
        network = "10.0.0.0",
        mac = "02:00:5e:10:00",
        url = "example.com",
        uuid = "123",
        document = "{",
        color = "blue",
        token = "hunter2",
    };
    expect![[r#"
        name: Invalid Attribute Value: Lowercase letters are required, but got "Web 1".
        label: Invalid Attribute Value Match: Lowercase letters are required, but got "Web 1".
        start: Invalid RFC3339 String Value: A time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "2024-13-01T00:00:00Z": the time does not exist, or it has more than nine fractional digits.
        start_newtype: Invalid RFC3339 String Value: A time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got "tomorrow": the format is invalid.
        wait: Invalid Attribute Value: A non-negative duration such as 1h30m is required, but got "-5m": this duration is negative.
        address: Invalid IP Address String Value: An IP address such as 192.0.2.1 or 2001:db8::1 is required, but got "10.0.0.256": invalid IP address syntax.
        address_newtype: Invalid IP Address String Value: An IP address such as 192.0.2.1 or 2001:db8::1 is required, but got "localhost": invalid IP address syntax.
        network: Invalid IP CIDR String Value: A network such as 10.0.0.0/8 is required, but got "10.0.0.0": the format is invalid.
        mac: Invalid MAC Address String Value: A MAC address such as 02:00:5e:10:00:01 is required, but got "02:00:5e:10:00".
        url: Invalid Attribute Value: A URL such as https://example.com is required, but got "example.com": relative URL without a base.
        uuid: Invalid Attribute Value: A UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8 is required, but got "123": a UUID consists of 32 hexadecimal digits.
        document: Invalid JSON String Value: A JSON document is required, but got "{": invalid JSON: unexpected end of input.
        color: Invalid Attribute Value: A color such as #ff0000 is required, but got "blue": invalid digit found in string.
        token: Invalid Attribute Value: A URL such as https://example.com is required, but got (sensitive value)."#]]
    .assert_eq(&errors(config));
}
