//! The resource `postgresql_role`.

use std::collections::BTreeSet;

use ferroform::validators::{at_least, each};
use ferroform::{
    ApplyCx, Args, Context as _, FutureContext as _, ListCx, ListResource, Model, Planned, ReadCx, Resource,
    Result,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::Session;
use crate::provider::Postgresql;
use crate::role_settings;
use crate::sql::{Sql, sql};

/// Manages a role: a user that can log in, or a group of users.
///
/// Destroying the resource reassigns the objects of the role in all databases to the role that the provider connects as,
/// revokes its privileges, and drops the role.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}", mutable_identity, required_together(password_wo, password_wo_version))]
pub(crate) struct Role {
    /// The name of the role.
    #[attr(identity)]
    name: Name,
    /// Whether the role bypasses all permission checks.
    #[attr(default = false)]
    superuser: bool,
    /// Whether the role can create databases.
    #[attr(default = false)]
    create_database: bool,
    /// Whether the role can create, change and drop other roles.
    #[attr(default = false)]
    create_role: bool,
    /// Whether the role inherits the privileges of the roles that it is a member of.
    #[attr(default = true)]
    inherit: bool,
    /// Whether the role can log in.
    #[attr(default = false)]
    login: bool,
    /// Whether the role can initiate streaming replication.
    #[attr(default = false)]
    replication: bool,
    /// Whether the role bypasses row-level security policies.
    #[attr(default = false)]
    bypass_row_level_security: bool,
    /// The maximum number of connections of the role. `-1` means no limit.
    #[attr(default = -1, validate = at_least(-1))]
    connection_limit: i32,
    /// The password, or its hash in PostgreSQL's format. The provider hashes the password before sending it to the server. An empty
    /// string or `NULL` means that the role has no password. The password is stored in the state: prefer `password_wo`.
    #[attr(sensitive, conflicts_with(password_wo), prefer_write_only(password_wo), validate = validate_password)]
    password: Option<String>,
    /// The password, or its hash in PostgreSQL's format. An empty string or `NULL` means that the role has no password.
    /// The password is not stored in the state.
    #[attr(write_only, sensitive, validate = validate_password)]
    password_wo: Option<String>,
    /// The version of `password_wo`. Change it to set the password again.
    password_wo_version: Option<String>,
    /// The time at which the password expires, such as `2030-01-01 00:00:00+00`, or `infinity`.
    #[attr(default = "infinity")]
    valid_until: String,
    /// The roles that this role is a member of. If omitted, the resource does not manage memberships, and you can manage them with
    /// `postgresql_grant_role`.
    roles: Option<BTreeSet<Name>>,
    /// The schemas in which unqualified names are looked up, in order. With `[""]`, the search path is empty, so all names must
    /// be schema-qualified.
    #[attr(min_items = 1, validate = each(validate_schema_name))]
    search_path: Option<Vec<String>>,
    /// The timeout for statements of the role, in milliseconds. `0` means no timeout.
    #[attr(validate = at_least(0))]
    statement_timeout: Option<i32>,
    /// How long a session of the role can be idle in a transaction before the server terminates it, in milliseconds. `0` means no
    /// timeout.
    #[attr(validate = at_least(0))]
    idle_in_transaction_session_timeout: Option<i32>,
    /// The role that sessions of this role switch to at login (`SET ROLE`).
    assume_role: Option<Name>,
    /// Whether to keep the role when the resource is destroyed. Its objects are reassigned and its privileges are revoked unless
    /// `skip_reassign_owned` is `true`.
    #[attr(default = false)]
    skip_drop_role: bool,
    /// Whether to keep the objects and privileges of the role when the resource is destroyed. PostgreSQL can then drop the role
    /// only if it has no objects and privileges.
    #[attr(default = false)]
    skip_reassign_owned: bool,
}

fn validate_password(password: &str) -> Result<(), &'static str> {
    match password.contains('\0') {
        true => Err("a password without NUL characters is required"),
        false => Ok(()),
    }
}

/// Validates the name of a schema. The elements of `search_path` do not have the type [`Name`], because PostgreSQL also stores other
/// values, which the state must be able to contain.
fn validate_schema_name(name: &str) -> Result<(), &'static str> {
    match name.is_empty() {
        true => Ok(()),
        false => name.parse::<Name>().map(drop),
    }
}

/// The hash of a password, so that neither the statement nor the server log contains the password.
fn hashed(password: &str) -> Sql {
    let is_md5 = password.len() == 35 && password.starts_with("md5");
    if password.is_empty() || password.eq_ignore_ascii_case("NULL") {
        Sql::from("NULL")
    } else if is_md5 || password.starts_with("SCRAM-SHA-256$") {
        Sql::string(password)
    } else {
        Sql::string(&postgres_protocol::password::scram_sha_256(password.as_bytes()))
    }
}

/// The options of `CREATE ROLE` or `ALTER ROLE` that differ from the prior state, or from PostgreSQL's defaults.
fn options(prior: Option<&Role>, role: &Role) -> Sql {
    // Only a superuser can set some of these options, even to their default.
    let flags = |it: &Role| {
        let Role { superuser, create_database, create_role, inherit, login, replication, .. } = *it;
        [superuser, create_database, create_role, inherit, login, replication, it.bypass_row_level_security]
    };
    let names = [
        ("SUPERUSER", "NOSUPERUSER"),
        ("CREATEDB", "NOCREATEDB"),
        ("CREATEROLE", "NOCREATEROLE"),
        ("INHERIT", "NOINHERIT"),
        ("LOGIN", "NOLOGIN"),
        ("REPLICATION", "NOREPLICATION"),
        ("BYPASSRLS", "NOBYPASSRLS"),
    ];
    let before = prior.map_or([false, false, false, true, false, false, false], flags);
    let changed =
        names.into_iter().zip(before.into_iter().zip(flags(role))).filter(|(_, (old, new))| old != new);
    let mut options: Vec<Sql> =
        changed.map(|((on, off), (_, new))| Sql::from(if new { on } else { off })).collect();
    if prior.map_or(-1, |it| it.connection_limit) != role.connection_limit {
        options.push(sql!("CONNECTION LIMIT {}", role.connection_limit));
    }
    if prior.map_or("infinity", |it| &it.valid_until) != role.valid_until {
        options.push(sql!("VALID UNTIL {}", Sql::string(&role.valid_until)));
    }
    let secret = |it: &Role| (it.password.clone(), it.password_wo_version.clone());
    if prior.map_or((None, None), secret) != secret(role) {
        let password = role.password.as_deref().or(role.password_wo.as_deref());
        options.push(sql!("PASSWORD {}", password.map_or(Sql::from("NULL"), hashed)));
    }
    Sql::join(options, " ")
}

/// The settings that the resource manages, with their values as SQL.
fn settings(role: &Role) -> [(&'static str, Option<Sql>); 4] {
    let milliseconds = |it: Option<i32>| it.map(|it| sql!("{}", it));
    let search_path =
        role.search_path.as_ref().map(|it| Sql::join(it.iter().map(|it| Sql::string(it)), ", "));
    [
        ("search_path", search_path),
        ("statement_timeout", milliseconds(role.statement_timeout)),
        ("idle_in_transaction_session_timeout", milliseconds(role.idle_in_transaction_session_timeout)),
        ("role", role.assume_role.as_ref().map(|it| Sql::string(it.as_str()))),
    ]
}

/// Applies settings and memberships, which are not options of `CREATE ROLE` and `ALTER ROLE`.
async fn apply_settings(session: &Session<'_>, prior: Option<&Role>, role: &Role) -> Result<()> {
    let before = prior.map(settings);
    for (index, (name, value)) in settings(role).into_iter().enumerate() {
        if before.as_ref().and_then(|it| it[index].1.as_ref()) == value.as_ref() {
            continue;
        }
        let name = Sql::from(name);
        session
            .execute(match value {
                Some(value) => sql!("ALTER ROLE {} SET {} TO {}", &role.name, name, value),
                None => sql!("ALTER ROLE {} RESET {}", &role.name, name),
            })
            .await?;
    }
    let Some(roles) = &role.roles else { return Ok(()) };
    let memberships = "SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
                       JOIN pg_roles r ON r.oid = m.member WHERE r.rolname = $1";
    let found: BTreeSet<Name> = session
        .rows(memberships, &[&role.name.as_str()])
        .await?
        .iter()
        .map(|it| Name::from(it.get::<_, String>(0)))
        .collect();
    for group in found.difference(roles) {
        session.execute(sql!("REVOKE {} FROM {}", group, &role.name)).await?;
    }
    for group in roles.difference(&found) {
        session.execute(sql!("GRANT {} TO {}", group, &role.name)).await?;
    }
    Ok(())
}

/// The parameters are a name, or null for all roles, and a time that is compared with `valid_until`.
const READ: &str = "
    SELECT r.rolname::text, r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolinherit, r.rolcanlogin, r.rolreplication,
        r.rolbypassrls, r.rolconnlimit,
        CASE WHEN coalesce(r.rolvaliduntil, 'infinity') = $2::text::timestamptz THEN $2
             WHEN isfinite(r.rolvaliduntil) THEN (r.rolvaliduntil AT TIME ZONE 'UTC')::text || '+00'
             ELSE coalesce(r.rolvaliduntil, 'infinity')::text END,
        coalesce((SELECT setconfig FROM pg_db_role_setting WHERE setrole = r.oid AND setdatabase = 0), '{}'),
        ARRAY(SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = r.oid)
    FROM pg_roles r WHERE r.rolname = $1 OR ($1 IS NULL AND r.rolname !~ '^pg_') ORDER BY 1";

/// Converts a row of [`READ`]. Values that the server does not return are kept from the state.
fn role(row: &Row, state: Role) -> Role {
    let stored: Vec<String> = row.get(10);
    let setting = |name| role_settings::value(&stored, name);
    let groups: Vec<String> = row.get(11);
    Role {
        name: Name::from(row.get::<_, String>(0)),
        superuser: row.get(1),
        create_database: row.get(2),
        create_role: row.get(3),
        inherit: row.get(4),
        login: row.get(5),
        replication: row.get(6),
        bypass_row_level_security: row.get(7),
        connection_limit: row.get(8),
        valid_until: row.get(9),
        roles: state.roles.map(|_| groups.into_iter().map(Name::from).collect()),
        search_path: setting("search_path").map(role_settings::names),
        statement_timeout: setting("statement_timeout").and_then(role_settings::milliseconds),
        idle_in_transaction_session_timeout: setting("idle_in_transaction_session_timeout")
            .and_then(role_settings::milliseconds),
        assume_role: setting("role").and_then(|it| it.parse().ok()),
        ..state
    }
}

impl Resource for Role {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RoleComputed> {
        let role = Role::try_from(plan)?;
        async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            session.execute(sql!("CREATE ROLE {} {}", &role.name, options(None, &role))).await?;
            apply_settings(&session, None, &role).await?;
            session.commit().await
        }
        .context("Cannot Create Role")
        .await?;
        Ok(RoleComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        let row = session
            .row(READ, &[&state.name.as_str(), &state.valid_until])
            .await
            .context("Cannot Read Role")?;
        Ok(row.map(|it| role(&it, state)))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<RoleComputed> {
        let role = Role::try_from(plan)?;
        async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            // A previous update may have renamed the role and then failed.
            if prior.name != role.name
                && session
                    .exists("SELECT 1 FROM pg_roles WHERE rolname = $1", &[&prior.name.as_str()])
                    .await?
            {
                session.execute(sql!("ALTER ROLE {} RENAME TO {}", &prior.name, &role.name)).await?;
            }
            let changed = options(Some(&prior), &role);
            if !changed.as_str().is_empty() {
                session.execute(sql!("ALTER ROLE {} {}", &role.name, changed)).await?;
            }
            apply_settings(&session, Some(&prior), &role).await?;
            session.commit().await
        }
        .context("Cannot Update Role")
        .await?;
        Ok(RoleComputed {})
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        drop_role(&cx.provider, &state).await.context("Cannot Drop Role")
    }
}

async fn drop_role(provider: &Postgresql, role: &Role) -> Result<()> {
    let pool = &provider.pool;
    let name = &role.name;
    let reassign = async |session: &mut Session<'_>| {
        session.grant_membership(name).await?;
        session.execute(sql!("REASSIGN OWNED BY {} TO CURRENT_USER", name)).await?;
        // This revokes the privileges, too.
        session.execute(sql!("DROP OWNED BY {}", name)).await
    };
    if !role.skip_reassign_owned {
        let databases = "SELECT DISTINCT d.datname::text FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
                         WHERE s.refclassid = 'pg_authid'::regclass AND d.datname <> current_database() AND d.datallowconn
                         AND s.refobjid = (SELECT oid FROM pg_roles WHERE rolname = $1)";
        // Only one connection is in use at a time, so `max_connections = 1` is sufficient.
        let databases: Vec<Name> = {
            let session = pool.connect(&provider.database).await?;
            session
                .rows(databases, &[&name.as_str()])
                .await?
                .iter()
                .map(|it| Name::from(it.get::<_, String>(0)))
                .collect()
        };
        for database in databases {
            let mut session = pool.begin(&database).await?;
            reassign(&mut session).await?;
            session.commit().await?;
        }
    }
    let mut session = pool.begin(&provider.database).await?;
    // `DROP ROLE` fails if the role still has objects or privileges.
    let has_dependents = "SELECT EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = r.oid)
                          FROM pg_roles r WHERE rolname = $1";
    if let Some(row) = session.row(has_dependents, &[&name.as_str()]).await? {
        if row.get(0) && !role.skip_reassign_owned {
            reassign(&mut session).await?;
            session.revoke_memberships().await?;
        }
        if !role.skip_drop_role {
            session.execute(sql!("DROP ROLE {}", name)).await?;
        }
    }
    session.commit().await
}

/// Lists the roles, except system roles.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Roles {}

impl ListResource for Roles {
    type Resource = Role;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        let rows = session.rows(READ, &[&None::<&str>, &"infinity"]).await.context("Cannot List Roles")?;
        for row in rows {
            let role = role(&row, Role::placeholder()?);
            let name = role.name.to_string();
            cx.send(cx.listed(role, name)?).await?;
        }
        Ok(())
    }
}
