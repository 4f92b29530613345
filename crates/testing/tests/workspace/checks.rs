//! What plans and states contain.

use std::collections::BTreeSet;

use ferroform_testing::cli::{Feature, Product};
use ferroform_testing::workspace::{PlannedAction, Result, Runner};
use serde_json::{Value as Json, json};

use crate::notes::{self, Author, Find, Note, Reminder};

/// Two notes, the second of which has the size of the first one as text.
const TWO_NOTES: &str = r#"
resource "notes_note" "a" {
  title    = "a"
  text     = "hello"
  pin      = "4711-4711"
  tags     = { "x.y" = "1" }
  keywords = ["k"]
  readers  = ["me", "you"]
  author   = { name = "Ada" }
  links    = [{ url = "u" }]

  attachment {
    file     = "f"
    password = "hunter22"
  }

  reminder {
    day = "monday"
  }
}

resource "notes_note" "b" {
  title = "b"
  text  = "size ${notes_note.a.size}"
}

data "notes_find" "b" {
  title      = "b"
  depends_on = [notes_note.b]
}

output "size" {
  value = notes_note.a.size
}

output "pin" {
  value     = notes_note.a.pin
  sensitive = true
}

output "nothing" {
  value = notes_note.b.pin == null ? "null" : "set"
  sensitive = true
}
"#;

#[test]
fn planned_values_are_known_unknown_or_sensitive() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "planned values")?;
        workspace.write("main.tf", TWO_NOTES)?;
        let plan = workspace.plan()?;
        let a = plan.change("notes_note.a")?;
        assert_eq!(a.after["author"], json!({ "name": "Ada", "email": null }));
        assert_eq!(a.after["links"][0]["weight"], 1);
        for (path, is_unknown, is_sensitive) in [
            ("size", true, false),
            ("pin", false, true),
            ("attachment[0].password", false, true),
            ("attachment[0].file", false, false),
            ("tags[\"x.y\"]", false, false),
        ] {
            assert_eq!((a.is_unknown(path), a.is_sensitive(path)), (is_unknown, is_sensitive), "{path}");
        }
        assert!(plan.change("notes_note.b")?.is_unknown("text"));
        assert_eq!(plan.change("data.notes_find.b")?.action, PlannedAction::Read);
        let size = plan.output("size")?;
        assert_eq!((size.action, &size.after_unknown), (PlannedAction::Create, &json!(true)));
        let pin = plan.output("pin")?;
        assert!(pin.is_sensitive);
        assert_eq!(pin.after, "4711-4711");
        assert!(plan.output("other").is_err() && plan.deferred().is_empty());
        let error = plan.change("notes_note.c").unwrap_err().to_string();
        assert!(error.starts_with("the plan does not contain notes_note.c:"), "{error}");
        assert!(plan.clone().expect_empty().is_err());
    }
    Ok(())
}

#[test]
fn states_are_read_as_models() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "states")?;
        workspace.write("main.tf", TWO_NOTES)?;
        workspace.apply()?;
        let state = workspace.state()?;
        let a: Note = state.object("notes_note.a")?;
        assert_eq!(a.author, Some(Author { name: "Ada".into(), email: None }));
        assert_eq!(a.readers, Some(BTreeSet::from(["me".to_owned(), "you".to_owned()])));
        assert_eq!(a.reminder, BTreeSet::from([Reminder { day: "monday".into() }]));
        assert_eq!(a, notes::notes(&service)["a"]);
        let found: Find = state.object("data.notes_find.b")?;
        assert_eq!(found.text, "size 5");
        assert_eq!((state.output("size")?, workspace.output("size")?), (&json!(5), json!(5)));
        assert_eq!(workspace.output("pin")?, "4711-4711");
        assert!(workspace.output("other").is_err());
        assert_eq!(state.get("notes_note.a")?.sensitive_values["pin"], true);
        if runner.supports(Feature::ResourceIdentity) {
            assert_eq!(state.get("notes_note.a")?.identity, json!({ "title": "a" }));
        } else {
            assert_eq!(state.get("notes_note.a")?.identity, Json::Null);
        }
        let error = state.object::<Find>("notes_note.a").unwrap_err().to_string();
        assert!(error.starts_with("notes_note.a does not conform to its model"), "{error}");
        // A value of an earlier step.
        let before = a.id;
        workspace.write("main.tf", &TWO_NOTES.replace("hello", "hello!"))?;
        workspace.apply()?;
        let after: Note = workspace.state()?.object("notes_note.a")?;
        assert_eq!((after.id, after.size), (before, 6));
        workspace.plan()?.expect_empty()?;
    }
    Ok(())
}

#[test]
fn drift_is_found_by_a_refresh() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "drift")?;
        let configure = |text: &str| {
            let other = notes::configuration("b", "b", "bye");
            workspace.write("main.tf", &(notes::configuration("a", "a", text) + &other))
        };
        configure("hello")?;
        workspace.apply()?;
        notes::change(&service, |notes| {
            notes.get_mut("a").unwrap().text = "other".into();
            notes.remove("b");
        });
        let plan = workspace.plan_with(&["-refresh-only"])?;
        let drift: Vec<_> = plan.drift().iter().map(|it| (it.address.as_str(), it.action)).collect();
        let expected = [("notes_note.a", PlannedAction::Update), ("notes_note.b", PlannedAction::Delete)];
        assert_eq!(drift, expected);
        assert!(!plan.is_empty());
        let printed = plan.to_string();
        assert!(
            printed.contains("# notes_note.a has changed")
                && printed.contains("# notes_note.b has been deleted")
        );
        let is_terraform = runner.product() == Some(Product::Terraform);
        assert!(!is_terraform || plan.text().contains(&printed), "{printed}\n---\n{}", plan.text());
        assert!(workspace.plan_with(&["-refresh=false"])?.is_empty(), "nothing is read");

        let plan = workspace.plan()?;
        assert_eq!(plan.change("notes_note.a")?.action, PlannedAction::Update);
        assert_eq!(plan.change("notes_note.b")?.action, PlannedAction::Create);

        configure("other")?;
        workspace.refresh()?;
        let state = workspace.state()?;
        assert_eq!(state.get("notes_note.a")?.values["text"], "other");
        assert!(state.get("notes_note.b").is_err());
    }
    Ok(())
}

#[test]
fn objects_are_targeted_replaced_and_tainted() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, service) = notes::workspace(&runner, "options")?;
        workspace.write("main.tf", TWO_NOTES)?;
        let plan = workspace.plan_with(&["-target=notes_note.a"])?;
        assert!(plan.change("notes_note.b").is_err());
        workspace.apply_plan(&plan)?;
        assert_eq!(notes::notes(&service).len(), 1);
        workspace.apply()?;

        let plan = workspace.plan_with(&["-replace=notes_note.b"])?;
        let change = plan.change("notes_note.b")?;
        assert_eq!((change.action, change.reason.as_str()), (PlannedAction::Replace, "replace_by_request"));
        workspace.taint("notes_note.a")?;
        assert!(workspace.state()?.get("notes_note.a")?.is_tainted);
        let plan = workspace.plan()?;
        assert_eq!(plan.change("notes_note.a")?.reason, "replace_because_tainted");
        workspace.untaint("notes_note.a")?;
        workspace.plan()?.expect_empty()?;
        assert!(workspace.taint("notes_note.c").is_err());
    }
    Ok(())
}

#[test]
fn objects_are_listed() -> Result<()> {
    for runner in Runner::all_with(&[Feature::ListResources]) {
        let (workspace, _) = notes::workspace(&runner, "lists")?;
        workspace.write("main.tf", TWO_NOTES)?;
        workspace.apply()?;
        let query = |options: &str| {
            let query = format!(
                "list \"notes_note\" \"all\" {{\n  provider = notes\n  {options}\n  config {{\n    prefix = \"a\"\n  }}\n}}\n"
            );
            workspace.write("notes.tfquery.hcl", &query)?;
            workspace.query()
        };
        let found = query("")?;
        let [note] = &found[..] else { panic!("{found:?}") };
        assert_eq!((&*note.address, &*note.display_name), ("list.notes_note.all", "note a"));
        assert_eq!((&note.identity, &note.values), (&json!({ "title": "a" }), &Json::Null));
        assert_eq!(query("include_resource = true")?[0].values["text"], "hello");
    }
    Ok(())
}

#[test]
fn plan_and_state_have_the_members_of_terraform() -> Result<()> {
    for runner in Runner::all() {
        let (workspace, _) = notes::workspace(&runner, "members")?;
        workspace.write(
            "main.tf",
            r#"
                resource "notes_note" "a" {
                  count = 1
                  title = "a"
                  text  = "t"
                  lifecycle {
                    precondition {
                      condition     = count.index == 0
                      error_message = "The index."
                    }
                  }
                }

                output "size" {
                  value = notes_note.a[0].size
                  precondition {
                    condition     = notes_note.a[0].title == "a"
                    error_message = "The title."
                  }
                }

                output "known" {
                  value = [1]
                }
            "#,
        )?;
        let plan = workspace.plan()?;
        let (json, changes) = (plan.json(), &plan.json()["output_changes"]);
        let known = json!({ "sensitive": false, "type": ["tuple", ["number"]], "value": [1] });
        let planned = &json["planned_values"];
        assert_eq!(planned["outputs"], json!({ "known": known, "size": { "sensitive": false } }), "{runner}");
        assert_eq!(planned["root_module"]["resources"][0]["values"]["title"], "a");
        assert_eq!(json["prior_state"]["values"]["outputs"]["known"], known);
        assert_eq!((&changes["known"]["after_unknown"], changes["size"].get("after")), (&json!(false), None));
        let address = |at: &str| {
            let checks = json["checks"].as_array().into_iter().flatten();
            let mut found = checks.filter(|it| it["address"]["to_display"] == at);
            found.next().map(|it| (it["address"].clone(), it["instances"][0]["address"].clone()))
        };
        let resource = json!({ "kind": "resource", "mode": "managed", "name": "a", "to_display": "notes_note.a", "type": "notes_note" });
        let instance = json!({ "instance_key": 0, "to_display": "notes_note.a[0]" });
        assert_eq!(address("notes_note.a"), Some((resource, instance)));
        let output = json!({ "kind": "output_value", "name": "size", "to_display": "output.size" });
        assert_eq!(address("output.size"), Some((output, json!({ "to_display": "output.size" }))));

        workspace.apply_plan(&plan)?;
        let file: Json = workspace.read("terraform.tfstate")?.parse().unwrap();
        let results = file["check_results"].as_array().unwrap();
        let result = results.iter().find(|it| it["config_addr"] == "output.size");
        let object = json!({ "object_addr": "output.size", "status": "pass" });
        let expected = json!({ "object_kind": "output", "config_addr": "output.size", "status": "pass", "objects": [object] });
        assert_eq!(result, Some(&expected), "{runner}");
        assert_eq!(workspace.state()?.json()["checks"][1]["status"], "pass", "{runner}");
        assert_eq!(workspace.plan()?.json()["prior_state"].get("checks"), None, "{runner}");
    }
    Ok(())
}

#[test]
fn apply_warns_about_objects_that_it_forgets() -> Result<()> {
    for runner in Runner::all() {
        if runner.product() == Some(Product::OpenTofu) {
            runner.skip("OpenTofu does not warn about forgotten objects");
            continue;
        }
        let (workspace, _) = notes::workspace(&runner, "forget")?;
        workspace.write("main.tf", &notes::configuration("a", "a", "t"))?;
        workspace.apply()?;
        let removed = "removed {\n  from = notes_note.a\n  lifecycle {\n    destroy = false\n  }\n}\n";
        workspace.write("main.tf", removed)?;
        let output = workspace.apply()?;
        let summaries: BTreeSet<&str> = output.diagnostics.iter().map(|it| it.summary.as_str()).collect();
        assert_eq!(
            summaries,
            BTreeSet::from(["Some objects will no longer be managed by Terraform"]),
            "{runner}"
        );
    }
    Ok(())
}
