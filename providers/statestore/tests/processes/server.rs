//! The databases under test: new SQLite files, and databases of a PostgreSQL server that the tests start.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A database for one test.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    /// The path of the file.
    Sqlite(PathBuf),
    /// The URL.
    Postgresql(String),
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A new, empty database of each kind.
pub(crate) fn databases() -> Vec<Database> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let sqlite = Database::Sqlite(directory().join(format!("states-{number}.sqlite")));
    let Some(server) = server() else {
        let is_required = std::env::var("FERROFORM_E2E").is_ok_and(|it| it == "required");
        assert!(!is_required, "initdb is missing: install PostgreSQL");
        println!("PostgreSQL is not installed, so this test runs with SQLite only");
        return vec![sqlite];
    };
    let (name, host) = (format!("states_{number}"), server.directory());
    server.run("createdb", &["--host", &host, "--username", "postgres", &name]);
    vec![sqlite, Database::Postgresql(format!("postgresql:///{name}?host={host}&user=postgres"))]
}

/// The directory of this process.
fn directory() -> PathBuf {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    let create = || {
        let directory = std::env::temp_dir().join(format!("statestore-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        directory
    };
    DIRECTORY.get_or_init(create).clone()
}

/// A PostgreSQL server, which ends with this process.
struct Server {
    programs: PathBuf,
    directory: PathBuf,
    /// The user and the group of the server, which does not run as root.
    user: Option<(u32, u32)>,
}

impl Server {
    fn directory(&self) -> String {
        self.directory.display().to_string()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(&self.directory).stdin(Stdio::null());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn is_ready(&self) -> bool {
        let output = self.command("pg_isready").args(["--host", &self.directory()]).output();
        output.is_ok_and(|it| it.status.success())
    }
}

/// The server; `None` if PostgreSQL is not installed.
fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(|| programs().map(start)).as_ref()
}

/// The directory with `initdb`, which Debian does not add to the search path.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut directories: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    directories.extend(std::env::split_paths(&path));
    directories.into_iter().find(|it| it.join("initdb").exists() && it.join("postgres").exists())
}

fn start(programs: PathBuf) -> Server {
    let directory = directory().join("postgresql");
    fs::create_dir_all(&directory).unwrap();
    let id = |arguments: &[&str]| -> u32 {
        let output = Command::new("id").args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
    };
    let user = (id(&["-u"]) == 0).then(|| (id(&["-u", "nobody"]), id(&["-g", "nobody"])));
    if let Some((user, group)) = user {
        chown(&directory, Some(user), Some(group)).unwrap();
    }
    let server = Server { programs, directory: directory.clone(), user };
    let data = directory.join("data").display().to_string();
    server.run("initdb", &["--pgdata", &data, "--username", "postgres", "--auth", "trust", "--no-sync"]);
    let arguments = ["-D", &data, "-k", &server.directory(), "-c", "listen_addresses=", "-c", "fsync=off"];
    let mut command = server.command("postgres");
    end_with_this_process(
        &command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap(),
    );
    let start = Instant::now();
    while !server.is_ready() {
        assert!(start.elapsed() < Duration::from_secs(30), "PostgreSQL does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    server
}

/// Ends the server and removes the directory when this process ends: a shell waits for the end of its standard input, which
/// this process closes by ending.
fn end_with_this_process(server: &Child) {
    static WATCHER: Mutex<Option<Child>> = Mutex::new(None);
    let script =
        format!("cat >/dev/null; kill -INT {}; sleep 1; rm -rf '{}'", server.id(), directory().display());
    let mut watcher = Command::new("sh");
    watcher.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    *WATCHER.lock().unwrap() = Some(watcher.spawn().unwrap());
}
