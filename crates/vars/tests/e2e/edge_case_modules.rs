//! Edge cases of modules and values, with the same result in Terraform 1.11 to 1.15 and OpenTofu 1.6.

use ferroform_vars::Setting;

use crate::fixed_cases::case;
use crate::{Case, run};

/// Parses the modules. A line `### name` starts a module; `-var name=value` is an option, `TF_VAR_name=value` an
/// environment variable, and every other line is part of a file.
fn cases() -> Vec<Case> {
    let modules = include_str!("edge_case_modules.txt");
    let modules = modules.split("### ").skip(1).map(|it| it.split_once('\n').unwrap());
    let parse = |(name, lines): (&str, &str)| {
        let is_input = |line: &str| line.starts_with("-var ") || line.starts_with("TF_VAR_");
        let (inputs, files): (Vec<&str>, Vec<&str>) =
            lines.split_inclusive('\n').partition(|it| is_input(it));
        let mut case = case(&format!("edge-{name}"), &files.concat());
        for input in inputs {
            let (key, value) = input.trim_end_matches('\n').split_once('=').unwrap();
            match key.strip_prefix("-var ") {
                Some(name) => {
                    case.options.push(Setting::Value { name: name.to_owned(), value: value.to_owned() });
                }
                None => case.environment.push((key.to_owned(), value.to_owned())),
            }
        }
        case
    };
    modules.map(parse).collect()
}

#[test]
fn edge_case_modules_match_terraform() {
    run(&cases());
}
