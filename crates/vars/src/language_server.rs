//! The language server: the messages of an editor and their responses.
//!
//! The server supports diagnostics, hover and completion for `.tfvars` and `.tfvars.json` files. The module `workspace`
//! evaluates the open files. The messages are JSON values instead of types, because the server reads and writes only a
//! few fields.

use std::path::{Path, PathBuf};
use std::{io, str};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request as LspRequest, RequestId, Response};
use serde_json::{Value, json};

use crate::request::Request;
use crate::workspace::Workspace;

/// The identifier of the only request of the server.
const REGISTRATION: i32 = 1;

/// Serves an editor through the standard streams until it sends `exit` or closes standard input. Returns true if it
/// has sent `shutdown` before.
///
/// # Errors
///
/// Returns an error if the editor sends invalid messages, or if the output cannot be written.
pub(crate) fn run(request: Request) -> io::Result<bool> {
    let (connection, threads) = Connection::stdio();
    let is_shut_down = serve(connection, request);
    threads.join().map(|()| is_shut_down)
}

/// Serves an editor until it sends `exit` or closes the connection. Returns true if it has sent `shutdown` before.
fn serve(connection: Connection, request: Request) -> bool {
    // The result depends only on files.
    let request = Request { environment: Vec::new(), ..request };
    let mut server = Server::default();
    server.workspace.base = request;
    let mut is_changed = false;
    loop {
        // The messages that have arrived are handled first, so that only the latest text is evaluated.
        let next = connection.receiver.try_recv().or_else(|_| {
            if std::mem::take(&mut is_changed) {
                server.publish();
                server.send(&connection);
            }
            connection.receiver.recv()
        });
        match next {
            Ok(Message::Request(request)) => {
                let response = server.respond(request);
                server.outgoing.push(response.into());
            }
            Ok(Message::Notification(it)) if it.method == "exit" => return server.is_shut_down,
            Ok(Message::Notification(notification)) if server.is_initialized => {
                // A notification with invalid parameters has no effect.
                let _ = server.notify(&notification);
                is_changed |= !notification.method.starts_with("$/");
            }
            Ok(Message::Notification(_) | Message::Response(_)) => {}
            Err(_) => return server.is_shut_down,
        }
        server.send(&connection);
    }
}

#[derive(Default)]
struct Server {
    workspace: Workspace,
    is_initialized: bool,
    is_shut_down: bool,
    /// True if the editor can watch files that are not open.
    can_watch: bool,
    outgoing: Vec<Message>,
}

impl Server {
    fn respond(&mut self, request: LspRequest) -> Response {
        let error = |code: ErrorCode, message: &str| (code, message.to_owned());
        let result = match &*request.method {
            "initialize" if !self.is_initialized => Ok(self.initialize(&request.params)),
            _ if !self.is_initialized => {
                Err(error(ErrorCode::ServerNotInitialized, "The server is not initialized."))
            }
            "initialize" => Err(error(ErrorCode::InvalidRequest, "The server is already initialized.")),
            _ if self.is_shut_down => Err(error(ErrorCode::InvalidRequest, "The server is shut down.")),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            "textDocument/hover" | "textDocument/completion" => match read_position(&request.params) {
                None => Err(error(ErrorCode::InvalidParams, "A text document and a position are required.")),
                Some((uri, at)) => Ok(to_path(uri)
                    .and_then(|file| match &*request.method {
                        "textDocument/hover" => self.workspace.hover(&file, at),
                        _ => self.workspace.completion(&file, at),
                    })
                    .unwrap_or_default()),
            },
            method => Err((ErrorCode::MethodNotFound, format!("The method {method} is not supported."))),
        };
        match result {
            Ok(result) => Response::new_ok(request.id, result),
            Err((code, message)) => Response::new_err(request.id, code as i32, message),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.is_initialized = true;
        let capabilities = &params["capabilities"];
        let encodings = capabilities["general"]["positionEncodings"].as_array();
        self.workspace.is_utf8 = encodings.is_some_and(|it| it.contains(&json!("utf-8")));
        let watched = &capabilities["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"];
        self.can_watch = *watched == json!(true);
        json!({
            "capabilities": {
                "positionEncoding": if self.workspace.is_utf8 { "utf-8" } else { "utf-16" },
                // Changes contain the whole text.
                "textDocumentSync": { "openClose": true, "change": 1, "save": true },
                "hoverProvider": true,
                "completionProvider": { "triggerCharacters": ["\""] },
            },
            "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Returns `None` if the parameters are invalid.
    fn notify(&mut self, notification: &Notification) -> Option<()> {
        let document = &notification.params["textDocument"];
        let uri = || document["uri"].as_str();
        match &*notification.method {
            "initialized" if self.can_watch => {
                let watchers =
                    json!([{ "globPattern": "**/*.{tf,tf.json,tofu,tofu.json,tfvars,tfvars.json}" }]);
                let registration = json!({
                    "id": "files",
                    "method": "workspace/didChangeWatchedFiles",
                    "registerOptions": { "watchers": watchers },
                });
                let params = json!({ "registrations": [registration] });
                let method = "client/registerCapability".to_owned();
                self.outgoing.push(LspRequest { id: RequestId::from(REGISTRATION), method, params }.into());
            }
            "textDocument/didOpen" => {
                let (uri, text) = (uri()?, document["text"].as_str()?);
                self.workspace.open(to_path(uri)?, uri, text);
            }
            "textDocument/didChange" => {
                let text = notification.params["contentChanges"].as_array()?.last()?["text"].as_str()?;
                self.workspace.change(&to_path(uri()?)?, text);
            }
            "textDocument/didClose" => {
                self.workspace.close(&to_path(uri()?)?);
                self.outgoing.push(publish_diagnostics(uri()?, &json!([])));
            }
            // After any other notification, such as the change of a file on disk, the files are evaluated again.
            _ => {}
        }
        Some(())
    }

    fn send(&mut self, connection: &Connection) {
        // Sending fails only if the editor has closed its end. The next read reports that.
        let _ = self.outgoing.drain(..).try_for_each(|it| connection.sender.send(it));
    }

    fn publish(&mut self) {
        let changed = self.workspace.update_diagnostics();
        self.outgoing.extend(changed.iter().map(|(uri, found)| publish_diagnostics(uri, found)));
    }
}

fn publish_diagnostics(uri: &str, found: &Value) -> Message {
    let params = json!({ "uri": uri, "diagnostics": found });
    Notification { method: "textDocument/publishDiagnostics".to_owned(), params }.into()
}

/// Returns the URI and the position of a request.
fn read_position(params: &Value) -> Option<(&str, (usize, usize))> {
    let number = |it: &Value| usize::try_from(it.as_u64()?).ok();
    let at = &params["position"];
    Some((params["textDocument"]["uri"].as_str()?, (number(&at["line"])?, number(&at["character"])?)))
}

/// Returns the path of a `file` URI.
fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let encoded = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut parts = encoded.split('%');
    bytes.extend(parts.next()?.as_bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(&part.as_bytes()[2..]);
    }
    let decoded = str::from_utf8(&bytes).ok()?;
    // On Windows, the drive follows the first slash.
    let decoded =
        decoded.strip_prefix('/').filter(|it| cfg!(windows) && it.get(1..2) == Some(":")).unwrap_or(decoded);
    Some(Path::new(decoded).to_owned())
}

#[cfg(test)]
mod tests;
