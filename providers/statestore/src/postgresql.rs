//! PostgreSQL: a server, which clients on several machines can use at the same time.

use std::time::Duration;

use ferroform::state_store::LockInfo;
use ferroform::{Context as _, Diagnostic, Result};
use postgres::config::SslMode;
use postgres::{Client, Config, NoTls, Transaction};

use crate::database::{self, Database};
use crate::revision::Revision;

const FAILED: &str = "PostgreSQL Error";
/// Environment variables for the user name, in order of precedence: `PGUSER`, as in libpq, then the login name on Unix and
/// Windows.
const USER_VARIABLES: [&str; 4] = ["PGUSER", "USER", "LOGNAME", "USERNAME"];

/// Only one transaction at a time can have this lock, and readers do not wait for it. A client that was suspended within its
/// transaction delays the others by 15 seconds, as with SQLite. The lock also excludes the simultaneous
/// creation of the tables, which `IF NOT EXISTS` does not.
const EXCLUDE_WRITES: &str =
    "SET LOCAL lock_timeout = '15s'; SELECT pg_advisory_xact_lock(7021842600453270529)";
/// How long to wait for a connection, unless the URL sets `connect_timeout`.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// A PostgreSQL database.
pub(crate) struct Postgresql {
    config: Config,
}

impl Postgresql {
    /// The database at a URL, such as `postgresql://user@localhost/states`.
    ///
    /// # Errors
    ///
    /// If the URL is not valid, if it requires TLS, or if neither the URL nor the environment contains the name of a user.
    pub(crate) fn new(url: &str) -> Result<Postgresql> {
        Postgresql::with_environment(url, |name| std::env::var(name).ok())
    }

    fn with_environment(url: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Postgresql> {
        // The message of the parser can contain a part of the URL, with the password.
        let Ok(mut config) = url.parse::<Config>() else {
            let detail = "A URL such as postgresql://terraform@localhost/states is required.";
            return Err(Diagnostic::error("Invalid PostgreSQL URL").detail(detail).into());
        };
        if config.get_ssl_mode() == SslMode::Require {
            let detail = "This provider connects without TLS, but the URL contains sslmode=require. Use a socket, a local \
                          port, or a tunnel, and remove sslmode from the URL.";
            return Err(Diagnostic::error("TLS Not Supported").detail(detail).into());
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_user().is_none() {
            let user = USER_VARIABLES.into_iter().filter_map(variable).find(|it| !it.is_empty());
            let detail = "The URL contains no user name, and none of the environment variables PGUSER, USER, LOGNAME and USERNAME \
                          is set. Add the user to the URL, such as postgresql://terraform@localhost/states.";
            config.user(&user.ok_or_else(|| Diagnostic::error("Missing PostgreSQL User").detail(detail))?);
        }
        Ok(Postgresql { config })
    }

    fn connect(&self) -> Result<Client> {
        self.config.connect(NoTls).context("Cannot Connect to PostgreSQL")
    }

    /// Runs a transaction that excludes all other writes of states. An error rolls it back.
    fn exclusively(&self, act: impl FnOnce(&mut Transaction<'_>) -> Result<()>) -> Result<()> {
        let mut client = self.connect()?;
        let mut transaction = client.transaction().context(FAILED)?;
        transaction.batch_execute(EXCLUDE_WRITES).context(FAILED)?;
        act(&mut transaction)?;
        transaction.commit().context(FAILED)
    }
}

/// The revision of the stored state; `None` if there is none.
fn stored_revision(transaction: &mut Transaction<'_>, state_id: &str) -> Result<Option<Revision>> {
    let row = transaction.query_opt(database::READ_REVISION, &[&state_id]).context(FAILED)?;
    Ok(row.map(|it| Revision { serial: it.get(0), lineage: it.get(1), digest: it.get(2) }))
}

impl Database for Postgresql {
    fn create_tables(&self) -> Result<()> {
        self.exclusively(|it| it.batch_execute(database::CREATE_TABLES).context(FAILED))
    }

    fn read(&self, state_id: &str) -> Result<Option<Vec<u8>>> {
        let row = self.connect()?.query_opt(database::READ, &[&state_id]).context(FAILED)?;
        Ok(row.map(|it| it.get(0)))
    }

    fn write(
        &self,
        state_id: &str,
        revision: &Revision,
        state: &[u8],
        check: &dyn Fn(Option<&Revision>) -> Result<()>,
    ) -> Result<()> {
        self.exclusively(|transaction| {
            check(stored_revision(transaction, state_id)?.as_ref())?;
            let Revision { serial, lineage, digest } = revision;
            transaction
                .execute(database::WRITE, &[&state_id, serial, lineage, digest, &state])
                .context(FAILED)?;
            Ok(())
        })
    }

    fn states(&self) -> Result<Vec<String>> {
        let rows = self.connect()?.query(database::LIST, &[]).context(FAILED)?;
        Ok(rows.iter().map(|it| it.get(0)).collect())
    }

    fn delete(&self, state_id: &str, check: &dyn Fn(Option<&Revision>) -> Result<()>) -> Result<()> {
        self.exclusively(|transaction| {
            check(stored_revision(transaction, state_id)?.as_ref())?;
            transaction.execute(database::DELETE, &[&state_id]).context(FAILED)?;
            Ok(())
        })
    }

    fn lock(&self, state_id: &str, lock_id: &str, info: &str) -> Result<bool> {
        let inserted =
            self.connect()?.execute(database::LOCK, &[&state_id, &lock_id, &info]).context(FAILED)?;
        Ok(inserted > 0)
    }

    fn holder(&self, state_id: &str) -> Result<Option<LockInfo>> {
        let row = self.connect()?.query_opt(database::HOLDER, &[&state_id]).context(FAILED)?;
        row.map(|it| LockInfo::from_json(it.get::<_, String>(0).as_bytes())).transpose()
    }

    fn unlock(&self, state_id: &str, lock_id: &str) -> Result<bool> {
        let removed = self.connect()?.execute(database::UNLOCK, &[&state_id, &lock_id]).context(FAILED)?;
        Ok(removed > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_of_url_precedes_environment() {
        for (url, variables, expected) in [
            ("postgresql://a@h/d", &[("PGUSER", "b")][..], Ok("a")),
            ("postgresql:///d?user=a", &[], Ok("a")),
            ("postgresql://h/d", &[("USER", "c"), ("PGUSER", "b")], Ok("b")),
            ("postgresql://h/d", &[("USERNAME", "c"), ("USER", "")], Ok("c")),
            ("postgresql://h/d", &[], Err("Missing PostgreSQL User")),
            ("https://a:b@h/d?c=e", &[], Err("Invalid PostgreSQL URL")),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned())
            };
            let database = Postgresql::with_environment(url, variable);
            match (database, expected) {
                (Ok(database), Ok(user)) => assert_eq!(database.config.get_user(), Some(user), "{url}"),
                (Err(error), Err(summary)) => assert!(format!("{error:?}").contains(summary), "{error:?}"),
                (database, _) => panic!("{url}: {:?}", database.map(|_| ())),
            }
        }
    }
}
