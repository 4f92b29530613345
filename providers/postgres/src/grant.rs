//! The resource `postgresql_grant`.

use std::collections::BTreeSet;

use ferroform::{
    ApplyCx, Attr, Config, Context as _, Diagnostic, FutureContext as _, Identity, Known, Model, Planned,
    ReadCx, Resource, Result, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::Session;
use crate::privilege::Privilege::{
    self, All, Connect, Create, Delete, Execute, Insert, Maintain, References, Select, Temporary, Trigger,
    Truncate, Update, Usage,
};
use crate::privilege::{self, APPLIED, ObjectPrivileges};
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// The type of the objects.
#[derive(Attr, Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ObjectType {
    Database,
    Schema,
    Table,
    Sequence,
    Function,
    Procedure,
    /// Functions and procedures.
    Routine,
    ForeignDataWrapper,
    ForeignServer,
    /// Columns of one table.
    Column,
}

impl ObjectType {
    /// The keywords of `GRANT`, and the query of the objects.
    fn sql(self) -> (&'static str, &'static str) {
        match self {
            ObjectType::Database => ("DATABASE", DATABASES),
            ObjectType::Schema => ("SCHEMA", SCHEMAS),
            ObjectType::Table => ("TABLE", TABLES),
            ObjectType::Sequence => ("SEQUENCE", SEQUENCES),
            ObjectType::Function => ("FUNCTION", FUNCTIONS),
            ObjectType::Procedure => ("PROCEDURE", PROCEDURES),
            ObjectType::Routine => ("ROUTINE", ROUTINES),
            ObjectType::ForeignDataWrapper => ("FOREIGN DATA WRAPPER", WRAPPERS),
            ObjectType::ForeignServer => ("FOREIGN SERVER", SERVERS),
            ObjectType::Column => ("TABLE", COLUMNS),
        }
    }

    fn privileges(self) -> &'static [Privilege] {
        match self {
            ObjectType::Database => &[All, Connect, Create, Temporary],
            ObjectType::Schema => &[All, Create, Usage],
            ObjectType::Table => {
                &[All, Delete, Insert, Maintain, References, Select, Trigger, Truncate, Update]
            }
            ObjectType::Sequence => &[All, Select, Update, Usage],
            ObjectType::Function | ObjectType::Procedure | ObjectType::Routine => &[All, Execute],
            ObjectType::ForeignDataWrapper | ObjectType::ForeignServer => &[All, Usage],
            ObjectType::Column => &[All, Insert, References, Select, Update],
        }
    }
}

/// A query of objects. The first parameter is the name of the database for databases, and the name of the schema for all other
/// objects. The second parameter contains the names of the objects, or is null for all objects. The third parameter is the OID of
/// the role. Each row contains the SQL of an object, the names that the configuration can use for it, and three lists of
/// privileges: those of the role without grant option, those with grant option, and all privileges of the object type. The last column
/// is the owner of the object.
macro_rules! objects {
    ($($query:literal),+) => {
        concat!(
            "SELECT sql, names,
                 ARRAY(SELECT DISTINCT privilege_type FROM aclexplode(acl) WHERE grantee = $3::oid AND NOT is_grantable),
                 ARRAY(SELECT DISTINCT privilege_type FROM aclexplode(acl) WHERE grantee = $3::oid AND is_grantable),
                 ARRAY(SELECT privilege_type FROM aclexplode(acldefault(kind, owner)) WHERE grantee = owner),
                 pg_get_userbyid(owner)::text
             FROM (",
            $($query),+,
            // `aclexplode` decompresses a stored list again for each entry, but not a copy.
            ") AS object (sql, names, kind, owner, stored)
             CROSS JOIN LATERAL (SELECT array_agg(entry) FROM unnest(stored) AS entry) AS copy (acl)
             WHERE $2::text[] IS NULL OR names && $2 ORDER BY sql"
        )
    };
}

/// Functions and procedures. A name without arguments matches all overloads. PostgreSQL resolves a name with arguments.
macro_rules! routines {
    ($kinds:literal) => {
        objects!(
            "SELECT p.oid::regprocedure::text, p.proname::text || spelling.names, 'f'::\"char\", p.proowner,
                 coalesce(p.proacl, acldefault('f', p.proowner))
             FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace LEFT JOIN (
                 SELECT array_agg(name), to_regprocedure(format(
                     '%I.%I%s', $1::text, rtrim(split_part(name, '(', 1)), substr(name, strpos(name, '('))))
                 FROM unnest($2::text[]) AS name WHERE name LIKE '%(%)' GROUP BY 2
             ) AS spelling (names, oid) ON spelling.oid = p.oid
             WHERE n.nspname = $1::text AND p.prokind IN ",
            $kinds
        )
    };
}

const DATABASES: &str = objects!(
    "SELECT quote_ident(datname), '{}'::text[], 'd'::\"char\", datdba, coalesce(datacl, acldefault('d', datdba))
     FROM pg_database WHERE datname = $1"
);
const SCHEMAS: &str = objects!(
    "SELECT quote_ident(nspname), '{}'::text[], 'n'::\"char\", nspowner, coalesce(nspacl, acldefault('n', nspowner))
     FROM pg_namespace WHERE nspname = $1"
);
/// Includes views and foreign tables, like `ALL TABLES IN SCHEMA`.
const TABLES: &str = objects!(
    "SELECT format('%I.%I', n.nspname, c.relname), ARRAY[c.relname::text], 'r'::\"char\", c.relowner,
         coalesce(c.relacl, acldefault('r', c.relowner))
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'f', 'p')"
);
const SEQUENCES: &str = objects!(
    "SELECT format('%I.%I', n.nspname, c.relname), ARRAY[c.relname::text], 's'::\"char\", c.relowner,
         coalesce(c.relacl, acldefault('s', c.relowner))
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'S'"
);
const FUNCTIONS: &str = routines!("('f', 'a', 'w')");
const PROCEDURES: &str = routines!("('p')");
const ROUTINES: &str = routines!("('f', 'a', 'w', 'p')");
const WRAPPERS: &str = objects!(
    "SELECT quote_ident(fdwname), ARRAY[fdwname::text], 'F'::\"char\", fdwowner, coalesce(fdwacl, acldefault('F', fdwowner))
     FROM pg_foreign_data_wrapper WHERE $1::text IS NULL"
);
const SERVERS: &str = objects!(
    "SELECT quote_ident(srvname), ARRAY[srvname::text], 'S'::\"char\", srvowner, coalesce(srvacl, acldefault('S', srvowner))
     FROM pg_foreign_server WHERE $1::text IS NULL"
);
/// The object is the table. The third name is the name of the column.
const COLUMNS: &str = objects!(
    "SELECT format('%I.%I', n.nspname, c.relname), ARRAY[c.relname::text, NULL, a.attname::text], 'r'::\"char\", c.relowner,
         a.attacl
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
);

/// Manages the privileges of a role on objects of one type. The resource is authoritative: it revokes privileges of the role that
/// are not configured. Therefore, do not use `create_before_destroy` if the new grant includes objects of the replaced one: destroying
/// the replaced grant revokes all privileges of the role on its objects, including those of the new grant.
///
/// If the role that the provider connects as cannot change the privileges on an object, it becomes a member of the owner of the
/// object for the duration of the transaction.
///
/// The import ID has the form `{role}/{database}/{object_type}/{schema}/{objects}/{columns}`. The last three parts are optional.
/// Objects and columns are separated by commas. To import objects whose names contain slashes or commas, use the identity.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(
    identity = GrantIdentity,
    validate = validate_object_attributes,
    validate = validate_privileges
)]
pub(crate) struct Grant {
    /// The role that receives the privileges, or `public` for all roles.
    #[attr(requires_replace)]
    role: Name,
    /// The database that contains the objects, or, for `object_type = "database"`, the database on which the privileges are
    /// granted.
    #[attr(requires_replace)]
    database: Name,
    /// The schema that contains the objects, or, for `object_type = "schema"`, the schema on which the privileges are granted.
    #[attr(requires_replace)]
    schema: Option<Name>,
    #[attr(requires_replace)]
    object_type: ObjectType,
    /// The names of the objects. The name of a function can include the types of its arguments, such as `add(int, int)`.
    /// If omitted, the privileges apply to all objects that exist in the schema during apply.
    #[attr(requires_replace, min_items = 1)]
    objects: Option<BTreeSet<String>>,
    /// The names of the columns of the table.
    #[attr(requires_replace, min_items = 1)]
    columns: Option<BTreeSet<Name>>,
    /// The privileges. An empty set revokes all privileges.
    privileges: BTreeSet<Privilege>,
    /// Whether the role can grant the privileges to other roles (`WITH GRANT OPTION`).
    #[attr(default = false)]
    with_grant_option: bool,
}

/// The identity of a grant: all attributes except the privileges. All attributes are required, because an omitted schema or
/// omitted objects identify a different grant.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct GrantIdentity {
    role: Name,
    database: Name,
    object_type: ObjectType,
    /// The schema, or the empty string if the grant has no schema.
    schema: String,
    /// The names of the objects in ascending order. Empty if the grant has no objects.
    sorted_objects: Vec<String>,
    /// The names of the columns in ascending order. Empty if the grant has no columns.
    sorted_columns: Vec<Name>,
}

impl Identity<Grant> for GrantIdentity {
    fn of(_: &Postgresql, grant: &Grant) -> Result<Self> {
        let Grant { role, database, schema, object_type, objects, columns, .. } = grant.clone();
        Ok(GrantIdentity {
            role,
            database,
            object_type,
            schema: schema.map(|it| it.to_string()).unwrap_or_default(),
            sorted_objects: objects.into_iter().flatten().collect(),
            sorted_columns: columns.into_iter().flatten().collect(),
        })
    }
}

/// Validates `schema`, `objects` and `columns`, which depend on `object_type`.
fn validate_object_attributes(grant: &Config<Grant>) -> Result<()> {
    let Known(object_type) = grant.object_type else { return Ok(()) };
    use ObjectType::{Column, Database, ForeignDataWrapper, ForeignServer, Schema};
    let has_no_schema = matches!(object_type, Database | ForeignDataWrapper | ForeignServer);
    let is_single = matches!(object_type, Database | Schema);
    let is_column = object_type == Column;
    let (schema, objects, columns) = (&grant.schema, &grant.objects, &grant.columns);
    let (required, excluded, single) = ("must be set", "cannot be set", "must have exactly one element");
    let violations = [
        (path!(schema), required, !has_no_schema && matches!(schema, Known(None))),
        (path!(objects), required, is_column && matches!(objects, Known(None))),
        (path!(columns), required, is_column && matches!(columns, Known(None))),
        (path!(schema), excluded, has_no_schema && matches!(schema, Known(Some(_)))),
        (path!(objects), excluded, is_single && matches!(objects, Known(Some(_)))),
        (path!(columns), excluded, !is_column && matches!(columns, Known(Some(_)))),
        (path!(objects), single, is_column && matches!(objects, Known(Some(it)) if it.len() > 1)),
    ];
    let Some((path, requirement, _)) = violations.into_iter().find(|it| it.2) else { return Ok(()) };
    let detail = format!("`{path}` {requirement} if `object_type` is \"{object_type}\".");
    Err(Diagnostic::error("Invalid Attribute Combination").detail(detail).at(path).into())
}

fn validate_privileges(grant: &Config<Grant>) -> Result<()> {
    let (Known(object_type), Known(privileges)) = (grant.object_type, &grant.privileges) else {
        return Ok(());
    };
    for privilege in privileges.iter() {
        let Known(privilege) = privilege else { continue };
        privilege.validate(object_type.as_str(), object_type.privileges())?;
    }
    Ok(())
}

/// The OID of a role, or 0 for all roles. Returns `None` if the role does not exist.
pub(crate) async fn grantee(session: &Session<'_>, role: &Name) -> Result<Option<u32>> {
    if role.as_str() == "public" {
        return Ok(Some(0));
    }
    let row = session.row("SELECT oid FROM pg_roles WHERE rolname = $1", &[&role.as_str()]).await?;
    Ok(row.map(|it| it.get(0)))
}

impl Grant {
    /// Returns a session in the database that contains the objects. The advisory lock exists per database, so all provider processes must
    /// use the same database to change the privileges on a database. If the provider cannot connect to that database, for example
    /// because the database does not allow connections, this is the database of the provider configuration.
    async fn session<'a>(&self, provider: &'a Postgresql) -> Result<Option<Session<'a>>> {
        match provider.pool.find(&self.database).await {
            Err(_) if self.object_type == ObjectType::Database => {
                provider.pool.find(&provider.database).await
            }
            session => session,
        }
    }

    /// Queries the existing objects.
    async fn objects(&self, session: &Session<'_>, grantee: u32) -> Result<Vec<Row>> {
        let parent = match self.object_type {
            ObjectType::Database => Some(self.database.as_str()),
            _ => self.schema.as_ref().map(Name::as_str),
        };
        let objects: Option<Vec<&String>> = self.objects.as_ref().map(|it| it.iter().collect());
        let (_, query) = self.object_type.sql();
        let mut rows = session.rows(query, &[&parent, &objects, &grantee]).await?;
        if let Some(columns) = &self.columns {
            rows.retain(|row| {
                let names: Vec<Option<String>> = row.get(1);
                names.into_iter().flatten().nth(1).is_some_and(|it| columns.contains(&Name::from(it)))
            });
        }
        Ok(rows)
    }

    /// The first object or column of the configuration that does not exist.
    fn first_missing_name(&self, rows: &[Row]) -> Option<String> {
        let names: Vec<String> =
            rows.iter().flat_map(|it| it.get::<_, Vec<Option<String>>>(1)).flatten().collect();
        let objects = self.objects.iter().flatten().cloned();
        objects.chain(self.columns.iter().flatten().map(Name::to_string)).find(|it| !names.contains(it))
    }

    /// Reads the privileges. Returns `None` if the role or the object does not exist, or if the role has no privileges.
    async fn find(
        self,
        provider: &Postgresql,
        applied: Option<BTreeSet<Privilege>>,
    ) -> Result<Option<Grant>> {
        let Some(session) = self.session(provider).await? else { return Ok(None) };
        let Some(grantee) = grantee(&session, &self.role).await? else { return Ok(None) };
        let rows = self.objects(&session, grantee).await?;
        let is_single = matches!(self.object_type, ObjectType::Database | ObjectType::Schema);
        let parent = "SELECT 1 FROM pg_namespace WHERE nspname = $1 OR $1 IS NULL LIMIT 1";
        if (is_single && rows.is_empty())
            || !session.exists(parent, &[&self.schema.as_ref().map(Name::as_str)]).await?
            || self.first_missing_name(&rows).is_some()
        {
            return Ok(None);
        }
        let objects = rows
            .iter()
            .map(|it| ObjectPrivileges::from_row(it, 2, self.object_type.privileges()))
            .collect::<Result<Vec<_>>>()?;
        let observed =
            privilege::observed(applied.as_ref(), &self.privileges, self.with_grant_option, &objects);
        Ok(observed.map(|(privileges, with_grant_option)| Grant { privileges, with_grant_option, ..self }))
    }

    /// Replaces the privileges of the role in the transaction of a session.
    async fn replace(&self, session: &mut Session<'_>) -> Result<()> {
        let grantee = grantee(session, &self.role).await?;
        let grantee = grantee.ok_or_else(|| {
            let detail = format!("The role {:?} does not exist. Create it first.", self.role.as_str());
            Diagnostic::error("Role Not Found").detail(detail).at(path!(role))
        })?;
        let rows = self.objects(session, grantee).await?;
        if let Some(missing) = self.first_missing_name(&rows) {
            let (database, object_type) = (self.database.as_str(), self.object_type);
            let detail =
                format!("The {object_type} {missing:?} does not exist in the database {database:?}.");
            return Err(Diagnostic::error("Object Not Found").detail(detail).at(path!(objects)).into());
        }
        self.change(session, grantee, &self.privileges).await
    }

    /// Replaces the privileges of the role. PostgreSQL only warns if the provider's role lacks the right to grant or revoke a
    /// privilege, so the result is compared with the request.
    ///
    /// The provider's role becomes a member of the owner of an object only if its own privileges are not sufficient: a role with the grant
    /// option need not be able to become a member, and a member of the owner cannot revoke what it has granted itself.
    async fn change(
        &self,
        session: &mut Session<'_>,
        grantee: u32,
        privileges: &BTreeSet<Privilege>,
    ) -> Result<()> {
        session.execute("SAVEPOINT own_privileges").await?;
        let rows = self.objects(session, grantee).await?;
        let rows = match self.change_once(session, grantee, privileges, &rows).await {
            Ok(mismatched) => mismatched,
            Err(_) => {
                session.execute("ROLLBACK TO own_privileges").await?;
                rows
            }
        };
        if rows.is_empty() {
            return Ok(());
        }
        let owners: BTreeSet<Name> = rows.iter().map(|it| Name::from(it.get::<_, String>(5))).collect();
        for owner in &owners {
            session.grant_membership(owner).await?;
        }
        let names: Vec<&str> = owners.iter().map(Name::as_str).collect();
        let owned = format!("changing privileges on objects of {} failed", names.join(", "));
        let mismatched = self.change_once(session, grantee, privileges, &rows).await.context(owned)?;
        let Some(row) = mismatched.first() else { return Ok(()) };
        let found = [row.get::<_, Vec<String>>(2), row.get(3)].concat();
        let found = if found.is_empty() { "no privileges".into() } else { found.join(", ") };
        let (keywords, _) = self.object_type.sql();
        let (kind, object) = (keywords.to_lowercase(), row.get::<_, &str>(0));
        let (role, owner) = (self.role.as_str(), row.get::<_, &str>(5));
        let detail = format!(
            "The role {role:?} would have {found} on the {kind} {object}, which are not the requested privileges. Connect as the owner \
             {owner:?}, as a role that is or can become a member of the owner, or as a superuser. Only the role that granted a \
             privilege can revoke it."
        );
        Err(Diagnostic::error("Privileges Not Changed").detail(detail).into())
    }

    /// Replaces the privileges on some of the objects, and returns the objects whose privileges differ from the requested ones.
    async fn change_once(
        &self,
        session: &Session<'_>,
        grantee: u32,
        privileges: &BTreeSet<Privilege>,
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let (target, role) = (self.target(rows), self.role.grantee());
        // If the role has no privileges, skip the statement, because it writes to the catalog.
        let has_privileges = rows
            .iter()
            .any(|it| !it.get::<_, Vec<String>>(2).is_empty() || !it.get::<_, Vec<String>>(3).is_empty());
        if has_privileges {
            let revoke = sql!("REVOKE ALL{} ON {} FROM {}", self.suffix(), target.clone(), role.clone());
            session.execute(revoke).await?;
        }
        if !rows.is_empty() && !privileges.is_empty() {
            let privileges = privilege::list(privileges, &self.suffix());
            let option = if self.with_grant_option { " WITH GRANT OPTION" } else { "" };
            session.execute(sql!("GRANT {} ON {} TO {}{}", privileges, target, role, option)).await?;
        }
        let mut mismatched = Vec::new();
        for row in self.objects(session, grantee).await? {
            let found = ObjectPrivileges::from_row(&row, 2, self.object_type.privileges())?;
            if !found.is_equal(privileges, self.with_grant_option) {
                mismatched.push(row);
            }
        }
        Ok(mismatched)
    }

    /// The list of columns that follows each privilege.
    fn suffix(&self) -> Sql {
        match &self.columns {
            Some(columns) => sql!(" ({})", Sql::join(columns.iter().map(Sql::from), ", ")),
            None => Sql::from(""),
        }
    }

    fn target(&self, rows: &[Row]) -> Sql {
        let mut objects: Vec<String> = rows.iter().map(|it| it.get(0)).collect();
        objects.dedup();
        let (keywords, _) = self.object_type.sql();
        sql!("{} {}", keywords, Sql::join(objects.into_iter().map(Sql::returned), ", "))
    }
}

impl Resource for Grant {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<GrantComputed> {
        let grant = Grant::try_from(plan)?;
        async {
            let session = grant.session(&cx.provider).await?.ok_or_else(|| {
                let detail =
                    format!("The database {:?} does not exist. Create it first.", grant.database.as_str());
                Diagnostic::error("Database Not Found").detail(detail).at(path!(database))
            })?;
            let mut session = session.begin().await?;
            grant.replace(&mut session).await?;
            cx.set_private(APPLIED, &grant.privileges)?;
            cx.checkpoint_at(path!(role), &grant.role);
            session.commit().await
        }
        .context("Cannot Grant Privileges")
        .await?;
        Ok(GrantComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        state.find(&cx.provider, cx.private(APPLIED)?).await.context("Cannot Read Privileges")
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<GrantComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        async {
            let Some(session) = state.session(&cx.provider).await? else { return Ok(()) };
            let mut session = session.begin().await?;
            if let Some(grantee) = grantee(&session, &state.role).await? {
                state.change(&mut session, grantee, &BTreeSet::new()).await?;
            }
            session.commit().await
        }
        .context("Cannot Revoke Privileges")
        .await
    }

    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        let invalid = || {
            let form = "{role}/{database}/{object_type}/{schema}/{objects}/{columns}";
            let detail = format!("The import ID {id:?} of postgresql_grant does not have the form {form}.");
            Diagnostic::error("Invalid Import ID").detail(detail)
        };
        let name = |part: &str| part.parse::<Name>().map_err(|_| invalid());
        let mut parts = id.split('/').map(str::trim);
        let mut required = || parts.next().filter(|it| !it.is_empty()).ok_or_else(invalid);
        let (role, database) = (name(required()?)?, name(required()?)?);
        let object_type = required()?.parse::<ObjectType>().map_err(|_| invalid())?;
        let mut optional = || parts.next().filter(|it| !it.is_empty());
        let schema = optional().map(name).transpose()?;
        let objects = optional().map(|it| it.split(',').map(str::to_owned).collect());
        let columns = optional().map(|it| it.split(',').map(name).collect::<Result<_, _>>()).transpose()?;
        let privileges = BTreeSet::new();
        Ok(Grant {
            role,
            database,
            schema,
            object_type,
            objects,
            columns,
            privileges,
            with_grant_option: false,
        })
    }

    async fn import_by_identity(_: &ReadCx<Self>, identity: GrantIdentity) -> Result<Self> {
        Ok(Grant {
            role: identity.role,
            database: identity.database,
            schema: Some(identity.schema).filter(|it| !it.is_empty()).map(Name::from),
            object_type: identity.object_type,
            objects: Some(identity.sorted_objects.into_iter().collect())
                .filter(|it: &BTreeSet<_>| !it.is_empty()),
            columns: Some(identity.sorted_columns.into_iter().collect())
                .filter(|it: &BTreeSet<_>| !it.is_empty()),
            privileges: BTreeSet::new(),
            with_grant_option: false,
        })
    }
}
