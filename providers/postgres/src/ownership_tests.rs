//! Objects of other roles, names that belong to other objects, and other spellings of values, with a PostgreSQL server that the
//! tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use ferroform::path;
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

#[test]
fn settings_in_other_spellings_are_read() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("settings");
    let mut role = harness.resource("postgresql_role");
    role.apply(config! { name = &*name });
    let alter = |setting: &str| server.psql("postgres", &format!("ALTER ROLE {name} SET {setting}"));

    // An empty name.
    alter("search_path = ''");
    role.refresh();
    assert_eq!(role.state().get::<Vec<String>>(path!(search_path)), [""]);
    assert_eq!(role.plan(config! { name = &*name, search_path = [""] }).action, Action::NoOp);
    role.apply(config! { name = &*name, search_path = ["$user", "a, b"] });
    role.apply(config! { name = &*name, search_path = [""] });
    assert_eq!(
        server.psql("postgres", &format!("SELECT rolconfig FROM pg_roles WHERE rolname = '{name}'")),
        r#"{"search_path=\"\""}"#
    );
    let long = "x".repeat(64);
    let error = role.try_plan(config! { name = &*name, search_path = [&*long] }).error().to_string();
    assert!(error.contains("1 to 63 bytes"), "{error}");
    alter(&format!("search_path = '{long}'"));
    role.refresh();
    role.apply(config! { name = &*name });

    // Units.
    alter("statement_timeout = '1min'");
    alter("idle_in_transaction_session_timeout = '5s'");
    assert!(role.refresh().to_string().contains("statement_timeout"));
    let timeouts =
        config! { name = &*name, statement_timeout = 60_000, idle_in_transaction_session_timeout = 5000 };
    assert_eq!(role.plan(timeouts).action, Action::NoOp);
    role.apply(config! { name = &*name });
    role.destroy();
}

#[test]
fn empty_password_is_no_password() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("role");
    let mut role = harness.resource("postgresql_role");
    for password in ["", "NULL", "null"] {
        role.apply(config! { name = &*name, login = true, password = "secret" });
        role.apply(config! { name = &*name, login = true, password = password });
        let stored = format!("SELECT rolpassword IS NULL FROM pg_authid WHERE rolname = '{name}'");
        assert_eq!(server.psql("postgres", &stored), "t", "{password}");
        assert_eq!(role.refresh().action, Action::NoOp);
    }
    role.destroy();
}

#[test]
fn table_can_have_several_spellings() {
    let Some((server, database, harness)) = fixture() else { return };
    server.psql(&database, "CREATE TABLE test (); CREATE TABLE other ()");
    let mut publication = harness.resource("postgresql_publication");
    let both = || config! { name = "p", tables = ["public.test", "test"] };
    publication.apply(both());
    assert_eq!(publication.refresh().action, Action::NoOp);
    assert_eq!(publication.plan(both()).action, Action::NoOp);
    server.psql(&database, "ALTER PUBLICATION p SET TABLE other");
    publication.refresh();
    assert_eq!(publication.state().get::<Vec<String>>(path!(tables)), ["public.other"]);
}
