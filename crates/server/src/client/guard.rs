//! Kills a child process if this process is killed.

pub(super) use self::platform::{Guard, start};

/// A guard process waits for this process to exit, then kills the child.
#[cfg(unix)]
mod platform {
    use std::io;
    use std::process::Stdio;

    use tokio::process::{Child, Command};

    /// Ends the guard when it is dropped, which must happen once the exit status of the child is known: another process can
    /// then get its ID.
    #[derive(Debug)]
    pub(in super::super) struct Guard(#[expect(dead_code, reason = "it is only dropped")] Child);

    /// The pipe has no other writer than this process, so reading ends when this process ends. A terminal and an init
    /// system send signals to all processes, which the guard has to survive.
    const SCRIPT: &str = "trap '' HUP INT TERM; read -r _; kill -KILL \"$1\"";

    /// Returns `None` if the child process has ended.
    pub(in super::super) fn start(process: &Child) -> io::Result<Option<Guard>> {
        let Some(id) = process.id() else { return Ok(None) };
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "sh"]).arg(id.to_string()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(|guard| Some(Guard(guard)))
    }
}

/// A job object kills the child when this process exits, because Windows then closes the only handle of the job object.
#[cfg(windows)]
mod platform {
    use std::io;

    use tokio::process::Child;
    use win32job::{ExtendedLimitInfo, Job};

    #[derive(Debug)]
    pub(in super::super) struct Guard(#[expect(dead_code, reason = "it is only dropped")] Job);

    /// Returns `None` if the child process has ended.
    pub(in super::super) fn start(process: &Child) -> io::Result<Option<Guard>> {
        let Some(process) = process.raw_handle() else { return Ok(None) };
        let mut limits = ExtendedLimitInfo::new();
        let job = Job::create_with_limit_info(limits.limit_kill_on_job_close()).map_err(io::Error::other)?;
        job.assign_process(process as isize).map_err(io::Error::other)?;
        Ok(Some(Guard(job)))
    }
}
