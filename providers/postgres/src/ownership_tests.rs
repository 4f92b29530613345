//! Objects of other roles, names that belong to other objects, and other spellings of values, with a PostgreSQL server that the
//! tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use ferroform_testing::{Action, Harness, config};
use test_support::postgresql::unique;

use crate::tests::{fixture};

#[test]
fn spelling_of_encoding_does_not_replace_database() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("encoding");
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, encoding = "UTF8" });
    server.psql(&name, "CREATE TABLE kept ()");
    for encoding in ["utf-8", "Unicode"] {
        assert_eq!(
            database.apply(config! { name = &*name, encoding = encoding }).action,
            Action::NoOp,
            "{encoding}"
        );
    }
    let mut imported = harness.resource("postgresql_database");
    imported.import(&name);
    assert_ne!(imported.plan(config! { name = &*name, encoding = "utf-8" }).action, Action::Replace);
    assert_eq!(imported.plan(config! { name = &*name, encoding = "LATIN1" }).action, Action::Replace);
    assert_eq!(server.psql(&name, "SELECT count(*) FROM kept"), "0");
    database.destroy();
}

/// The server accepts each pair of names for the same encoding.
#[test]
fn encodings_are_equal_as_on_the_server() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("encoding");
    let mut database = harness.resource("postgresql_database");
    for (first, second) in [
        ("ISO-8859-1", "latin1"),
        ("win1251", "windows-1251"),
        ("KOI8", "koi8_r"),
        ("TCVN5712", "WIN1258"),
        ("ISO_8859_5", "iso88595"),
    ] {
        let query = format!("SELECT pg_char_to_encoding('{first}') = pg_char_to_encoding('{second}')");
        assert_eq!(server.psql("postgres", &query), "t", "{first}");
        database.apply(config! { name = &*name, encoding = first, lc_collate = "C", lc_ctype = "C" });
        let plan =
            database.plan(config! { name = &*name, encoding = second, lc_collate = "C", lc_ctype = "C" });
        assert_eq!(plan.action, Action::NoOp, "{first}");
    }
    database.destroy();
}

#[test]
fn failed_create_does_not_adopt_database_of_the_same_name() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("shop");
    let mut database = harness.resource("postgresql_database");
    database.try_apply(config! { name = &*name, lc_collate = "nonsense_LOCALE" }).error();
    assert!(!database.exists());
    server.psql("postgres", &format!("CREATE DATABASE {name}"));
    server.psql(&name, "CREATE TABLE kept ()");
    let error = database.try_apply(config! { name = &*name, lc_collate = "C" }).error().to_string();
    assert!(error.contains("Database Already Exists"), "{error}");
    assert_eq!(server.psql(&name, "SELECT count(*) FROM kept"), "0");
}

#[test]
fn concurrent_creates_of_one_database_create_one() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("race");
    let created: Vec<bool> = std::thread::scope(|scope| {
        let create = || {
            let mut database = harness.resource("postgresql_database");
            let is_created = database.try_apply(config! { name = &*name }).is_ok();
            assert_eq!(database.exists(), is_created);
            is_created
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(create)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(created.iter().filter(|it| **it).count(), 1);
    server.psql("postgres", &format!("DROP DATABASE {name}"));
}

#[test]
fn removed_template_keeps_database() {
    let Some((_, _, harness)) = fixture() else { return };
    let name = unique("template");
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, template = "template1" });
    assert_eq!(database.plan(config! { name = &*name }).action, Action::NoOp);
    assert_eq!(database.plan(config! { name = &*name, template = "template0" }).action, Action::Replace);
    database.destroy();
    database.apply(config! { name = &*name });
    assert_eq!(database.plan(config! { name = &*name, template = "template0" }).action, Action::NoOp);
    let mut imported = harness.resource("postgresql_database");
    imported.import(&name);
    assert_eq!(imported.plan(config! { name = &*name }).action, Action::NoOp);
    assert_ne!(imported.plan(config! { name = &*name, template = "template1" }).action, Action::Replace);
    database.destroy();
}
