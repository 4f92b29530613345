//! The lifecycle of `local_file`: create, replace, drift, import, destroy.

use std::fs;

use ferroform_testing::workspace::PlannedAction;
use serde_json::json;

use crate::{Outcome, workspace};

#[test]
fn file_is_created_replaced_and_destroyed() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let file = |name: &str| workspace.path().join(name);
    let configure = |name: &str, content: &str| {
        workspace.write(
            "main.tf",
            &format!(
                "resource \"local_file\" \"a\" {{\n  filename = \"{name}\"\n  content = \"{content}\"\n}}\n"
            ),
        )
    };

    configure("new/directory/a.txt", "hello")?;
    let plan = workspace.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(change.action, PlannedAction::Create);
    assert!(change.is_unknown("id") && change.is_unknown("content_sha256"));
    assert_eq!(change.after["file_permission"], "0777", "the default is planned");
    assert!(!file("new").exists(), "a plan does not create the file");
    workspace.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(file("new/directory/a.txt"))?, "hello");
    let state = workspace.state()?;
    let values = &state.get("local_file.a")?.values;
    assert_eq!(values["id"], "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "the id is the content's SHA1");
    assert_eq!(values["content_md5"], "5d41402abc4b2a76b9719d911017c592");
    assert!(workspace.plan()?.is_empty(), "a second plan changes nothing");

    configure("new/directory/a.txt", "other")?;
    let plan = workspace.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["content".to_owned()][..])
    );
    assert!(plan.text().contains("# forces replacement"), "{}", plan.text());
    workspace.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(file("new/directory/a.txt"))?, "other");

    configure("b.txt", "other")?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("local_file.a")?.replace_paths, ["filename"]);
    workspace.apply_plan(&plan)?;
    assert!(!file("new/directory/a.txt").exists() && file("b.txt").exists());
    assert!(workspace.plan()?.is_empty());

    workspace.destroy()?;
    assert!(workspace.state()?.is_empty() && !file("b.txt").exists());
    Ok(())
}

#[test]
fn drift_is_detected_and_repaired() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let file = workspace.path().join("a.txt");
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a.txt\"\n  content = \"hello\"\n}\n",
    )?;
    workspace.apply()?;

    fs::write(&file, "changed")?;
    let plan = workspace.plan()?;
    assert_eq!(
        plan.change("local_file.a")?.action,
        PlannedAction::Create,
        "a file with other content is removed from the state and recreated"
    );
    assert_eq!(plan.drift().len(), 1);
    workspace.apply_plan(&plan)?;
    assert_eq!(fs::read_to_string(&file)?, "hello", "the drift is repaired");

    fs::remove_file(&file)?;
    let plan = workspace.plan()?;
    assert_eq!(plan.change("local_file.a")?.action, PlannedAction::Create);
    workspace.apply_plan(&plan)?;
    assert!(file.exists() && workspace.plan()?.is_empty());

    fs::remove_file(&file)?;
    workspace.destroy()?;
    Ok(())
}

#[test]
fn file_is_imported_by_path() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"a.txt\"\n  content = \"hello\"\n  file_permission = \"0600\"\n}\n",
    )?;
    workspace.apply()?;
    let before = workspace.state()?.get("local_file.a")?.clone();
    workspace.run(&["state", "rm", "local_file.a"])?.expect_success()?;

    workspace.import("local_file.a", "a.txt")?;
    assert_eq!(*workspace.state()?.get("local_file.a")?, before, "the imported state equals the created one");
    assert!(workspace.plan()?.is_empty());

    workspace.run(&["state", "rm", "local_file.a"])?.expect_success()?;
    let failed = workspace.run(&["import", "local_file.a", "none.txt"])?.expect_failure()?;
    assert!(
        failed.contains("There is no file at \"none.txt\". The import ID of a file is its path."),
        "{failed}"
    );
    Ok(())
}

#[test]
fn imported_file_with_other_permissions_before_the_umask_is_not_replaced() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    for (permission, action) in
        [("", PlannedAction::NoOp), ("directory_permission = \"0700\"", PlannedAction::Update)]
    {
        workspace.write(
            "main.tf",
            &format!(
                "resource \"local_file\" \"a\" {{\n  filename = \"new/a.txt\"\n  content = \"hello\"\n  {permission}\n}}\n"
            ),
        )?;
        workspace.apply()?;
        let before = workspace.state()?.get("local_file.a")?.clone();
        workspace.run(&["state", "rm", "local_file.a"])?.expect_success()?;
        workspace.import("local_file.a", "new/a.txt")?;
        let plan = workspace.plan()?;
        assert_eq!(plan.change("local_file.a")?.action, action, "{}", plan.text());
        workspace.apply_plan(&plan)?;
        assert_eq!(*workspace.state()?.get("local_file.a")?, before);
        assert!(workspace.plan()?.is_empty());
        workspace.destroy()?;
    }
    Ok(())
}

/// The original ignores what it cannot delete, if the path no longer is a file.
#[test]
fn path_that_is_no_longer_a_file_is_deleted_as_by_the_original() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    workspace.write(
        "main.tf",
        "resource \"local_file\" \"a\" {\n  filename = \"directory/a.txt\"\n  content = \"hello\"\n}\n",
    )?;
    let directory = workspace.path().join("directory");
    let file = directory.join("a.txt");
    let destroy = || workspace.run(&["destroy", "-auto-approve", "-refresh=false"])?.expect_success();

    workspace.apply()?;
    fs::remove_file(&file)?;
    fs::create_dir(&file)?;
    let failed = workspace.run(&["destroy", "-auto-approve"])?.expect_failure()?;
    assert!(failed.contains("Cannot read the file \"directory/a.txt\""), "{failed}");
    destroy()?;
    assert!(workspace.state()?.is_empty() && !file.exists(), "an empty directory is deleted");

    workspace.apply()?;
    fs::remove_file(&file)?;
    fs::create_dir(&file)?;
    fs::write(file.join("other"), "")?;
    destroy()?;
    assert!(workspace.state()?.is_empty() && file.join("other").exists(), "its content is not deleted");
    fs::remove_dir_all(&directory)?;

    workspace.apply()?;
    fs::remove_dir_all(&directory)?;
    fs::write(&directory, "")?;
    destroy()?;
    assert!(workspace.state()?.is_empty() && directory.is_file());
    Ok(())
}

#[test]
fn unknown_values_are_known_after_apply() -> Outcome {
    let Some(workspace) = workspace()? else { return Ok(()) };
    let configure = |input: &str| {
        workspace.write(
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
    let plan = workspace.plan()?;
    let change = plan.change("local_file.a")?;
    assert!(["filename", "content", "id"].iter().all(|it| change.is_unknown(it)), "{change:?}");
    assert_eq!(plan.change("data.local_file.a")?.action, PlannedAction::Read);
    workspace.apply_plan(&plan)?;
    let content = fs::read_to_string(workspace.path().join("one.txt"))?;
    assert!(content.starts_with("from ") && content.len() > 10, "{content}");
    assert_eq!(workspace.output("read")?, json!(content));
    assert!(workspace.plan()?.is_empty());

    configure("two")?;
    let plan = workspace.plan()?;
    let change = plan.change("local_file.a")?;
    assert_eq!(
        (change.action, change.replace_paths.as_slice()),
        (PlannedAction::Replace, &["filename".to_owned()][..])
    );
    workspace.apply_plan(&plan)?;
    assert!(!workspace.path().join("one.txt").exists() && workspace.path().join("two.txt").exists());
    assert!(workspace.plan()?.is_empty());
    Ok(())
}
