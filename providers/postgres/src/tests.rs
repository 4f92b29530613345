//! The provider in process, with a PostgreSQL server that the tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeSet;
use std::time::Duration;

use expect_test::expect;
use ferroform::path;
use ferroform_testing::{Action, Configuration, Harness, ProviderCheck, SchemaLock, config};
use test_support::postgresql::{Server, server, unique};

use crate::Postgresql;

/// The provider configuration.
pub(crate) fn provider_config(server: &Server, database: &str, user: &str) -> Configuration {
    config! { host = server.socket(), port = server.port, database = database, username = user }
}

/// A provider with a new database. Returns `None` if PostgreSQL is not installed.
pub(crate) fn fixture() -> Option<(&'static Server, String, Harness)> {
    let server = server()?;
    let database = server.database();
    let harness = Harness::start::<Postgresql>(provider_config(server, &database, "postgres"));
    Some((server, database, harness))
}

/// A new role.
pub(crate) fn role(server: &Server) -> String {
    let name = unique("role");
    server.psql("postgres", &format!("CREATE ROLE {name} LOGIN"));
    name
}

#[test]
fn stored_states_can_be_read() {
    SchemaLock::of::<Postgresql>().check("schemas.lock");
}

#[test]
fn role_is_created_changed_and_dropped() {
    let Some((server, _, harness)) = fixture() else { return };
    let (group, other) = (role(server), role(server));
    let (name, new_name) = (unique("Role \"x\""), unique("role.y"));
    let mut role = harness.resource("postgresql_role");
    role.apply(config! {
        name = &*name,
        login = true,
        create_database = true,
        connection_limit = 3,
        valid_until = "2030-01-01 00:00:00+02",
        roles = [&*group],
        search_path = ["$user", "a, b", "c"],
        statement_timeout = 5000,
        assume_role = &*group
    });
    let select = "SELECT rolcanlogin, rolcreatedb, rolconnlimit, rolvaliduntil AT TIME ZONE 'UTC', rolconfig FROM pg_roles WHERE rolname = ";
    let stored = server.psql("postgres", &format!("{select}'{name}'"));
    assert_eq!(
        stored,
        format!(
            r#"t|t|3|2029-12-31 22:00:00|{{"search_path=\"$user\", \"a, b\", c",statement_timeout=5000,role={group}}}"#
        )
    );
    assert_eq!(role.refresh().action, Action::NoOp);

    role.apply(
        config! { name = &*new_name, login = true, inherit = false, roles = [&*other], search_path = ["c"] },
    );
    let stored = server.psql("postgres", &format!("{select}'{new_name}'"));
    assert_eq!(stored, "t|f|-1|infinity|{search_path=c}");
    assert_eq!(server.psql("postgres", &format!("SELECT pg_has_role('{new_name}', '{other}', 'MEMBER'), pg_has_role('{new_name}', '{group}', 'MEMBER')")), "t|f");

    // Drift.
    server
        .psql("postgres", &format!("ALTER ROLE \"{new_name}\" CREATEROLE; GRANT {group} TO \"{new_name}\""));
    let drift = role.refresh();
    assert!(drift.to_string().contains("~ create_role = false -> true"), "{drift}");
    assert!(drift.to_string().contains("roles"), "{drift}");

    // A failed create leaves no role.
    let missing = config! { name = "incomplete", roles = ["missing"] };
    harness.resource("postgresql_role").try_apply(missing).error();
    assert_eq!(server.psql("postgres", "SELECT count(*) FROM pg_roles WHERE rolname = 'incomplete'"), "0");

    let mut imported = harness.resource("postgresql_role");
    imported.import(&new_name);
    assert!(imported.state().get::<bool>(path!(create_role)));
    role.destroy();
    assert_eq!(
        server.psql("postgres", &format!("SELECT count(*) FROM pg_roles WHERE rolname = '{new_name}'")),
        "0"
    );
}

#[test]
fn unmanaged_memberships_and_passwords_are_not_drift() {
    let Some((server, _, harness)) = fixture() else { return };
    let (name, group) = (unique("role"), role(server));
    let config = || config! { name = &*name, password = "first", valid_until = "2030-01-01 00:00:00+02" };
    let mut role = harness.resource("postgresql_role");
    role.apply(config());
    server.psql("postgres", &format!("GRANT {group} TO {name}; ALTER ROLE {name} PASSWORD 'second'"));
    assert_eq!(role.refresh().action, Action::NoOp);
    assert_eq!(role.plan(config()).action, Action::NoOp);
    role.apply(config! { name = &*name, password = "first", create_role = true });
    assert_eq!(server.psql("postgres", &format!("SELECT pg_has_role('{name}', '{group}', 'MEMBER')")), "t");
    role.destroy();
}

#[test]
fn dropped_role_loses_objects_and_privileges_in_all_databases() {
    let Some((server, database, harness)) = fixture() else { return };
    let (name, other) = (unique("role"), server.database());
    let mut role = harness.resource("postgresql_role");
    role.apply(config! { name = &*name });
    for database in [&database, &other] {
        server.psql(database, &format!("CREATE TABLE t (); ALTER TABLE t OWNER TO {name}; GRANT CREATE ON DATABASE {database} TO {name}"));
    }
    role.destroy();
    assert_eq!(server.psql(&other, "SELECT tableowner FROM pg_tables WHERE tablename = 't'"), "postgres");

    let mut kept = harness.resource("postgresql_role");
    kept.apply(config! { name = &*name, skip_drop_role = true });
    server.psql("postgres", "SELECT 1");
    let delete = |role: &mut ferroform_testing::Instance| {
        role.try_apply(config! { name = &*unique("x"), skip_drop_role = true }).ok()
    };
    delete(&mut kept);
    kept.apply(config! { name = &*name, skip_reassign_owned = true });
    server.psql(&other, &format!("ALTER TABLE t OWNER TO {name}"));
    let error = kept.try_destroy().error().to_string();
    assert!(
        error.starts_with("Cannot Drop Role: ") && error.contains("some objects depend on it"),
        "{error}"
    );
    server.psql(&other, "DROP TABLE t");
    kept.destroy();
}

/// Connects with a password, through TLS.
fn can_log_in(server: &Server, user: &str, password: &str) -> bool {
    let settings = config! {
        host = "127.0.0.1", port = server.port, database = "postgres", username = user, password = password
    };
    let harness = Harness::start::<Postgresql>(settings);
    harness.list_resource("postgresql_role").try_list(config! {}).is_ok()
}

#[test]
fn password_is_hashed_and_not_logged() {
    let Some((server, _, harness)) = fixture() else { return };
    let name = unique("role");
    let mut role = harness.resource("postgresql_role");
    role.apply(config! { name = &*name, login = true, password = "first-secret" });
    assert!(can_log_in(server, &name, "first-secret") && !can_log_in(server, &name, "wrong-secret"));
    role.apply(
        config! { name = &*name, login = true, password_wo = "second-secret", password_wo_version = "1" },
    );
    assert!(can_log_in(server, &name, "second-secret") && !role.state().to_string().contains("secret"));
    // The same version keeps the password.
    role.apply(
        config! { name = &*name, login = true, password_wo = "third-secret", password_wo_version = "1" },
    );
    assert!(!can_log_in(server, &name, "third-secret"));
    role.apply(
        config! { name = &*name, login = true, password_wo = "third-secret", password_wo_version = "2" },
    );
    assert!(can_log_in(server, &name, "third-secret"));
    let error = harness
        .resource("postgresql_role")
        .try_apply(config! { name = &*name, password = "other-secret" })
        .error();
    assert!(
        error.to_string().starts_with("Cannot Create Role: ") && !error.to_string().contains("secret"),
        "{error}"
    );
    role.apply(config! { name = &*name, login = true });
    assert!(!can_log_in(server, &name, "third-secret"));
    role.destroy();
    for password in ["first-secret", "second-secret", "third-secret", "other-secret"] {
        assert!(!server.log().contains(password), "the log of the server contains {password}");
    }
    assert!(server.log().contains(&name));

    // A hash is stored as it is.
    let hash = format!("md5{}", "0".repeat(32));
    role.apply(config! { name = &*name, password = &*hash });
    assert_eq!(
        server.psql("postgres", &format!("SELECT rolpassword FROM pg_authid WHERE rolname = '{name}'")),
        hash
    );
    role.destroy();
}

#[test]
fn generated_passwords_differ() {
    let Some((_, _, harness)) = fixture() else { return };
    let open = || {
        harness
            .ephemeral_resource("postgresql_password")
            .open(config! { length = 200 })
            .get::<String>(path!(password))
    };
    let (first, second) = (open(), open());
    assert_eq!((first.len(), first == second), (200, false));
    assert!(first.chars().all(|it| it.is_ascii_alphanumeric()));
    assert!(first.chars().collect::<BTreeSet<_>>().len() > 30, "{first}");
}

#[test]
fn grants_on_tables_are_authoritative() {
    let Some((server, database, harness)) = fixture() else { return };
    let role = role(server);
    server.psql(&database, "CREATE TABLE a (x int, y int); CREATE TABLE \"B.c\" (); CREATE SEQUENCE s");
    let mut grant = harness.resource("postgresql_grant");
    let all = |privileges: &[&'static str]| {
        let privileges = privileges.to_vec();
        config! { role = &*role, database = &*database, schema = "public", object_type = "table", privileges = privileges }
    };
    grant.apply(all(&["SELECT", "INSERT"]));
    let has = |table: &str, privilege: &str| {
        server.psql(&database, &format!("SELECT has_table_privilege('{role}', '{table}', '{privilege}')"))
            == "t"
    };
    assert!(has("a", "SELECT") && has("\"B.c\"", "INSERT") && !has("a", "DELETE"));
    // An additional privilege, a missing one and a new table are drift.
    for change in ["GRANT DELETE ON a TO", "REVOKE INSERT ON \"B.c\" FROM"] {
        server.psql(&database, &format!("{change} {role}"));
        grant.refresh();
        assert_eq!(grant.plan(all(&["SELECT", "INSERT"])).action, Action::Update, "{change}");
        grant.apply(all(&["SELECT", "INSERT"]));
        assert!(!has("a", "DELETE") && has("\"B.c\"", "INSERT"));
    }
    server.psql(&database, "CREATE TABLE d ()");
    grant.refresh();
    grant.apply(all(&["SELECT", "INSERT"]));
    assert!(has("d", "SELECT"));
    grant.apply(all(&["ALL"]));
    assert!(has("a", "TRIGGER"));
    assert_eq!(grant.refresh().action, Action::NoOp);
    grant.apply(all(&["SELECT"]));
    assert!(has("a", "SELECT") && !has("a", "TRIGGER"));
    grant.destroy();
    assert!(!has("a", "SELECT"));

    // Objects, columns and the option to grant.
    let mut one = harness.resource("postgresql_grant");
    one.apply(config! {
        role = &*role, database = &*database, schema = "public", object_type = "table", objects = ["B.c"],
        privileges = ["SELECT"], with_grant_option = true
    });
    assert!(has("\"B.c\"", "SELECT WITH GRANT OPTION") && !has("a", "SELECT"));
    let identity = one.identity();
    assert_eq!(identity.get::<Vec<String>>(path!(sorted_objects)), ["B.c"]);
    let without_option = one.plan(config! {
        role = &*role, database = &*database, schema = "public", object_type = "table", objects = ["B.c"],
        privileges = ["SELECT"]
    });
    assert_eq!(without_option.action, Action::Update);
    one.destroy();
    let mut columns = harness.resource("postgresql_grant");
    columns.apply(config! {
        role = &*role, database = &*database, schema = "public", object_type = "column", objects = ["a"], columns = ["y"],
        privileges = ["UPDATE", "SELECT"]
    });
    let query = format!(
        "SELECT has_column_privilege('{role}', 'a', 'x', 'SELECT'), has_column_privilege('{role}', 'a', 'y', 'SELECT')"
    );
    assert_eq!(server.psql(&database, &query), "f|t");
    let mut imported = harness.resource("postgresql_grant");
    assert_eq!(imported.import(&format!("{role}/{database}/column/public/a/y")), columns.state());
    for id in ["", "a/b", "a/b/tables", "a//table"] {
        let error = harness.resource("postgresql_grant").try_import(id).error().to_string();
        assert!(error.contains("Invalid Import ID"), "{error}");
    }
    columns.destroy();
    assert_eq!(server.psql(&database, &query), "f|f");
    let missing = config! {
        role = &*role, database = &*database, schema = "public", object_type = "table", objects = ["missing"],
        privileges = ["SELECT"]
    };
    let error = harness.resource("postgresql_grant").try_apply(missing).error().to_string();
    assert!(error.contains("The table \"missing\" does not exist in the database"), "{error}");
}

#[test]
fn grants_apply_to_every_object_type() {
    let Some((server, database, harness)) = fixture() else { return };
    let role = role(server);
    server.psql(
        &database,
        "CREATE SEQUENCE s; CREATE FUNCTION f(int, text) RETURNS int LANGUAGE sql AS 'SELECT 1';
         CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE PROCEDURE p() LANGUAGE sql AS 'SELECT 1';
         CREATE FOREIGN DATA WRAPPER w; CREATE SERVER v FOREIGN DATA WRAPPER w;
         REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA public FROM PUBLIC",
    );
    macro_rules! grant {
        ($($attributes:tt)*) => { config! { role = &*role, database = &*database, $($attributes)* } };
    }
    let has = |function: &str, object: &str, privilege: &str| {
        server
            .psql(&database, &format!("SELECT has_{function}_privilege('{role}', '{object}', '{privilege}')"))
            == "t"
    };
    for (configuration, function, object, privilege) in [
        (grant! { object_type = "database", privileges = ["CREATE"] }, "database", &*database, "CREATE"),
        (
            grant! { object_type = "schema", schema = "public", privileges = ["CREATE"] },
            "schema",
            "public",
            "CREATE",
        ),
        (
            grant! { object_type = "sequence", schema = "public", privileges = ["USAGE"] },
            "sequence",
            "s",
            "USAGE",
        ),
        (
            grant! { object_type = "function", schema = "public", objects = ["f(integer, text)"], privileges = ["EXECUTE"] },
            "function",
            "f(int, text)",
            "EXECUTE",
        ),
        (
            grant! { object_type = "function", schema = "public", objects = ["f"], privileges = ["EXECUTE"] },
            "function",
            "f(int)",
            "EXECUTE",
        ),
        (
            grant! { object_type = "procedure", schema = "public", privileges = ["EXECUTE"] },
            "function",
            "p()",
            "EXECUTE",
        ),
        (
            grant! { object_type = "routine", schema = "public", privileges = ["ALL"] },
            "function",
            "p()",
            "EXECUTE",
        ),
        (
            grant! { object_type = "foreign_data_wrapper", objects = ["w"], privileges = ["USAGE"] },
            "foreign_data_wrapper",
            "w",
            "USAGE",
        ),
        (
            grant! { object_type = "foreign_server", objects = ["v"], privileges = ["USAGE"] },
            "server",
            "v",
            "USAGE",
        ),
    ] {
        let mut grant = harness.resource("postgresql_grant");
        assert!(!has(function, object, privilege), "{object}");
        grant.apply(configuration);
        assert!(has(function, object, privilege), "{object}");
        grant.destroy();
        assert!(!has(function, object, privilege), "{object}");
    }
    // All roles.
    let mut public = harness.resource("postgresql_grant");
    public
        .apply(config! { role = "public", database = &*database, object_type = "database", privileges = [] });
    assert!(!has("database", &database, "CONNECT"));
    let mut imported = harness.resource("postgresql_grant");
    server.psql(
        &database,
        &format!("GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {role} WITH GRANT OPTION"),
    );
    let state = imported.import(&format!("{role}/{database}/database"));
    assert_eq!(state.get::<Vec<String>>(path!(privileges)), ["CONNECT", "TEMPORARY"]);
    assert!(state.get::<bool>(path!(with_grant_option)));
}

#[test]
fn invalid_object_type_combinations_are_rejected() {
    let Some((_, _, harness)) = fixture() else { return };
    let error = |configuration: Configuration| {
        let mut error = harness.resource("postgresql_grant").try_plan(configuration).error().to_string();
        error.truncate(error.find(". ").unwrap_or(error.len()));
        error
    };
    expect![[r#"
        schema: Invalid Attribute Combination: `schema` must be set if `object_type` is "table"."#]]
    .assert_eq(&error(
        config! { role = "a", database = "b", object_type = "table", privileges = ["SELECT"] },
    ));
    expect![[r#"
        privileges: Invalid Attribute Combination: The privilege SELECT does not apply to the object type "schema""#]]
    .assert_eq(&error(
        config! { role = "a", database = "b", object_type = "schema", schema = "s", privileges = ["SELECT"] },
    ));
    expect![[r#"
        objects: Invalid Attribute Combination: `objects` cannot be set if `object_type` is "schema"."#]]
    .assert_eq(&error(config! { role = "a", database = "b", object_type = "schema", schema = "s", objects = ["o"], privileges = [] }));
}

/// Without the lock of a transaction, this fails with "tuple concurrently updated".
#[test]
fn parallel_grants_on_one_object_succeed() {
    let Some((server, database, _)) = fixture() else { return };
    let roles: Vec<String> = (0..40).map(|_| role(server)).collect();
    server.psql(&database, "CREATE TABLE t ()");
    std::thread::scope(|scope| {
        for roles in roles.chunks(5) {
            let database = &database;
            scope.spawn(move || {
                // Aliases of the provider with different databases use the same lock.
                let connected = server.database();
                let harness = Harness::start::<Postgresql>(provider_config(server, &connected, "postgres"));
                for role in roles {
                    let on_database = config! { role = &**role, database = &**database, object_type = "database", privileges = ["CREATE"] };
                    let on_table = config! {
                        role = &**role, database = &**database, schema = "public", object_type = "table", privileges = ["SELECT"]
                    };
                    harness.resource("postgresql_grant").apply(on_database);
                    harness.resource("postgresql_grant").apply(on_table);
                }
            });
        }
    });
    let count = format!(
        "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'role%' AND has_table_privilege(rolname, 't', 'SELECT')
         AND has_database_privilege(rolname, '{database}', 'CREATE')"
    );
    assert_eq!(server.psql(&database, &count), "40");
    server.psql("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
}

#[test]
fn default_privileges_apply_to_new_objects() {
    let Some((server, database, harness)) = fixture() else { return };
    let (role, owner) = (role(server), role(server));
    server.psql(&database, "CREATE SCHEMA s");
    let mut tables = harness.resource("postgresql_default_privileges");
    let on_tables = |privileges: &[&'static str]| {
        let privileges = privileges.to_vec();
        config! {
            role = &*role, database = &*database, owner = &*owner, schema = "s", object_type = "table", privileges = privileges
        }
    };
    tables.apply(on_tables(&["SELECT", "INSERT"]));
    server
        .psql(&database, &format!("GRANT ALL ON SCHEMA s TO {owner}; SET ROLE {owner}; CREATE TABLE s.t ()"));
    assert_eq!(
        server.psql(&database, &format!("SELECT has_table_privilege('{role}', 's.t', 'INSERT')")),
        "t"
    );
    server.psql(
        &database,
        &format!("ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA s GRANT DELETE ON TABLES TO {role}"),
    );
    tables.refresh();
    assert_eq!(tables.plan(on_tables(&["SELECT", "INSERT"])).action, Action::Update);
    tables.apply(on_tables(&["SELECT"]));
    let mut imported = harness.resource("postgresql_default_privileges");
    assert_eq!(imported.import(&format!("{role}/{database}/{owner}/table/s")), tables.state());
    let mut identified = harness.resource("postgresql_default_privileges");
    let identity = config! {
        role = &*role, database = &*database, owner = &*owner, schema = "s", object_type = "table"
    };
    assert_eq!(identified.import_by_identity(identity), tables.state());
    tables.destroy();
    assert_eq!(server.psql(&database, "SELECT count(*) FROM pg_default_acl"), "0");

    // Revokes the privileges that PostgreSQL grants to all roles by default.
    let mut functions = harness.resource("postgresql_default_privileges");
    functions.apply(config! {
        role = "public", database = &*database, owner = &*owner, object_type = "function", privileges = []
    });
    server.psql(
        &database,
        &format!("SET ROLE {owner}; CREATE FUNCTION s.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    );
    assert_eq!(
        server.psql(&database, &format!("SELECT has_function_privilege('{role}', 's.f()', 'EXECUTE')")),
        "f"
    );
}

#[test]
fn membership_is_granted_and_revoked() {
    let Some((server, _, harness)) = fixture() else { return };
    let (member, group) = (role(server), role(server));
    let mut membership = harness.resource("postgresql_grant_role");
    membership.apply(config! { role = &*member, grant_role = &*group, with_admin_option = true });
    let mut imported = harness.resource("postgresql_grant_role");
    assert_eq!(imported.import(&format!("{member}/{group}")), membership.state());
    server.psql("postgres", &format!("REVOKE ADMIN OPTION FOR {group} FROM {member}"));
    assert!(membership.refresh().to_string().contains("with_admin_option = true -> false"));
    for with_admin_option in [true, false] {
        let changed = membership
            .apply(config! { role = &*member, grant_role = &*group, with_admin_option = with_admin_option });
        assert_eq!(changed.action, Action::Update);
        membership.refresh();
        assert_eq!(membership.state().get::<bool>(path!(with_admin_option)), with_admin_option);
    }
    membership.destroy();
    assert_eq!(server.psql("postgres", &format!("SELECT pg_has_role('{member}', '{group}', 'MEMBER')")), "f");
}

#[test]
fn schema_is_created_changed_imported_and_dropped() {
    let Some((server, database, harness)) = fixture() else { return };
    let owner = role(server);
    let mut schema = harness.resource("postgresql_schema");
    schema.apply(config! { name = "One.two" });
    assert_eq!(schema.state().get::<String>(path!(owner)), "postgres");
    assert_eq!(schema.state().get::<String>(path!(database)), database);
    schema.apply(config! { name = "three.4", owner = &*owner });
    assert_eq!(
        server
            .psql(&database, "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'three.4'"),
        owner
    );
    let mut imported = harness.resource("postgresql_schema");
    assert_eq!(imported.import(&format!("{database}.three\\.4")), schema.state());
    server.psql(&database, "CREATE TABLE \"three.4\".t ()");
    let error = schema.try_destroy().error().to_string();
    assert!(error.contains("SQLSTATE 2BP01"), "{error}");
    schema.apply(config! { name = "three.4", drop_cascade = true });
    schema.destroy();
    // If its database was dropped, the schema no longer exists.
    let other = server.database();
    schema.apply(config! { name = "s", database = &*other });
    server.psql("postgres", &format!("DROP DATABASE {other} WITH (FORCE)"));
    schema.refresh();
    assert!(!schema.exists());
    // A schema that already exists.
    server.psql(&database, "CREATE SCHEMA existing");
    let error = schema.try_apply(config! { name = "existing", if_not_exists = false }).error().to_string();
    assert!(error.contains("already exists"), "{error}");
}

#[test]
fn extension_is_created_changed_imported_and_dropped() {
    let Some((server, database, harness)) = fixture() else { return };
    server.psql(&database, "CREATE SCHEMA s");
    let mut extension = harness.resource("postgresql_extension");
    extension.apply(config! { name = "citext", version = "1.4" });
    assert_eq!(extension.state().get::<String>(path!(schema)), "public");
    extension.apply(config! { name = "citext", version = "1.6", schema = "s" });
    assert_eq!(server.psql(&database, "SELECT extversion FROM pg_extension WHERE extname = 'citext'"), "1.6");
    let mut imported = harness.resource("postgresql_extension");
    assert_eq!(imported.import(&format!("{database}.citext")), extension.state());
    server.psql(&database, "CREATE TABLE t (x s.citext)");
    assert!(extension.try_destroy().error().to_string().contains("Cannot Drop Extension"));
    extension.apply(config! { name = "citext", version = "1.6", schema = "s", drop_cascade = true });
    extension.destroy();
    let mut dependent = harness.resource("postgresql_extension");
    dependent.apply(config! { name = "earthdistance", create_cascade = true });
    dependent.destroy();
}

#[test]
fn publication_is_created_changed_imported_and_dropped() {
    let Some((server, database, harness)) = fixture() else { return };
    server.psql(&database, "CREATE TABLE a (); CREATE TABLE \"B\" ()");
    let mut publication = harness.resource("postgresql_publication");
    let first = || config! { name = "p", tables = ["a", "public.\"B\""], publish_param = ["insert"] };
    publication.apply(first());
    assert_eq!(publication.refresh().action, Action::NoOp);
    assert_eq!(publication.plan(first()).action, Action::NoOp);
    assert_eq!(server.psql(&database, "SELECT tablename FROM pg_publication_tables ORDER BY 1"), "B\na");
    publication.apply(config! { name = "q", tables = ["public.a"], publish_via_partition_root_param = true });
    assert_eq!(server.psql(&database, "SELECT pubname, pubdelete, pubviaroot FROM pg_publication"), "q|t|t");
    let mut imported = harness.resource("postgresql_publication");
    assert_eq!(imported.import(&format!("{database}.q")), publication.state());
    server.psql(&database, "ALTER PUBLICATION q ADD TABLE \"B\"");
    assert!(publication.refresh().to_string().contains("tables"));
    publication.apply(config! { name = "q" });
    assert_eq!(server.psql(&database, "SELECT count(*) FROM pg_publication_rel"), "0");
    publication.apply(config! { name = "q.r" });
    let mut imported = harness.resource("postgresql_publication");
    assert_eq!(imported.import(&format!("{database}.q\\.r")), publication.state());
    publication.apply(config! { name = "q", all_tables = true });
    let error = publication.try_apply(config! { name = "q", tables = ["missing"] }).error().to_string();
    assert!(error.contains("The table \"missing\" does not exist"), "{error}");
}

#[test]
fn function_is_created_changed_imported_and_dropped() {
    let Some((server, database, harness)) = fixture() else { return };
    let increment = |body: &str| {
        config! {
            name = "increment", returns = "int", language = "plpgsql", body = body, volatility = "IMMUTABLE", strict = true,
            arg { name = "i", type = "int" }, arg { name = "by", type = "numeric", default = "1" }
        }
    };
    let mut function = harness.resource("postgresql_function");
    function.apply(increment("BEGIN RETURN i + by; END;"));
    assert_eq!(server.psql(&database, "SELECT increment(4)"), "5");
    assert_eq!(function.state().get::<String>(path!(schema)), "public");
    assert_eq!(function.refresh().action, Action::NoOp);
    assert_eq!(function.plan(increment("BEGIN RETURN i + by; END;")).action, Action::NoOp);
    function.apply(increment("BEGIN RETURN i + 2 * by; END;"));
    assert_eq!(server.psql(&database, "SELECT increment(4, 3)"), "10");
    server.psql(&database, "ALTER FUNCTION increment STABLE");
    assert!(function.refresh().to_string().contains("volatility"));
    function.apply(increment("BEGIN RETURN i; END;"));

    let mut imported = harness.resource("postgresql_function");
    let state = imported.import(&format!("{database}.public.increment(int, numeric)"));
    assert_eq!(state.get::<String>(path!(arg[0].type)), "integer");
    assert_eq!(state.get::<String>(path!(body)), "BEGIN RETURN i; END;");
    function.destroy();
    assert_eq!(server.psql(&database, "SELECT count(*) FROM pg_proc WHERE proname = 'increment'"), "0");

    let mut out = harness.resource("postgresql_function");
    out.apply(config! {
        name = "o", language = "sql", body = "SELECT 1, 'it''s $$'::text",
        arg { name = "a", type = "int", mode = "OUT" }, arg { name = "b", type = "text", mode = "OUT" }
    });
    assert_eq!(out.state().get::<String>(path!(returns)), "record");
    assert_eq!(server.psql(&database, "SELECT b FROM o()"), "it's $$");
    out.destroy();
    let mut set = harness.resource("postgresql_function");
    set.apply(config! { name = "s", returns = "SETOF text", language = "sql", body = "SELECT 'a'" });
    set.destroy();
    for (returns, body, expected) in [
        ("no_type", "BEGIN END", "The type \"no_type\" does not exist"),
        ("TABLE (a int)", "BEGIN END", "Syntax error at or near \"TABLE\""),
        ("void", "AS $$ BEGIN END $$", "Syntax error at or near \"AS\""),
    ] {
        let config = config! { name = "s", returns = returns, body = body };
        let error = set.try_apply(config).error().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Each statement is executed alone, so an expression cannot contain another one.
    server.psql(&database, "CREATE TABLE kept ()");
    let config = config! {
        name = "s", returns = "int", language = "sql", body = "SELECT 1",
        arg { name = "i", type = "int", default = "1)) RETURNS int LANGUAGE sql AS 'SELECT 1'; DROP TABLE kept; --" }
    };
    set.try_apply(config).error();
    assert_eq!(server.psql(&database, "SELECT count(*) FROM kept"), "0");
}

#[test]
fn database_is_created_changed_imported_and_dropped() {
    let Some((server, template, harness)) = fixture() else { return };
    server.psql(&template, "CREATE TABLE copied ()");
    let (owner, name, new_name) = (role(server), unique("Data.Base"), unique("renamed"));
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, encoding = "utf-8", lc_collate = "C", connection_limit = 7 });
    assert_eq!(database.state().get::<String>(path!(owner)), "postgres");
    server.psql(&name, "CREATE TABLE t ()");
    database.apply(config! { name = &*new_name, encoding = "utf-8", owner = &*owner, is_template = true, allow_connections = true });
    assert_eq!(server.psql("postgres", &format!("SELECT datistemplate, datconnlimit, pg_get_userbyid(datdba) FROM pg_database WHERE datname = '{new_name}'")), format!("t|-1|{owner}"));
    let encoding = |encoding: &str| {
        config! {
            name = &*new_name, encoding = encoding, owner = &*owner, is_template = true, allow_connections = true
        }
    };
    assert_eq!(database.refresh().action, Action::NoOp);
    assert_eq!(database.plan(encoding("utf-8")).action, Action::NoOp);
    let mut imported = harness.resource("postgresql_database");
    imported.import(&new_name);
    assert_eq!(
        imported
            .plan(config! { name = &*new_name, owner = &*owner, is_template = true, template = "template0" })
            .action,
        Action::Update
    );
    let error =
        harness.resource("postgresql_database").try_apply(config! { name = &*new_name }).error().to_string();
    assert!(error.contains("Already Exists") && error.contains("import it with the ID"), "{error}");
    database.destroy();

    // The encoding of the template.
    let (latin, copied) = (unique("latin"), unique("latin"));
    server.psql("postgres", &format!("CREATE DATABASE {latin} TEMPLATE template0 ENCODING 'LATIN1'"));
    let mut copy = harness.resource("postgresql_database");
    copy.apply(config! { name = &*copied, template = &*latin });
    assert_eq!(copy.state().get::<String>(path!(encoding)), "LATIN1");
    copy.destroy();
    let default = config! { name = &*unique("default"), encoding = "DEFAULT" };
    let error = harness.resource("postgresql_database").try_apply(default).error().to_string();
    assert!(error.contains("DEFAULT is not a valid encoding name"), "{error}");

    // The provider itself is connected to the template.
    let mut copy = harness.resource("postgresql_database");
    copy.apply(config! { name = &*unique("copy"), template = &*template });
    let name: String = copy.state().get(path!(name));
    assert_eq!(server.psql(&name, "SELECT count(*) FROM copied"), "0");
    server
        .psql(&name, &format!("ALTER DATABASE {name} OWNER TO {owner}; ALTER TABLE copied OWNER TO {owner}"));
    copy.refresh();
    copy.apply(
        config! { name = &*name, template = &*template, owner = "postgres", alter_object_ownership = true },
    );
    assert_eq!(server.psql(&name, "SELECT tableowner FROM pg_tables WHERE tablename = 'copied'"), "postgres");
    copy.destroy();
}

#[test]
fn role_without_superuser_manages_objects_of_other_roles() {
    let Some((server, _, _)) = fixture() else { return };
    let admin = unique("admin");
    server.psql("postgres", &format!("CREATE ROLE {admin} LOGIN CREATEROLE CREATEDB"));
    let harness = Harness::start::<Postgresql>(provider_config(server, "postgres", &admin));
    let (name, user) = (unique("database"), unique("user"));
    let mut role = harness.resource("postgresql_role");
    role.apply(config! { name = &*user, login = true });
    let mut database = harness.resource("postgresql_database");
    database.apply(config! { name = &*name, owner = &*user });
    let mut schema = harness.resource("postgresql_schema");
    server.psql("postgres", &format!("GRANT CREATE ON DATABASE \"{name}\" TO {admin}, {user}"));
    schema.apply(config! { name = "s", database = &*name, owner = &*user });
    let mut defaults = harness.resource("postgresql_default_privileges");
    defaults.apply(config! { role = &*admin, database = &*name, owner = &*user, object_type = "table", privileges = ["SELECT"] });
    assert_eq!(server.psql("postgres", &format!("SELECT count(*) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member WHERE r.rolname = '{admin}' AND NOT m.admin_option")), "0");
    role.destroy();
    assert_eq!(
        server.psql(&name, "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 's'"),
        admin
    );
    schema.refresh();
    database.refresh();
    // The user cannot end the session of a superuser, and the server needs a moment to notice that `psql` has ended.
    let sessions =
        format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND usename = 'postgres'");
    while server.psql("postgres", &sessions) != "0" {
        std::thread::sleep(Duration::from_millis(20));
    }
    database.destroy();
}

#[test]
fn objects_are_listed() {
    let Some((server, database, harness)) = fixture() else { return };
    let (member, group) = (role(server), role(server));
    server.psql(&database, &format!("CREATE SCHEMA s; CREATE PUBLICATION p; CREATE FUNCTION s.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'; GRANT {group} TO {member}; CREATE EXTENSION citext"));
    for (ty, expected) in [
        ("postgresql_database", database.clone()),
        ("postgresql_role", member.clone()),
        ("postgresql_grant_role", format!("{member} in {group}")),
        ("postgresql_schema", format!("{database}.s")),
        ("postgresql_extension", format!("{database}.citext")),
        ("postgresql_publication", format!("{database}.p")),
        ("postgresql_function", format!("{database}.s.f(integer)")),
    ] {
        let found = harness.list_resource(ty).include_resource().limit(10_000).list(config! {});
        let names: Vec<&str> = found.iter().map(|it| it.display_name()).collect();
        assert!(names.contains(&&*expected), "{ty}: {names:?}");
        assert!(found.iter().all(|it| it.object().is_some()), "{ty}");
    }
}

#[test]
fn certificate_is_verified_as_in_libpq() {
    let Some((server, _, _)) = fixture() else { return };
    let user = unique("user");
    server.psql("postgres", &format!("CREATE ROLE {user} LOGIN PASSWORD 'secret'"));
    let connect = |host: &str, mode: &str, root: Option<&str>| {
        let root = root.map(|it| server.file(it));
        let settings = config! {
            host = host, port = server.port, username = &*user, password = "secret", sslmode = mode, sslrootcert = root
        };
        Harness::start::<Postgresql>(settings).list_resource("postgresql_role").try_list(config! {}).is_ok()
    };
    for (host, mode, root, expected) in [
        ("127.0.0.1", "require", None, true),
        ("127.0.0.1", "prefer", None, true),
        ("127.0.0.1", "disable", None, false), // The server requires TLS.
        ("127.0.0.1", "require", Some("other.pem"), false),
        ("127.0.0.1", "verify-ca", Some("root.pem"), true),
        ("127.0.0.1", "verify-ca", Some("other.pem"), false),
        ("127.0.0.1", "verify-full", Some("root.pem"), false), // The certificate is for localhost.
        ("localhost", "verify-full", Some("root.pem"), true),
        ("localhost", "verify-full", Some("other.pem"), false),
    ] {
        assert_eq!(connect(host, mode, root), expected, "{host} {mode} {root:?}");
    }
}

/// The original accepts these values.
#[test]
fn out_of_range_limits_and_empty_collections_are_rejected() {
    for (name, config) in [
        ("max_connections", config! { max_connections = 0 }),
        ("connect_timeout", config! { connect_timeout = -1 }),
    ] {
        let error = Harness::try_start::<Postgresql>(config).error().to_string();
        assert!(error.contains(name), "{error}");
    }
    let Some((_, _, harness)) = fixture() else { return };
    let empty = Vec::<&str>::new;
    for (ty, name, config) in [
        ("postgresql_role", "search_path", config! { name = "a", search_path = empty() }),
        (
            "postgresql_grant",
            "objects",
            config! {
                role = "a", database = "b", object_type = "table", schema = "s", objects = empty(), privileges = []
            },
        ),
        (
            "postgresql_grant",
            "columns",
            config! {
                role = "a", database = "b", object_type = "column", schema = "s", objects = ["o"], columns = empty(), privileges = []
            },
        ),
    ] {
        let error = harness.resource(ty).try_plan(config).error().to_string();
        assert!(error.starts_with(name), "{error}");
    }
}

/// The limit applies to the connections to all databases together.
#[test]
fn connections_are_limited_and_reused() {
    let Some((server, _, _)) = fixture() else { return };
    let databases: Vec<String> = (0..6).map(|_| server.database()).collect();
    let (first, user) = (databases[0].clone(), unique("limited"));
    server.psql("postgres", &format!("CREATE ROLE {user} SUPERUSER LOGIN CONNECTION LIMIT 2"));
    let settings = config! {
        host = server.socket(), port = server.port, database = &*first, username = &*user, max_connections = 2
    };
    let harness = Harness::start::<Postgresql>(settings);
    for database in databases.iter().chain(&databases) {
        harness.list_resource("postgresql_schema").list(config! { database = &**database });
    }
    let count = format!("SELECT count(*) FROM pg_stat_activity WHERE usename = '{user}'");
    // The server needs a moment to notice that a connection was closed.
    for _ in 0..100 {
        if server.psql("postgres", &count) == "2" {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{} connections", server.psql("postgres", &count));
}

#[test]
fn provider_violates_no_invariant() {
    let Some((server, database, _)) = fixture() else { return };
    let (first, second) = (role(server), role(server));
    server.psql(&database, "CREATE TABLE a (x int, y int); CREATE TABLE b (x int); CREATE SCHEMA s");
    let roles = || vec![&*first, &*second];
    ProviderCheck::<Postgresql>::new()
        .configure(provider_config(server, &database, "postgres"))
        .values("postgresql_database", path!(owner), vec!["postgres"])
        .example("postgresql_default_privileges", config! {
            role = &*first, database = &*database, owner = &*second, schema = "public", object_type = "table", privileges = ["SELECT"]
        })
        .values("postgresql_default_privileges", path!(privileges), vec![vec!["SELECT"], vec!["SELECT", "INSERT"]])
        .values("postgresql_extension", path!(name), vec!["citext"])
        .values("postgresql_extension", path!(database), vec![&*database])
        .values("postgresql_extension", path!(schema), vec!["public", "s"])
        .values("postgresql_extension", path!(version), vec!["1.6"])
        .values("postgresql_function", path!(returns), vec!["int", "integer"])
        .values("postgresql_function", path!(language), vec!["sql"])
        .values("postgresql_function", path!(body), vec!["SELECT 1", "SELECT 2"])
        .values("postgresql_function", path!(schema), vec!["public", "s"])
        .values("postgresql_function", path!(database), vec![&*database])
        .values("postgresql_function", path!(arg.type), vec!["int", "text"])
        .values("postgresql_function", path!(arg.mode), vec!["IN"])
        .values("postgresql_function", path!(arg.default), vec!["NULL"])
        .values("postgresql_schema", path!(database), vec![&*database])
        .values("postgresql_schema", path!(owner), vec!["postgres", &*first])
        .values("postgresql_publication", path!(database), vec![&*database])
        .values("postgresql_publication", path!(owner), vec!["postgres"])
        // Drift to another spelling of the same name would not be detected.
        .values("postgresql_publication", path!(tables), vec![vec!["public.a"], vec!["public.a", "public.b"]])
        .values("postgresql_database", path!(template), vec!["template0", "template1"])
        .values("postgresql_database", path!(encoding), vec!["UTF8", "utf-8"])
        .values("postgresql_database", path!(lc_collate), vec!["C"])
        .values("postgresql_database", path!(lc_ctype), vec!["C"])
        .values("postgresql_database", path!(tablespace_name), vec!["pg_default"])
        .values("postgresql_role", path!(valid_until), vec!["infinity", "2030-01-01", "2031-02-03 04:05:06+07"])
        .values("postgresql_role", path!(assume_role), vec![&*first])
        .example("postgresql_grant", config! {
            role = &*first, database = &*database, schema = "public", object_type = "table", objects = ["a"], privileges = ["SELECT"]
        })
        .values("postgresql_grant", path!(privileges), vec![vec!["SELECT"], vec!["SELECT", "INSERT"]])
        .values("postgresql_grant_role", path!(role), vec![&*first])
        .values("postgresql_grant_role", path!(grant_role), vec![&*second])
        .values("postgresql_role", path!(roles), vec![roles()])
        // These exist only in the state.
        .not_read("postgresql_database", path!(template))
        .not_read("postgresql_database", path!(alter_object_ownership))
        .not_read("postgresql_extension", path!(create_cascade))
        .not_read("postgresql_extension", path!(drop_cascade))
        .not_read("postgresql_function", path!(drop_cascade))
        .not_read("postgresql_publication", path!(drop_cascade))
        .not_read("postgresql_role", path!(password_wo_version))
        // With `true`, destroy would keep the role.
        .values("postgresql_role", path!(skip_drop_role), vec![false])
        .not_read("postgresql_role", path!(skip_reassign_owned))
        .not_read("postgresql_schema", path!(if_not_exists))
        .not_read("postgresql_schema", path!(drop_cascade))
        .budget(Duration::from_secs(20))
        .run();
}
