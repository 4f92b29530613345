//! State upgrades: by models, by the method `upgrade`, and in providers that are built at run time.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, Block, Schema, Upgrades};
use ferroform::value::{Type, Value};
use ferroform::{Diagnostic, Diagnostics, Model, Planned, RawState, RequestCx, Resource, Result, path};
use ferroform_testing::{Action, Harness, Instance, Invariant, config, provider};

use crate::common::{PlanOnlyResource, state_only_resource};

provider! {
    Test {
        resource Disk = "test_disk",
        resource Server = "test_server",
        resource Shelf = "test_shelf",
        resource FreeForm = "test_free_form",
        resource Strict = "test_strict",
        resource Extended = "test_extended",
        resource Vault = "test_vault",
    }
}

fn instance(type_name: &str) -> Instance {
    Harness::start::<Test>(config! {}).resource(type_name)
}

/// A resource whose map keys are secrets.
#[derive(Model, Clone, Debug, PartialEq)]
struct Vault {
    #[attr(sensitive)]
    secrets: BTreeMap<String, String>,
    tags: BTreeMap<String, String>,
}

impl Resource for Vault {
    state_only_resource!(Test, VaultComputed {});
}

#[test]
fn error_about_a_stored_state_contains_no_key_of_a_sensitive_map() {
    for (state, expected) in [
        (r#"{"secrets": {"hunter2": {}}, "tags": {}}"#, "secrets: a string is required, but got an object."),
        (r#"{"secrets": {}, "tags": {"a": {}}}"#, r#"tags["a"]: a string is required, but got an object."#),
    ] {
        let error = instance("test_vault").try_upgrade_state(0, state).error().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

/// The first version of the disk.
#[derive(Model, Clone, Debug, PartialEq)]
struct DiskV0 {
    name: String,
    /// A size such as `10G`.
    size: String,
    #[attr(sensitive)]
    key: Option<String>,
    #[attr(computed)]
    id: String,
}

/// The second version: the size is a number.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = DiskV0)]
struct DiskV1 {
    name: String,
    gigabytes: u64,
    tags: Option<Vec<String>>,
    #[attr(computed)]
    id: String,
}

impl TryFrom<DiskV0> for DiskV1 {
    type Error = Diagnostics;

    fn try_from(old: DiskV0) -> Result<DiskV1> {
        let gigabytes = old.size.strip_suffix('G').and_then(|it| it.parse().ok()).ok_or_else(|| {
            let detail = format!("{:?} with the key {:?} is none.", old.size, old.key);
            Diagnostic::error("A size in gigabytes is required").detail(detail).at(path!(size))
        })?;
        assert!(gigabytes < 1000, "no disk is that large");
        Ok(DiskV1 { name: old.name, gigabytes, tags: None, id: old.id })
    }
}

/// The current version: the tags are objects.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 2, upgrade_from = DiskV1)]
struct Disk {
    name: String,
    gigabytes: u64,
    tags: Vec<Tag>,
    #[attr(write_only)]
    password: Option<String>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Tag {
    name: String,
}

impl From<DiskV1> for Disk {
    fn from(old: DiskV1) -> Disk {
        Disk {
            name: old.name,
            gigabytes: old.gigabytes,
            tags: old.tags.unwrap_or_default().into_iter().map(|name| Tag { name }).collect(),
            password: Some("is never stored".into()),
            id: old.id,
        }
    }
}

impl Resource for Disk {
    state_only_resource!(Test, DiskComputed { id: "a".into() });
}

#[test]
fn state_runs_through_all_later_upgrades() {
    let mut disk = instance("test_disk");
    let upgraded = |disk: &Instance, expected: Expect| expected.assert_eq(&disk.state().to_string());
    disk.upgrade_state(0, r#"{"name":"a","size":"10G","key":null,"id":"a"}"#);
    upgraded(
        &disk,
        expect![[r#"
            name = "a"
            gigabytes = 10
            tags = []
            id = "a""#]],
    );
    disk.upgrade_state(1, r#"{"name":"a","gigabytes":"20","tags":["x"],"id":"a"}"#);
    upgraded(
        &disk,
        expect![[r#"
            name = "a"
            gigabytes = 20
            tags[0].name = "x"
            id = "a""#]],
    );
    let plan = disk.plan(config! { name = "a", gigabytes = 20, tags = [{ name = "x" }] });
    assert_eq!(plan.action, Action::NoOp, "{plan}");
    disk.upgrade_state(2, r#"{"name":"a","gigabytes":30,"tags":[{"name":"y"}],"id":"a","password":null}"#);
    assert_eq!(disk.state().get::<u64>(path!(gigabytes)), 30);
}

#[derive(Model, Clone, Debug, PartialEq)]
struct ShelfV0 {
    width: String,
}

/// Versions 1 and 2: states of version 1 have no color.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1..=2, upgrade_from = ShelfV0)]
struct ShelfV2 {
    width: u64,
    color: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 3, upgrade_from = ShelfV2)]
struct Shelf {
    width: u64,
    color: String,
}

impl From<ShelfV0> for ShelfV2 {
    fn from(old: ShelfV0) -> ShelfV2 {
        ShelfV2 { width: old.width.parse().unwrap_or_default(), color: None }
    }
}

impl From<ShelfV2> for Shelf {
    fn from(old: ShelfV2) -> Shelf {
        Shelf { width: old.width, color: old.color.unwrap_or_else(|| "white".to_owned()) }
    }
}

impl Resource for Shelf {
    state_only_resource!(Test, ShelfComputed {});
}

#[test]
fn one_model_reads_the_states_of_several_versions() {
    let mut shelf = instance("test_shelf");
    for (version, stored, color) in [
        (0, r#"{"width": "80"}"#, "white"),
        (1, r#"{"width": 80}"#, "white"),
        (2, r#"{"width": 80, "color": "red"}"#, "red"),
    ] {
        shelf.upgrade_state(version, stored);
        assert_eq!(shelf.state().to_string(), format!("width = 80\ncolor = {color:?}"), "{version}");
    }
    let versions: Vec<i64> = Shelf::upgrades().earlier().map(|it| it.version).collect();
    assert_eq!(versions, [0, 1, 2], "the schema lock contains each of them");
}

/// The first version of the server, before `region` became `zone`.
#[derive(Model, Clone, Debug, PartialEq)]
struct ServerV0 {
    region: String,
    label: String,
    disks: Vec<ServerDisk>,
    by_name: BTreeMap<String, ServerDisk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = ServerV0)]
struct Server {
    zone: String,
    #[attr(semantic_eq = |a, b| a.eq_ignore_ascii_case(b))]
    label: String,
    disks: Vec<ServerDisk>,
    by_name: BTreeMap<String, ServerDisk>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct ServerDisk {
    #[attr(semantic_eq = |a, b| a.eq_ignore_ascii_case(b))]
    kind: String,
    size: Option<u64>,
}

impl From<ServerV0> for Server {
    fn from(old: ServerV0) -> Server {
        let normalized = |disk: ServerDisk| ServerDisk { kind: disk.kind.to_lowercase(), size: Some(1) };
        Server {
            zone: old.region,
            label: old.label.to_lowercase(),
            disks: old.disks.into_iter().map(normalized).collect(),
            by_name: old.by_name.into_iter().map(|(name, disk)| (name, normalized(disk))).collect(),
        }
    }
}

impl Resource for Server {
    state_only_resource!(Test, ServerComputed {});
}

#[test]
fn upgrade_keeps_stored_values_that_are_semantically_equal() {
    let mut server = instance("test_server");
    let stored = r#"{"region":"EU","label":"Web","disks":[{"kind":"SSD","size":9},{"kind":7}],
        "by_name":{"a":{"kind":"HDD"}}}"#;
    server.upgrade_state(0, stored);
    expect![[r#"
        zone = "EU"
        label = "Web"
        disks[0].kind = "SSD"
        disks[0].size = 1
        disks[1].kind = "7"
        disks[1].size = 1
        by_name["a"].kind = "HDD"
        by_name["a"].size = 1"#]]
    .assert_eq(&server.state().to_string());
}

#[test]
fn old_state_may_have_missing_and_extra_attributes() {
    let mut disk = instance("test_disk");
    disk.upgrade_state(0, r#"{"name":"a","size":"10G","gone":[1,{"a":true}]}"#);
    expect![[r#"
        name = "a"
        gigabytes = 10
        tags = []
        id = """#]]
    .assert_eq(&disk.state().to_string());
}

#[test]
fn failed_upgrade_names_the_version() {
    let check = |version, json: &str, expected: Expect| {
        expected.assert_eq(&instance("test_disk").try_upgrade_state(version, json).error().to_string());
    };
    check(
        0,
        r#"{"name":"a","size":"some","key":"opensesame","id":"a"}"#,
        expect![[
            r#"size: Unable to Upgrade Resource State: From version 0 to version 1 of test_disk: A size in gigabytes is required: "some" with the key Some("(sensitive value)") is none."#
        ]],
    );
    check(
        0,
        r#"{"name":"a","size":["10G"]}"#,
        expect![
            "Unable to Read Previously Saved State for UpgradeResourceState: The stored state of test_disk does not conform to schema version 0: size: a string is required, but got an array."
        ],
    );
    check(
        1,
        r#"{"name":"a","gigabytes":-1,"id":"a"}"#,
        expect![
            "gigabytes: Unable to Upgrade Resource State: From version 1 to version 2 of test_disk: Value Conversion Error: A whole number of at least 0 is required, but got -1."
        ],
    );
    check(
        0,
        "{",
        expect![
            "Unable to Read Previously Saved State for UpgradeResourceState: The stored state of test_disk does not conform to schema version 0: invalid JSON: unexpected end of input."
        ],
    );
    check(
        0,
        "null",
        expect![
            "Unable to Upgrade Resource State: From version 0 to version 1 of test_disk: Value Conversion Error: An object is required, but got null."
        ],
    );
    check(
        3,
        "{}",
        expect![
            "Unable to Upgrade Resource State: The stored state of test_disk has schema version 3, and the provider has schema version 2. A newer version of the provider has written it. Use that version or a later one."
        ],
    );
    check(
        -1,
        "{}",
        expect![
            "Unable to Upgrade Resource State: The stored state of test_disk has schema version -1, and the provider has schema version 2. This provider version cannot upgrade the state. Apply the configuration with an earlier provider version that can, and then switch back to this version. If no such version exists, report this to the authors of the provider."
        ],
    );
    // Terraform 0.11 wrote a map of strings, not JSON. The message does not contain it.
    check(
        0,
        "",
        expect![
            "Unable to Read Previously Saved State for UpgradeResourceState: The state was written by Terraform 0.11 or earlier. Upgrade it with Terraform 0.12 first."
        ],
    );
}

#[test]
fn panic_in_upgrade_is_an_error() {
    let found =
        instance("test_disk").try_upgrade_state(0, r#"{"name":"a","size":"5000G"}"#).error().to_string();
    assert!(
        found.contains("The state upgrade of test_disk from version 0") && found.contains("that large"),
        "{found}"
    );
}

/// A resource whose state had no fixed schema before version 3.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 3, oldest)]
struct FreeForm {
    name: String,
    ports: Vec<u16>,
    #[attr(sensitive)]
    key: Option<String>,
}

impl Resource for FreeForm {
    state_only_resource!(Test, FreeFormComputed {});

    async fn upgrade(cx: &RequestCx, stored: RawState) -> Result<Self> {
        if stored.version == 0 {
            return Err(Diagnostic::error(format!("Too old: {:?}", stored.get::<String>(path!(key))?)).into());
        }
        tokio::task::yield_now().await;
        cx.warn("An old state");
        let port = stored.get::<Option<u16>>(path!(port))?;
        let ports = stored.get::<Option<Vec<u16>>>(path!(settings["ports"]))?.unwrap_or_default();
        Ok(FreeForm {
            name: stored.get(path!(names[0]))?,
            ports: port.into_iter().chain(ports).collect(),
            key: stored.get(path!(key))?,
        })
    }
}

#[test]
fn uncovered_version_is_upgraded_by_the_upgrade_method() {
    let mut resource = instance("test_free_form");
    resource.upgrade_state(1, r#"{"names":["a","b"],"port":"80"}"#);
    expect![[r#"
        name = "a"
        ports = [80]"#]]
    .assert_eq(&resource.state().to_string());
    resource.upgrade_state(2, r#"{"names":["a"],"settings":{"ports":[1,2],"other":null}}"#);
    assert_eq!(resource.state().get::<Vec<u16>>(path!(ports)), [1, 2]);

    let check = |version, json: &str, expected: Expect| {
        expected.assert_eq(&instance("test_free_form").try_upgrade_state(version, json).error().to_string());
    };
    check(
        0,
        r#"{"key":"opensesame"}"#,
        expect![[
            r#"Unable to Upgrade Resource State: From version 0 to version 3 of test_free_form: Too old: "(sensitive value)"."#
        ]],
    );
    check(
        1,
        r#"{"names":"a"}"#,
        expect![[r#"
            An old state
            names[0]: Unable to Upgrade Resource State: From version 1 to version 3 of test_free_form: Value Conversion Error: An array is required, but got a string."#]],
    );
    check(
        1,
        r#"{"names":["a"],"port":"x"}"#,
        expect![[r#"
        An old state
        port: Unable to Upgrade Resource State: From version 1 to version 3 of test_free_form: Value Conversion Error: A number is required."#]],
    );
    check(
        4,
        "{}",
        expect![
            "Unable to Upgrade Resource State: The stored state of test_free_form has schema version 4, and the provider has schema version 3. A newer version of the provider has written it. Use that version or a later one."
        ],
    );
}

/// A resource that does not support older versions, and whose names are short.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, oldest)]
struct Strict {
    #[attr(validate = short)]
    name: String,
}

fn short(name: &str) -> Result<(), &'static str> {
    if name.len() < 4 { Ok(()) } else { Err("three letters at most") }
}

impl Resource for Strict {
    state_only_resource!(Test, StrictComputed {});
}

#[test]
fn uncovered_version_without_upgrade_method_is_rejected() {
    let found = instance("test_strict").try_upgrade_state(0, r#"{"name":"a"}"#).error();
    expect!["Unable to Upgrade Resource State: The stored state of test_strict has schema version 0, and the provider has schema version 1. This provider version cannot upgrade the state. Apply the configuration with an earlier provider version that can, and then switch back to this version. If no such version exists, report this to the authors of the provider."]
        .assert_eq(&found.to_string());
}

#[test]
fn upgraded_state_must_be_plannable() {
    let load = |harness: Harness| harness.resource("test_strict").upgrade_state(1, r#"{"name":"long"}"#);
    let broken =
        std::panic::catch_unwind(|| load(Harness::start::<Test>(config! {}))).expect_err("a broken law");
    let broken = broken.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(broken.starts_with("invariant violated: an upgraded state can be planned"), "{broken}");
    assert!(broken.contains("Three letters at most"), "{broken}");
    load(Harness::start::<Test>(config! {}).skip_check(Invariant::UpgradedStateCanBePlanned));
}

/// A model that received an attribute without a new schema version.
#[derive(Model, Clone, Debug, PartialEq)]
struct Extended {
    name: String,
    #[attr(default = Inner { name: "a".into(), note: None })]
    inner: Inner,
    #[attr(computed)]
    nested: Nested,
    #[attr(computed)]
    more: Vec<Nested>,
    none: Option<Inner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Inner {
    name: String,
    note: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Nested {
    #[attr(computed)]
    id: String,
    #[attr(computed)]
    note: Option<String>,
}

impl Resource for Extended {
    state_only_resource!(
        Test,
        ExtendedComputed { nested: Nested { id: "1".into(), note: None }, more: Vec::new() }
    );
}

#[test]
fn missing_nested_attributes_become_null() {
    let mut extended = instance("test_extended");
    extended.upgrade_state(0, r#"{"name":"a"}"#);
    expect![[r#"
        name = "a"
        inner.name = "a"
        nested.id = ""
        more = []"#]]
    .assert_eq(&extended.state().to_string());
    assert_eq!(extended.refresh().action, Action::NoOp);
}

mod at_run_time {
    use ferroform_engine::ProviderServer;

    use super::*;

    fn schema(version: i64, name: &str, ty: Type) -> Schema {
        Schema::new(Block::new().attribute(Attribute::raw(name, ty))).version(version)
    }

    /// Returns a resource with a size. Its `upgrade` method returns the value that the stored state describes.
    fn thing(version: i64, upgrades: Upgrades) -> PlanOnlyResource {
        let upgrade = |stored: RawState| {
            Ok(match stored.get::<Option<String>>(path!(result))?.as_deref() {
                None => Value::Null,
                Some("unknown") => Value::object([("size", Value::UNKNOWN)]),
                Some(other) => Value::object([("size", other.into())]),
            })
        };
        PlanOnlyResource { upgrades, upgrade, ..PlanOnlyResource::of(schema(version, "size", Type::Number)) }
    }

    /// Converts the size from a string to a number.
    fn to_number(old: &Value) -> Result<Value> {
        let size = old.attribute("size").and_then(Value::as_str).and_then(|it| it.parse::<i64>().ok());
        Ok(Value::object([("size", size.map_or(Value::Null, Value::from))]))
    }

    fn upgrades() -> Upgrades {
        Upgrades::oldest(1)
            .step(schema(1, "length", Type::String), |old| {
                Ok(Value::object([("size", old.attribute("length").cloned().unwrap_or(Value::Null))]))
            })
            .step(schema(2, "size", Type::String), to_number)
            .with_fallback()
    }

    #[test]
    fn runtime_schema_has_upgrades_and_upgrade_method() {
        let harness = Harness::raw(thing(3, upgrades()).provider(), config! {});
        let mut old = harness.resource("test_thing");
        old.upgrade_state(1, r#"{"length":"7"}"#);
        assert_eq!(old.state().get::<i64>(path!(size)), 7);
        old.upgrade_state(2, r#"{"size":"8"}"#);
        assert_eq!(old.state().get::<i64>(path!(size)), 8);
        expect!["Missing Upgraded Resource State: The state upgrade of test_thing from version 0 returned no state. This is a bug in the provider; please report it to its authors."]
            .assert_eq(&old.try_upgrade_state(0, "{}").error().to_string());
    }

    /// The step from version 1 leads to version 2, which is not the current one. The step from version 4 leads to it.
    #[test]
    fn fallback_upgrades_every_version_without_a_path_to_the_current_one() {
        let upgrades = Upgrades::oldest(0)
            .step(schema(1, "length", Type::String), |_| Err(Diagnostic::error("Not Called").into()))
            .step(schema(4, "size", Type::String), to_number)
            .with_fallback();
        let harness = Harness::raw(thing(5, upgrades).provider(), config! {});
        let mut old = harness.resource("test_thing");
        old.upgrade_state(4, r#"{"size":"8"}"#);
        assert_eq!(old.state().get::<i64>(path!(size)), 8);
        for version in [0, 1, 2, 3] {
            let error = old.try_upgrade_state(version, "{}").error().to_string();
            assert!(error.starts_with("Missing Upgraded Resource State"), "version {version}: {error}");
        }
    }

    #[test]
    fn fallback_does_not_permit_upgrades_in_the_wrong_order() {
        let step = |from| schema(from, "size", Type::String);
        let upgrades = |steps: [i64; 2]| {
            let all = steps.into_iter().fold(Upgrades::oldest(0), |all, it| all.step(step(it), to_number));
            let errors = ProviderServer::new(thing(3, all.with_fallback()).provider()).definition_errors();
            errors.to_string()
        };
        assert_eq!(upgrades([0, 2]), "");
        expect!["Invalid Schema Implementation: In resource test_thing: expected a state upgrade from version 3, but the next one is from version 1. This is a bug in the provider; please report it to its authors."].assert_eq(&upgrades([2, 1]));
        expect!["Invalid Schema Implementation: In resource test_thing: there is a state upgrade to version 4, but the schema version is 3. This is a bug in the provider; please report it to its authors."].assert_eq(&upgrades([1, 3]));
    }

    #[test]
    fn invalid_upgrade_result_is_an_error() {
        let server = ProviderServer::new(thing(3, upgrades()).provider());
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        let found = |json: &str| {
            let (state, found) =
                runtime.block_on(server.upgrade_resource_state("test_thing", 0, json.as_bytes()));
            assert_eq!(state, None);
            found.to_string()
        };
        expect!["size: Provider produced invalid object: size: the value must be known after apply, but the provider returned an unknown value. This is a bug in the provider; please report it to its authors."]
            .assert_eq(&found(r#"{"result":"unknown"}"#));
        expect![[r#"size: Provider produced invalid object: size: the type in the schema is number, but the provider returned "x". This is a bug in the provider; please report it to its authors."#]]
            .assert_eq(&found(r#"{"result":"x"}"#));
    }

    #[test]
    fn missing_upgrade_version_is_reported() {
        let check = |version, upgrades, expected: Expect| {
            let errors = ProviderServer::new(thing(version, upgrades).provider()).definition_errors();
            expected.assert_eq(&errors.to_string());
        };
        let step = |from| Upgrades::oldest(0).step(schema(from, "size", Type::String), to_number);
        check(1, step(0), expect![""]);
        check(0, Upgrades::default(), expect![""]);
        check(2, Upgrades::oldest(2), expect![""]);
        check(
            2,
            Upgrades::default(),
            expect![
                "Invalid Schema Implementation: In resource test_thing: there is no state upgrade from version 0 to version 1: add it, or declare that older states are not upgraded: `Upgrades::oldest(2)`. This is a bug in the provider; please report it to its authors."
            ],
        );
        check(
            2,
            step(0),
            expect![
                "Invalid Schema Implementation: In resource test_thing: there is no state upgrade from version 1 to version 2: add it, or declare that older states are not upgraded: `Upgrades::oldest(2)`. This is a bug in the provider; please report it to its authors."
            ],
        );
        check(
            2,
            step(1),
            expect![
                "Invalid Schema Implementation: In resource test_thing: expected a state upgrade from version 0, but the next one is from version 1. This is a bug in the provider; please report it to its authors."
            ],
        );
        check(
            0,
            step(0),
            expect![
                "Invalid Schema Implementation: In resource test_thing: there is a state upgrade to version 1, but the schema version is 0. This is a bug in the provider; please report it to its authors."
            ],
        );
    }

    #[test]
    fn raw_state_debug_output_is_masked() {
        let state = RawState::new(1, br#"{"password":"opensesame"}"#).expect("JSON");
        assert_eq!(format!("{state:?}"), "RawState { version: 1, .. }");
    }
}
