//! Nested attributes on protocol 6, and their error on protocol 5.

use ferroform_testing::cli::Cli;
use ferroform_testing::workspace::{PlannedAction, Workspace};
use serde_json::json;

use crate::common::{Outcome, SIX, binary};

#[test]
fn nested_attributes_are_created_and_updated() -> Outcome {
    let Some(bench) = SIX.bench()? else { return Ok(()) };
    let space = &bench.space;
    let configure = |rest: &str| {
        bench.configure(&format!("resource \"probe_cluster\" \"c\" {{\n  name = \"c\"\n{rest}\n}}\n"))
    };

    configure(
        r#"
        owner = { name = "me" }
        disks = [{ size = 10 }, { size = 20 }]
        nodes = { a = { cores = 2 }, b = { cores = 4, password = "hidden" } }
        "#,
    )?;
    let plan = space.plan()?;
    let change = plan.change("probe_cluster.c")?;
    assert_eq!(change.after["owner"], json!({ "name": "me", "group": "users" }), "a default inside");
    assert_eq!(change.after_sensitive["nodes"]["b"]["password"], true);
    space.apply_plan(&plan)?;
    let disk = |size: i64, serial: &str| json!({ "size": size, "kind": "ssd", "serial": serial });
    assert_eq!(
        space.state()?.get("probe_cluster.c")?.values["disks"],
        json!([disk(10, "c-0"), disk(20, "c-1")])
    );
    assert!(space.plan()?.is_empty());

    configure(
        r#"
        owner = { name = "you", group = "admins" }
        disks = [{ size = 10 }, { size = 21 }]
        nodes = { b = { cores = 8 } }
        "#,
    )?;
    let plan = space.plan()?;
    let change = plan.change("probe_cluster.c")?;
    assert_eq!(change.action, PlannedAction::Update);
    assert_eq!(change.after["disks"][1], disk(21, "c-1"), "a disk that grows keeps its number");
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());

    configure(
        r#"
        disks = [{ size = 10, kind = "tape" }]
        nodes = {}
        "#,
    )?;
    let plan = space.plan()?;
    let change = plan.change("probe_cluster.c")?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["disks[0].kind".to_owned()][..])
    );
    space.apply_plan(&plan)?;
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    Ok(())
}

#[test]
fn nested_attributes_are_rejected_on_protocol_5() -> Outcome {
    let Some(cli) = Cli::for_test() else { return Ok(()) };
    let binary = binary(env!("CARGO_BIN_EXE_terraform-provider-probenested"));
    let space = Workspace::new(&cli)?.provider("registry.terraform.io/ferroform/probenested", binary)?;
    space.write("main.tf", "resource \"probenested_thing\" \"a\" {\n  name = \"one\"\n}\n")?;
    let failed = space.run(&["plan"])?.expect_failure()?;
    for name in ["owner", "disks", "nodes"] {
        let message = format!(
            "In resource probenested_cluster: \"{name}\" is a nested attribute, which protocol 5 does not support. \
             Make it a block or an attribute of an object type, or serve protocol 6 only."
        );
        assert!(failed.contains(&message), "{failed}");
    }
    Ok(())
}
