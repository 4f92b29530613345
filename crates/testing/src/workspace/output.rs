//! The output of a step.

use std::fmt;

use super::{Diagnostic, Error, Json, Result};

/// The output of a step.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// let output = workspace.run(&["apply", "-auto-approve"])?.expect_failure()?;
/// assert!(output.contains("Error: Invalid file name"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The command line.
    pub command: String,
    /// The exit code; `None` if a signal terminated the run.
    pub code: Option<i32>,
    /// The standard output.
    pub stdout: String,
    /// The standard error output, with errors.
    pub stderr: String,
    /// The warnings and errors. Empty for [`run`](super::Workspace::run), whose output is not parsed.
    pub diagnostics: Vec<Diagnostic>,
}

impl Output {
    /// The output of a command that has not printed anything.
    pub(crate) fn empty(command: impl Into<String>, code: i32) -> Output {
        Output {
            command: command.into(),
            code: Some(code),
            stdout: String::new(),
            stderr: String::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Adds a diagnostic, with its text.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        let stream = if diagnostic.is_error { &mut self.stderr } else { &mut self.stdout };
        *stream += &format!("\n{diagnostic}\n");
        self.diagnostics.push(diagnostic);
    }

    /// Parses the output of a command with `-json`: one message in each line, which `visit` receives. Other lines remain as
    /// they are.
    pub(crate) fn parse_messages(mut self, mut visit: impl FnMut(&Json)) -> Output {
        for line in std::mem::take(&mut self.stdout).lines() {
            match serde_json::from_str::<Json>(line) {
                Ok(message) if message["type"] == "diagnostic" => {
                    let diagnostic = Diagnostic::from_json(&message["diagnostic"]);
                    if !diagnostic.is_about_overrides() {
                        self.report(diagnostic);
                    }
                }
                Ok(message) if message.is_object() => {
                    visit(&message);
                    self.stdout.extend([message["@message"].as_str().unwrap_or_default(), "\n"]);
                }
                _ => self.stdout.extend([line, "\n"]),
            }
        }
        self
    }

    /// Parses the standard output as JSON; `subject` names it in an error.
    pub(crate) fn json(&self, subject: &str) -> Result<Json> {
        serde_json::from_str(&self.stdout).map_err(Error::context(format!("{subject} is not JSON")))
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|it| !it.is_error)
    }

    /// Returns the output of a successful run.
    ///
    /// # Errors
    ///
    /// Returns an error if the exit code is not 0.
    pub fn expect_success(self) -> Result<Output> {
        match self.code {
            Some(0) => Ok(self),
            Some(code) => {
                Err(Error::with_output(format!("`{}` failed with code {code}", self.command), self))
            }
            None => Err(Error::with_output(format!("`{}` was terminated by a signal", self.command), self)),
        }
    }

    /// Returns true if either stream contains these words. All whitespace compares equal, because the CLI wraps
    /// long messages.
    pub fn contains(&self, words: &str) -> bool {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = flat(words);
        [&self.stdout, &self.stderr].iter().any(|it| flat(it).contains(&words))
    }

    /// Returns the output of a failed run, for tests of errors.
    ///
    /// # Errors
    ///
    /// Returns an error if the exit code is 0.
    pub fn expect_failure(self) -> Result<Output> {
        if self.code == Some(0) {
            return Err(Error::with_output(
                format!("`{}` succeeded, but a failure was expected", self.command),
                self,
            ));
        }
        Ok(self)
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\n{}{}", self.command, self.stdout, self.stderr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_text_and_diagnostics() {
        let stdout = [
            r#"{"@message":"Terraform 1.11.4","type":"version"}"#,
            r#"{"@message":"Warning: Old","type":"diagnostic","diagnostic":{"severity":"warning","summary":"Old","detail":""}}"#,
            r#"{"@message":"Error: Bad","type":"diagnostic","diagnostic":{"severity":"error","summary":"Bad","detail":"No.","address":"a.b","range":{"filename":"main.tf","start":{"line":3}},"snippet":{"context":"resource \"a\" \"b\"","code":"  x = 1"}}}"#,
            "not JSON",
        ];
        let output = Output { stdout: stdout.join("\n"), ..Output::empty("terraform plan", 1) };
        let mut versions = 0;
        let output = output.parse_messages(|it| versions += usize::from(it["type"] == "version"));
        assert_eq!(versions, 1);
        assert_eq!(output.stdout, "Terraform 1.11.4\n\nWarning: Old\nnot JSON\n");
        let error = "\nError: Bad\n\n  with a.b,\n  on main.tf line 3, in resource \"a\" \"b\":\n   3:   x = 1\n\nNo.\n";
        assert_eq!(output.stderr, error);
        let [warning, error] = &output.diagnostics[..] else { panic!("{output}") };
        assert_eq!((&*warning.summary, warning.is_error), ("Old", false));
        assert_eq!((&*error.location, &*error.address), ("main.tf:3", "a.b"));
    }
}
