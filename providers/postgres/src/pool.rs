//! Connections, transactions and their lock.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferroform::{Context as _, Diagnostic, Diagnostics, Result};
use tokio::sync::{MutexGuard as AsyncMutexGuard, Semaphore, SemaphorePermit};
use tokio_postgres::config::Host;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Connection, NoTls, Row, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::name::Name;
use crate::sql::{Sql, sql};
use crate::tls;

/// Each transaction that changes something first acquires this lock, which exists per database. Without it, two `GRANT`s on the
/// same object fail with "tuple concurrently updated", because PostgreSQL does not lock rows of its catalogs. Objects that
/// all databases share, such as roles, are changed in the database of the `provider` block. The lock ends with the transaction.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7021842600453270530)";

/// The same lock for a session without a transaction. It excludes transactions, and ends with the session.
const LOCK: &str = "SELECT pg_advisory_lock(7021842600453270530)";

/// Connections to all databases of a server. A connection belongs to one database, so a pool for each of them would not limit
/// their total number.
pub(crate) struct Pool {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    permits: Semaphore,
    /// Connections that no session uses, the most recently used one first.
    idle: Mutex<VecDeque<(Name, Client)>>,
    /// Held by the session that has temporary memberships. All databases share memberships, so the lock of a database does not
    /// exclude the other sessions.
    memberships: tokio::sync::Mutex<()>,
}

impl Pool {
    /// Creates a pool. If `tls` is `None`, connections are not encrypted.
    pub(crate) fn new(config: Config, tls: Option<rustls::ClientConfig>, max_connections: usize) -> Pool {
        let permits = Semaphore::new(max_connections);
        let tls = tls.map(MakeRustlsConnect::new);
        Pool { config, tls, permits, idle: Mutex::default(), memberships: tokio::sync::Mutex::default() }
    }

    /// Drops an object, such as a `SCHEMA`, if its database and the object exist. The query `owner` returns its owner.
    pub(crate) async fn drop_object(
        &self,
        kind: &'static str,
        owner: &'static str,
        database: &Name,
        name: &Name,
        cascade: bool,
    ) -> Result<()> {
        let Some(session) = self.find(database).await? else { return Ok(()) };
        let mut session = session.begin().await?;
        session.grant_membership_in_owner(owner, name.as_str()).await?;
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
                client => client.map_err(|it| self.connection_error(database, it))?,
            },
        };
        let database = database.clone();
        let state = SessionState::Idle;
        let client = Some(client);
        Ok(Some(Session {
            pool: self,
            database,
            client,
            state,
            undo: Vec::new(),
            membership_guard: None,
            _permit: permit,
        }))
    }

    /// Converts a connection error. The message contains the address, so that the user can identify the server.
    fn connection_error(&self, database: &Name, error: tokio_postgres::Error) -> Diagnostics {
        let host = self.config.get_hosts().iter().map(|it| match it {
            Host::Tcp(host) => host.clone(),
            #[cfg(unix)]
            Host::Unix(directory) => directory.display().to_string(),
        });
        let address = host.zip(self.config.get_ports()).map(|(host, port)| format!("{host}, port {port}"));
        let address = address.collect::<Vec<_>>().join(", ");
        let server = format!("cannot connect to the database {:?} on {address}", database.as_str());
        Diagnostics::from(failure(error)).context(server)
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
            let found = {
                // Find and remove the connection under one lock, because another session can change the indexes.
                let mut idle = self.idle();
                let index = idle.iter().position(|(name, _)| name == database);
                index.and_then(|index| idle.remove(index))
            };
            let Some((_, client)) = found else {
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

/// The transaction or lock that must end before another session can use the connection.
#[derive(Clone, Copy, PartialEq)]
enum SessionState {
    Idle,
    Transaction,
    Lock,
}

/// A connection in use. If a session is dropped within a transaction or with a lock, its connection is closed, which rolls back the
/// transaction and releases the lock.
pub(crate) struct Session<'a> {
    pool: &'a Pool,
    database: Name,
    /// `None` only while it is dropped.
    client: Option<Client>,
    state: SessionState,
    /// Statements that restore the previous memberships.
    undo: Vec<Sql>,
    /// The guard of [`Pool::memberships`].
    membership_guard: Option<AsyncMutexGuard<'a, ()>>,
    _permit: SemaphorePermit<'a>,
}

impl Session<'_> {
    /// Begins a transaction that excludes concurrent changes of the database.
    pub(crate) async fn begin(mut self) -> Result<Self> {
        self.state = SessionState::Transaction;
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

    /// Ends the temporary memberships, and commits the transaction. If the future is dropped, the next session with this
    /// connection waits for the commit.
    pub(crate) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

    /// Ends the temporary memberships of a session without a transaction.
    pub(crate) async fn release(self) -> Result<()> {
        self.end("SELECT pg_advisory_unlock_all()").await
    }

    async fn end(mut self, statement: &'static str) -> Result<()> {
        self.revoke_memberships().await?;
        self.state = SessionState::Idle;
        Ok(self.client()?.batch_execute(statement).await.map_err(failure)?)
    }

    /// Grants the provider's role membership in another role until the session ends. PostgreSQL requires it for
    /// changing the objects of the other role, unless the provider connects as a superuser.
    ///
    /// If the server does not allow the membership, this is not an error: the next statement fails if it requires the membership,
    /// and PostgreSQL's message then names the object.
    pub(crate) async fn grant_membership(&mut self, role: &Name) -> Result<()> {
        if !self.lock_memberships_if_required(role).await? {
            return Ok(());
        }
        // Since version 16, a membership has options and can lack privileges. If the other role is a member of the current role,
        // PostgreSQL rejects the reverse membership.
        let membership = "
            SELECT CASE WHEN v.is_16 THEN pg_has_role($1::name, 'SET') AND pg_has_role($1, 'USAGE') ELSE pg_has_role($1, 'MEMBER') END,
                v.is_16, current_user::text, (SELECT bool_or(m.admin_option) FROM pg_auth_members m
                    WHERE pg_get_userbyid(m.roleid) = current_user AND pg_get_userbyid(m.member) = $1),
                (SELECT format(' WITH INHERIT %s, SET %s', to_jsonb(m) ->> 'inherit_option', to_jsonb(m) ->> 'set_option')
                    FROM pg_auth_members m WHERE pg_get_userbyid(m.roleid) = $1 AND pg_get_userbyid(m.member) = current_user
                    AND m.grantor = m.member)
            FROM (SELECT current_setting('server_version_num')::int >= 160000 AS is_16) v";
        let row = self.row(membership, &[&role.as_str()]).await?.context("Role Not Found")?;
        if row.get(0) {
            return Ok(());
        }
        let mut grant = Vec::new();
        let mut undo = vec![match row.get::<_, Option<String>>(4) {
            Some(options) => sql!("GRANT {} TO CURRENT_USER{}", role, Sql::returned(options)),
            None => sql!("REVOKE {} FROM CURRENT_USER", role),
        }];
        if self.state == SessionState::Transaction {
            grant.push(Sql::from("SAVEPOINT membership"));
        }
        if let Some(is_admin) = row.get::<_, Option<bool>>(3) {
            let current = Name::from(row.get::<_, String>(2));
            let option = if is_admin { " WITH ADMIN OPTION" } else { "" };
            grant.push(sql!("REVOKE {} FROM {}", &current, role));
            undo.push(sql!("GRANT {} TO {}{}", &current, role, option));
        }
        let option = if row.get(1) { " WITH INHERIT TRUE, SET TRUE" } else { "" };
        grant.push(sql!("GRANT {} TO CURRENT_USER{}", role, option));
        match self.client()?.batch_execute(Sql::join(grant, "; ").as_str()).await {
            Ok(()) => {
                undo.append(&mut self.undo);
                self.undo = undo;
            }
            Err(error) if error.code() != Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                return Err(failure(error).into());
            }
            Err(_) if self.state == SessionState::Transaction => {
                self.execute("ROLLBACK TO SAVEPOINT membership").await?;
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// [Grants membership](Session::grant_membership) in the owner of an object, if the object exists. The query `owner` returns the owner.
    pub(crate) async fn grant_membership_in_owner(&mut self, owner: &'static str, name: &str) -> Result<()> {
        match self.row(owner, &[&name]).await? {
            Some(row) => self.grant_membership(&Name::from(row.get::<_, String>(0))).await,
            None => Ok(()),
        }
    }

    /// Grants membership in the owner of the database if the provider's role cannot create objects in it.
    pub(crate) async fn grant_membership_in_database_owner(&mut self) -> Result<()> {
        let query =
            "SELECT pg_get_userbyid(datdba)::text FROM pg_database WHERE datname = current_database()";
        let row = self.row(query, &[]).await?.context("Database Not Found")?;
        let owner = Name::from(row.get::<_, String>(0));
        let can_create = "SELECT 1 WHERE has_database_privilege(current_database(), 'CREATE')";
        if self.lock_memberships_if_required(&owner).await? && !self.exists(can_create, &[]).await? {
            self.grant_membership(&owner).await?;
        }
        Ok(())
    }

    /// Returns whether changing the objects of a role can require a membership. If so, first locks the temporary memberships, so that no
    /// other session revokes a membership that this session relies on.
    async fn lock_memberships_if_required(&mut self, role: &Name) -> Result<bool> {
        let is_other =
            "SELECT 1 FROM pg_roles WHERE rolname = current_user AND NOT rolsuper AND rolname <> $1::text";
        if !self.exists(is_other, &[&role.as_str()]).await? {
            return Ok(false);
        }
        if self.membership_guard.is_none() {
            if self.state == SessionState::Idle {
                self.state = SessionState::Lock;
                self.client()?.batch_execute(LOCK).await.map_err(failure)?;
            }
            // Acquire this lock after the lock of the database, to prevent deadlocks.
            self.membership_guard = Some(self.pool.memberships.lock().await);
        }
        Ok(true)
    }

    /// Ends the temporary memberships.
    pub(crate) async fn revoke_memberships(&mut self) -> Result<()> {
        for statement in std::mem::take(&mut self.undo) {
            self.execute(statement).await?;
        }
        Ok(())
    }

    fn client(&self) -> Result<&Client> {
        self.client.as_ref().context("Connection Closed")
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if let Some(client) =
            self.client.take().filter(|it| self.state == SessionState::Idle && !it.is_closed())
        {
            self.pool.idle().push_front((self.database.clone(), client));
        }
    }
}

/// Converts an error. The summary is PostgreSQL's message, and callers add the operation as context. The error never contains the
/// statement, because statements can contain secrets.
fn failure(error: tokio_postgres::Error) -> Diagnostic {
    let Some(reported) = error.as_db_error() else {
        let cause = tls::describe(&error).map(|it| format!(": {it}")).unwrap_or_default();
        return Diagnostic::error(format!("{error}{cause}"));
    };
    let parts = [reported.detail(), reported.hint()].into_iter().flatten();
    let detail: Vec<String> =
        parts.map(str::to_owned).chain([format!("SQLSTATE {}.", reported.code().code())]).collect();
    Diagnostic::error(reported.message()).detail(detail.join(" "))
}
