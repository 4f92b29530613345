//! The steps of the demo in the in-process test kit, if neither `terraform` nor `tofu` is installed.

use std::fs;
use std::time::Instant;

use ferroform_testing::{Action, Harness, config};
use terraform_provider_local::Local;

use crate::show::{BOLD, Show};
use crate::{Result, expect};

pub(crate) fn run(show: &Show) -> Result {
    let title = "A provider in Rust, in the in-process test kit: neither terraform nor tofu is on the PATH";
    println!("\n{}\n", show.paint(BOLD, title));
    let directory = std::env::temp_dir().join(format!("ferroform-demo-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let result = steps(show, &directory.join("greeting.txt"));
    fs::remove_dir_all(&directory)?;
    result
}

fn steps(show: &Show, file: &std::path::Path) -> Result {
    let start = Instant::now();
    let filename = file.display().to_string();
    let harness = Harness::start::<Local>(config! {});
    let mut greeting = harness.resource("local_file");

    show.command("plan: local_file with filename and content");
    let plan = greeting.plan(config! { filename = filename.as_str(), content = "Hello from Rust" });
    plan.to_string().lines().for_each(|it| show.line(it));
    expect(plan.action == Action::Create, "the plan creates the file")?;
    expect(!file.exists(), "the plan creates nothing")?;
    let text = plan.to_string();
    expect(text.contains("+ file_permission = \"0777\""), "the plan contains the default permissions")?;
    expect(text.contains("+ content_sha256 = (known after apply)"), "the checksum is unknown")?;
    show.done("planned with default permissions and unknown checksums; nothing is created yet");

    show.command("apply, and plan again");
    greeting.apply(config! { filename = filename.as_str(), content = "Hello from Rust" });
    expect(fs::read_to_string(file)? == "Hello from Rust", "the file has the configured content")?;
    show.done("the file exists; planned again: no changes");

    show.command("echo 'Somebody was here' > greeting.txt");
    fs::write(file, "Somebody was here\n")?;
    greeting.refresh();
    expect(!greeting.exists(), "the refresh detects the drift")?;
    greeting.apply(config! { filename = filename.as_str(), content = "Hello from Rust" });
    expect(fs::read_to_string(file)? == "Hello from Rust", "the file is repaired")?;
    show.done("drift is detected and repaired");

    show.command("plan and apply: another content");
    let plan = greeting.plan(config! { filename = filename.as_str(), content = "Hello again" });
    plan.to_string().lines().for_each(|it| show.line(it));
    expect(plan.action == Action::Replace, "a change of the content requires replacement")?;
    greeting.apply(config! { filename = filename.as_str(), content = "Hello again" });
    expect(fs::read_to_string(file)? == "Hello again", "the file has the new content")?;
    show.done("a change of the content replaces the file");

    show.command("destroy");
    greeting.destroy();
    expect(!file.exists(), "the file is removed")?;
    show.done("the object is destroyed");

    let summary = format!("Every step was checked, in {:.0} ms.", start.elapsed().as_secs_f32() * 1000.0);
    println!("{}\n", show.paint(BOLD, &summary));
    Ok(())
}
