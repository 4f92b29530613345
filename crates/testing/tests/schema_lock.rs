//! The schema lock: which changes it accepts, which changes it rejects, and whether accepted states can be read.

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

/// A lock file that is checked against one provider after another.
struct Project {
    directory: TempDir,
}

impl Project {
    fn new() -> Project {
        Project { directory: tempfile::tempdir().expect("a directory") }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("schemas.lock")
    }

    fn entries(&self) -> String {
        let file = fs::read_to_string(self.path()).expect("a file");
        file.lines().filter(|it| !it.starts_with('#') && !it.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Writes the file. The update must succeed.
    fn write(&self, resource: MockResource) {
        SchemaLock::raw(provider([("test_thing", resource)])).update(true).check(self.path());
    }

    /// Returns the failure message of the check.
    fn failure(&self, resource: MockResource) -> String {
        let lock = SchemaLock::raw(provider([("test_thing", resource)])).update(false);
        failure_message(|| lock.check(self.path()))
    }
}

fn resource(version: i64, block: Block) -> MockResource {
    MockResource {
        schema: Schema::new(block).version(version),
        upgrades: Upgrades::oldest(version),
        ..MockResource::correct(&ObjectStore::default())
    }
}

fn of<M: Model>() -> MockResource {
    MockResource { upgrades: M::upgrades(), ..resource(M::VERSION, M::schema().block) }
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
    color: String,
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
    range: Option<(bool, f64)>,
}

#[test]
fn lock_file_has_one_line_for_each_attribute() {
    let project = Project::new();
    expect![[r#"
        schemas.lock is outdated:
        resource test_thing version 0
        +  any: any or null
        +  color: string
        +  id: string
        +  name: string
        +  owner: an object or null
        +    name: string
        +    range: tuple([bool, number]) or null
        +  part: a list of objects
        +    name: string
        +    range: tuple([bool, number]) or null
        +  size: number or null
        +  tags: map(list(string))
        The provider can still read every stored state. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]]
    .assert_eq(&project.failure(of::<Disk>()));
    project.write(of::<Disk>());
    expect![[r#"
        resource test_thing version 0
          any: any or null
          color: string
          id: string
          name: string
          owner: an object or null
            name: string
            range: tuple([bool, number]) or null
          part: a list of objects
            name: string
            range: tuple([bool, number]) or null
          size: number or null
          tags: map(list(string))"#]]
    .assert_eq(&project.entries());
    assert_eq!(project.failure(of::<Disk>()), "no failure");
}

#[test]
fn compatible_change_does_not_require_a_new_version() {
    let check = |before: Block, after: Block, expected: Expect| {
        let project = Project::new();
        project.write(resource(0, before));
        let message = project.failure(resource(0, after.clone()));
        let (summary, rest) = message.split_once("\nThe provider can still").unwrap_or((&message, ""));
        assert!(rest.contains("every stored state"), "{message}");
        expected.assert_eq(summary.split_once('\n').map_or(summary, |it| it.1));
        project.write(resource(0, after.clone()));
        assert_eq!(project.failure(resource(0, after)), "no failure");
    };
    let name = || raw("name", Type::String);
    let optional = |name: &str, ty| raw(name, ty).with_mode(Mode::Optional);
    // New attributes that are nullable, computed or have a default.
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
            +    range: tuple([bool, number]) or null"#]],
    );
    // Attributes that are removed or become write-only.
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
    // Numbers and bools convert to strings.
    check(
        block([raw("a", Type::list(Type::Number))]),
        block([raw("a", Type::list(Type::String))]),
        expect![[r#"
        resource test_thing version 0
        -  a: list(number)
        +  a: list(string)"#]],
    );
    // A required attribute becomes optional.
    check(
        block([name()]),
        block([optional("name", Type::String)]),
        expect![[r#"
        resource test_thing version 0
        -  name: string
        +  name: string or null"#]],
    );
    // The same change in a nested attribute.
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
fn incompatible_change_requires_a_new_version() {
    let check = |before: Block, after: Block, expected: Expect| {
        let project = Project::new();
        project.write(resource(0, before));
        let locked = project.entries();
        let message = project.failure(resource(0, after.clone()));
        let (summary, rest) = message.split_once("\nRaise the version").unwrap_or((&message, ""));
        assert!(rest.contains("upgrade_from = OldV0"), "{message}");
        expected.assert_eq(summary.split_once('\n').map_or(summary, |it| it.1));
        let lock = SchemaLock::raw(provider([("test_thing", resource(0, after))])).update(true);
        assert_eq!(failure_message(|| lock.check(project.path())), message, "it is not written over either");
        assert_eq!(project.entries(), locked);
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
        expect!["  a was object({x = string}), but is object({x = string, y = string}) now"],
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
fn earlier_schemas_of_a_version_are_merged() {
    let project = Project::new();
    let note = |ty| raw("note", ty).with_mode(Mode::Optional);
    project.write(resource(0, block([note(Type::String)])));
    project.write(resource(0, block([])));
    expect![[r#"
        resource test_thing version 0
          note: string or null, removed"#]]
    .assert_eq(&project.entries());
    // States of the first schema still contain a string.
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 no longer conform to the schema:
          note was string, but is list(string) now
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]]
    .assert_eq(&project.failure(resource(0, block([note(Type::list(Type::String))]))));
    project.write(resource(0, block([note(Type::String)])));
    expect![[r#"
        resource test_thing version 0
          note: string or null"#]]
    .assert_eq(&project.entries());

    // A state may lack an attribute that was added later, although every state since then contains it.
    let project = Project::new();
    project.write(resource(0, block([])));
    project.write(resource(0, block([Attribute::of::<u64>("size").computed()])));
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 no longer conform to the schema:
          size may be null in a stored state, but is required now
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]]
    .assert_eq(&project.failure(resource(0, block([Attribute::of::<u64>("size")]))));
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
    .assert_eq(&project.entries());

    // The result is the same if the file is created with the later schema.
    let later = Project::new();
    later.write(of::<Note>());
    assert_eq!(later.entries(), project.entries());
}

#[test]
fn new_version_without_state_upgrade_is_rejected() {
    let project = Project::new();
    project.write(of::<NoteV0>());
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 have no state upgrade to version 1. Add `upgrade_from`, or implement `Resource::upgrade`. If no practitioner can have such a state, remove its lines from the file.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]].assert_eq(&project.failure(resource(1, Note::schema().block)));
    let fallback = Upgrades::oldest(1).with_fallback();
    project.write(MockResource { upgrades: fallback, ..resource(1, Note::schema().block) });
    expect![[r#"
        schemas.lock: stored states of test_thing in version 1 are newer than the schema version 0 of the provider. A version must not decrease: continue from 1.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]].assert_eq(&project.failure(resource(0, NoteV0::schema().block)));
}

#[test]
fn changed_model_of_an_old_version_is_rejected() {
    let project = Project::new();
    project.write(of::<Note>());
    // The old version shares a nested model with the current one, and the model has changed.
    let changed = block([
        raw("text", Type::String),
        Attribute::raw_nested("tags", Nested::list(block([raw("name", Type::Number)]))),
    ]);
    let upgrades = Upgrades::oldest(0).step(Schema::new(changed), |it| Ok(it.clone()));
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 do not conform to the model of their version:
          tags.name was string, but is number now
        The model of an old version, including its nested models, must not change. If a nested model changes, the current model must not share it with the old one.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]].assert_eq(&project.failure(MockResource { upgrades, ..resource(1, Note::schema().block) }));
}

#[test]
fn added_and_removed_resources_are_recorded() {
    let project = Project::new();
    let of = |ty: Type| resource(0, block([raw("name", ty)]));
    let both = || provider([("test_a", of(Type::String)), ("test_thing", of(Type::String))]);
    SchemaLock::raw(both()).update(true).check(project.path());
    expect![[r#"
        schemas.lock is outdated:
        resource test_a version 0
        +resource test_a version 0, removed
        The provider can no longer read stored states of test_a: practitioners have to move these objects or remove them from the state. The file keeps the shapes, in case the resource is added again. The provider can still read all other stored states. If no version of the provider has been released, you can delete the file: the next update recreates it. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]].assert_eq(&project.failure(of(Type::String)));
    project.write(of(Type::String));
    expect![[r#"
        resource test_a version 0, removed
          name: string
        resource test_thing version 0
          name: string"#]]
    .assert_eq(&project.entries());
    assert_eq!(project.failure(of(Type::String)), "no failure");
    // A resource that returns must be able to read the states that were stored before its removal.
    let failure = |ty: Type| {
        let back = provider([("test_a", of(ty)), ("test_thing", of(Type::String))]);
        failure_message(|| SchemaLock::raw(back).update(false).check(project.path()))
    };
    let other = failure(Type::Bool);
    assert!(other.contains("stored states of test_a in version 0 no longer conform"), "{other}");
    expect![[r#"
        schemas.lock is outdated:
        resource test_a version 0
        -resource test_a version 0, removed
        The provider can still read every stored state. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]].assert_eq(&failure(Type::String));
}

#[test]
fn invalid_lock_file_is_an_error() {
    let check = |content: &str, expected: Expect| {
        let project = Project::new();
        fs::write(project.path(), content).expect("written");
        expected.assert_eq(&project.failure(resource(0, block([]))));
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
            The provider can no longer read stored states of a: practitioners have to move these objects or remove them from the state. The file keeps the shapes, in case the resource is added again. The provider can still read all other stored states. If no version of the provider has been released, you can delete the file: the next update recreates it. Run the test with FERROFORM_UPDATE_LOCK=1 to update the file, and commit it."#]],
    );
    check(
        "resource a version 0\n  name: string\n  name: string",
        expect!["schemas.lock: line 3: the attribute is listed more than once"],
    );
    check(
        "resource a version 0\nresource a version 0",
        expect!["schemas.lock: line 2: the resource and version are listed more than once"],
    );
    let directory = Project::new();
    fs::create_dir(directory.path()).expect("a directory");
    assert!(directory.failure(resource(0, block([]))).starts_with("cannot read schemas.lock: "));
}

/// If the lock does not require a new version, states of the old schema are read with the new one, and convert as in
/// Terraform.
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
    let schema = |ty: &Type| resource(0, block([raw("a", ty.clone()).with_mode(Mode::Optional)]));
    let mut passed = 0;
    for (stored, documents) in &samples {
        for (now, _) in &samples {
            let project = Project::new();
            project.write(schema(stored));
            if project.failure(schema(now)).contains("Raise the version") {
                continue;
            }
            passed += 1;
            for document in documents {
                let old = json::decode_state(document.as_bytes(), stored, false).expect("a sample");
                let expected = Typed { ty: stored.clone(), value: old }.fit(now).expect("it converts");
                let mut resource = harness(schema(now))
                    .skip_check(Invariant::UpgradedStateCanBePlanned)
                    .resource("test_thing");
                resource.upgrade_state(0, &format!(r#"{{"a":{document}}}"#));
                assert_eq!(
                    resource.state().value().attribute("a"),
                    Some(&expected),
                    "{stored} to {now}: {document}"
                );
            }
        }
    }
    // Each type to itself, and the conversions to strings and to optional attributes.
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

/// A state with the removed variant has no other variant.
#[test]
fn removed_variant_requires_a_new_version() {
    let project = Project::new();
    project.write(of::<Fetched>());
    expect![[r#"
        schemas.lock: stored states of test_thing in version 0 no longer conform to the schema:
          source.file is a variant that was removed: a state that has it has no other variant
        Raise the version and add a state upgrade:
          1. Copy the struct as it was before the change, for example as `OldV0`, with its version.
          2. Add `#[attr(version = 1, upgrade_from = OldV0)]` to the current struct.
          3. Implement `From<OldV0>` or `TryFrom<OldV0>` for the current struct.
          4. Run the test with FERROFORM_UPDATE_LOCK=1 and commit the file.
        If no release has stored version 0 in the old shape, remove its lines from the file instead.
        If no version of the provider has been released, you can delete the file: the next update recreates it."#]]
    .assert_eq(&project.failure(of::<FetchedLater>()));
}
