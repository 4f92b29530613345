//! Any input is evaluated within limits of time and stack.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

#[path = "../../value/tests/common/deadline.rs"]
mod deadline;

use std::fs;

use deadline::within_deadline;
use ferroform_vars::{Format, Request, Setting, evaluate};

const SEEDS: &[&str] = &[
    "variable \"a\" {\n  type = object({ x = optional(list(number), [1]) })\n  default = {}\n  validation {\n    condition = can(regex(\"^a[b-d]{1,2}$\", var.a.x)) && length(var.a) > 0\n    error_message = <<-EOT\n      no ${var.a}\n    EOT\n  }\n}\n",
    "a = { x = [1, \"two\"], y = <<EOT\n%{ for i in [1] }${i}%{ endfor }\nEOT\n}\n/* c */ b = true ? 1 : null # d\n",
    "{\"variable\": {\"a\": {\"type\": \"list(any)\", \"default\": [1, \"\\ud83d\\ude00\"], \"validation\": [{\"condition\": \"${var.a == []}\", \"error_message\": \"x\"}]}}}",
    "{\"a\": {\"x\": [1.5e3, null, true]}, \"//\": \"y\"}",
];

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"\"",
    b"${",
    b"%{",
    b"<<A\n",
    b"\n",
    b"=",
    b"\\",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\0",
    b"\xc3\xa9",
    b",",
    b"1e999999999",
    b"variable",
    b"\\u",
    b"-",
    b"/*",
    b"//",
    b"#",
    b"e\xcc\x81",
    b"\r\n",
    b"validation {",
    b"...",
    b"[*]",
    b"for",
    b"var.",
];

struct Rng(u64);

impl Rng {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.0 >> 33) % below as u64).unwrap()
    }
}

fn evaluate_files(files: &[(&str, &[u8])]) {
    let directory = std::env::temp_dir().join(format!(
        "ferroform-hostile-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::create_dir_all(&directory).unwrap();
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes).unwrap();
    }
    let value = String::from_utf8_lossy(files[0].1).into_owned();
    let request = Request {
        directory: directory.clone(),
        options: vec![Setting::Value { name: "a".into(), value: value.clone() }],
        environment: vec![("TF_VAR_b".into(), value.into())],
        explain: true,
        ..Request::default()
    };
    within_deadline(|| {
        let report = evaluate(&request);
        let explanations: String = report.explanations.iter().map(ToString::to_string).collect();
        let diagnostics = [Format::Text, Format::Json, Format::Sarif, Format::Github, Format::Junit]
            .map(|it| report.diagnostics_as(it));
        (report.to_text(), report.to_json(), diagnostics, explanations)
    });
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn damaged_files_are_evaluated() {
    let mut rng = Rng(1);
    for _ in 0..1500 {
        let mut broken: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
        for part in &mut broken {
            for _ in 0..rng.next(4) {
                let at = rng.next(part.len() + 1);
                let end = (at + rng.next(5)).min(part.len());
                part.splice(at..end, PIECES[rng.next(PIECES.len())].iter().copied());
            }
        }
        evaluate_files(&[
            ("a.tf", &broken[0]),
            ("terraform.tfvars", &broken[1]),
            ("b.tf.json", &broken[2]),
            ("c.auto.tfvars.json", &broken[3]),
        ]);
    }
}

#[test]
fn deep_and_long_files_are_evaluated() {
    for opening in
        ["[", "{a=", "(", "-", "\"${", "a{\n", "{\"a\":", "!", "a?", "[for a in ", "%{if ", "list("]
    {
        let deep = opening.repeat(30_000);
        for input in [deep.clone(), format!("a = {deep}"), format!("variable \"a\" {{\n type = {deep}\n}}\n")]
        {
            let input = input.as_bytes();
            evaluate_files(&[
                ("a.tf", input),
                ("terraform.tfvars", input),
                ("b.tf.json", input),
                ("b.auto.tfvars.json", input),
            ]);
        }
    }
    let many: String = (0..20_000).map(|i| format!("v{i} = {i}\n")).collect();
    evaluate_files(&[("a.tf", b"variable \"a\" { default = 1 }\n"), ("terraform.tfvars", many.as_bytes())]);
}
