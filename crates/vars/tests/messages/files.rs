//! Errors about files that cannot be read or parsed.

use std::fs;

use expect_test::expect;
use ferroform_vars::{Request, Setting, evaluate};

use crate::check;

#[test]
fn invalid_value_files_are_reported() {
    let module = "@@ main.tf\nvariable \"a\" { default = 1 }\n";
    check(
        &format!("{module}@@ terraform.tfvars\na = [1\nb = 2\n"),
        expect![[r#"
            error: Missing item separator
             --> terraform.tfvars:2:1
              |
            2 | b = 2
              | ^
              |
              = Expected a comma or "]".

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars\na = 1\na = 2\n"),
        expect![[r#"
            error: Attribute redefined
             --> terraform.tfvars:2:1
              |
            2 | a = 2
              | ^
              |
              = The argument "a" is set more than once.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars\nvariable \"a\" {{\n}}\nfoo {{\n}}\n"),
        expect![[r#"
            error: Variable declaration in .tfvars file
             --> terraform.tfvars:1:1
              |
            1 | variable "a"…
              | ^^^^^^^^^^^^
              |
              = A .tfvars file assigns values to variables; it cannot declare them.
              = help: to give it a value, write: a = …

            error: Unexpected block
             --> terraform.tfvars:3:1
              |
            3 | foo…
              | ^^^
              |
              = Blocks are not allowed in a .tfvars file.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars\na = upper(\"é\")\n"),
        expect![[r#"
            error: Function calls not allowed
             --> terraform.tfvars:1:5
              |
            1 | a = upper("é")
              |     ^^^^^^^^^^
              |
              = Only constant values are allowed here; the function "upper" cannot be called.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars.json\n{{\"a\": 1,\n \"b\" 2}}\n"),
        expect![[r#"
            error: Invalid JSON
             --> terraform.tfvars.json:2:6
              |
            2 |  "b" 2}
              |      ^
              |
              = Expected a colon.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars.json\n{{\"a\": yes}}\n"),
        expect![[r#"
            error: Invalid JSON
             --> terraform.tfvars.json:1:7
              |
            1 | {"a": yes}
              |       ^
              |
              = Expected a value.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars.json\n[]\n"),
        expect![[r#"
            error: Incorrect JSON value type
             --> terraform.tfvars.json:1:1
              |
            1 | []
              | ^^
              |
              = A JSON variables file must contain one object, but got an array.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars.json\n{{\"a\": 1, \"a\": {{\"b\": 1, \"b\": 2}}}}\n"),
        expect![[r#"
            error: Duplicate attribute definition
             --> terraform.tfvars.json:1:10
              |
            1 | {"a": 1, "a": {"b": 1, "b": 2}}
              |          ^^^
              |
              = The key "a" is set more than once.

        "#]],
    );
    check(
        &format!("{module}@@ terraform.tfvars.json\n{{\"a\": {{\"b\": 1, \"b\": 2}}}}\n"),
        expect![[r#"
            error: Duplicate object attribute
             --> terraform.tfvars.json:1:16
              |
            1 | {"a": {"b": 1, "b": 2}}
              |                ^^^
              |
              = The key "b" is set more than once.

        "#]],
    );
}

#[test]
fn invalid_modules_are_reported() {
    check(
        "",
        expect![[r#"
            error: No configuration files
             |
             = The directory . contains no .tf, .tf.json, .tofu or .tofu.json files.

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a\" { default = [1 }\n",
        expect![[r#"
            error: Missing item separator
             --> main.tf:1:29
              |
            1 | variable "a" { default = [1 }
              |                             ^
              |
              = Expected a comma or "]".

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a\" {\n  default = 1\n",
        expect![[r#"
            error: Unclosed configuration block
             --> main.tf:1:14
              |
            1 | variable "a" {
              |              ^
              |
              = The block has no closing brace.

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a\" { validation { } }\n",
        expect![[r#"
            error: Invalid single-argument block definition
             --> main.tf:1:16
              |
            1 | variable "a" { validation { } }
              |                ^^^^^^^^^^
              |
              = A single-line block cannot contain another block.

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a\" { default = 1, type = number }\n",
        expect![[r#"
            error: Invalid single-argument block definition
             --> main.tf:1:27
              |
            1 | variable "a" { default = 1, type = number }
              |                           ^
              |
              = A single-line block can contain only one argument.

        "#]],
    );
    check(
        "@@ main.tf\nvariable = \n",
        expect![[r#"
            error: Invalid expression
             --> main.tf:1:12
              |
            1 | variable = 
              |            ^
              |
              = Expected an expression.

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a${1}\" {}\n",
        expect![[r#"
            error: Invalid string literal
             --> main.tf:1:10
              |
            1 | variable "a${1}" {}
              |          ^^^^^^^
              |
              = A block label cannot contain template sequences.

        "#]],
    );
    check(
        "@@ main.tf\nvariable \"a\" {\n  type    = string\n  default = \"x\"\n}\n@@ override.tf\nvariable \"a\" {\n  type = number\n}\nvariable \"aa\" {\n}\n@@ b_override.tf\nvariable \"a\" {\n  validation {\n    condition     = var.a\n    error_message = \"x\"\n  }\n}\n",
        expect![[r#"
            error: Can't override validation blocks
             --> b_override.tf:2:3
              |
            2 |   validation {
              |   ^^^^^^^^^^
              |
              = An override file cannot contain validation blocks.

            error: Invalid default value for variable
             --> override.tf:1:1
              |
            1 | variable "a" {
              | ^^^^^^^^^^^^
              |
              = Overriding this variable's type constraint has made its default value invalid: a number is required.

            error: Missing base variable declaration to override
             --> override.tf:4:1
              |
            4 | variable "aa" {
              | ^^^^^^^^^^^^^
              |
              = There is no variable named "aa". An override file can only override a variable that was already declared in a primary configuration file.

        "#]],
    );
    check(
        "@@ main.tf.json\n{\n  \"variable\": {\n    \"a\": {\"type\": \"strng\", \"defualt\": 1, \"default\": {}},\n    \"b\": {\"type\": [], \"default\": 1, \"default\": 2, \"sensitive\": 5},\n    \"c\": 1,\n    \"d\": {\"default\": 1, \"validation\": {\"condition\": \"${var.d > 1}\", \"error_message\": \"It is ${var.d}.\"}},\n    \"e\": {\"default\": 1, \"validation\": [{\"condition\": \"${var.e >\", \"message\": \"x\"}]}\n  },\n  \"varable\": {}\n}\n",
        expect![[r#"
            error: Incorrect JSON value type
            --> main.tf.json:5:10
             = The line is not shown because it may contain a sensitive value.
             = A variable must be an object or an array of objects, but got a number.

            error: Extraneous JSON object property
            --> main.tf.json:9:3
             = The line is not shown because it may contain a sensitive value.
             = Blocks of type "varable" are not expected in a module.
             = help: did you mean "variable"?

            error: Invalid type specification
            --> main.tf.json:3:19
             = The line is not shown because it may contain a sensitive value.
             = The keyword "strng" is not a valid type.

            error: Extraneous JSON object property
            --> main.tf.json:3:28
             = The line is not shown because it may contain a sensitive value.
             = An argument named "defualt" is not expected in a variable block.
             = help: did you mean "default"?

            error: Invalid type specification
            --> main.tf.json:4:19
             = The line is not shown because it may contain a sensitive value.
             = A type must be written as a string, but got an array.

            error: Duplicate argument
            --> main.tf.json:4:37
             = The line is not shown because it may contain a sensitive value.
             = The argument "default" is set more than once.

            error: Unsuitable value type
            --> main.tf.json:4:64
             = The line is not shown because it may contain a sensitive value.
             = The value of the argument is not suitable: bool required.

            error: Missing expression
            --> main.tf.json:7:54
             = The line is not shown because it may contain a sensitive value.
             = Expected an expression.

            error: Extraneous JSON object property
            --> main.tf.json:7:67
             = The line is not shown because it may contain a sensitive value.
             = An argument named "message" is not expected in a validation block.

            error: Invalid value for variable
            --> main.tf.json:6:22
             = The line is not shown because it may contain a sensitive value.
             = It is 1.
             = The validation at main.tf.json:6:25 rejects the value of var.d.

        "#]],
    );
}

#[test]
fn unreadable_files_are_reported() {
    let directory = std::env::temp_dir().join(format!("ferroform-unreadable-{}", std::process::id()));
    let files = [
        ("main.tf", &b"variable \"a\" {}\n"[..]),
        ("b.tf", b"#\n# \xff\n"),
        ("terraform.tfvars", b"a = \"\xe9\"\n"),
    ];
    fs::create_dir_all(directory.join("a.auto.tfvars")).unwrap();
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes).unwrap();
    }
    let diagnostics = |request: &Request| {
        let diagnostics =
            evaluate(request).diagnostics().replace(&directory.display().to_string(), "DIRECTORY");
        // The operating system determines the wording of this part.
        let plain = |text: &str| {
            text.split_once("(os error")
                .map_or(text.to_owned(), |it| format!("{} …", it.0.rsplit_once(": ").map_or("", |it| it.0)))
        };
        diagnostics.lines().map(plain).collect::<Vec<_>>().join("\n")
    };
    let options = ["none.tfvars", ""].map(|it| Setting::File(directory.join(it))).to_vec();
    let request = Request { directory: directory.clone(), options, ..Request::default() };
    expect![[r#"
        error: Invalid character encoding
         |
         = The file DIRECTORY/b.tf is not encoded in UTF-8: line 2 contains an invalid byte.

        error: Invalid character encoding
        --> DIRECTORY/terraform.tfvars:1:1
         = The file DIRECTORY/terraform.tfvars is not encoded in UTF-8: line 1 contains an invalid byte.

        error: Failed to read file
         |
         = A file is required, but DIRECTORY/a.auto.tfvars is a directory.

        error: Failed to read variables file
         |
         = The variables file DIRECTORY/none.tfvars does not exist.

        error: Failed to read file
         |
         = A file is required, but DIRECTORY is a directory.
    "#]]
    .assert_eq(&diagnostics(&request));
    // The working directory has no relative path.
    for path in [".", "./", "./."] {
        let request = Request {
            directory: ".".into(),
            options: vec![Setting::File(path.into())],
            working_directory: directory.clone(),
            ..Request::default()
        };
        let detail = " = A file is required, but . is a directory.\n";
        assert!(evaluate(&request).diagnostics().contains(detail), "{path}");
    }
    let request = Request { directory: directory.join("none"), ..Request::default() };
    expect![[r#"
        error: Failed to read module directory
         |
         = DIRECTORY/none …
    "#]]
    .assert_eq(&diagnostics(&request));
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn variables_files_in_other_encodings_are_reported_at_their_first_line() {
    let directory = std::env::temp_dir().join(format!("ferroform-encodings-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let files = [
        ("main.tf", &b"variable \"a\" {}\n"[..]),
        ("terraform.tfvars", b"\0GITCRYPT\0\xffa = 1"),
        ("terraform.tfvars.json", b"\xff\xfe{\0}\0"),
        ("a.auto.tfvars", b"\0\xff"),
        ("b.auto.tfvars", b"\n\xff"),
    ];
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes).unwrap();
    }
    let request =
        Request { directory: ".".into(), working_directory: directory.clone(), ..Request::default() };
    let report = evaluate(&request);
    fs::remove_dir_all(&directory).unwrap();
    expect![[r#"
        error: Invalid character encoding
        --> terraform.tfvars:1:1
         = The file terraform.tfvars is encrypted by git-crypt. To decrypt it, run `git-crypt unlock`.

        error: Invalid character encoding
        --> terraform.tfvars.json:1:1
         = The file terraform.tfvars.json is encoded in UTF-16. Save it in UTF-8.

        error: Invalid character encoding
        --> a.auto.tfvars:1:1
         = The file a.auto.tfvars is a binary file, but a text file in UTF-8 is required.

        error: Invalid character encoding
        --> b.auto.tfvars:1:1
         = The file b.auto.tfvars is not encoded in UTF-8: line 2 contains an invalid byte.

    "#]]
    .assert_eq(&report.diagnostics());
    assert!(report.diagnostics_json().contains(
        r#""range":{"filename":"terraform.tfvars","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":1,"byte":0}}}"#
    ));
}
