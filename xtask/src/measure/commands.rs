//! The time of Terraform's commands for 100 objects of each provider. The first row is the time with Terraform's built-in provider.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::client::{Client, TestSet, default_program};
use crate::clients;
use crate::result::Result;

const COMMANDS: [(&str, &[&str]); 4] = [
    ("plan", &["plan"]),
    ("apply", &["apply", "-auto-approve"]),
    ("plan without changes", &["plan", "-detailed-exitcode"]),
    ("destroy", &["destroy", "-auto-approve"]),
];
/// The fastest of these runs counts, because other processes only make a run slower.
const RUNS: usize = 5;

/// Measures the commands with the default client, and with the providers in a directory.
///
/// # Errors
///
/// Returns an error if there is no client, or if one of its commands fails.
pub(super) fn run(providers: &Path) -> Result {
    let program = default_program().ok_or("Terraform or OpenTofu is missing")?;
    let client = Client::new(program, TestSet::Full)?;
    let workspace = Workspace::new(providers)?;
    let server = serve_http()?;
    let url = format!("url = \"http://{server}\"");
    let file = "filename = \"${path.module}/${count.index}\"\n  content = \"a\"";
    let objects = [
        ("`terraform_data`", "resource", "terraform_data", ""),
        ("`local_file`", "resource", "local_file", file),
        ("`random_string`", "resource", "random_string", "length = 16"),
        ("`time_static`", "resource", "time_static", ""),
        ("`tls_private_key`, Ed25519", "resource", "tls_private_key", "algorithm = \"ED25519\""),
        ("`tls_private_key`, RSA", "resource", "tls_private_key", "algorithm = \"RSA\""),
        ("`http`", "data", "http", &*url),
    ];
    println!("| 100 objects, {} | {} |", client.name, COMMANDS.map(|(name, _)| name).join(" | "));
    println!("|---|{}", "---|".repeat(COMMANDS.len()));
    for (name, mode, kind, arguments) in objects {
        let body = format!("  count = 100\n  {arguments}\n");
        fs::write(workspace.directory.join("main.tf"), format!("{mode} \"{kind}\" \"it\" {{\n{body}}}\n"))?;
        let mut fastest = [Duration::MAX; COMMANDS.len()];
        for _ in 0..RUNS {
            for (fastest, (_, arguments)) in fastest.iter_mut().zip(COMMANDS) {
                *fastest = workspace.time(&client, arguments)?.min(*fastest);
            }
        }
        let times = fastest.map(|it| format!("{:.2} s", it.as_secs_f64())).join(" | ");
        println!("| {name} | {times} |");
    }
    Ok(())
}

struct Workspace {
    directory: PathBuf,
}

impl Workspace {
    /// Creates an empty directory, with development overrides for all providers.
    fn new(providers: &Path) -> Result<Self> {
        let directory = clients::target_directory()?.join("measure");
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(&directory)?;
        let names = ["local", "random", "time", "tls", "http"];
        let overrides = names.map(|it| format!("    \"hashicorp/{it}\" = {providers:?}\n")).concat();
        let settings = format!("provider_installation {{\n  dev_overrides {{\n{overrides}  }}\n}}\n");
        fs::write(directory.join("settings.tfrc"), settings)?;
        Ok(Self { directory })
    }

    fn time(&self, client: &Client, arguments: &[&str]) -> Result<Duration> {
        let mut command = Command::new(&client.program);
        command.args(arguments).args(["-no-color", "-input=false"]).current_dir(&self.directory);
        command
            .env("TF_CLI_CONFIG_FILE", self.directory.join("settings.tfrc"))
            .env("CHECKPOINT_DISABLE", "1");
        let start = Instant::now();
        let output = command.output()?;
        let elapsed = start.elapsed();
        if output.status.success() {
            return Ok(elapsed);
        }
        let printed = [output.stdout, output.stderr].concat();
        Err(format!("{} {arguments:?} has failed:\n{}", client.name, String::from_utf8_lossy(&printed))
            .into())
    }
}

/// Serves an empty response to each request, on the loopback interface.
fn serve_http() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for connection in listener.incoming() {
            // The client reports a failed connection.
            let _ = connection.and_then(respond);
        }
    });
    Ok(address)
}

fn respond(mut connection: TcpStream) -> io::Result<()> {
    // The requests are shorter than this.
    let _ = connection.read(&mut [0; 4096])?;
    connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}
