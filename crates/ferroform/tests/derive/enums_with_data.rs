//! Enums with data: objects of which exactly one attribute is set.

use crate::common::{check, instance};
use expect_test::expect;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested, Schema};
use ferroform::validators::length_at_most;
use ferroform::value::{Type, Value};
use ferroform::{
    ApplyCx, Args, Attr, Change, Config, DataCx, DataSource, Known, Maybe, Model, PlanCx, Planned, Proposed,
    ReadCx, RequestCx, Resource, Result, Set, Unknown, path,
};
use ferroform_testing::{Action, Harness, config, provider, unknown};

/// The source of the content.
#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    /// A bucket.
    Bucket(Bucket),
    /// The content as a string.
    #[attr(validate = length_at_most(5), sensitive)]
    Inline(String),
    #[attr(rename = "from_urls", deprecated = "Use a bucket.")]
    Urls(Vec<String>),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Bucket {
    name: String,
    #[attr(default = "latest")]
    version: String,
    #[attr(computed, follows(name))]
    url: String,
}

/// An enum without computed attributes.
#[derive(Attr, Clone, Debug, PartialEq)]
enum Size {
    Fixed(u32),
    Range(Range),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Range {
    min: u32,
    max: Option<u32>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires_replace)]
    name: String,
    #[attr(mixed)]
    source: Source,
    size: Option<Size>,
    sizes: Option<Vec<Size>>,
    set: Option<Set<Size>>,
    #[attr(optional, computed, use_state_for_unknown)]
    chosen: Size,
    #[attr(block)]
    limit: Option<Size>,
}

#[test]
fn schema_has_one_attribute_for_each_variant() {
    let schema = File::schema();
    assert!(schema.definition_errors().is_empty(), "{:?}", schema.definition_errors());
    let source = schema.block.get("source").expect("it is there");
    let nested = source.nested().expect("an object").block();
    let of = |it: &Attribute| (it.name().to_string(), it.mode(), it.is_sensitive(), it.full_description());
    assert_eq!(
        nested.attributes().iter().map(of).collect::<Vec<_>>(),
        [
            ("bucket".to_owned(), Mode::Optional, false, "A bucket.".to_owned()),
            ("inline".to_owned(), Mode::Optional, true, "The content as a string.".to_owned()),
            ("from_urls".to_owned(), Mode::Optional, false, String::new()),
        ]
    );
    assert_eq!((source.mode(), &*source.full_description()), (Mode::Required, "The source of the content."));
    assert_eq!(nested.full_description(), "The source of the content.");
    assert_eq!(nested.attributes()[2].behavior().deprecated.as_deref(), Some("Use a bucket."));
    assert_eq!(Size::ty(), Type::object([("fixed", Type::Number), ("range", Range::ty())]));
}

#[test]
fn enum_with_data_round_trips() {
    let range = Size::Range(Range { min: 1, max: None });
    let value = Value::object([
        ("fixed", Value::Null),
        ("range", Value::object([("min", Value::from(1)), ("max", Value::Null)])),
    ]);
    assert_eq!(range.to_value(), value);
    assert_eq!(Size::from_value(&value), Ok(range));
    let both =
        Value::object([("fixed", Value::from(1)), ("range", value.attribute("range").expect("set").clone())]);
    let of = |value: &Value| Size::from_value(value).expect_err("an invalid value").to_string();
    expect![[r#"
        fixed: exactly one of "fixed", "range" must be set, but "fixed" and "range" are
        exactly one of "fixed", "range" must be set, but none is
        it is not known yet which of "fixed", "range" is set
        an object is required, but got null
        fixed: a whole number between 0 and 4294967295 is required, but got -1"#]]
    .assert_eq(
        &[
            of(&both),
            of(&Value::object([("fixed", Value::Null), ("range", Value::Null)])),
            of(&Value::object([("fixed", Value::UNKNOWN), ("range", Value::UNKNOWN)])),
            of(&Value::Null),
            of(&Value::object([("fixed", Value::from(-1)), ("range", Value::Null)])),
        ]
        .join("\n"),
    );
}

#[test]
fn view_is_unknown_if_the_variant_is_unknown() {
    let read = |fixed: Value, range: Value| {
        let value = Value::object([("fixed", fixed), ("range", range)]);
        <Maybe<<Size as Attr>::In<ferroform::view::InConfig>>>::from_value(&value)
    };
    let range = || Value::object([("min", Value::UNKNOWN), ("max", Value::Null)]);
    let not_null = Value::unknown(ferroform::value::Refinements::new().not_null());
    assert_eq!(read(Value::from(1), Value::Null), Ok(Known(SizeView::Fixed(Known(1)))));
    // Only one variant remains possible, so the value has that variant.
    assert_eq!(read(Value::UNKNOWN, Value::Null), Ok(Known(SizeView::Fixed(Unknown))));
    assert_eq!(read(Value::UNKNOWN, not_null), Ok(Known(SizeView::Range(Unknown))));
    // If one variant is set, no other variant is possible.
    assert_eq!(read(Value::from(1), Value::UNKNOWN), Ok(Known(SizeView::Fixed(Known(1)))));
    assert_eq!(read(Value::UNKNOWN, Value::UNKNOWN), Ok(Unknown));
    let Ok(Known(SizeView::Range(Known(view)))) = read(Value::Null, range()) else { panic!("a range") };
    assert_eq!((view.min, view.max), (Unknown, Known(None)));
    // The same applies to an optional value.
    let value = Value::object([("fixed", Value::UNKNOWN), ("range", Value::UNKNOWN)]);
    assert_eq!(<Maybe<Option<SizeView<ferroform::view::InConfig>>>>::from_value(&value), Ok(Unknown));
    assert_eq!(format!("{:?}", Source::Inline("abc".into())).len(), 13);
    let view = SourceView::<ferroform::view::InArgs>::Inline("abc".into());
    assert_eq!(format!("{view:?} {:?}", view.clone() == view), "Inline((sensitive value)) true");
}

#[test]
fn enum_with_data_is_planned_as_an_object() {
    let state = || {
        config! {
            name = "f", source = { bucket = { name = "b", version = "latest", url = "u" } },
            size = { fixed = 1 }, sizes = [{ fixed = 1 }, { range = { min = 2 } }], chosen = { fixed = 7 },
        }
    };
    check::<File>(
        Some(state()),
        config! {
            name = "f", source = { bucket = { name = "b" } },
            size = { fixed = 1 }, sizes = [{ fixed = 1 }, { range = { min = 2 } }], chosen = { fixed = 7 },
        },
        expect!["no change"],
    );
    // The variant changes.
    check::<File>(
        Some(state()),
        config! {
            name = "f", source = { inline = "text" }, size = { range = { min = 1 } },
            sizes = [{ fixed = unknown(), range = unknown() }], set = [{ fixed = 1 }, unknown()],
            limit { fixed = 3 }
        },
        expect![[r#"
            update
            + source.inline = (sensitive value)
            + size.range.min = 1
            ~ sizes[0].fixed = 1 -> (known after apply)
            + sizes[0].range = (known after apply)
            + set = [{fixed = 1}, (known after apply)]
            + limit.fixed = 3
            - source.bucket.name = "b"
            - source.bucket.version = "latest"
            - source.bucket.url = "u"
            - size.fixed = 1
            - sizes[1].range.min = 2"#]],
    );
    check::<File>(
        None,
        config! { name = "f", source = { bucket = { name = unknown() }, inline = unknown() } },
        expect![[r#"
            create
            + name = "f"
            + source.bucket.name = (known after apply)
            + source.bucket.version = "latest"
            + source.bucket.url = (known after apply)
            + source.inline = (known after apply)
            + chosen = (known after apply)"#]],
    );
}

provider! { Test { resource File = "test_file", data_source Lookup = "test_lookup" } }

impl Resource for File {
    type Provider = Test;

    async fn validate(_: &RequestCx, config: Config<Self>) -> Result<()> {
        let _: Maybe<SourceView<_>> = config.source;
        Ok(())
    }

    /// Returns the plan without changes. Unknown variants must survive the conversion.
    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FileComputed> {
        let source = match plan.source {
            SourceView::Bucket(it) => Source::Bucket(Bucket {
                url: it.url.unwrap_or_else(|| format!("s3://{}", it.name)),
                name: it.name,
                version: it.version,
            }),
            SourceView::Inline(content) => Source::Inline(content),
            SourceView::Urls(urls) => Source::Urls(urls),
        };
        Ok(FileComputed { source, chosen: Size::Fixed(9) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<FileComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Lookup {
    by: By,
    #[attr(computed)]
    found: Source,
}

#[derive(Attr, Clone, Debug, PartialEq)]
enum By {
    Id(u64),
    Name(String),
}

impl DataSource for Lookup {
    type Provider = Test;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<LookupComputed> {
        let content = match args.by {
            ByView::Id(id) => format!("{id}"),
            ByView::Name(name) => name,
        };
        Ok(LookupComputed { found: Source::Inline(content) })
    }
}

#[test]
fn enum_with_data_is_created_updated_and_deleted() {
    let harness =
        Harness::start::<Test>(config! {}).skip_check(ferroform_testing::Invariant::DestroyRemovesObject);
    let mut file = harness.resource("test_file");
    file.apply(config! { name = "f", source = { bucket = { name = "b" } } });
    assert_eq!(file.state().get::<String>(path!(source.bucket.url)), "s3://b");
    assert_eq!(file.state().get::<u32>(path!(chosen.fixed)), 9);
    let plan = file.plan(config! { name = "f", source = { inline = "text" } });
    assert_eq!(plan.action, Action::Update);
    file.apply(config! { name = "f", source = { inline = "text" }, size = { range = { min = 1 } } });
    assert_eq!(file.state().get::<String>(path!(source.inline)), "text");

    // Values that are unknown in the plan are known in apply, and determine the variant.
    let first = config! { name = "f", source = { bucket = unknown(), inline = unknown() }, size = { fixed = unknown(), range = { min = 1 } } };
    let last = config! { name = "f", source = { inline = "other" }, size = { range = { min = 1 } } };
    file.apply_once_known(first, last);
    assert_eq!(file.state().get::<String>(path!(source.inline)), "other");
    let tried = file.plan_with_unknowns(config! {
        name = "f", source = { inline = "x" }, size = { fixed = 1 }, sizes = [{ fixed = 1 }, { range = { min = 2 } }],
        set = [{ fixed = 1 }, { range = { min = 2 } }], limit { fixed = 3 }
    });
    assert!(tried > 15, "{tried}");
    file.destroy();

    let lookup = harness.data_source("test_lookup");
    assert_eq!(lookup.read(config! { by = { id = 7 } }).get::<String>(path!(found.inline)), "7");
    assert_eq!(lookup.read(config! { by = { name = "n" } }).get::<String>(path!(found.inline)), "n");
}

#[test]
fn each_error_is_reported_once() {
    let harness = Harness::start::<Test>(config! {});
    let error_message = |config| harness.resource("test_file").try_apply(config).error().to_string();
    expect![[r#"source: Missing Attribute Configuration: Exactly one of "bucket", "inline", "from_urls" must be set, but none is set."#]].assert_eq(&error_message(config! { name = "f", source = {} }));
    expect![[r#"
        source.from_urls: Attribute Deprecated: Use a bucket.
        source.inline: Invalid Attribute Combination: Exactly one of "bucket", "inline", "from_urls" must be set, but "inline" and "from_urls" are set."#]].assert_eq(&error_message(config! { name = "f", source = { inline = "a", from_urls = [] } }));
    expect!["source.inline: Invalid Attribute Value Length: Requirement: a string of at most 5 bytes. The value is not shown, because it is sensitive."].assert_eq(&error_message(config! { name = "f", source = { inline = "too long" } }));
    expect![[r#"sizes[1]: Missing Attribute Configuration: Exactly one of "fixed", "range" must be set, but none is set."#]]
        .assert_eq(&error_message(config! { name = "f", source = { inline = "a" }, sizes = [{ fixed = 1 }, {}] }));
}

#[test]
fn runtime_schema_behaves_the_same() {
    let optional = |name: &str, ty: Type| Attribute::raw(name, ty).with_mode(Mode::Optional);
    let choice = Block::new()
        .attribute(optional("fixed", Type::Number))
        .attribute(optional("text", Type::String))
        .choice();
    let block = Block::new().attribute(Attribute::raw_nested("size", Nested::single(choice)));
    let schema = Schema::new(block);
    assert!(schema.definition_errors().is_empty());
    let error = instance(schema, true, None).try_apply(config! { size = {} }).error().to_string();
    assert!(error.contains("Exactly one of \"fixed\", \"text\" must be set"), "{error}");
}
