//! The resource `postgresql_publication`.

use std::collections::BTreeSet;

use ferroform::{
    ApplyCx, Args, Attr, Context as _, Diagnostic, FutureContext as _, ListCx, ListResource, Model, Planned,
    ReadCx, Resource, Result, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::pool::Session;
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// A published operation.
#[derive(Attr, Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Operation {
    Insert,
    Update,
    Delete,
    Truncate,
}

const ALL_OPERATIONS: [Operation; 4] =
    [Operation::Insert, Operation::Update, Operation::Delete, Operation::Truncate];

/// Manages a publication for logical replication.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{database}.{name}", mutable_identity)]
pub(crate) struct Publication {
    /// The name of the publication.
    #[attr(identity)]
    name: Name,
    /// The database that contains the publication. In the `resource` block, it defaults to the `database` of the provider
    /// configuration.
    #[attr(optional, computed, use_state_for_unknown, identity, required_for_import, requires_replace)]
    database: Name,
    /// The owner of the publication. Defaults to the role that the provider connects as.
    #[attr(optional, computed, use_state_for_unknown)]
    owner: Name,
    /// The tables to publish, such as `public.users`. Quote names with special characters as in SQL.
    #[attr(conflicts_with(all_tables), min_items = 1)]
    tables: Option<BTreeSet<String>>,
    /// Whether to publish all tables of the database.
    #[attr(default = false, requires_replace)]
    all_tables: bool,
    /// The operations to publish.
    #[attr(default = BTreeSet::from(ALL_OPERATIONS), min_items = 1)]
    publish_param: BTreeSet<Operation>,
    /// Whether to publish changes of a partition as changes of its root table.
    #[attr(default = false)]
    publish_via_partition_root_param: bool,
    /// Whether to drop dependent objects as well (`CASCADE`) when the resource is destroyed.
    #[attr(default = false)]
    drop_cascade: bool,
}

/// The parameter is a name, or null for all publications.
const READ: &str = "
    SELECT p.pubname::text, pg_get_userbyid(p.pubowner)::text, p.puballtables,
        array_remove(ARRAY[CASE WHEN pubinsert THEN 'insert' END, CASE WHEN pubupdate THEN 'update' END,
            CASE WHEN pubdelete THEN 'delete' END, CASE WHEN pubtruncate THEN 'truncate' END], NULL),
        p.pubviaroot,
        ARRAY(SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_publication_rel r
            JOIN pg_class c ON c.oid = r.prrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE r.prpubid = p.oid)
    FROM pg_publication p WHERE p.pubname = $1 OR $1 IS NULL ORDER BY 1";

const OWNER: &str = "SELECT pg_get_userbyid(pubowner)::text FROM pg_publication WHERE pubname = $1";

/// The SQL of tables. Returns an error if a table does not exist.
async fn tables(
    session: &Session<'_>,
    tables: impl IntoIterator<Item = &String>,
) -> Result<Vec<(String, Sql)>> {
    let query = "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
                 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)";
    let mut found = Vec::new();
    for table in tables {
        let row = session.row(query, &[table]).await.at(path!(tables))?;
        let row = row.ok_or_else(|| {
            let detail = format!("The table {table:?} does not exist. Create it first.");
            Diagnostic::error("Table Not Found").detail(detail).at(path!(tables))
        })?;
        found.push((table.clone(), Sql::returned(row.get(0))));
    }
    Ok(found)
}

/// Returns the SQL of the tables to publish. Grants the provider's role membership in their owners, because only the owner of a table
/// can publish it.
async fn prepare_tables(
    session: &mut Session<'_>,
    names: &ferroform::Set<String>,
) -> Result<Vec<(String, Sql)>> {
    let owner = "SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = to_regclass($1)";
    let found = tables(session, names.iter()).await?;
    for table in names.iter() {
        session.grant_membership_in_owner(owner, table).await?;
    }
    Ok(found)
}

fn list(tables: &[(String, Sql)]) -> Sql {
    Sql::join(tables.iter().map(|(_, it)| it.clone()), ", ")
}

/// The options of a publication.
fn options(operations: &ferroform::Set<Operation>, via_root: bool) -> Sql {
    let operations: Vec<&str> = operations.iter().map(Operation::as_str).collect();
    let operations = Sql::string(&operations.join(", "));
    sql!("(publish = {}, publish_via_partition_root = {})", operations, via_root)
}

/// Converts a row of [`READ`]. Tables keep their spelling in the state.
fn publication(row: &Row, state: Publication, named: &[(String, Sql)]) -> Result<Publication> {
    let operations: Vec<String> = row.get(3);
    let tables: Vec<String> = row.get(5);
    // The state can contain several spellings of one table.
    let is_published = |table: &Sql| tables.iter().any(|it| it == table.as_str());
    let is_unnamed = |table: &&String| named.iter().all(|(_, it)| it.as_str() != *table);
    let spellings = named.iter().filter(|(_, it)| is_published(it)).map(|(name, _)| name);
    let tables: BTreeSet<String> = spellings.chain(tables.iter().filter(is_unnamed)).cloned().collect();
    let operations: Result<_, _> = operations.iter().map(|it| it.parse()).collect();
    Ok(Publication {
        name: Name::from(row.get::<_, String>(0)),
        owner: Name::from(row.get::<_, String>(1)),
        all_tables: row.get(2),
        tables: Some(tables).filter(|it| !it.is_empty()),
        publish_param: operations.context("Unknown Operation")?,
        publish_via_partition_root_param: row.get(4),
        ..state
    })
}

impl Resource for Publication {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<PublicationComputed> {
        let database = plan.database.unwrap_or_else(|| cx.provider.database.clone());
        async {
            let mut session = cx.provider.pool.begin(&database).await?;
            session.grant_membership_in_database_owner().await?;
            let target = match &plan.tables {
                Some(it) => sql!(" FOR TABLE {}", list(&prepare_tables(&mut session, it).await?)),
                None if plan.all_tables => Sql::from(" FOR ALL TABLES"),
                None => Sql::from(""),
            };
            let options = options(&plan.publish_param, plan.publish_via_partition_root_param);
            session.execute(sql!("CREATE PUBLICATION {}{} WITH {}", &plan.name, target, options)).await?;
            if let Some(owner) = plan.owner.as_known() {
                session.grant_membership(owner).await?;
                session.execute(sql!("ALTER PUBLICATION {} OWNER TO {}", &plan.name, owner)).await?;
            }
            let row = session.row(READ, &[&plan.name.as_str()]).await?.context("Publication Not Found")?;
            session.commit().await?;
            Ok(PublicationComputed { database: database.clone(), owner: Name::from(row.get::<_, String>(1)) })
        }
        .context("Cannot Create Publication")
        .await
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        async {
            let Some(session) = cx.provider.pool.find(&state.database).await? else { return Ok(None) };
            let Some(row) = session.row(READ, &[&state.name.as_str()]).await? else { return Ok(None) };
            let mut named = Vec::new();
            for table in state.tables.iter().flatten() {
                // A table that no longer exists is not published.
                named.extend(tables(&session, [table]).await.unwrap_or_default());
            }
            publication(&row, state, &named).map(Some)
        }
        .context("Cannot Read Publication")
        .await
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<PublicationComputed> {
        let owner = plan.owner.unwrap_or(prior.owner);
        async {
            let mut session = cx.provider.pool.begin(&prior.database).await?;
            session.grant_membership_in_database_owner().await?;
            // A previous update may have renamed the publication and then failed.
            if prior.name != plan.name && session.exists(READ, &[&prior.name.as_str()]).await? {
                session.grant_membership_in_owner(OWNER, prior.name.as_str()).await?;
                session.execute(sql!("ALTER PUBLICATION {} RENAME TO {}", &prior.name, &plan.name)).await?;
            }
            session.grant_membership_in_owner(OWNER, plan.name.as_str()).await?;
            session.grant_membership(&owner).await?;
            session.execute(sql!("ALTER PUBLICATION {} OWNER TO {}", &plan.name, &owner)).await?;
            let options = options(&plan.publish_param, plan.publish_via_partition_root_param);
            session.execute(sql!("ALTER PUBLICATION {} SET {}", &plan.name, options)).await?;
            if let Some(it) = &plan.tables {
                let tables = list(&prepare_tables(&mut session, it).await?);
                session.execute(sql!("ALTER PUBLICATION {} SET TABLE {}", &plan.name, tables)).await?;
            } else if !plan.all_tables {
                let row =
                    session.row(READ, &[&plan.name.as_str()]).await?.context("Publication Not Found")?;
                let tables: Vec<String> = row.get(5);
                if !tables.is_empty() {
                    let tables = Sql::join(tables.into_iter().map(Sql::returned), ", ");
                    session.execute(sql!("ALTER PUBLICATION {} DROP TABLE {}", &plan.name, tables)).await?;
                }
            }
            session.commit().await
        }
        .context("Cannot Update Publication")
        .await?;
        Ok(PublicationComputed { database: prior.database, owner })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let dropped = cx.provider.pool.drop_object(
            "PUBLICATION",
            OWNER,
            &state.database,
            &state.name,
            state.drop_cascade,
        );
        dropped.await.context("Cannot Drop Publication")
    }
}

/// Lists the publications of a database.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Publications {
    /// The database. Defaults to the `database` of the provider configuration.
    database: Option<Name>,
}

impl ListResource for Publications {
    type Resource = Publication;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let database = args.database.unwrap_or_else(|| cx.provider.database.clone());
        let session = cx.provider.pool.connect(&database).await?;
        for row in session.rows(READ, &[&None::<&str>]).await.context("Cannot List Publications")? {
            let empty = Publication {
                name: Name::from("none"),
                database: database.clone(),
                owner: Name::from("none"),
                tables: None,
                all_tables: false,
                publish_param: BTreeSet::new(),
                publish_via_partition_root_param: false,
                drop_cascade: false,
            };
            let publication = publication(&row, empty, &[])?;
            let display_name = format!("{database}.{}", publication.name);
            cx.send(cx.listed(publication, display_name)?).await?;
        }
        Ok(())
    }
}
