//! The resource `postgresql_schema`.

use ferroform::{
    ApplyCx, Args, Context as _, FutureContext as _, ListCx, ListResource, Model, Planned, ReadCx, Resource,
    Result,
};

use crate::name::Name;
use crate::provider::Postgresql;
use crate::sql::sql;

/// Manages a schema.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{database}.{name}", mutable_identity)]
pub(crate) struct Schema {
    /// The name of the schema.
    #[attr(identity)]
    name: Name,
    /// The database that contains the schema. In the `resource` block, it defaults to the `database` of the provider
    /// configuration.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The owner of the schema. Defaults to the role that the provider connects as.
    #[attr(optional, computed, use_state_for_unknown)]
    owner: Name,
    /// Whether to adopt a schema that already exists instead of returning an error. Destroying the resource drops an adopted
    /// schema, too.
    #[attr(default = true)]
    if_not_exists: bool,
    /// Whether to drop the objects in the schema as well (`CASCADE`) when the resource is destroyed. Otherwise, the schema must be
    /// empty.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameter is a name, or null for all schemas except system schemas.
const READ: &str = "
    SELECT nspname::text, pg_get_userbyid(nspowner)::text FROM pg_namespace
    WHERE nspname = $1 OR ($1 IS NULL AND nspname !~ '^pg_' AND nspname <> 'information_schema') ORDER BY 1";

const OWNER: &str = "SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace WHERE nspname = $1";

impl Resource for Schema {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SchemaComputed> {
        let database = plan.database.unwrap_or_else(|| cx.provider.database.clone());
        async {
            let mut session = cx.provider.pool.begin(&database).await?;
            session.grant_membership_in_database_owner().await?;
            let condition = if plan.if_not_exists { "IF NOT EXISTS " } else { "" };
            session.execute(sql!("CREATE SCHEMA {}{}", condition, &plan.name)).await?;
            if let Some(owner) = plan.owner.as_known() {
                // The schema may have existed.
                session.grant_membership_in_owner(OWNER, plan.name.as_str()).await?;
                session.grant_membership(owner).await?;
                session.execute(sql!("ALTER SCHEMA {} OWNER TO {}", &plan.name, owner)).await?;
            }
            let row = session.row(READ, &[&plan.name.as_str()]).await?.context("Schema Not Found")?;
            session.commit().await?;
            Ok(SchemaComputed { database: database.clone(), owner: Name::from(row.get::<_, String>(1)) })
        }
        .context("Cannot Create Schema")
        .await
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let row = async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            session.row(READ, &[&state.name.as_str()]).await
        }
        .context("Cannot Read Schema")
        .await?;
        Ok(row.map(|it| Schema { owner: Name::from(it.get::<_, String>(1)), ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<SchemaComputed> {
        let owner = plan.owner.unwrap_or(prior.owner);
        async {
            let mut session = cx.provider.pool.begin(&prior.database).await?;
            session.grant_membership_in_database_owner().await?;
            // A previous update may have renamed the schema and then failed.
            if prior.name != plan.name && session.exists(READ, &[&prior.name.as_str()]).await? {
                session.grant_membership_in_owner(OWNER, prior.name.as_str()).await?;
                session.execute(sql!("ALTER SCHEMA {} RENAME TO {}", &prior.name, &plan.name)).await?;
            }
            session.grant_membership_in_owner(OWNER, plan.name.as_str()).await?;
            session.grant_membership(&owner).await?;
            session.execute(sql!("ALTER SCHEMA {} OWNER TO {}", &plan.name, &owner)).await?;
            session.commit().await
        }
        .context("Cannot Update Schema")
        .await?;
        Ok(SchemaComputed { database: prior.database, owner })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let dropped =
            cx.provider.pool.drop_object("SCHEMA", OWNER, &state.database, &state.name, state.drop_cascade);
        dropped.await.context("Cannot Drop Schema")
    }
}

/// Lists the schemas of a database, except system schemas.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Schemas {
    /// The database. Defaults to the `database` of the provider configuration.
    database: Option<Name>,
}

impl ListResource for Schemas {
    type Resource = Schema;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let database = args.database.unwrap_or_else(|| cx.provider.database.clone());
        let session = cx.provider.pool.connect(&database).await?;
        for row in session.rows(READ, &[&None::<&str>]).await.context("Cannot List Schemas")? {
            let (name, owner) = (Name::from(row.get::<_, String>(0)), Name::from(row.get::<_, String>(1)));
            let display_name = format!("{database}.{name}");
            let database = database.clone();
            let schema = Schema { name, database, owner, if_not_exists: true, drop_cascade: false };
            cx.send(cx.listed(schema, display_name)?).await?;
        }
        Ok(())
    }
}
