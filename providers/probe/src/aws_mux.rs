//! A provider that is muxed with the AWS provider: it adds a resource and a function to those of the binary whose path is in
//! the environment variable `FERROFORM_TEST_GO_PROVIDER`.

use std::process::ExitCode;

use ferroform::{
    ApplyCx, Config, Function, Maybe, Model, Mux, Parameters, Planned, PluginCommand, Provider, ReadCx,
    Registry, RequestCx, Resource, Result,
};

fn main() -> ExitCode {
    let program = std::env::var_os("FERROFORM_TEST_GO_PROVIDER").unwrap_or_default();
    Mux::new::<Notes>().plugin(PluginCommand::new(program)).serve()
}

/// An attribute of the AWS provider.
#[derive(Model, Clone, Debug, PartialEq)]
struct NotesConfig {
    region: Option<String>,
}

struct Notes {
    region: String,
}

impl Provider for Notes {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/aws";
    type Config = NotesConfig;

    async fn configure(_: &RequestCx, config: Config<NotesConfig>) -> Result<Maybe<Self>> {
        Ok(config.region.map(|region| Notes { region: region.unwrap_or_default() }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Note>("aws_note").function::<NoteId>("note_id");
    }
}

/// A note about an object.
#[derive(Model, Clone, Debug, PartialEq)]
struct Note {
    #[attr(identity, requires_replace)]
    name: String,
    text: Option<String>,
    /// The region of the provider.
    #[attr(computed)]
    region: String,
}

impl Resource for Note {
    type Provider = Notes;

    async fn create(cx: &ApplyCx<Self>, _: Planned<Self>) -> Result<NoteComputed> {
        Ok(NoteComputed { region: cx.provider.region.clone() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<NoteComputed> {
        Ok(NoteComputed { region: cx.provider.region.clone() })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// Returns the ID of a note.
#[derive(Parameters)]
struct NoteId {
    /// The name of the note.
    name: String,
}

impl Function for NoteId {
    type Output = String;

    async fn call(self, _: &RequestCx) -> Result<String> {
        Ok(format!("note/{}", self.name))
    }
}
