//! Connections, transactions and their lock.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferroform::{Context as _, Diagnostic, Result};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Connection, NoTls, Row, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::name::Name;
use crate::sql::{Sql, sql};

/// Each transaction that changes something first acquires this lock, which exists per database. Without it, two `GRANT`s on the
/// same object fail with "tuple concurrently updated", because PostgreSQL does not lock rows of its catalogs. Objects that
/// all databases share, such as roles, are changed in the database of the `provider` block. The lock ends with the transaction.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7021842600453270530)";

/// Connections to all databases of a server. A connection belongs to one database, so a pool for each of them would not limit
/// their total number.
pub(crate) struct Pool {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    permits: Semaphore,
    /// Connections that no session uses, the most recently used one first.
    idle: Mutex<VecDeque<(Name, Client)>>,
}

impl Pool {
    /// Creates a pool. If `tls` is `None`, connections are not encrypted.
    pub(crate) fn new(config: Config, tls: Option<rustls::ClientConfig>, max_connections: usize) -> Pool {
        let permits = Semaphore::new(max_connections);
        Pool { config, tls: tls.map(MakeRustlsConnect::new), permits, idle: Mutex::default() }
    }

    /// Drops an object, such as a `SCHEMA`, if its database and the object exist.
    pub(crate) async fn drop_object(
        &self,
        kind: &'static str,
        database: &Name,
        name: &Name,
        cascade: bool,
    ) -> Result<()> {
        let Some(session) = self.find(database).await? else { return Ok(()) };
        let session = session.begin().await?;
        let cascade = if cascade { " CASCADE" } else { "" };
        session.execute(sql!("DROP {} IF EXISTS {}{}", kind, name, cascade)).await?;
        session.commit().await
    }

    /// A session without a transaction. Returns `None` if the database does not exist.
    pub(crate) async fn find(&self, database: &Name) -> Result<Option<Session<'_>>> {
        let permit = self.permits.acquire().await.context("Connection Pool Closed")?;
        let client = match self.take_idle(database).await {
            Some(client) => client,
            None => match self.open(database).await {
                Err(error) if error.code() == Some(&SqlState::INVALID_CATALOG_NAME) => return Ok(None),
                client => client.map_err(failure).context("Cannot Connect to Database")?,
            },
        };
        let database = database.clone();
        Ok(Some(Session { pool: self, database, client: Some(client), is_reusable: true, _permit: permit }))
    }

    /// A session without a transaction. Returns an error if the database does not exist.
    pub(crate) async fn connect(&self, database: &Name) -> Result<Session<'_>> {
        let session = self.find(database).await?;
        Ok(session.ok_or_else(|| {
            let detail = format!("The database {:?} does not exist. Create it first.", database.as_str());
            Diagnostic::error("Database Not Found").detail(detail)
        })?)
    }

    /// A session with a transaction that excludes concurrent changes of the database.
    pub(crate) async fn begin(&self, database: &Name) -> Result<Session<'_>> {
        self.connect(database).await?.begin().await
    }

    /// Closes the idle connections to a database, because PostgreSQL cannot drop or copy a database with open connections.
    pub(crate) fn close_idle(&self, database: &Name) {
        self.idle().retain(|(name, _)| name != database);
    }

    async fn open(&self, database: &Name) -> Result<Client, tokio_postgres::Error> {
        let mut config = self.config.clone();
        config.dbname(database.as_str());
        match &self.tls {
            Some(tls) => config.connect(tls.clone()).await.map(|(client, connection)| {
                tokio::spawn(run(connection));
                client
            }),
            None => config.connect(NoTls).await.map(|(client, connection)| {
                tokio::spawn(run(connection));
                client
            }),
        }
    }

    /// Returns an idle connection to the database that still works. If there is none, closes the least recently used connection to
    /// another database, so that a new connection does not exceed the limit.
    async fn take_idle(&self, database: &Name) -> Option<Client> {
        loop {
            let found = self.idle().iter().position(|(name, _)| name == database);
            let Some((_, client)) = found.and_then(|index| self.idle().remove(index)) else {
                if self.idle().len() > self.permits.available_permits() {
                    self.idle().pop_back();
                }
                return None;
            };
            // The server closes the connections to a database when it is dropped.
            if client.batch_execute("").await.is_ok() {
                return Some(client);
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<(Name, Client)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Exchanges the messages of a connection until its client is dropped.
async fn run<T>(connection: Connection<Socket, T>)
where
    T: tokio_postgres::tls::TlsStream + Unpin,
{
    if let Err(error) = connection.await {
        tracing::warn!("connection to PostgreSQL lost: {error}");
    }
}

/// A connection in use. If a session is dropped within a transaction, its connection is closed, which rolls back the transaction
/// and releases the lock.
pub(crate) struct Session<'a> {
    pool: &'a Pool,
    database: Name,
    /// `None` only while it is dropped.
    client: Option<Client>,
    is_reusable: bool,
    _permit: SemaphorePermit<'a>,
}

impl Session<'_> {
    /// Begins a transaction that excludes concurrent changes of the database.
    pub(crate) async fn begin(mut self) -> Result<Self> {
        self.is_reusable = false;
        self.client()?.batch_execute(BEGIN).await.map_err(failure)?;
        Ok(self)
    }

    /// Executes one statement. PostgreSQL rejects a string with several statements.
    pub(crate) async fn execute(&self, statement: impl Into<Sql>) -> Result<()> {
        let statement = statement.into();
        self.client()?.execute(statement.as_str(), &[]).await.map_err(failure)?;
        Ok(())
    }

    pub(crate) async fn rows(
        &self,
        query: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>> {
        Ok(self.client()?.query(query, parameters).await.map_err(failure)?)
    }

    pub(crate) async fn row(
        &self,
        query: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>> {
        Ok(self.client()?.query_opt(query, parameters).await.map_err(failure)?)
    }

    /// Whether the query returns a row.
    pub(crate) async fn exists(
        &self,
        query: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<bool> {
        Ok(self.row(query, parameters).await?.is_some())
    }

    /// Commits the transaction. If the future is dropped, the next session with this connection waits for the commit.
    pub(crate) async fn commit(mut self) -> Result<()> {
        self.is_reusable = true;
        Ok(self.client()?.batch_execute("COMMIT").await.map_err(failure)?)
    }

    /// Makes the role that the provider connects as a member of another role, which `OWNER TO` and `REASSIGN OWNED` require
    /// unless it is a superuser. Returns the statement that revokes the membership, or `None` if it existed before.
    pub(crate) async fn grant_membership(&self, role: &Name) -> Result<Option<Sql>> {
        let is_member = "SELECT rolsuper OR pg_has_role(current_user, $1, 'MEMBER') FROM pg_roles WHERE rolname = current_user";
        let row = self.row(is_member, &[&role.as_str()]).await?;
        if row.is_some_and(|it| it.get(0)) {
            return Ok(None);
        }
        self.execute(Sql::new("GRANT {} TO CURRENT_USER", &[role.into()])).await?;
        Ok(Some(Sql::new("REVOKE {} FROM CURRENT_USER", &[role.into()])))
    }

    /// Executes a statement as a member of a role.
    pub(crate) async fn execute_as_member(&self, role: &Name, statement: Sql) -> Result<()> {
        let revoke_membership = self.grant_membership(role).await?;
        self.execute(statement).await?;
        match revoke_membership {
            Some(revoke_membership) => self.execute(revoke_membership).await,
            None => Ok(()),
        }
    }

    fn client(&self) -> Result<&Client> {
        self.client.as_ref().context("Connection Closed")
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client.take().filter(|it| self.is_reusable && !it.is_closed()) {
            self.pool.idle().push_front((self.database.clone(), client));
        }
    }
}

/// Converts an error. The summary is PostgreSQL's message, and callers add the operation as context. The error never contains the
/// statement, because statements can contain secrets.
fn failure(error: tokio_postgres::Error) -> Diagnostic {
    let Some(reported) = error.as_db_error() else {
        let cause = std::error::Error::source(&error).map(|it| format!(": {it}")).unwrap_or_default();
        return Diagnostic::error(format!("{error}{cause}"));
    };
    let parts = [reported.detail(), reported.hint()].into_iter().flatten();
    let detail: Vec<String> =
        parts.map(str::to_owned).chain([format!("SQLSTATE {}.", reported.code().code())]).collect();
    Diagnostic::error(reported.message()).detail(detail.join(" "))
}
