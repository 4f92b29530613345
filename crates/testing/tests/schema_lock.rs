//! The lock of the states' shapes: what it lets pass, what it stops, and that it is right to.

mod common;

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use ferroform::Model;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested, Schema, Upgrades};
use ferroform::value::{Type, Typed, json};
use ferroform_testing::{Invariant, SchemaLock};
use tempfile::TempDir;

use crate::common::{MockResource, ObjectStore, failure_message, harness, provider};

/// A file, and the providers that it is held against one after the other.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new() -> Project {
        Project { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("schemas.lock")
    }

    fn text(&self) -> String {
        let text = fs::read_to_string(self.path()).expect("a file");
        text.lines().filter(|it| !it.starts_with('#') && !it.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Writes the file, which must be possible.
    fn write(&self, thing: MockResource) {
        SchemaLock::raw(provider([("test_thing", thing)])).update(true).check(self.path());
    }

    /// What the test says.
    fn failure(&self, thing: MockResource) -> String {
        let lock = SchemaLock::raw(provider([("test_thing", thing)])).update(false);
        failure_message(|| lock.check(self.path()))
    }
}

fn thing(version: i64, block: Block) -> MockResource {
    MockResource {
        schema: Schema { version, block },
        upgrades: Upgrades::oldest(version),
        ..MockResource::correct(&ObjectStore::default())
    }
}

fn of<M: Model>() -> MockResource {
    MockResource { upgrades: M::upgrades(), ..thing(M::VERSION, M::schema().block) }
}

fn raw(name: &str, ty: Type) -> Attribute {
    Attribute::raw(name, ty)
}

fn block(attributes: impl IntoIterator<Item = Attribute>) -> Block {
    attributes.into_iter().fold(Block::new(), Block::attribute)
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Disk {
    name: String,
    size: Option<u64>,
    #[attr(write_only)]
    token: Option<String>,
    #[attr(default = "blue")]
    colour: String,
    #[attr(computed)]
    id: String,
    tags: std::collections::BTreeMap<String, Vec<String>>,
    #[attr(block)]
    part: Vec<Part>,
    owner: Option<Part>,
    any: Option<ferroform::Dynamic>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    name: String,
    pair: Option<(bool, f64)>,
}

#[test]
fn lock_file_has_one_line_for_each_attribute() {
    let project = Project::new();
    expect![[r#"
        schemas.lock is outdated:
        resource test_thing version 0
        +  any: any or null
        +  colour: string
        +  id: string
        +  name: string
        +  owner: an object or null
        +    name: string
        +    pair: tuple([bool,number]) or null
        +  part: a list of objects
        +    name: string
        +    pair: tuple([bool,number]) or null
        +  size: number or null
        +  tags: map(list(string))
        The provider can still read every stored state. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]]
    .assert_eq(&project.failure(of::<Disk>()));
    project.write(of::<Disk>());
    expect![[r#"
        resource test_thing version 0
          any: any or null
          colour: string
          id: string
          name: string
          owner: an object or null
            name: string
            pair: tuple([bool,number]) or null
          part: a list of objects
            name: string
            pair: tuple([bool,number]) or null
          size: number or null
          tags: map(list(string))"#]]
    .assert_eq(&project.text());
    assert_eq!(project.failure(of::<Disk>()), "no failure");
}

#[test]
fn compatible_change_needs_no_new_version() {
    let check = |before: Block, after: Block, expected: Expect| {
        let project = Project::new();
        project.write(thing(0, before));
        let message = project.failure(thing(0, after.clone()));
        let (what, rest) = message.split_once("\nThe provider can still").unwrap_or((&message, ""));
        assert!(rest.contains("every stored state"), "{message}");
        expected.assert_eq(what.split_once('\n').map_or(what, |it| it.1));
        project.write(thing(0, after.clone()));
        assert_eq!(project.failure(thing(0, after)), "no failure");
    };
    let name = || raw("name", Type::String);
    let optional = |name: &str, ty| raw(name, ty).mode(Mode::Optional);
    // New ones that may be null, are computed, or have a default.
    check(
        block([name()]),
        block([name(), optional("note", Type::String)]),
        expect![[r#"
        resource test_thing version 0
        +  note: string or null"#]],
    );
    check(
        block([name()]),
        block([name(), Attribute::of::<u64>("size").computed()]),
        expect![[r#"
        resource test_thing version 0
        +  size: number or null"#]],
    );
    check(
        block([name()]),
        block([name(), Attribute::of::<u64>("size").default(|| 7)]),
        expect![[r#"
        resource test_thing version 0
        +  size: number or null"#]],
    );
    check(
        block([name()]),
        block([name()]).block(Attribute::of::<Vec<Part>>("part")),
        expect![[r#"
        resource test_thing version 0
        +  part: a list of objects or null
        +    name: string
        +    pair: tuple([bool,number]) or null"#]],
    );
    // One that is gone, or is stored no more.
    check(
        block([name(), optional("note", Type::String)]),
        block([name()]),
        expect![[r#"
            resource test_thing version 0
            -  note: string or null
            +  note: string or null, removed"#]],
    );
    check(
        block([name(), optional("note", Type::String)]),
        block([name(), optional("note", Type::String).write_only()]),
        expect![[r#"
            resource test_thing version 0
            -  note: string or null
            +  note: string or null, removed"#]],
    );
    // Numbers and bools are texts too.
    check(
        block([raw("a", Type::list(Type::Number))]),
        block([raw("a", Type::list(Type::String))]),
        expect![[r#"
        resource test_thing version 0
        -  a: list(number)
        +  a: list(string)"#]],
    );
    // What was required may be left out now.
    check(
        block([name()]),
        block([optional("name", Type::String)]),
        expect![[r#"
        resource test_thing version 0
        -  name: string
        +  name: string or null"#]],
    );
    // Inside.
    let nested = |inside| block([Attribute::raw_nested("parts", Nested::list(inside))]);
    check(
        nested(block([name()])),
        nested(block([name(), optional("size", Type::Number)])),
        expect![[r#"
        resource test_thing version 0
        +    size: number or null"#]],
    );
}

#[test]
fn incompatible_change_needs_a_new_version() {
    let check = |before: Block, after: Block, expected: Expect| {
        let project = Project::new();
        project.write(thing(0, before));
        let locked = project.text();
        let message = project.failure(thing(0, after.clone()));
        let (what, rest) = message.split_once("\nRaise the version").unwrap_or((&message, ""));
        assert!(rest.contains("upgrade_from = OldV0"), "{message}");
        expected.assert_eq(what.split_once('\n').map_or(what, |it| it.1));
        let lock = SchemaLock::raw(provider([("test_thing", thing(0, after))])).update(true);
        assert_eq!(failure_message(|| lock.check(project.path())), message, "it is not written over either");
        assert_eq!(project.text(), locked);
    };
    let name = || raw("name", Type::String);
    let number = |name: &str| Attribute::of::<u64>(name);
    check(
        block([name()]),
        block([name(), number("size")]),
        expect!["  size is new and required, but a stored state has no value for it"],
    );
    check(block([name()]), block([number("name")]), expect!["  name was string, but is number now"]);
    check(
        block([Attribute::of::<Option<u64>>("size")]),
        block([number("size")]),
        expect!["  size may be null in a stored state, but is required now"],
    );
    check(
        block([raw("a", Type::list(Type::String))]),
        block([raw("a", Type::set(Type::String))]),
        expect!["  a was list(string), but is set(string) now"],
    );
    check(
        block([raw("a", Type::object([("x", Type::String)]))]),
        block([raw("a", Type::object([("x", Type::String), ("y", Type::String)]))]),
        expect!["  a was object({x=string}), but is object({x=string,y=string}) now"],
    );
    let one = |inside| block([Attribute::raw_nested("part", Nested::single(inside))]);
    let many = |inside| block([Attribute::raw_nested("part", Nested::list(inside))]);
    check(
        one(block([name()])),
        many(block([name()])),
        expect!["  part was an object, but is a list of objects now"],
    );
    check(
        many(block([name()])),
        many(block([name(), number("size")])),
        expect!["  part.size is new and required, but a stored state has no value for it"],
    );
    check(
        many(block([name()])),
        block([raw("part", Type::list(Type::String))]),
        expect!["  part was a list of objects, but is list(string) now"],
    );
    check(
        block([name()]),
        block([name()]).block(Attribute::of::<Part>("part")),
        expect!["  part is new and required, but a stored state has no value for it"],
    );
}

#[test]
fn earlier_shapes_of_a_version_are_merged() {
    let project = Project::new();
    let note = |ty| raw("note", ty).mode(Mode::Optional);
    project.write(thing(0, block([note(Type::String)])));
    project.write(thing(0, block([])));
    expect![[r#"
        resource test_thing version 0
          note: string or null, removed"#]]
    .assert_eq(&project.text());
    // States of the first still hold a text.
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 do not conform to the schema any more:
          note was string, but is list(string) now
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead."#]]
    .assert_eq(&project.failure(thing(0, block([note(Type::list(Type::String))]))));
    project.write(thing(0, block([note(Type::String)])));
    expect![[r#"
        resource test_thing version 0
          note: string or null"#]]
    .assert_eq(&project.text());

    // A state may lack what came later, though it has been there in every state since.
    let project = Project::new();
    project.write(thing(0, block([])));
    project.write(thing(0, block([Attribute::of::<u64>("size").computed()])));
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 do not conform to the schema any more:
          size may be null in a stored state, but is required now
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead."#]]
    .assert_eq(&project.failure(thing(0, block([Attribute::of::<u64>("size")]))));
}

#[derive(Model, Clone, Debug, PartialEq)]
struct NoteV0 {
    text: String,
    tags: Vec<Tag>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = NoteV0)]
struct Note {
    text: Vec<String>,
}

impl From<NoteV0> for Note {
    fn from(old: NoteV0) -> Note {
        Note { text: vec![old.text] }
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tag {
    name: String,
}

#[test]
fn new_version_with_state_upgrade_is_accepted() {
    let project = Project::new();
    project.write(of::<NoteV0>());
    expect![[r#"
        schemas.lock is outdated:
        resource test_thing version 1
        +  text: list(string)
        The provider can still read every stored state. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]].assert_eq(&project.failure(of::<Note>()));
    project.write(of::<Note>());
    assert_eq!(project.failure(of::<Note>()), "no failure");
    expect![[r#"
        resource test_thing version 0
          tags: a list of objects
            name: string
          text: string
        resource test_thing version 1
          text: list(string)"#]]
    .assert_eq(&project.text());

    // Also where the file begins now.
    let later = Project::new();
    later.write(of::<Note>());
    assert_eq!(later.text(), project.text());
}

#[test]
fn new_version_without_state_upgrade_is_rejected() {
    let project = Project::new();
    project.write(of::<NoteV0>());
    expect!["schemas.lock: stored states of test_thing in version 0 have no state upgrade to version 1. Add `upgrade_from`, or implement `Resource::upgrade`. If no practitioner can have such a state, remove its lines from the file."].assert_eq(&project.failure(thing(1, Note::schema().block)));
    let fallback = Upgrades::oldest(1).with_fallback();
    project.write(MockResource { upgrades: fallback, ..thing(1, Note::schema().block) });
    expect!["schemas.lock: stored states of test_thing in version 1 are newer than the schema version 0 of the provider. A version must not decrease: continue from 1."].assert_eq(&project.failure(thing(0, NoteV0::schema().block)));
}

#[test]
fn changed_model_of_an_old_version_is_rejected() {
    let project = Project::new();
    project.write(of::<Note>());
    // As where it shares a model with the current one, and that has changed.
    let changed = block([
        raw("text", Type::String),
        Attribute::raw_nested("tags", Nested::list(block([raw("name", Type::Number)]))),
    ]);
    let upgrades = Upgrades::oldest(0).step(Schema { version: 0, block: changed }, |it| Ok(it.clone()));
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 do not conform to the model of their version:
          tags.name was string, but is number now
        The model of an old version, including its nested models, must not change. If a nested model changes, the current model must not share it with the old one."#]].assert_eq(&project.failure(MockResource { upgrades, ..thing(1, Note::schema().block) }));
}

#[test]
fn added_and_removed_resources_are_recorded() {
    let project = Project::new();
    let of = |ty: Type| thing(0, block([raw("name", ty)]));
    let both = || provider([("test_a", of(Type::String)), ("test_thing", of(Type::String))]);
    SchemaLock::raw(both()).update(true).check(project.path());
    expect![[r#"
        schemas.lock is outdated:
        resource test_a version 0
        +resource test_a version 0, removed
        The provider can no longer read stored states of test_a: practitioners have to move these objects or remove them from the state. The file keeps the shapes, in case the resource is added again. The provider can still read all other stored states. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]].assert_eq(&project.failure(of(Type::String)));
    project.write(of(Type::String));
    expect![[r#"
        resource test_a version 0, removed
          name: string
        resource test_thing version 0
          name: string"#]]
    .assert_eq(&project.text());
    assert_eq!(project.failure(of(Type::String)), "no failure");
    // What comes back must read what was stored before it went.
    let failure = |ty: Type| {
        let back = provider([("test_a", of(ty)), ("test_thing", of(Type::String))]);
        failure_message(|| SchemaLock::raw(back).update(false).check(project.path()))
    };
    let other = failure(Type::Bool);
    assert!(other.contains("stored states of test_a in version 0 do not conform"), "{other}");
    expect![[r#"
        schemas.lock is outdated:
        resource test_a version 0
        -resource test_a version 0, removed
        The provider can still read every stored state. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]].assert_eq(&failure(Type::String));
}

#[test]
fn invalid_lock_file_is_an_error() {
    let check = |text: &str, expected: Expect| {
        let project = Project::new();
        fs::write(project.path(), text).expect("written");
        expected.assert_eq(&project.failure(thing(0, block([]))));
    };
    check("nonsense", expect!["schemas.lock: line 1: expected `resource … version …`"]);
    check("resource a version b", expect!["schemas.lock: line 1: expected `resource … version …`"]);
    check("# fine\n\nresource a version 0\n  name", expect!["schemas.lock: line 4: expected `name: type`"]);
    check("resource a version 0\n  name: strin", expect!["schemas.lock: line 2: invalid type"]);
    check(
        "resource a version 0\n    name: string",
        expect![[r#"
            schemas.lock is outdated:
            resource a version 0
            +resource a version 0, removed
            resource test_thing version 0
            The provider can no longer read stored states of a: practitioners have to move these objects or remove them from the state. The file keeps the shapes, in case the resource is added again. The provider can still read all other stored states. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]],
    );
    check(
        "resource a version 0\n  name: string\n  name: string",
        expect!["schemas.lock: line 3: the attribute is listed more than once"],
    );
    check(
        "resource a version 0\nresource a version 0",
        expect!["schemas.lock: line 2: the resource and version are listed more than once"],
    );
    let folder = Project::new();
    fs::create_dir(folder.path()).expect("a folder");
    assert!(folder.failure(thing(0, block([]))).starts_with("cannot read schemas.lock: "));
}

/// The rule is right: where it asks for no version, a state of the one schema is read by the other, as the value
/// that Terraform would make of it.
#[test]
fn accepted_states_can_be_upgraded() {
    let samples = [
        (Type::String, vec![r#""a""#, r#""5""#, r#""true""#, "null"]),
        (Type::Number, vec!["5", "0.1", "10000000000000000000000000000000000000000", "-7"]),
        (Type::Bool, vec!["true", "false"]),
        (Type::list(Type::Number), vec!["[]", "[1,2,2]"]),
        (Type::list(Type::String), vec![r#"["b","a","a"]"#]),
        (Type::set(Type::String), vec![r#"["b","a"]"#]),
        (Type::map(Type::Bool), vec![r#"{"a":true}"#]),
        (Type::map(Type::String), vec![r#"{"a":"x"}"#]),
        (Type::tuple([Type::Bool, Type::String]), vec![r#"[true,"x"]"#]),
        (Type::tuple([Type::String, Type::String]), vec![r#"["y","x"]"#]),
        (Type::object([("a", Type::String), ("b", Type::Number)]), vec![r#"{"a":"x","b":1}"#]),
        (Type::object([("a", Type::String)]), vec![r#"{"a":"x"}"#]),
        (Type::Dynamic, vec![r#"{"type":"string","value":"x"}"#]),
    ];
    let schema = |ty: &Type| thing(0, block([raw("a", ty.clone()).mode(Mode::Optional)]));
    let mut passed = 0;
    for (stored, texts) in &samples {
        for (now, _) in &samples {
            let project = Project::new();
            project.write(schema(stored));
            if project.failure(schema(now)).contains("Raise the version") {
                continue;
            }
            passed += 1;
            for text in texts {
                let old = json::decode_state(text.as_bytes(), stored, false).expect("a sample");
                let expected = Typed { ty: stored.clone(), value: old }.fit(now).expect("it converts");
                let mut thing = harness(schema(now))
                    .skip_check(Invariant::UpgradedStateCanBePlanned)
                    .resource("test_thing");
                thing.upgrade_state(0, &format!(r#"{{"a":{text}}}"#));
                assert_eq!(
                    thing.state().value().attribute("a"),
                    Some(&expected),
                    "{stored} to {now}: {text}"
                );
            }
        }
    }
    // Each as itself, and those to texts and to less.
    assert_eq!(passed, samples.len() + 6);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Fetched {
    source: Option<MovedObject>,
}

#[derive(ferroform::Attr, Clone, Debug, PartialEq)]
enum MovedObject {
    File(String),
    Url(String),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FetchedLater {
    source: Option<LaterSource>,
}

#[derive(ferroform::Attr, Clone, Debug, PartialEq)]
enum LaterSource {
    Bucket(String),
    Url(String),
}

/// A state that has the variant which is gone has none of the others.
#[test]
fn removed_variant_needs_a_new_version() {
    let project = Project::new();
    project.write(of::<Fetched>());
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 do not conform to the schema any more:
          source.file is a variant that was removed: a state that has it has no other variant
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead."#]]
    .assert_eq(&project.failure(of::<FetchedLater>()));
}
