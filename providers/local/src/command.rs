//! The data source, the ephemeral resource and the action `local_command`.

use std::collections::BTreeMap;

use ferroform::{
    Action, Args, Config, DataCx, DataSource, Diagnostic, Diagnostics, EphemeralResource, InvokeCx, Known,
    Model, OpenCx, Opened, PlanActionCx, RequestCx, Result, path,
};

use crate::Local;
use crate::content::text;
use crate::process::{self, Finished, Process};

/// The command line of a configuration.
struct CommandLine {
    command: String,
    arguments: Option<Vec<Option<String>>>,
    stdin: Option<String>,
    working_directory: Option<String>,
}

/// The result of a command.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Output {
    /// The exit code of the command, or -1 if a signal has ended it.
    #[attr(computed)]
    exit_code: i64,
    /// The standard output of the command, or null if it is empty. Each byte that is not part of UTF-8 text becomes
    /// U+FFFD.
    #[attr(computed)]
    stdout: Option<String>,
    /// The standard error of the command, or null if it is empty.
    #[attr(computed)]
    stderr: Option<String>,
}

/// Runs an executable on the machine that runs Terraform, and returns its output and its exit code.
///
/// The command inherits the environment variables of Terraform. It runs whenever Terraform reads the data source, also
/// during a plan, so it should not change anything. A non-zero exit code is an error, unless
/// `allow_non_zero_exit_code` is true.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CommandData {
    /// The path of an executable, or its name in one of the directories of `PATH`.
    command: String,
    /// The arguments of the command. Arguments that are `null` are omitted.
    arguments: Option<Vec<Option<String>>>,
    /// The standard input of the command.
    stdin: Option<String>,
    /// The directory in which the command runs, absolute or relative to the working directory of Terraform, which is the
    /// default.
    working_directory: Option<String>,
    /// Accepts a non-zero exit code. Defaults to `false`.
    allow_non_zero_exit_code: Option<bool>,
    #[attr(flatten)]
    output: Output,
}

impl DataSource for CommandData {
    type Provider = Local;

    async fn read(cx: &DataCx<Self>, args: Args<Self>) -> Result<CommandDataComputed> {
        let line = CommandLine {
            command: args.command,
            arguments: args.arguments,
            stdin: args.stdin,
            working_directory: args.working_directory,
        };
        let output = run(cx, "data source", line, args.allow_non_zero_exit_code).await?;
        Ok(CommandDataComputed { output: output.into() })
    }
}

/// Runs an executable on the machine that runs Terraform, and returns its output and its exit code, which Terraform does
/// not store.
///
/// The command inherits the environment variables of Terraform. It runs in each plan and in each apply that needs its
/// output. A non-zero exit code is an error, unless `allow_non_zero_exit_code` is true.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct EphemeralCommand {
    /// The path of an executable, or its name in one of the directories of `PATH`.
    command: String,
    /// The arguments of the command. Arguments that are `null` are omitted.
    arguments: Option<Vec<Option<String>>>,
    /// The standard input of the command.
    stdin: Option<String>,
    /// The directory in which the command runs, absolute or relative to the working directory of Terraform, which is the
    /// default.
    working_directory: Option<String>,
    /// Accepts a non-zero exit code. Defaults to `false`.
    allow_non_zero_exit_code: Option<bool>,
    #[attr(flatten)]
    output: Output,
}

impl EphemeralResource for EphemeralCommand {
    type Provider = Local;
    type Private = ();

    async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
        let line = CommandLine {
            command: args.command,
            arguments: args.arguments,
            stdin: args.stdin,
            working_directory: args.working_directory,
        };
        let output = run(cx, "ephemeral resource", line, args.allow_non_zero_exit_code).await?;
        Ok(Opened::new(EphemeralCommandComputed { output: output.into() }, ()))
    }
}

/// Runs an executable on the machine that runs Terraform, and shows its standard output.
///
/// The command inherits the environment variables of Terraform. A non-zero exit code is an error that contains the
/// standard error of the command.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct CommandAction {
    /// The path of an executable, or its name in one of the directories of `PATH`.
    command: String,
    /// The arguments of the command. Arguments that are `null` are omitted.
    arguments: Option<Vec<Option<String>>>,
    /// The standard input of the command.
    stdin: Option<String>,
    /// The directory in which the command runs, absolute or relative to the working directory of Terraform, which is the
    /// default.
    working_directory: Option<String>,
    /// Environment variables of the command, in addition to those of Terraform. They replace variables of the same names.
    environment: Option<BTreeMap<String, Option<String>>>,
}

impl Action for CommandAction {
    type Provider = Local;

    async fn plan(_: &PlanActionCx<Self>, config: Config<Self>) -> Result<()> {
        match config.command {
            Known(command) => {
                process::find(&command).map(drop).map_err(|it| not_found("action", &command, &it))
            }
            _ => Ok(()),
        }
    }

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        let line = CommandLine {
            command: args.command,
            arguments: args.arguments,
            stdin: args.stdin,
            working_directory: args.working_directory,
        };
        let mut process = prepare("action", line)?;
        let environment = args.environment.unwrap_or_default().into_iter();
        process.environment = environment.map(|(name, value)| (name, value.unwrap_or_default())).collect();
        let finished = finish(cx, "action", &process).await?;
        if !finished.status.success() {
            let stderr = text(&finished.stderr);
            let reason = match stderr.is_empty() {
                true => format!("Command: {process}\nError: {}", finished.state()),
                false => format!("Command: {process}\nCommand Error: {stderr}\nState: {}", finished.state()),
            };
            return Err(failed(&format!("The command of the action failed.\n\n{reason}")));
        }
        cx.progress(format!("\n\n{}\n", text(&finished.stdout))).await;
        Ok(())
    }
}

/// Runs the command of a data source or an ephemeral resource.
async fn run(
    cx: &RequestCx,
    subject: &str,
    line: CommandLine,
    allow_non_zero_exit_code: Option<bool>,
) -> Result<Output> {
    let process = prepare(subject, line)?;
    let finished = finish(cx, subject, &process).await?;
    let (stdout, stderr) = (text(&finished.stdout), text(&finished.stderr));
    if !finished.status.success() && allow_non_zero_exit_code != Some(true) {
        return Err(failed(&format!(
            "The {subject} executed the command but received a non-zero exit code. To accept it and use `exit_code` in \
             the configuration, set \"allow_non_zero_exit_code\" to true.\n\nCommand: {process}\nCommand Error: \
             {stderr}\nState: {}",
            finished.state()
        )));
    }
    let not_empty = |it: String| (!it.is_empty()).then_some(it);
    Ok(Output { exit_code: finished.exit_code(), stdout: not_empty(stdout), stderr: not_empty(stderr) })
}

/// Finds the executable.
fn prepare(subject: &str, line: CommandLine) -> Result<Process> {
    let program = process::find(&line.command).map_err(|it| not_found(subject, &line.command, &it))?;
    Ok(Process {
        program,
        arguments: line.arguments.unwrap_or_default().into_iter().flatten().collect(),
        stdin: line.stdin,
        working_directory: line.working_directory,
        environment: BTreeMap::new(),
    })
}

/// Runs the process to its end, or kills it when the request is canceled.
async fn finish(cx: &RequestCx, subject: &str, process: &Process) -> Result<Finished> {
    tracing::trace!(command = %process, "running a command");
    cx.unless_cancelled(process.run()).await?.map_err(|error| {
        let detail = format!("The {subject} cannot run the command.\n\nCommand: {process}\nState: {error}");
        failed(&detail)
    })
}

fn failed(detail: &str) -> Diagnostics {
    Diagnostic::error("Command Execution Failed").detail(detail).at(path!(command)).into()
}

/// The error about a missing executable.
fn not_found(subject: &str, command: &str, error: &str) -> Diagnostics {
    let detail = format!(
        "The {subject} cannot find the command. A name without a directory must be the name of an executable file in one \
         of the directories of the environment variable PATH. The path of a file in the module begins with path.module: \
         \"${{path.module}}/my-command\".\n\nPlatform: {}\nCommand: {command}\nError: {error}",
        std::env::consts::OS
    );
    Diagnostic::error("Command Lookup Failed").detail(detail).at(path!(command)).into()
}
