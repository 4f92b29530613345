//! Files, modules, variables and providers of a workspace.

use std::time::{Duration, Instant};

use ferroform_testing::Echo;
use ferroform_testing::workspace::{PlannedAction, Result, Runner, StoredObject, Workspace};
use serde_json::json;

use crate::notes::{self, Note, Notes};

#[test]
fn directories_are_copied_with_their_modules() -> Result<()> {
    for runner in Runner::all() {
        let service = format!("modules: {runner}");
        let workspace = Workspace::on(&runner)?.attach::<Notes>()?;
        workspace.copy("tests/workspace/with_module")?;
        workspace.variable("service", service.as_str())?;
        workspace.variable("notes", json!({ "a": "hello", "b": "bye" }))?;
        workspace.apply()?;
        let state = workspace.state()?;
        let note: Note = state.object("module.note[\"b\"].notes_note.this")?;
        assert_eq!(note.text, "bye");
        assert_eq!(state.output("sizes")?, &json!({ "a": 5, "b": 3 }));
        workspace.variable("notes", json!({ "a": "hello" }))?;
        workspace.apply()?;
        assert_eq!(notes::notes(&service).len(), 1);
    }
    Ok(())
}

#[test]
fn json_configurations_are_applied() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "json")?;
        let note = json!({ "resource": { "notes_note": { "a": { "title": "a", "text": "${1 + 1}" } } } });
        workspace.write("main.tf.json", &note.to_string())?;
        workspace.apply()?;
        assert_eq!(notes::notes(&service)["a"].text, "2");
    }
    Ok(())
}

#[test]
fn each_provider_block_has_its_own_provider() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "aliases")?;
        let other = format!("other {service}");
        workspace.write(
            "main.tf",
            &format!(
                r#"
                provider "notes" {{
                  alias   = "other"
                  service = "{other}"
                }}

                resource "notes_note" "a" {{
                  title = "a"
                  text  = "in the first service"
                }}

                resource "notes_note" "b" {{
                  provider = notes.other
                  title    = "b"
                  text     = "in the other service"
                }}
                "#
            ),
        )?;
        workspace.apply()?;
        let titles = |service: &str| notes::notes(service).into_keys().collect::<Vec<_>>();
        assert_eq!((titles(&service), titles(&other)), (vec!["a".into()], vec!["b".into()]));
        workspace.destroy()?;
    }
    Ok(())
}

#[test]
fn waiting_takes_no_time() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "time")?;
        workspace.write("main.tf", &notes::configuration("a", "slow", "b"))?;
        let start = Instant::now();
        workspace.apply()?;
        assert!(start.elapsed() < Duration::from_secs(60));
        assert!(workspace.clock().elapsed() >= Duration::from_secs(600));
    }
    Ok(())
}

#[test]
fn stored_states_are_planned() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "stored states")?;
        workspace.write(
            "main.tf",
            r#"
            resource "notes_note" "a" {
              for_each = toset(["a", "b.c"])
              title    = each.key
              text     = "hello"
            }
            "#,
        )?;
        workspace.apply()?;
        let state = workspace.state()?;
        let stored = |address: &str| Ok(StoredObject::new(address, 0, state.get(address)?.values.clone()));
        let objects = [stored("notes_note.a[\"a\"]")?, stored("notes_note.a[\"b.c\"]")?];
        let other = workspace.without_state()?;
        other.write_state(&objects)?;
        other.plan()?.expect_empty()?;
        drop(other);
        assert_eq!(notes::notes(&service).len(), 2, "the other workspace has not created the notes");
        let found = json!({ "title": "a", "text": "hello" });
        let other = workspace.without_state()?;
        other.write_state(&[StoredObject::new("data.notes_find.b[0]", 0, found.clone())])?;
        assert_eq!(other.state()?.get("data.notes_find.b[0]")?.values, found);
        let error = other.write_state(&[StoredObject::new("action.notes_print.a", 0, json!({}))]);
        let error = error.unwrap_err().to_string();
        assert_eq!(error, "action.notes_print.a is not the address of a managed resource or data source");
    }
    Ok(())
}

#[test]
fn imported_objects_equal_the_state() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "imports")?;
        workspace.write(
            "main.tf",
            r#"
            resource "notes_note" "a" {
              title = "a"
              text  = "hello"
              pin   = "4711"
              tags  = { a = "b" }
            }

            resource "notes_book" "b" {
              name  = "b"
              pages = 7
              shelf = "top"
            }
            "#,
        )?;
        workspace.apply()?;
        workspace.import_and_verify("notes_note.a", "a", &[])?;
        let error = workspace.import_and_verify("notes_book.b", "b", &["shelf"]).unwrap_err().to_string();
        let expected = "the import of notes_book.b with the ID \"b\" differs from the state:\n\
                        - pages: 7 in the state, but null after the import";
        assert_eq!(error, expected);
        workspace.import_and_verify("notes_book.b", "b", &["pages", "shelf"])?;

        let other = workspace.without_state()?;
        other.write("import.tf", "import {\n  to = notes_note.a\n  id = \"a\"\n}\n")?;
        let plan = other.plan_with(&["-target=notes_note.a"])?;
        let change = plan.change("notes_note.a")?;
        assert_eq!((change.action, &change.importing), (PlannedAction::NoOp, &json!({ "id": "a" })));
        other.apply_plan(&plan)?;
        assert_eq!(other.state()?.get("notes_note.a")?.values["text"], "hello");
        drop(other);
        assert_eq!(notes::notes(&service).len(), 1, "imported notes are kept");
    }
    Ok(())
}

#[test]
fn configurations_of_imported_objects_are_generated() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "generated configurations")?;
        workspace.write("main.tf", &notes::configuration("a", "a", "hello"))?;
        workspace.apply()?;
        let other = workspace.without_state()?;
        other.remove("main.tf")?;
        other.write("import.tf", "import {\n  to = notes_note.b\n  id = \"a\"\n}\n")?;
        let plan = other.plan_with(&["-generate-config-out=generated.tf"])?;
        assert_eq!(plan.change("notes_note.b")?.action, PlannedAction::NoOp);
        let generated = other.read("generated.tf")?;
        assert!(
            generated.contains("resource \"notes_note\" \"b\"") && !generated.contains("size"),
            "{generated}"
        );
        other.plan()?;
    }
    Ok(())
}

#[test]
fn unsupported_operations_are_explained() -> Result<()> {
    let workspace = Workspace::in_process()?;
    let error = workspace.run(&["fmt"]).unwrap_err().to_string();
    assert_eq!(error, "`fmt` requires a CLI, but the test runs in process");
    assert!(workspace.log().is_err());
    let error = workspace.plan_with(&["-compact-warnings"]).unwrap_err().to_string();
    assert_eq!(error, "the simulation of Terraform does not support -compact-warnings");
    let error = workspace.provider("registry.terraform.io/example/notes", "terraform-provider-notes");
    assert_eq!(
        error.unwrap_err().to_string(),
        "a provider binary requires a CLI, but the test runs in process"
    );
    Ok(())
}

#[test]
fn echo_provider_stores_its_configuration() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "echo")?;
        let workspace = workspace.attach::<Echo>()?;
        workspace.write(
            "main.tf",
            r#"
            resource "notes_note" "a" {
              title = "a"
              text  = "hello"
            }

            provider "echo" {
              data = { size = notes_note.a.size, titles = [notes_note.a.title] }
            }

            resource "echo" "values" {}
            "#,
        )?;
        // The configuration of the provider is unknown until the note exists.
        workspace.apply_plan(&workspace.plan_with(&["-target=notes_note.a"])?)?;
        workspace.apply()?;
        assert_eq!(
            workspace.state()?.get("echo.values")?.values["data"],
            json!({ "size": 5, "titles": ["a"] })
        );
        workspace.plan()?.expect_empty()?;
    }
    Ok(())
}

#[test]
fn changes_are_deferred_if_the_provider_configuration_is_unknown() -> Result<()> {
    // Released CLIs do not support `-allow-deferral`.
    let workspace = Workspace::in_process()?.attach::<Notes>()?;
    workspace.write(
        "main.tf",
        r#"
        resource "terraform_data" "service" {
          input = "deferral"
        }

        provider "notes" {
          service = terraform_data.service.output
        }

        resource "notes_note" "a" {
          title = "a"
          text  = "hello"
        }
        "#,
    )?;
    let plan = workspace.plan_with(&["-allow-deferral"])?;
    let [deferred] = plan.deferred() else { panic!("{plan}") };
    let expected = ("provider_config_unknown", "notes_note.a", PlannedAction::Create);
    assert_eq!((&*deferred.reason, &*deferred.change.address, deferred.change.action), expected);
    assert!(plan.to_string().contains("# notes_note.a was deferred\n"), "{plan}");
    workspace.apply_plan(&plan)?;
    workspace.apply()?;
    assert_eq!(notes::notes("deferral").len(), 1);
    Ok(())
}
