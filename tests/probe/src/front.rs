//! A provider in front of the AWS provider: it adds a resource and a function to those of the binary whose path is in the
//! environment variable `FERROFORM_TEST_GO_PROVIDER`.

use std::process::ExitCode;

use ferroform::{
    ApplyCx, Config, Cx, Function, Maybe, Model, Mux, Parameters, Planned, PluginCommand, Provider, Registry,
    RequestCx, Resource, Result,
};

fn main() -> ExitCode {
    let program = std::env::var_os("FERROFORM_TEST_GO_PROVIDER").unwrap_or_default();
    Mux::new::<Front>().plugin(PluginCommand::new(program)).serve()
}

/// An attribute of the AWS provider.
#[derive(Model, Clone, Debug, PartialEq)]
struct FrontConfig {
    region: Option<String>,
}

struct Front {
    region: String,
}

impl Provider for Front {
    const ADDRESS: &'static str = "registry.terraform.io/ferroform/aws";
    type Config = FrontConfig;

    async fn configure(_: &RequestCx, config: Config<FrontConfig>) -> Result<Maybe<Self>> {
        Ok(config.region.map(|region| Front { region: region.unwrap_or_default() }))
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
    type Provider = Front;

    async fn create(cx: &ApplyCx<Front>, _: Planned<Self>) -> Result<NoteComputed> {
        Ok(NoteComputed { region: cx.provider.region.clone() })
    }

    async fn read(_: &Cx<Front>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Front>, _: Self, _: Planned<Self>) -> Result<NoteComputed> {
        Ok(NoteComputed { region: cx.provider.region.clone() })
    }

    async fn delete(_: &ApplyCx<Front>, _: Self) -> Result<()> {
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

    async fn call(self) -> Result<String> {
        Ok(format!("note/{}", self.name))
    }
}
