//! The resource `postgresql_extension`.

use ferroform::{
    ApplyCx, Args, Context as _, FutureContext as _, ListCx, ListResource, Model, Planned, ReadCx, Resource,
    Result,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// Manages an extension in a database.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{database}.{name}")]
pub(crate) struct Extension {
    /// The name of the extension.
    #[attr(identity, requires_replace)]
    name: Name,
    /// The database in which the extension is installed. In the `resource` block, it defaults to the `database` of the provider
    /// configuration.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The schema that contains the objects of the extension. Defaults to the schema in the control file of the extension,
    /// or the current schema.
    #[attr(optional, computed, use_state_for_unknown)]
    schema: Name,
    /// The version of the extension. Defaults to the default version of the server, and is not updated automatically.
    #[attr(optional, computed, use_state_for_unknown)]
    version: String,
    /// Whether to install the extensions that this extension depends on (`CASCADE`).
    #[attr(default = false)]
    create_cascade: bool,
    /// Whether to drop dependent objects as well (`CASCADE`) when the resource is destroyed.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameter is a name, or null for all extensions.
const READ: &str = "
    SELECT e.extname::text, n.nspname::text, e.extversion
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = $1 OR $1 IS NULL ORDER BY 1";

const OWNER: &str = "SELECT pg_get_userbyid(extowner)::text FROM pg_extension WHERE extname = $1";

fn computed(row: &Row, database: &Name) -> ExtensionComputed {
    let schema = Name::from(row.get::<_, String>(1));
    ExtensionComputed { database: database.clone(), schema, version: row.get(2) }
}

impl Resource for Extension {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ExtensionComputed> {
        let database = plan.database.unwrap_or_else(|| cx.provider.database.clone());
        async {
            let mut session = cx.provider.pool.begin(&database).await?;
            session.grant_membership_in_database_owner().await?;
            let schema = plan.schema.as_known().map_or(Sql::from(""), |it| sql!(" SCHEMA {}", it));
            let version =
                plan.version.as_known().map_or(Sql::from(""), |it| sql!(" VERSION {}", Sql::string(it)));
            let cascade = if plan.create_cascade { " CASCADE" } else { "" };
            session.execute(sql!("CREATE EXTENSION {}{}{}{}", &plan.name, schema, version, cascade)).await?;
            let row = session.row(READ, &[&plan.name.as_str()]).await?.context("Extension Not Found")?;
            session.commit().await?;
            Ok(computed(&row, &database))
        }
        .context("Cannot Create Extension")
        .await
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let row = async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            session.row(READ, &[&state.name.as_str()]).await
        }
        .context("Cannot Read Extension")
        .await?;
        Ok(row.map(|it| {
            let ExtensionComputed { database, schema, version } = computed(&it, &state.database);
            Extension { database, schema, version, ..state }
        }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<ExtensionComputed> {
        async {
            let mut session = cx.provider.pool.begin(&prior.database).await?;
            session.grant_membership_in_owner(OWNER, plan.name.as_str()).await?;
            if let Some(version) = plan.version.as_known().filter(|it| **it != prior.version) {
                let version = Sql::string(version);
                session.execute(sql!("ALTER EXTENSION {} UPDATE TO {}", &plan.name, version)).await?;
            }
            if let Some(schema) = plan.schema.as_known().filter(|it| **it != prior.schema) {
                session.execute(sql!("ALTER EXTENSION {} SET SCHEMA {}", &plan.name, schema)).await?;
            }
            let row = session.row(READ, &[&plan.name.as_str()]).await?.context("Extension Not Found")?;
            session.commit().await?;
            Ok(computed(&row, &prior.database))
        }
        .context("Cannot Update Extension")
        .await
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let dropped = cx.provider.pool.drop_object(
            "EXTENSION",
            OWNER,
            &state.database,
            &state.name,
            state.drop_cascade,
        );
        dropped.await.context("Cannot Drop Extension")
    }
}

/// Lists the extensions that are installed in a database.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Extensions {
    /// The database. Defaults to the `database` of the provider configuration.
    database: Option<Name>,
}

impl ListResource for Extensions {
    type Resource = Extension;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let database = args.database.unwrap_or_else(|| cx.provider.database.clone());
        let session = cx.provider.pool.connect(&database).await?;
        for row in session.rows(READ, &[&None::<&str>]).await.context("Cannot List Extensions")? {
            let name = Name::from(row.get::<_, String>(0));
            let ExtensionComputed { database, schema, version } = computed(&row, &database);
            let display_name = format!("{database}.{name}");
            let extension =
                Extension { name, database, schema, version, create_cascade: false, drop_cascade: false };
            cx.send(cx.listed(extension, display_name)?).await?;
        }
        Ok(())
    }
}
