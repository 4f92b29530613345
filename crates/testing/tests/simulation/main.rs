//! Whole configurations in process, and by the installed CLIs.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};
use ferroform_testing::provider;
use ferroform_testing::workspace::{Host, PlannedAction, Workspace};

/// A note.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{title}")]
struct Note {
    /// The title.
    #[attr(requires_replace)]
    title: String,
    /// The text.
    text: Option<String>,
    /// The size of the text.
    #[attr(computed, follows(text))]
    size: u64,
    /// The ID.
    #[attr(computed)]
    id: String,
}

/// The service.
static NOTES: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());

impl Resource for Note {
    type Provider = Notes;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
        let size = plan.text.as_ref().map_or(0, |it| it.len() as u64);
        NOTES.lock().unwrap().insert(plan.title.clone(), plan.text.clone());
        Ok(NoteComputed { size, id: format!("id-{}", plan.title) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let text = NOTES.lock().unwrap().get(&state.title).cloned();
        Ok(text.map(|text| Note {
            size: text.as_ref().map_or(0, |it| it.len() as u64),
            text,
            id: format!("id-{}", state.title),
            ..state
        }))
    }

    async fn update(cx: &ApplyCx<Self>, _prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        NOTES.lock().unwrap().remove(&state.title);
        Ok(())
    }
}

provider! { Notes { resource Note = "notes_note" } }

#[test]
fn references_are_unknown_until_apply() {
    for host in Host::all() {
        let workspace = Workspace::on(&host).unwrap().attach::<Notes>().unwrap();
        workspace
            .write(
                "main.tf",
                r#"
                variable "names" { default = ["x", "y"] }
                locals { prefix = "p-${notes_note.a.id}" }
                resource "notes_note" "a" {
                  title = "a"
                  text  = "hello"
                }
                resource "notes_note" "b" {
                  for_each = toset(var.names)
                  title    = each.key
                  text     = "${local.prefix}-${each.value}"
                }
                output "ids" { value = [for it in notes_note.b : it.id] }
                output "size" { value = notes_note.b["x"].size }
                "#,
            )
            .unwrap();
        let plan = workspace.plan().unwrap();
        assert_eq!(plan.change("notes_note.b[\"x\"]").unwrap().action, PlannedAction::Create);
        assert!(plan.change("notes_note.b[\"x\"]").unwrap().is_unknown("text"));
        workspace.apply().unwrap();
        assert!(workspace.plan().unwrap().is_empty(), "{}", workspace.plan().unwrap());
        assert_eq!(workspace.output("ids").unwrap(), serde_json::json!(["id-x", "id-y"]));
        assert_eq!(workspace.output("size").unwrap(), 8);
        workspace.destroy().unwrap();
        assert!(workspace.state().unwrap().is_empty());
    }
}
