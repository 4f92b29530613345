//! The resource `postgresql_role`.

use std::collections::BTreeSet;

use ferroform::validators::at_least;
use ferroform::{
    ApplyCx, Args, Context as _, ListCx, ListResource, Model, Planned, ReadCx, Resource, Result, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::Session;
use crate::provider::Postgresql;
use crate::settings;
use crate::sql::{Sql, sql};

/// A role: a user that can log in, or a group of users.
///
/// When a role is destroyed, the user of the provider becomes the owner of its objects, in all databases, and its privileges are
/// revoked.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}", mutable_identity, required_together(password_wo, password_wo_version))]
pub(crate) struct Role {
    /// The name of the role.
    #[attr(identity)]
    name: Name,
    /// Whether the role overrides all access restrictions.
    #[attr(default = false)]
    superuser: bool,
    /// Whether the role can create databases.
    #[attr(default = false)]
    create_database: bool,
    /// Whether the role can create, change and drop other roles.
    #[attr(default = false)]
    create_role: bool,
    /// Whether the role has the privileges of the roles that it is a member of.
    #[attr(default = true)]
    inherit: bool,
    /// Whether the role can log in.
    #[attr(default = false)]
    login: bool,
    /// Whether the role can replicate the server.
    #[attr(default = false)]
    replication: bool,
    /// Whether row-level security does not apply to the role.
    #[attr(default = false)]
    bypass_row_level_security: bool,
    /// The maximum number of connections of the role; `-1` means no limit.
    #[attr(default = -1, validate = at_least(-1))]
    connection_limit: i32,
    /// The password, or its hash in the format of PostgreSQL. The server receives only a hash. The state contains the password:
    /// prefer `password_wo`.
    #[attr(sensitive, conflicts_with(password_wo), prefer_write_only(password_wo), validate = is_password)]
    password: Option<String>,
    /// The password, or its hash. It is not stored in the state.
    #[attr(write_only, sensitive, validate = is_password)]
    password_wo: Option<String>,
    /// The version of `password_wo`. Change it to set the password again.
    password_wo_version: Option<String>,
    /// The time at which the password expires, such as `2030-01-01 00:00:00+00`, or `infinity`.
    #[attr(default = "infinity")]
    valid_until: String,
    /// The roles that this role is a member of. If it is omitted, memberships are not managed here, and
    /// `postgresql_grant_role` can manage them.
    roles: Option<BTreeSet<Name>>,
    /// The schemas that the role searches for names without a schema.
    #[attr(min_items = 1)]
    search_path: Option<Vec<Name>>,
    /// The time after which a statement of the role is canceled, in milliseconds.
    #[attr(validate = at_least(0))]
    statement_timeout: Option<i32>,
    /// The time after which an idle transaction of the role is canceled, in milliseconds.
    #[attr(validate = at_least(0))]
    idle_in_transaction_session_timeout: Option<i32>,
    /// The role that becomes the current role when this one logs in.
    assume_role: Option<Name>,
    /// Whether a destroy keeps the role.
    #[attr(default = false)]
    skip_drop_role: bool,
    /// Whether a destroy keeps the objects and the privileges of the role. The role can then be dropped only if it has none.
    #[attr(default = false)]
    skip_reassign_owned: bool,
}

fn is_password(password: &str) -> Result<(), &'static str> {
    match password.is_empty() || password.contains('\0') {
        true => Err("a password that is not empty is required"),
        false => Ok(()),
    }
}

/// A password as the server stores it, so that neither the statement nor the server's log contains the password.
fn hashed(password: &str) -> Sql {
    let is_md5 = password.len() == 35 && password.starts_with("md5");
    match is_md5 || password.starts_with("SCRAM-SHA-256$") {
        true => Sql::string(password),
        false => Sql::string(&postgres_protocol::password::scram_sha_256(password.as_bytes())),
    }
}

/// The options of `CREATE ROLE` that are not in the first object, or differ from it.
fn options(prior: Option<&Role>, role: &Role) -> Sql {
    // Only a superuser may set some of these options, even to their default.
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

/// The settings of a role that the resource manages, with their SQL.
fn settings(role: &Role) -> [(&'static str, Option<Sql>); 4] {
    let milliseconds = |it: Option<i32>| it.map(|it| sql!("{}", it));
    let search_path = role.search_path.as_ref().map(|it| Sql::join(it.iter().map(Sql::from), ", "));
    [
        ("search_path", search_path),
        ("statement_timeout", milliseconds(role.statement_timeout)),
        ("idle_in_transaction_session_timeout", milliseconds(role.idle_in_transaction_session_timeout)),
        ("role", role.assume_role.as_ref().map(|it| Sql::string(it.as_str()))),
    ]
}

/// Executes what `CREATE ROLE` and `ALTER ROLE` cannot do: settings and memberships.
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

/// The role of a row of [`READ`]. The values that the server does not return are those of the state.
fn role(row: &Row, state: Role) -> Role {
    let stored: Vec<String> = row.get(10);
    let setting = |name| settings::value(&stored, name);
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
        search_path: setting("search_path")
            .map(|it| settings::names(it).into_iter().map(Name::from).collect()),
        statement_timeout: setting("statement_timeout").and_then(|it| it.parse().ok()),
        idle_in_transaction_session_timeout: setting("idle_in_transaction_session_timeout")
            .and_then(|it| it.parse().ok()),
        assume_role: setting("role").map(Name::from),
        ..state
    }
}

impl Resource for Role {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<RoleComputed> {
        let password_wo = plan.password_wo.clone();
        // The conversion omits write-only values, because a state does not have them.
        let role = Role { password_wo, ..Role::try_from(plan)? };
        let created: Result<_> = async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            session.execute(sql!("CREATE ROLE {} {}", &role.name, options(None, &role))).await?;
            apply_settings(&session, None, &role).await?;
            cx.checkpoint_at(path!(name), &role.name);
            session.commit().await
        }
        .await;
        created.context("Cannot Create Role")?;
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
        let password_wo = plan.password_wo.clone();
        // The conversion omits write-only values, because a state does not have them.
        let role = Role { password_wo, ..Role::try_from(plan)? };
        let updated: Result<_> = async {
            let session = cx.provider.pool.begin(&cx.provider.database).await?;
            // A repeated update can find the role with its new name.
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
        .await;
        updated.context("Cannot Update Role")?;
        Ok(RoleComputed {})
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        if state.skip_drop_role {
            return Ok(());
        }
        drop_role(&cx.provider, &state).await.context("Cannot Drop Role")
    }
}

async fn drop_role(provider: &Postgresql, role: &Role) -> Result<()> {
    let pool = &provider.pool;
    let name = &role.name;
    let reassign = async |session: &Session<'_>| {
        session.join(name).await?;
        session.execute(sql!("REASSIGN OWNED BY {} TO CURRENT_USER", name)).await?;
        // This includes the privileges, also that of the membership.
        session.execute(sql!("DROP OWNED BY {}", name)).await
    };
    if !role.skip_reassign_owned {
        let databases = "SELECT DISTINCT d.datname::text FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
                         WHERE s.refclassid = 'pg_authid'::regclass AND d.datname <> current_database() AND d.datallowconn
                         AND s.refobjid = (SELECT oid FROM pg_roles WHERE rolname = $1)";
        // One connection is in use at a time, so that a limit of one connection is sufficient.
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
            let session = pool.begin(&database).await?;
            reassign(&session).await?;
            session.commit().await?;
        }
    }
    let session = pool.begin(&provider.database).await?;
    // `DROP ROLE` requires that the role has no such objects or privileges.
    let has_dependents = "SELECT EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = r.oid)
                          FROM pg_roles r WHERE rolname = $1";
    if let Some(row) = session.row(has_dependents, &[&name.as_str()]).await? {
        if row.get(0) && !role.skip_reassign_owned {
            reassign(&session).await?;
        }
        session.execute(sql!("DROP ROLE {}", name)).await?;
    }
    session.commit().await
}

/// The list of roles, without those of PostgreSQL itself.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Roles {}

impl ListResource for Roles {
    type Resource = Role;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        let rows = session.rows(READ, &[&None::<&str>, &"infinity"]).await.context("Cannot List Roles")?;
        for row in rows {
            let role = role(&row, Role::listed());
            let name = role.name.to_string();
            cx.send(cx.listed(role, name)?).await?;
        }
        Ok(())
    }
}

impl Role {
    /// The values that the server does not return.
    fn listed() -> Role {
        Role {
            name: Name::from("none"),
            superuser: false,
            create_database: false,
            create_role: false,
            inherit: true,
            login: false,
            replication: false,
            bypass_row_level_security: false,
            connection_limit: -1,
            password: None,
            password_wo: None,
            password_wo_version: None,
            valid_until: "infinity".into(),
            roles: None,
            search_path: None,
            statement_timeout: None,
            idle_in_transaction_session_timeout: None,
            assume_role: None,
            skip_drop_role: false,
            skip_reassign_owned: false,
        }
    }
}
