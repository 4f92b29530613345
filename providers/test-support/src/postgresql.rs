//! A PostgreSQL server that stops when the test process exits.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The client authentication rules: no password for the socket, and a password for TCP.
const PG_HBA: &str = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";

/// A server. Its superuser is `postgres`.
#[derive(Debug)]
pub struct Server {
    bin_directory: PathBuf,
    directory: PathBuf,
    /// The port on 127.0.0.1, with TLS.
    pub port: u16,
    /// The user and the group of the server, which does not run as root.
    user: Option<(u32, u32)>,
}

/// The server of this test process. Returns `None` if PostgreSQL is not installed; panics instead if `FERROFORM_E2E` is
/// `required`.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    let server = SERVER.get_or_init(|| bin_directory().map(start)).as_ref();
    if server.is_none() {
        let is_required = std::env::var("FERROFORM_E2E").is_ok_and(|it| it == "required");
        assert!(!is_required, "initdb is missing: install PostgreSQL");
        println!("skipped: PostgreSQL is not installed");
    }
    server
}

/// Returns a name that no other test uses.
pub fn unique(prefix: &str) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{prefix}_{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl Server {
    /// The directory of the socket.
    pub fn socket(&self) -> String {
        self.directory.display().to_string()
    }

    /// The path of a file next to the data, such as `root.pem`.
    pub fn file(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Runs SQL statements in a database as a superuser and returns their output, with columns separated by `|`.
    pub fn psql(&self, database: &str, statements: &str) -> String {
        let (host, port) = (self.socket(), self.port.to_string());
        let arguments = [
            "-h",
            &host,
            "-p",
            &port,
            "-U",
            "postgres",
            "-d",
            database,
            "-v",
            "ON_ERROR_STOP=1",
            "-qtAX",
            "-c",
            statements,
        ];
        self.run("psql", &arguments).trim_end().to_owned()
    }

    /// Creates an empty database and returns its name.
    pub fn database(&self) -> String {
        let name = unique("test");
        self.psql("postgres", &format!("CREATE DATABASE {name}"));
        name
    }

    /// The server log, which contains all statements.
    pub fn log(&self) -> String {
        fs::read_to_string(self.directory.join("log")).unwrap()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin_directory.join(program));
        command.current_dir(&self.directory).stdin(Stdio::null());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    /// Runs a program of the PostgreSQL installation and returns its output.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The directory that contains `initdb`, which Debian does not add to the `PATH`.
fn bin_directory() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut directories: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    directories.extend(std::env::split_paths(&path));
    directories.into_iter().find(|it| it.join("initdb").exists() && it.join("postgres").exists())
}

fn start(bin_directory: PathBuf) -> Server {
    // The path of a socket has at most about 100 bytes.
    let directory = PathBuf::from(format!("/tmp/ferroform-postgresql-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let id = |arguments: &[&str]| -> u32 {
        let output = Command::new("id").args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
    };
    let user = (id(&["-u"]) == 0).then(|| (id(&["-u", "nobody"]), id(&["-g", "nobody"])));
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Server { bin_directory, directory: directory.clone(), port, user };
    write_certificates(&server);
    fs::write(directory.join("pg_hba.conf"), PG_HBA).unwrap();
    if let Some((user, group)) = user {
        chown(&directory, Some(user), Some(group)).unwrap();
        for file in fs::read_dir(&directory).unwrap() {
            chown(file.unwrap().path(), Some(user), Some(group)).unwrap();
        }
    }
    let data = server.file("data");
    server.run(
        "initdb",
        &[
            "--pgdata",
            &data,
            "--username",
            "postgres",
            "--auth",
            "trust",
            "--no-sync",
            "--encoding",
            "UTF8",
            "--locale",
            "C",
        ],
    );
    let settings = [
        format!("hba_file={}", server.file("pg_hba.conf")),
        "listen_addresses=127.0.0.1".into(),
        format!("port={port}"),
        "fsync=off".into(),
        "max_connections=300".into(),
        "log_statement=all".into(),
        // Some tests store megabytes.
        "log_parameter_max_length=1000".into(),
        "wal_level=logical".into(),
        "ssl=on".into(),
        format!("ssl_cert_file={}", server.file("server.pem")),
        format!("ssl_key_file={}", server.file("server.key")),
    ];
    let mut command = server.command("postgres");
    command.args(["-D", &data, "-k", &server.socket()]);
    command.args(settings.iter().flat_map(|it| ["-c", it]));
    let log = fs::File::create(directory.join("log")).unwrap();
    stop_with_test_process(&server, &command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
    let start = Instant::now();
    let (host, number) = (server.socket(), port.to_string());
    let is_ready =
        || server.command("pg_isready").args(["-h", &host, "-p", &number]).output().unwrap().status.success();
    while !is_ready() {
        assert!(start.elapsed() < Duration::from_secs(30), "PostgreSQL did not start: {}", server.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    server
}

/// Writes the certificate of a CA, and a server certificate for the name `localhost`, but not for the address 127.0.0.1.
fn write_certificates(server: &Server) {
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let mut parameters = rcgen::CertificateParams::new(Vec::new()).unwrap();
    parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let root = parameters.self_signed(&authority_key).unwrap();
    let issuer = rcgen::Issuer::new(parameters, authority_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate =
        rcgen::CertificateParams::new(vec!["localhost".into()]).unwrap().signed_by(&key, &issuer).unwrap();
    let other = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    for (name, pem) in
        [("root.pem", root.pem()), ("server.pem", certificate.pem()), ("other.pem", other.cert.pem())]
    {
        fs::write(server.file(name), pem).unwrap();
    }
    fs::write(server.file("server.key"), key.serialize_pem()).unwrap();
    fs::set_permissions(server.file("server.key"), fs::Permissions::from_mode(0o600)).unwrap();
}

/// Stops the server and removes its directory when the test process exits: a shell waits until its standard input closes, which
/// happens when this process exits.
fn stop_with_test_process(server: &Server, process: &Child) {
    static WATCHER: Mutex<Option<Child>> = Mutex::new(None);
    let script = format!("cat >/dev/null; kill -INT {}; sleep 1; rm -rf '{}'", process.id(), server.socket());
    let mut watcher = Command::new("sh");
    watcher.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    *WATCHER.lock().unwrap() = Some(watcher.spawn().unwrap());
}
