//! A replacement for HashiCorp's `local` provider: files and commands on the machine that runs Terraform.

mod binary;
mod checksums;
mod command;
mod content;
mod direxists;
mod disk;
mod file;
mod permission;
mod process;
mod provider;
mod sensitive_file;

use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};

use crate::command::{CommandAction, CommandData, EphemeralCommand};
use crate::content::{Content, SensitiveContent};
use crate::direxists::DirExists;
use crate::file::File;
pub use crate::provider::Local;
use crate::sensitive_file::SensitiveFile;

impl Provider for Local {
    const ADDRESS: &'static str = "registry.terraform.io/hashicorp/local";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        permission::umask();
        Ok(Known(Local))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<File>("local_file")
            .resource::<SensitiveFile>("local_sensitive_file")
            .data_source::<Content>("local_file")
            .data_source::<SensitiveContent>("local_sensitive_file")
            .data_source::<CommandData>("local_command")
            .ephemeral_resource::<EphemeralCommand>("local_command")
            .action::<CommandAction>("local_command")
            .function::<DirExists>("direxists");
    }
}

#[cfg(test)]
mod command_tests;
#[cfg(test)]
mod tests;
