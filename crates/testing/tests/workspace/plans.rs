//! The text of plans, compared with that of Terraform.

use std::path::Path;
use std::{env, fs};

use ferroform_testing::cli::Product;
use ferroform_testing::workspace::{Result, Runner};

use crate::notes;

/// The version of Terraform whose plans the file contains.
const VERSION: (u32, u32) = (1, 11);

/// A case: the configurations before and after the change, and the text of the plan.
struct Case {
    name: String,
    first: String,
    second: String,
    plan: String,
}

impl Case {
    /// Parses the text after `===`.
    fn parse(text: &str) -> Case {
        let mut sections = text.split("--- ").map(|it| it.split_once('\n').unwrap_or((it, "")));
        let mut next = || sections.next().unwrap_or_default();
        let (name, first) = next();
        let ((_, second), (_, plan)) = (next(), next());
        let trim = |it: &str| it.trim_matches('\n').to_owned();
        Case { name: name.trim().to_owned(), first: trim(first), second: trim(second), plan: trim(plan) }
    }

    fn print(&self) -> String {
        let section = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
        let (first, second, plan) = (section(&self.first), section(&self.second), section(&self.plan));
        format!("\n=== {}\n{first}--- then\n{second}--- plan\n{plan}", self.name)
    }
}

/// The part of a plan's text in which Terraform prints the changes.
fn changes(text: &str) -> String {
    const ACTIONS: &str = "Terraform will perform the following actions:\n\n";
    for (start, skipped) in [(ACTIONS, ACTIONS.len()), ("\nChanges to Outputs:", 1), ("\nNo changes. ", 1)] {
        if let Some(at) = text.find(start) {
            let changes = &text[at + skipped..];
            // The explanation of an empty plan.
            let end = if start == "\nNo changes. " { changes.find("\n\n") } else { None };
            return changes[..end.unwrap_or(changes.len())].trim_end().to_owned();
        }
    }
    text.to_owned()
}

#[test]
fn plans_are_printed_as_terraform_does() -> Result<()> {
    let path = Path::new("tests/workspace/plans.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut parts = text.split("\n=== ");
    let introduction = parts.next().unwrap_or_default();
    let mut cases: Vec<Case> = parts.map(Case::parse).collect();
    let update = env::var_os("UPDATE_EXPECT").is_some();
    for runner in Runner::all() {
        let is_terraform = runner.product() == Some(Product::Terraform) && runner.version() == Some(VERSION);
        if runner != Runner::InProcess && !is_terraform {
            // OpenTofu prints some plans as earlier versions of Terraform did.
            runner.skip("the plans are those of Terraform 1.11");
            continue;
        }
        for case in &mut cases {
            let (workspace, _) = notes::workspace(&runner, "plans")?;
            workspace.write("main.tf", &case.first)?;
            workspace.apply()?;
            workspace.write("main.tf", &case.second)?;
            let plan = workspace.plan()?;
            if is_terraform && update {
                case.plan = changes(plan.text());
            } else if is_terraform {
                assert_eq!(changes(plan.text()), case.plan, "{} on {runner}", case.name);
            }
            assert_eq!(plan.to_string().trim_end(), case.plan, "{} on {runner}", case.name);
        }
    }
    if update {
        let cases: String = cases.iter().map(Case::print).collect();
        fs::write(path, format!("{introduction}\n{}", cases.trim_start_matches('\n'))).unwrap();
    }
    Ok(())
}
