//! The same life in `ferroform-testing`'s own core, where there is neither `terraform` nor `tofu`.

use std::fs;
use std::time::Instant;

use ferroform_testing::{Action, Harness, config};
use terraform_provider_local::Local;

use super::show::{BOLD, Show};
use super::{Result, expect};

pub(super) fn run(show: &Show) -> Result {
    let title =
        "A provider in Rust, under Ferroform's test harness: there is neither terraform nor tofu on the PATH";
    println!("\n{}\n", show.paint(BOLD, title));
    let folder = std::env::temp_dir().join(format!("ferroform-demo-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let done = steps(show, &folder.join("greeting.txt"));
    fs::remove_dir_all(&folder)?;
    done
}

fn steps(show: &Show, file: &std::path::Path) -> Result {
    let start = Instant::now();
    let filename = file.display().to_string();
    let harness = Harness::start::<Local>(config! {});
    let mut greeting = harness.resource("local_file");

    show.command("plan: local_file with filename and content");
    let plan = greeting.plan(config! { filename = filename.as_str(), content = "Hello from Rust" });
    plan.to_string().lines().for_each(|it| show.line(it));
    expect(plan.action == Action::Create, "the plan makes the file")?;
    expect(!file.exists(), "a plan makes nothing")?;
    show.done("planned: defaults filled in, checksums unknown; nothing made yet");

    show.command("apply, and plan again");
    greeting.apply(config! { filename = filename.as_str(), content = "Hello from Rust" });
    expect(fs::read_to_string(file)? == "Hello from Rust", "the file has its content")?;
    show.done("the file is there; planned again: nothing to do");

    show.command("echo 'Somebody was here' > greeting.txt");
    fs::write(file, "Somebody was here\n")?;
    greeting.refresh();
    expect(!greeting.exists(), "the change outside is noticed")?;
    greeting.apply(config! { filename = filename.as_str(), content = "Hello from Rust" });
    expect(fs::read_to_string(file)? == "Hello from Rust", "the file is repaired")?;
    show.done("a change made behind its back: noticed, and put right");

    show.command("plan and apply: another content");
    let plan = greeting.plan(config! { filename = filename.as_str(), content = "Hello again" });
    plan.to_string().lines().for_each(|it| show.line(it));
    expect(plan.action == Action::Replace, "the content replaces")?;
    greeting.apply(config! { filename = filename.as_str(), content = "Hello again" });
    expect(fs::read_to_string(file)? == "Hello again", "the file has its new content")?;
    show.done("another content is another file: replaced");

    show.command("destroy");
    greeting.destroy();
    expect(!file.exists(), "the file is gone")?;
    show.done("everything is gone");

    let took = format!("All of it checked, in {:.0} ms.", start.elapsed().as_secs_f32() * 1000.0);
    println!("{}\n", show.paint(BOLD, &took));
    Ok(())
}
