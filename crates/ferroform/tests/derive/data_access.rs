//! Checked access to values by attribute path.

use ferroform::schema::{Attribute, AttributeExt as _, Block, Nested};
use ferroform::value::{Path, Step, Type, Value};
use ferroform::{Attr, Data, Diagnostics, IntoData, Model, path, pattern};

fn schema() -> Block {
    let disk = Block::new()
        .attribute(Attribute::of::<String>("name"))
        .attribute(Attribute::of::<Option<u8>>("size"));
    Block::new()
        .attribute(Attribute::of::<Option<String>>("id"))
        .attribute(Attribute::raw_nested("disks", Nested::list(disk.clone())))
        .attribute(Attribute::raw_nested("boot", Nested::single(disk)))
        .attribute(Attribute::raw("labels", Type::map(Type::String)))
        .attribute(Attribute::raw("zones", Type::set(Type::String)))
        .attribute(Attribute::raw("extra", Type::Dynamic))
}

fn empty() -> Data {
    Data::new(schema(), Value::Null).expect("a null object")
}

fn error_message(result: Result<(), Diagnostics>) -> String {
    result.expect_err("an error").to_string()
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    size: Option<u8>,
}

#[test]
fn set_creates_missing_parents() {
    let mut data = empty();
    data.set(path!(disks[0].name), "a").expect("the next disk");
    data.set(path!(disks[1]), Disk { name: "b".into(), size: Some(7) }).expect("a model");
    data.set(path!(labels["env"]), "test").expect("a key");
    data.set(Path::attribute("zones").then(Step::Element(Box::new("x".into()))), "x").expect("an element");
    data.set(path!(boot), Data::unknown_of(schema().get("boot").expect("there").ty().clone()))
        .expect("unknown");
    data.set(path!(boot.name), "c").expect("inside an unknown");

    let disks = data.get::<Vec<Disk>>(path!(disks)).expect("disks");
    assert_eq!(disks, [Disk { name: "a".into(), size: None }, Disk { name: "b".into(), size: Some(7) }]);
    assert!(data.at(path!(boot.size)).expect("there").is_unknown());
    assert!(data.at(path!(id)).expect("there").is_null());
    assert_eq!(data.at(path!(zones)).expect("there").elements().map(|it| it.len()), Ok(1));
}

#[test]
fn rejected_value_leaves_data_unchanged() {
    let mut data = empty();
    data.set(path!(disks[0].size), 1).expect("a size");
    let before = data.clone();
    assert!(
        error_message(data.set(path!(disks[2].name), "c"))
            .starts_with("disks: Value Conversion Error: The next element of this list is [1]")
    );
    assert!(
        error_message(data.set(path!(disks[0].size), 256))
            .starts_with("disks[0].size: Value Conversion Error: A whole number between 0 and 255")
    );
    assert!(error_message(data.set(path!(disks[1].size), -1)).starts_with("disks[1].size: "));
    assert!(
        error_message(data.set(path!(disks[0].color), "red"))
            .starts_with("disks[0].color: Value Conversion Error: There is no such path")
    );
    assert!(error_message(data.set(path!(id), 5)).contains("A string is required, but got a number"));
    assert!(
        error_message(data.set(path!(zones), vec!["x".to_owned(), "x".to_owned()]))
            .contains("an element twice")
    );
    assert!(error_message(data.set(path!(labels[0]), "x")).starts_with("labels[0]: "));
    assert_eq!(data, before);
    assert!(Data::new(schema(), Value::from("x")).is_err());
}

#[test]
fn reading_reports_missing_and_extra_attributes() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Other {
        name: String,
        color: String,
    }
    let data = Data::of(&Disk { name: "a".into(), size: None });
    let error = data.read::<Other>().expect_err("two differences");
    assert_eq!(
        error.to_string(),
        "Value Conversion Error: There is no field for the attributes size; there is no attribute for the fields color."
    );
    assert_eq!(data.get::<String>(path!(name)), Ok("a".into()));
    assert!(data.get::<u8>(path!(size)).is_err());
    assert_eq!(data.read::<Disk>(), Ok(Disk { name: "a".into(), size: None }));
}

#[test]
fn dynamic_attribute_is_read_with_its_own_type() {
    let mut data = empty();
    data.set(path!(extra), vec![1_u8]).expect("any value");
    let extra = data.get::<ferroform::Dynamic>(path!(extra)).expect("a value");
    assert_eq!(extra.ty(), &Type::list(Type::Number));
    assert!(data.get::<Vec<u8>>(path!(extra)).is_err());
    assert_eq!(extra.get::<Vec<u8>>(), Ok(vec![1]));
}

/// A dynamic object that contains another one, as the value of a dynamic attribute.
fn with_dynamic_object() -> Data {
    let inside = Data::object_of(
        [("size", Type::Number), ("tags", Type::Dynamic)],
        [("size", 7.into_data()), ("tags", vec!["a".to_owned()].into_data())],
    );
    let mut data = empty();
    data.set(path!(extra), inside.expect("an object")).expect("any value");
    data
}

#[test]
fn path_leads_into_dynamic_value() {
    let mut data = with_dynamic_object();
    assert_eq!(data.get::<u8>(path!(extra.size)), Ok(7));
    assert_eq!(data.get::<String>(path!(extra.tags[0])), Ok("a".to_owned()));
    assert_eq!(data.get::<Option<String>>(path!(extra.tags[1])), Ok(None));
    let extra = data.at(path!(extra)).expect("a value");
    assert_eq!(extra.attributes().map(|it| it.len()), Ok(2));
    assert_eq!(extra.len(), Some(2));
    assert_eq!(data.at(path!(extra.tags)).and_then(|it| it.elements()).map(|it| it.len()), Ok(1));
    let found = data.matches(&pattern!(extra.tags[*])).expect("a path of a dynamic value");
    assert_eq!(found, [path!(extra.tags[0])]);

    // A value inside is written with the type that it has.
    data.set(path!(extra.size), 8).expect("a number");
    data.set(path!(extra.tags[1]), "b").expect("a string");
    assert_eq!(data.get::<u8>(path!(extra.size)), Ok(8));
    let tags = data.get::<ferroform::Dynamic>(path!(extra.tags)).expect("a dynamic value");
    assert_eq!(tags.get::<Vec<String>>(), Ok(vec!["a".to_owned(), "b".to_owned()]));

    // Null and unknown dynamic values contain null and unknown values, as any other value.
    let mut data = empty();
    assert_eq!(data.get::<Option<u8>>(path!(extra.size)), Ok(None));
    data.set(path!(extra), Data::unknown_of(Type::Dynamic)).expect("unknown");
    assert!(data.at(path!(extra.size)).expect("an unknown value").is_unknown());
}

#[test]
fn errors_of_dynamic_values_name_the_type_of_the_value() {
    let mut data = with_dynamic_object();
    let messages = [
        data.get::<String>(path!(extra.size)).map(drop),
        data.get::<u8>(path!(extra.color)).map(drop),
        data.get::<u8>(path!(extra.tags[0].name)).map(drop),
        data.get::<bool>(path!(extra)).map(drop),
        data.at(path!(extra)).and_then(|it| it.elements()).map(drop),
        data.set(path!(extra.size), "large"),
        data.set(path!(extra.color), "red"),
        empty().set(path!(extra.size), 1),
        data.set(path!(id), ferroform::Dynamic::of(1).expect("a number")),
    ];
    let messages: Vec<String> = messages.into_iter().map(error_message).collect();
    expect_test::expect![[r#"
        extra.size: Value Conversion Error: A string is required, but got a number.
        extra.color: Value Conversion Error: There is no such path: a value of the type object({size = number, tags = any}) has no `color`.
        extra.tags[0].name: Value Conversion Error: There is no such path: a value of the type string has no `name`.
        extra: Value Conversion Error: A bool is required, but got a dynamic value that contains an object: read it as `Dynamic`.
        Value Conversion Error: A known list, set or tuple is required, but got an object.
        extra.size: Value Conversion Error: A number is required, but got a string.
        extra.color: Value Conversion Error: There is no such path: a value of the type object({size = number, tags = any}) has no `color`.
        extra: Value Conversion Error: A dynamic value that is null has no type: write it as a whole.
        id: Value Conversion Error: A string is required, but got a dynamic value that contains a number."#]].assert_eq(&messages.join("\n"));
}

/// As in the Terraform language: `tolist(["a", 1])` is a list of strings.
#[test]
fn conversion_resolves_any_to_the_type_of_the_value() {
    let mixed =
        || Data::tuple_of([Type::String, Type::Number], ["a".into_data(), 1.into_data()]).expect("a tuple");
    let any = || Type::Dynamic;
    let object =
        Data::object_of([("a", any()), ("b", any())], [("a", 1.into_data()), ("b", true.into_data())]);
    for (data, to, expected) in [
        (mixed(), Type::list(any()), Ok((Type::list(Type::String), r#"["a", "1"]"#))),
        (mixed(), Type::set(any()), Ok((Type::set(Type::String), r#"["1", "a"]"#))),
        (mixed(), any(), Ok((Type::tuple([Type::String, Type::Number]), r#"["a", 1]"#))),
        ("a".into_data(), any(), Ok((Type::String, r#""a""#))),
        (vec![1].into_data(), Type::set(any()), Ok((Type::set(Type::Number), "[1]"))),
        (
            object.clone().expect("an object"),
            Type::object([("b", any())]),
            Ok((Type::object([("b", Type::Bool)]), "{b = true}")),
        ),
        (
            object.expect("an object"),
            Type::map(any()),
            Err("Value Conversion Error: All map elements must have the same type."),
        ),
        (Data::null_of(any()), Type::list(any()), Ok((Type::list(any()), "null"))),
        (
            ferroform::Dynamic::of(5).expect("a number").into_data(),
            Type::String,
            Ok((Type::String, r#""5""#)),
        ),
    ] {
        let converted = data.convert(&to);
        match expected {
            Ok((ty, printed)) => {
                let converted = converted.unwrap_or_else(|error| panic!("{to}: {error}"));
                assert_eq!((converted.ty(), converted.value().to_string().as_str()), (&ty, printed), "{to}");
                // The result is a value of its type.
                assert_eq!(Data::typed(ty, converted.value().clone()), Ok(converted), "{to}");
            }
            Err(message) => assert_eq!(converted.expect_err("no conversion").to_string(), message),
        }
    }
}

#[test]
fn all_differences_of_an_object_are_reported() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Other {
        name: u8,
        color: String,
    }
    let data = Data::of(&Disk { name: "a".into(), size: None });
    expect_test::expect!["Value Conversion Error: There is no field for the attributes size; there is no attribute for the fields color; name: a number is required, but got a string."].assert_eq(&data.read::<Other>().expect_err("three differences").to_string());
    let ty = Type::object([("color", Type::String), ("name", Type::Number)]);
    let error = Data::typed(ty.clone(), data.value().clone()).expect_err("three differences");
    expect_test::expect!["Value Conversion Error: There is no field for the attributes color; there is no attribute for the fields size; name: a number is required, but got a string."].assert_eq(&error.to_string());
    let error = ferroform::value::json::encode(data.value(), &ty).expect_err("two differences");
    expect_test::expect![[r#"attribute "color" is required; unsupported attribute "size""#]]
        .assert_eq(&error.to_string());
}

#[test]
fn path_patterns_match_paths() {
    let mut data = empty();
    let found = |data: &Data, pattern| {
        data.matches(&pattern).map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(found(&data, pattern!(disks[*].name)), Ok(vec!["".into()]), "the root is null");
    data.set(path!(disks[0].name), "a").expect("a name");
    data.set(path!(disks[1].name), "b").expect("a name");
    assert_eq!(
        found(&data, pattern!(disks[*].name)),
        Ok(vec!["disks[0].name".into(), "disks[1].name".into()])
    );
    assert_eq!(found(&data, pattern!(disks[1].size)), Ok(vec!["disks[1].size".into()]));
    assert_eq!(found(&data, pattern!(disks[7].size)), Ok(vec![]));
    assert_eq!(
        found(&data, pattern!(labels[*])),
        Ok(vec!["labels".into()]),
        "the map is null, so its keys are undetermined"
    );
    assert!(found(&data, pattern!(disks[*].color)).is_err());
    let relative = ferroform::Pattern::ROOT.name("size").below(&path!(disks[0]));
    assert!(relative.matches(&path!(disks[0].size)) && !relative.matches(&path!(disks[0])));
    assert!(relative.matches_start(&path!(disks[0])));
    assert_eq!(pattern!(labels["a b"]).to_string(), r#"labels["a b"]"#);
}

#[test]
fn constructed_values_are_validated() {
    let set = Data::set_of(Type::String, ["a", "b", "a"]).expect_err("twice");
    assert_eq!(
        set.to_string(),
        "[an element of the set]: Value Conversion Error: The set contains this element twice."
    );
    let map =
        Data::map_of(Type::Number, [("a", 1.into_data()), ("b", true.into_data())]).expect_err("a bool");
    assert_eq!(map.to_string(), r#"["b"]: Value Conversion Error: A number is required, but got a bool."#);
    assert!(Data::map_of(Type::Number, [("a", 1), ("a", 2)]).is_err());
    let tuple =
        Data::tuple_of([Type::Bool, Type::Number], [true.into_data(), 1.into_data()]).expect("a tuple");
    assert_eq!(tuple.read::<(bool, u8)>(), Ok((true, 1)));
    assert!(Data::tuple_of([Type::Bool], []).is_err());
    let disk = Disk { name: "a".into(), size: Some(1) };
    let disks = Data::list_of(Disk::ty(), [disk.clone()]).expect("models");
    assert_eq!(disks.read::<Vec<Disk>>(), Ok(vec![disk]));
    assert!(Data::null_of(Type::Bool).is_null() && Data::unknown_of(Type::Bool).is_unknown());
    let converted = Data::list_of(Type::Number, [1, 2]).and_then(|it| it.convert(&Type::set(Type::String)));
    assert_eq!(converted, Data::set_of(Type::String, ["1", "2"]));
}
