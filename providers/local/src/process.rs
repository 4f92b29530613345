//! Finds and runs executables.
//!
//! If the future of [`Process::run`] is dropped, the process is killed together with the processes that it has started.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::{env, fmt, fs, io};

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// An executable with its arguments and its environment.
pub(crate) struct Process {
    /// The path of the executable, as [`find`] returns it.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The standard input; nothing by default.
    pub(crate) stdin: Option<String>,
    /// By default, the working directory of Terraform.
    pub(crate) working_directory: Option<String>,
    /// The variables in addition to those of Terraform.
    pub(crate) environment: BTreeMap<String, String>,
}

/// The command line, separated by spaces.
impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|it| write!(f, " {it}"))
    }
}

/// The result of a process that has ended.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Finished {
    /// The exit code; -1 if a signal has ended the process.
    pub(crate) fn exit_code(&self) -> i64 {
        self.status.code().map_or(-1, i64::from)
    }

    /// `exit status 1`, or the signal that has ended the process.
    pub(crate) fn state(&self) -> String {
        match self.status.code() {
            Some(code) => format!("exit status {code}"),
            None => self.status.to_string(),
        }
    }
}

impl Process {
    /// Runs the process to its end.
    ///
    /// # Errors
    ///
    /// The reason why the process cannot be started.
    pub(crate) async fn run(&self) -> Result<Finished, String> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(&self.environment).kill_on_drop(true);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        if let Some(directory) = self.working_directory.as_deref().filter(|it| !it.is_empty()) {
            // The operating system does not report whether the directory or the executable is missing.
            fs::read_dir(directory).map_err(|error| format!("chdir {directory}: {error}"))?;
            command.current_dir(directory);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child =
            command.spawn().map_err(|error| format!("exec {}: {error}", self.program.display()))?;
        #[cfg(unix)]
        let group = group::KillOnDrop::new(child.id());
        let stdin = child.stdin.take();
        let writing = async {
            match stdin.zip(self.stdin.as_ref()) {
                Some((mut stdin, content)) => stdin.write_all(content.as_bytes()).await,
                None => Ok(()),
            }
        };
        let (written, output) = tokio::join!(writing, child.wait_with_output());
        #[cfg(unix)]
        group.release();
        let output = output.map_err(|error| error.to_string())?;
        match written {
            // A process does not have to read its input.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("write stdin: {error}")),
            _ => Ok(Finished { status: output.status, stdout: output.stdout, stderr: output.stderr }),
        }
    }
}

/// Finds an executable: a path, or a name in one of the directories of `PATH`.
///
/// # Errors
///
/// The reason why there is no such executable.
pub(crate) fn find(command: &str) -> Result<PathBuf, String> {
    let error = |reason: Cow<'_, str>| format!("exec: {command:?}: {reason}");
    if Path::new(command).components().count() > 1 || command.contains('/') {
        let found = executable(Path::new(command));
        return found.map_err(|it| error(it.to_string().into()));
    }
    let directories = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&directories).find_map(|it| executable(&it.join(command)).ok());
    match found.filter(|_| !command.is_empty()) {
        None => Err(error("executable file not found in $PATH".into())),
        // As in Go: a directory such as `.` in `PATH` must not select a file that somebody else has put there.
        Some(path) if path.is_relative() => {
            Err(error("cannot run executable found relative to current directory".into()))
        }
        Some(path) => Ok(path),
    }
}

/// The path of the executable file, if there is one at this path.
#[cfg(unix)]
fn executable(path: &Path) -> io::Result<PathBuf> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    if fs::metadata(path)?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS)?;
    Ok(path.to_owned())
}

/// The path of the executable file, which may omit its extension.
#[cfg(not(unix))]
fn executable(path: &Path) -> io::Result<PathBuf> {
    let extensions = env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let with_extension = |extension: &str| PathBuf::from(format!("{}{extension}", path.display()));
    let candidates = std::iter::once("").chain(extensions.split(';')).map(with_extension);
    candidates.into_iter().find(|it| it.is_file()).ok_or_else(|| io::ErrorKind::NotFound.into())
}

#[cfg(unix)]
mod group {
    use rustix::process::{Pid, Signal, kill_process_group};

    /// Kills a process group when it is dropped.
    pub(super) struct KillOnDrop(Option<Pid>);

    impl KillOnDrop {
        /// The group with the ID of its first process.
        pub(super) fn new(id: Option<u32>) -> KillOnDrop {
            let id = id.and_then(|it| i32::try_from(it).ok());
            KillOnDrop(id.and_then(Pid::from_raw))
        }

        /// The process has ended, and another one may get its ID.
        pub(super) fn release(mut self) {
            self.0 = None;
        }
    }

    impl Drop for KillOnDrop {
        fn drop(&mut self) {
            if let Some(group) = self.0 {
                // An error means that all processes of the group have ended.
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
    }
}
