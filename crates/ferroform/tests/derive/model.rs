//! The generated code of `#[derive(Model)]`: schema, views, conversions.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::Mode;
use ferroform::value::{Type, Value};
use ferroform::view::{InArgs, InConfig, InPlanned, InProposed};
use ferroform::{Args, Attr, Computed, Config, Known, Maybe, Model, Planned, Proposed, Set, Unknown};

/// A file on disk.
#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    /// The path of the file.
    #[attr(requires_replace)]
    path: String,
    /// The content of the file.
    #[attr(optional, computed, sensitive)]
    content: String,
    #[attr(default = 420)]
    mode: i64,
    tags: Option<BTreeSet<String>>,
    #[attr(write_only)]
    token: Option<String>,
    owner: Option<Owner>,
    shares: Vec<Owner>,
    labels: BTreeMap<String, u8>,
    #[attr(computed, follows(content))]
    sha256: String,
    #[attr(flatten)]
    stamps: Stamps,
}

/// The owner of the file.
#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    group: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Stamps {
    #[attr(computed, use_state_for_unknown)]
    created: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Nothing {}

/// Types with the usual name of a type parameter.
mod single_letters {
    pub mod model {
        #[derive(ferroform::Model, Clone, Debug, PartialEq)]
        pub struct V {
            pub name: String,
            #[attr(computed)]
            pub id: String,
        }
    }

    pub mod newtype {
        #[derive(ferroform::Attr, Clone, Debug, PartialEq)]
        pub struct V(pub Vec<String>);
    }

    pub mod tagged {
        #[derive(ferroform::Attr, Clone, Debug, PartialEq)]
        pub enum V {
            Name(String),
            Number(u8),
        }
    }

    #[derive(ferroform::Model, Clone, Debug, PartialEq)]
    pub struct Types {
        #[attr(mixed)]
        pub model: model::V,
        pub newtype: newtype::V,
        pub tagged: tagged::V,
    }
}

/// The field types of each view. The function compiles only if every type matches the documented table.
#[allow(dead_code)]
fn table(config: Config<File>, args: Args<File>, proposed: Proposed<File>, planned: Planned<File>) {
    let _: Maybe<String> = config.path;
    let _: String = args.path;
    let _: Maybe<String> = proposed.path;
    let _: String = planned.path;

    let _: Maybe<Option<String>> = config.content;
    let _: Option<String> = args.content;
    let _: Maybe<String> = proposed.content;
    let _: Maybe<String> = planned.content;

    let _: Maybe<Option<i64>> = config.mode;
    let _: i64 = args.mode;
    let _: Maybe<i64> = proposed.mode;
    let _: i64 = planned.mode;

    let _: Maybe<Option<Set<Maybe<String>>>> = config.tags;
    let _: Option<Set<String>> = args.tags;
    let _: Maybe<Option<Set<Maybe<String>>>> = proposed.tags;
    let _: Option<Set<String>> = planned.tags;

    let _: Maybe<Option<String>> = config.token;
    let _: Option<String> = args.token;
    let _: () = proposed.token;
    let _: Option<String> = planned.token;

    let _: Maybe<Option<OwnerView<InConfig>>> = config.owner;
    let _: Option<OwnerView<InArgs>> = args.owner;
    let _: Maybe<Option<OwnerView<InProposed>>> = proposed.owner;
    let _: Option<OwnerView<InPlanned>> = planned.owner;

    let _: Maybe<Vec<Maybe<OwnerView<InConfig>>>> = config.shares;
    let _: Vec<OwnerView<InPlanned>> = planned.shares;
    let _: Maybe<BTreeMap<String, Maybe<u8>>> = config.labels;
    let _: BTreeMap<String, u8> = planned.labels;

    let _: () = config.sha256;
    let _: () = args.sha256;
    let _: Maybe<String> = proposed.sha256;
    let _: Maybe<String> = planned.sha256;

    let _: () = config.stamps.created;
    let _: Maybe<String> = planned.stamps.created;
}

fn file() -> File {
    File {
        path: "a".into(),
        content: "text".into(),
        mode: 420,
        tags: Some(["x".to_owned(), "y".to_owned()].into()),
        token: None,
        owner: Some(Owner { name: "me".into(), group: None }),
        shares: vec![Owner { name: "you".into(), group: Some("all".into()) }],
        labels: [("k".to_owned(), 7)].into(),
        sha256: "00".into(),
        stamps: Stamps { created: "now".into() },
    }
}

#[test]
fn model_round_trips_through_value() {
    assert_eq!(File::from_value(&file().to_value()), Ok(file()));
    assert_eq!(Nothing::from_value(&Nothing {}.to_value()), Ok(Nothing {}));
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Login {
    user: String,
    #[attr(write_only)]
    password: Option<String>,
    #[attr(write_only)]
    pin: u16,
}

#[test]
fn conversion_of_a_plan_keeps_write_only_values() {
    let plan = Planned::<Login> { user: "a".into(), password: Some("b".into()), pin: 7 };
    let login = Login { user: "a".into(), password: Some("b".into()), pin: 7 };
    assert_eq!(Login::try_from(plan), Ok(login.clone()));
    let stored = login.to_value();
    assert_eq!(stored.attribute("password"), Some(&Value::Null));
    assert_eq!(Login::from_value(&stored), Ok(Login { user: "a".into(), password: None, pin: 0 }));
}

#[test]
fn types_can_have_the_name_of_a_type_parameter() {
    use single_letters::{Types, model, newtype, tagged};
    let types = Types {
        model: model::V { name: "n".into(), id: "1".into() },
        newtype: newtype::V(vec!["x".into()]),
        tagged: tagged::V::Number(1),
    };
    let planned = Planned::<Types>::from_value(&types.to_value()).unwrap();
    assert_eq!(Types::try_from(planned), Ok(types));
}

#[test]
fn schema_follows_the_fields() {
    let schema = File::schema();
    let modes: Vec<_> = schema.block.attributes().iter().map(|it| (&**it.name(), it.mode())).collect();
    assert_eq!(
        modes,
        [
            ("path", Mode::Required),
            ("content", Mode::OptionalComputed),
            ("mode", Mode::OptionalComputed),
            ("tags", Mode::Optional),
            ("token", Mode::Optional),
            ("owner", Mode::Optional),
            ("shares", Mode::Required),
            ("labels", Mode::Required),
            ("sha256", Mode::Computed),
            ("created", Mode::Computed),
        ]
    );
    assert_eq!(schema.block.full_description(), "A file on disk.");
    assert_eq!(
        schema.block.get("path").map(|it| it.full_description()).as_deref(),
        Some("The path of the file.")
    );
    let owner = Type::object([("name", Type::String), ("group", Type::String)]);
    assert_eq!(schema.block.get("shares").map(|it| it.ty().clone()), Some(Type::list(owner)));
    assert!(schema.definition_errors().is_empty());
}

#[test]
fn unknown_values_are_read_where_the_view_allows_them() {
    let mut value = file().to_value();
    if let Value::Object(object) = &mut value {
        object.insert("sha256", Value::UNKNOWN);
    }
    let planned = Planned::<File>::from_value(&value).expect("only a computed value is unknown");
    assert_eq!(planned.sha256, Unknown);
    assert_eq!(planned.content, Known("text".into()));
    let error = File::from_value(&value).expect_err("a state has no unknown values");
    assert_eq!(error.to_string(), "sha256: a string is required, but got an unknown value");
}

#[test]
fn errors_contain_the_path_of_the_field() {
    let mut value = file().to_value();
    if let Value::Object(object) = &mut value {
        object.insert("labels", Value::map([("k", Value::from(256))]));
    }
    let error = File::from_value(&value).expect_err("256 is not a u8");
    assert_eq!(
        error.to_string(),
        r#"labels["k"]: a whole number between 0 and 255 is required, but got 256"#
    );
}

#[test]
fn computed_struct_contains_the_computed_fields() {
    let object = FileComputed::from(file()).into_object();
    let names: Vec<_> = object.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["content", "created", "sha256"]);
}

#[test]
fn debug_output_masks_sensitive_fields() {
    let planned = Planned::<File>::from_value(&file().to_value()).expect("a complete file");
    let debug = format!("{planned:?}");
    assert!(debug.contains("(sensitive value)") && !debug.contains("text"), "{debug}");
}
