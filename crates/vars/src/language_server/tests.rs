//! The responses and notifications of the language server.

use std::fmt::Write as _;
use std::{fs, thread};

use expect_test::{Expect, expect};
use tempfile::TempDir;

use super::*;

const MODULE: &str = r#"variable "region" {
  type        = string
  description = "The region."
  default     = "eu"
  validation {
    condition     = length(var.region) < 4
    error_message = "A region has at most 3 characters, not ${length(var.region)}."
  }
}
variable "ports" {
  type = list(object({ port = number, open = optional(bool, false) }))
}
variable "token" {
  type      = object({ id = number, key = optional(string, "initial") })
  sensitive = true
  nullable  = false
  default   = { id = 7 }
}
"#;

/// An editor that is connected to a server.
struct Editor {
    directory: TempDir,
    connection: Connection,
    server: Option<thread::JoinHandle<bool>>,
    calls: i32,
}

impl Editor {
    fn new(module: &str, capabilities: &Value) -> Editor {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join(".git")).unwrap();
        if !module.is_empty() {
            fs::write(directory.path().join("main.tf"), module).unwrap();
        }
        let (connection, other) = Connection::memory();
        let server = thread::spawn(|| serve(other, Request::default()));
        let mut editor = Editor { directory, connection, server: Some(server), calls: 0 };
        editor.call("initialize", json!({ "capabilities": capabilities })).unwrap();
        editor.notify("initialized", json!({}));
        editor
    }

    fn uri(&self, file: &str) -> String {
        let path = self.directory.path().join(file).to_str().unwrap().replace('\\', "/");
        format!("file://{}{}", if path.starts_with('/') { "" } else { "/" }, path.replace(':', "%3A"))
    }

    fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// Calls a method. Notifications before the response are dropped.
    fn call(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        self.calls += 1;
        let request = LspRequest { id: self.calls.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).unwrap();
        loop {
            if let Message::Response(response) = self.connection.receiver.recv().unwrap() {
                assert_eq!(response.id, self.calls.into());
                return response.response_result.map_err(|it| (it.code, it.message));
            }
        }
    }

    fn open(&self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", params);
    }

    /// Returns the next published diagnostics.
    fn diagnostics(&self) -> String {
        let params = match self.connection.receiver.recv().unwrap() {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => it.params,
            other => panic!("unexpected {other:?}"),
        };
        let mut shown = format!("{}\n", params["uri"].as_str().unwrap().rsplit('/').next().unwrap());
        for diagnostic in params["diagnostics"].as_array().unwrap() {
            let at = |end: &str| {
                format!("{}:{}", diagnostic["range"][end]["line"], diagnostic["range"][end]["character"])
            };
            let message = diagnostic["message"].as_str().unwrap();
            let _ = writeln!(shown, "{}-{} {} {message}", at("start"), at("end"), diagnostic["severity"]);
        }
        shown
    }

    /// Opens a file, and calls a method at the position `|` of the text.
    fn at_cursor(&mut self, method: &str, file: &str, text: &str) -> Value {
        let before = text.split('|').next().unwrap();
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
        self.open(file, &text.replacen('|', "", 1));
        let document = json!({ "uri": self.uri(file) });
        let position = json!({ "line": line, "character": character });
        self.call(method, json!({ "textDocument": document, "position": position })).unwrap()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        self.call("shutdown", Value::Null).unwrap();
        assert_eq!(self.call("shutdown", Value::Null).unwrap_err().0, ErrorCode::InvalidRequest as i32);
        self.notify("exit", Value::Null);
        assert!(self.server.take().unwrap().join().unwrap());
    }
}

fn check_diagnostics(file: &str, text: &str, expected: Expect) {
    let editor = Editor::new(MODULE, &json!({}));
    editor.open(file, text);
    expected.assert_eq(&editor.diagnostics());
}

#[test]
fn diagnostics_are_published() {
    check_diagnostics(
        "terraform.tfvars",
        "region = \"europe\"\nports = [{ port = \"\u{1f600}\", opne = true }]\nx = 1\n",
        expect![[r#"
            terraform.tfvars
            1:18-1:22 1 Invalid value for input variable: The value is not compatible with the variable's type constraint: var.ports[0].port: a number is required.
            0:9-0:17 1 Invalid value for variable: A region has at most 3 characters, not 6. The validation at main.tf:5:3 rejects the value of var.region.
            2:0-2:1 2 Value for undeclared variable: The module does not declare a variable named "x". The value is ignored.
            1:31-1:35 2 Undeclared object attribute: The type of var.ports[0] has no attribute "opne", so the attribute is ignored. Did you mean "open"?
        "#]],
    );
    check_diagnostics(
        "live.tfvars.json",
        "{\"ports\": [{\"port\": \"\u{1f600}\"}]}",
        expect![[r#"
        live.tfvars.json
        0:20-0:24 1 Invalid value for input variable: The value is not compatible with the variable's type constraint: var.ports[0].port: a number is required.
    "#]],
    );
    check_diagnostics(
        "terraform.tfvars",
        "ports = [\n",
        expect![[r#"
        terraform.tfvars
        1:0-1:0 1 Missing expression: Expected an expression.
    "#]],
    );
    check_diagnostics(
        "terraform.tfvars",
        "region = \"de\"\n",
        expect![[r#"
            terraform.tfvars
            0:0-0:0 3 No value for required variable: The root module input variable "ports" is not set, and has no default value.
        "#]],
    );
}

#[test]
fn sensitive_values_are_redacted() {
    let text = "ports = []\ntoken = { id = \"hunter2\" }\n";
    check_diagnostics(
        "terraform.tfvars",
        text,
        expect![[r#"
        terraform.tfvars
        1:15-1:24 1 Invalid value for input variable: The value is not compatible with the variable's type constraint: var.token.id: a number is required.
    "#]],
    );
    check_diagnostics(
        "terraform.tfvars",
        "ports = []\ntoken = { id = \"hunter2\n",
        expect![[r#"
        terraform.tfvars
        1:23-2:0 1 Invalid multi-line string: A quoted string cannot span lines; use a heredoc instead.
    "#]],
    );
    let mut editor = Editor::new(MODULE, &json!({}));
    let hover = editor.at_cursor("textDocument/hover", "a.tfvars", "tok|en = {}");
    expect![[r#"
        ```hcl
        token: object({id = number, key = optional(string)})
        ```

        - Default: (sensitive value)
        - Sensitive
        - Not nullable
        - Declared at main.tf:13:1
    "#]]
    .assert_eq(hover["contents"]["value"].as_str().unwrap());
}

/// The module of a file can be in a parent directory, and other files set values as well.
#[test]
fn files_of_environments_belong_to_module_above() {
    let editor = Editor::new(MODULE, &json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } }));
    fs::write(editor.directory.path().join("x.auto.tfvars"), "region = \"europe\"").unwrap();
    editor.open("envs/a%20b/live.tfvars", "ports = [{ port = \"\u{1f600}\", opne = 1 }]\n");
    expect![[r#"
        live.tfvars
        0:18-0:24 1 Invalid value for input variable: The value is not compatible with the variable's type constraint: var.ports[0].port: a number is required.
        0:33-0:34 2 Undeclared object attribute: The type of var.ports[0] has no attribute "opne", so the attribute is ignored. Did you mean "open"?
    "#]].assert_eq(&editor.diagnostics());
}

#[test]
fn file_without_module_has_only_syntax_errors() {
    let editor = Editor::new("", &json!({}));
    editor.open("a.tfvars", "a = 1\nb = [\n");
    expect![[r#"
        a.tfvars
        2:0-2:0 1 Missing expression: Expected an expression.
    "#]]
    .assert_eq(&editor.diagnostics());
    editor.change("a.tfvars", "a = 1\n");
    expect![[r#"
        a.tfvars
    "#]]
    .assert_eq(&editor.diagnostics());
}

#[test]
fn unsaved_changes_are_evaluated() {
    let editor = Editor::new(MODULE, &json!({}));
    editor.open("a.tfvars", "ports = [1]\n");
    expect![[r#"
        a.tfvars
        0:9-0:10 1 Invalid value for input variable: The value is not compatible with the variable's type constraint: var.ports[0]: object required, but have number.
    "#]].assert_eq(&editor.diagnostics());
    editor.change("a.tfvars", "ports = []\n");
    expect![[r#"
        a.tfvars
    "#]]
    .assert_eq(&editor.diagnostics());
    // The unsaved text of a module replaces its file, and gets its own diagnostics.
    editor.open("main.tf", "variable \"ports\" {\n  type = strng\n}\nvariable \"size\" {}\n");
    expect![[r#"
        a.tfvars
        0:0-0:0 3 No value for required variable: The root module input variable "size" is not set, and has no default value.
        main.tf
        1:9-1:14 1 Invalid type specification: The keyword "strng" is not a valid type.
    "#]]
    .assert_eq(&(editor.diagnostics() + &editor.diagnostics()));
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri("main.tf") } }));
    expect![[r#"
        main.tf
        a.tfvars
    "#]]
    .assert_eq(&(editor.diagnostics() + &editor.diagnostics()));
    // A change on disk is read after the editor has reported it.
    fs::write(editor.directory.path().join("main.tf"), "variable \"port\" {}").unwrap();
    editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    expect![[r#"
        a.tfvars
        0:0-0:5 2 Value for undeclared variable: The module does not declare a variable named "ports". The value is ignored. Did you mean "port"?
        0:0-0:0 3 No value for required variable: The root module input variable "port" is not set, and has no default value.
    "#]].assert_eq(&editor.diagnostics());
}

#[test]
fn hover_describes_variables_and_attributes() {
    let mut editor = Editor::new(MODULE, &json!({}));
    let mut check = |file: &str, text: &str, expected: Expect| {
        let hover = editor.at_cursor("textDocument/hover", file, text);
        expected.assert_eq(&format!(
            "{}\n{}",
            hover["contents"]["value"].as_str().unwrap_or("none"),
            hover["range"]
        ));
    };
    check(
        "a.tfvars",
        "x = 1\nregi|on = \"\"",
        expect![[r#"
        ```hcl
        region: string
        ```

        The region.

        - Default:
          ```hcl
          "eu"
          ```
        - Validation: `"A region has at most 3 characters, not ${length(var.region)}."`
        - Declared at main.tf:1:1

        {"end":{"character":6,"line":1},"start":{"character":0,"line":1}}"#]],
    );
    check(
        "a.tfvars.json",
        "{\"|ports\": []}",
        expect![[r#"
        ```hcl
        ports: list(object({ port = number, open = optional(bool, false) }))
        ```

        - Required
        - Declared at main.tf:10:1

        {"end":{"character":8,"line":0},"start":{"character":1,"line":0}}"#]],
    );
    check(
        "a.tfvars",
        "ports = [{ open| = 1 }]",
        expect![[r#"
        ```hcl
        open: bool
        ```

        - Optional

        {"end":{"character":15,"line":0},"start":{"character":11,"line":0}}"#]],
    );
    for text in ["x| = 1", "region = \"re|gion\"", "# region|", "ports = [{ x| = 1 }]", "|"] {
        check("a.tfvars", text, expect!["none\nnull"]);
    }
}

#[test]
fn names_and_values_are_completed() {
    let mut editor = Editor::new(MODULE, &json!({}));
    let mut check = |file: &str, text: &str, expected: Expect| {
        let mut shown = String::new();
        for item in editor.at_cursor("textDocument/completion", file, text).as_array().unwrap_or(&Vec::new())
        {
            let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
            let range = &item["textEdit"]["range"];
            let (start, end) = (&range["start"]["character"], &range["end"]["character"]);
            let description = item["documentation"]["value"].as_str().unwrap_or_default();
            let _ = writeln!(
                shown,
                "{} | {} | {start}-{end} {} | {description}",
                text("sortText") + &text("label"),
                text("detail"),
                item["textEdit"]["newText"],
            );
        }
        expected.assert_eq(&shown);
    };
    check(
        "a.tfvars",
        "token = {}\nre|",
        expect![[r#"
        0portsports | list(object({open = optional(bool), port = number})) (required) | 0-2 "ports = " | 
        1regionregion | string | 0-2 "region = " | The region.
    "#]],
    );
    check(
        "a.tfvars",
        "\n| \nregion = 1",
        expect![[r#"
        0portsports | list(object({open = optional(bool), port = number})) (required) | 0-0 "ports = " | 
        1tokentoken | object({id = number, key = optional(string)}) | 0-0 "token = " | 
    "#]],
    );
    check(
        "a.tfvars",
        "po| = []",
        expect![[r#"
        0portsports | list(object({open = optional(bool), port = number})) (required) | 0-2 "ports" | 
        1regionregion | string | 0-2 "region" | The region.
        1tokentoken | object({id = number, key = optional(string)}) | 0-2 "token" | 
    "#]],
    );
    check(
        "a.tfvars.json",
        "{\"ports\": [], \"|\"}",
        expect![[r#"
        1regionregion | string | 14-16 "\"region\": " | The region.
        1tokentoken | object({id = number, key = optional(string)}) | 14-16 "\"token\": " | 
    "#]],
    );
    check(
        "a.tfvars",
        "ports = [{ port = 1, | }]",
        expect![[r#"
        1openopen | bool | 21-21 "open = " | 
    "#]],
    );
    check(
        "a.tfvars",
        "ports = [{ open = |",
        expect![[r#"
        true |  | 18-18 "true" | 
        false |  | 18-18 "false" | 
    "#]],
    );
    check("a.tfvars", "region = | # comment", expect![""]);
    check("a.tfvars", "# |", expect![""]);
}

#[test]
fn invalid_messages_are_rejected() {
    let mut editor = Editor::new(MODULE, &json!(null));
    let check = |editor: &mut Editor, method: &str, params: Value, expected: Expect| {
        expected.assert_eq(&format!("{:?}", editor.call(method, params)));
    };
    check(
        &mut editor,
        "textDocument/definition",
        json!({}),
        expect![[r#"Err((-32601, "The method textDocument/definition is not supported."))"#]],
    );
    check(
        &mut editor,
        "initialize",
        json!({}),
        expect![[r#"Err((-32600, "The server is already initialized."))"#]],
    );
    check(
        &mut editor,
        "textDocument/hover",
        json!(null),
        expect![[r#"Err((-32602, "A text document and a position are required."))"#]],
    );
    let position = |line: i64| json!({ "line": line, "character": u64::MAX });
    let document = |uri: &str| json!({ "uri": uri });
    let params = |uri: &str, line| json!({ "textDocument": document(uri), "position": position(line) });
    check(
        &mut editor,
        "textDocument/completion",
        params("file:///a.tfvars", -1),
        expect![[r#"Err((-32602, "A text document and a position are required."))"#]],
    );
    for uri in
        ["file:///a.tfvars", "untitled:1", "file:///%", "file:///%f0.tfvars", "file:///é%é", "file://", ""]
    {
        check(&mut editor, "textDocument/hover", params(uri, 1), expect!["Ok(Null)"]);
        for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "x"] {
            let notification = Notification { method: method.to_owned(), params: params(uri, 1) };
            editor.connection.sender.send(notification.into()).unwrap();
        }
    }
    editor.open("a.tfvars", "région = 1\nports = []");
    for line in [0, 1, 2, i64::MAX] {
        let params = params(&editor.uri("a.tfvars"), line);
        editor.call("textDocument/completion", params).unwrap();
    }
}

#[test]
fn files_are_watched() {
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let editor = Editor::new(MODULE, &capabilities);
    let Message::Request(request) = editor.connection.receiver.recv().unwrap() else { panic!("no request") };
    assert_eq!(request.method, "client/registerCapability");
    editor.connection.sender.send(Response::new_ok(request.id, Value::Null).into()).unwrap();
}

#[test]
fn messages_before_initialization_are_rejected() {
    let (connection, other) = Connection::memory();
    let server = thread::spawn(|| serve(other, Request::default()));
    connection
        .sender
        .send(Notification { method: "initialized".to_owned(), params: Value::Null }.into())
        .unwrap();
    let request = LspRequest { id: 1.into(), method: "shutdown".to_owned(), params: Value::Null };
    connection.sender.send(request.into()).unwrap();
    let Message::Response(response) = connection.receiver.recv().unwrap() else { panic!("no response") };
    assert_eq!(response.response_result.unwrap_err().code, ErrorCode::ServerNotInitialized as i32);
    drop(connection);
    assert!(!server.join().unwrap());
}

#[test]
fn constants_of_validations_are_completed() {
    let module = r#"
locals {
  sizes = [10, 20]
}
variable "region" {
  type = string
  validation {
    condition     = var.region == null || contains(["us-1", "eu-1"], var.region)
    error_message = "The region is unknown."
  }
}
variable "disks" {
  type = list(object({ kind = string, size = number }))
  validation {
    condition     = alltrue([for it in var.disks : contains(["ssd", "${"$"}{x}"], it.kind) && contains(local.sizes, it.size)])
    error_message = "The disk is unknown."
  }
}
variable "zones" {
  type = set(string)
  validation {
    condition     = length(setsubtract(var.zones, ["a", "b"])) == 0 && !contains(var.zones, "c")
    error_message = "The zone is unknown."
  }
}
variable "token" {
  sensitive = true
  validation {
    condition     = contains(["s3cr3t"], var.token)
    error_message = "The token is unknown."
  }
}
"#;
    let mut editor = Editor::new(module, &json!({}));
    for (file, text, expected) in [
        ("a.tfvars", "region = |", "\"us-1\" 9-9, \"eu-1\" 9-9"),
        ("a.tfvars", "region = \"e|", "\"us-1\" 9-11, \"eu-1\" 9-11"),
        ("a.tfvars", "disks = [{ kind = | }]", "\"ssd\" 18-18, \"$${x}\" 18-18"),
        ("a.tfvars", "disks = [{ size = 1| }]", "10 18-19, 20 18-19"),
        ("a.tfvars", "zones = [\"a\", |]", "\"a\" 14-14, \"b\" 14-14"),
        ("a.tfvars", "token = |", ""),
        ("a.tfvars.json", "{\"disks\": [{\"kind\": |}]}", "\"ssd\" 20-20, \"${x}\" 20-20"),
        ("a.tfvars.json", "{\"region\": \"|\"}", "\"us-1\" 11-13, \"eu-1\" 11-13"),
    ] {
        let items = editor.at_cursor("textDocument/completion", file, text);
        let show = |item: &Value| {
            let range = &item["textEdit"]["range"];
            let (start, end) = (&range["start"]["character"], &range["end"]["character"]);
            format!("{} {start}-{end}", item["textEdit"]["newText"].as_str().unwrap())
        };
        let shown: Vec<String> = items.as_array().unwrap().iter().map(show).collect();
        assert_eq!(shown.join(", "), expected, "{text}");
    }
}
