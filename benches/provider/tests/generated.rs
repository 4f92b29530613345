//! Types that are built at run time, as Terraform sees them.

#![allow(clippy::unwrap_used, reason = "test code")]

use std::process::Command;

use ferroform::value::{Object, Type, Value, json, msgpack};
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::schema::Attribute;
use ferroform_proto::tfplugin6::{DynamicValue, Schema, get_provider_schema, validate_resource_config};
use plugin_client::{Channel, Identity, Plugin, Setup, sockets};

const PROGRAM: &str = env!("CARGO_BIN_EXE_terraform-provider-bench");

async fn start(types: usize) -> (Plugin, Channel) {
    std::fs::create_dir_all(sockets()).unwrap();
    let identity = Identity::p521(1);
    let (plugin, handshake) = Setup::of(PROGRAM)
        .env("BENCH_TYPES", types.to_string())
        .with_client_certificate(&identity)
        .start_and_handshake()
        .await;
    let channel = handshake.connect(&identity).await;
    (plugin, channel)
}

async fn attributes(channel: &Channel) -> Vec<Attribute> {
    let schema = channel.provider().get_provider_schema(get_provider_schema::Request {}).await;
    let schema = &schema.unwrap().into_inner().resource_schemas["bench_gen_0000"];
    Schema::decode(&**schema).unwrap().block.unwrap().attributes
}

fn nested(it: &Attribute) -> &[Attribute] {
    it.nested_type.as_ref().map_or(&[], |it| &it.attributes)
}

fn ty(attributes: &[Attribute]) -> Type {
    let one = |it: &Attribute| match nested(it) {
        [] => json::type_from_slice(&it.r#type).unwrap(),
        inside => ty(inside),
    };
    Type::object(attributes.iter().map(|it| (it.name.clone(), one(it))))
}

#[tokio::test]
async fn descriptions_have_typical_length() {
    let (_plugin, channel) = start(1).await;
    let attributes = attributes(&channel).await;
    let all: Vec<&Attribute> = attributes.iter().chain(attributes.iter().flat_map(nested)).collect();
    assert_eq!(all.len(), 40 + 5 * 5);
    for it in all {
        assert!((63..=67).contains(&it.description.len()), "{}: {}", it.name, it.description);
    }
}

#[tokio::test]
async fn response_of_many_frames_is_received() {
    let (_plugin, channel) = start(200).await;
    for _ in 0..2 {
        let all = channel.provider().get_provider_schema(get_provider_schema::Request {}).await;
        let all = all.unwrap().into_inner();
        assert!(all.diagnostics.is_empty() && all.server_capabilities.unwrap().move_resource_state);
        assert_eq!(all.resource_schemas.len(), 7 + 200);
        for (number, (name, schema)) in
            all.resource_schemas.range("bench_gen".to_owned()..).take(200).enumerate()
        {
            assert_eq!(*name, format!("bench_gen_{number:04}"));
            let block = Schema::decode(&**schema).unwrap().block.unwrap();
            assert_eq!(block.attributes.len(), 40);
            let about = format!("The attr_39 of generated type {number:04}, described at the common length.");
            assert_eq!(block.attributes[39].description, about);
        }
    }
}

#[tokio::test]
async fn whole_numbers_are_validated() {
    let (_plugin, channel) = start(1).await;
    let attributes = attributes(&channel).await;
    let ty = ty(&attributes);
    let object = |of: &[Attribute], set: &[(&str, Value)]| -> Value {
        let mut object: Object = of.iter().map(|it| (it.name.as_str().into(), Value::Null)).collect();
        set.iter().for_each(|(name, it)| drop(object.insert(*name, it.clone())));
        Value::Object(object)
    };
    let inside = attributes.iter().find(|it| it.name == "attr_06").map(nested).unwrap();
    for (number, error_count) in [("3", 0), ("1.5", 2)] {
        let number = Value::from(number.parse::<ferroform::value::Number>().unwrap());
        let weighty = object(inside, &[("key", "k".into()), ("weight", number.clone())]);
        let config = object(&attributes, &[("attr_03", number), ("attr_06", weighty)]);
        let request = validate_resource_config::Request {
            type_name: "bench_gen_0000".into(),
            config: Some(DynamicValue {
                msgpack: msgpack::encode(&config, &ty).unwrap().into(),
                ..Default::default()
            }),
            client_capabilities: None,
        };
        let found =
            channel.provider().validate_resource_config(request).await.unwrap().into_inner().diagnostics;
        assert_eq!(found.len(), error_count, "{found:?}");
        assert!(found.iter().all(|it| it.detail.contains("A whole number is required")), "{found:?}");
    }
}

#[test]
fn invalid_number_of_types_is_an_error() {
    let output = Command::new(PROGRAM).env("BENCH_TYPES", "abc").output().unwrap();
    assert!(!output.status.success());
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout, "BENCH_TYPES: a number of types is required, but got \"abc\"\n");
}
