//! Objects of other roles, names that belong to other objects, and other spellings of values, with a PostgreSQL server that the
//! tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use ferroform::path;
use ferroform_testing::{Action, Harness, Invariant, config};
use test_support::postgresql::{Server, unique};

use crate::Postgresql;
use crate::tests::{fixture, provider_config, role};

/// A provider that connects to a database as a new role without superuser rights, and the name of the role.
fn administrator(server: &Server, database: &str) -> (Harness, String) {
    let name = unique("admin");
    server.psql("postgres", &format!("CREATE ROLE {name} LOGIN CREATEROLE CREATEDB"));
    (Harness::start::<Postgresql>(provider_config(server, database, &name)), name)
}

/// A new role that an administrator creates. Since PostgreSQL 16, the administrator can grant membership only in roles that it created.
fn created_role(server: &Server, admin: &str) -> String {
    let name = unique("role");
    server.psql("postgres", &format!("SET ROLE {admin}; CREATE ROLE {name} LOGIN"));
    name
}

/// The memberships of a role, except those with `ADMIN OPTION`, and the memberships of other roles in it.
fn memberships(server: &Server, role: &str) -> String {
    let membership = "concat_ws(' ', pg_get_userbyid(roleid), pg_get_userbyid(member), admin_option)";
    server.psql(
        "postgres",
        &format!(
            "SELECT coalesce(string_agg({membership}, ',' ORDER BY roleid), '') FROM pg_auth_members
             WHERE (pg_get_userbyid(member) = '{role}' AND NOT admin_option) OR pg_get_userbyid(roleid) = '{role}'"
        ),
    )
}

/// Before version 16, a role with `CREATEROLE` can revoke the membership in itself.
fn can_revoke_membership_in_itself(server: &Server) -> bool {
    server.psql("postgres", "SELECT current_setting('server_version_num')::int < 160000") == "t"
}

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
fn encoding_aliases_match_the_server() {
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
fn removing_template_does_not_replace_database() {
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
fn database_of_another_role_is_changed_and_dropped() {
    let Some((server, _, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, "postgres");
    let (first, second, name, new_name) =
        (created_role(server, &admin), created_role(server, &admin), unique("owned"), unique("renamed"));
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, owner = &*first, alter_object_ownership = true });
    server.psql(&name, &format!("CREATE TABLE t (); ALTER TABLE t OWNER TO {first}"));
    let owner = |name: &str| {
        server.psql(
            "postgres",
            &format!("SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = '{name}'"),
        )
    };
    database.apply(config! { name = &*name, owner = &*second, alter_object_ownership = true });
    assert_eq!(owner(&name), second);
    assert_eq!(server.psql(&name, "SELECT tableowner FROM pg_tables WHERE tablename = 't'"), second);
    database.apply(config! { name = &*name, owner = &*second, connection_limit = 4, is_template = true });
    database.apply(config! { name = &*new_name, owner = &*first, is_template = true });
    assert_eq!(owner(&new_name), first);
    // A previous update that failed after the change of the name.
    let (previous_name, new_name) = (new_name, unique("renamed"));
    server.psql("postgres", &format!("ALTER DATABASE {previous_name} RENAME TO {new_name}"));
    database.apply(config! { name = &*new_name, owner = &*first, is_template = true, connection_limit = 5 });

    let mut schema = harness.resource("postgresql_schema");
    schema.apply(config! { name = "s", database = &*new_name });
    schema.apply(config! { name = "s", database = &*new_name, owner = &*second });
    schema.apply(config! { name = "renamed", database = &*new_name, owner = &*second });
    // Adopts the schema of the other role.
    let mut adopted = harness.resource("postgresql_schema");
    adopted.apply(config! { name = "renamed", database = &*new_name, owner = &*first });
    schema.refresh();
    schema.destroy();

    let mut extension = harness.resource("postgresql_extension");
    extension.apply(config! { name = "citext", database = &*new_name, version = "1.4" });
    server.psql(
        &new_name,
        &format!("UPDATE pg_extension SET extowner = '{second}'::regrole WHERE extname = 'citext'"),
    );
    extension.apply(config! { name = "citext", database = &*new_name, version = "1.4", drop_cascade = true });
    extension.destroy();

    let mut publication = harness.resource("postgresql_publication");
    publication.apply(config! { name = "p", database = &*new_name, tables = ["t"] });
    server.psql(&new_name, &format!("GRANT CREATE ON DATABASE {new_name} TO {second}"));
    publication.apply(config! { name = "p", database = &*new_name, owner = &*second, tables = ["t"] });
    publication.apply(config! { name = "p", database = &*new_name, owner = &*second });
    publication.destroy();

    assert_eq!(memberships(server, &admin), "");
    let has_other_sessions = format!(
        "SELECT 1 FROM pg_stat_activity WHERE datname = '{new_name}' AND usename = 'postgres' LIMIT 1"
    );
    while server.psql("postgres", &has_other_sessions) == "1" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    database.destroy();
    assert_eq!((owner(&new_name), memberships(server, &admin)), (String::new(), String::new()));
}

#[test]
fn sessions_of_the_owner_do_not_prevent_dropping_its_database() {
    let Some((server, _, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, "postgres");
    let (owner, name) = (created_role(server, &admin), unique("used"));
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, owner = &*owner });
    // This provider keeps its connection open.
    let other = Harness::start::<Postgresql>(provider_config(server, &name, &owner));
    other.list_resource("postgresql_schema").list(config! {});
    database.destroy();
    assert_eq!(memberships(server, &admin), "");
}

/// Without the lock of memberships, some operations fail with a duplicate key, or because another operation has revoked the membership.
#[test]
fn databases_and_schemas_with_one_owner_are_changed_in_parallel() {
    let Some((server, _, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, "postgres");
    let (owner, other) = (created_role(server, &admin), created_role(server, &admin));
    let mut expected = String::new();
    if can_revoke_membership_in_itself(server) {
        server.psql("postgres", &format!("GRANT {admin} TO {owner}"));
        expected = format!("{admin} {owner} f");
    }
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let name = unique("parallel");
                let mut database = harness.resource("postgresql_database");
                database.apply(config! { name = &*name, owner = &*owner });
                let mut schema = harness.resource("postgresql_schema");
                schema.apply(config! { name = "s", database = &*name, owner = &*other });
                schema.destroy();
                database.apply(config! { name = &*name, owner = &*other });
                database.destroy();
            });
        }
    });
    assert_eq!(memberships(server, &admin), expected);
}

#[test]
fn owner_that_is_a_member_of_the_administrator_keeps_its_membership() {
    let Some((server, name, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, &name);
    let owner = created_role(server, &admin);
    if !can_revoke_membership_in_itself(server) {
        return;
    }
    server.psql(
        "postgres",
        &format!(
            "GRANT {admin} TO {owner} WITH ADMIN OPTION; GRANT CREATE ON DATABASE {name} TO {admin}, {owner}"
        ),
    );
    let mut schema = harness.resource("postgresql_schema");
    schema.apply(config! { name = "s", owner = &*owner });
    schema.destroy();
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*unique("owned"), owner = &*owner });
    database.destroy();
    assert_eq!(memberships(server, &admin), format!("{admin} {owner} t"));
}

#[test]
fn existing_membership_keeps_its_options() {
    let Some((server, _, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, "postgres");
    let owner = created_role(server, &admin);
    if can_revoke_membership_in_itself(server) {
        return; // Memberships have no options.
    }
    server.psql(
        "postgres",
        &format!("SET ROLE {admin}; GRANT {owner} TO {admin} WITH INHERIT FALSE, SET TRUE"),
    );
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*unique("owned"), owner = &*owner });
    database.destroy();
    assert_eq!(memberships(server, &admin), format!("{owner} {admin} f"));
    let options = "SELECT inherit_option, set_option FROM pg_auth_members WHERE NOT admin_option";
    let query = format!("{options} AND pg_get_userbyid(member) = '{admin}'");
    assert_eq!(server.psql("postgres", &query), "f|t");
}

/// A role that can neither grant memberships nor needs them.
#[test]
fn sufficient_privileges_need_no_membership() {
    let Some((server, name, _)) = fixture() else { return };
    let user = role(server);
    server.psql("postgres", &format!("GRANT CREATE ON DATABASE {name} TO {user}"));
    server.psql(&name, "CREATE SCHEMA other");
    let harness = Harness::start::<Postgresql>(provider_config(server, &name, &user));
    let mut schema = harness.resource("postgresql_schema");
    schema.apply(config! { name = "own" });
    schema.destroy();
    schema.import(&format!("{name}.other"));
    let error = schema.try_destroy().error().to_string();
    assert!(error.contains("Must be owner of schema other"), "{error}");
    let error = harness
        .resource("postgresql_schema")
        .try_apply(config! { name = "own", owner = "postgres" })
        .error()
        .to_string();
    assert!(error.contains("postgres"), "{error}");
    let error = harness
        .resource("postgresql_schema")
        .try_apply(config! { name = "own", owner = "missing_role" })
        .error()
        .to_string();
    assert!(error.contains("missing_role"), "{error}");
}

#[test]
fn failed_drop_of_role_leaves_no_membership() {
    let Some((server, first, _)) = fixture() else { return };
    let (harness, admin) = administrator(server, "postgres");
    let (second, name) = (server.database(), unique("lk_owner"));
    let mut role = harness.resource("postgresql_role");
    role.apply(config! { name = &*name });
    for database in [&first, &second] {
        server.psql(database, &format!("CREATE TABLE t (); ALTER TABLE t OWNER TO {name}"));
    }
    server.psql("postgres", &format!("REVOKE CONNECT ON DATABASE {second} FROM PUBLIC"));
    let error = role.try_destroy().error().to_string();
    assert!(error.contains(&second), "{error}");
    assert_eq!(memberships(server, &admin), "");
    server.psql("postgres", &format!("GRANT CONNECT ON DATABASE {second} TO PUBLIC"));
    role.destroy();
    assert_eq!(memberships(server, &admin), "");
}

#[test]
fn skip_drop_role_reassigns_objects_and_revokes_privileges() {
    let Some((server, database, harness)) = fixture() else { return };
    let harness = harness.skip_check(Invariant::DestroyRemovesObject);
    let name = unique("kept");
    let mut role = harness.resource("postgresql_role");
    let owner = || server.psql(&database, "SELECT tableowner FROM pg_tables WHERE tablename = 't'");
    role.apply(config! { name = &*name, skip_drop_role = true, skip_reassign_owned = true });
    server.psql(&database, &format!("CREATE TABLE t (); ALTER TABLE t OWNER TO {name}"));
    role.destroy();
    assert_eq!(owner(), name);
    role.import(&name);
    role.apply(config! { name = &*name, skip_drop_role = true });
    role.destroy();
    assert_eq!(owner(), "postgres");
    server.psql("postgres", &format!("DROP ROLE {name}"));
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
fn empty_password_removes_password() {
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

#[test]
fn parallel_operations_use_connections_to_their_own_database() {
    let Some((server, _, harness)) = fixture() else { return };
    let databases: Vec<String> = (0..8).map(|_| server.database()).collect();
    std::thread::scope(|scope| {
        for database in &databases {
            let harness = &harness;
            scope.spawn(move || {
                server.psql(database, &format!("CREATE SCHEMA in_{database}"));
                for _ in 0..200 {
                    let found =
                        harness.list_resource("postgresql_schema").list(config! { database = &**database });
                    let names: Vec<&str> = found.iter().map(|it| it.display_name()).collect();
                    assert!(names.contains(&&*format!("{database}.in_{database}")), "{names:?}");
                }
            });
        }
    });
}

#[test]
fn connection_error_names_server_and_database() {
    let settings = config! { host = "127.0.0.1", port = 1, database = "shop", sslmode = "disable" };
    let harness = Harness::start::<Postgresql>(settings);
    let error =
        harness.resource("postgresql_role").try_apply(config! { name = "unreachable" }).error().to_string();
    assert!(error.contains("\"shop\" on 127.0.0.1, port 1"), "{error}");
}
