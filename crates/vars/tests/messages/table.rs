//! `-table` and `-table-check`.

use std::fs;

use expect_test::expect;

use crate::{in_directory, output, run_in};

const MODULE: &str = r#"@@ main.tf
# The name of the
// environment.
variable "environment_name" {}

variable "ports" {
  description = <<-EOT
    Ports | ranges, see https://example.com/a_b or `a|b_c`,
    and my_name:

    ```
    ports = ["80|443"]
    ```
    The end.
  EOT
  type = list(object({
    number = number # not "80|443"
    open   = optional(bool, true)
  }))
  default = [{ number = "80", x = { a = [], b = {}, c = null, d = "<\"|`>" } }]
}
variable "command" {
  description = ""
  default     = "`ls | wc`"
}
variable "count_of" {
  type    = number
  default = null
}
# terraform-docs-ignore: internal
variable "internal" {}
variable "token" {
  type      = object({ a = optional(string, "hush") })
  default   = { a = "hush" }
  sensitive = true
}
@@ override.tf
variable "count_of" {
  default = 12345678901234567890.5
}
@@ variables.tf.json
{"variable": {"json": {"type": "list(string)", "default": ["a"], "description": "In JSON."}}}
"#;

#[test]
fn table_is_that_of_terraform_docs() {
    let (code, stdout, stderr) = output(MODULE, &["-table"]);
    assert_eq!((code, &*stderr), (0, ""));
    expect![[r###"
        ## Inputs

        | Name | Description | Type | Default | Required |
        | ---- | ----------- | ---- | ------- | :------: |
        | <a name="input_command"></a> [command](#input\_command) | n/a | `string` | `` "`ls \| wc`" `` | no |
        | <a name="input_count_of"></a> [count\_of](#input\_count\_of) | n/a | `number` | `12345678901234567890.5` | no |
        | <a name="input_environment_name"></a> [environment\_name](#input\_environment\_name) | The name of the environment. | `any` | n/a | yes |
        | <a name="input_json"></a> [json](#input\_json) | In JSON. | `list(string)` | <pre>[<br/>  "a"<br/>]</pre> | no |
        | <a name="input_ports"></a> [ports](#input\_ports) | Ports \| ranges, see https://example.com/a_b or `a\|b_c`,<br/>and my\_name:<pre>ports = ["80\|443"]</pre>The end. | <pre>list(object({<br/>    number = number # not "80\|443"<br/>    open   = optional(bool, true)<br/>  }))</pre> | <pre>[<br/>  {<br/>    "number": "80",<br/>    "x": {<br/>      "a": [],<br/>      "b": {},<br/>      "c": null,<br/>      "d": "<\"\|`>"<br/>    }<br/>  }<br/>]</pre> | no |
        | <a name="input_token"></a> [token](#input\_token) | n/a | `object({a = optional(string)})` | `(sensitive value)` | no |
    "###]].assert_eq(&stdout);
    let (_, stdout, _) = output("@@ main.tf\n", &["--table"]);
    assert_eq!(stdout, "## Inputs\n\nNo inputs.\n");
}

#[test]
fn invalid_module_has_no_table() {
    let (code, stdout, stderr) = output("@@ main.tf\nvariable \"a\" {\n  type = strng\n}\n", &["-table"]);
    assert_eq!((code, &*stdout), (1, ""));
    assert!(stderr.starts_with("error: Invalid type specification\n"), "{stderr}");
}

#[test]
fn table_in_a_file_is_updated() {
    in_directory("@@ main.tf\nvariable \"a\" {}\n", |request| {
        let directory = &request.working_directory;
        let (file, module) = (directory.join("README.md"), directory.join("main.tf"));
        let run = |args: &[&str]| run_in(directory, args);
        let updated = (0, String::new(), String::new());
        // The file is created, and a second run does not change it.
        assert_eq!(run(&["-table-check=README.md"]).0, 1);
        for _ in 0..2 {
            assert_eq!(run(&["-table=README.md"]), updated);
            assert!(
                fs::read_to_string(&file)
                    .unwrap()
                    .starts_with("<!-- BEGIN_TF_DOCS -->\n## Inputs\n\n| Name |")
            );
            assert_eq!(run(&["-table-check", "README.md"]), updated);
        }
        // The table is appended, and then replaced.
        fs::write(&file, "# Module\n").unwrap();
        assert_eq!(run(&["-table=README.md"]), updated);
        fs::write(&module, "").unwrap();
        expect![[r#"
            error: Outdated table of inputs
             --> README.md:3:1
              |
            3 | <!-- BEGIN_TF_DOCS -->
              | ^^^^^^^^^^^^^^^^^^^^^^
              |
              = The table of inputs in README.md does not match the variables of the module.
              = help: to update it, run ferroform-vars with -table=README.md

        "#]]
        .assert_eq(&run(&["-table-check=README.md"]).2);
        let github = run(&["-table-check=README.md", "-format=github"]).1;
        assert!(github.starts_with("::error file=README.md,line=3,"), "{github}");
        fs::write(&file, format!("{}\n## License\n", fs::read_to_string(&file).unwrap())).unwrap();
        assert_eq!(run(&["-table=README.md"]), updated);
        let expected = "# Module\n\n<!-- BEGIN_TF_DOCS -->\n## Inputs\n\nNo inputs.\n<!-- END_TF_DOCS -->\n\n## License\n";
        assert_eq!(fs::read_to_string(&file).unwrap(), expected);
        // The line breaks of the file are kept.
        let windows = expected.replace('\n', "\r\n");
        fs::write(&file, windows.replace("No inputs.", "")).unwrap();
        assert_eq!(run(&["-table=README.md"]), updated);
        assert_eq!(fs::read_to_string(&file).unwrap(), windows);
        fs::write(&file, "<!-- END_TF_DOCS -->\n<!-- BEGIN_TF_DOCS -->\n").unwrap();
        expect![[r#"
            error: Invalid table markers
             |
             = The file README.md must contain both <!-- BEGIN_TF_DOCS --> and <!-- END_TF_DOCS -->, in this order, or neither.

        "#]].assert_eq(&run(&["-table=README.md"]).2);
    });
}

#[test]
fn other_sections_of_terraform_docs_are_kept() {
    in_directory("@@ main.tf\n", |request| {
        let file = request.working_directory.join("README.md");
        let sections = |inputs: &str| {
            format!(
                "# Module\n\n<!-- BEGIN_TF_DOCS -->\nA header.\n\n## Providers\n\nNo providers.\n\n{inputs}## Outputs\n\nNo outputs.\n<!-- END_TF_DOCS -->\n"
            )
        };
        let table = "## Inputs\n\nNo inputs.\n\n";
        for line_break in ["\n", "\r\n"] {
            let text = |it: &str| it.replace('\n', line_break);
            for old in ["## Inputs\n\n| Name |\n\n### Note\n\n", table] {
                fs::write(&file, text(&sections(old))).unwrap();
                run_in(&request.working_directory, &["-table=README.md"]);
                assert_eq!(fs::read_to_string(&file).unwrap(), text(&sections(table)));
            }
        }
        fs::write(&file, sections("")).unwrap();
        run_in(&request.working_directory, &["-table=README.md"]);
        let expected = sections("").replace("No outputs.\n", "No outputs.\n\n## Inputs\n\nNo inputs.\n");
        assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    });
}
