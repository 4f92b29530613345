//! The life of files: create, update, import, destroy.

use std::fs;

use ferroform_testing::cli::PlannedAction;
use serde_json::json;

use crate::{Outcome, workspace};

#[test]
fn a_file_lives() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let file = |name: &str| space.path().join(name);
    let configure = |name: &str, content: &str| {
        space.write(
            "main.tf",
            &format!(
                "resource \"local_file\" \"a\" {{\n  filename = \"{name}\"\n  content = \"{content}\"\n}}\n"
            ),
        )
    };

    configure("new/folder/a.txt", "hello")?;
    let plan = space.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(change.action, PlannedAction::Create);
    assert!(change.is_unknown("id") && change.is_unknown("content_sha256"));
    assert_eq!(change.after["file_permission"], "0777", "the default is planned");
    assert!(!file("new").exists(), "a plan makes nothing");
    space.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(file("new/folder/a.txt"))?, "hello");
    let state = space.state()?;
    let values = &state.get("local_file.a")?.values;
    assert_eq!(values["id"], "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "the id is the content's SHA1");
    assert_eq!(values["content_md5"], "5d41402abc4b2a76b9719d911017c592");
    assert!(space.plan()?.is_empty(), "a second plan changes nothing");

    configure("new/folder/a.txt", "other")?;
    let plan = space.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["content".to_owned()][..])
    );
    assert!(plan.text().contains("# forces replacement"), "{}", plan.text());
    space.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(file("new/folder/a.txt"))?, "other");

    configure("b.txt", "other")?;
    let plan = space.plan()?;
    assert_eq!(plan.change("local_file.a")?.replace_paths, ["filename"]);
    space.apply_plan(&plan)?;
    assert!(!file("new/folder/a.txt").exists() && file("b.txt").exists());
    assert!(space.plan()?.is_empty());

    space.destroy()?;
    assert!(space.state()?.is_empty() && !file("b.txt").exists());
    Ok(())
}

#[test]
fn what_happens_outside_is_noticed() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let file = space.path().join("a.txt");
    space.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a.txt\"\n  content = \"hello\"\n}\n",
    )?;
    space.apply()?;

    fs::write(&file, "changed")?;
    let plan = space.plan()?;
    assert_eq!(
        plan.change("local_file.a")?.action,
        PlannedAction::Create,
        "a file with another content is another file"
    );
    assert_eq!(plan.drift().len(), 1);
    space.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(&file)?, "hello", "the drift is repaired");

    fs::remove_file(&file)?;
    let plan = space.plan()?;
    assert_eq!(plan.change("local_file.a")?.action, PlannedAction::Create);
    space.apply_plan(&plan)?;
    assert!(file.exists() && space.plan()?.is_empty());

    fs::remove_file(&file)?;
    space.destroy()?;
    Ok(())
}

#[test]
fn a_file_is_imported() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    space.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a.txt\"\n  content = \"hello\"\n  file_permission = \"0600\"\n}\n",
    )?;
    space.apply()?;
    let before = space.state()?.get("local_file.a")?.clone();
    space.run(&["state", "rm", "local_file.a"])?.expect_success()?;

    space.import("local_file.a", "a.txt")?;
    assert_eq!(*space.state()?.get("local_file.a")?, before, "what was imported is what was made");
    assert!(space.plan()?.is_empty());

    space.run(&["state", "rm", "local_file.a"])?.expect_success()?;
    let failed = space.run(&["import", "local_file.a", "none.txt"])?.expect_failure()?;
    assert!(
        failed.contains("There is no file at \"none.txt\". The import id of a file is its path."),
        "{failed}"
    );
    Ok(())
}

#[test]
fn what_is_not_known_before_apply_arrives() -> Outcome {
    let Some(space) = workspace()? else { return Ok(()) };
    let configure = |input: &str| {
        space.write(
            "main.tf",
            &format!(
                r#"
                resource "terraform_data" "x" {{
                  input = "{input}"
                }}
                resource "local_file" "a" {{
                  filename = "${{terraform_data.x.output}}.txt"
                  content  = "from ${{terraform_data.x.id}}"
                }}
                data "local_file" "a" {{
                  filename = local_file.a.filename
                }}
                output "read" {{
                  value = data.local_file.a.content
                }}
                "#
            ),
        )
    };

    configure("one")?;
    let plan = space.plan()?;
    let change = plan.change("local_file.a")?;
    assert!(["filename", "content", "id"].iter().all(|it| change.is_unknown(it)), "{change:?}");
    assert_eq!(plan.change("data.local_file.a")?.action, PlannedAction::Read);
    space.apply_plan(&plan)?;
    let content = fs::read_to_string(space.path().join("one.txt"))?;
    assert!(content.starts_with("from ") && content.len() > 10, "{content}");
    assert_eq!(space.output("read")?, json!(content));
    assert!(space.plan()?.is_empty());

    configure("two")?;
    let plan = space.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["filename".to_owned()][..])
    );
    space.apply_plan(&plan)?;
    assert!(!space.path().join("one.txt").exists() && space.path().join("two.txt").exists());
    assert!(space.plan()?.is_empty());
    Ok(())
}
