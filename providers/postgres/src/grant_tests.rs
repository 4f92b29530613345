//! Privileges of roles without superuser rights, functions and TLS, with a PostgreSQL server that the tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use ferroform_testing::{Action, Harness, config};
use test_support::postgresql::{Server, unique};

use crate::Postgresql;
use crate::tests::{fixture, provider_config, role};

/// A schema `s` with a table `t` of an owner, and a provider that connects as a role that is neither a superuser nor a member of
/// the owner. Returns the names of the role and of the owner.
fn foreign_objects(server: &Server, database: &str, options: &str) -> (Harness, String, String) {
    let (admin, owner) = (unique("admin"), role(server));
    server.psql(
        database,
        &format!(
            "CREATE ROLE {admin} LOGIN {options}; CREATE SCHEMA s AUTHORIZATION {owner};
             CREATE TABLE s.t (x int); ALTER TABLE s.t OWNER TO {owner}"
        ),
    );
    (Harness::start::<Postgresql>(provider_config(server, database, &admin)), admin, owner)
}

#[test]
fn grant_without_superuser_rights_uses_membership_in_owner() {
    let Some((server, database, _)) = fixture() else { return };
    let reader = role(server);
    let (harness, admin, owner) = foreign_objects(server, &database, "CREATEROLE");
    server.psql("postgres", &format!("ALTER DATABASE {database} OWNER TO {owner}"));
    let has = |check: &str| server.psql(&database, &format!("SELECT has_{check}")) == "t";
    // Once without any privilege on the schema, and once with privileges that cannot be granted to other roles.
    for privileges in ["", &*format!("GRANT USAGE ON SCHEMA s TO {admin}; GRANT SELECT ON s.t TO {admin}")] {
        server.psql(&database, privileges);
        for (configuration, check) in [
            (
                config! { role = &*reader, database = &*database, schema = "s", object_type = "table", privileges = ["SELECT"] },
                format!("table_privilege('{reader}', 's.t', 'SELECT')"),
            ),
            (
                config! {
                    role = &*reader, database = &*database, schema = "s", object_type = "column", objects = ["t"],
                    columns = ["x"], privileges = ["UPDATE"]
                },
                format!("column_privilege('{reader}', 's.t', 'x', 'UPDATE')"),
            ),
            (
                config! { role = &*reader, database = &*database, schema = "s", object_type = "schema", privileges = ["USAGE"] },
                format!("schema_privilege('{reader}', 's', 'USAGE')"),
            ),
            (
                config! { role = &*reader, database = &*database, object_type = "database", privileges = ["CREATE"] },
                format!("database_privilege('{reader}', '{database}', 'CREATE')"),
            ),
        ] {
            let mut grant = harness.resource("postgresql_grant");
            grant.apply(configuration);
            assert!(has(&check), "{check}");
            assert_eq!(grant.refresh().action, Action::NoOp);
            grant.destroy();
            assert!(!has(&check), "{check}");
        }
    }
    // An empty set revokes a privilege that PostgreSQL grants by default.
    let public =
        config! { role = "public", database = &*database, object_type = "database", privileges = [] };
    harness.resource("postgresql_grant").apply(public);
    assert!(!has(&format!("database_privilege('{reader}', '{database}', 'CONNECT')")));
    let members = format!(
        "SELECT count(*) FROM pg_auth_members JOIN pg_roles r ON r.oid = member WHERE rolname = '{admin}'"
    );
    assert_eq!(server.psql("postgres", &members), "0");
}

#[test]
fn grant_option_suffices_without_membership_in_owner() {
    let Some((server, database, _)) = fixture() else { return };
    let reader = role(server);
    let (harness, admin, owner) = foreign_objects(server, &database, "");
    server.psql(
        &database,
        &format!("GRANT USAGE ON SCHEMA s TO {admin}; GRANT SELECT ON s.t TO {admin} WITH GRANT OPTION"),
    );
    let select = |privileges: &[&'static str]| {
        let privileges = privileges.to_vec();
        config! { role = &*reader, database = &*database, schema = "s", object_type = "table", privileges = privileges }
    };
    let mut grant = harness.resource("postgresql_grant");
    grant.apply(select(&["SELECT"]));
    assert_eq!(grant.refresh().action, Action::NoOp);
    let error = grant.try_apply(select(&["SELECT", "INSERT"])).error().to_string();
    assert!(error.contains("s.t") && error.contains(&owner), "{error}");
    // A failed change keeps the privileges.
    assert_eq!(grant.refresh().action, Action::NoOp);
    server.psql(&database, &format!("GRANT INSERT ON s.t TO {reader}"));
    let error = grant.try_destroy().error().to_string();
    assert!(error.contains("s.t") && error.contains(&owner), "{error}");
    server.psql(&database, &format!("REVOKE INSERT ON s.t FROM {reader}"));
    grant.destroy();
}

/// PostgreSQL reports a missing grant option as a warning only.
#[test]
fn privileges_that_cannot_be_changed_are_errors() {
    let Some((server, database, _)) = fixture() else { return };
    let reader = role(server);
    let (harness, admin, owner) = foreign_objects(server, &database, "");
    server.psql(
        &database,
        &format!("GRANT USAGE ON SCHEMA s TO {admin}; GRANT SELECT ON s.t TO {admin}, {reader}"),
    );
    let grant = |schema: Option<&str>, object_type: &str, privileges: &[&'static str]| {
        let (object_type, privileges) = (object_type.to_owned(), privileges.to_vec());
        let schema = schema.map(str::to_owned);
        config! {
            role = &*reader, database = &*database, schema = schema, object_type = object_type, privileges = privileges
        }
    };
    for (configuration, object, owner) in [
        (grant(Some("s"), "table", &["SELECT", "INSERT"]), "s.t", &*owner),
        (grant(Some("s"), "table", &[]), "s.t", &*owner),
        (grant(Some("s"), "schema", &["USAGE"]), "schema s", &*owner),
        (grant(None, "database", &["CREATE"]), &*database, "postgres"),
    ] {
        let error = harness.resource("postgresql_grant").try_apply(configuration).error().to_string();
        assert!(error.starts_with("Cannot Grant Privileges: "), "{error}");
        assert!(error.contains(object) && error.contains(owner), "{error}");
    }
    let mut imported = harness.resource("postgresql_grant");
    imported.import(&format!("{reader}/{database}/table/s"));
    let error = imported.try_destroy().error().to_string();
    assert!(error.starts_with("Cannot Revoke Privileges: ") && error.contains(&owner), "{error}");
    // Not even a superuser can revoke what another role has granted with its grant option.
    let (grantor, superuser) =
        (role(server), Harness::start::<Postgresql>(provider_config(server, &database, "postgres")));
    server.psql(
        &database,
        &format!(
            "GRANT USAGE ON SCHEMA s TO {grantor}; GRANT INSERT ON s.t TO {grantor} WITH GRANT OPTION;
             SET ROLE {grantor}; GRANT INSERT ON s.t TO {reader}"
        ),
    );
    let configuration = grant(Some("s"), "table", &["SELECT"]);
    let error = superuser.resource("postgresql_grant").try_apply(configuration).error().to_string();
    assert!(error.contains("has SELECT, INSERT on table s.t") && error.contains(&owner), "{error}");
    // Default privileges require membership in the owner, so PostgreSQL reports an error.
    let defaults = config! {
        role = &*reader, database = &*database, owner = &*owner, object_type = "table", privileges = ["SELECT"]
    };
    let error = harness.resource("postgresql_default_privileges").try_apply(defaults).error().to_string();
    assert!(error.contains(&owner), "{error}");
}
