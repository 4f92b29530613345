//! The start of providers.
//!
//! The measurement performs the handshake as Terraform does, with a certificate on P-521. The measured time is from the start of
//! the process to the handshake line, so it includes the time that the system needs to start any process, which is
//! the first row.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::result::Result;

const COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
/// A client certificate. Its private key is not needed, because the measurement ends with the handshake line.
const CERTIFICATE: &str = include_str!("host.pem");

/// Measures each program as many times as requested.
///
/// # Errors
///
/// Returns an error if a program prints no handshake line.
pub(super) fn run<'a>(programs: impl Iterator<Item = (&'a Path, usize)>) -> Result {
    println!(
        "| program | start to handshake line, median | 10th percentile | resident memory | binary size |"
    );
    println!("|---|---|---|---|---|");
    let nothing = repeat(200, || {
        let start = Instant::now();
        let _ = Command::new("true").status();
        Ok((start.elapsed(), 0))
    })?;
    println!("| `true`, until it exits | {} | {} | | |", ms(nothing.median), ms(nothing.tenth));
    for (program, times) in programs {
        let seen = repeat(times, || handshake(program))?;
        let name = program.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        let size = fs::metadata(program).map_or(0, |it| it.len());
        println!(
            "| `{name}` | {} | {} | {:.1} MiB | {:.1} MB |",
            ms(seen.median),
            ms(seen.tenth),
            seen.kib as f64 / 1024.0,
            size as f64 / 1e6,
        );
    }
    Ok(())
}

struct Measurement {
    median: Duration,
    tenth: Duration,
    kib: u64,
}

fn repeat(
    times: usize,
    mut once: impl FnMut() -> Result<(Duration, u64), String>,
) -> Result<Measurement, String> {
    let mut seen = (0..times).map(|_| once()).collect::<Result<Vec<_>, _>>()?;
    seen.sort();
    Ok(Measurement { median: seen[times / 2].0, tenth: seen[times / 10].0, kib: seen[times / 2].1 })
}

/// Starts the provider and waits for its handshake line. Returns the time and the resident memory in KiB.
fn handshake(program: &Path) -> Result<(Duration, u64), String> {
    let start = Instant::now();
    let mut child = Command::new(program)
        .env_clear()
        .envs(env::var_os("PATH").map(|it| ("PATH", it)))
        .env("TF_PLUGIN_MAGIC_COOKIE", COOKIE)
        .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
        .env("PLUGIN_CLIENT_CERT", CERTIFICATE)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = BufReader::new(stdout).read_line(&mut line);
    }
    let elapsed = start.elapsed();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let memory = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kib = memory.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    let _ = child.kill();
    let _ = child.wait();
    let mut fields = line.trim_end().split('|').skip(2);
    match (fields.next(), fields.next()) {
        // A killed process does not remove its socket.
        (Some("unix"), Some(socket)) => drop(fs::remove_file(socket)),
        (Some(_), Some(_)) => {}
        _ => return Err(format!("{} printed no handshake line, but {line:?}", program.display())),
    }
    Ok((elapsed, kib))
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
