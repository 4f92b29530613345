//! Attribute types of the standard library: `Arc<str>`, `Box<str>`, `PathBuf`, `NonZero` integers and `VecDeque`.

use std::collections::{BTreeMap, VecDeque};
use std::num::{NonZeroI8, NonZeroU8, NonZeroU128};
use std::path::PathBuf;
use std::sync::Arc;

use ferroform::validators::{at_most, each};
use ferroform::value::{Type, Value};
use ferroform::{Attr, AttrValue, Config, Known, Maybe, Model, Shape, Unknown};
use ferroform_testing::{Harness, config};

fn assert_round_trip<T: AttrValue>(it: T, ty: Type, value: impl Into<Value>) {
    let value = value.into();
    assert_eq!(T::ty(), ty);
    assert_eq!(it.to_value(), value);
    assert_eq!(T::from_value(&value), Ok(it));
    assert!(T::from_value(&T::placeholder()).is_ok(), "the placeholder is valid");
}

#[test]
fn standard_types_convert_both_ways() {
    assert_round_trip::<Arc<str>>("a".into(), Type::String, "a");
    assert_round_trip::<Box<str>>("a".into(), Type::String, "a");
    assert_round_trip(PathBuf::from("/a/b"), Type::String, "/a/b");
    assert_round_trip(NonZeroU8::MAX, Type::Number, 255);
    assert_round_trip(NonZeroI8::MIN, Type::Number, -128);
    assert_round_trip(NonZeroU128::MIN, Type::Number, 1);
    let ports = VecDeque::from([80_u16, 443]);
    assert_round_trip(ports, Type::list(Type::Number), Value::List(vec![80.into(), 443.into()]));
    assert_round_trip(
        BTreeMap::from([(Arc::<str>::from("a"), 1_u8)]),
        Type::map(Type::Number),
        Value::map([("a", 1.into())]),
    );
    assert_eq!(<VecDeque<String> as Attr>::SHAPE, Shape::List);
    assert_eq!(<Arc<str> as Attr>::SHAPE, Shape::Scalar);
}

#[test]
fn non_zero_numbers_reject_zero_and_name_their_range() {
    let error = |value: Value| NonZeroU8::from_value(&value).unwrap_err().to_string();
    assert_eq!(error(0.into()), "a whole number between 1 and 255 is required, but got 0");
    assert_eq!(error(256.into()), "a whole number between 1 and 255 is required, but got 256");
    assert_eq!(error("x".into()), "a whole number is required, but got a string");
    let error = |value: Value| NonZeroI8::from_value(&value).unwrap_err().to_string();
    assert_eq!(error(0.into()), "a whole number other than 0 is required, but got 0");
    assert_eq!(error(128.into()), "a whole number between -128 and 127 is required, but got 128");
}

#[cfg(unix)]
#[test]
fn non_unicode_path_cannot_be_converted() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    let path = PathBuf::from(OsString::from_vec(vec![0xff]));
    assert!(PathBuf::from_value(&path.to_value()).is_err());
}

/// A pool of connections.
#[derive(Model, Clone, Debug, PartialEq)]
struct Pool {
    socket: PathBuf,
    name: Arc<str>,
    #[attr(validate = at_most(NonZeroU8::new(16).unwrap()))]
    size: NonZeroU8,
    #[attr(default = VecDeque::from([1_u32]), max_items = 3, validate = each(at_most(60_u32)))]
    delays: VecDeque<u32>,
}

#[test]
fn standard_types_are_fields_of_models() {
    let config = Config::<Pool> {
        socket: Known("/run/db".into()),
        name: Known("main".into()),
        size: Known(NonZeroU8::MIN),
        delays: Known(None),
    };
    let pool =
        Pool { socket: "/run/db".into(), name: "main".into(), size: NonZeroU8::MIN, delays: [1].into() };
    assert_eq!(Pool::from_config(config.clone()), Ok(Known(pool)));
    let _: &Maybe<Arc<str>> = &config.name;
    let _: &Maybe<Option<VecDeque<Maybe<u32>>>> = &config.delays;
    let unknown_element = Config::<Pool> { delays: Known(Some([Unknown].into())), ..config };
    assert_eq!(Pool::from_config(unknown_element), Ok(Unknown));
}

mod provider {
    use ferroform::{Args, DataCx, DataSource, Provider, Registry, RequestCx, Result};

    use super::*;

    /// The configuration of the provider.
    #[derive(Model, Clone, Debug, PartialEq)]
    pub(super) struct Settings {
        endpoint: String,
        #[attr(default = 4)]
        connections: u32,
        #[attr(default_with = || Some("nobody".to_owned()))]
        user: Option<String>,
        retry: Option<Retry>,
    }

    /// When to try again.
    #[derive(Model, Clone, Debug, PartialEq)]
    pub(super) struct Retry {
        #[attr(default = 3)]
        attempts: u32,
    }

    pub(super) struct Service(Settings);

    impl Provider for Service {
        const ADDRESS: &'static str = "registry.terraform.io/example/service";
        type Config = Settings;

        async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
            Ok(Settings::from_config(config)?.map(Service))
        }

        fn register(registry: &mut Registry<Self>) {
            registry.data_source::<Echo>("service_echo");
        }
    }

    /// The settings of the provider and of the data source.
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Echo {
        #[attr(default = 7)]
        number: u32,
        item: Item,
        #[attr(computed)]
        seen: String,
    }

    #[derive(Model, Clone, Debug, PartialEq)]
    struct Item {
        #[attr(default = "small")]
        size: String,
    }

    impl DataSource for Echo {
        type Provider = Service;

        async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<EchoComputed> {
            // An attribute with a default has its plain type.
            let (number, size): (u32, String) = (args.number, args.item.size);
            Ok(EchoComputed { seen: format!("{number} {size} {:?}", cx.provider.0) })
        }
    }
}

#[test]
fn known_provider_configuration_and_arguments_have_their_defaults() {
    let harness = Harness::start::<provider::Service>(config! { endpoint = "e", retry = {} });
    let echo = harness.data_source("service_echo").read(config! { item = {} });
    let expected = "7 small Settings { endpoint: \"e\", connections: 4, user: Some(\"nobody\"), \
                    retry: Some(Retry { attempts: 3 }) }";
    assert_eq!(echo.get::<String>(ferroform::path!(seen)), expected);
}
