//! The resource `postgresql_schema`.

use ferroform::{
    ApplyCx, Args, Context as _, ListCx, ListResource, Model, Planned, ReadCx, Resource, Result,
};

use crate::name::Name;
use crate::provider::Postgresql;
use crate::sql::sql;

/// A schema.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{database}.{name}", mutable_identity)]
pub(crate) struct Schema {
    /// The name of the schema.
    #[attr(identity)]
    name: Name,
    /// The database that contains the schema. If it is omitted, it is the database of the `provider` block.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The owner of the schema. If it is omitted, it is the user of the provider.
    #[attr(optional, computed, use_state_for_unknown)]
    owner: Name,
    /// Whether a schema that already exists is managed instead of reporting an error. A destroy drops it.
    #[attr(default = true)]
    if_not_exists: bool,
    /// Whether a destroy drops the objects in the schema. Otherwise, the schema must be empty.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameter is a name, or null for all schemas but those of PostgreSQL itself.
const READ: &str = "
    SELECT nspname::text, pg_get_userbyid(nspowner)::text FROM pg_namespace
    WHERE nspname = $1 OR ($1 IS NULL AND nspname !~ '^pg_' AND nspname <> 'information_schema') ORDER BY 1";

impl Resource for Schema {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SchemaComputed> {
        let database = plan.database.unwrap_or_else(|| cx.provider.database.clone());
        let created: Result<_> = async {
            let session = cx.provider.pool.begin(&database).await?;
            let condition = if plan.if_not_exists { "IF NOT EXISTS " } else { "" };
            session.execute(sql!("CREATE SCHEMA {}{}", condition, &plan.name)).await?;
            if let Some(owner) = plan.owner.as_known() {
                let alter = sql!("ALTER SCHEMA {} OWNER TO {}", &plan.name, owner);
                session.execute_as_member(owner, alter).await?;
            }
            let row = session.row(READ, &[&plan.name.as_str()]).await?.context("Schema Not Found")?;
            let computed =
                SchemaComputed { database: database.clone(), owner: Name::from(row.get::<_, String>(1)) };
            cx.checkpoint(computed.clone());
            session.commit().await?;
            Ok(computed)
        }
        .await;
        created.context("Cannot Create Schema")
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found: Result<_> = async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            session.row(READ, &[&state.name.as_str()]).await
        }
        .await;
        let row = found.context("Cannot Read Schema")?;
        Ok(row.map(|it| Schema { owner: Name::from(it.get::<_, String>(1)), ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<SchemaComputed> {
        let owner = plan.owner.unwrap_or(prior.owner);
        let updated: Result<_> = async {
            let session = cx.provider.pool.begin(&prior.database).await?;
            // A repeated update can find the schema with its new name.
            if prior.name != plan.name && session.exists(READ, &[&prior.name.as_str()]).await? {
                session.execute(sql!("ALTER SCHEMA {} RENAME TO {}", &prior.name, &plan.name)).await?;
            }
            session
                .execute_as_member(&owner, sql!("ALTER SCHEMA {} OWNER TO {}", &plan.name, &owner))
                .await?;
            session.commit().await
        }
        .await;
        updated.context("Cannot Update Schema")?;
        Ok(SchemaComputed { database: prior.database, owner })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let dropped =
            cx.provider.pool.drop_object("SCHEMA", &state.database, &state.name, state.drop_cascade);
        dropped.await.context("Cannot Drop Schema")
    }
}

/// The list of the schemas of a database, without those of PostgreSQL itself.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Schemas {
    /// The database. If it is omitted, it is the database of the `provider` block.
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
