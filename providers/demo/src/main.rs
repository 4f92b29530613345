//! `cargo demo`: a real provider creates, repairs, replaces and destroys objects, and each step is checked.

mod in_process;
mod show;

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{Json, Plan, PlannedAction, Workspace};

use self::show::{BOLD, Show};

/// The result of a step. Its error is only printed.
type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

const PACKAGE: &str = "terraform-provider-local";
const ADDRESS: &str = "registry.terraform.io/hashicorp/local";
const GREETING: &str = "local_file.greeting";
const KEY: &str = "local_sensitive_file.key";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result {
    let show = Show::new();
    let Some(cli) = Cli::find()? else {
        return in_process::run(&show);
    };
    let title = format!("A provider in Rust, under {} {}", cli.name(), cli.version()?);
    println!("\n{}\n", show.paint(BOLD, &title));

    show.command(&format!("cargo build --package {PACKAGE}"));
    let provider = build()?;
    show.done("HashiCorp's local provider, written with Ferroform");

    let start = Instant::now();
    let demo = Demo { workspace: Workspace::new(&cli)?.provider(ADDRESS, provider)?, cli: cli.name(), show };
    demo.create()?;
    demo.repair()?;
    demo.replace()?;
    demo.destroy()?;
    let summary = format!("Every step was checked, in {:.1} s.", start.elapsed().as_secs_f32());
    println!("{}\n", demo.show.paint(BOLD, &summary));
    Ok(())
}

/// Builds the provider and returns the path of its binary.
///
/// The build has no optimizations: a release build takes a minute longer, and the demo would not be faster.
fn build() -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--package", PACKAGE, "--message-format=json-render-diagnostics"]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    // The terminal shows the progress of cargo.
    let output = command.stderr(Stdio::inherit()).output()?;
    let binary = String::from_utf8_lossy(&output.stdout).lines().find_map(|line| {
        let message: Json = line.parse().ok()?;
        let is_provider = message["target"]["name"] == PACKAGE;
        message["executable"].as_str().filter(|_| is_provider).map(PathBuf::from)
    });
    binary.filter(|_| output.status.success()).ok_or_else(|| format!("cannot build {PACKAGE}").into())
}

struct Demo {
    workspace: Workspace,
    cli: String,
    show: Show,
}

impl Demo {
    fn create(&self) -> Result {
        let configuration = configuration("Hello from Rust");
        self.show.command("cat main.tf");
        configuration.lines().for_each(|it| self.show.line(it));
        println!();
        self.workspace.write("main.tf", &configuration)?;
        let plan = self.plan()?;
        expect(plan.change(GREETING)?.action == PlannedAction::Create, "the plan creates the file")?;
        let greeting = plan.change(GREETING)?;
        expect(greeting.after["file_permission"] == "0777", "the plan contains the default permissions")?;
        expect(greeting.is_unknown("content_sha256"), "the checksum is unknown")?;
        expect(!plan.text().contains("open sesame"), "the plan masks the key")?;
        expect(!self.file("greeting.txt").exists(), "the plan creates nothing")?;
        self.show.done(
            "planned with default permissions, unknown checksums and a masked key; nothing is created yet",
        );

        self.apply(&plan)?;
        expect(
            fs::read_to_string(self.file("greeting.txt"))? == "Hello from Rust",
            "the file has the configured content",
        )?;
        expect(
            self.workspace.state()?.get(KEY)?.values["content"] == "open sesame",
            "the state contains the key",
        )?;
        self.show.done("greeting.txt and key.txt exist");

        expect(self.plan()?.is_empty(), "a second plan changes nothing")?;
        self.show.done("planned again: no changes");
        Ok(())
    }

    fn repair(&self) -> Result {
        self.show.command("echo 'Somebody was here' > greeting.txt");
        fs::write(self.file("greeting.txt"), "Somebody was here\n")?;
        let plan = self.plan()?;
        expect(plan.drift().len() == 1 && !plan.is_empty(), "the plan shows the drift")?;
        self.apply(&plan)?;
        expect(fs::read_to_string(self.file("greeting.txt"))? == "Hello from Rust", "the file is repaired")?;
        self.show.done("drift is detected and repaired");
        Ok(())
    }

    fn replace(&self) -> Result {
        self.show.command("sed -i 's/from Rust/again/' main.tf");
        self.workspace.write("main.tf", &configuration("Hello again"))?;
        let plan = self.plan()?;
        let change = plan.change(GREETING)?;
        expect(
            change.action == PlannedAction::Replace && change.replace_paths == ["content"],
            "a change of the content requires replacement",
        )?;
        expect(plan.change(KEY)?.action == PlannedAction::NoOp, "the plan does not change the key")?;
        self.apply(&plan)?;
        expect(
            fs::read_to_string(self.file("greeting.txt"))? == "Hello again",
            "the file has the new content",
        )?;
        self.show.done("a change of the content replaces the file; the key is unchanged");
        Ok(())
    }

    fn destroy(&self) -> Result {
        self.show.command(&format!("{} destroy", self.cli));
        let output = self.workspace.destroy()?;
        self.show.excerpt(&output.stdout, &["Destroy complete!"]);
        expect(self.workspace.state()?.is_empty(), "the state is empty")?;
        expect(
            !self.file("greeting.txt").exists() && !self.file("key.txt").exists(),
            "the files are removed",
        )?;
        self.show.done("all objects are destroyed");
        Ok(())
    }

    fn plan(&self) -> Result<Plan> {
        self.show.command(&format!("{} plan", self.cli));
        let plan = self.workspace.plan()?;
        let words = ["  # local_", " content  ", " id  ", "forces replacement", "Plan: ", "No changes."];
        self.show.excerpt(plan.text(), &words);
        Ok(plan)
    }

    fn apply(&self, plan: &Plan) -> Result {
        self.show.command(&format!("{} apply", self.cli));
        let output = self.workspace.apply_plan(plan)?;
        self.show.excerpt(&output.stdout, &["Apply complete!"]);
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.workspace.path().join(name)
    }
}

fn configuration(greeting: &str) -> String {
    format!(
        r#"resource "local_file" "greeting" {{
  filename = "greeting.txt"
  content  = "{greeting}"
}}
resource "local_sensitive_file" "key" {{
  filename = "key.txt"
  content  = "open sesame"
}}
"#
    )
}

/// Returns an error unless the expectation is met.
fn expect(is_met: bool, expectation: &str) -> Result {
    if is_met { Ok(()) } else { Err(format!("expectation not met: {expectation}").into()) }
}
