//! Import by pattern, by identity and by the method `import`.

use ferroform::path;
use ferroform::schema::ImportPattern;
use ferroform_testing::{Instance, config};

use crate::identity::cloud::{BUCKETS, Bucket, DISKS, Disk, Name, Zone, cloud};
use crate::identity::identity;

fn disk(project: &str, zone: Zone, name: &str) {
    let (project, name, id) = (project.to_owned(), Name(name.into()), format!("disk-{name}"));
    let disk = Disk { project, zone, name, size: 5, id };
    DISKS.lock().unwrap().insert(disk.key(), disk);
}

fn bucket(name: &str, content: &str) {
    let bucket = Bucket { name: name.into(), text: Some(content.into()) };
    BUCKETS.lock().unwrap().insert(name.into(), bucket);
}

#[test]
fn object_is_imported_by_pattern() {
    disk("ids", Zone::North, "a");
    disk("ids", Zone::South, "b");
    let mut it = cloud().resource("cloud_disk");
    let state = it.import("ids/south/b");
    assert_eq!((state.get::<u64>(path!(size)), state.get::<String>(path!(id))), (5, "disk-b".into()));
    assert_eq!(identity(&it), r#"project = "ids", zone = "south", name = "b""#);
    let plan = it.plan(config! { project = "ids", zone = "south", name = "b", size = 5 });
    assert_eq!(plan.to_string(), "no change");

    let mut it = cloud().resource("cloud_disk");
    let state = it.import("ids/a");
    assert_eq!(
        state.get::<String>(path!(zone)),
        "north",
        "an attribute that the ID does not contain has its default"
    );
}

#[test]
fn id_without_matching_pattern_is_rejected() {
    let mut it = cloud().resource("cloud_disk");
    let mut error = |id| it.try_import(id).error().to_string();
    let expected = r#"of cloud_disk does not have the form "{project}/{zone}/{name}" or "{project}/{name}""#;
    for id in ["", "a", "/a", "a/", "a//b", "a/north/b/c"] {
        assert_eq!(error(id), format!("Invalid Import ID: The import ID {id:?} {expected}."));
    }
    assert_eq!(
        error("ids/west/a"),
        format!(
            "Invalid Import ID: The import ID \"ids/west/a\" {expected}: for \"zone\", one of \
             \"north\", \"south\" is required, but got \"west\"."
        )
    );
    assert!(error("ids/nothing").starts_with("Cannot import non-existent remote object: "));
}

#[test]
fn import_patterns_parse_scalars() {
    let read = |pattern: &ImportPattern, id| {
        pattern
            .read(id)
            .map(|all| all.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>())
    };
    let a = || ImportPattern::new().attribute("a");
    let table = [
        (a(), "x/y", Some(vec!["a=x/y"])),
        (a(), "", None),
        (ImportPattern::new().literal("id-").attribute("a"), "id-id-1", Some(vec!["a=id-1"])),
        (ImportPattern::new().literal("id-").attribute("a"), "1", None),
        (a().literal(".json"), "x.json.json", Some(vec!["a=x.json"])),
        (a().literal(".json"), ".json", None),
        (a().literal(".json"), "x", None),
        (a().literal("/").attribute("b").literal("!"), "x/y!", Some(vec!["a=x", "b=y"])),
        (a().literal("/").attribute("b").literal("!"), "x/y/z!", None),
        (a().literal("/").rest("b").literal("!"), "x/y/z!", Some(vec!["a=x", "b=y/z"])),
        (
            a().literal("::").attribute("b").literal("/").attribute("c"),
            "x:::y/é",
            Some(vec!["a=x", "b=:y", "c=é"]),
        ),
        (a().literal("/").attribute("b").literal("/").attribute("c"), "x/y", None),
        (a().literal("/").optional("b"), "x/y", Some(vec!["a=x", "b=y"])),
        (a().literal("/").optional("b"), "x", Some(vec!["a=x"])),
        (a().literal("/").optional("b"), r"x\/y", Some(vec!["a=x/y"])),
        (a().literal("/").optional("b"), "x/", None),
        (a().literal("/").optional("b"), "x/y/z", None),
    ];
    for (pattern, id, expected) in table {
        let expected = expected.map(|all| all.into_iter().map(String::from).collect());
        assert_eq!(read(&pattern, id), expected, "{pattern} of {id:?}");
    }
}

#[test]
fn object_is_imported_by_identity() {
    disk("known", Zone::South, "a");
    let mut it = cloud().resource("cloud_disk");
    let state = it.import_by_identity(config! { project = "known", zone = "south", name = "A" });
    assert_eq!(state.get::<u64>(path!(size)), 5);
    assert_eq!(it.identity().get::<String>(path!(name)), "A", "the identity contains the requested name");

    disk("known", Zone::North, "b");
    let mut it = cloud().resource("cloud_disk");
    it.import_by_identity(config! { project = "known", name = "b" });
    assert_eq!(
        identity(&it),
        r#"project = "known", zone = "north", name = "b""#,
        "the omitted attribute is determined by the provider"
    );
}

#[test]
fn object_is_imported_by_partial_identity() {
    bucket("part", "x");
    let mut it = cloud().resource("cloud_bucket");
    let state = it.import_by_identity(config! { name = "part" });
    assert_eq!(state.get::<String>(path!(text)), "x");
    assert_eq!(identity(&it), r#"account = "1", name = "part""#);

    let errors = |account: &str| {
        let mut it = cloud().resource("cloud_bucket");
        it.try_import_by_identity(config! { name = "part", account = account }).error().to_string()
    };
    assert_eq!(
        errors("2"),
        r#"Unexpected Identity After Import: account: the import requested "2", but the object that was read has "1"."#
    );
    BUCKETS.lock().unwrap().remove("part");
}

#[test]
fn incomplete_import_identity_is_rejected() {
    let error = |it: &mut Instance, identity| it.try_import_by_identity(identity).error().to_string();
    let mut it = cloud().resource("cloud_disk");
    assert!(error(&mut it, config! { project = "a" }).contains("\"name\" is required"));
    assert_eq!(
        error(&mut it, config! { project = "a", name = "b", zone = "west" }),
        "Invalid Import Identity: The attribute \"zone\" of the identity of cloud_disk, version 2, is invalid: one of \"north\", \"south\" is required, but got \"west\"."
    );
    // Terraform checks required identity attributes. The engine checks the others.
    let mut it = cloud().resource("cloud_fickle");
    assert_eq!(
        error(&mut it, config! {}),
        "Invalid Import Identity: The identity of cloud_fickle requires at least one of these attributes: \"id\"."
    );
    assert_eq!(
        it.try_import("x").error().to_string(),
        "Resource Import Not Implemented: cloud_fickle cannot be imported by ID. Import it by its \
         identity, with an import block."
    );
}
