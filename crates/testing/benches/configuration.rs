//! The time of a plan and an apply of configurations with 1,000 objects and references, in process.
//!
//! `cargo bench -p ferroform-testing --bench configuration`; add `--profile dev` to measure the profile of tests.

#![allow(missing_docs, reason = "a separate binary")]

use std::fmt::Write as _;
use std::time::Instant;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use ferroform_testing::provider;
use ferroform_testing::workspace::Workspace;

/// A link, which exists only in the state.
#[derive(Model, Clone, Debug, PartialEq)]
struct Link {
    /// The name.
    name: String,
    /// The ID of another link.
    next: Option<String>,
    /// The ID.
    #[attr(computed)]
    id: String,
}

impl Resource for Link {
    type Provider = Links;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<LinkComputed> {
        Ok(LinkComputed { id: format!("id-{}", plan.name) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<LinkComputed> {
        Ok(LinkComputed { id: prior.id })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

provider! { Links { resource Link = "links_link" } }

fn main() {
    // `cargo test` only checks that the benchmark compiles.
    if std::env::args().any(|it| it == "--test") {
        return;
    }
    let each = r#"
        resource "links_link" "a" {
          for_each = toset([for i in range(500) : "a${i}"])
          name     = each.key
        }
        resource "links_link" "b" {
          for_each = links_link.a
          name     = "b-${each.key}"
          next     = links_link.a[each.key].id
        }
        output "all" { value = { for key, it in links_link.b : key => it.id } }
    "#;
    run("two resources with 500 instances each", each);
    let mut chain = String::new();
    for i in 0..1000 {
        let next = if i == 0 { "null".to_owned() } else { format!("links_link.l{}.id", i - 1) };
        // Writing to a string cannot fail.
        let _ =
            writeln!(chain, "resource \"links_link\" \"l{i}\" {{\n  name = \"l{i}\"\n  next = {next}\n}}");
    }
    run("a chain of 1,000 resources", &chain);
}

fn run(name: &str, configuration: &str) {
    let workspace =
        Workspace::in_process().and_then(|it| it.attach::<Links>()).expect("the workspace is created");
    workspace.write("main.tf", configuration).expect("the file is written");
    let start = Instant::now();
    let plan = workspace.plan().expect("the plan succeeds");
    let planned = start.elapsed();
    workspace.apply_plan(&plan).expect("the apply succeeds");
    println!("{name}: plan {planned:.2?}, plan and apply {:.2?}", start.elapsed());
    let start = Instant::now();
    assert!(workspace.plan().expect("the plan succeeds").is_empty());
    println!("{name}: plan without a change {:.2?}", start.elapsed());
}
