//! Moves of objects between resource types.

use expect_test::{Expect, expect};
use ferroform::raw::Move;
use ferroform::schema::{Attribute, Block, Schema, Upgrades};
use ferroform::value::{Type, Value};
use ferroform::{
    Diagnostic, Diagnostics, Known, Maybe, Model, MoveCx, MoveSource, Moves, Planned, Provider, Registry,
    RequestCx, Resource, Result, path,
};
use ferroform_engine::{MoveRequest, ProviderServer};
use ferroform_testing::{Harness, MovedObject, config};

use crate::common::{PlanOnlyResource, state_only_resource};

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "registry.terraform.io/acme/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Note>("test_note")
            .resource::<Text>("test_text")
            .resource::<WithoutMoves>("test_lonely");
    }
}

/// A resource that the provider offered before.
#[derive(Model, Clone, Debug, PartialEq)]
struct Text {
    text: String,
    #[attr(sensitive)]
    key: Option<String>,
}

impl Resource for Text {
    state_only_resource!(Test, TextComputed {});
}

/// The first schema version of another provider's resource.
#[derive(Model, Clone, Debug, PartialEq)]
struct ForeignV0 {
    words: Vec<String>,
}

/// The resource of another provider.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = ForeignV0)]
struct Foreign {
    content: String,
}

impl From<ForeignV0> for Foreign {
    fn from(old: ForeignV0) -> Foreign {
        Foreign { content: old.words.join(" ") }
    }
}

/// A note.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 4, oldest)]
struct Note {
    #[attr(semantic_eq = |a, b| a.trim_end() == b.trim_end())]
    text: String,
    #[attr(computed)]
    origin: String,
}

impl From<Foreign> for Note {
    fn from(old: Foreign) -> Note {
        Note { text: old.content, origin: "foreign".into() }
    }
}

impl TryFrom<Text> for Note {
    type Error = Diagnostics;

    fn try_from(old: Text) -> Result<Note> {
        if old.text.is_empty() {
            let detail = format!("The key is {:?}.", old.key);
            return Err(Diagnostic::error("A note is not empty").detail(detail).at(path!(text)).into());
        }
        Ok(Note { text: old.text.trim_end().into(), origin: "same provider".into() })
    }
}

impl Resource for Note {
    state_only_resource!(Test, NoteComputed { origin: "created".into() });

    fn moves(moves: &mut Moves<Self>) {
        moves.from_type::<Text>("test_text").from_provider::<Foreign>("big/words", "words_note");
    }

    async fn move_from(cx: &MoveCx, source: MoveSource) -> Result<Option<Self>> {
        if !source.is_resource("example.com/other/raw", "raw_thing") {
            return Ok(None);
        }
        cx.warn("Moved from raw state");
        let identity = source.identity.as_ref().map(|it| it.get::<String>(path!(id))).transpose()?;
        let private_value = source.private::<String>("key")?;
        cx.set_private(
            "etag",
            &format!("{} {}", identity.unwrap_or_default(), private_value.unwrap_or_default()),
        )?;
        Ok(Some(Note { text: source.state.get(path!(texts[0].text))?, origin: "raw".into() }))
    }
}

/// A resource that does not support moves.
#[derive(Model, Clone, Debug, PartialEq)]
struct WithoutMoves {
    text: String,
}

impl Resource for WithoutMoves {
    state_only_resource!(Test, WithoutMovesComputed {});
}

fn harness() -> Harness {
    Harness::start::<Test>(config! {})
}

#[track_caller]
fn moved(source: impl Into<MovedObject>, expected: Expect) {
    let mut note = harness().resource("test_note");
    note.move_from(source);
    expected.assert_eq(&note.state().to_string());
}

#[test]
fn object_moves_between_types_of_a_provider() {
    let mut text = harness().resource("test_text");
    text.apply(config! { text = "hello" });
    moved(
        &text,
        expect![[r#"
            text = "hello"
            origin = "same provider""#]],
    );
    // The same provider from another registry.
    moved(
        MovedObject::new("registry.acme.example/acme/test", "test_text", 0, r#"{"text":"a","gone":1}"#),
        expect![[r#"
            text = "a"
            origin = "same provider""#]],
    );
}

#[test]
fn move_keeps_stored_values_that_are_semantically_equal() {
    moved(
        MovedObject::new("registry.terraform.io/acme/test", "test_text", 0, r#"{"text":"a  "}"#),
        expect![[r#"
            text = "a  "
            origin = "same provider""#]],
    );
}

#[test]
fn object_moves_from_another_provider() {
    let words = |provider: &str, version, json: &str| MovedObject::new(provider, "words_note", version, json);
    for provider in ["registry.terraform.io/big/words", "registry.opentofu.org/big/words", "a.b/big/words"] {
        moved(
            words(provider, 1, r#"{"content":"hello"}"#),
            expect![[r#"
                text = "hello"
                origin = "foreign""#]],
        );
    }
    moved(
        words("registry.terraform.io/big/words", 0, r#"{"words":["good","bye"]}"#),
        expect![[r#"
            text = "good bye"
            origin = "foreign""#]],
    );
}

#[test]
fn object_without_model_is_moved_by_move_from() {
    moved(
        MovedObject::new("example.com/other/raw", "raw_thing", 7, r#"{"texts":[{"text":"x"},1]}"#),
        expect![[r#"
            text = "x"
            origin = "raw""#]],
    );
}

#[test]
fn unsupported_move_is_rejected() {
    let check_rejected = |type_name: &str, source: MovedObject, expected: Expect| {
        expected.assert_eq(&harness().resource(type_name).try_move_from(source).error().to_string());
    };
    let words =
        |provider: &str, type_name: &str, version| MovedObject::new(provider, type_name, version, "{}");
    check_rejected(
        "test_lonely",
        words("registry.terraform.io/big/words", "words_note", 1),
        expect![
            "Unable to Move Resource State: test_lonely does not support moves from words_note of the provider registry.terraform.io/big/words."
        ],
    );
    check_rejected(
        "test_note",
        words("registry.terraform.io/small/words", "words_note", 1),
        expect![
            "Unable to Move Resource State: test_note does not support moves from words_note of the provider registry.terraform.io/small/words with schema version 1. It supports moves from test_text with schema version 0; words_note of the provider big/words with schema version 0, 1."
        ],
    );
    check_rejected(
        "test_note",
        words("registry.terraform.io/big/words", "words_other", 1),
        expect![
            "Unable to Move Resource State: test_note does not support moves from words_other of the provider registry.terraform.io/big/words with schema version 1. It supports moves from test_text with schema version 0; words_note of the provider big/words with schema version 0, 1."
        ],
    );
    check_rejected(
        "test_note",
        words("registry.terraform.io/big/words", "words_note", 2),
        expect![
            "Unable to Move Resource State: test_note does not support moves from words_note of the provider registry.terraform.io/big/words with schema version 2. It supports moves from test_text with schema version 0; words_note of the provider big/words with schema version 0, 1."
        ],
    );
    check_rejected(
        "test_note",
        words("registry.terraform.io/big/words", "words_note", 1),
        expect![
            "content: Unable to Move Resource State: From version 1 of words_note to test_note: Value Conversion Error: A string is required, but got null."
        ],
    );
    check_rejected(
        "test_note",
        words("other.example/other/raw", "raw_thing", 1),
        expect![
            "Unable to Move Resource State: test_note does not support moves from raw_thing of the provider other.example/other/raw with schema version 1. It supports moves from test_text with schema version 0; words_note of the provider big/words with schema version 0, 1."
        ],
    );
    check_rejected(
        "test_note",
        words("example.com/other/raw", "raw_thing", 1),
        expect![[r#"
            Moved from raw state
            texts[0].text: Unable to Move Resource State: From version 1 of raw_thing to test_note: Value Conversion Error: A string is required, but got null."#]],
    );
    check_rejected(
        "test_note",
        MovedObject::new("a.b/acme/test", "test_text", 0, r#"{"text":"","key":"opensesame"}"#),
        expect![[
            r#"text: Unable to Move Resource State: From version 0 of test_text to test_note: A note is not empty: The key is Some("(sensitive value)")."#
        ]],
    );
    check_rejected(
        "test_note",
        MovedObject::new("a.b/acme/test", "test_text", 0, r#"{"text":[]}"#),
        expect![
            "Unable to Move Resource State: The stored state of test_text does not conform to schema version 0: text: a string is required, but got an array."
        ],
    );
    check_rejected(
        "test_note",
        MovedObject::new("a.b/acme/test", "test_text", 0, "{"),
        expect![
            "Unable to Move Resource State: Value Conversion Error: Invalid JSON: unexpected end of input."
        ],
    );
    check_rejected(
        "test_note",
        MovedObject::new("a.b/acme/test", "test_text", 0, ""),
        expect![
            "Unable to Move Resource State: The state was written by Terraform 0.11 or earlier. Upgrade it with Terraform 0.12 first."
        ],
    );
    check_rejected(
        "test_note",
        MovedObject::new("a.b/acme/test", "test_text", 0, "{}").private("no"),
        expect!["Error Decoding Private State: The private state is not a JSON object."],
    );
}

#[test]
fn private_state_moves_within_a_provider() {
    let server = ferroform::server::<Test>();
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let private_state = |value: &str| format!(r#"{{"key":"{value}"}}"#).into_bytes();
    let moved = |provider: &str, type_name: &str, json: &str, private: &[u8]| {
        let request = MoveRequest {
            type_name: "test_note".into(),
            source_provider: provider.into(),
            source_type: type_name.into(),
            source_state: Some(json.into()),
            source_private: private.to_vec(),
            source_identity: Some((0, br#"{"id":"i"}"#.to_vec())),
            ..MoveRequest::default()
        };
        let response = runtime.block_on(server.move_resource_state(request));
        let messages: Vec<String> = response.diagnostics.iter().map(ToString::to_string).collect();
        (String::from_utf8(response.private).expect("JSON"), messages)
    };
    // "Imk=" is the base64 encoding of the JSON document "i".
    let (private, messages) = moved("r.io/acme/test", "test_text", r#"{"text":"a"}"#, &private_state("Imki"));
    assert_eq!((private.as_str(), messages.len()), (r#"{"key":"Imki"}"#, 0));
    let (private, messages) =
        moved("r.io/big/words", "words_note", r#"{"words":[]}"#, &private_state("Imki"));
    assert_eq!((private.as_str(), messages.len()), ("", 0));
    // Private state that Ferroform did not write.
    let (private, _) = moved("r.io/big/words", "words_note", r#"{"words":[]}"#, b"\x00\x01");
    assert_eq!(private, "");
    let (private, messages) =
        moved("example.com/other/raw", "raw_thing", r#"{"texts":[{"text":"x"}]}"#, &private_state("Imki"));
    // The result contains both the identity and the private state.
    assert_eq!(
        (private.as_str(), messages),
        (r#"{"etag":"ImkgaSI="}"#, vec!["Moved from raw state".to_owned()])
    );
}

#[test]
fn move_without_state_is_rejected() {
    let server = ferroform::server::<Test>();
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let messages = |type_name: &str| {
        let request = MoveRequest {
            type_name: type_name.into(),
            source_type: "test_text".into(),
            ..MoveRequest::default()
        };
        runtime.block_on(server.move_resource_state(request)).diagnostics.to_string()
    };
    expect!["Missing Source Resource State: Terraform sent no state of test_text, so there is nothing to move to test_note."]
        .assert_eq(&messages("test_note"));
    expect!["Resource Type Not Found: This version of the provider has no resource test_none."]
        .assert_eq(&messages("test_none"));
}

#[test]
fn runtime_provider_supports_moves() {
    let schema = |version, name: &str| {
        Schema::new(Block::new().attribute(Attribute::raw(name, Type::String))).version(version)
    };
    let renamed = |from: &'static str| {
        Upgrades::oldest(0).step(schema(0, from), move |old| {
            Ok(Value::object([("text", old.attribute(from).cloned().unwrap_or(Value::Null))]))
        })
    };
    let resource = || PlanOnlyResource {
        moves: vec![
            Move::from_provider("example.com/big/words", "words_note", renamed("words")),
            Move::from_type("test_old", renamed("old")),
        ],
        move_from: |source| {
            let text = source.state.get::<Option<String>>(path!(raw))?;
            Ok(text.map_or(Value::Null, |it| Value::object([("text", it.into())])))
        },
        ..PlanOnlyResource::of(schema(0, "text"))
    };
    let moved = |provider: &str, type_name: &str, json: &str| {
        let mut resource = Harness::raw(resource().provider(), config! {}).resource("test_thing");
        resource.move_from(MovedObject::new(provider, type_name, 0, json));
        resource.state().get::<String>(path!(text))
    };
    assert_eq!(moved("example.com/big/words", "words_note", r#"{"words":"a"}"#), "a");
    assert_eq!(moved("example.com/test/test", "test_old", r#"{"old":"b"}"#), "b");
    assert_eq!(moved("example.org/big/words", "words_note", r#"{"raw":"c"}"#), "c");

    let invalid = PlanOnlyResource {
        moves: vec![Move::from_provider("words", "words_note", Upgrades::default())],
        ..resource()
    };
    expect![[r#"Invalid Provider Definition: In resource test_thing: it moves states of the provider "words", which is not of the form namespace/type or hostname/namespace/type. This is a bug in the provider; please report it to its authors."#]].assert_eq(&ProviderServer::new(invalid.provider()).definition_errors().to_string());
}
