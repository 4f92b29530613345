//! The arguments of a plan in process.

use super::{Error, Result};
use crate::terraform::PlanOptions;

impl PlanOptions {
    /// Reads the arguments of `terraform plan` that the simulation supports.
    pub(super) fn from_arguments(arguments: &[&str]) -> Result<PlanOptions> {
        let mut options = PlanOptions::default();
        for argument in arguments {
            match argument.split_once('=').unwrap_or((argument, "")) {
                ("-destroy", "") => options.destroy = true,
                ("-refresh", "false") => options.refresh = false,
                ("-refresh-only", "") => options.refresh_only = true,
                ("-allow-deferral", "") => options.allow_deferral = true,
                ("-target", address) if !address.is_empty() => options.targets.push(address.to_owned()),
                ("-replace", address) if !address.is_empty() => options.replace.push(address.to_owned()),
                ("-generate-config-out", file) if !file.is_empty() => options.generate_config = true,
                _ => {
                    return Err(Error::new(format!(
                        "the simulation of Terraform does not support {argument}"
                    )));
                }
            }
        }
        Ok(options)
    }
}

/// Returns the file of `-generate-config-out`.
pub(super) fn generated_file<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    arguments.iter().find_map(|it| it.strip_prefix("-generate-config-out="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let read = PlanOptions::from_arguments;
        let options = read(&["-destroy", "-target=a.b[\"x=y\"]", "-refresh=false", "-replace=c.d"]).unwrap();
        let expected = PlanOptions {
            destroy: true,
            refresh: false,
            targets: vec!["a.b[\"x=y\"]".into()],
            replace: vec!["c.d".into()],
            ..PlanOptions::default()
        };
        assert_eq!(options, expected);
        for unsupported in ["-parallelism=1", "-target=", "-refresh=maybe", "-destroy=true"] {
            let error = read(&[unsupported]).unwrap_err().to_string();
            assert_eq!(error, format!("the simulation of Terraform does not support {unsupported}"));
        }
    }
}
