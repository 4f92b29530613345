//! Conversions do not lose data: Rust values without a Terraform value and Terraform values that a Rust type cannot
//! represent are rejected.

use std::collections::BTreeMap;
use std::time::Duration;

use ferroform::value::{Path, Step, Type, Value};
use ferroform::{
    ApplyCx, Attr, Data, Dynamic, IntoData, Model, Planned, ReadCx, Resource, Result, Unhandled, path,
};
use ferroform_engine::{ApplyRequest, RpcMetadata, contract};
use ferroform_testing::provider;
use num_bigint::BigInt;

/// A resource whose values may not be representable in Terraform.
#[derive(Model, Clone, Debug, Default, PartialEq)]
struct Gauge {
    name: String,
    #[attr(computed)]
    level: Option<f64>,
    #[attr(computed)]
    narrow: Option<f32>,
    #[attr(computed)]
    total: Option<BigInt>,
    #[attr(computed)]
    since: Option<Duration>,
    #[attr(computed)]
    notes: Option<BTreeMap<String, u8>>,
}

/// Two strings with the same normal form C, which Terraform treats as one map key.
fn two_keys() -> BTreeMap<String, u8> {
    BTreeMap::from([("e\u{301}".to_owned(), 1), ("\u{e9}".to_owned(), 2)])
}

fn with_unrepresentable(name: &str) -> Gauge {
    let mut it = Gauge { name: name.into(), ..Gauge::default() };
    match name {
        "level" => it.level = Some(f64::NAN),
        "narrow" => it.narrow = Some(f32::NAN),
        "total" => it.total = Some((BigInt::from(1) << 5000_u32) + 1_u8),
        "since" => it.since = Some(Duration::MAX),
        "notes" => it.notes = Some(two_keys()),
        _ => {}
    }
    it
}

#[test]
fn values_without_terraform_representation_are_rejected() {
    for name in ["level", "narrow", "total", "since", "notes"] {
        let mut data = Data::of(&Gauge::default());
        let gauge = with_unrepresentable(name);
        let error = data.set(Path::ROOT, gauge.clone()).expect_err(name).to_string();
        assert!(error.starts_with(&format!("{name}: Value Conversion Error: A ")), "{error}");
        assert!(Data::of(&gauge).read::<Gauge>().is_err(), "{name}");
        assert_eq!(data, Data::of(&Gauge::default()));
    }
    let error = |it: Result<()>| it.expect_err("an error").to_string();
    let mut data = Data::of(&Gauge::default());
    let huge = || (BigInt::from(1) << 5000_u32) + 1_u8;
    for (error, expected) in [
        (
            error(data.set(path!(level), f64::NAN)),
            "level: Value Conversion Error: A number is required, but got NaN, which Terraform cannot represent.",
        ),
        (
            error(Dynamic::of(f64::NAN).map(drop)),
            "Value Conversion Error: A number is required, but got NaN, which Terraform cannot represent.",
        ),
        (
            error(Data::of(&with_unrepresentable("level")).get::<f64>(path!(level)).map(drop)),
            "level: Value Conversion Error: A number is required, but got NaN, which Terraform cannot represent.",
        ),
        (
            error(f64::NAN.into_data().convert(&Type::String).map(drop)),
            "Value Conversion Error: A number is required, but got NaN, which Terraform cannot represent.",
        ),
    ] {
        assert_eq!(error, expected);
    }
    for error in
        [error(data.set(path!(total), huge())), error(huge().into_data().convert(&Type::String).map(drop))]
    {
        assert!(
            error.contains("A number is required, but got 14124670321394")
                && error.contains("cannot represent"),
            "{error}"
        );
    }
    for it in [Dynamic::of(f64::NAN), Dynamic::of(Duration::MAX), Dynamic::of(two_keys())] {
        assert!(it.is_err());
    }
    assert!(Data::list_of(Type::Number, [1.0, f64::NAN]).is_err());
}

provider! { Test { resource Gauge = "test_gauge" } }

impl Resource for Gauge {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<GaugeComputed> {
        Ok(with_unrepresentable(&plan.name).into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// The error has the attribute path, and the state contains the created object, so that it can be destroyed.
#[test]
fn object_with_unrepresentable_value_is_stored_and_reported() {
    let server = ferroform::server::<Test>();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    assert!(
        runtime
            .block_on(server.configure_provider(Value::object::<&str>([]), &RpcMetadata::default()))
            .is_empty()
    );
    for (name, message) in [
        ("level", "level: a number that Terraform can represent is required, but the provider returned NaN"),
        (
            "narrow",
            "narrow: a number that Terraform can represent is required, but the provider returned NaN",
        ),
        (
            "total",
            "total: a number that Terraform can represent is required, but the provider returned 14124670321394",
        ),
        ("since", "since: the type in the schema is string, but the provider returned 18446744073709551615"),
        (
            "notes",
            "notes: the type in the schema is map(number), but the provider returned a list of length 2",
        ),
    ] {
        let object = |it: Value| if let Value::Object(it) = it { it } else { unreachable!() };
        let mut planned = object(Gauge { name: name.into(), ..Gauge::default() }.to_value());
        let config = Value::Object(planned.clone());
        for it in ["level", "narrow", "total", "since", "notes"] {
            planned.insert(it, Value::UNKNOWN);
        }
        let response = runtime.block_on(server.apply_resource_change(ApplyRequest {
            type_name: "test_gauge".into(),
            prior: Some(Value::Null),
            planned: Some(Value::Object(planned)),
            config: Some(config),
            planned_private: Vec::new(),
            ..ApplyRequest::default()
        }));
        let found = response.diagnostics.to_string();
        assert!(found.contains(message), "{found}");
        let state = response.state.expect("the object was created");
        assert!(contract::check_type(&Gauge::schema().block, &state).is_empty(), "{state:?}");
        assert_eq!(state.attribute("name"), Some(&name.into()));
    }
}

#[test]
fn elements_that_become_equal_are_rejected() {
    let zones = Type::set(Type::String);
    let mut data = Data::set_of(Type::String, ["a", "b"]).expect("a set");
    let a = Path::from_iter([Step::Element(Box::new("a".into()))]);
    let error = data.set(&a, "b").expect_err("there is one already");
    assert_eq!(
        error.to_string(),
        "[an element of the set]: Value Conversion Error: The set already contains this element."
    );
    assert_eq!(data, Data::set_of(Type::String, ["a", "b"]).expect("a set"));
    data.set(&a, "c").expect("another element");
    assert_eq!(data, Data::typed(zones, Value::set(["c".into(), "b".into()])).expect("a set"));
}

#[test]
fn dynamic_elements_have_one_type() {
    let any = || Type::Dynamic;
    for list in [
        Data::list_of(any(), ["a".into_data(), 1.into_data()]),
        Data::set_of(any(), ["a".into_data(), 1.into_data()]),
        Data::map_of(any(), [("k", "a".into_data()), ("l", 1.into_data())]),
        Data::typed(
            Type::list(any()),
            Value::List(vec![
                Value::dynamic(Type::Bool, true.into()),
                Value::dynamic(Type::String, "a".into()),
            ]),
        ),
    ] {
        let error = list.expect_err("two types").to_string();
        assert_eq!(error, "Value Conversion Error: All elements must have the same type.");
    }
    assert!(Data::list_of(any(), ["a", "b"]).is_ok());
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    #[attr(flatten)]
    position: Position,
    size: Option<u8>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Position {
    row: u8,
}

#[test]
fn attributes_and_fields_match_exactly() {
    let complete = [("name", "a".into()), ("row", Value::from(1)), ("size", Value::Null)];
    assert!(Disk::from_value(&Value::object(complete.clone())).is_ok());
    let read = |it: Vec<(&str, Value)>| {
        Vec::<Disk>::from_value(&Value::List(vec![Value::object(it)])).map_err(|e| e.to_string())
    };
    let more = complete.iter().cloned().chain([("color", "red".into())]).collect();
    assert_eq!(read(more), Err("[0].color: there is no field for this attribute".into()));
    for missing in 0..complete.len() {
        let mut less = complete.to_vec();
        let (name, _) = less.remove(missing);
        assert_eq!(read(less), Err(format!("[0].{name}: there is no attribute for this field")));
    }
    // All differences are reported.
    let other = vec![("name", "a".into()), ("row", Value::from(1)), ("color", "red".into())];
    assert_eq!(
        read(other.clone()),
        Err("[0]: color: there is no field for this attribute; size: there is no attribute for this field"
            .into())
    );
    let more = other.into_iter().chain([("size", Value::from(300)), ("form", "round".into())]).collect();
    assert_eq!(
        read(more),
        Err("[0]: there are no fields for the attributes color, form; size: a whole number between 0 and 255 is \
             required, but got 300"
            .into())
    );
    // The default value of an object starts without attributes.
    let zero = Disk::from_value_or(&Value::Null, Unhandled::default().null_as_default());
    assert_eq!(zero, Ok(Disk { name: String::new(), position: Position { row: 0 }, size: None }));
}

#[test]
fn all_mismatches_of_an_object_are_reported() {
    let error = |it: Result<()>| it.unwrap_err().to_string();
    let ty = Type::object([("name", Type::Number), ("row", Type::Bool), ("size", Type::Number)]);
    let value = Value::object([("name", 5.into()), ("row", true.into()), ("size", 1.into())]);
    let data = Data::typed(ty, value).unwrap();
    assert_eq!(
        error(data.read::<Disk>().map(drop)),
        "Value Conversion Error: Several attributes differ; name: a string is required, but got a number; row: a number is \
         required, but got a bool."
    );
    // A single mismatch has its path.
    let ty = Type::object([("name", Type::Number), ("row", Type::Number), ("size", Type::Number)]);
    let value = Value::object([("name", 5.into()), ("row", 1.into()), ("size", 1.into())]);
    let data = Data::typed(ty, value).unwrap();
    assert_eq!(
        error(data.read::<Disk>().map(drop)),
        "name: Value Conversion Error: A string is required, but got a number."
    );

    let ty = Type::object([("disks", Type::tuple([Type::String, Type::Number])), ("open", Type::Number)]);
    let disks = Value::Tuple(vec!["a".into(), 1.into()]);
    let data = Data::typed(ty, Value::object([("disks", disks), ("open", 1.into())])).unwrap();
    let to = Type::object([("disks", Type::list(Type::Number)), ("open", Type::Bool), ("size", Type::Bool)]);
    let errors = data.convert(&to).unwrap_err();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "Value Conversion Error: Attribute \"size\" is required.",
            "disks[0]: Value Conversion Error: A number is required.",
            "open: Value Conversion Error: A bool is required, but got a number.",
        ]
    );
}

#[test]
fn rejected_default_value_reports_the_null() {
    let all = Unhandled::default().null_as_default().unknown_as_default();
    fn error_message<T: ferroform::AttrValue>(value: &Value, unhandled: Unhandled) -> String {
        T::from_value_or(value, unhandled).expect_err("no default value").to_string()
    }
    assert_eq!(
        error_message::<std::net::IpAddr>(&Value::Null, all),
        "an IP address such as 192.0.2.1 or 2001:db8::1 is required, but got null"
    );
    assert_eq!(
        error_message::<url::Url>(&Value::UNKNOWN, all),
        "a URL such as https://example.com is required, but got an unknown value"
    );
}

#[test]
fn parsed_strings_are_exact_or_rejected() {
    let time = |string: &str| jiff::Timestamp::from_value(&string.into()).map_err(|e| e.to_string());
    // jiff does not support leap seconds.
    assert_eq!(
        time("2016-12-31T23:59:60Z"),
        Err("a time such as 2030-12-31T23:59:59Z (RFC 3339) is required, but got \"2016-12-31T23:59:60Z\": leap seconds are not supported"
            .into())
    );
    let json = |string: &str| serde_json::Value::from_value(&string.into()).map_err(|e| e.to_string());
    assert_eq!(
        json(r#"[{"a": 1, "b": {"c:\"": 2, "c:\"": 3}}]"#),
        Err("a JSON document is required, but got \"[{\\\"a\\\": 1, \\\"b\\\": {\\\"c:\\\\\\\"\\\": 2, \\\"c:\\\\\\\"\\\": 3}}]\": an object has two members with the same name".into())
    );
    assert!(json(r#"[{"a:": ":", "b": {"a:": "\":"}}, {"a:": null}]"#).is_ok());
}

#[test]
fn paths_inside_dynamic_values_can_be_read() {
    let disks =
        Data::list_of(Disk::ty(), [Disk { name: "a".into(), position: Position { row: 1 }, size: Some(7) }]);
    let data =
        Data::object_of([("extra", Type::Dynamic)], [("extra", disks.expect("a list"))]).expect("an object");
    let found = data.matches(&ferroform::pattern!(extra[*].size)).expect("paths");
    assert_eq!(found, [path!(extra[0].size)]);
    assert_eq!(data.get::<u8>(&found[0]), Ok(7));
    assert_eq!(data.at(path!(extra[0].size)).map(|it| it.ty().clone()), Ok(Type::Number));
    let error = data.get::<u8>(path!(extra[0].color)).expect_err("no such path").to_string();
    assert!(error.starts_with("extra[0].color: Value Conversion Error: There is no such path"), "{error}");
}
