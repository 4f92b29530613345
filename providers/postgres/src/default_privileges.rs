//! The resource `postgresql_default_privileges`.

use std::collections::BTreeSet;

use ferroform::{
    ApplyCx, Attr, Config, Context as _, Diagnostic, FutureContext as _, Identity, Known, Model, Planned,
    ReadCx, Resource, Result, path,
};

use crate::grant::grantee;
use crate::name::Name;
use crate::pool::Session;
use crate::privilege::Privilege::{
    self, All, Create, Delete, Execute, Insert, Maintain, References, Select, Trigger, Truncate, Update,
    Usage,
};
use crate::privilege::{self, APPLIED, ObjectPrivileges};
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// The type of the objects.
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub(crate) enum ObjectType {
    Table,
    Sequence,
    Function,
    /// Functions and procedures.
    Routine,
    Type,
    Schema,
}

impl ObjectType {
    /// The keyword of `ALTER DEFAULT PRIVILEGES`, the code in `pg_default_acl`, that of `acldefault`, and the privileges.
    fn sql(self) -> (&'static str, &'static str, &'static str, &'static [Privilege]) {
        match self {
            ObjectType::Table => (
                "TABLES",
                "r",
                "r",
                &[All, Delete, Insert, Maintain, References, Select, Trigger, Truncate, Update],
            ),
            ObjectType::Sequence => ("SEQUENCES", "S", "s", &[All, Select, Update, Usage]),
            ObjectType::Function => ("FUNCTIONS", "f", "f", &[All, Execute]),
            ObjectType::Routine => ("ROUTINES", "f", "f", &[All, Execute]),
            ObjectType::Type => ("TYPES", "T", "T", &[All, Usage]),
            ObjectType::Schema => ("SCHEMAS", "n", "n", &[All, Create, Usage]),
        }
    }
}

/// The parameters are the owner, the schema or null, the two codes of the type, and the OID of the role. Without a schema and
/// a stored value, PostgreSQL's default privileges apply.
const READ: &str = "
    SELECT ARRAY(SELECT DISTINCT privilege_type FROM aclexplode(acl) WHERE grantee = $5::oid AND NOT is_grantable),
        ARRAY(SELECT DISTINCT privilege_type FROM aclexplode(acl) WHERE grantee = $5::oid AND is_grantable),
        ARRAY(SELECT privilege_type FROM aclexplode(acldefault($4::text::\"char\", owner)) WHERE grantee = owner)
    FROM (
        SELECT o.oid, coalesce(d.defaclacl, CASE WHEN $2::text IS NULL THEN acldefault($4::text::\"char\", o.oid) END)
        FROM pg_roles o
        LEFT JOIN pg_namespace n ON n.nspname = $2::text
        LEFT JOIN pg_default_acl d ON d.defaclrole = o.oid AND d.defaclobjtype = $3::text::\"char\"
            AND d.defaclnamespace = coalesce(n.oid, 0)
        WHERE o.rolname = $1 AND ($2::text IS NULL OR n.oid IS NOT NULL)
    ) AS defaults (owner, acl)";

/// Manages the default privileges of a role: the privileges on objects that another role creates in the future. The resource is
/// authoritative: it revokes default privileges of the role that are not configured.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(
    identity = DefaultPrivilegesIdentity,
    import = "{role}/{database}/{owner}/{object_type}/{schema?}",
    validate = validate_object_type
)]
pub(crate) struct DefaultPrivileges {
    /// The role that receives the privileges, or `public` for all roles.
    #[attr(requires_replace)]
    role: Name,
    /// The database in which the objects are created.
    #[attr(requires_replace)]
    database: Name,
    /// The role that creates the objects.
    #[attr(requires_replace)]
    owner: Name,
    /// The schema in which the objects are created. If omitted, the default privileges apply to all schemas.
    #[attr(requires_replace)]
    schema: Option<Name>,
    #[attr(requires_replace)]
    object_type: ObjectType,
    /// The privileges. An empty set revokes all privileges.
    privileges: BTreeSet<Privilege>,
    /// Whether the role can grant the privileges to other roles (`WITH GRANT OPTION`).
    #[attr(default = false)]
    with_grant_option: bool,
}

/// The identity of default privileges: all attributes except the privileges. All attributes are required, because an omitted
/// schema identifies different default privileges.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct DefaultPrivilegesIdentity {
    role: Name,
    database: Name,
    owner: Name,
    object_type: ObjectType,
    /// The schema, or the empty string for all schemas.
    schema: String,
}

impl Identity<DefaultPrivileges> for DefaultPrivilegesIdentity {
    fn of(_: &Postgresql, privileges: &DefaultPrivileges) -> Result<Self> {
        let DefaultPrivileges { role, database, owner, object_type, schema, .. } = privileges.clone();
        let schema = schema.map(|it| it.to_string()).unwrap_or_default();
        Ok(DefaultPrivilegesIdentity { role, database, owner, object_type, schema })
    }
}

fn validate_object_type(config: &Config<DefaultPrivileges>) -> Result<()> {
    let (Known(object_type), Known(privileges)) = (config.object_type, &config.privileges) else {
        return Ok(());
    };
    let (.., applicable) = object_type.sql();
    for privilege in privileges.iter() {
        let Known(privilege) = privilege else { continue };
        privilege.validate(object_type.as_str(), applicable)?;
    }
    match (object_type, &config.schema) {
        (ObjectType::Schema, Known(Some(_))) => {
            let detail =
                "`schema` cannot be set if `object_type` is \"schema\", because schemas cannot be nested.";
            Err(Diagnostic::error("Invalid Attribute Combination").detail(detail).at(path!(schema)).into())
        }
        _ => Ok(()),
    }
}

impl DefaultPrivileges {
    /// Reads the privileges. Returns `None` if a role or the schema does not exist, or if the role has no privileges.
    async fn find(self, provider: &Postgresql, applied: Option<BTreeSet<Privilege>>) -> Result<Option<Self>> {
        let Some(session) = provider.pool.find(&self.database).await? else { return Ok(None) };
        let Some(grantee) = grantee(&session, &self.role).await? else { return Ok(None) };
        let (_, stored, default, applicable) = self.object_type.sql();
        let (owner, schema) = (self.owner.as_str(), self.schema.as_ref().map(Name::as_str));
        let row = session.row(READ, &[&owner, &schema, &stored, &default, &grantee]).await?;
        let Some(row) = row else { return Ok(None) };
        let object = ObjectPrivileges::from_row(&row, 0, applicable)?;
        let observed =
            privilege::observed(applied.as_ref(), &self.privileges, self.with_grant_option, &[object]);
        Ok(observed.map(|(privileges, with_grant_option)| Self { privileges, with_grant_option, ..self }))
    }

    /// Replaces the privileges of the role in the transaction of a session.
    async fn replace(&self, session: &mut Session<'_>, privileges: &BTreeSet<Privilege>) -> Result<()> {
        session.grant_membership(&self.owner).await?;
        let (objects, ..) = self.object_type.sql();
        let schema = self.schema.as_ref().map_or(Sql::from(""), |it| sql!(" IN SCHEMA {}", it));
        let alter = sql!("ALTER DEFAULT PRIVILEGES FOR ROLE {}{}", &self.owner, schema);
        let role = self.role.grantee();
        session.execute(sql!("{} REVOKE ALL ON {} FROM {}", alter.clone(), objects, role.clone())).await?;
        if !privileges.is_empty() {
            let privileges = privilege::list(privileges, &Sql::from(""));
            let option = if self.with_grant_option { " WITH GRANT OPTION" } else { "" };
            session
                .execute(sql!("{} GRANT {} ON {} TO {}{}", alter, privileges, objects, role, option))
                .await?;
        }
        Ok(())
    }
}

impl Resource for DefaultPrivileges {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DefaultPrivilegesComputed> {
        let defaults = DefaultPrivileges::try_from(plan)?;
        async {
            let mut session = cx.provider.pool.begin(&defaults.database).await?;
            defaults.replace(&mut session, &defaults.privileges).await?;
            cx.set_private(APPLIED, &defaults.privileges)?;
            cx.checkpoint_at(path!(role), &defaults.role);
            session.commit().await
        }
        .context("Cannot Alter Default Privileges")
        .await?;
        Ok(DefaultPrivilegesComputed {})
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        state.find(&cx.provider, cx.private(APPLIED)?).await.context("Cannot Read Default Privileges")
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<DefaultPrivilegesComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        async {
            // Without the role, the owner or the schema, there are no default privileges.
            if state.clone().find(&cx.provider, None).await?.is_none() {
                return Ok(());
            }
            let mut session = cx.provider.pool.begin(&state.database).await?;
            state.replace(&mut session, &BTreeSet::new()).await?;
            session.commit().await
        }
        .context("Cannot Alter Default Privileges")
        .await
    }

    async fn import_by_identity(_: &ReadCx<Self>, identity: DefaultPrivilegesIdentity) -> Result<Self> {
        let DefaultPrivilegesIdentity { role, database, owner, object_type, schema } = identity;
        let schema = Some(schema).filter(|it| !it.is_empty()).map(Name::from);
        let privileges = BTreeSet::new();
        Ok(DefaultPrivileges {
            role,
            database,
            owner,
            schema,
            object_type,
            privileges,
            with_grant_option: false,
        })
    }
}
