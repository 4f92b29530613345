//! The log of the CLI and the providers.

/// The log of the CLI and of every provider in a workspace [with a trace log](crate::workspace::Workspace::with_trace_log).
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// let workspace = workspace.with_trace_log();
/// workspace.apply()?;
/// let log = workspace.log()?;
/// assert!(log.of_provider("local").iter().any(|record| record.contains("creating")));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Log {
    text: String,
}

impl Log {
    pub(crate) fn new(text: String) -> Log {
        Log { text }
    }

    /// Returns the whole log.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the records of the CLI and of the providers. A record can have several lines.
    pub fn records(&self) -> Vec<&str> {
        let mut starts: Vec<usize> = Vec::new();
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            if starts.is_empty() || is_start(line) {
                starts.push(at);
            }
            at += line.len();
        }
        let ends = starts.iter().skip(1).copied().chain([self.text.len()]);
        starts.iter().zip(ends).map(|(&start, end)| self.text[start..end].trim_end()).collect()
    }

    /// Returns the records of a provider by its name, such as `local`.
    pub fn of_provider(&self, name: &str) -> Vec<&str> {
        let prefix = format!(" provider.terraform-provider-{name}");
        let is_from_provider = |record: &&str| {
            // The provider's name follows the level: `2030-01-01T00:00:00.000Z [TRACE] provider.…: text`.
            let rest = record
                .split_once(']')
                .and_then(|(_, rest)| rest.trim_start_matches(' ').strip_prefix(&prefix[1..]));
            rest.is_some_and(|rest| rest.starts_with([':', '_', '.']))
        };
        self.records().into_iter().filter(is_from_provider).collect()
    }
}

/// Returns true for the first line of a record, which starts with a time and a level.
fn is_start(line: &str) -> bool {
    let Some((time, rest)) = line.split_once(' ') else {
        return false;
    };
    time.len() >= 20 && time.as_bytes()[4] == b'-' && time.as_bytes()[10] == b'T' && rest.starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_contain_their_continuation_lines_and_are_found_by_provider() {
        let lines = [
            "2030-01-01T00:00:00.000Z [INFO]  Terraform version: 1.11.4",
            "2030-01-01T00:00:00.001Z [TRACE] provider.terraform-provider-big: two",
            "lines",
            "2030-01-01T00:00:00.002Z [DEBUG] provider.terraform-provider-bigger: other",
            "2030-01-01T00:00:00.003Z [INFO]  provider.terraform-provider-big_v1.0.0: third",
        ];
        let log = Log::new(lines.join("\n"));
        assert_eq!(log.records().len(), 4);
        assert_eq!(log.of_provider("big"), [lines[1..3].join("\n").as_str(), lines[4]]);
    }
}
