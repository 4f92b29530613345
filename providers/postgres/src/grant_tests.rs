//! Privileges of roles without superuser rights, functions and TLS, with a PostgreSQL server that the tests start.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::process::Command;

use ferroform::path;
use ferroform_testing::{Action, Configuration, Harness, config};
use test_support::postgresql::{Server, unique};

use crate::Postgresql;
use crate::tests::{fixture, provider_config, role};

/// A schema `s` with a table `t` of an owner, and a provider that connects as a role that is neither a superuser nor a member of
/// the owner. Returns the names of the role and of the owner.
fn objects_of_another_role(server: &Server, database: &str, options: &str) -> (Harness, String, String) {
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
    let (harness, admin, owner) = objects_of_another_role(server, &database, "CREATEROLE");
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
    let (harness, admin, owner) = objects_of_another_role(server, &database, "");
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
    let (harness, admin, owner) = objects_of_another_role(server, &database, "");
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
    server.psql(&database, &format!("REVOKE USAGE ON SCHEMA s FROM {admin}"));
    let configuration = grant(Some("s"), "table", &["SELECT", "INSERT"]);
    let error = harness.resource("postgresql_grant").try_apply(configuration).error().to_string();
    assert!(error.contains(&owner) && error.contains("Permission denied for schema s"), "{error}");
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
    assert!(
        error.contains("would have SELECT, INSERT on the table s.t") && error.contains(&owner),
        "{error}"
    );
    // Default privileges require membership in the owner, so PostgreSQL reports an error.
    let defaults = config! {
        role = &*reader, database = &*database, owner = &*owner, object_type = "table", privileges = ["SELECT"]
    };
    let error = harness.resource("postgresql_default_privileges").try_apply(defaults).error().to_string();
    assert!(error.contains(&owner), "{error}");
}

#[test]
fn grants_accept_any_spelling_of_argument_types() {
    let Some((server, database, harness)) = fixture() else { return };
    let role = role(server);
    server.psql(
        &database,
        "CREATE FUNCTION \"F.x\"(int, varchar) RETURNS int LANGUAGE sql AS 'SELECT 1';
         CREATE FUNCTION \"F.x\"(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
         REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA public FROM PUBLIC",
    );
    let has = |arguments: &str| {
        let function = format!("\"F.x\"({arguments})");
        server.psql(&database, &format!("SELECT has_function_privilege('{role}', '{function}', 'EXECUTE')"))
            == "t"
    };
    for spelling in
        ["F.x(int, varchar)", "F.x(integer,character varying)", "F.x (int4,pg_catalog.varchar(10))"]
    {
        let configuration = config! {
            role = &*role, database = &*database, schema = "public", object_type = "function", objects = [spelling],
            privileges = ["EXECUTE"]
        };
        let mut grant = harness.resource("postgresql_grant");
        grant.apply(configuration);
        assert!(has("int, varchar") && !has("int"), "{spelling}");
        grant.destroy();
        assert!(!has("int, varchar"), "{spelling}");
    }
    for (object, message) in
        [("F.x(text)", "The function \"F.x(text)\" does not exist"), ("F.x(int,)", "Expected a type name")]
    {
        let configuration = config! {
            role = &*role, database = &*database, schema = "public", object_type = "function", objects = [object],
            privileges = ["EXECUTE"]
        };
        let error = harness.resource("postgresql_grant").try_apply(configuration).error().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// A function with one argument, whose default is an expression.
fn function_with_default(default: &str) -> Configuration {
    let default = default.to_owned();
    config! {
        name = "f", returns = "int", language = "sql", body = "SELECT 2", arg { name = "i", type = "text", default = default }
    }
}

#[test]
fn default_of_argument_contains_only_an_expression() {
    let Some((server, database, harness)) = fixture() else { return };
    for default in [
        "0)) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 666' --",
        "0)) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 666' /*",
        // Each of these is valid in `SELECT (…)`.
        "0), bpchar(10) = ('a'",
        "'a'), x text DEFAULT ('b'",
        // Ends the brackets instead of the parentheses.
        "0], ARRAY[1",
        "'a'; DROP TABLE kept",
        "",
    ] {
        let error = harness.resource("postgresql_function").try_apply(function_with_default(default)).error();
        assert!(error.to_string().contains("Cannot Create Function: "), "{error}");
        assert_eq!(
            server.psql(&database, "SELECT count(*) FROM pg_proc WHERE proname = 'f'"),
            "0",
            "{default}"
        );
    }
    server.psql(&database, "CREATE SEQUENCE s");
    for default in [
        "'a' -- note",
        "'a' /* note ) */",
        "(')' || $$]$$)",
        "nextval('s')::text",
        "('{a}'::text[])[1]",
        "NULL",
        "(1/0)::text",
    ] {
        let mut function = harness.resource("postgresql_function");
        function.apply(function_with_default(default));
        assert_eq!(
            server.psql(&database, "SELECT prosrc, prosecdef, pronargs FROM pg_proc WHERE proname = 'f'"),
            "SELECT 2|f|1"
        );
        function.destroy();
    }
    // The expressions were not evaluated.
    assert_eq!(server.psql(&database, "SELECT nextval('s')"), "1");
}

#[test]
fn equal_types_do_not_replace_imported_functions() {
    let Some((server, database, harness)) = fixture() else { return };
    server.psql(
        &database,
        "CREATE FUNCTION sp(a int, b varchar DEFAULT 'x') RETURNS varchar LANGUAGE sql AS 'SELECT b';
         CREATE VIEW v AS SELECT sp(1)",
    );
    let function = |first: &str, second: &str, default: Option<&str>, returns: &str| {
        let (first, second, returns) = (first.to_owned(), second.to_owned(), returns.to_owned());
        let default = default.map(str::to_owned);
        config! {
            name = "sp", returns = returns, language = "sql", body = "SELECT b", arg { name = "a", type = first },
            arg { name = "b", type = second, default = default }
        }
    };
    let mut imported = harness.resource("postgresql_function");
    imported.import(&format!("{database}.public.sp(int,varchar)"));
    for (first, second) in
        [("int", "varchar"), ("integer", "pg_catalog.varchar"), ("INT4", "character varying")]
    {
        let action = imported.apply(function(first, second, Some("'x'"), second)).action;
        assert_eq!(action, Action::Update, "{first} {second}");
        assert_eq!(imported.state().get::<String>(path!(returns)), second);
        assert_eq!(imported.refresh().action, Action::NoOp);
    }
    imported.apply(function("int", "varchar", Some("'y'"), "varchar"));
    assert_eq!(server.psql(&database, "SELECT * FROM v; SELECT sp(1)"), "y\ny");
    for (first, second, default, returns) in [
        ("bigint", "varchar", Some("'y'"), "varchar"),
        ("no_type", "varchar", Some("'y'"), "varchar"),
        ("int", "varchar", Some("'y'"), "text"),
        ("int", "varchar", None, "varchar"),
    ] {
        assert_eq!(
            imported.plan(function(first, second, default, returns)).action,
            Action::Replace,
            "{first} {returns}"
        );
    }
    let fewer = config! { name = "sp", returns = "varchar", language = "sql", body = "SELECT b", arg { name = "a", type = "int" } };
    assert_eq!(imported.plan(fewer).action, Action::Replace);
}

#[test]
fn case_of_language_does_not_matter() {
    let Some((_, database, harness)) = fixture() else { return };
    let mut function = harness.resource("postgresql_function");
    for (language, action) in [("SQL", Action::Create), ("sql", Action::NoOp)] {
        let configuration = config! { name = "f", returns = "int", language = language, body = "SELECT 1" };
        assert_eq!(function.apply(configuration).action, action);
        assert_eq!(function.refresh().action, Action::NoOp);
    }
    let mut imported = harness.resource("postgresql_function");
    imported.import(&format!("{database}.public.f()"));
    let plan = imported.plan(config! { name = "f", returns = "int4", language = "SQL", body = "SELECT 1" });
    assert_eq!(plan.action, Action::Update);
}

#[test]
fn unsupported_functions_are_not_listed_or_imported() {
    let Some((server, database, harness)) = fixture() else { return };
    server.psql(
        &database,
        "CREATE FUNCTION a() RETURNS TABLE (x int) LANGUAGE sql AS 'SELECT 1';
         CREATE FUNCTION b() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    );
    let version: u32 = server.psql(&database, "SHOW server_version_num").parse().unwrap();
    let mut unsupported = vec!["a"];
    if version >= 140_000 {
        server.psql(&database, "CREATE FUNCTION c() RETURNS int BEGIN ATOMIC SELECT 1; END");
        unsupported.push("c");
    }
    let listed = harness.list_resource("postgresql_function").include_resource().list(config! {});
    let names: Vec<&str> = listed.iter().map(|it| it.display_name()).collect();
    assert_eq!(names, [format!("{database}.b()")]);
    assert!(listed[0].warnings().to_string().contains(&format!("{database}.a() is not listed")));
    for name in unsupported {
        let id = format!("{database}.public.{name}()");
        let error = harness.resource("postgresql_function").try_import(&id).error().to_string();
        assert!(error.contains("Unsupported Function"), "{error}");
    }
}

#[test]
fn function_in_database_with_dot_is_imported() {
    let Some((server, _, harness)) = fixture() else { return };
    let database = unique("data.base\\x");
    server.psql("postgres", &format!("CREATE DATABASE \"{database}\""));
    server.psql(&database, "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    let id = format!("{}.public.f()", database.replace('\\', r"\\").replace('.', r"\."));
    let state = harness.resource("postgresql_function").import(&id);
    assert_eq!(state.get::<String>(path!(database)), database);
    for id in ["", "a", r"a\", ".public.f()"] {
        let error = harness.resource("postgresql_function").try_import(id).error().to_string();
        assert!(error.contains("Invalid Import ID"), "{error}");
    }
}

/// A second server with its own certificates, which stops when it is dropped.
struct TlsServer<'a> {
    server: &'a Server,
    port: u16,
}

impl TlsServer<'_> {
    fn start<'a>(server: &'a Server, certificate: &str, options: &str) -> TlsServer<'a> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = |name: &str| server.file(name);
        let settings = [
            format!("-p {port} -k {} {options}", server.socket()),
            format!("hba_file={}", file("tls_hba.conf")),
            "listen_addresses=127.0.0.1".into(),
            "ssl=on".into(),
            format!("ssl_ca_file={}", file("tls_root.pem")),
            format!("ssl_cert_file={}", file(&format!("tls_{certificate}.pem"))),
            format!("ssl_key_file={}", file(&format!("tls_{certificate}.key"))),
        ];
        let (data, log) = (file("tls_data"), file("tls_log"));
        server.run("pg_ctl", &["-D", &data, "-l", &log, "-w", "-o", &settings.join(" -c "), "start"]);
        TlsServer { server, port }
    }

    /// Connects, and returns the error.
    fn connect(&self, mode: &str, root: Option<&str>, client: Option<&str>) -> Option<String> {
        let file = |name: &str| self.server.file(&format!("tls_{name}"));
        let (mode, root) = (mode.to_owned(), root.map(|it| file(&format!("{it}.pem"))));
        let user = if client.is_some() { "client" } else { "postgres" };
        let port = self.port;
        let settings = match client {
            Some(client) => config! {
                host = "localhost", port = port, username = user, sslmode = mode, sslrootcert = root,
                clientcert { cert = file(&format!("{client}.pem")), key = file(&format!("{client}.key")) }
            },
            None => {
                config! { host = "localhost", port = port, username = user, sslmode = mode, sslrootcert = root }
            }
        };
        let connected = Harness::try_start::<Postgresql>(settings);
        let harness =
            if connected.is_ok() { connected.ok() } else { return Some(connected.error().to_string()) };
        let listed = harness.list_resource("postgresql_role").try_list(config! {});
        if listed.is_ok() { None } else { Some(listed.error().to_string()) }
    }
}

impl Drop for TlsServer<'_> {
    fn drop(&mut self) {
        let data = self.server.file("tls_data");
        self.server.run("pg_ctl", &["-D", &data, "-w", "-m", "immediate", "stop"]);
    }
}

/// Like libpq. The certificates of version 1 come from `openssl x509 -req` without extensions.
#[test]
fn self_signed_and_version_1_certificates_are_accepted() {
    let Some((server, _, _)) = fixture() else { return };
    let directory = server.socket();
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        let output = command.args(arguments.split(' ')).current_dir(&directory).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let new = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650";
    for (name, subject) in [("root", "root"), ("self", "localhost"), ("other", "localhost")] {
        let options =
            format!("-keyout tls_{name}.key -out tls_{name}.pem -addext subjectAltName=DNS:{subject}");
        if openssl(&format!("{new} -x509 -subj /CN={subject} {options}")).is_none() {
            println!("skipped: openssl is not installed");
            return;
        }
    }
    for (name, subject) in [("v1", "localhost"), ("client", "client")] {
        openssl(&format!("{new} -subj /CN={subject} -keyout tls_{name}.key -out tls_{name}.csr")).unwrap();
        let signed =
            format!("x509 -req -in tls_{name}.csr -CA tls_root.pem -CAkey tls_root.key -CAcreateserial");
        let text = openssl(&format!("{signed} -days 3650 -text -out /dev/stdout")).unwrap();
        if !text.contains("Version: 1") {
            println!("skipped: openssl only creates certificates of version 3");
            return;
        }
        fs::write(server.file(&format!("tls_{name}.pem")), text).unwrap();
    }
    fs::write(
        server.file("tls_hba.conf"),
        "local all all trust\nhostssl all client 127.0.0.1/32 cert\nhostssl all all 127.0.0.1/32 trust\n",
    )
    .unwrap();
    // The server does not run as the user of the test.
    let owner = fs::metadata(server.file("data")).unwrap();
    for file in fs::read_dir(&directory).unwrap().map(Result::unwrap) {
        if file.file_name().to_string_lossy().starts_with("tls_") {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
            chown(file.path(), Some(owner.uid()), Some(owner.gid())).unwrap();
        }
    }
    let data = server.file("tls_data");
    server.run("initdb", &["--pgdata", &data, "--username", "postgres", "--auth", "trust", "--no-sync"]);

    for options in ["", "-c ssl_max_protocol_version=TLSv1.2"] {
        let started = TlsServer::start(server, "v1", options);
        for (mode, root, expected) in [
            ("require", None, None),
            ("prefer", None, None),
            ("require", Some("v1"), None),
            ("verify-ca", Some("v1"), None),
            ("verify-ca", Some("other"), Some("not a valid X.509 version 3 server certificate")),
            // Unlike libpq, rustls cannot verify such a certificate.
            ("verify-ca", Some("root"), Some("not a valid X.509 version 3 server certificate")),
        ] {
            let error = started.connect(mode, root, None);
            assert_eq!(error.is_some(), expected.is_some(), "{options} {mode} {root:?}: {error:?}");
            assert!(error.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
        let socket = format!("-h {directory} -p {} -U postgres -d postgres -c", started.port);
        let mut psql: Vec<&str> = socket.split(' ').collect();
        psql.push("DROP ROLE IF EXISTS client; CREATE ROLE client LOGIN");
        server.run("psql", &psql);
        assert_eq!(started.connect("require", None, Some("client")), None);
    }
    let started = TlsServer::start(server, "self", "");
    for (mode, root, expected) in [
        ("require", None, None),
        ("require", Some("self"), None),
        ("verify-ca", Some("self"), None),
        ("verify-full", Some("self"), None),
        (
            "verify-full",
            Some("other"),
            Some("set `sslrootcert` to a file with the server certificate itself"),
        ),
        ("require", Some("other"), Some("set `sslrootcert` to a file with the server certificate itself")),
    ] {
        let error = started.connect(mode, root, None);
        assert_eq!(error.is_some(), expected.is_some(), "{mode} {root:?}: {error:?}");
        assert!(error.clone().unwrap_or_default().contains(expected.unwrap_or_default()), "{error:?}");
    }
    // The key of another certificate.
    fs::copy(server.file("tls_client.key"), server.file("tls_mismatch.key")).unwrap();
    fs::copy(server.file("tls_v1.pem"), server.file("tls_mismatch.pem")).unwrap();
    let error = started.connect("require", None, Some("mismatch")).unwrap();
    assert!(error.contains("`key` is not the private key of the certificate"), "{error}");
}
