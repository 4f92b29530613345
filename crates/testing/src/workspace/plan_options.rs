//! The arguments of a plan in process.

use super::{Error, Result};
use crate::terraform::PlanOptions;

impl PlanOptions {
    /// Reads the arguments of `terraform plan` that the simulation supports.
    pub(super) fn from_arguments(arguments: &[&str]) -> Result<PlanOptions> {
        let mut options = PlanOptions::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            // The address can be an argument of its own.
            let joined = match *argument {
                "-target" | "-replace" => format!("{argument}={}", arguments.next().unwrap_or(&"")),
                it => it.to_owned(),
            };
            let argument = joined.as_str();
            match argument.split_once('=').unwrap_or((argument, "")) {
                ("-destroy", "") => options.destroy = true,
                ("-refresh", "true" | "false") => options.refresh = argument.ends_with("true"),
                ("-refresh-only", "") => options.refresh_only = true,
                ("-allow-deferral", "") => options.allow_deferral = true,
                ("-target", address) if !address.is_empty() => options.targets.push(address.to_owned()),
                ("-replace", address) if !address.is_empty() => options.replace.push(address.to_owned()),
                // The simulation is not concurrent, and its state has no lock.
                ("-parallelism" | "-lock" | "-lock-timeout" | "-input", value) if !value.is_empty() => {}
                ("-generate-config-out", file) if !file.is_empty() => {
                    options.generate_config_out = Some(file.to_owned());
                }
                _ => {
                    return Err(Error::new(format!(
                        "the simulation of Terraform does not support {argument}"
                    )));
                }
            }
        }
        check_modes(&options)?;
        Ok(options)
    }
}

/// Returns an error if options contradict each other.
fn check_modes(options: &PlanOptions) -> Result<()> {
    let PlanOptions { destroy, refresh, refresh_only, replace, .. } = options;
    let message = match (destroy, refresh_only) {
        (true, true) => {
            "Incompatible plan mode options: -destroy and -refresh-only are mutually exclusive planning modes"
        }
        (_, true) if !refresh => {
            "Incompatible refresh options: -refresh-only cannot be combined with -refresh=false"
        }
        (true, _) | (_, true) if !replace.is_empty() => {
            "Unsupported plan mode: -replace is allowed only in normal planning mode"
        }
        _ => return Ok(()),
    };
    Err(Error::new(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let read = PlanOptions::from_arguments;
        let arguments =
            ["-target=a.b[\"x=y\"]", "-refresh=false", "-replace", "c.d", "-parallelism=1", "-lock=false"];
        let options = read(&arguments).unwrap();
        let expected = PlanOptions {
            refresh: false,
            targets: vec!["a.b[\"x=y\"]".into()],
            replace: vec!["c.d".into()],
            ..PlanOptions::default()
        };
        assert_eq!(options, expected);
        for unsupported in ["-compact-warnings", "-target=", "-refresh=maybe", "-destroy=true"] {
            let error = read(&[unsupported]).unwrap_err().to_string();
            assert_eq!(error, format!("the simulation of Terraform does not support {unsupported}"));
        }
        for [first, second] in [
            ["-destroy", "-refresh-only"],
            ["-refresh-only", "-replace=a.b"],
            ["-refresh-only", "-refresh=false"],
        ] {
            assert!(read(&[first, second]).is_err(), "{first} {second}");
        }
    }
}
