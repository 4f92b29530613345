//! The resource `postgresql_database`.

use ferroform::schema::ValueChange;
use ferroform::validators::{at_least, length_at_least};
use ferroform::{
    ApplyCx, Args, Context as _, Diagnostic, FutureContext as _, ListCx, ListResource, Model, Planned,
    ReadCx, Resource, Result, path,
};
use tokio_postgres::Row;

use crate::name::Name;
use crate::provider::Postgresql;
use crate::sql::{Sql, sql};

/// Manages a database. Destroying the resource closes all connections and drops the database.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{name}", mutable_identity)]
pub(crate) struct Database {
    /// The name of the database.
    #[attr(identity)]
    name: Name,
    /// The owner of the database. Defaults to the role that the provider connects as.
    #[attr(optional, computed, use_state_for_unknown)]
    owner: Name,
    /// The database to copy. Defaults to `template0`. PostgreSQL does not store it, so setting `template` for the first time
    /// after an import does not replace the database.
    #[attr(optional, computed, use_state_for_unknown, requires_replace_if = is_stored)]
    template: Option<Name>,
    /// The encoding, such as `UTF8`. Other names of the same encoding, such as `utf-8`, are treated as equal. Defaults to the encoding
    /// of the template.
    #[attr(optional, computed, use_state_for_unknown, requires_replace, semantic_eq = is_same_encoding)]
    #[attr(validate = length_at_least(1))]
    encoding: String,
    /// The collation order (`LC_COLLATE`). Defaults to the collation order of the template.
    #[attr(optional, computed, use_state_for_unknown, requires_replace, validate = length_at_least(1))]
    lc_collate: String,
    /// The character classification (`LC_CTYPE`). Defaults to the character classification of the template.
    #[attr(optional, computed, use_state_for_unknown, requires_replace, validate = length_at_least(1))]
    lc_ctype: String,
    /// The default tablespace of the database. Defaults to the tablespace of the template.
    #[attr(optional, computed, use_state_for_unknown)]
    tablespace_name: Name,
    /// The maximum number of connections to the database. `-1` means no limit.
    #[attr(default = -1, validate = at_least(-1))]
    connection_limit: i32,
    /// Whether the database accepts connections.
    #[attr(default = true)]
    allow_connections: bool,
    /// Whether every role with `CREATEDB` can clone the database.
    #[attr(default = false)]
    is_template: bool,
    /// Whether changing `owner` reassigns all objects of the previous owner in the database.
    #[attr(default = false)]
    alter_object_ownership: bool,
}

fn is_stored(template: &ValueChange<Name>) -> bool {
    template.prior.is_some()
}

/// Whether PostgreSQL accepts both names for the same encoding: it ignores case and punctuation, and has aliases.
fn is_same_encoding(prior: &str, new: &str) -> bool {
    let canonical = |name: &str| {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase());
        let name: String = letters.collect();
        let alias = match &*name {
            "abc" | "tcvn" | "tcvn5712" | "vscii" => "win1258",
            "alt" => "win866",
            "iso88591" => "latin1",
            "iso88592" => "latin2",
            "iso88593" => "latin3",
            "iso88594" => "latin4",
            "iso88599" => "latin5",
            "iso885910" => "latin6",
            "iso885913" => "latin7",
            "iso885914" => "latin8",
            "iso885915" => "latin9",
            "iso885916" => "latin10",
            "koi8" => "koi8r",
            "mskanji" | "shiftjis" | "win932" | "windows932" => "sjis",
            "unicode" => "utf8",
            "win" => "win1251",
            "win936" | "windows936" => "gbk",
            "win949" | "windows949" => "uhc",
            "win950" | "windows950" => "big5",
            other => return other.replacen("windows", "win", 1),
        };
        alias.to_owned()
    };
    canonical(prior) == canonical(new)
}

/// The parameter is a name, or null for all databases except templates.
const READ: &str = "
    SELECT d.datname::text, pg_get_userbyid(d.datdba)::text, pg_encoding_to_char(d.encoding)::text, d.datcollate::text,
        d.datctype::text, t.spcname::text, d.datconnlimit, d.datallowconn, d.datistemplate
    FROM pg_database d JOIN pg_tablespace t ON t.oid = d.dattablespace
    WHERE d.datname = $1 OR ($1 IS NULL AND NOT d.datistemplate) ORDER BY 1";

/// Converts a row of [`READ`].
fn database(row: &Row, template: Option<Name>, alter_object_ownership: bool) -> Database {
    let name = |column| Name::from(row.get::<_, String>(column));
    Database {
        name: name(0),
        owner: name(1),
        template,
        encoding: row.get(2),
        lc_collate: row.get(3),
        lc_ctype: row.get(4),
        tablespace_name: name(5),
        connection_limit: row.get(6),
        allow_connections: row.get(7),
        is_template: row.get(8),
        alter_object_ownership,
    }
}

const OWNER: &str = "SELECT pg_get_userbyid(datdba)::text FROM pg_database WHERE datname = $1";

async fn find(provider: &Postgresql, name: &Name, template: Option<Name>) -> Result<Option<Database>> {
    let session = provider.pool.connect(&provider.database).await?;
    let row = session.row(READ, &[&name.as_str()]).await?;
    Ok(row.map(|it| database(&it, template, false)))
}

impl Resource for Database {
    type Provider = Postgresql;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DatabaseComputed> {
        let (pool, name) = (&cx.provider.pool, &plan.name);
        let template = plan.template.as_known().cloned().flatten().unwrap_or_else(|| Name::from("template0"));
        async {
            if find(&cx.provider, name, None).await?.is_some() {
                let name = name.as_str();
                let detail = format!("To manage the existing database, import it with the ID {name:?}.");
                let error = Diagnostic::error("Database Already Exists").detail(detail);
                return Err(error.at(path!(name)).into());
            }
            let mut create = vec![sql!("CREATE DATABASE {} TEMPLATE {}", name, &template)];
            if let Some(owner) = plan.owner.as_known() {
                create.push(sql!("OWNER {}", owner));
            }
            if let Some(encoding) = plan.encoding.as_known() {
                create.push(sql!("ENCODING {}", Sql::string(encoding)));
            }
            if let Some(locale) = plan.lc_collate.as_known() {
                create.push(sql!("LC_COLLATE {}", Sql::string(locale)));
            }
            if let Some(locale) = plan.lc_ctype.as_known() {
                create.push(sql!("LC_CTYPE {}", Sql::string(locale)));
            }
            if let Some(tablespace) = plan.tablespace_name.as_known() {
                create.push(sql!("TABLESPACE {}", tablespace));
            }
            create.push(sql!("CONNECTION LIMIT {}", plan.connection_limit));
            create.push(sql!("ALLOW_CONNECTIONS {}", plan.allow_connections));
            create.push(sql!("IS_TEMPLATE {}", plan.is_template));
            // PostgreSQL does not allow CREATE DATABASE in a transaction.
            let mut session = pool.connect(&cx.provider.database).await?;
            if let Some(owner) = plan.owner.as_known() {
                session.grant_membership(owner).await?;
            }
            pool.close_idle(&template);
            let created = session.execute(Sql::join(create, " ")).await;
            if created.is_ok() {
                // Set the checkpoint only after the database was created: if creation fails, a database with this name can
                // belong to someone else.
                cx.checkpoint_at(path!(name), name);
            }
            created.and(session.release().await)
        }
        .context("Cannot Create Database")
        .await?;
        let found = find(&cx.provider, name, Some(template)).await?;
        Ok(found.context("Database Not Found")?.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let Database { name, template, alter_object_ownership, .. } = state;
        let found = find(&cx.provider, &name, template).await.context("Cannot Read Database")?;
        Ok(found.map(|it| Database { alter_object_ownership, ..it }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<DatabaseComputed> {
        let (pool, name) = (&cx.provider.pool, &plan.name);
        async {
            if let Some(owner) =
                plan.owner.as_known().filter(|it| **it != prior.owner && plan.alter_object_ownership)
            {
                let mut session = pool.begin(&prior.name).await?;
                session.grant_membership(&prior.owner).await?;
                session.grant_membership(owner).await?;
                session.execute(sql!("REASSIGN OWNED BY {} TO {}", &prior.owner, owner)).await?;
                session.commit().await?;
            }
            pool.close_idle(&prior.name);
            let mut session = pool.begin(&cx.provider.database).await?;
            // A previous update may have renamed the database and then failed.
            if prior.name != *name && session.exists(READ, &[&prior.name.as_str()]).await? {
                session.grant_membership_in_owner(OWNER, prior.name.as_str()).await?;
                session.execute(sql!("ALTER DATABASE {} RENAME TO {}", &prior.name, name)).await?;
            }
            session.grant_membership_in_owner(OWNER, name.as_str()).await?;
            if let Some(owner) = plan.owner.as_known() {
                session.grant_membership(owner).await?;
                session.execute(sql!("ALTER DATABASE {} OWNER TO {}", name, owner)).await?;
            }
            let (limit, connections, template) =
                (plan.connection_limit, plan.allow_connections, plan.is_template);
            let options = "ALTER DATABASE {} CONNECTION LIMIT {} ALLOW_CONNECTIONS {} IS_TEMPLATE {}";
            session
                .execute(Sql::new(options, &[name.into(), limit.into(), connections.into(), template.into()]))
                .await?;
            session.commit().await?;
            match plan.tablespace_name.as_known().filter(|it| **it != prior.tablespace_name) {
                Some(tablespace) => {
                    // PostgreSQL does not allow this statement in a transaction.
                    let mut session = pool.connect(&cx.provider.database).await?;
                    session.grant_membership_in_owner(OWNER, name.as_str()).await?;
                    let alter = sql!("ALTER DATABASE {} SET TABLESPACE {}", name, tablespace);
                    session.execute(alter).await.and(session.release().await)
                }
                None => Ok(()),
            }
        }
        .context("Cannot Update Database")
        .await?;
        let found = find(&cx.provider, name, plan.template.as_known().cloned().flatten()).await?;
        Ok(found.context("Database Not Found")?.into())
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        let pool = &cx.provider.pool;
        async {
            let mut session = pool.connect(&cx.provider.database).await?;
            let Some(found) = session.row(READ, &[&state.name.as_str()]).await? else { return Ok(()) };
            session.grant_membership_in_owner(OWNER, state.name.as_str()).await?;
            pool.close_idle(&state.name);
            let dropped = async {
                if found.get(8) {
                    session.execute(sql!("ALTER DATABASE {} IS_TEMPLATE false", &state.name)).await?;
                }
                session.execute(sql!("DROP DATABASE IF EXISTS {} WITH (FORCE)", &state.name)).await
            }
            .await;
            dropped.and(session.release().await)
        }
        .context("Cannot Drop Database")
        .await
    }
}

/// Lists the databases, except templates.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Databases {}

impl ListResource for Databases {
    type Resource = Database;

    async fn list(cx: &ListCx<Self>, _: Args<Self>) -> Result<()> {
        let session = cx.provider.pool.connect(&cx.provider.database).await?;
        for row in session.rows(READ, &[&None::<&str>]).await.context("Cannot List Databases")? {
            let database = database(&row, None, false);
            let name = database.name.to_string();
            cx.send(cx.listed(database, name)?).await?;
        }
        Ok(())
    }
}
